/* Checks the shape of a launch; see shape.h. */
#include "shape.h"

#include <stddef.h>

#include "cuda_device.h"

uint32_t shape_max_threads(const struct sim_kernel_info *info) {
  return info->max_threads < DEVICE_MAX_THREADS ? info->max_threads
                                                : DEVICE_MAX_THREADS;
}

uint32_t shape_dynamic_limit(const struct sim_kernel_info *info) {
  return info->shared_bytes < DEVICE_SHARED ? DEVICE_SHARED - info->shared_bytes
                                            : 0;
}

static bool within(uint32_t value, uint32_t most) {
  return value >= 1 && value <= most;
}

const char *shape_refuse(const struct sim_kernel_info *info,
                         const struct sim_launch *launch,
                         uint32_t dynamic_limit) {
  const uint32_t *grid = launch->grid, *block = launch->block;
  uint64_t threads = (uint64_t)block[0] * block[1];
  if (!within(grid[0], DEVICE_MAX_GRID_X) ||
      !within(grid[1], DEVICE_MAX_GRID_YZ) ||
      !within(grid[2], DEVICE_MAX_GRID_YZ))
    return "a grid has 1 to 2147483647 by 65535 by 65535 blocks";
  if (!within(block[0], DEVICE_MAX_THREADS) ||
      !within(block[1], DEVICE_MAX_THREADS) ||
      !within(block[2], DEVICE_MAX_BLOCK_Z))
    return "a block has 1 to 1024 by 1024 by 64 threads";
  if (threads * block[2] > DEVICE_MAX_THREADS)
    return "a block has at most 1024 threads";
  if (threads * block[2] > shape_max_threads(info))
    return "the block has more threads than the kernel's .maxntid";
  return launch->shared_bytes > dynamic_limit
             ? "the block has more shared memory than the device"
             : NULL;
}
