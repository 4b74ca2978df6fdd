/* A decoder for tests of the arithmetic unit: an instruction is a line of text
 * and a word of operand kinds (tests/hardware/arithmetic.h); operand i lives at
 * a fixed place of a small register file. */
#ifndef SHUFFLE_LADDER_TEST_STUB_H
#define SHUFFLE_LADDER_TEST_STUB_H

#include <stdarg.h>
#include <stdlib.h>

#include "../../tangled/sim/arithmetic.h"
#include "../hardware/arithmetic.h"
#include "../tap.h"

enum { SLOTS = 10, SLOT_BYTES = 256, SINK_SLOT = 9 };
enum { OPERAND_BASE = 64, FILE_BYTES = OPERAND_BASE + SLOTS * SLOT_BYTES };

struct decoder {
  char message[200];
  char word[128]; /* the instruction's text, cut at its dots */
  const char *kinds;
  struct ptx_instruction in;
  struct ptx_operand pair, elements[4];
};

static uint32_t slot_offset(uint32_t i) {
  return OPERAND_BASE + i * SLOT_BYTES;
}

bool decoder_refuse(struct decoder *decoder, const struct ptx_instruction *in,
                    const char *format, ...) {
  va_list arguments;
  (void)in;
  va_start(arguments, format);
  vsnprintf(decoder->message, sizeof decoder->message, format, arguments);
  va_end(arguments);
  return false;
}

uint32_t decoder_register_bytes(const struct decoder *decoder,
                                const struct ptx_operand *operand) {
  return operand->kind == PTX_REGISTER
             ? trial_bytes(decoder->kinds[operand->index])
             : 0;
}

static uint32_t type_bytes(enum ptx_type type) {
  uint32_t bytes = ptx_type_size(type);
  return type == PTX_PRED ? 0 : bytes < 2 ? 2 : bytes;
}

static bool stub_fit(struct decoder *decoder, const struct ptx_operand *operand,
                     enum ptx_type type, bool wide, uint32_t *offset) {
  uint32_t bytes = decoder_register_bytes(decoder, operand);
  *offset = slot_offset(operand->kind == PTX_SINK ? SINK_SLOT : operand->index);
  if (operand->kind == PTX_SINK)
    return true;
  if (operand->kind != PTX_REGISTER)
    return decoder_refuse(decoder, NULL, "no register");
  if (bytes == type_bytes(type) || (wide && bytes > type_bytes(type)))
    return true;
  return decoder_refuse(decoder, NULL, "operand of %u bytes for %s", bytes,
                        ptx_type_name(type));
}

bool decoder_source(struct decoder *decoder, const struct ptx_instruction *in,
                    const struct ptx_operand *operand, enum ptx_type type,
                    uint32_t *offset) {
  (void)in;
  return stub_fit(decoder, operand, type, false, offset);
}

bool decoder_source_wide(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         uint32_t *offset) {
  (void)in;
  return stub_fit(decoder, operand, type, true, offset);
}

bool decoder_destination(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         uint32_t *offset) {
  (void)in;
  return stub_fit(decoder, operand, type, false, offset);
}

bool decoder_destination_wide(struct decoder *decoder,
                              const struct ptx_instruction *in,
                              const struct ptx_operand *operand,
                              enum ptx_type type, uint32_t *offset) {
  (void)in;
  return stub_fit(decoder, operand, type, true, offset);
}

bool instruction_has(const struct ptx_instruction *in, const char *modifier) {
  for (uint32_t i = 0; i < in->modifier_count; i++)
    if (strcmp(in->modifier[i], modifier) == 0)
      return true;
  return false;
}

/* Cuts the text and gives every kind an operand: `#171` a constant, the kind
 * after a P the destination's partner in slot 8. */
static inline void stub_parse(struct decoder *stub, const char *text,
                              const char *kinds) {
  struct ptx_instruction *in = &stub->in;
  memset(stub, 0, sizeof *stub);
  snprintf(stub->word, sizeof stub->word, "%s", text);
  stub->kinds = kinds;
  in->text = text;
  in->guard = -1;
  in->opcode = stub->word;
  for (char *dot = strchr(stub->word, '.'); dot; dot = strchr(dot + 1, '.')) {
    *dot = 0;
    in->modifier[in->modifier_count++] = dot + 1;
  }
  for (uint32_t i = 0; kinds[i] && kinds[i] != '#'; i++)
    in->operand[in->operand_count++] =
        (struct ptx_operand){.kind = PTX_REGISTER, .index = i};
  if (strchr(kinds, '#'))
    in->operand[in->operand_count++] = (struct ptx_operand){
        .kind = PTX_INTEGER, .bits = strtoull(strchr(kinds, '#') + 1, NULL, 0)};
  stub->pair = (struct ptx_operand){.kind = PTX_SINK};
  if (kinds[0] == 'P')
    in->operand[0].pair = &stub->pair;
}

static inline enum decode stub_decode(struct decoder *stub, struct op *op) {
  *op = (struct op){.source = &stub->in};
  return arithmetic_decode(stub, &stub->in, op);
}

/* Lane `i` of a slot whose operand has this kind. */
static inline void lane_put(unsigned char *regs, uint32_t slot, char kind,
                            int i, uint64_t value) {
  uint32_t bytes = trial_bytes(kind), bits;
  unsigned char *array = regs + slot_offset(slot);
  if (bytes) {
    memcpy(array + (size_t)i * bytes, &value, bytes);
    return;
  }
  memcpy(&bits, array, sizeof bits);
  bits = (bits & ~(1u << i)) | (uint32_t)(value & 1) << i;
  memcpy(array, &bits, sizeof bits);
}

static inline uint64_t lane_get(const unsigned char *regs, uint32_t slot,
                                char kind, int i) {
  uint64_t value = 0;
  uint32_t bytes = trial_bytes(kind);
  memcpy(&value, regs + slot_offset(slot) + (size_t)i * bytes,
         bytes ? bytes : 4);
  return bytes ? value : value >> i & 1;
}

#endif
