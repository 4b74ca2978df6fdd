/* Launches that run: shapes, parameters, attributes, occupancy, reports. */
#include <stdio.h>

#include "driver.h"

static CUresult launch(CUfunction function, unsigned blocks, unsigned x,
                       unsigned y, unsigned z, unsigned shared, void **params) {
  return cuLaunchKernel(function, blocks, 1, 1, x, y, z, shared, NULL, params,
                        NULL);
}

static void shapes(CUmodule module, CUdeviceptr address) {
  CUfunction store = driver_kernel(module, "store");
  CUfunction narrow = driver_kernel(module, "narrow");
  CUfunction shared = driver_kernel(module, "shared");
  unsigned n = 7;
  void *params[] = {&address, &n};
  IS(launch(store, 0, 32, 1, 1, 0, params), CUDA_ERROR_INVALID_VALUE);
  IS(launch(store, 1, 0, 1, 1, 0, params), CUDA_ERROR_INVALID_VALUE);
  IS(launch(store, 1, 1025, 1, 1, 0, params), CUDA_ERROR_INVALID_VALUE);
  IS(launch(store, 1, 1, 1, 65, 0, params), CUDA_ERROR_INVALID_VALUE);
  IS(launch(store, 1, 64, 32, 1, 0, params), CUDA_ERROR_INVALID_VALUE);
  IS(launch(store, 0x80000000u, 1, 1, 1, 0, params), CUDA_ERROR_INVALID_VALUE);
  IS(cuLaunchKernel(store, 1, 65536, 1, 1, 1, 1, 0, NULL, params, NULL),
     CUDA_ERROR_INVALID_VALUE);
  GOOD(launch(store, 1, 1, 1, 1, 49152, params));
  IS(launch(store, 1, 1, 1, 1, 49153, params), CUDA_ERROR_INVALID_VALUE);
  GOOD(launch(shared, 1, 1, 1, 1, 48128, NULL));
  IS(launch(shared, 1, 1, 1, 1, 48129, NULL), CUDA_ERROR_INVALID_VALUE);
  GOOD(launch(narrow, 1, 64, 1, 1, 0, NULL));
  IS(launch(narrow, 1, 65, 1, 1, 0, NULL), CUDA_ERROR_INVALID_VALUE);
  IS(launch(NULL, 1, 1, 1, 1, 0, NULL), CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuFuncSetAttribute(
      store, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
  GOOD(launch(store, 1, 1, 1, 1, 100000, params));
  IS(launch(store, 1, 1, 1, 1, 100001, params), CUDA_ERROR_INVALID_VALUE);
  void *nothing[] = {CU_LAUNCH_PARAM_END};
  GOOD(cuLaunchKernel(narrow, 1, 1, 1, 1, 1, 1, 0, NULL, params, nothing));
  GOOD(cuCtxSynchronize());
}

static unsigned at(CUdeviceptr address, unsigned index) {
  unsigned value = 0xdead;
  cuMemcpyDtoH(&value, address + 4 * index, 4);
  return value;
}

static void parameters(CUmodule module, CUdeviceptr address) {
  CUfunction store = driver_kernel(module, "store");
  struct {
    CUdeviceptr p;
    unsigned n;
  } buffer = {address, 100};
  unsigned n = 50;
  size_t size = 12;
  void *params[] = {&address, &n};
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  GOOD(launch(store, 1, 32, 1, 1, 0, params));
  tap_ok(at(address, 0) == 50 && at(address, 31) == 81, "by pointers");
  GOOD(cuLaunchKernel(store, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
  tap_ok(at(address, 0) == 100 && at(address, 31) == 131, "as a buffer");
  size = 16;
  IS(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra),
     CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  size = 12;
  IS(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, params, extra),
     CUDA_ERROR_INVALID_VALUE);
  IS(launch(store, 1, 1, 1, 1, 0, NULL), CUDA_ERROR_INVALID_VALUE);
  CUlaunchConfig config = {.gridDimX = 1,
                           .gridDimY = 1,
                           .gridDimZ = 1,
                           .blockDimX = 2,
                           .blockDimY = 1,
                           .blockDimZ = 1};
  n = 7;
  GOOD(cuLaunchKernelEx(&config, store, params, NULL));
  tap_ok(at(address, 1) == 8 && at(address, 2) == 102, "with a structure");
  GOOD(cuLaunchCooperativeKernel(store, 1, 1, 1, 32, 1, 1, 0, NULL, params));
  if (on_simulator())
    IS(cuLaunchCooperativeKernel(store, 2, 1, 1, 32, 1, 1, 0, NULL, params),
       CUDA_ERROR_NOT_SUPPORTED);
  GOOD(cuCtxSynchronize());
}

static int of(CUfunction function, CUfunction_attribute attribute) {
  int value = -99;
  cuFuncGetAttribute(&value, attribute, function);
  return value;
}

static void attributes(CUmodule module) {
  CUfunction store = driver_kernel(module, "store");
  CUfunction shared = driver_kernel(module, "shared");
  CUfunction narrow = driver_kernel(module, "narrow");
  size_t offset = 99, size = 99;
  int value;
  tap_ok(of(shared, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 1024 &&
             of(narrow, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 64,
         "threads of a block");
  tap_ok(of(shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) == 1024, "shared");
  tap_ok(of(shared, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES) == 0, "local");
  tap_ok(of(shared, CU_FUNC_ATTRIBUTE_NUM_REGS) > 0, "registers");
  tap_ok(of(shared, CU_FUNC_ATTRIBUTE_PTX_VERSION) == 80, "PTX version");
  tap_ok(of(shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == 48128,
         "dynamic shared memory");
  tap_ok(of(shared, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) == -1,
         "carveout");
  IS(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, shared),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        1000000),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        -1),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_NUM_REGS, 1),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuFuncSetAttribute(
         shared, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101),
     CUDA_ERROR_INVALID_VALUE);
  GOOD(cuFuncGetParamInfo(store, 1, &offset, &size));
  tap_ok(offset == 8 && size == 4, "the second parameter");
  IS(cuFuncGetParamInfo(store, 2, &offset, &size), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuFuncGetParamInfo(store, 0, &offset, NULL));
  IS(cuFuncGetParamInfo(store, 0, NULL, &size), CUDA_ERROR_INVALID_VALUE);
}

static void occupancy(CUmodule module) {
  CUfunction store = driver_kernel(module, "store");
  int blocks = -1, grid = 0, block = 0, sms = 0;
  GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 0));
  tap_is_u64((uint64_t)blocks, 8, "2048 threads are 8 blocks of 256");
  GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 32, 0));
  tap_is_u64((uint64_t)blocks, 32, "never more than 32 blocks");
  IS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 0, 0),
     CUDA_ERROR_INVALID_VALUE);
  GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 1025, 0));
  tap_is_u64((uint64_t)blocks, 0, "no block of 1025");
  GOOD(cuOccupancyMaxPotentialBlockSize(&grid, &block, store, NULL, 0, 0));
  cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
  tap_ok(block == 1024 && grid == 2 * sms, "two blocks of 1024 on each");
  if (!on_simulator())
    return;
  GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 40000));
  tap_is_u64((uint64_t)blocks, 4, "shared memory limits it, too");
}

static void other_context(CUmodule module, CUcontext primary) {
  CUcontext context = NULL;
  CUfunction empty = driver_kernel(module, "empty");
  GOOD(cuCtxCreate(&context, NULL, 0, 0));
  IS(launch(empty, 1, 1, 1, 1, 0, NULL), CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuCtxDestroy(context));
  GOOD(cuCtxSetCurrent(primary));
  GOOD(launch(empty, 1, 1, 1, 1, 0, NULL));
}

static char report_path[] = "/tmp/driver-launch-XXXXXX";

static void report(CUmodule module, CUdeviceptr address) {
  unsigned n = 7;
  void *params[] = {&address, &n};
  char line[2000] = "", want[400];
  fclose(fopen(report_path, "w"));
  GOOD(launch(driver_kernel(module, "store"), 2, 32, 1, 1, 0, params));
  GOOD(cuCtxSynchronize());
  FILE *file = fopen(report_path, "r");
  tap_ok(file != NULL && fgets(line, sizeof line, file) != NULL, "a line");
  snprintf(want, sizeof want,
           "{\"kernel\":\"store\",\"grid\":[2,1,1],\"block\":[32,1,1],"
           "\"seconds\":");
  tap_ok(strncmp(line, want, strlen(want)) == 0, "begins with the launch");
  tap_ok(strstr(line, "\"counters\":{\"global_load_sectors\":0,"
                      "\"global_store_sectors\":8,\"global_load_requests\":0,"
                      "\"global_store_requests\":2,") != NULL,
         "has the sectors of two blocks");
  tap_ok(strstr(line, "\"instructions\":18,\"lane_instructions\":576}") != NULL,
         "has the instructions of two blocks");
  tap_ok(strstr(line, ",\"approximate\":false,\"fault\":null,"
                      "\"diagnoses\":[]}\n") != NULL,
         "ends with nothing to say");
  tap_ok(file != NULL && fgets(line, sizeof line, file) == NULL,
         "there is no other line");
  if (file != NULL)
    fclose(file);
}

int main(void) {
  CUcontext context = NULL;
  CUdeviceptr address = 0;
  int file = mkstemp(report_path);
  setenv("SIM_REPORT", report_path, 1);
  CUmodule module = driver_start(&context);
  cuMemAlloc(&address, 4096);
  shapes(module, address);
  parameters(module, address);
  attributes(module);
  occupancy(module);
  other_context(module, context);
  if (on_simulator())
    report(module, address);
  close(file);
  unlink(report_path);
  return tap_done();
}
