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
  uint32_t warp, lanes;
  uint64_t step;
  struct counters before;
};

struct trace {
  FILE *file;
  FILE *notes; /* a stream into text */
  char *text;
  size_t length;
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

static void write_source(FILE *to, const struct sim_kernel *kernel,
                         const struct ptx_instruction *in) {
  const char *file = sim_kernel_file(kernel, in->file);
  char place[1024];
  if (file == NULL || in->source_line == 0) {
    fputs("null", to);
    return;
  }
  snprintf(place, sizeof place, "%s:%" PRIu32, file, in->source_line);
  report_string(to, place);
}

static void write_barrier(FILE *file, const struct warp *warp,
                          const struct op *op, uint32_t lanes) {
  uint32_t first = (uint32_t)__builtin_ctz(lanes), id;
  memcpy(&id, warp->regs + op->a + 4 * first, sizeof id);
  fprintf(file, ",\"barrier\":%" PRIu32, id);
}

static void write_place(FILE *file, const struct trace *trace,
                        const struct warp *warp, const struct op *op,
                        uint32_t lanes) {
  fprintf(file,
          ",\"warp\":%" PRIu32 ",\"lanes\":\"0x%08" PRIx32
          "\",\"ptx_line\":%" PRIu32 ",\"source\":",
          warp->index, lanes, op->source->line);
  write_source(file, trace->kernel, op->source);
  fputs(",\"op\":", file);
  report_string(file, name_of(op));
  if (op->kind == OP_BARRIER && lanes != 0)
    write_barrier(file, warp, op, lanes);
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

static void write_register(FILE *file, const struct trace *trace,
                           const struct warp *warp, const struct op *op,
                           const struct place *place, uint32_t lanes) {
  const struct ptx_register *found = find_register(trace, op, place->operand);
  size_t bytes = found != NULL ? ptx_type_size(found->type) : op->bytes;
  const unsigned char *slot = warp->regs + place->offset;
  fputs("{\"register\":", file);
  report_string(file, found != NULL ? found->name : "");
  fputs(",\"type\":", file);
  report_string(file, found != NULL ? ptx_type_name(found->type) : "");
  if (found != NULL && found->type == PTX_PRED) {
    uint32_t bits;
    memcpy(&bits, slot, sizeof bits);
    fprintf(file, ",\"mask\":\"0x%08" PRIx32 "\"}", bits & lanes);
    return;
  }
  fputs(",\"values\":", file);
  write_lanes(file, slot, bytes < 2 ? 2 : bytes, lanes);
  fputc('}', file);
}

static void write_registers(FILE *file, const struct trace *trace,
                            const char *name, const struct warp *warp,
                            const struct op *op,
                            const struct ptx_operand *operand, uint32_t lanes) {
  struct place places[MOST_PLACES];
  uint32_t count = find_places(op, operand, places);
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0)
      fprintf(file, ",\"%s\":[", name);
    else
      fputc(',', file);
    write_register(file, trace, warp, op, &places[i], lanes);
  }
  if (count > 0)
    fputc(']', file);
}

static void write_results(const struct trace *trace, const struct warp *warp,
                          const struct op *op, uint32_t lanes) {
  if (has_results(op) && op->source->operand_count > 0)
    write_registers(trace->file, trace, "results", warp, op,
                    &op->source->operand[0], lanes);
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

static void write_access(FILE *file, const struct warp *warp,
                         const struct op *op, uint32_t lanes) {
  uint64_t address[LANES] = {0};
  memory_addresses(warp, op, lanes, address);
  fprintf(file,
          ",\"memory\":{\"space\":\"%s\",\"access\":\"%s\",\"width\":%" PRIu32
          ",\"addresses\":",
          space_name(op), access_name(op), op->width);
  write_lanes(file, (const unsigned char *)address, sizeof address[0], lanes);
  fputc('}', file);
}

static uint64_t sectors_of(const struct counters *counters) {
  return counters->global_load_sectors + counters->global_store_sectors;
}

static uint64_t wavefronts_of(const struct counters *counters) {
  return counters->shared_load_wavefronts + counters->shared_store_wavefronts;
}

static void write_cost(FILE *file, const struct op *op,
                       const struct counters *before,
                       const struct counters *now) {
  bool generic = op->space == PTX_GENERIC;
  if (op->space == PTX_GLOBAL || generic)
    fprintf(file, ",\"sectors\":%" PRIu64,
            sectors_of(now) - sectors_of(before));
  if (op->space == PTX_SHARED || generic)
    fprintf(file, ",\"wavefronts\":%" PRIu64 ",\"conflicts\":%" PRIu64,
            wavefronts_of(now) - wavefronts_of(before),
            now->shared_bank_conflicts - before->shared_bank_conflicts);
}

static void write_shuffle(FILE *file, const struct warp *warp,
                          const struct op *op, uint32_t lanes) {
  uint32_t b[LANES], c[LANES], from[LANES];
  memcpy(b, warp->regs + op->b, sizeof b);
  memcpy(c, warp->regs + op->c, sizeof c);
  uint32_t in_range = shuffle_plan(op->flags, b, c, from);
  fputs(",\"shuffle\":{\"source\":", file);
  write_lanes(file, warp->regs + op->a, sizeof(uint32_t), lanes);
  fputs(",\"from\":", file);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    fputs(lane > 0 ? "," : "[", file);
    if (lanes >> lane & 1)
      fprintf(file, "%" PRIu32, from[lane]);
    else
      fputs("null", file);
  }
  fprintf(file, "],\"in_range\":\"0x%08" PRIx32 "\"}", in_range & lanes);
}

static void take_notes(struct trace *trace, const struct warp *warp,
                       const struct op *op, uint32_t lanes) {
  const struct ptx_instruction *in = op->source;
  FILE *notes = trace->notes;
  rewind(notes);
  write_place(notes, trace, warp, op, lanes);
  if (has_stored(op) && in->operand_count > 1)
    write_registers(notes, trace, "stored", warp, op, &in->operand[1], lanes);
  if (is_access(op))
    write_access(notes, warp, op, lanes);
  if (is_shuffle(op))
    write_shuffle(notes, warp, op, lanes);
  fflush(notes);
  trace->moment = (struct moment){.op = op,
                                  .warp = warp->index,
                                  .lanes = lanes,
                                  .step = trace->steps,
                                  .before = *warp->counters};
}

/* False where the trace is cut here. */
static bool begin_line(struct trace *trace, const char *event, uint64_t step) {
  if (trace->events == trace->setup.limit)
    trace->cut = true;
  if (!trace->cut)
    fprintf(trace->file,
            "{\"event\":\"%s\",\"seq\":%" PRIu64 ",\"step\":%" PRIu64, event,
            trace->events++, step);
  return !trace->cut;
}

/* Notes become a line of their own, but for its end. */
static bool begin_with_notes(struct trace *trace, const char *event) {
  bool good = begin_line(trace, event, trace->moment.step);
  if (good)
    fwrite(trace->text, 1, trace->length, trace->file);
  trace->moment.op = NULL;
  return good;
}

static void write_run(struct trace *trace, const struct warp *warp,
                      const struct op *op, uint32_t lanes) {
  if (!begin_with_notes(trace, "run"))
    return;
  write_results(trace, warp, op, lanes);
  if (is_access(op) && !is_atomic(op))
    write_cost(trace->file, op, &trace->moment.before, warp->counters);
  fputs("}\n", trace->file);
}

/* The lanes of the last notes have been parked. */
static void settle(struct trace *trace) {
  const struct moment *moment = &trace->moment;
  if (moment->op == NULL)
    return;
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (moment->lanes >> lane & 1)
      trace->since[moment->warp][lane] = moment->step;
  if (begin_with_notes(trace, "arrive"))
    fputs("}\n", trace->file);
}

static void write_leave(struct trace *trace, const struct warp *warp,
                        const struct op *op, uint32_t lanes) {
  uint32_t first = (uint32_t)__builtin_ctz(lanes);
  if (!begin_line(trace, "leave", trace->steps - 1))
    return;
  write_place(trace->file, trace, warp, op, lanes);
  fprintf(trace->file, ",\"since\":%" PRIu64, trace->since[warp->index][first]);
  write_results(trace, warp, op, lanes);
  fputs("}\n", trace->file);
}

static void write_last(struct trace *trace) {
  const struct op *op = trace->moment.op;
  if (op == NULL)
    return;
  if (op->kind == OP_COLLECTIVE)
    settle(trace);
  else if (begin_with_notes(trace, "fault"))
    fputs("}\n", trace->file);
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
  if (moment->op != NULL && moment->op == op && moment->warp == warp->index &&
      moment->lanes == lanes) {
    write_run(trace, warp, op, lanes);
  } else {
    settle(trace);
    write_leave(trace, warp, op, lanes);
  }
}

void trace_close(struct trace *trace) {
  if (trace == NULL)
    return;
  if (trace->file != NULL)
    fclose(trace->file);
  if (trace->notes != NULL)
    fclose(trace->notes);
  free(trace->text);
  free(trace);
}

struct trace *trace_open(const struct trace_setup *setup, char *message,
                         size_t size) {
  struct trace *trace = calloc(1, sizeof *trace);
  if (trace != NULL)
    trace->notes = open_memstream(&trace->text, &trace->length);
  if (trace != NULL && trace->notes != NULL)
    trace->file = fopen(setup->path, "w");
  if (trace == NULL || trace->file == NULL) {
    snprintf(message, size, "SIM_TRACE=%s cannot be written: %s", setup->path,
             strerror(errno));
    trace_close(trace);
    return NULL;
  }
  trace->setup = *setup;
  trace->observer = (struct sim_observer){
      .self = trace, .block = on_block, .step = on_step, .after = on_done};
  return trace;
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
