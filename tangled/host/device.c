/* Everything that talks to the driver: load a kernel, run it once. */
#include "device.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "file.h"

__attribute__((format(printf, 2, 3))) static bool
fail(struct device *device, const char *format, ...) {
  const size_t used = strlen(device->problem);
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(device->problem + used, sizeof device->problem - used, format,
                  arguments);
  va_end(arguments);
  return false;
}

static bool check(struct device *device, CUresult result, const char *call) {
  const char *name = NULL, *meaning = NULL;
  if (result == CUDA_SUCCESS)
    return true;
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
    name = "an error without a name";
  if (cuGetErrorString(result, &meaning) != CUDA_SUCCESS || !meaning)
    meaning = "the driver has no words for it";
  return fail(device, "%s: %s (%d): %s\n", call, name, (int)result, meaning);
}

static bool start_driver(struct device *device) {
  int count = 0;
  if (!check(device, cuInit(0), "cuInit") ||
      !check(device, cuDriverGetVersion(&device->driver),
             "cuDriverGetVersion") ||
      !check(device, cuDeviceGetCount(&count), "cuDeviceGetCount"))
    return fail(device, "No GPU answers. DEVICE=sim runs the simulator.\n");
  if (count == 0)
    return fail(device, "The driver sees no GPU. DEVICE=sim runs the "
                        "simulator; CUDA_VISIBLE_DEVICES may hide one.\n");
  return true;
}

static bool take_device(struct device *d) {
  int major = 0, minor = 0;
  if (!check(d, cuDeviceGet(&d->device, 0), "cuDeviceGet") ||
      !check(d, cuDeviceGetName(d->name, sizeof d->name, d->device),
             "cuDeviceGetName") ||
      !check(d,
             cuDeviceGetAttribute(&major,
                                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                  d->device),
             "cuDeviceGetAttribute") ||
      !check(d,
             cuDeviceGetAttribute(&minor,
                                  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                  d->device),
             "cuDeviceGetAttribute"))
    return false;
  d->arch = 10 * major + minor;
  d->opened = check(d, cuDevicePrimaryCtxRetain(&d->context, d->device),
                    "cuDevicePrimaryCtxRetain");
  return d->opened && check(d, cuCtxSetCurrent(d->context), "cuCtxSetCurrent");
}

static bool say_too_new(struct device *device, const char *ptx) {
  int major = 0, minor = 0;
  const char *version = strstr(ptx, ".version ");
  if (version)
    (void)sscanf(version, ".version %d.%d", &major, &minor);
  return fail(device,
              "The PTX is version %d.%d; it needs a driver for CUDA %d.%d, and "
              "this driver is for CUDA %d.%d.\nWhat to do: update the driver; "
              "or compile with an nvcc no newer than the driver; or run with "
              "DEVICE=sim.\n",
              major, minor, major + 4, minor, device->driver / 1000,
              device->driver % 1000 / 10);
}

static bool explain_module(struct device *device, CUresult result,
                           const char *ptx) {
  int target = 0;
  const char *line = strstr(ptx, ".target sm_");
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    return say_too_new(device, ptx);
  if (line)
    (void)sscanf(line, ".target sm_%d", &target);
  if (target > device->arch)
    return fail(device,
                "The PTX is for compute capability %d.%d and newer; this "
                "device has %d.%d. ARCH=compute_%d compiles for it.\n",
                target / 10, target % 10, device->arch / 10, device->arch % 10,
                device->arch);
  return false;
}

static bool load_module(struct device *device, const char *ptx) {
  char log[2048] = "";
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER,
                          CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  const CUresult result =
      cuModuleLoadDataEx(&device->module, ptx, 2, names, values);
  if (check(device, result, "cuModuleLoadDataEx"))
    return true;
  device->module = NULL;
  log[sizeof log - 1] = '\0';
  if (*log != '\0')
    (void)fail(device, "the compiler of the driver says:\n%s\n", log);
  return explain_module(device, result, ptx);
}

bool device_open(struct device *device, const char *ptx_path,
                 const char *kernel, int min_arch) {
  *device = (struct device){0};
  if (!start_driver(device) || !take_device(device))
    return false;
  if (device->arch < min_arch)
    return fail(device,
                "%s has compute capability %d.%d; this chapter needs %d.%d.\n",
                device->name, device->arch / 10, device->arch % 10,
                min_arch / 10, min_arch % 10);
  char *ptx = file_read(ptx_path, 0);
  if (!ptx)
    return fail(device, "%s: %s\n", ptx_path, strerror(errno));
  const bool loaded = load_module(device, ptx);
  free(ptx);
  return loaded &&
         (check(device,
                cuModuleGetFunction(&device->kernel, device->module, kernel),
                "cuModuleGetFunction") ||
          fail(device, "%s has no kernel named %s.\n", ptx_path, kernel));
}

bool device_prepare(struct device *d, const float *x, size_t n, size_t blocks) {
  const size_t words = blocks + DEVICE_GUARD;
  return check(d, cuMemAlloc(&d->x, n * sizeof(float)), "cuMemAlloc of X") &&
         check(d, cuMemAlloc(&d->partial, words * sizeof(float)),
               "cuMemAlloc of partial") &&
         check(d, cuMemcpyHtoD(d->x, x, n * sizeof(float)), "cuMemcpyHtoD") &&
         check(d, cuMemsetD32(d->partial, DEVICE_POISON, words),
               "cuMemsetD32") &&
         check(d, cuCtxSynchronize(), "cuCtxSynchronize");
}

static double seconds_now(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool device_launch(struct device *device, size_t n, size_t blocks,
                   unsigned block, struct device_run *run) {
  int count = (int)n;
  void *parameters[] = {&device->x, &device->partial, &count};
  const double start = seconds_now();
  const bool ended =
      check(device,
            cuLaunchKernel(device->kernel, (unsigned)blocks, 1, 1, block, 1, 1,
                           0, NULL, parameters, NULL),
            "cuLaunchKernel") &&
      check(device, cuCtxSynchronize(), "cuCtxSynchronize");
  run->seconds = seconds_now() - start;
  return ended;
}

enum { PIECE = 1 << 14 };

static bool compare_input(struct device *device, const float *x, size_t n,
                          bool *intact) {
  float piece[PIECE];
  *intact = true;
  for (size_t i = 0; i < n; i += PIECE) {
    const size_t bytes = (n - i < PIECE ? n - i : PIECE) * sizeof *piece;
    if (!check(device,
               cuMemcpyDtoH(piece, device->x + i * sizeof *piece, bytes),
               "cuMemcpyDtoH of X"))
      return false;
    if (memcmp(piece, x + i, bytes) != 0)
      *intact = false;
  }
  return true;
}

bool device_fetch(struct device *device, const float *x, size_t n,
                  size_t blocks, struct device_run *run) {
  const size_t bytes = (blocks + DEVICE_GUARD) * sizeof *run->partial;
  if (!check(device, cuMemcpyDtoH(run->partial, device->partial, bytes),
             "cuMemcpyDtoH of partial"))
    return false;
  run->guard_hits = 0;
  for (size_t i = blocks; i < blocks + DEVICE_GUARD; ++i) {
    uint32_t word;
    memcpy(&word, run->partial + i, sizeof word);
    run->guard_hits += word != DEVICE_POISON;
  }
  return compare_input(device, x, n, &run->input_intact);
}

bool device_close(struct device *d) {
  bool good = true;
  if (d->x)
    good = check(d, cuMemFree(d->x), "cuMemFree of X") && good;
  if (d->partial)
    good = check(d, cuMemFree(d->partial), "cuMemFree of partial") && good;
  if (d->module)
    good = check(d, cuModuleUnload(d->module), "cuModuleUnload") && good;
  if (d->opened)
    good = check(d, cuDevicePrimaryCtxRelease(d->device),
                 "cuDevicePrimaryCtxRelease") &&
           good;
  return good;
}
