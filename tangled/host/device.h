/* Everything that talks to the driver: load a kernel, run it once. */
#ifndef SHUFFLE_LADDER_DEVICE_H
#define SHUFFLE_LADDER_DEVICE_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr x, partial; /* 0: not allocated */
  int arch;               /* compute capability, 80 for 8.0 */
  int driver;             /* the CUDA version it speaks, 13000 for 13.0 */
  bool opened;            /* the context is held */
  char name[128];
  char problem[4096]; /* why the last call failed, for a reader */
};

#define DEVICE_POISON 0x7fc0deadu
enum { DEVICE_GUARD = 64 };

struct device_run {
  float *partial;    /* the caller's, blocks + DEVICE_GUARD places */
  size_t guard_hits; /* guard words that were changed */
  bool input_intact; /* X holds what it held before */
  double seconds;    /* launch to end, by the host's clock */
};

/* Opens device 0 and loads the kernel. False: it cannot run here, and
 * device->problem says why and what to do. Close it in either case. */
bool device_open(struct device *device, const char *ptx_path,
                 const char *kernel, int min_arch);

/* Copies x over and fills run->partial and the guard with the poison. */
bool device_prepare(struct device *device, const float *x, size_t n,
                    size_t blocks);

/* Launches the kernel with (X, partial, n) and waits. False: it did not get to
 * its end, which is the kernel's fault; problem says how it ended. */
bool device_launch(struct device *device, size_t n, size_t blocks,
                   unsigned block, struct device_run *run);

/* Fetches the results of a launch that ended well. */
bool device_fetch(struct device *device, const float *x, size_t n,
                  size_t blocks, struct device_run *run);

/* Gives everything back. False where the driver refuses, see problem. */
bool device_close(struct device *device);

#endif
