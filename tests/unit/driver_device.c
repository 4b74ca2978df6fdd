/* The one device: what it is called and what it can do. */
#include "driver.h"

static int attribute(CUdevice_attribute which) {
  int value = -1;
  cuDeviceGetAttribute(&value, which, 0);
  return value;
}

static void limits(void) {
  static const struct {
    CUdevice_attribute which;
    int value;
  } fixed[] = {
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
      {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
  };
  for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
    tap_is_u64((uint64_t)attribute(fixed[i].which), (uint64_t)fixed[i].value,
               "attribute %d", (int)fixed[i].which);
  tap_ok(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) > 0,
         "there are multiprocessors");
}

static void refusals(void) {
  int value = 0, unanswered = 0;
  CUdevice device;
  for (int which = 1; which < (int)CU_DEVICE_ATTRIBUTE_MAX; which++)
    unanswered += cuDeviceGetAttribute(&value, (CUdevice_attribute)which, 0) !=
                  CUDA_SUCCESS;
  tap_ok(!on_simulator() || unanswered == 0, "every attribute has an answer");
  IS(cuDeviceGetAttribute(&value, (CUdevice_attribute)0, 0),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuDeviceGetAttribute(&value, (CUdevice_attribute)900, 0),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 77),
     CUDA_ERROR_INVALID_DEVICE);
  IS(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuDeviceGet(&device, 99), CUDA_ERROR_INVALID_DEVICE);
  IS(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  IS(cuDeviceGet(NULL, 0), CUDA_ERROR_INVALID_VALUE);
  IS(cuDeviceGetCount(NULL), CUDA_ERROR_INVALID_VALUE);
}

static void simulator(void) {
  char name[64], little[4] = {'x', 'x', 'x', 'x'};
  int major = 0, minor = -1, count = 0, can = -1;
  size_t bytes = 0;
  CUuuid uuid;
  CUdevice device = -1;
  GOOD(cuDeviceGetCount(&count));
  tap_is_u64((uint64_t)count, 1, "one device");
  GOOD(cuDeviceGet(&device, 0));
  GOOD(cuDeviceGetName(name, sizeof name, device));
  tap_ok(strcmp(name, "simulator") == 0, "its name is simulator");
  GOOD(cuDeviceGetName(little, 4, device));
  tap_ok(memcmp(little, "sim", 4) == 0, "a short buffer gets a short name");
  IS(cuDeviceGetName(little, 0, device), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuDeviceComputeCapability(&major, &minor, device));
  tap_ok(major == 8 && minor == 0, "compute capability 8.0");
  tap_ok(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) == 8 &&
             attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) == 0,
         "the attributes say the same");
  tap_ok(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) ==
             166912,
         "shared memory that can be asked for");
  tap_ok(attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) == 0 &&
             attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 0,
         "what it cannot do is 0");
  GOOD(cuDeviceTotalMem(&bytes, device));
  tap_ok(bytes >= (size_t)1 << 30, "it has memory");
  GOOD(cuDeviceGetUuid(&uuid, device));
  GOOD(cuDeviceCanAccessPeer(&can, device, device));
  GOOD(cuDeviceGetPCIBusId(name, sizeof name, device));
  device = -1;
  GOOD(cuDeviceGetByPCIBusId(&device, name));
  tap_ok(device == 0, "and is found by where it sits");
}

int main(void) {
  cuInit(0);
  limits();
  refusals();
  if (on_simulator())
    simulator();
  return tap_done();
}
