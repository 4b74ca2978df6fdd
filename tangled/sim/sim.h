/* The simulator as its front ends see it (libcuda, ptxrun, the live page).
 * No I/O, no global state: everything hangs on a struct sim. Not thread-safe:
 * one caller at a time for one struct sim. */
#ifndef SHUFFLE_LADDER_SIM_H
#define SHUFFLE_LADDER_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core.h"
#include "ptx.h"

enum sim_schedule { SIM_EAGER, SIM_SIDE, SIM_FIRST, SIM_LAST, SIM_SEED };

struct sim_options {
  uint32_t threads; /* host threads, 0 = as many as there are cores */
  uint64_t limit;   /* warp instructions a launch may run, 0 = default */
  enum sim_schedule schedule;
  uint64_t seed; /* of SIM_SEED */
  bool check;    /* the mistake finder */
};

struct sim;
struct sim_module;
struct sim_kernel;

struct sim *sim_create(const struct sim_options *options); /* NULL: no memory */
void sim_destroy(struct sim *sim);

/* Device memory. sim_allocate returns 0 when there is none left; addresses are
 * 512-byte aligned and ascending, and at least 512 bytes lie between two.
 * sim_release is false for an address that is not the start of one. */
uint64_t sim_allocate(struct sim *sim, uint64_t bytes);
bool sim_release(struct sim *sim, uint64_t address);
/* The host bytes of a device range, NULL unless one allocation holds it all. */
unsigned char *sim_host(struct sim *sim, uint64_t address, uint64_t bytes);
/* The allocation that holds an address. */
bool sim_range(struct sim *sim, uint64_t address, uint64_t *base,
               uint64_t *bytes);
uint64_t sim_memory_used(const struct sim *sim);

/* Parses and decodes a module; every function in it, so that an unknown
 * instruction is an error here and not at a launch. NULL fills *error. */
struct sim_module *sim_module_load(struct sim *sim, const char *ptx,
                                   size_t length, struct ptx_error *error);
void sim_module_unload(struct sim *sim, struct sim_module *module);
const struct ptx_module *sim_module_ptx(const struct sim_module *module);
/* An .entry by name, NULL where there is none. */
struct sim_kernel *sim_module_kernel(struct sim_module *module,
                                     const char *name);
uint32_t sim_module_kernel_count(const struct sim_module *module);
struct sim_kernel *sim_module_kernel_at(struct sim_module *module, uint32_t i);
/* A .global or .const variable's device address and size. */
bool sim_module_global(struct sim_module *module, const char *name,
                       uint64_t *address, uint64_t *bytes);

struct sim_kernel_info {
  const char *name;
  uint32_t parameter_count;
  const uint32_t *parameter_offset; /* bytes into the parameter buffer */
  const uint32_t *parameter_size;
  uint32_t parameter_bytes; /* of the whole buffer */
  uint32_t shared_bytes;    /* static */
  uint32_t local_bytes;     /* a lane */
  uint32_t registers;       /* PTX registers, 32-bit words a lane */
  uint32_t max_threads;     /* a block: 1024 or .maxntid */
  uint32_t target;          /* 80 for sm_80 */
  uint32_t version;         /* 90 for PTX 9.0 */
};
void sim_kernel_describe(const struct sim_kernel *kernel,
                         struct sim_kernel_info *info);

/* Told of every warp instruction before it is done: its lanes, its operands
 * (registers still hold the sources), where; and again after. For lanes that
 * wait in between, in a collective or at a barrier, `after` comes when the wait
 * is over; after a fault it does not come. With an observer a launch runs on
 * one host thread, blocks in order. Must not change anything. */
struct sim_observer {
  void *self;
  void (*block)(void *self, const struct block *block); /* starts */
  void (*step)(void *self, const struct warp *warp, const struct op *op,
               uint32_t mask);
  void (*after)(void *self, const struct warp *warp, const struct op *op,
                uint32_t mask); /* done: destinations hold results */
};

struct sim_launch {
  uint32_t grid[3], block[3];
  uint32_t shared_bytes;               /* dynamic */
  const void *parameters;              /* parameter_bytes of them */
  const struct sim_observer *observer; /* NULL for none */
};

struct sim_result {
  struct counters counters;
  struct fault fault;       /* kind FAULT_NONE: it ran to its end */
  struct findings findings; /* broken rules that did not stop it */
};

/* Runs a grid to its end or to its first fault. The shape must have been
 * checked by the caller. Returns result->fault.kind == FAULT_NONE. */
bool sim_run(struct sim *sim, struct sim_kernel *kernel,
             const struct sim_launch *launch, struct sim_result *result);

/* The name of the source file of a fault (from .file), NULL where unknown. */
const char *sim_kernel_file(const struct sim_kernel *kernel, uint32_t file);

#endif
