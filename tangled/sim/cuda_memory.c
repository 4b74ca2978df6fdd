/* Device memory and pinned host memory. */
#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"
#include "cuda_state.h"

struct allocation *memory_find(CUdeviceptr address) {
  struct object *object = driver.objects[OBJECT_ALLOCATION];
  for (; object != NULL; object = object->next) {
    struct allocation *allocation = (struct allocation *)object;
    if (address - allocation->address < allocation->bytes)
      return allocation;
  }
  return NULL;
}

static CUresult memory_allocate(size_t bytes, struct allocation **result) {
  struct allocation *fresh;
  if (bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (bytes > DEVICE_MEMORY - sim_memory_used(driver.sim))
    return CUDA_ERROR_OUT_OF_MEMORY;
  fresh = calloc(1, sizeof *fresh);
  if (fresh == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  fresh->bytes = bytes;
  fresh->address = sim_allocate(driver.sim, bytes);
  if (fresh->address == 0) {
    free(fresh);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  object_add(&fresh->object, OBJECT_ALLOCATION, context_current());
  *result = fresh;
  return CUDA_SUCCESS;
}

static CUresult allocate_address(CUdeviceptr *address, size_t bytes) {
  struct allocation *fresh;
  CUresult result = memory_allocate(bytes, &fresh);
  if (result == CUDA_SUCCESS)
    *address = fresh->address;
  return result;
}

CUresult CUDAAPI cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && address == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = allocate_address(address, bytes);
  return driver_leave(result);
}

CUresult CUDAAPI cuMemAllocPitch(CUdeviceptr *address, size_t *pitch,
                                 size_t width, size_t height,
                                 unsigned int element_bytes) {
  CUresult result = driver_enter_device();
  size_t row = (width + DEVICE_PITCH - 1) / DEVICE_PITCH * DEVICE_PITCH;
  if (result != CUDA_SUCCESS)
    return driver_leave(result);
  if (address == NULL || pitch == NULL || width == 0 || height == 0 ||
      (element_bytes != 4 && element_bytes != 8 && element_bytes != 16))
    return driver_leave(CUDA_ERROR_INVALID_VALUE);
  if (row < width || height > DEVICE_MEMORY / row)
    return driver_leave(CUDA_ERROR_OUT_OF_MEMORY);
  result = allocate_address(address, row * height);
  if (result == CUDA_SUCCESS)
    *pitch = row;
  return driver_leave(result);
}

static CUresult memory_free(CUdeviceptr address) {
  struct allocation *allocation = memory_find(address);
  if (address == 0)
    return CUDA_SUCCESS;
  if (allocation == NULL || allocation->address != address ||
      allocation->pinned)
    return CUDA_ERROR_INVALID_VALUE;
  object_destroy(&allocation->object);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemFree(CUdeviceptr address) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && driver.fault != CUDA_SUCCESS) {
    driver.fault_seen = true;
    result = driver.fault;
  }
  if (result == CUDA_SUCCESS)
    result = memory_free(address);
  return driver_leave(result);
}

CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr *address, size_t bytes,
                                 CUstream stream) {
  bool stalled;
  CUresult result = driver_enter_queue(stream, &stalled);
  if (result == CUDA_SUCCESS && address == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && bytes == 0)
    *address = 0;
  else if (result == CUDA_SUCCESS)
    result = allocate_address(address, bytes);
  return driver_leave(result);
}

CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  bool stalled;
  CUresult result = driver_enter_queue(stream, &stalled);
  if (result == CUDA_SUCCESS)
    result = memory_free(address);
  return driver_leave(result);
}

CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr *address, size_t bytes,
                                   unsigned int flags) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS &&
      (address == NULL || bytes == 0 ||
       (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = CUDA_ERROR_NOT_SUPPORTED;
  return driver_leave(result);
}

enum {
  PINNED_FLAGS = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP |
                 CU_MEMHOSTALLOC_WRITECOMBINED
};

static CUresult allocate_pinned(void **host, size_t bytes, unsigned flags) {
  struct allocation *fresh;
  CUresult result = memory_allocate(bytes, &fresh);
  if (result != CUDA_SUCCESS)
    return result;
  fresh->pinned = true;
  fresh->flags = flags | CU_MEMHOSTALLOC_DEVICEMAP;
  driver.pinned += bytes;
  *host = sim_host(driver.sim, fresh->address, bytes);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemHostAlloc(void **host, size_t bytes, unsigned int flags) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS &&
      (host == NULL || (flags & ~(unsigned)PINNED_FLAGS) != 0))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && bytes == 0)
    *host = NULL;
  else if (result == CUDA_SUCCESS)
    result = allocate_pinned(host, bytes, flags);
  return driver_leave(result);
}

CUresult CUDAAPI cuMemAllocHost(void **host, size_t bytes) {
  return cuMemHostAlloc(host, bytes, 0);
}

static struct allocation *find_pinned(const void *host) {
  struct object *object = driver.objects[OBJECT_ALLOCATION];
  for (; object != NULL; object = object->next) {
    struct allocation *allocation = (struct allocation *)object;
    if (allocation->pinned &&
        sim_host(driver.sim, allocation->address, 1) == host)
      return allocation;
  }
  return NULL;
}

CUresult CUDAAPI cuMemFreeHost(void *host) {
  CUresult result = driver_enter_device();
  struct allocation *allocation = NULL;
  if (result == CUDA_SUCCESS && host != NULL) {
    allocation = find_pinned(host);
    result = allocation != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
  if (allocation != NULL)
    object_destroy(&allocation->object);
  return driver_leave(result);
}

CUresult CUDAAPI cuMemHostGetDevicePointer(CUdeviceptr *address, void *host,
                                           unsigned int flags) {
  CUresult result = driver_enter_device();
  struct allocation *allocation = NULL;
  if (result == CUDA_SUCCESS)
    allocation = find_pinned(host);
  if (result == CUDA_SUCCESS &&
      (address == NULL || flags != 0 || allocation == NULL))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *address = allocation->address;
  return driver_leave(result);
}

CUresult CUDAAPI cuMemHostGetFlags(unsigned int *flags, void *host) {
  CUresult result = driver_enter_device();
  struct allocation *allocation = NULL;
  if (result == CUDA_SUCCESS)
    allocation = find_pinned(host);
  if (result == CUDA_SUCCESS && (flags == NULL || allocation == NULL))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *flags = allocation->flags;
  return driver_leave(result);
}

CUresult CUDAAPI cuMemHostRegister(void *host, size_t bytes,
                                   unsigned int flags) {
  CUresult result = driver_enter_device();
  (void)flags;
  if (result == CUDA_SUCCESS)
    result = host == NULL || bytes == 0 ? CUDA_ERROR_INVALID_VALUE
                                        : CUDA_ERROR_NOT_SUPPORTED;
  return driver_leave(result);
}

CUresult CUDAAPI cuMemHostUnregister(void *host) {
  CUresult result = driver_enter_device();
  (void)host;
  if (result == CUDA_SUCCESS)
    result = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  return driver_leave(result);
}

CUresult CUDAAPI cuMemGetInfo(size_t *available, size_t *total) {
  CUresult result = driver_enter_device();
  if (result != CUDA_SUCCESS)
    return driver_leave(result);
  if (available != NULL)
    *available = DEVICE_MEMORY - sim_memory_used(driver.sim) + driver.pinned;
  if (total != NULL)
    *total = DEVICE_MEMORY;
  return driver_leave(CUDA_SUCCESS);
}

CUresult CUDAAPI cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes,
                                      CUdeviceptr address) {
  CUresult result = driver_enter_device();
  const struct allocation *found = NULL;
  if (result == CUDA_SUCCESS) {
    found = memory_find(address);
    result = found != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  }
  if (found != NULL && base != NULL)
    *base = found->address;
  if (found != NULL && bytes != NULL)
    *bytes = found->bytes;
  return driver_leave(result);
}

static CUresult pointer_answer(void *value, CUpointer_attribute attribute,
                               CUdeviceptr address) {
  const struct allocation *found = memory_find(address);
  uint64_t start, size;
  if (value == NULL || !sim_range(driver.sim, address, &start, &size))
    return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *(unsigned *)value = found != NULL && found->pinned ? CU_MEMORYTYPE_HOST
                                                        : CU_MEMORYTYPE_DEVICE;
    break;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *(bool *)value = false;
    break;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *(int *)value = 0;
    break;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    *(unsigned long long *)value = found != NULL ? found->object.id : 0;
    break;
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    *(CUcontext *)value =
        found != NULL ? found->object.context : context_current();
    break;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *(CUdeviceptr *)value = address;
    break;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    *(CUdeviceptr *)value = start;
    break;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    *(size_t *)value = size;
    break;
  default:
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuPointerGetAttribute(void *value,
                                       CUpointer_attribute attribute,
                                       CUdeviceptr address) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS)
    result = pointer_answer(value, attribute, address);
  return driver_leave(result);
}

DRIVER_PTSZ(cuMemAllocAsync);
DRIVER_PTSZ(cuMemFreeAsync);
