/* Writes what one block does; see trace.h. */
#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "barrier.h"
#include "collective.h"
#include "memory.h"
#include "report.h"
#include "shuffle.h"

struct moment { /* an instruction that has begun and is not written yet */
  const struct op *op; /* NULL: there is none */
  const struct warp *warp;
  uint32_t lanes;
  uint64_t step;
  struct counters before;
  uint64_t address[LANES];             /* of an access */
  uint32_t source[LANES], from[LANES]; /* of a shuffle */
  uint32_t in_range;
};

struct trace {
  FILE *file;
  struct trace_setup setup;
  struct sim_observer observer;
  const struct sim_kernel *kernel; /* of the launch; NULL between two */
  const struct ptx_module *module;
  uint32_t grid[3];
  bool here; /* the block that runs is the chosen one */
  bool cut;
  uint64_t events, steps;
  uint64_t since[MAX_WARPS][LANES]; /* the step at which a lane began to wait */
  struct moment moment;
};

static const char *name_of(const struct op *op) {
  bool end = op->kind == OP_EXIT || op->kind == OP_RETURN;
  const char *opcode = op->source->opcode;
  if (end && strcmp(opcode, "ret") != 0 && strcmp(opcode, "exit") != 0)
    return "ret";
  return op->source->text;
}

static void write_source(const struct trace *trace, const struct op *op) {
  const char *file = sim_kernel_file(trace->kernel, op->source->file);
  char place[1024];
  snprintf(place, sizeof place, "%s:%" PRIu32, file != NULL ? file : "",
           op->source->source_line);
  if (file != NULL && op->source->source_line > 0)
    report_string(trace->file, place);
  else
    fputs("null", trace->file);
}

/* False where the trace is cut here. */
static bool begin_line(struct trace *trace, const char *event,
                       const struct moment *moment) {
  if (trace->events == trace->setup.limit)
    trace->cut = true;
  if (trace->cut)
    return false;
  fprintf(trace->file,
          "{\"event\":\"%s\",\"seq\":%" PRIu64 ",\"step\":%" PRIu64
          ",\"warp\":%" PRIu32 ",\"lanes\":\"0x%08" PRIx32
          "\",\"ptx_line\":%" PRIu32 ",\"source\":",
          event, trace->events++, moment->step, moment->warp->index,
          moment->lanes, moment->op->source->line);
  write_source(trace, moment->op);
  fputs(",\"op\":", trace->file);
  report_string(trace->file, name_of(moment->op));
  return true;
}

struct place { /* a register in its instruction and in the file */
  const struct ptx_operand *operand;
  uint32_t offset;
};

enum { MOST_PLACES = 5 };

static bool is_access(const struct op *op) {
  return op->kind == OP_WARP && op->width > 0;
}

static bool is_atomic(const struct op *op) {
  return is_access(op) && op->flags & MEMORY_ATOMIC;
}

static bool is_shuffle(const struct op *op) {
  return op->kind == OP_COLLECTIVE && op->variant == COLLECTIVE_SHUFFLE;
}

static bool has_results(const struct op *op) {
  if (op->kind == OP_BARRIER)
    return op->type != PTX_NO_TYPE;
  if (op->kind == OP_COLLECTIVE)
    return op->variant != COLLECTIVE_WARP_SYNC;
  return op->kind == OP_LANES ||
         (op->kind == OP_WARP && strcmp(op->source->opcode, "nanosleep") != 0);
}

static bool has_stored(const struct op *op) {
  return is_access(op) && !is_atomic(op) && op->flags & MEMORY_WRITES;
}

static uint32_t add_place(struct place *places, uint32_t count,
                          const struct ptx_operand *operand, uint32_t offset) {
  places[count] = (struct place){.operand = operand, .offset = offset};
  return count + (operand->kind != PTX_SINK && operand->kind != PTX_ADDRESS);
}

static uint32_t find_places(const struct op *op,
                            const struct ptx_operand *operand,
                            struct place *places) {
  uint32_t count = 0;
  bool moved = is_access(op) && !is_atomic(op);
  if (operand->kind == PTX_VECTOR)
    for (uint32_t i = 0; i < operand->count && i < 4; i++)
      count = add_place(places, count, &operand->elements[i], op->vector[i]);
  else
    count = add_place(places, 0, operand, moved ? op->vector[0] : op->d);
  if (operand->pair != NULL)
    count = add_place(places, count, operand->pair, op->e);
  return count;
}

static const struct ptx_register *
find_register(const struct trace *trace, const struct op *op,
              const struct ptx_operand *operand) {
  const struct ptx_module *module = trace->module;
  if (operand->kind != PTX_REGISTER)
    return NULL;
  for (uint32_t i = 0; i < module->function_count; i++) {
    const struct ptx_function *function = &module->functions[i];
    if (op->source >= function->instructions &&
        op->source < function->instructions + function->instruction_count)
      return &function->registers[operand->index];
  }
  return NULL;
}

static void write_lanes(FILE *file, const unsigned char *slot, size_t bytes,
                        uint32_t lanes) {
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint64_t value = 0;
    fputs(lane > 0 ? "," : "[", file);
    memcpy(&value, slot + lane * bytes, bytes);
    if (lanes >> lane & 1)
      fprintf(file, "\"0x%0*" PRIx64 "\"", (int)(2 * bytes), value);
    else
      fputs("null", file);
  }
  fputc(']', file);
}

static void write_register(const struct trace *trace, const struct warp *warp,
                           const struct op *op, const struct place *place,
                           uint32_t lanes) {
  const struct ptx_register *found = find_register(trace, op, place->operand);
  size_t bytes = found != NULL ? ptx_type_size(found->type) : op->bytes;
  const unsigned char *slot = warp->regs + place->offset;
  fputs("{\"register\":", trace->file);
  report_string(trace->file, found != NULL ? found->name : "");
  fputs(",\"type\":", trace->file);
  report_string(trace->file, found != NULL ? ptx_type_name(found->type) : "");
  if (found != NULL && found->type == PTX_PRED) {
    uint32_t bits;
    memcpy(&bits, slot, sizeof bits);
    fprintf(trace->file, ",\"mask\":\"0x%08" PRIx32 "\"}", bits & lanes);
    return;
  }
  fputs(",\"values\":", trace->file);
  write_lanes(trace->file, slot, bytes < 2 ? 2 : bytes, lanes);
  fputc('}', trace->file);
}

static void write_registers(const struct trace *trace, const char *name,
                            const struct warp *warp, const struct op *op,
                            const struct ptx_operand *operand, uint32_t lanes) {
  struct place places[MOST_PLACES];
  uint32_t count = find_places(op, operand, places);
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0)
      fprintf(trace->file, ",\"%s\":[", name);
    else
      fputc(',', trace->file);
    write_register(trace, warp, op, &places[i], lanes);
  }
  if (count > 0)
    fputc(']', trace->file);
}

static void write_results(const struct trace *trace, const struct warp *warp,
                          const struct op *op, uint32_t lanes) {
  if (has_results(op) && op->source->operand_count > 0)
    write_registers(trace, "results", warp, op, &op->source->operand[0], lanes);
}

static const char *access_name(const struct op *op) {
  if (is_atomic(op))
    return "atomic";
  return op->flags & MEMORY_WRITES ? "store" : "load";
}

static const char *space_name(const struct op *op) {
  static const char *const names[] = {
      [PTX_GENERIC] = "generic", [PTX_PARAM] = "param",
      [PTX_CONST] = "const",     [PTX_GLOBAL] = "global",
      [PTX_SHARED] = "shared",   [PTX_LOCAL] = "local"};
  return names[op->space];
}

static uint64_t sectors_of(const struct counters *counters) {
  return counters->global_load_sectors + counters->global_store_sectors;
}

static uint64_t wavefronts_of(const struct counters *counters) {
  return counters->shared_load_wavefronts + counters->shared_store_wavefronts;
}

static void write_cost(FILE *file, const struct moment *moment) {
  const struct counters *now = moment->warp->counters, *old = &moment->before;
  const struct op *op = moment->op;
  if (op->space == PTX_GLOBAL || op->space == PTX_GENERIC)
    fprintf(file, ",\"sectors\":%" PRIu64, sectors_of(now) - sectors_of(old));
  if (op->space == PTX_SHARED || op->space == PTX_GENERIC)
    fprintf(file, ",\"wavefronts\":%" PRIu64 ",\"conflicts\":%" PRIu64,
            wavefronts_of(now) - wavefronts_of(old),
            now->shared_bank_conflicts - old->shared_bank_conflicts);
}

static void write_access(FILE *file, const struct moment *moment, bool done) {
  const struct op *op = moment->op;
  fprintf(file,
          ",\"memory\":{\"space\":\"%s\",\"access\":\"%s\",\"width\":%" PRIu32
          ",\"addresses\":",
          space_name(op), access_name(op), op->width);
  write_lanes(file, (const unsigned char *)moment->address,
              sizeof moment->address[0], moment->lanes);
  if (done && !is_atomic(op))
    write_cost(file, moment);
  fputc('}', file);
}

static void write_shuffle(FILE *file, const struct moment *moment) {
  fputs(",\"shuffle\":{\"source\":", file);
  write_lanes(file, (const unsigned char *)moment->source,
              sizeof moment->source[0], moment->lanes);
  fputs(",\"from\":", file);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    fputs(lane > 0 ? "," : "[", file);
    if (moment->lanes >> lane & 1)
      fprintf(file, "%" PRIu32, moment->from[lane]);
    else
      fputs("null", file);
  }
  fprintf(file, "],\"in_range\":\"0x%08" PRIx32 "\"}",
          moment->in_range & moment->lanes);
}

static void note_shuffle(struct moment *moment, const struct warp *warp,
                         const struct op *op) {
  uint32_t b[LANES], c[LANES];
  memcpy(moment->source, warp->regs + op->a, sizeof moment->source);
  memcpy(b, warp->regs + op->b, sizeof b);
  memcpy(c, warp->regs + op->c, sizeof c);
  moment->in_range = shuffle_plan(op->flags, b, c, moment->from);
}

static void take_notes(struct trace *trace, const struct warp *warp,
                       const struct op *op, uint32_t lanes) {
  struct moment *moment = &trace->moment;
  moment->op = op;
  moment->warp = warp;
  moment->lanes = lanes;
  moment->step = trace->steps;
  moment->before = *warp->counters;
  if (is_access(op))
    memory_addresses(warp, op, lanes, moment->address);
  if (is_shuffle(op))
    note_shuffle(moment, warp, op);
}

static void write_details(const struct trace *trace,
                          const struct moment *moment, bool done) {
  const struct op *op = moment->op;
  if (done)
    write_results(trace, moment->warp, op, moment->lanes);
  if (has_stored(op) && op->source->operand_count > 1)
    write_registers(trace, "stored", moment->warp, op, &op->source->operand[1],
                    moment->lanes);
  if (is_access(op))
    write_access(trace->file, moment, done);
  if (is_shuffle(op))
    write_shuffle(trace->file, moment);
  fputs("}\n", trace->file);
}

static void write_run(struct trace *trace) {
  if (begin_line(trace, "run", &trace->moment))
    write_details(trace, &trace->moment, true);
  trace->moment.op = NULL;
}

static void write_barrier(FILE *file, const struct moment *moment) {
  uint32_t first = (uint32_t)__builtin_ctz(moment->lanes), id;
  if (moment->op->kind != OP_BARRIER)
    return;
  memcpy(&id, moment->warp->regs + moment->op->a + 4 * first, sizeof id);
  fprintf(file, ",\"barrier\":%" PRIu32, id);
}

static void write_arrive(struct trace *trace) {
  struct moment *moment = &trace->moment;
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (moment->lanes >> lane & 1)
      trace->since[moment->warp->index][lane] = moment->step;
  if (begin_line(trace, "arrive", moment)) {
    write_barrier(trace->file, moment);
    write_details(trace, moment, false);
  }
  moment->op = NULL;
}

static void write_leave(struct trace *trace, const struct warp *warp,
                        const struct op *op, uint32_t lanes) {
  struct moment moment = {
      .op = op, .warp = warp, .lanes = lanes, .step = trace->steps - 1};
  uint32_t first = (uint32_t)__builtin_ctz(lanes);
  if (!begin_line(trace, "leave", &moment))
    return;
  write_barrier(trace->file, &moment);
  fprintf(trace->file, ",\"since\":%" PRIu64, trace->since[warp->index][first]);
  write_results(trace, warp, op, lanes);
  fputs("}\n", trace->file);
}

/* The lanes of the last notes have been parked. */
static void settle(struct trace *trace) {
  if (trace->moment.op != NULL)
    write_arrive(trace);
}

static void write_last(struct trace *trace) {
  struct moment *moment = &trace->moment;
  if (moment->op != NULL && moment->op->kind == OP_COLLECTIVE)
    write_arrive(trace);
  else if (moment->op != NULL && begin_line(trace, "fault", moment))
    write_details(trace, moment, false);
  moment->op = NULL;
}

static void on_block(void *self, const struct block *block) {
  struct trace *trace = self;
  const uint32_t *grid = trace->grid, *id = block->id;
  uint64_t row = (uint64_t)id[2] * grid[1] + id[1];
  trace->here = row * grid[0] + id[0] == trace->setup.block;
}

static bool is_wanted(const struct trace *trace, const struct warp *warp) {
  return trace->here && (trace->setup.warp == TRACE_ALL_WARPS ||
                         trace->setup.warp == (int64_t)warp->index);
}

static void on_step(void *self, const struct warp *warp, const struct op *op,
                    uint32_t lanes) {
  struct trace *trace = self;
  settle(trace);
  if (is_wanted(trace, warp) && !trace->cut) {
    take_notes(trace, warp, op, lanes);
    if (op->kind == OP_BARRIER && lanes != 0)
      settle(trace);
  }
  trace->steps += trace->here;
}

static void on_done(void *self, const struct warp *warp, const struct op *op,
                    uint32_t lanes) {
  struct trace *trace = self;
  const struct moment *moment = &trace->moment;
  if (!is_wanted(trace, warp) || trace->cut)
    return;
  if (moment->op != NULL && moment->op == op && moment->warp == warp &&
      moment->lanes == lanes) {
    write_run(trace);
  } else {
    settle(trace);
    write_leave(trace, warp, op, lanes);
  }
}

struct trace *trace_open(const struct trace_setup *setup, char *message,
                         size_t size) {
  struct trace *trace = calloc(1, sizeof *trace);
  FILE *file = trace != NULL ? fopen(setup->path, "w") : NULL;
  if (file == NULL) {
    snprintf(message, size, "SIM_TRACE=%s cannot be written: %s", setup->path,
             trace != NULL ? strerror(errno) : "there is not enough memory");
    free(trace);
    return NULL;
  }
  trace->file = file;
  trace->setup = *setup;
  trace->observer = (struct sim_observer){
      .self = trace, .block = on_block, .step = on_step, .after = on_done};
  return trace;
}

void trace_close(struct trace *trace) {
  if (trace != NULL)
    fclose(trace->file);
  free(trace);
}

static bool check_setup(const struct trace_setup *setup, const char *kernel,
                        uint64_t blocks, uint64_t warps, char *message,
                        size_t size) {
  if (setup->block >= blocks)
    snprintf(message, size,
             "SIM_TRACE_BLOCK=%" PRIu64 ", but the grid of kernel %.100s has "
             "%" PRIu64 " block%s, counted from 0",
             setup->block, kernel, blocks, blocks == 1 ? "" : "s");
  else if (setup->warp >= (int64_t)warps)
    snprintf(message, size,
             "SIM_TRACE_WARP=%" PRId64 ", but a block of kernel %.100s has "
             "%" PRIu64 " warp%s, counted from 0",
             setup->warp, kernel, warps, warps == 1 ? "" : "s");
  else
    return true;
  return false;
}

static void write_triple(FILE *file, const char *name, const uint32_t *three) {
  fprintf(file, ",\"%s\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", name, three[0],
          three[1], three[2]);
}

static void write_launch(const struct trace *trace, const char *kernel,
                         const struct sim_launch *launch, uint64_t warps) {
  FILE *file = trace->file;
  fputs("{\"event\":\"launch\",\"kernel\":", file);
  report_string(file, kernel);
  write_triple(file, "grid", launch->grid);
  write_triple(file, "block_shape", launch->block);
  fprintf(file, ",\"block\":%" PRIu64 ",\"warps\":%" PRIu64 ",\"only_warp\":",
          trace->setup.block, warps);
  if (trace->setup.warp == TRACE_ALL_WARPS)
    fputs("null}\n", file);
  else
    fprintf(file, "%" PRId64 "}\n", trace->setup.warp);
}

bool trace_begin(struct trace *trace, const struct sim_kernel *kernel,
                 const struct sim_module *module, struct sim_launch *launch,
                 char *message, size_t size) {
  const uint32_t *grid = launch->grid, *block = launch->block;
  uint64_t warps = ((uint64_t)block[0] * block[1] * block[2] + 31) / LANES;
  struct sim_kernel_info info;
  if (trace->cut)
    return true;
  sim_kernel_describe(kernel, &info);
  if (!check_setup(&trace->setup, info.name,
                   (uint64_t)grid[0] * grid[1] * grid[2], warps, message, size))
    return false;
  trace->kernel = kernel;
  trace->module = sim_module_ptx(module);
  memcpy(trace->grid, grid, sizeof trace->grid);
  trace->here = false;
  trace->steps = 0;
  launch->observer = &trace->observer;
  write_launch(trace, info.name, launch, warps);
  return true;
}

bool trace_end(struct trace *trace, const struct sim_result *result) {
  const char *fault = result->fault.id;
  if (trace->kernel == NULL)
    return true;
  write_last(trace);
  fprintf(trace->file,
          "{\"event\":\"end\",\"events\":%" PRIu64 ",\"steps\":%" PRIu64
          ",\"cut\":%s,\"fault\":",
          trace->events, trace->steps, trace->cut ? "true" : "false");
  if (result->fault.kind != FAULT_NONE)
    report_string(trace->file, fault != NULL ? fault : "unnamed");
  else
    fputs("null", trace->file);
  fputs("}\n", trace->file);
  trace->kernel = NULL;
  return fflush(trace->file) == 0 && !ferror(trace->file);
}
