/* Device memory, pinned memory, copies and filling. */
#include "driver.h"

static void allocation(void) {
  CUdeviceptr address = 0, other = 0, base = 0;
  size_t available = 0, total = 0, size = 0;
  GOOD(cuMemAlloc(&address, 1000));
  tap_ok(address % 256 == 0, "an allocation is aligned");
  GOOD(cuMemAlloc(&other, 1));
  tap_ok(other >= address + 1000 || other + 1 <= address, "and its own");
  IS(cuMemAlloc(&other, 0), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemAlloc(NULL, 4), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemAlloc(&other, (size_t)1 << 60), CUDA_ERROR_OUT_OF_MEMORY);
  IS(cuMemAlloc(&other, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
  GOOD(cuMemGetAddressRange(&base, &size, address + 4));
  tap_ok(base == address && size == 1000, "the range around an address");
  IS(cuMemGetAddressRange(&base, &size, 0), CUDA_ERROR_NOT_FOUND);
  GOOD(cuMemGetAddressRange(NULL, NULL, address));
  GOOD(cuMemGetInfo(&available, &total));
  tap_ok(available <= total && available > 0, "some memory is left");
  GOOD(cuMemGetInfo(NULL, NULL));
  GOOD(cuMemFree(0));
  IS(cuMemFree(address + 4), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemFree(12345), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemFree(address));
  IS(cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
}

static void rows(void) {
  CUdeviceptr address = 0, none;
  size_t pitch = 0, size;
  unsigned char in[12], out[12] = {0};
  GOOD(cuMemAllocPitch(&address, &pitch, 100, 4, 4));
  tap_is_u64(pitch, 512, "rows are 512 bytes apart");
  IS(cuMemAllocPitch(&none, &size, 100, 4, 3), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemAllocPitch(&none, &size, 0, 4, 4), CUDA_ERROR_INVALID_VALUE);
  for (unsigned i = 0; i < sizeof in; i++)
    in[i] = (unsigned char)(i + 1);
  CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = in,
                        .srcPitch = 4,
                        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                        .dstDevice = address,
                        .dstPitch = pitch,
                        .WidthInBytes = 4,
                        .Height = 3};
  GOOD(cuMemcpy2D(&copy));
  CUDA_MEMCPY2D back = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                        .srcDevice = address,
                        .srcPitch = pitch,
                        .srcXInBytes = 1,
                        .srcY = 1,
                        .dstMemoryType = CU_MEMORYTYPE_HOST,
                        .dstHost = out,
                        .dstPitch = 3,
                        .WidthInBytes = 2,
                        .Height = 2};
  GOOD(cuMemcpy2D(&back));
  tap_ok(out[0] == 6 && out[1] == 7 && out[2] == 0 && out[3] == 10 &&
             out[4] == 11 && out[5] == 0,
         "a rectangle out of the middle");
  back.dstPitch = 1;
  IS(cuMemcpy2D(&back), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemFree(address));
}

static void copies(void) {
  unsigned in[4] = {1, 2, 3, 4}, out[4] = {0};
  CUdeviceptr a = 0, b = 0;
  cuMemAlloc(&a, sizeof in);
  cuMemAlloc(&b, sizeof in);
  GOOD(cuMemcpyHtoD(a, in, sizeof in));
  GOOD(cuMemcpyDtoD(b, a, sizeof in));
  GOOD(cuMemcpyDtoH(out, b, sizeof in));
  tap_ok(memcmp(in, out, sizeof in) == 0, "there, across, and back");
  GOOD(cuMemcpyDtoH(out, b + 8, 4));
  tap_is_u64(out[0], 3, "from the middle");
  GOOD(cuMemcpy((CUdeviceptr)(uintptr_t)out, b + 12, 4));
  tap_is_u64(out[0], 4, "when the address decides");
  GOOD(cuMemcpyHtoDAsync(a, in + 1, 4, NULL));
  GOOD(cuMemcpyDtoDAsync(b, a, 4, CU_STREAM_LEGACY));
  GOOD(cuMemcpyDtoHAsync(out, b, 4, CU_STREAM_PER_THREAD));
  GOOD(cuCtxSynchronize());
  tap_is_u64(out[0], 2, "in streams");
  GOOD(cuMemcpyHtoD(a, in, 0));
  IS(cuMemcpyHtoD(a, NULL, 4), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemcpyHtoD(12345, in, 4), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemcpyHtoD(0, in, 4), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemcpyDtoH(out, 12345, 4), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemcpyHtoD(a, in, sizeof in + 1), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemcpyDtoH(out, a + 4, sizeof in), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemcpyDtoD(a, b, sizeof in + 1), CUDA_ERROR_INVALID_VALUE);
  cuMemFree(a);
  cuMemFree(b);
}

static void filling(void) {
  unsigned out[4] = {0};
  CUdeviceptr a = 0;
  cuMemAlloc(&a, sizeof out);
  GOOD(cuMemsetD32(a, 0x01020304, 4));
  GOOD(cuMemsetD16(a + 2, 0xabcd, 1));
  GOOD(cuMemsetD8(a + 5, 0xee, 2));
  GOOD(cuMemsetD32Async(a + 12, 7, 1, NULL));
  GOOD(cuMemcpyDtoH(out, a, sizeof out));
  tap_is_u64(out[0], 0xabcd0304, "two bytes");
  tap_is_u64(out[1], 0x01eeee04, "single bytes");
  tap_is_u64(out[2], 0x01020304, "four bytes");
  tap_is_u64(out[3], 7, "four bytes in a stream");
  IS(cuMemsetD32(a + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemsetD32(a + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemsetD16(a + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemsetD32(a, 0, 0));
  IS(cuMemsetD32(12344, 0, 1), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemsetD32(0, 0, 1), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemsetD32(a, 0, 5), CUDA_ERROR_INVALID_VALUE);
  if (on_simulator())
    IS(cuMemsetD32(a, 0, SIZE_MAX), CUDA_ERROR_INVALID_VALUE);
  cuMemFree(a);
}

static void pinned(void) {
  void *host = NULL;
  unsigned *numbers, flags = 0, nothing;
  CUdeviceptr seen = 0, copy = 0;
  GOOD(cuMemAllocHost(&host, 0));
  GOOD(cuMemAllocHost(&host, 16));
  numbers = host;
  numbers[3] = 42;
  GOOD(cuMemHostGetDevicePointer(&seen, host, 0));
  cuMemAlloc(&copy, 16);
  GOOD(cuMemcpyDtoD(copy, seen, 16));
  numbers[3] = 0;
  GOOD(cuMemcpyDtoH(host, copy, 16));
  tap_is_u64(numbers[3], 42, "the device sees pinned memory");
  IS(cuMemHostGetDevicePointer(&seen, &nothing, 0), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemHostGetDevicePointer(&seen, host, 1), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemFreeHost(host));
  GOOD(cuMemFreeHost(NULL));
  IS(cuMemFreeHost(&nothing), CUDA_ERROR_INVALID_VALUE);
  IS(cuMemHostAlloc(&host, 16, 0x80), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemHostAlloc(&host, 16, CU_MEMHOSTALLOC_PORTABLE));
  GOOD(cuMemHostGetFlags(&flags, host));
  tap_ok((flags & CU_MEMHOSTALLOC_PORTABLE) != 0, "its flags");
  GOOD(cuMemFreeHost(host));
  IS(cuMemAllocManaged(&copy, 16, 0), CUDA_ERROR_INVALID_VALUE);
  if (on_simulator())
    IS(cuMemAllocManaged(&copy, 16, CU_MEM_ATTACH_GLOBAL),
       CUDA_ERROR_NOT_SUPPORTED);
}

static void pointers(void) {
  CUdeviceptr a = 0, start = 0;
  CUmemorytype type = (CUmemorytype)0;
  int nothing = 0;
  cuMemAlloc(&a, 64);
  GOOD(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
  tap_ok(type == CU_MEMORYTYPE_DEVICE, "device memory");
  GOOD(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                             a + 5));
  tap_ok(start == a, "where it starts");
  IS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                           (CUdeviceptr)(uintptr_t)&nothing),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0),
     CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemFreeAsync(a, NULL));
  GOOD(cuMemAllocAsync(&a, 64, NULL));
  GOOD(cuMemFree(a));
}

int main(void) {
  driver_start(NULL);
  allocation();
  rows();
  copies();
  filling();
  pinned();
  pointers();
  return tap_done();
}
