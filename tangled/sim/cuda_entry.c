/* Finding functions by name and version. */
#include <string.h>

#include "cuda_state.h"

typedef void any_function(void);

struct entry {
  const char *name;
  int since; /* version of CUDA: 1000 x major + 10 x minor */
  any_function *function, *per_thread;
};

#define PASTED(a, b) a##b
#define SUFFIXED(a, b) PASTED(a, b)
#define ENTRY(name, since)                                                     \
  { #name, since, (any_function *)name, (any_function *)name }
#define PER_THREAD(name, since, suffix)                                        \
  { #name, since, (any_function *)name, (any_function *)SUFFIXED(name, suffix) }
#define VERSION(name, since, function)                                         \
  { name, since, (any_function *)function, (any_function *)function }

#define DECLARE(name, suffix) extern __typeof__(name) SUFFIXED(name, suffix)

DECLARE(cuMemAllocAsync, _ptsz);
DECLARE(cuMemFreeAsync, _ptsz);
DECLARE(cuMemcpy, _ptds);
DECLARE(cuMemcpyHtoD, _ptds);
DECLARE(cuMemcpyDtoH, _ptds);
DECLARE(cuMemcpyDtoD, _ptds);
DECLARE(cuMemcpyAsync, _ptsz);
DECLARE(cuMemcpyHtoDAsync, _ptsz);
DECLARE(cuMemcpyDtoHAsync, _ptsz);
DECLARE(cuMemcpyDtoDAsync, _ptsz);
DECLARE(cuMemcpy2D, _ptds);
DECLARE(cuMemcpy2DUnaligned, _ptds);
DECLARE(cuMemcpy2DAsync, _ptsz);
DECLARE(cuMemsetD8, _ptds);
DECLARE(cuMemsetD16, _ptds);
DECLARE(cuMemsetD32, _ptds);
DECLARE(cuMemsetD8Async, _ptsz);
DECLARE(cuMemsetD16Async, _ptsz);
DECLARE(cuMemsetD32Async, _ptsz);
DECLARE(cuStreamSynchronize, _ptsz);
DECLARE(cuStreamQuery, _ptsz);
DECLARE(cuStreamWaitEvent, _ptsz);
DECLARE(cuStreamAddCallback, _ptsz);
DECLARE(cuStreamGetPriority, _ptsz);
DECLARE(cuStreamGetFlags, _ptsz);
DECLARE(cuStreamGetId, _ptsz);
DECLARE(cuStreamGetCtx, _ptsz);
DECLARE(cuStreamGetDevice, _ptsz);
DECLARE(cuStreamIsCapturing, _ptsz);
DECLARE(cuEventRecord, _ptsz);
DECLARE(cuEventRecordWithFlags, _ptsz);
DECLARE(cuLaunchKernel, _ptsz);
DECLARE(cuLaunchKernelEx, _ptsz);
DECLARE(cuLaunchCooperativeKernel, _ptsz);
DECLARE(cuLaunchHostFunc, _ptsz);

static const struct entry entries[] = {
    ENTRY(cuGetErrorName, 6000),
    ENTRY(cuGetErrorString, 6000),
    ENTRY(cuInit, 2000),
    ENTRY(cuDriverGetVersion, 2020),
    ENTRY(cuGetProcAddress, 12000),
    ENTRY(cuGetExportTable, 3000),
    ENTRY(cuDeviceGet, 2000),
    ENTRY(cuDeviceGetCount, 2000),
    ENTRY(cuDeviceGetName, 2000),
    ENTRY(cuDeviceGetUuid, 11040),
    ENTRY(cuDeviceTotalMem, 3020),
    ENTRY(cuDeviceGetAttribute, 2000),
    ENTRY(cuDeviceComputeCapability, 2000),
    ENTRY(cuDeviceCanAccessPeer, 4000),
    ENTRY(cuDeviceGetPCIBusId, 4010),
    ENTRY(cuDeviceGetByPCIBusId, 4010),
    ENTRY(cuDevicePrimaryCtxRetain, 7000),
    ENTRY(cuDevicePrimaryCtxRelease, 11000),
    ENTRY(cuDevicePrimaryCtxReset, 11000),
    ENTRY(cuDevicePrimaryCtxSetFlags, 11000),
    ENTRY(cuDevicePrimaryCtxGetState, 7000),
    VERSION("cuCtxCreate", 3020, cuCtxCreate_v2),
    VERSION("cuCtxCreate", 11040, cuCtxCreate_v3),
    ENTRY(cuCtxCreate, 12050),
    ENTRY(cuCtxDestroy, 4000),
    ENTRY(cuCtxPushCurrent, 4000),
    ENTRY(cuCtxPopCurrent, 4000),
    ENTRY(cuCtxSetCurrent, 4000),
    ENTRY(cuCtxGetCurrent, 4000),
    ENTRY(cuCtxGetDevice, 13000),
    ENTRY(cuCtxGetId, 12000),
    ENTRY(cuCtxGetApiVersion, 3020),
    ENTRY(cuCtxGetFlags, 7000),
    ENTRY(cuCtxSetFlags, 12010),
    ENTRY(cuCtxSynchronize, 13000),
    ENTRY(cuCtxGetLimit, 3010),
    ENTRY(cuCtxSetLimit, 3010),
    ENTRY(cuCtxGetCacheConfig, 3020),
    ENTRY(cuCtxSetCacheConfig, 3020),
    ENTRY(cuCtxGetSharedMemConfig, 4020),
    ENTRY(cuCtxSetSharedMemConfig, 4020),
    ENTRY(cuCtxGetStreamPriorityRange, 5050),
    ENTRY(cuCtxResetPersistingL2Cache, 11000),
    ENTRY(cuModuleLoad, 2000),
    ENTRY(cuModuleLoadData, 2000),
    ENTRY(cuModuleLoadDataEx, 2010),
    ENTRY(cuModuleLoadFatBinary, 2000),
    ENTRY(cuModuleUnload, 2000),
    ENTRY(cuModuleGetFunction, 2000),
    ENTRY(cuModuleGetFunctionCount, 12040),
    ENTRY(cuModuleEnumerateFunctions, 12040),
    ENTRY(cuModuleGetGlobal, 3020),
    ENTRY(cuModuleGetLoadingMode, 11070),
    ENTRY(cuLibraryLoadData, 12000),
    ENTRY(cuLibraryLoadFromFile, 12000),
    ENTRY(cuLibraryUnload, 12000),
    ENTRY(cuLibraryGetKernel, 12000),
    ENTRY(cuLibraryGetKernelCount, 12040),
    ENTRY(cuLibraryEnumerateKernels, 12040),
    ENTRY(cuLibraryGetModule, 12000),
    ENTRY(cuLibraryGetGlobal, 12000),
    ENTRY(cuKernelGetFunction, 12000),
    ENTRY(cuKernelGetName, 12030),
    ENTRY(cuKernelGetLibrary, 12050),
    ENTRY(cuFuncGetAttribute, 2020),
    ENTRY(cuFuncSetAttribute, 9000),
    ENTRY(cuFuncSetCacheConfig, 3000),
    ENTRY(cuFuncSetSharedMemConfig, 4020),
    ENTRY(cuFuncGetModule, 11000),
    ENTRY(cuFuncGetName, 12030),
    ENTRY(cuFuncGetParamInfo, 12040),
    ENTRY(cuFuncIsLoaded, 12040),
    ENTRY(cuFuncLoad, 12040),
    ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050),
    ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000),
    ENTRY(cuOccupancyMaxPotentialBlockSize, 6050),
    ENTRY(cuOccupancyMaxPotentialBlockSizeWithFlags, 7000),
    ENTRY(cuOccupancyAvailableDynamicSMemPerBlock, 10020),
    ENTRY(cuMemGetInfo, 3020),
    ENTRY(cuMemAlloc, 3020),
    ENTRY(cuMemAllocPitch, 3020),
    ENTRY(cuMemFree, 3020),
    PER_THREAD(cuMemAllocAsync, 11020, _ptsz),
    PER_THREAD(cuMemFreeAsync, 11020, _ptsz),
    ENTRY(cuMemAllocManaged, 6000),
    ENTRY(cuMemGetAddressRange, 3020),
    ENTRY(cuPointerGetAttribute, 4000),
    ENTRY(cuMemAllocHost, 3020),
    ENTRY(cuMemHostAlloc, 2020),
    ENTRY(cuMemFreeHost, 2000),
    ENTRY(cuMemHostGetDevicePointer, 3020),
    ENTRY(cuMemHostGetFlags, 2030),
    ENTRY(cuMemHostRegister, 6050),
    ENTRY(cuMemHostUnregister, 4000),
    PER_THREAD(cuMemcpy, 4000, _ptds),
    PER_THREAD(cuMemcpyHtoD, 3020, _ptds),
    PER_THREAD(cuMemcpyDtoH, 3020, _ptds),
    PER_THREAD(cuMemcpyDtoD, 3020, _ptds),
    PER_THREAD(cuMemcpyAsync, 4000, _ptsz),
    PER_THREAD(cuMemcpyHtoDAsync, 3020, _ptsz),
    PER_THREAD(cuMemcpyDtoHAsync, 3020, _ptsz),
    PER_THREAD(cuMemcpyDtoDAsync, 3020, _ptsz),
    PER_THREAD(cuMemcpy2D, 3020, _ptds),
    PER_THREAD(cuMemcpy2DUnaligned, 3020, _ptds),
    PER_THREAD(cuMemcpy2DAsync, 3020, _ptsz),
    PER_THREAD(cuMemsetD8, 3020, _ptds),
    PER_THREAD(cuMemsetD16, 3020, _ptds),
    PER_THREAD(cuMemsetD32, 3020, _ptds),
    PER_THREAD(cuMemsetD8Async, 3020, _ptsz),
    PER_THREAD(cuMemsetD16Async, 3020, _ptsz),
    PER_THREAD(cuMemsetD32Async, 3020, _ptsz),
    ENTRY(cuStreamCreate, 2000),
    ENTRY(cuStreamCreateWithPriority, 5050),
    ENTRY(cuStreamDestroy, 4000),
    PER_THREAD(cuStreamSynchronize, 2000, _ptsz),
    PER_THREAD(cuStreamQuery, 2000, _ptsz),
    PER_THREAD(cuStreamWaitEvent, 3020, _ptsz),
    PER_THREAD(cuStreamAddCallback, 5000, _ptsz),
    PER_THREAD(cuStreamGetPriority, 5050, _ptsz),
    PER_THREAD(cuStreamGetFlags, 5050, _ptsz),
    PER_THREAD(cuStreamGetId, 12000, _ptsz),
    PER_THREAD(cuStreamGetCtx, 12050, _ptsz),
    PER_THREAD(cuStreamGetDevice, 12080, _ptsz),
    PER_THREAD(cuStreamIsCapturing, 10000, _ptsz),
    ENTRY(cuEventCreate, 2000),
    PER_THREAD(cuEventRecord, 2000, _ptsz),
    PER_THREAD(cuEventRecordWithFlags, 11010, _ptsz),
    ENTRY(cuEventQuery, 2000),
    ENTRY(cuEventSynchronize, 2000),
    ENTRY(cuEventDestroy, 4000),
    ENTRY(cuEventElapsedTime, 12080),
    PER_THREAD(cuLaunchKernel, 4000, _ptsz),
    PER_THREAD(cuLaunchKernelEx, 11060, _ptsz),
    PER_THREAD(cuLaunchCooperativeKernel, 9000, _ptsz),
    PER_THREAD(cuLaunchHostFunc, 10000, _ptsz),
    ENTRY(cuProfilerStart, 4000),
    ENTRY(cuProfilerStop, 4000),
};

static const struct entry *find_entry(const char *name, int version,
                                      bool *too_new) {
  const struct entry *best = NULL;
  *too_new = false;
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    if (strcmp(entries[i].name, name) != 0)
      continue;
    if (entries[i].since > version)
      *too_new = true;
    else if (best == NULL || entries[i].since > best->since)
      best = &entries[i];
  }
  return best;
}

static CUdriverProcAddressQueryResult find_function(const char *symbol,
                                                    int version,
                                                    bool per_thread,
                                                    void **function) {
  bool too_new;
  const struct entry *entry = find_entry(symbol, version, &too_new);
  any_function *found;
  *function = NULL;
  if (entry == NULL)
    return too_new ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                   : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  found = per_thread ? entry->per_thread : entry->function;
  memcpy(function, &found, sizeof found);
  return CU_GET_PROC_ADDRESS_SUCCESS;
}

CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **function,
                                  int version, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult *status) {
  const cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM |
                           CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  CUdriverProcAddressQueryResult found;
  if (symbol == NULL || function == NULL || version > CUDA_VERSION ||
      (flags & ~known) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  found = find_function(
      symbol, version,
      (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0, function);
  if (status != NULL)
    *status = found;
  return CUDA_SUCCESS;
}

#undef cuGetProcAddress
CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **function,
                                  int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}

CUresult CUDAAPI cuGetExportTable(const void **table, const CUuuid *id) {
  if (table == NULL || id == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *table = NULL;
  return CUDA_ERROR_NOT_FOUND;
}
