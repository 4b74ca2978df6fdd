/* The device: its memory and its modules. */
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

enum { GRAIN = 512 };

/* Unwritten memory reads as NaN: that shows where zeros would hide. */
enum { UNWRITTEN = 0xff };

/* The largest allocation that is filled; a larger one reads as zeros. */
#define FILL_LIMIT (256ULL << 20)

struct sim *sim_create(const struct sim_options *options) {
  struct sim *sim = calloc(1, sizeof *sim);
  if (sim) {
    sim->options = *options;
    sim->next_address = GLOBAL_BASE;
  }
  return sim;
}

void sim_destroy(struct sim *sim) {
  if (!sim)
    return;
  while (sim->modules)
    sim_module_unload(sim, sim->modules);
  for (uint32_t i = 0; i < sim->region_count; i++)
    free(sim->regions[i].host);
  free(sim->regions);
  free(sim);
}

static bool reserve_region(struct sim *sim) {
  if (sim->region_count < sim->region_capacity)
    return true;
  uint32_t capacity = sim->region_capacity ? 2 * sim->region_capacity : 16;
  struct region *more = realloc(sim->regions, capacity * sizeof *more);
  if (!more)
    return false;
  sim->regions = more;
  sim->region_capacity = capacity;
  return true;
}

static uint64_t add_region(struct sim *sim, uint64_t bytes, bool read_only) {
  if (bytes == 0 || bytes > 1ULL << 40 || !reserve_region(sim))
    return 0;
  bool fill = bytes <= FILL_LIMIT;
  unsigned char *host = fill ? malloc(bytes) : calloc(1, bytes);
  if (!host)
    return 0;
  if (fill)
    memset(host, UNWRITTEN, bytes);
  uint64_t base = sim->next_address;
  sim->regions[sim->region_count++] = (struct region){
      .base = base, .size = bytes, .host = host, .read_only = read_only};
  sim->next_address += (bytes + GRAIN - 1) / GRAIN * GRAIN + GRAIN;
  sim->used += bytes;
  return base;
}

uint64_t sim_allocate(struct sim *sim, uint64_t bytes) {
  return add_region(sim, bytes, false);
}

static struct region *find_region(struct sim *sim, uint64_t address) {
  uint32_t low = 0, high = sim->region_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (sim->regions[middle].base <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 ||
      address - sim->regions[low - 1].base >= sim->regions[low - 1].size)
    return NULL;
  return &sim->regions[low - 1];
}

bool sim_release(struct sim *sim, uint64_t address) {
  struct region *region = find_region(sim, address);
  if (!region || region->base != address)
    return false;
  sim->used -= region->size;
  free(region->host);
  uint32_t index = (uint32_t)(region - sim->regions);
  memmove(region, region + 1, (sim->region_count - index - 1) * sizeof *region);
  sim->region_count--;
  return true;
}

unsigned char *sim_host(struct sim *sim, uint64_t address, uint64_t bytes) {
  struct region *region = find_region(sim, address);
  if (!region || bytes > region->size - (address - region->base))
    return NULL;
  return region->host + (address - region->base);
}

bool sim_range(struct sim *sim, uint64_t address, uint64_t *base,
               uint64_t *bytes) {
  struct region *region = find_region(sim, address);
  if (!region)
    return false;
  *base = region->base;
  *bytes = region->size;
  return true;
}

uint64_t sim_memory_used(const struct sim *sim) { return sim->used; }

/* Modules. */

static bool is_global(const struct ptx_variable *variable) {
  return variable->space == PTX_GLOBAL || variable->space == PTX_CONST;
}

static bool place_globals(struct sim *sim, struct sim_module *module) {
  for (uint32_t i = 0; i < module->ptx->variable_count; i++) {
    const struct ptx_variable *variable = &module->ptx->variables[i];
    if (!is_global(variable) || variable->size == 0)
      continue;
    uint64_t address =
        add_region(sim, variable->size, variable->space == PTX_CONST);
    if (!address)
      return false;
    module->addresses[i] = address;
    unsigned char *host = sim_host(sim, address, variable->size);
    if (variable->initial)
      memcpy(host, variable->initial, variable->size);
    else
      memset(host, 0, variable->size);
  }
  return true;
}

static void relocate(struct sim *sim, const struct sim_module *module,
                     uint32_t index) {
  const struct ptx_variable *variable = &module->ptx->variables[index];
  for (uint32_t i = 0; i < variable->relocation_count; i++) {
    const struct ptx_relocation *to = &variable->relocations[i];
    uint64_t value = module->addresses[to->variable] + (uint64_t)to->addend;
    uint64_t size = ptx_type_size(variable->type);
    unsigned char *host =
        sim_host(sim, module->addresses[index] + to->offset, size);
    if (host && size <= sizeof value)
      memcpy(host, &value, size);
  }
}

static bool decode_functions(struct sim_module *module,
                             struct ptx_error *error) {
  const struct ptx_module *ptx = module->ptx;
  for (uint32_t i = 0; i < ptx->function_count; i++) {
    if (!ptx->functions[i].defined)
      continue;
    struct program *program = program_create(ptx, i, module->addresses, error);
    if (!program)
      return false;
    if (!ptx->functions[i].is_entry) {
      program_free(program); /* it was decoded to see that it can be */
      continue;
    }
    module->kernels[module->kernel_count++] =
        (struct sim_kernel){.program = program, .module = module};
  }
  return true;
}

static bool module_fill(struct sim *sim, struct sim_module *module,
                        struct ptx_error *error) {
  const struct ptx_module *ptx = module->ptx;
  module->addresses = calloc(ptx->variable_count + 1, sizeof(uint64_t));
  module->kernels = calloc(ptx->function_count + 1, sizeof *module->kernels);
  if (!module->addresses || !module->kernels || !place_globals(sim, module)) {
    *error =
        (struct ptx_error){.status = PTX_NO_MEMORY, .message = "out of memory"};
    return false;
  }
  for (uint32_t i = 0; i < ptx->variable_count; i++)
    if (module->addresses[i])
      relocate(sim, module, i);
  return decode_functions(module, error);
}

struct sim_module *sim_module_load(struct sim *sim, const char *ptx,
                                   size_t length, struct ptx_error *error) {
  struct ptx_module *parsed = ptx_parse(ptx, length, error);
  if (!parsed)
    return NULL;
  struct sim_module *module = calloc(1, sizeof *module);
  if (!module) {
    ptx_free(parsed);
    return NULL;
  }
  module->ptx = parsed;
  module->next = sim->modules;
  sim->modules = module;
  if (module_fill(sim, module, error))
    return module;
  sim_module_unload(sim, module);
  return NULL;
}

static void unlink_module(struct sim *sim, const struct sim_module *module) {
  for (struct sim_module **at = &sim->modules; *at; at = &(*at)->next)
    if (*at == module) {
      *at = module->next;
      return;
    }
}

void sim_module_unload(struct sim *sim, struct sim_module *module) {
  if (!module)
    return;
  unlink_module(sim, module);
  for (uint32_t i = 0; module->addresses && i < module->ptx->variable_count;
       i++)
    if (module->addresses[i])
      sim_release(sim, module->addresses[i]);
  for (uint32_t i = 0; i < module->kernel_count; i++)
    program_free(module->kernels[i].program);
  free(module->kernels);
  free(module->addresses);
  ptx_free(module->ptx);
  free(module);
}

const struct ptx_module *sim_module_ptx(const struct sim_module *module) {
  return module->ptx;
}

static const char *kernel_name(const struct sim_kernel *kernel) {
  return kernel->module->ptx->functions[kernel->program->entry].name;
}

struct sim_kernel *sim_module_kernel(struct sim_module *module,
                                     const char *name) {
  for (uint32_t i = 0; i < module->kernel_count; i++)
    if (strcmp(kernel_name(&module->kernels[i]), name) == 0)
      return &module->kernels[i];
  return NULL;
}

uint32_t sim_module_kernel_count(const struct sim_module *module) {
  return module->kernel_count;
}

struct sim_kernel *sim_module_kernel_at(struct sim_module *module, uint32_t i) {
  return i < module->kernel_count ? &module->kernels[i] : NULL;
}

bool sim_module_global(struct sim_module *module, const char *name,
                       uint64_t *address, uint64_t *bytes) {
  for (uint32_t i = 0; i < module->ptx->variable_count; i++) {
    const struct ptx_variable *variable = &module->ptx->variables[i];
    if (!module->addresses[i] || strcmp(variable->name, name) != 0)
      continue;
    *address = module->addresses[i];
    *bytes = variable->size;
    return true;
  }
  return false;
}

void sim_kernel_describe(const struct sim_kernel *kernel,
                         struct sim_kernel_info *info) {
  const struct program *program = kernel->program;
  const struct ptx_function *function =
      &kernel->module->ptx->functions[program->entry];
  *info = (struct sim_kernel_info){
      .name = function->name,
      .parameter_count = program->parameter_count,
      .parameter_offset = program->parameter_offset,
      .parameter_size = program->parameter_size,
      .parameter_bytes = program->parameter_bytes,
      .shared_bytes = program->shared_bytes,
      .local_bytes = program->local_bytes,
      .registers = program->register_words,
      .max_threads = function->max_threads ? function->max_threads : 1024,
      .target = kernel->module->ptx->target,
      .version = kernel->module->ptx->version};
}

const char *sim_kernel_file(const struct sim_kernel *kernel, uint32_t file) {
  return ptx_file_name(kernel->module->ptx, file);
}
