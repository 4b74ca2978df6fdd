/* The decoder's services: where an operand lives in the register file. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder.h"

bool decoder_grow(void **array, uint32_t *capacity, uint32_t count,
                  size_t size) {
  if (count <= *capacity)
    return true;
  uint32_t larger = *capacity ? *capacity * 2 : 64;
  while (larger < count)
    larger *= 2;
  void *moved = realloc(*array, larger * size);
  if (!moved)
    return false;
  *array = moved;
  *capacity = larger;
  return true;
}

static void decoder_starve(struct decoder *decoder) {
  if (!decoder->failed)
    *decoder->error =
        (struct ptx_error){.status = PTX_NO_MEMORY, .message = "out of memory"};
  decoder->failed = true;
}

bool decoder_refuse(struct decoder *decoder, const struct ptx_instruction *in,
                    const char *format, ...) {
  if (decoder->failed)
    return false;
  decoder->failed = true;
  struct ptx_error *error = decoder->error;
  error->status = PTX_BAD_SYNTAX;
  error->line = in->line;
  int length =
      snprintf(error->message, sizeof error->message, "%.80s: ", in->text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message + length, sizeof error->message - (size_t)length,
            format, arguments);
  va_end(arguments);
  return false;
}

uint32_t decoder_take(struct decoder *decoder, uint32_t bytes) {
  uint32_t *end = &decoder->program->file_bytes;
  uint32_t align = bytes < 64 ? 4 : 64;
  *end = (*end + align - 1) & ~(align - 1);
  uint32_t offset = *end;
  *end += bytes;
  return offset;
}

struct op *decoder_append(struct decoder *decoder, const struct op *op) {
  struct program *program = decoder->program;
  void *ops = program->ops;
  if (!decoder_grow(&ops, &decoder->op_capacity, program->op_count + 1,
                    sizeof *op)) {
    decoder_starve(decoder);
    return NULL;
  }
  program->ops = ops;
  program->ops[program->op_count] = *op;
  return &program->ops[program->op_count++];
}

uint32_t decoder_constant(struct decoder *decoder, uint8_t bytes,
                          uint64_t bits) {
  struct program *program = decoder->program;
  for (uint32_t i = 0; i < program->constant_count; i++)
    if (program->constants[i].bytes == bytes &&
        program->constants[i].bits == bits)
      return program->constants[i].offset;
  void *constants = program->constants;
  if (!decoder_grow(&constants, &decoder->constant_capacity,
                    program->constant_count + 1, sizeof(struct constant))) {
    decoder_starve(decoder);
    return 0;
  }
  program->constants = constants;
  uint32_t offset = decoder_take(decoder, bytes ? bytes * LANES : 4u);
  program->constants[program->constant_count++] =
      (struct constant){.offset = offset, .bytes = bytes, .bits = bits};
  return offset;
}

static uint32_t slot_bytes(enum ptx_type type) {
  uint32_t bytes = ptx_type_size(type);
  return type == PTX_PRED ? 0 : bytes < 2 ? 2 : bytes;
}

static void decoder_note(struct decoder *decoder, uint32_t offset,
                         uint32_t bytes, bool write) {
  void *accesses = decoder->accesses;
  if (!decoder_grow(&accesses, &decoder->access_capacity,
                    decoder->access_count + 1, sizeof(struct access))) {
    decoder_starve(decoder);
    return;
  }
  decoder->accesses = accesses;
  decoder->accesses[decoder->access_count++] =
      (struct access){.op = decoder->program->op_count,
                      .offset = offset,
                      .bytes = bytes ? bytes * LANES : 4,
                      .write = write};
}

static const struct ptx_register *
operand_register(const struct decoder *decoder,
                 const struct ptx_operand *operand) {
  if (operand->kind != PTX_REGISTER)
    return NULL;
  return &decoder->module->functions[decoder->current]
              .registers[operand->index];
}

enum ptx_type decoder_register_type(const struct decoder *decoder,
                                    const struct ptx_operand *operand) {
  const struct ptx_register *found = operand_register(decoder, operand);
  return found ? found->type : PTX_NO_TYPE;
}

uint32_t decoder_register_bytes(const struct decoder *decoder,
                                const struct ptx_operand *operand) {
  enum ptx_type type = decoder_register_type(decoder, operand);
  return type == PTX_NO_TYPE ? 0 : slot_bytes(type);
}

static bool register_fits(enum ptx_type have, enum ptx_type want, bool wide) {
  if (have == PTX_PRED || want == PTX_PRED)
    return have == want;
  return wide ? slot_bytes(have) >= slot_bytes(want)
              : slot_bytes(have) == slot_bytes(want);
}

static bool use_register(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         bool wide, bool write, uint32_t *offset) {
  const struct ptx_register *found = operand_register(decoder, operand);
  if (!register_fits(found->type, type, wide))
    return decoder_refuse(
        decoder, in, "register %.40s is %s, the instruction wants %s",
        found->name, ptx_type_name(found->type), ptx_type_name(type));
  *offset = decoder->frames[decoder->current].register_offset[operand->index];
  decoder_note(decoder, *offset, slot_bytes(found->type), write);
  return !decoder->failed;
}

static bool invert(struct warp *warp, const struct op *op, uint32_t mask) {
  (void)mask;
  uint32_t bits;
  memcpy(&bits, warp->regs + op->a, sizeof bits);
  bits = ~bits;
  memcpy(warp->regs + op->d, &bits, sizeof bits);
  return true;
}

static bool read_clock(struct warp *warp, const struct op *op, uint32_t mask) {
  (void)mask;
  uint64_t now = warp->counters->instructions;
  for (int i = 0; i < LANES; i++)
    if (op->bytes == 8)
      memcpy(warp->regs + op->d + 8 * i, &now, 8);
    else
      memcpy(warp->regs + op->d + 4 * i, &now, 4);
  warp->counters->approximate++;
  return true;
}

static bool negate(struct decoder *decoder, const struct ptx_instruction *in,
                   uint32_t *offset) {
  struct op op = {.run.warp = invert,
                  .kind = OP_HIDDEN,
                  .a = *offset,
                  .d = decoder_take(decoder, 4),
                  .source = in};
  *offset = op.d;
  return decoder_append(decoder, &op) != NULL;
}

static bool is_clock(enum ptx_special special) {
  return special == PTX_CLOCK || special == PTX_CLOCK64;
}

/* What could only be guessed, such as the time, is refused by name. */
static bool is_simulated(enum ptx_special which) {
  return which != PTX_GLOBALTIMER && which != PTX_CLOCK_HI &&
         which != PTX_RESERVED_SMEM_OFFSET && which != PTX_CLUSTER &&
         which != PTX_ENVREG && which != PTX_PM;
}

static uint32_t special_slot(struct decoder *decoder, enum ptx_special which,
                             uint8_t part, uint32_t bytes) {
  struct program *program = decoder->program;
  for (uint32_t i = 0; i < program->special_count; i++)
    if (program->specials[i].which == which &&
        program->specials[i].part == part)
      return program->specials[i].offset;
  void *specials = program->specials;
  if (!decoder_grow(&specials, &decoder->special_capacity,
                    program->special_count + 1, sizeof(struct special))) {
    decoder_starve(decoder);
    return 0;
  }
  program->specials = specials;
  uint32_t offset = decoder_take(decoder, bytes * LANES);
  program->specials[program->special_count++] =
      (struct special){.offset = offset, .which = which, .part = part};
  return offset;
}

static bool use_special(struct decoder *decoder,
                        const struct ptx_instruction *in,
                        const struct ptx_operand *operand, enum ptx_type type,
                        uint32_t *offset) {
  enum ptx_special which = operand->special;
  if (!is_simulated(which))
    return decoder_refuse(decoder, in,
                          "this special register is not simulated");
  uint32_t bytes = which == PTX_CLOCK64 ? 8 : 4;
  if (type == PTX_PRED || slot_bytes(type) != bytes)
    return decoder_refuse(decoder, in,
                          "the special register has %u bits, not those of %s",
                          bytes * 8, ptx_type_name(type));
  *offset = special_slot(decoder, which, operand->part, bytes);
  if (!is_clock(which))
    return !decoder->failed;
  struct op op = {.run.warp = read_clock,
                  .kind = OP_HIDDEN,
                  .d = *offset,
                  .bytes = (uint8_t)bytes,
                  .source = in};
  return decoder_append(decoder, &op) != NULL;
}

static uint64_t symbol_address(const struct decoder *decoder, uint32_t index) {
  enum ptx_space space = decoder->module->variables[index].space;
  if (space == PTX_GLOBAL || space == PTX_CONST)
    return decoder->addresses[index];
  return decoder->variable_offset[index];
}

static bool check_literal(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          enum ptx_operand_kind kind, enum ptx_type type) {
  uint32_t bytes = slot_bytes(type);
  bool floating = type == PTX_F32 || type == PTX_F64;
  bool good = kind == PTX_INTEGER   ? !floating
              : kind == PTX_FLOAT32 ? bytes == 4
                                    : bytes == 4 || bytes == 8;
  static const char *const names[] = {[PTX_INTEGER] = "an integer",
                                      [PTX_FLOAT32] = "a 32-bit literal",
                                      [PTX_FLOAT64] = "a floating literal"};
  return good || decoder_refuse(decoder, in, "%s where %s is wanted",
                                names[kind], ptx_type_name(type));
}

static uint64_t narrow(uint64_t bits) {
  double wide;
  memcpy(&wide, &bits, sizeof wide);
  float value = (float)wide;
  uint32_t narrow_bits;
  memcpy(&narrow_bits, &value, sizeof narrow_bits);
  return narrow_bits;
}

static bool use_immediate(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          const struct ptx_operand *operand, enum ptx_type type,
                          uint32_t *offset) {
  uint64_t bits = operand->bits;
  uint32_t bytes = slot_bytes(type);
  if (!check_literal(decoder, in, operand->kind, type))
    return false;
  if (type == PTX_PRED)
    bits = bits ? 0xffffffffu : 0;
  else if (operand->kind == PTX_FLOAT64 && bytes == 4)
    bits = narrow(bits);
  else if (bytes < 8)
    bits &= (1ULL << (8 * bytes)) - 1;
  *offset = decoder_constant(decoder, (uint8_t)bytes, bits);
  return !decoder->failed;
}

static bool use_symbol(struct decoder *decoder,
                       const struct ptx_instruction *in,
                       const struct ptx_operand *operand, enum ptx_type type,
                       uint32_t *offset) {
  uint32_t bytes = slot_bytes(type);
  if (bytes < 4)
    return decoder_refuse(decoder, in, "an address does not fit in %s",
                          ptx_type_name(type));
  uint64_t address =
      symbol_address(decoder, operand->index) + (uint64_t)operand->offset;
  if (bytes == 4)
    address &= 0xffffffffu;
  *offset = decoder_constant(decoder, (uint8_t)bytes, address);
  return !decoder->failed;
}

static bool use_source(struct decoder *decoder,
                       const struct ptx_instruction *in,
                       const struct ptx_operand *operand, enum ptx_type type,
                       bool wide, uint32_t *offset) {
  bool predicate = operand->kind == PTX_REGISTER && type == PTX_PRED;
  if (operand->negated && !predicate)
    return decoder_refuse(decoder, in, "`!` before what is no predicate");
  switch (operand->kind) {
  case PTX_REGISTER:
    if (!use_register(decoder, in, operand, type, wide, false, offset))
      return false;
    return !operand->negated || negate(decoder, in, offset);
  case PTX_INTEGER:
  case PTX_FLOAT32:
  case PTX_FLOAT64:
    return use_immediate(decoder, in, operand, type, offset);
  case PTX_SPECIAL_REGISTER:
    return use_special(decoder, in, operand, type, offset);
  case PTX_SYMBOL:
    return use_symbol(decoder, in, operand, type, offset);
  default:
    return decoder_refuse(decoder, in, "an operand that cannot be read here");
  }
}

bool decoder_source(struct decoder *decoder, const struct ptx_instruction *in,
                    const struct ptx_operand *operand, enum ptx_type type,
                    uint32_t *offset) {
  return use_source(decoder, in, operand, type, false, offset);
}

bool decoder_source_wide(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         uint32_t *offset) {
  return use_source(decoder, in, operand, type, true, offset);
}

static bool use_destination(struct decoder *decoder,
                            const struct ptx_instruction *in,
                            const struct ptx_operand *operand,
                            enum ptx_type type, bool wide, uint32_t *offset) {
  *offset = decoder->sink;
  if (operand->kind == PTX_SINK)
    return true;
  if (operand->kind != PTX_REGISTER || operand->negated)
    return decoder_refuse(decoder, in, "the destination is no register");
  return use_register(decoder, in, operand, type, wide, true, offset);
}

bool decoder_destination(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         uint32_t *offset) {
  return use_destination(decoder, in, operand, type, false, offset);
}

bool decoder_destination_wide(struct decoder *decoder,
                              const struct ptx_instruction *in,
                              const struct ptx_operand *operand,
                              enum ptx_type type, uint32_t *offset) {
  return use_destination(decoder, in, operand, type, true, offset);
}

static bool use_base(struct decoder *decoder, const struct ptx_instruction *in,
                     uint32_t index, struct op *op) {
  struct ptx_operand base = {.kind = PTX_REGISTER, .index = index};
  uint32_t bytes = decoder_register_bytes(decoder, &base);
  if (bytes < 4)
    return decoder_refuse(decoder, in,
                          "the address register is not 32 or 64"
                          " bits wide");
  op->flags |= bytes == 8 ? ADDRESS_64 : 0;
  return use_register(decoder, in, &base, bytes == 8 ? PTX_B64 : PTX_B32, false,
                      false, &op->a);
}

bool decoder_address(struct decoder *decoder, const struct ptx_instruction *in,
                     const struct ptx_operand *operand, struct op *op,
                     enum ptx_space *symbol_space, bool *kernel_parameter) {
  *symbol_space = PTX_GENERIC;
  *kernel_parameter = false;
  if (operand->kind != PTX_ADDRESS)
    return decoder_refuse(decoder, in, "an address in [brackets] is wanted");
  op->offset = operand->offset;
  op->absolute = operand->base != PTX_BASE_REGISTER;
  if (!op->absolute)
    return use_base(decoder, in, operand->index, op);
  if (operand->base == PTX_BASE_SYMBOL) {
    const struct ptx_variable *variable =
        &decoder->module->variables[operand->index];
    *symbol_space = variable->space;
    *kernel_parameter = variable->role == PTX_KERNEL_PARAMETER;
    op->offset += (int64_t)symbol_address(decoder, operand->index);
  }
  return true;
}

bool instruction_has(const struct ptx_instruction *in, const char *modifier) {
  for (uint32_t i = 0; i < in->modifier_count; i++)
    if (strcmp(in->modifier[i], modifier) == 0)
      return true;
  return false;
}
