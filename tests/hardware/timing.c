/* How long do the kernels of chapters take on a GPU?
 *
 *   timing FILE.ptx...
 *
 * Each file has a kernel `reduce`. A line each: the file, then the medians in
 * microseconds of 101 launches at the profile size, by the driver's events.
 * "warm": one launch after the other. "cold": before each launch 512 MiB are
 * written, so that nothing of X is left in a cache. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4194304, BLOCK = 256, GRID = N / BLOCK, RUNS = 101, FIRST = 10 };
#define FLUSH ((size_t)512 << 20)

struct bench {
  CUdeviceptr x, partial, flush;
  CUevent start, end;
};

static void must(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *name = NULL;
  cuGetErrorName(result, &name);
  fprintf(stderr, "timing: %s: %s\n", what, name ? name : "unknown error");
  exit(2);
}

static int by_size(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static float median(struct bench *b, CUfunction kernel, int cold) {
  float times[RUNS];
  int n = N;
  void *parameters[] = {&b->x, &b->partial, &n};
  for (int i = -FIRST; i < RUNS; ++i) {
    if (cold)
      must(cuMemsetD32(b->flush, (unsigned)i, FLUSH / 4), "cuMemsetD32");
    must(cuEventRecord(b->start, NULL), "cuEventRecord");
    must(cuLaunchKernel(kernel, GRID, 1, 1, BLOCK, 1, 1, 0, NULL, parameters,
                        NULL),
         "cuLaunchKernel");
    must(cuEventRecord(b->end, NULL), "cuEventRecord");
    must(cuEventSynchronize(b->end), "cuEventSynchronize");
    if (i >= 0)
      must(cuEventElapsedTime(&times[i], b->start, b->end),
           "cuEventElapsedTime");
  }
  qsort(times, RUNS, sizeof times[0], by_size);
  return 1000 * times[RUNS / 2];
}

static struct bench prepare(void) {
  struct bench b;
  CUdevice device;
  CUcontext context;
  must(cuInit(0), "cuInit");
  must(cuDeviceGet(&device, 0), "cuDeviceGet");
  must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  must(cuMemAlloc(&b.x, (size_t)N * 4), "cuMemAlloc");
  must(cuMemAlloc(&b.partial, (size_t)GRID * 4), "cuMemAlloc");
  must(cuMemAlloc(&b.flush, FLUSH), "cuMemAlloc");
  must(cuMemsetD32(b.x, 0x3f8ccccd, N), "cuMemsetD32");
  must(cuEventCreate(&b.start, CU_EVENT_DEFAULT), "cuEventCreate");
  must(cuEventCreate(&b.end, CU_EVENT_DEFAULT), "cuEventCreate");
  return b;
}

int main(int argc, char **argv) {
  struct bench b = prepare();
  printf("file,warm_us,cold_us\n");
  for (int i = 1; i < argc; ++i) {
    CUmodule module;
    CUfunction kernel;
    must(cuModuleLoad(&module, argv[i]), argv[i]);
    must(cuModuleGetFunction(&kernel, module, "reduce"), argv[i]);
    const float warm = median(&b, kernel, 0);
    printf("%s,%.2f,%.2f\n", argv[i], (double)warm,
           (double)median(&b, kernel, 1));
    must(cuModuleUnload(module), "cuModuleUnload");
  }
  return 0;
}
