/* The one device: its name, its size and its attributes. */
#include <stdio.h>
#include <string.h>

#include "cuda_device.h"
#include "cuda_state.h"

static const struct attribute {
  CUdevice_attribute attribute;
  int value;
} attributes[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, DEVICE_MAX_THREADS},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, DEVICE_MAX_THREADS},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, DEVICE_MAX_THREADS},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, DEVICE_MAX_BLOCK_Z},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, DEVICE_MAX_GRID_X},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, DEVICE_MAX_GRID_YZ},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, DEVICE_MAX_GRID_YZ},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, LANES},
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, DEVICE_SM_THREADS},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, DEVICE_SM_BLOCKS},
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, DEVICE_SMS},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 8},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, DEVICE_SHARED},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
     DEVICE_SHARED_OPTIN},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
     DEVICE_SHARED_SM},
    {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK,
     DEVICE_SHARED_RESERVED},
    {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536},
    {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, DEVICE_SM_REGISTERS},
    {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, DEVICE_SM_REGISTERS},
    {CU_DEVICE_ATTRIBUTE_MAX_PITCH, 2147483647},
    {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 41943040},
    {CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1410000},        /* kHz */
    {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1215000}, /* kHz */
    {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 5120},
    {CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2},
    {CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 1},
    {CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 1},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
    {CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT},
};

static bool is_device(CUdevice device) { return device == 0; }

CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                                      CUdevice device) {
  CUresult result = driver_leave(driver_enter());
  if (result != CUDA_SUCCESS)
    return result;
  if (value == NULL || (int)attribute < 1 ||
      attribute >= CU_DEVICE_ATTRIBUTE_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(device))
    return CUDA_ERROR_INVALID_DEVICE;
  *value = 0;
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
    if (attributes[i].attribute == attribute)
      *value = attributes[i].value;
  return CUDA_SUCCESS;
}

static CUresult check_device(const void *answer, CUdevice device) {
  CUresult result = driver_leave(driver_enter());
  if (result != CUDA_SUCCESS)
    return result;
  if (answer == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  return is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult CUDAAPI cuDeviceGetCount(int *count) {
  CUresult result = check_device(count, 0);
  if (result == CUDA_SUCCESS)
    *count = 1;
  return result;
}

CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal) {
  CUresult result = check_device(device, ordinal);
  if (result == CUDA_SUCCESS)
    *device = ordinal;
  return result;
}

CUresult CUDAAPI cuDeviceGetName(char *name, int length, CUdevice device) {
  CUresult result = check_device(name, device);
  if (result == CUDA_SUCCESS && length <= 0)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    snprintf(name, (size_t)length, "simulator");
  return result;
}

CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  CUresult result = check_device(uuid, device);
  if (result == CUDA_SUCCESS)
    memcpy(uuid->bytes, "shuffle-ladder-0", sizeof uuid->bytes);
  return result;
}

#undef cuDeviceGetUuid
DRIVER_ALIAS(cuDeviceGetUuid, cuDeviceGetUuid_v2);

CUresult CUDAAPI cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  CUresult result = check_device(bytes, device);
  if (result == CUDA_SUCCESS)
    *bytes = DEVICE_MEMORY;
  return result;
}

CUresult CUDAAPI cuDeviceComputeCapability(int *major, int *minor,
                                           CUdevice device) {
  CUresult result = check_device(major, device);
  if (result == CUDA_SUCCESS && minor == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS)
    return result;
  *major = 8;
  *minor = 0;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceCanAccessPeer(int *can, CUdevice device,
                                       CUdevice peer) {
  CUresult result = check_device(can, device);
  if (result == CUDA_SUCCESS && !is_device(peer))
    result = CUDA_ERROR_INVALID_DEVICE;
  if (result == CUDA_SUCCESS)
    *can = 0;
  return result;
}

CUresult CUDAAPI cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
  CUresult result = check_device(id, device);
  if (result == CUDA_SUCCESS && length < 13)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    snprintf(id, (size_t)length, "0000:00:00.0");
  return result;
}

CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
  CUresult result = check_device(device, 0);
  if (result == CUDA_SUCCESS && id == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && strcmp(id, "0000:00:00.0") != 0)
    result = CUDA_ERROR_INVALID_DEVICE;
  if (result == CUDA_SUCCESS)
    *device = 0;
  return result;
}
