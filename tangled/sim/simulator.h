/* Inside a struct sim: device memory, modules, kernels. */
#ifndef SHUFFLE_LADDER_SIMULATOR_H
#define SHUFFLE_LADDER_SIMULATOR_H

#include "program.h"
#include "sim.h"

struct sim_kernel {
  struct program *program;
  const struct sim_module *module;
};

struct sim_module {
  struct ptx_module *ptx;
  uint64_t *addresses; /* of each variable that is global or const */
  struct sim_kernel *kernels;
  uint32_t kernel_count;
  struct sim_module *next;
};

struct sim {
  struct sim_options options;
  struct region *regions; /* sorted by base, for addresses only grow */
  uint32_t region_count, region_capacity;
  uint64_t next_address;
  uint64_t used;
  struct sim_module *modules;
};

#endif
