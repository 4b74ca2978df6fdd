/* Functions: attributes, parameters and occupancy. */
#include "cuda_device.h"
#include "cuda_state.h"
#include "shape.h"

static CUresult enter_function(CUfunction function, const void *answer) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && answer == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && !object_lives(function, OBJECT_FUNCTION))
    result = CUDA_ERROR_INVALID_HANDLE;
  return result;
}

static int attribute_value(CUfunction function,
                           CUfunction_attribute attribute) {
  const struct sim_kernel_info *info = &function->info;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    return (int)shape_max_threads(&function->info);
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    return (int)info->shared_bytes;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    return (int)info->local_bytes;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    return info->registers < 255 ? (int)info->registers : 255;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    return (int)info->target;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    return 80;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return (int)function->dynamic_limit;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    return function->carveout;
  default:
    return 0;
  }
}

CUresult CUDAAPI cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                                    CUfunction function) {
  CUresult result = enter_function(function, value);
  if (result == CUDA_SUCCESS && (unsigned)attribute >= CU_FUNC_ATTRIBUTE_MAX)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *value = attribute_value(function, attribute);
  return driver_leave(result);
}

static CUresult set_attribute(CUfunction function,
                              CUfunction_attribute attribute, int value) {
  uint32_t most = DEVICE_SHARED_OPTIN - function->info.shared_bytes;
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    if (value < 0 || (uint32_t)value > most)
      return CUDA_ERROR_INVALID_VALUE;
    function->dynamic_limit = (uint32_t)value;
    return CUDA_SUCCESS;
  }
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
    if (value < CU_SHAREDMEM_CARVEOUT_DEFAULT ||
        value > CU_SHAREDMEM_CARVEOUT_MAX_SHARED)
      return CUDA_ERROR_INVALID_VALUE;
    function->carveout = value;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuFuncSetAttribute(CUfunction function,
                                    CUfunction_attribute attribute, int value) {
  CUresult result = enter_function(function, &function);
  if (result == CUDA_SUCCESS)
    result = set_attribute(function, attribute, value);
  return driver_leave(result);
}

CUresult CUDAAPI cuFuncGetModule(CUmodule *module, CUfunction function) {
  CUresult result = enter_function(function, module);
  if (result == CUDA_SUCCESS)
    *module = function->module;
  return driver_leave(result);
}

CUresult CUDAAPI cuFuncGetName(const char **name, CUfunction function) {
  CUresult result = enter_function(function, name);
  if (result == CUDA_SUCCESS)
    *name = function->info.name;
  return driver_leave(result);
}

CUresult CUDAAPI cuFuncGetParamInfo(CUfunction function, size_t index,
                                    size_t *offset, size_t *size) {
  CUresult result = enter_function(function, offset);
  if (result == CUDA_SUCCESS && index >= function->info.parameter_count)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) {
    *offset = function->info.parameter_offset[index];
    if (size != NULL)
      *size = function->info.parameter_size[index];
  }
  return driver_leave(result);
}

CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction function,
                                      CUfunc_cache config) {
  CUresult result = enter_function(function, &function);
  if (result == CUDA_SUCCESS && (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
    result = CUDA_ERROR_INVALID_VALUE;
  return driver_leave(result);
}

CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction function,
                                          CUsharedconfig config) {
  CUresult result = enter_function(function, &function);
  if (result == CUDA_SUCCESS &&
      (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
    result = CUDA_ERROR_INVALID_VALUE;
  return driver_leave(result);
}

CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState *state,
                                CUfunction function) {
  CUresult result = enter_function(function, state);
  if (result == CUDA_SUCCESS)
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return driver_leave(result);
}

CUresult CUDAAPI cuFuncLoad(CUfunction function) {
  return driver_leave(enter_function(function, &function));
}

static unsigned blocks_that_fit(CUfunction function, unsigned threads,
                                size_t dynamic) {
  unsigned warps = (threads + LANES - 1) / LANES;
  unsigned most = DEVICE_SM_THREADS / LANES / warps;
  size_t shared = function->info.shared_bytes + dynamic;
  if (threads > shape_max_threads(&function->info) ||
      shared > DEVICE_SHARED_OPTIN)
    return 0;
  if (most > DEVICE_SM_BLOCKS)
    most = DEVICE_SM_BLOCKS;
  shared = (shared + DEVICE_SHARED_RESERVED + 127) / 128 * 128;
  return most < DEVICE_SHARED_SM / shared
             ? most
             : (unsigned)(DEVICE_SHARED_SM / shared);
}

CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int block_size, size_t shared_bytes,
    unsigned int flags) {
  CUresult result = enter_function(function, blocks);
  if (result == CUDA_SUCCESS &&
      (block_size <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *blocks =
        (int)blocks_that_fit(function, (unsigned)block_size, shared_bytes);
  return driver_leave(result);
}

CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, CUfunction function, int block_size, size_t shared_bytes) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, block_size, shared_bytes, CU_OCCUPANCY_DEFAULT);
}

static void best_block(CUfunction function, CUoccupancyB2DSize shared_for_block,
                       size_t shared_bytes, unsigned limit, int *grid_size,
                       int *block_size) {
  unsigned best = 0;
  for (unsigned size = limit / LANES * LANES; size > 0; size -= LANES) {
    size_t dynamic =
        shared_for_block != NULL ? shared_for_block((int)size) : shared_bytes;
    unsigned blocks = blocks_that_fit(function, size, dynamic);
    if (blocks * size <= best)
      continue;
    best = blocks * size;
    *block_size = (int)size;
    *grid_size = (int)(blocks * DEVICE_SMS);
  }
}

CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *grid_size, int *block_size, CUfunction function,
    CUoccupancyB2DSize shared_for_block, size_t shared_bytes, int limit,
    unsigned int flags) {
  CUresult result = enter_function(function, grid_size);
  if (result == CUDA_SUCCESS && (block_size == NULL || limit < 0 ||
                                 flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) {
    unsigned most = shape_max_threads(&function->info);
    if (limit > 0 && (unsigned)limit < most)
      most = (unsigned)limit;
    *grid_size = *block_size = 0;
    best_block(function, shared_for_block, shared_bytes, most, grid_size,
               block_size);
  }
  return driver_leave(result);
}

CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(
    int *grid_size, int *block_size, CUfunction function,
    CUoccupancyB2DSize shared_for_block, size_t shared_bytes, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(
      grid_size, block_size, function, shared_for_block, shared_bytes, limit,
      CU_OCCUPANCY_DEFAULT);
}

static size_t shared_left(CUfunction function, unsigned blocks) {
  size_t each = DEVICE_SHARED_SM / blocks / 128 * 128;
  size_t taken = DEVICE_SHARED_RESERVED + function->info.shared_bytes;
  size_t most = DEVICE_SHARED_OPTIN - function->info.shared_bytes;
  if (each < taken)
    return 0;
  return each - taken < most ? each - taken : most;
}

CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                         CUfunction function,
                                                         int blocks,
                                                         int block_size) {
  CUresult result = enter_function(function, bytes);
  if (result == CUDA_SUCCESS && (blocks <= 0 || block_size <= 0))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *bytes = shared_left(function, (unsigned)blocks);
  return driver_leave(result);
}
