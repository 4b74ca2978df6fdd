/* Making a program: reach, place, decode, link. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic.h"
#include "decoder.h"
#include "memory.h"

static const struct ptx_function *function_at(const struct decoder *decoder,
                                              uint32_t index) {
  return &decoder->module->functions[index];
}

/* Reach: the functions of this program, and that none calls itself. */

static bool reach(struct decoder *decoder, uint32_t index, uint32_t depth);

static bool reach_operands(struct decoder *decoder,
                           const struct ptx_instruction *in, uint32_t depth) {
  for (uint32_t i = 0; i < in->operand_count; i++)
    if (in->operand[i].kind == PTX_FUNCTION) {
      if (depth > decoder->module->function_count)
        return decoder_refuse(decoder, in, "recursion is not simulated");
      if (!reach(decoder, in->operand[i].index, depth + 1))
        return false;
    }
  return true;
}

static bool reach(struct decoder *decoder, uint32_t index, uint32_t depth) {
  struct frame *frame = &decoder->frames[index];
  const struct ptx_function *function = function_at(decoder, index);
  if (!frame->wanted)
    decoder->order[decoder->order_count++] = index;
  else if (frame->finished)
    return true;
  frame->wanted = true;
  for (uint32_t i = 0; i < function->instruction_count; i++)
    if (!reach_operands(decoder, &function->instructions[i], depth))
      return false;
  frame->finished = true;
  return true;
}

/* Place: registers in the file; variables in shared and local memory. */

static void mark_operand(bool *used, const struct ptx_operand *operand) {
  if (operand->kind == PTX_SYMBOL ||
      (operand->kind == PTX_ADDRESS && operand->base == PTX_BASE_SYMBOL))
    used[operand->index] = true;
  for (uint32_t i = 0; i < operand->count; i++)
    mark_operand(used, &operand->elements[i]);
}

static void mark_used(const struct decoder *decoder, bool *used) {
  for (uint32_t f = 0; f < decoder->order_count; f++) {
    const struct ptx_function *function =
        function_at(decoder, decoder->order[f]);
    for (uint32_t i = 0; i < function->instruction_count; i++)
      for (uint32_t k = 0; k < function->instructions[i].operand_count; k++)
        mark_operand(used, &function->instructions[i].operand[k]);
  }
}

static uint32_t place(uint32_t *end, const struct ptx_variable *variable) {
  uint32_t align = variable->align ? variable->align : 1;
  *end = (*end + align - 1) / align * align;
  uint32_t offset = *end;
  *end += (uint32_t)variable->size;
  return offset;
}

static bool lives_in_local(const struct decoder *decoder,
                           const struct ptx_variable *variable) {
  if (variable->owner < 0 || !decoder->frames[variable->owner].wanted)
    return false;
  return variable->space == PTX_LOCAL ||
         (variable->space == PTX_PARAM &&
          variable->role != PTX_KERNEL_PARAMETER);
}

static bool place_variables(struct decoder *decoder, const bool *used) {
  struct program *program = decoder->program;
  const struct ptx_module *module = decoder->module;
  for (uint32_t i = 0; i < module->variable_count; i++) {
    const struct ptx_variable *variable = &module->variables[i];
    uint64_t most = 1u << 24;
    if (variable->size > most && variable->space != PTX_GLOBAL)
      continue; /* refused below, when it is used */
    uint32_t *offset = &decoder->variable_offset[i];
    if (variable->space == PTX_SHARED && used[i] && variable->size > 0)
      *offset = place(&program->shared_bytes, variable);
    else if (lives_in_local(decoder, variable))
      *offset = place(&program->local_bytes, variable);
  }
  program->local_bytes = (program->local_bytes + 15) & ~15u;
  uint32_t dynamic = (program->shared_bytes + 15) & ~15u;
  for (uint32_t i = 0; i < module->variable_count; i++)
    if (module->variables[i].space == PTX_SHARED && !module->variables[i].size)
      decoder->variable_offset[i] = dynamic;
  return true;
}

static bool place_parameters(struct decoder *decoder) {
  struct program *program = decoder->program;
  const struct ptx_function *kernel = function_at(decoder, program->entry);
  uint32_t count = kernel->parameter_count;
  program->parameter_offset = calloc(count + 1, sizeof(uint32_t));
  program->parameter_size = calloc(count + 1, sizeof(uint32_t));
  if (!program->parameter_offset || !program->parameter_size)
    return false;
  program->parameter_count = count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index = kernel->parameters[i];
    const struct ptx_variable *variable = &decoder->module->variables[index];
    uint32_t offset = place(&program->parameter_bytes, variable);
    decoder->variable_offset[index] = offset;
    program->parameter_offset[i] = offset;
    program->parameter_size[i] = (uint32_t)variable->size;
  }
  return true;
}

static uint32_t register_bytes(enum ptx_type type) {
  uint32_t bytes = ptx_type_size(type);
  return type == PTX_PRED ? 4 : bytes < 2 ? 2 * LANES : bytes * LANES;
}

static bool place_registers(struct decoder *decoder, uint32_t index) {
  const struct ptx_function *function = function_at(decoder, index);
  struct frame *frame = &decoder->frames[index];
  uint32_t count = function->register_count;
  frame->register_offset = calloc(count + 1, sizeof(uint32_t));
  frame->op_of = calloc(function->instruction_count + 1, sizeof(uint32_t));
  if (!frame->register_offset || !frame->op_of)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    enum ptx_type type = function->registers[i].type;
    frame->register_offset[i] = decoder_take(decoder, register_bytes(type));
    decoder->program->register_words += ptx_type_size(type) > 4 ? 2 : 1;
  }
  if (!function->is_entry)
    frame->return_address = decoder_take(decoder, 4 * LANES);
  return true;
}

/* Decode: each instruction by the unit that knows it. */

static enum decode decode_any(struct decoder *decoder,
                              const struct ptx_instruction *in, struct op *op) {
  typedef enum decode unit(struct decoder *, const struct ptx_instruction *,
                           struct op *);
  static unit *const units[] = {arithmetic_decode, memory_decode,
                                collective_decode, control_decode};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    enum decode answer = units[i](decoder, in, op);
    if (answer != DECODE_OTHER || decoder->failed)
      return answer;
  }
  decoder_refuse(decoder, in, "the simulator does not know this instruction");
  return DECODE_REFUSED;
}

static bool decode_guard(struct decoder *decoder,
                         const struct ptx_instruction *in, struct op *op) {
  if (in->guard < 0)
    return true;
  struct ptx_operand guard = {.kind = PTX_REGISTER,
                              .index = (uint32_t)in->guard};
  op->flip = in->guard_negated ? ~0u : 0;
  return decoder_source(decoder, in, &guard, PTX_PRED, &op->guard);
}

static bool check_sizes(struct decoder *decoder,
                        const struct ptx_instruction *in) {
  for (uint32_t i = 0; i < in->operand_count; i++) {
    const struct ptx_operand *operand = &in->operand[i];
    if (operand->kind != PTX_SYMBOL &&
        (operand->kind != PTX_ADDRESS || operand->base != PTX_BASE_SYMBOL))
      continue;
    const struct ptx_variable *variable =
        &decoder->module->variables[operand->index];
    if (variable->size > 1u << 24 && variable->space != PTX_GLOBAL)
      return decoder_refuse(decoder, in, "variable %.60s is too large",
                            variable->name);
  }
  return true;
}

static bool decode_one(struct decoder *decoder,
                       const struct ptx_instruction *in) {
  struct op op = {.source = in};
  uint32_t first_access = decoder->access_count;
  if (!decode_guard(decoder, in, &op) || !check_sizes(decoder, in))
    return false;
  if (decode_any(decoder, in, &op) != DECODE_DONE || decoder->failed)
    return false;
  if (op.kind == OP_CALL && !control_copies(decoder, in, false))
    return false;
  for (uint32_t i = first_access; i < decoder->access_count; i++)
    decoder->accesses[i].op = decoder->program->op_count;
  if (!decoder_append(decoder, &op))
    return false;
  return op.kind != OP_CALL || control_copies(decoder, in, true);
}

static bool decode_function(struct decoder *decoder, uint32_t index) {
  const struct ptx_function *function = function_at(decoder, index);
  struct frame *frame = &decoder->frames[index];
  struct program *program = decoder->program;
  decoder->current = index;
  frame->first_op = program->op_count;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    frame->op_of[i] = program->op_count;
    if (!decode_one(decoder, &function->instructions[i]))
      return false;
  }
  frame->op_of[function->instruction_count] = program->op_count;
  struct op end = {.kind = function->is_entry ? OP_EXIT : OP_RETURN,
                   .d = frame->return_address};
  if (function->instruction_count)
    end.source = &function->instructions[function->instruction_count - 1];
  if (!decoder_append(decoder, &end))
    return false;
  frame->op_end = program->op_count;
  return true;
}

/* Link: targets become indices of ops. */

static bool is_constant(const struct program *program, uint32_t offset) {
  for (uint32_t i = 0; i < program->constant_count; i++)
    if (program->constants[i].offset == offset)
      return true;
  return false;
}

static void link_function(struct decoder *decoder, uint32_t index) {
  const struct frame *frame = &decoder->frames[index];
  for (uint32_t i = frame->first_op; i < frame->op_end; i++) {
    struct op *op = &decoder->program->ops[i];
    if (op->kind == OP_BRANCH)
      op->target = frame->op_of[op->target];
    else if (op->kind == OP_COLLECTIVE)
      op->absolute = is_constant(decoder->program, op->f);
    else if (op->kind == OP_CALL)
      op->target = decoder->frames[op->target].first_op;
  }
}

static bool is_shared(const struct ptx_instruction *in) {
  return instruction_has(in, "shared") || instruction_has(in, "shared::cta");
}

static bool run_approximate(struct warp *warp, const struct op *op,
                            uint32_t mask) {
  warp->counters->approximate++;
  op->approximate(warp->regs, op, mask);
  return true;
}

/* An op that is not exact is counted whenever it runs. */
static void note_approximate(struct op *op) {
  op->approximate = op->run.lanes;
  op->run.warp = run_approximate;
  op->kind = OP_WARP;
}

static bool is_fence(const struct op *op) {
  return strcmp(op->source->opcode, "membar") == 0 ||
         strcmp(op->source->opcode, "fence") == 0;
}

/* May two accesses of this kind meet? Those with a memory order may; volatile
 * ones only in a program that uses fences, or every spin would be a race. */
static bool is_strong(const struct op *op, bool fences) {
  return op->flags & MEMORY_STRONG &&
         (fences || !instruction_has(op->source, "volatile"));
}

static void note_access(struct program *program, struct op *op, bool fences) {
  const struct ptx_instruction *in = op->source;
  bool shared = is_shared(in);
  bool may_be_shared = shared || op->space == PTX_GENERIC;
  if (strcmp(in->opcode, "atom") == 0 || strcmp(in->opcode, "red") == 0) {
    op->access = may_be_shared ? ACCESS_ATOMIC : ACCESS_FENCE;
    program->has_atomics |= !shared;
  } else if (is_fence(op)) {
    op->access = ACCESS_FENCE;
  } else if (may_be_shared) {
    op->access = strcmp(in->opcode, "ld") == 0   ? ACCESS_READ
                 : strcmp(in->opcode, "st") == 0 ? ACCESS_WRITE
                                                 : 0;
    if (op->access && is_strong(op, fences))
      op->access |= ACCESS_STRONG;
  }
}

static void note_accesses(struct program *program) {
  bool fences = false;
  for (uint32_t i = 0; i < program->op_count; i++)
    fences |= program->ops[i].kind == OP_WARP && is_fence(&program->ops[i]);
  for (uint32_t i = 0; i < program->op_count; i++) {
    struct op *op = &program->ops[i];
    if (op->kind == OP_LANES && op->flags & ARITHMETIC_APPROXIMATE)
      note_approximate(op);
    else if (op->kind == OP_WARP)
      note_access(program, op, fences);
  }
}

static bool build(struct decoder *decoder) {
  struct program *program = decoder->program;
  bool *used = calloc(decoder->module->variable_count + 1, sizeof *used);
  if (!used)
    return false;
  decoder_take(decoder, 64); /* offset 0: the predicate that is always true */
  decoder->sink = decoder_take(decoder, 8 * LANES);
  bool good = reach(decoder, program->entry, 0);
  if (good) {
    mark_used(decoder, used);
    good = place_variables(decoder, used) && place_parameters(decoder);
  }
  free(used);
  for (uint32_t i = 0; good && i < decoder->order_count; i++)
    good = place_registers(decoder, decoder->order[i]);
  for (uint32_t i = 0; good && i < decoder->order_count; i++)
    good = decode_function(decoder, decoder->order[i]);
  for (uint32_t i = 0; good && i < decoder->order_count; i++)
    link_function(decoder, decoder->order[i]);
  if (good)
    note_accesses(program);
  return good && liveness_find(decoder);
}

static void decoder_free(struct decoder *decoder) {
  for (uint32_t i = 0; decoder->frames && i < decoder->module->function_count;
       i++) {
    free(decoder->frames[i].register_offset);
    free(decoder->frames[i].op_of);
  }
  free(decoder->frames);
  free(decoder->variable_offset);
  free(decoder->accesses);
  free(decoder->order);
}

static bool program_build(struct program *program, const uint64_t *addresses,
                          struct ptx_error *error) {
  const struct ptx_module *module = program->module;
  struct decoder decoder = {
      .program = program,
      .module = module,
      .addresses = addresses,
      .error = error,
      .frames = calloc(module->function_count + 1, sizeof(struct frame)),
      .variable_offset = calloc(module->variable_count + 1, sizeof(uint32_t)),
      .order = calloc(module->function_count + 1, sizeof(uint32_t))};
  bool good = decoder.frames && decoder.variable_offset && decoder.order &&
              build(&decoder);
  decoder_free(&decoder);
  return good;
}

struct program *program_create(const struct ptx_module *module, uint32_t entry,
                               const uint64_t *addresses,
                               struct ptx_error *error) {
  *error = (struct ptx_error){.status = PTX_OK};
  struct program *program = calloc(1, sizeof *program);
  if (program) {
    program->module = module;
    program->entry = entry;
    if (program_build(program, addresses, error))
      return program;
  }
  if (error->status == PTX_OK)
    *error =
        (struct ptx_error){.status = PTX_NO_MEMORY, .message = "out of memory"};
  program_free(program);
  return NULL;
}

void program_free(struct program *program) {
  if (!program)
    return;
  free(program->ops);
  free(program->constants);
  free(program->specials);
  free(program->zeroed);
  free(program->parameter_offset);
  free(program->parameter_size);
  free(program);
}
