/* Decoding control flow: bra, call, ret, exit, trap, and what does nothing. */
#include <string.h>

#include "decoder.h"

static enum decode refuse(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          const char *message) {
  decoder_refuse(decoder, in, "%s", message);
  return DECODE_REFUSED;
}

static bool only_uni(const struct ptx_instruction *in) {
  return in->modifier_count == 0 ||
         (in->modifier_count == 1 && strcmp(in->modifier[0], "uni") == 0);
}

static enum decode decode_branch(struct decoder *decoder,
                                 const struct ptx_instruction *in,
                                 struct op *op) {
  if (!only_uni(in))
    return refuse(decoder, in, "only .uni is known here");
  if (in->operand_count != 1 || in->operand[0].kind != PTX_LABEL)
    return refuse(decoder, in, "one label is wanted");
  op->kind = OP_BRANCH;
  op->target = (uint32_t)in->operand[0].bits; /* an instruction, for now */
  return DECODE_DONE;
}

/* The list of results or of arguments of a call; an empty one if it has none.
 */
static const struct ptx_operand *call_part(const struct ptx_instruction *in,
                                           bool results) {
  static const struct ptx_operand none = {.kind = PTX_LIST};
  uint32_t callee = in->operand[0].kind == PTX_LIST ? 1 : 0;
  uint32_t wanted = results ? 0 : callee + 1;
  bool found =
      wanted < in->operand_count && in->operand[wanted].kind == PTX_LIST;
  return found ? &in->operand[wanted] : &none;
}

static enum decode decode_call(struct decoder *decoder,
                               const struct ptx_instruction *in,
                               struct op *op) {
  if (!only_uni(in))
    return refuse(decoder, in, "only .uni is known here");
  uint32_t callee = in->operand_count && in->operand[0].kind == PTX_LIST;
  if (callee >= in->operand_count || in->operand[callee].kind != PTX_FUNCTION)
    return refuse(decoder, in, "calls through a pointer are not simulated");
  op->kind = OP_CALL;
  op->target = in->operand[callee].index; /* a function, for now */
  const struct ptx_function *function = &decoder->module->functions[op->target];
  if (!function->defined && strcmp(function->name, "__assertfail") == 0) {
    op->kind = OP_TRAP; /* what the device's assert() calls */
    return DECODE_DONE;
  }
  if (!function->defined) {
    decoder_refuse(decoder, in, "function %.60s has no body in this module",
                   function->name);
    return DECODE_REFUSED;
  }
  op->d = decoder->frames[op->target].return_address;
  return DECODE_DONE;
}

static bool copy_local(struct warp *warp, const struct op *op, uint32_t mask) {
  uint64_t size = warp->block->local_size;
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (mask >> lane & 1)
      memcpy(warp->local + lane * size + op->d,
             warp->local + lane * size + op->a, op->width);
  return true;
}

static bool append_copy(struct decoder *decoder,
                        const struct ptx_instruction *in, uint32_t from,
                        uint32_t to) {
  const struct ptx_variable *source = &decoder->module->variables[from];
  const struct ptx_variable *target = &decoder->module->variables[to];
  if (source->size != target->size)
    return decoder_refuse(decoder, in, "%.40s and %.40s differ in size",
                          source->name, target->name);
  struct op op = {.run.warp = copy_local,
                  .kind = OP_HIDDEN,
                  .a = decoder->variable_offset[from],
                  .d = decoder->variable_offset[to],
                  .width = (uint32_t)source->size,
                  .source = in};
  if (in->guard >= 0) {
    const struct frame *frame = &decoder->frames[decoder->current];
    op.guard = frame->register_offset[in->guard];
    op.flip = in->guard_negated ? ~0u : 0;
  }
  return decoder_append(decoder, &op) != NULL;
}

static bool copy_each(struct decoder *decoder, const struct ptx_instruction *in,
                      const struct ptx_operand *ours, const uint32_t *theirs,
                      bool results) {
  for (uint32_t i = 0; i < ours->count; i++) {
    const struct ptx_operand *operand = &ours->elements[i];
    if (operand->kind != PTX_SYMBOL || operand->offset)
      return decoder_refuse(decoder, in, "only .param variables can be passed");
    uint32_t from = results ? theirs[i] : operand->index;
    uint32_t to = results ? operand->index : theirs[i];
    if (!append_copy(decoder, in, from, to))
      return false;
  }
  return true;
}

bool control_copies(struct decoder *decoder, const struct ptx_instruction *in,
                    bool results) {
  uint32_t callee = in->operand[0].kind == PTX_LIST ? 1 : 0;
  if (results && !callee)
    return true; /* thrown away */
  const struct ptx_function *function =
      &decoder->module->functions[in->operand[callee].index];
  uint32_t count = results ? function->return_count : function->parameter_count;
  const struct ptx_operand *ours = call_part(in, results);
  if (ours->count != count)
    return decoder_refuse(decoder, in, "%u %s, but %.60s has %u", ours->count,
                          results ? "results" : "arguments", function->name,
                          count);
  return copy_each(decoder, in, ours,
                   results ? function->returns : function->parameters, results);
}

static bool do_nothing(struct warp *warp, const struct op *op, uint32_t mask) {
  (void)warp, (void)op, (void)mask;
  return true;
}

static enum decode decode_end(struct decoder *decoder,
                              const struct ptx_instruction *in, struct op *op) {
  bool kernel = decoder->module->functions[decoder->current].is_entry;
  if (!only_uni(in) || in->operand_count != 0)
    return refuse(decoder, in, "no operands are known here");
  op->kind = OP_EXIT;
  if (strcmp(in->opcode, "ret") == 0 && !kernel) {
    op->kind = OP_RETURN;
    op->d = decoder->frames[decoder->current].return_address;
  }
  return DECODE_DONE;
}

enum decode control_decode(struct decoder *decoder,
                           const struct ptx_instruction *in, struct op *op) {
  const char *opcode = in->opcode;
  if (strcmp(opcode, "bra") == 0)
    return decode_branch(decoder, in, op);
  if (strcmp(opcode, "call") == 0)
    return decode_call(decoder, in, op);
  if (strcmp(opcode, "ret") == 0 || strcmp(opcode, "exit") == 0)
    return decode_end(decoder, in, op);
  if (strcmp(opcode, "trap") == 0 && in->modifier_count == 0) {
    op->kind = OP_TRAP;
    return DECODE_DONE;
  }
  if (strcmp(opcode, "nanosleep") == 0 && in->modifier_count == 1 &&
      strcmp(in->modifier[0], "u32") == 0) {
    op->kind = OP_WARP;
    op->run.warp = do_nothing;
    return DECODE_DONE;
  }
  return DECODE_OTHER;
}
