/* A kernel that faults: when it is noticed, what it is called, and that it
 * stays. Each in a process of its own, because it stays. */
#include <stdio.h>

#include "driver.h"

static char errors[] = "/tmp/driver-fault-XXXXXX";
static char report[] = "/tmp/driver-report-XXXXXX";

static CUresult run(CUmodule module, const char *name, void **params) {
  return cuLaunchKernel(driver_kernel(module, name), 1, 1, 1, 1, 1, 1, 0, NULL,
                        params, NULL);
}

static void stays(void) {
  CUcontext context = NULL;
  CUmodule module = driver_start(&context), other;
  CUfunction empty = driver_kernel(module, "empty"), function;
  CUdeviceptr address = 0;
  CUevent event = NULL;
  CUstream stream;
  const CUresult fault = CUDA_ERROR_ILLEGAL_ADDRESS;
  int x = 0;
  size_t bytes;
  cuMemAlloc(&address, 64);
  cuEventCreate(&event, 0);
  GOOD(run(module, "bad", NULL));
  IS(cuCtxSynchronize(), fault);
  IS(cuCtxSynchronize(), fault);
  IS(cuEventQuery(event), fault);
  IS(cuEventRecord(event, NULL), fault);
  IS(cuEventDestroy(event), fault);
  IS(cuStreamQuery(NULL), fault);
  IS(cuStreamCreate(&stream, 0), fault);
  IS(cuMemcpyDtoH(&x, address, 4), fault);
  IS(cuMemcpyHtoDAsync(address, &x, 4, NULL), fault);
  IS(cuMemAlloc(&address, 4), fault);
  IS(cuMemFree(address), fault);
  IS(cuMemFree(0), fault);
  IS(cuMemGetInfo(&bytes, &bytes), fault);
  IS(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), fault);
  IS(cuModuleGetFunction(&function, module, "empty"), fault);
  IS(cuModuleLoadData(&other, driver_ptx), fault);
  IS(cuModuleUnload(module), fault);
  IS(cuFuncGetAttribute(&x, CU_FUNC_ATTRIBUTE_NUM_REGS, empty), fault);
  GOOD(cuCtxGetCurrent(&context));
  GOOD(cuCtxGetDevice(&x));
  GOOD(cuDeviceGetAttribute(&x, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  GOOD(cuCtxSetCurrent(NULL));
  GOOD(cuCtxSetCurrent(context));
  GOOD(cuDevicePrimaryCtxReset(0));
  IS(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  GOOD(cuDevicePrimaryCtxRelease(0));
  IS(cuDevicePrimaryCtxRetain(&context, 0), fault);
  IS(cuCtxCreate(&context, NULL, 0, 0), fault);
}

/* Until a call waits for the device, work can still be put into streams. */
static void queued(void) {
  CUmodule module = driver_start(NULL);
  CUevent event = NULL;
  CUdeviceptr address = 0;
  static unsigned pair[2] = {5, 6};
  cuMemAlloc(&address, 64);
  cuEventCreate(&event, 0);
  CUfunction empty = driver_kernel(module, "empty");
  cuMemsetD32(address, 1, 1);
  GOOD(run(module, "bad", NULL));
  if (on_simulator()) { /* on a GPU it is a question of time */
    GOOD(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    GOOD(cuEventRecord(event, NULL));
    GOOD(cuMemcpyHtoDAsync(address, pair, 4, NULL));
    GOOD(cuMemcpyDtoHAsync(pair + 1, address, 4, NULL));
    tap_is_u64(pair[1], 6, "but is not done");
  }
  IS(cuMemcpyDtoH(pair, address, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
  tap_is_u64(pair[0], 5, "nor is a copy that says so");
  IS(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
     CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void misaligned(void) {
  CUmodule module = driver_start(NULL);
  CUdeviceptr address = 0;
  void *params[] = {&address};
  cuMemAlloc(&address, 64);
  GOOD(run(module, "crooked", params));
  IS(cuStreamSynchronize(NULL), CUDA_ERROR_MISALIGNED_ADDRESS);
  IS(cuMemAlloc(&address, 4), CUDA_ERROR_MISALIGNED_ADDRESS);
}

static void trap(void) {
  CUmodule module = driver_start(NULL);
  GOOD(run(module, "stop", NULL));
  IS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
  IS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
}

static void endless(void) {
  setenv("SIM_LIMIT", "1000", 1);
  CUmodule module = driver_start(NULL);
  GOOD(run(module, "endless", NULL));
  IS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT);
}

static void printed(void) {
  setenv("SIM_REPORT", report, 1);
  CUmodule module = driver_start(NULL);
  GOOD(run(module, "bad", NULL));
  IS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  IS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

static char *slurp(const char *path) {
  static char text[4000];
  FILE *file = fopen(path, "r");
  size_t got = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  text[got] = '\0';
  if (file != NULL)
    fclose(file);
  return text;
}

static void has(const char *text, const char *part, const char *what) {
  if (!tap_ok(strstr(text, part) != NULL, "it says %s", what))
    fprintf(stderr, "expected %s\nin %s\n", part, text);
}

static void texts(void) {
  const char *text;
  driver_apart(printed, errors);
  text = slurp(errors);
  has(text,
      "simulator: kernel bad stopped: illegal address "
      "(CUDA_ERROR_ILLEGAL_ADDRESS)\n  what:  ",
      "what happened");
  has(text, "\n  where: PTX line 25, block (0,0,0), warp 0, lane 0\n  next:  ",
      "where, and what to do");
  tap_ok(strstr(text, "simulator") == text &&
             strstr(text + 1, "simulator: kernel") == NULL,
         "it says so once");
  text = slurp(report);
  has(text,
      "\"fault\":{\"id\":\"out-of-bounds\",\"error\":"
      "\"CUDA_ERROR_ILLEGAL_ADDRESS\",\"ptx_line\":25,\"source\":null,"
      "\"block\":[0,0,0],\"warp\":0,\"lanes\":\"0x00000001\","
      "\"message\":\"",
      "the fault, as JSON");
  has(text, "\"diagnoses\":[{\"id\":\"out-of-bounds\",\"ptx_line\":25,",
      "the diagnosis, as JSON");
  has(text, "\"count\":1,\"message\":\"", "how often");
  has(text, "\"read\":\"chapter ", "where to read");
}

static bool simulated;

static void ask(void) { simulated = on_simulator(); }

/* The parent must not touch the device: a child would inherit that. */
static bool simulator_here(void) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    ask();
    _exit(simulated ? 0 : 1);
  }
  waitpid(child, &status, 0);
  return status == 0;
}

int main(void) {
  bool simulator = simulator_here();
  close(mkstemp(errors));
  close(mkstemp(report));
  driver_apart(stays, errors);
  driver_apart(queued, errors);
  driver_apart(misaligned, errors);
  driver_apart(trap, errors);
  if (simulator) {
    driver_apart(endless, errors);
    texts();
  }
  unlink(errors);
  unlink(report);
  return tap_done();
}
