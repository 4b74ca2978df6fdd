/* Copies between host and device memory, and filling. */
#include <string.h>

#include "cuda_state.h"

enum side { SIDE_HOST, SIDE_DEVICE, SIDE_EITHER };

struct end {
  enum side side;
  uint64_t address; /* of the device, or of the host as a number */
};

static struct end host_end(const void *host) {
  return (struct end){SIDE_HOST, (uint64_t)(uintptr_t)host};
}

static struct end device_end(CUdeviceptr address) {
  return (struct end){SIDE_DEVICE, address};
}

static unsigned char *end_bytes(struct end end, size_t bytes) {
  uint64_t base, size;
  bool device = end.side == SIDE_DEVICE ||
                (end.side == SIDE_EITHER &&
                 sim_range(driver.sim, end.address, &base, &size));
  return device ? sim_host(driver.sim, end.address, bytes)
                : (unsigned char *)(uintptr_t)end.address;
}

static CUresult copy(struct end to, struct end from, size_t bytes) {
  unsigned char *target, *source;
  if (bytes == 0)
    return CUDA_SUCCESS;
  target = end_bytes(to, bytes);
  source = end_bytes(from, bytes);
  if (target == NULL || source == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  memmove(target, source, bytes);
  return CUDA_SUCCESS;
}

static CUresult copy_now(struct end to, struct end from, size_t bytes) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS)
    result = copy(to, from, bytes);
  return driver_leave(result);
}

static CUresult copy_queued(struct end to, struct end from, size_t bytes,
                            CUstream stream) {
  bool stalled;
  CUresult result = driver_enter_queue(stream, &stalled);
  if (result == CUDA_SUCCESS && !stalled)
    result = copy(to, from, bytes);
  return driver_leave(result);
}

CUresult CUDAAPI cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  return copy_now(device_end(to), host_end(from), bytes);
}

CUresult CUDAAPI cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  return copy_now(host_end(to), device_end(from), bytes);
}

CUresult CUDAAPI cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_now(device_end(to), device_end(from), bytes);
}

CUresult CUDAAPI cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copy_now((struct end){SIDE_EITHER, to},
                  (struct end){SIDE_EITHER, from}, bytes);
}

CUresult CUDAAPI cuMemcpyHtoDAsync(CUdeviceptr to, const void *from,
                                   size_t bytes, CUstream stream) {
  return copy_queued(device_end(to), host_end(from), bytes, stream);
}

CUresult CUDAAPI cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes,
                                   CUstream stream) {
  return copy_queued(host_end(to), device_end(from), bytes, stream);
}

CUresult CUDAAPI cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from,
                                   size_t bytes, CUstream stream) {
  return copy_queued(device_end(to), device_end(from), bytes, stream);
}

CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                               CUstream stream) {
  return copy_queued((struct end){SIDE_EITHER, to},
                     (struct end){SIDE_EITHER, from}, bytes, stream);
}

static bool rows_end(CUmemorytype type, const void *host, CUdeviceptr address,
                     struct end *end) {
  if (type == CU_MEMORYTYPE_HOST)
    *end = host_end(host);
  else if (type == CU_MEMORYTYPE_DEVICE)
    *end = device_end(address);
  else
    *end = (struct end){SIDE_EITHER, address};
  return type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_DEVICE ||
         type == CU_MEMORYTYPE_UNIFIED;
}

struct rows {
  struct end to, from;
  size_t to_pitch, from_pitch, width, height;
};

static CUresult rows_read(const CUDA_MEMCPY2D *copy, struct rows *rows) {
  if (copy == NULL ||
      !rows_end(copy->srcMemoryType, copy->srcHost, copy->srcDevice,
                &rows->from) ||
      !rows_end(copy->dstMemoryType, copy->dstHost, copy->dstDevice, &rows->to))
    return CUDA_ERROR_INVALID_VALUE;
  rows->width = copy->WidthInBytes;
  rows->height = copy->Height;
  rows->from_pitch = copy->srcPitch != 0 ? copy->srcPitch : rows->width;
  rows->to_pitch = copy->dstPitch != 0 ? copy->dstPitch : rows->width;
  if (rows->from_pitch < copy->srcXInBytes + rows->width ||
      rows->to_pitch < copy->dstXInBytes + rows->width)
    return CUDA_ERROR_INVALID_VALUE;
  rows->from.address += copy->srcY * rows->from_pitch + copy->srcXInBytes;
  rows->to.address += copy->dstY * rows->to_pitch + copy->dstXInBytes;
  return CUDA_SUCCESS;
}

static CUresult copy_rows(const struct rows *rows) {
  struct end to = rows->to, from = rows->from;
  CUresult result = CUDA_SUCCESS;
  for (size_t y = 0; y < rows->height && result == CUDA_SUCCESS; y++) {
    result = copy(to, from, rows->width);
    to.address += rows->to_pitch;
    from.address += rows->from_pitch;
  }
  return result;
}

CUresult CUDAAPI cuMemcpy2D(const CUDA_MEMCPY2D *copy) {
  struct rows rows;
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS)
    result = rows_read(copy, &rows);
  if (result == CUDA_SUCCESS)
    result = copy_rows(&rows);
  return driver_leave(result);
}

CUresult CUDAAPI cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  struct rows rows;
  bool stalled;
  CUresult result = driver_enter_queue(stream, &stalled);
  if (result == CUDA_SUCCESS)
    result = rows_read(copy, &rows);
  if (result == CUDA_SUCCESS && !stalled)
    result = copy_rows(&rows);
  return driver_leave(result);
}

static CUresult fill(CUdeviceptr to, const void *value, size_t size,
                     size_t count) {
  unsigned char *target;
  if (to % size != 0 || count > SIZE_MAX / size)
    return CUDA_ERROR_INVALID_VALUE;
  if (count == 0)
    return CUDA_SUCCESS;
  target = sim_host(driver.sim, to, size * count);
  if (target == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; i++)
    memcpy(target + i * size, value, size);
  return CUDA_SUCCESS;
}

static CUresult fill_now(CUdeviceptr to, const void *value, size_t size,
                         size_t count) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS)
    result = fill(to, value, size, count);
  return driver_leave(result);
}

static CUresult fill_queued(CUdeviceptr to, const void *value, size_t size,
                            size_t count, CUstream stream) {
  bool stalled;
  CUresult result = driver_enter_queue(stream, &stalled);
  if (result == CUDA_SUCCESS && !stalled)
    result = fill(to, value, size, count);
  return driver_leave(result);
}

CUresult CUDAAPI cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return fill_now(to, &value, sizeof value, count);
}

CUresult CUDAAPI cuMemsetD16(CUdeviceptr to, unsigned short value,
                             size_t count) {
  return fill_now(to, &value, sizeof value, count);
}

CUresult CUDAAPI cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
  return fill_now(to, &value, sizeof value, count);
}

CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr to, unsigned char value,
                                 size_t count, CUstream stream) {
  return fill_queued(to, &value, sizeof value, count, stream);
}

CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr to, unsigned short value,
                                  size_t count, CUstream stream) {
  return fill_queued(to, &value, sizeof value, count, stream);
}

CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr to, unsigned int value,
                                  size_t count, CUstream stream) {
  return fill_queued(to, &value, sizeof value, count, stream);
}

CUresult CUDAAPI cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *rows) {
  return cuMemcpy2D(rows);
}

DRIVER_PTDS(cuMemcpyHtoD_v2);
DRIVER_PTDS(cuMemcpyDtoH_v2);
DRIVER_PTDS(cuMemcpyDtoD_v2);
DRIVER_PTDS(cuMemcpy);
DRIVER_PTDS(cuMemcpy2D_v2);
DRIVER_PTDS(cuMemcpy2DUnaligned_v2);
DRIVER_PTDS(cuMemsetD8_v2);
DRIVER_PTDS(cuMemsetD16_v2);
DRIVER_PTDS(cuMemsetD32_v2);
DRIVER_PTSZ(cuMemcpyHtoDAsync_v2);
DRIVER_PTSZ(cuMemcpyDtoHAsync_v2);
DRIVER_PTSZ(cuMemcpyDtoDAsync_v2);
DRIVER_PTSZ(cuMemcpyAsync);
DRIVER_PTSZ(cuMemcpy2DAsync_v2);
DRIVER_PTSZ(cuMemsetD8Async);
DRIVER_PTSZ(cuMemsetD16Async);
DRIVER_PTSZ(cuMemsetD32Async);
