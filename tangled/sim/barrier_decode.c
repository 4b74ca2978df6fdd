/* Decoding bar and barrier: sync, arrive, red. */
#include <string.h>

#include "barrier.h"
#include "barrier_decode.h"

struct form {
  const char *modifier[3]; /* what is left without .cta and .aligned */
  enum barrier_kind kind;
  enum ptx_type result;
};

static const struct form forms[] = {
    {{"sync"}, BARRIER_SYNC, PTX_NO_TYPE},
    {{"arrive"}, BARRIER_ARRIVE, PTX_NO_TYPE},
    {{"red", "popc", "u32"}, BARRIER_RED_POPC, PTX_U32},
    {{"red", "and", "pred"}, BARRIER_RED_AND, PTX_PRED},
    {{"red", "or", "pred"}, BARRIER_RED_OR, PTX_PRED},
};

static bool is(const char *one, const char *other) {
  return strcmp(one, other) == 0;
}

static uint32_t strip(const struct ptx_instruction *in, const char **left,
                      bool *aligned) {
  bool named = is(in->opcode, "barrier");
  uint32_t count = 0;
  *aligned = !named;
  for (uint32_t i = 0; i < in->modifier_count; i++) {
    if (i == 0 && is(in->modifier[i], "cta"))
      continue;
    if (named && count && !*aligned && is(in->modifier[i], "aligned"))
      *aligned = true;
    else
      left[count++] = in->modifier[i];
  }
  return count;
}

static bool fits(const struct form *form, const char *const *left,
                 uint32_t count) {
  uint32_t wanted = form->result == PTX_NO_TYPE ? 1 : 3;
  for (uint32_t i = 0; i < wanted && count == wanted; i++)
    if (!is(form->modifier[i], left[i]))
      return false;
  return count == wanted;
}

static const struct form *find(const struct ptx_instruction *in,
                               bool *aligned) {
  const char *left[PTX_MODIFIERS];
  uint32_t count = strip(in, left, aligned);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (fits(&forms[i], left, count))
      return &forms[i];
  return NULL;
}

static bool decode_operands(struct decoder *decoder,
                            const struct ptx_instruction *in,
                            const struct form *form, struct op *op) {
  bool reduces = form->result != PTX_NO_TYPE;
  const struct ptx_operand *a = in->operand + reduces;
  uint32_t numbers = in->operand_count - 2 * reduces;
  op->flags |= numbers == 2 ? BARRIER_COUNTED : 0;
  if (reduces && !decoder_source(decoder, in, a + numbers, PTX_PRED, &op->c))
    return false;
  if (numbers == 2 && !decoder_source(decoder, in, a + 1, PTX_U32, &op->b))
    return false;
  if (!decoder_source(decoder, in, a, PTX_U32, &op->a))
    return false;
  return !reduces ||
         decoder_destination(decoder, in, in->operand, form->result, &op->d);
}

static const char *misshapen(const struct ptx_instruction *in,
                             const struct form *form) {
  uint32_t others = form->result == PTX_NO_TYPE ? 0 : 2;
  uint32_t fewest = others + (form->kind == BARRIER_ARRIVE ? 2 : 1);
  if (in->operand_count == others + 1 && in->operand_count < fewest)
    return "arrive must say how many threads the barrier waits for";
  if (in->operand_count < fewest || in->operand_count > others + 2)
    return "this is not its number of operands";
  for (uint32_t i = 0; i < in->operand_count; i++)
    if (in->operand[i].pair)
      return "no `|p` can be written here";
  return NULL;
}

static enum decode refuse(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          const char *message) {
  decoder_refuse(decoder, in, "%s", message);
  return DECODE_REFUSED;
}

static enum decode decode_form(struct decoder *decoder,
                               const struct ptx_instruction *in,
                               const struct form *form, bool aligned,
                               struct op *op) {
  const char *complaint = misshapen(in, form);
  if (complaint)
    return refuse(decoder, in, complaint);
  op->kind = OP_BARRIER;
  op->variant = (uint8_t)form->kind;
  op->flags = aligned ? BARRIER_ALIGNED : 0;
  op->type = (uint8_t)form->result;
  return decode_operands(decoder, in, form, op) ? DECODE_DONE : DECODE_REFUSED;
}

enum decode barrier_decode(struct decoder *decoder,
                           const struct ptx_instruction *in, struct op *op) {
  bool aligned = false;
  if (!is(in->opcode, "bar") && !is(in->opcode, "barrier"))
    return DECODE_OTHER;
  const struct form *form = find(in, &aligned);
  if (form)
    return decode_form(decoder, in, form, aligned, op);
  return refuse(decoder, in,
                instruction_has(in, "cluster")
                    ? "clusters of blocks are not simulated"
                    : "no such form is known");
}
