/* Contexts: the stack of each thread, the primary one, and their settings. */
#include <stdlib.h>

#include "cuda_state.h"

enum {
  STACK_DEPTH = 256,
  CONTEXT_FLAGS = CU_CTX_FLAGS_MASK,
  MAX_STACK = 524288 /* bytes of stack of a device thread */
};

static _Thread_local struct {
  CUcontext at[STACK_DEPTH];
  unsigned depth;
} stack;

CUcontext context_current(void) {
  return stack.depth > 0 ? stack.at[stack.depth - 1] : NULL;
}

static CUresult stack_push(CUcontext context) {
  if (stack.depth == STACK_DEPTH)
    return CUDA_ERROR_OUT_OF_MEMORY;
  stack.at[stack.depth++] = context;
  return CUDA_SUCCESS;
}

static CUcontext context_create(unsigned flags) {
  CUcontext context = calloc(1, sizeof *context);
  if (context == NULL)
    return NULL;
  object_add(&context->object, OBJECT_CONTEXT, NULL);
  context->object.context = context;
  context->alive = true;
  context->flags = flags | CU_CTX_MAP_HOST;
  context->limits[CU_LIMIT_STACK_SIZE] = 1024;
  context->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 8650752;
  context->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8388608;
  context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
  context->limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
  return context;
}

static CUresult create_current(CUcontext *context, unsigned flags,
                               CUdevice device) {
  CUcontext fresh;
  if (context == NULL || (flags & ~(unsigned)CONTEXT_FLAGS) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (device != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  if (driver.fault != CUDA_SUCCESS)
    return driver.fault;
  fresh = context_create(flags);
  if (fresh == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *context = fresh;
  return stack_push(fresh);
}

CUresult CUDAAPI cuCtxCreate(CUcontext *context, CUctxCreateParams *params,
                             unsigned int flags, CUdevice device) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && params != NULL &&
      (params->numExecAffinityParams != 0 || params->cigParams != NULL))
    result = CUDA_ERROR_NOT_SUPPORTED;
  if (result == CUDA_SUCCESS)
    result = create_current(context, flags, device);
  return driver_leave(result);
}

static void context_empty(CUcontext context) {
  object_destroy_all(context);
  context->alive = false;
}

CUresult CUDAAPI cuCtxDestroy(CUcontext context) {
  CUresult result = driver_enter();
  if (result != CUDA_SUCCESS)
    return driver_leave(result);
  if (context == NULL)
    return driver_leave(CUDA_ERROR_INVALID_VALUE);
  if (!object_lives(context, OBJECT_CONTEXT) || !context->alive ||
      context == driver.primary)
    return driver_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (context == context_current())
    stack.depth--;
  context_empty(context);
  return driver_leave(CUDA_SUCCESS);
}

CUresult CUDAAPI cuCtxPushCurrent(CUcontext context) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && context == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = object_lives(context, OBJECT_CONTEXT) ? stack_push(context)
                                                   : CUDA_ERROR_INVALID_CONTEXT;
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxPopCurrent(CUcontext *context) {
  CUresult result = driver_enter();
  CUcontext current = context_current();
  if (result == CUDA_SUCCESS && current == NULL)
    result = CUDA_ERROR_INVALID_CONTEXT;
  if (result == CUDA_SUCCESS) {
    stack.depth--;
    if (context != NULL)
      *context = current;
  }
  return driver_leave(result);
}

static CUresult set_current(CUcontext context) {
  if (context != NULL && !object_lives(context, OBJECT_CONTEXT))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (stack.depth > 0)
    stack.depth--;
  return context != NULL ? stack_push(context) : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetCurrent(CUcontext context) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS)
    result = set_current(context);
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext *context) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && context == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *context = context_current();
  return driver_leave(result);
}

static CUresult primary_retain(CUcontext *context) {
  if (driver.fault != CUDA_SUCCESS)
    return driver.fault;
  if (driver.primary == NULL)
    driver.primary = context_create(driver.primary_flags);
  if (driver.primary == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  driver.primary->alive = true;
  driver.retained++;
  *context = driver.primary;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && context == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && device != 0)
    result = CUDA_ERROR_INVALID_DEVICE;
  if (result == CUDA_SUCCESS)
    result = primary_retain(context);
  return driver_leave(result);
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice device) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && device != 0)
    result = CUDA_ERROR_INVALID_DEVICE;
  if (result == CUDA_SUCCESS && driver.retained == 0)
    result = CUDA_ERROR_INVALID_CONTEXT;
  if (result == CUDA_SUCCESS && --driver.retained == 0)
    context_empty(driver.primary);
  return driver_leave(result);
}

CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice device) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && device != 0)
    result = CUDA_ERROR_INVALID_DEVICE;
  if (result == CUDA_SUCCESS && driver.primary != NULL)
    context_empty(driver.primary);
  return driver_leave(result);
}

CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice device,
                                            unsigned int flags) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && (flags & ~(unsigned)CONTEXT_FLAGS) != 0)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && device != 0)
    result = CUDA_ERROR_INVALID_DEVICE;
  if (result == CUDA_SUCCESS) {
    driver.primary_flags = flags;
    if (driver.primary != NULL)
      driver.primary->flags = flags | CU_CTX_MAP_HOST;
  }
  return driver_leave(result);
}

CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice device,
                                            unsigned int *flags, int *active) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && (flags == NULL || active == NULL))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && device != 0)
    result = CUDA_ERROR_INVALID_DEVICE;
  if (result == CUDA_SUCCESS) {
    *flags = driver.primary_flags;
    *active = driver.primary != NULL && driver.primary->alive;
  }
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice *device) {
  CUresult result = driver_enter_context();
  if (result == CUDA_SUCCESS && device == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *device = 0;
  return driver_leave(result);
}

static CUresult choose_context(CUcontext context, CUcontext *chosen) {
  *chosen = context != NULL ? context : context_current();
  return object_lives(*chosen, OBJECT_CONTEXT) ? CUDA_SUCCESS
                                               : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult CUDAAPI cuCtxGetId(CUcontext context, unsigned long long *id) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && id == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = choose_context(context, &context);
  if (result == CUDA_SUCCESS)
    *id = context->object.id;
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && version == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = choose_context(context, &context);
  if (result == CUDA_SUCCESS)
    *version = 3020; /* since when contexts have been as they are */
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxGetFlags(unsigned int *flags) {
  CUresult result = driver_enter_context();
  if (result == CUDA_SUCCESS && flags == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *flags = context_current()->flags;
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxSetFlags(unsigned int flags) {
  CUresult result = driver_enter_context();
  if (result == CUDA_SUCCESS && (flags & ~(unsigned)CONTEXT_FLAGS) != 0)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    context_current()->flags = flags;
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxSynchronize(void) {
  return driver_leave(driver_enter_device());
}

CUresult CUDAAPI cuCtxResetPersistingL2Cache(void) {
  return driver_leave(driver_enter_device());
}

static CUresult check_limit(CUlimit limit) {
  if ((int)limit < 0 || limit >= CU_LIMIT_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  return limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH ? CUDA_ERROR_UNSUPPORTED_LIMIT
                                                  : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetLimit(size_t *value, CUlimit limit) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS)
    result = value != NULL ? check_limit(limit) : CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *value = context_current()->limits[limit];
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS)
    result = check_limit(limit);
  if (result == CUDA_SUCCESS && limit == CU_LIMIT_STACK_SIZE &&
      value > MAX_STACK)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    context_current()->limits[limit] = value;
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache *config) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && config == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *config = context_current()->cache;
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache config) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    context_current()->cache = config;
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && config == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig config) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS &&
      (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
    result = CUDA_ERROR_INVALID_VALUE;
  return driver_leave(result);
}

CUresult CUDAAPI cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  CUresult result = driver_enter_device();
  if (result != CUDA_SUCCESS)
    return driver_leave(result);
  if (least != NULL)
    *least = 0;
  if (greatest != NULL)
    *greatest = STREAM_PRIORITY_GREATEST;
  return driver_leave(CUDA_SUCCESS);
}

CUresult CUDAAPI cuCtxCreate_v2(CUcontext *context, unsigned int flags,
                                CUdevice device) {
  return cuCtxCreate(context, NULL, flags, device);
}

CUresult CUDAAPI cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *params,
                                int count, unsigned int flags,
                                CUdevice device) {
  CUctxCreateParams all = {.execAffinityParams = params,
                           .numExecAffinityParams = count};
  return cuCtxCreate(context, &all, flags, device);
}

#undef cuCtxDestroy
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
DRIVER_ALIAS(cuCtxDestroy, cuCtxDestroy_v2);
DRIVER_ALIAS(cuCtxPushCurrent, cuCtxPushCurrent_v2);
DRIVER_ALIAS(cuCtxPopCurrent, cuCtxPopCurrent_v2);
DRIVER_ALIAS(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);
DRIVER_ALIAS(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);
DRIVER_ALIAS(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);
