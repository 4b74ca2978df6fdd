/* Decoding the instructions of chapter 14. */
#include <string.h>

#include "barrier_decode.h"
#include "code.h"
#include "collective.h"
#include "redux.h"
#include "shuffle.h"
#include "vote.h"

struct spelling {
  const char *text;
  uint8_t family, which;
  enum ptx_type destination; /* PTX_NO_TYPE: it has none */
  enum ptx_type source;
};

static bool takes_pair(const struct spelling *spelling) {
  return spelling->family == COLLECTIVE_SHUFFLE ||
         spelling->family == COLLECTIVE_MATCH_ALL;
}

static uint32_t source_count(const struct spelling *spelling) {
  return spelling->family == COLLECTIVE_SHUFFLE ? 3
         : spelling->source == PTX_NO_TYPE      ? 0
                                                : 1;
}

static const struct spelling spellings[] = {
    {"shfl.sync.up.b32", COLLECTIVE_SHUFFLE, SHUFFLE_UP, PTX_B32, PTX_B32},
    {"shfl.sync.down.b32", COLLECTIVE_SHUFFLE, SHUFFLE_DOWN, PTX_B32, PTX_B32},
    {"shfl.sync.bfly.b32", COLLECTIVE_SHUFFLE, SHUFFLE_BFLY, PTX_B32, PTX_B32},
    {"shfl.sync.idx.b32", COLLECTIVE_SHUFFLE, SHUFFLE_IDX, PTX_B32, PTX_B32},
    {"vote.sync.all.pred", COLLECTIVE_VOTE, VOTE_ALL, PTX_PRED, PTX_PRED},
    {"vote.sync.any.pred", COLLECTIVE_VOTE, VOTE_ANY, PTX_PRED, PTX_PRED},
    {"vote.sync.uni.pred", COLLECTIVE_VOTE, VOTE_UNI, PTX_PRED, PTX_PRED},
    {"vote.sync.ballot.b32", COLLECTIVE_BALLOT, 0, PTX_B32, PTX_PRED},
    {"match.any.sync.b32", COLLECTIVE_MATCH_ANY, 0, PTX_B32, PTX_B32},
    {"match.any.sync.b64", COLLECTIVE_MATCH_ANY, 0, PTX_B32, PTX_B64},
    {"match.all.sync.b32", COLLECTIVE_MATCH_ALL, 0, PTX_B32, PTX_B32},
    {"match.all.sync.b64", COLLECTIVE_MATCH_ALL, 0, PTX_B32, PTX_B64},
    {"bar.warp.sync", COLLECTIVE_WARP_SYNC, 0, PTX_NO_TYPE, PTX_NO_TYPE},
    {"redux.sync.add.u32", COLLECTIVE_REDUX, REDUX_ADD, PTX_U32, PTX_U32},
    {"redux.sync.add.s32", COLLECTIVE_REDUX, REDUX_ADD, PTX_S32, PTX_S32},
    {"redux.sync.min.u32", COLLECTIVE_REDUX, REDUX_MIN, PTX_U32, PTX_U32},
    {"redux.sync.min.s32", COLLECTIVE_REDUX, REDUX_MIN, PTX_S32, PTX_S32},
    {"redux.sync.max.u32", COLLECTIVE_REDUX, REDUX_MAX, PTX_U32, PTX_U32},
    {"redux.sync.max.s32", COLLECTIVE_REDUX, REDUX_MAX, PTX_S32, PTX_S32},
    {"redux.sync.and.b32", COLLECTIVE_REDUX, REDUX_AND, PTX_B32, PTX_B32},
    {"redux.sync.or.b32", COLLECTIVE_REDUX, REDUX_OR, PTX_B32, PTX_B32},
    {"redux.sync.xor.b32", COLLECTIVE_REDUX, REDUX_XOR, PTX_B32, PTX_B32},
};

static const struct spelling *find(const char *text) {
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
    if (strcmp(spellings[i].text, text) == 0)
      return &spellings[i];
  return NULL;
}

static enum decode refuse(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          const char *message) {
  decoder_refuse(decoder, in, "%s", message);
  return DECODE_REFUSED;
}

static bool decode_sources(struct decoder *decoder,
                           const struct ptx_instruction *in,
                           const struct spelling *spelling, struct op *op) {
  const struct ptx_operand *operand = in->operand;
  operand += spelling->destination != PTX_NO_TYPE;
  uint32_t *offset[] = {&op->a, &op->b, &op->c};
  for (uint32_t i = 0; i < source_count(spelling); i++)
    if (!decoder_source(decoder, in, operand++, spelling->source, offset[i]))
      return false;
  op->absolute = operand->kind == PTX_INTEGER;
  return decoder_source(decoder, in, operand, PTX_B32, &op->f);
}

static bool decode_destinations(struct decoder *decoder,
                                const struct ptx_instruction *in,
                                const struct spelling *spelling,
                                struct op *op) {
  static const struct ptx_operand sink = {.kind = PTX_SINK};
  const struct ptx_operand *first = in->operand;
  if (spelling->destination == PTX_NO_TYPE)
    return true;
  return decoder_destination(decoder, in, first, spelling->destination,
                             &op->d) &&
         decoder_destination(decoder, in, first->pair ? first->pair : &sink,
                             PTX_PRED, &op->e);
}

static const char *misshapen(const struct ptx_instruction *in,
                             const struct spelling *spelling) {
  uint32_t wanted = source_count(spelling) + 1;
  wanted += spelling->destination != PTX_NO_TYPE;
  if (in->operand_count == wanted - 1)
    return "one operand is missing; the member mask comes last";
  if (in->operand_count != wanted)
    return "this is not its number of operands";
  for (uint32_t i = 0; i < wanted; i++)
    if (in->operand[i].pair && (i || !takes_pair(spelling)))
      return "no `|p` can be written here";
  return NULL;
}

static enum decode decode_activemask(struct decoder *decoder,
                                     const struct ptx_instruction *in,
                                     struct op *op) {
  if (strcmp(in->text, "activemask.b32") != 0 || in->operand_count != 1 ||
      in->operand->pair)
    return refuse(decoder, in, "activemask.b32 d is the one form there is");
  op->kind = OP_WARP;
  op->run.warp = collective_activemask;
  return decoder_destination(decoder, in, in->operand, PTX_B32, &op->d)
             ? DECODE_DONE
             : DECODE_REFUSED;
}

static const char *reason(const struct ptx_instruction *in) {
  bool synchronous = instruction_has(in, "sync");
  if (strcmp(in->opcode, "shfl") == 0 && !synchronous)
    return "write shfl.sync with a member mask as its last operand; the form "
           "without has been gone since sm_70";
  if (strcmp(in->opcode, "vote") == 0 && !synchronous)
    return "write vote.sync with a member mask as its last operand; the form "
           "without has been gone since sm_70";
  if (strcmp(in->opcode, "elect") == 0)
    return "elect.sync is not simulated";
  if (strcmp(in->opcode, "redux") == 0 && instruction_has(in, "f32"))
    return "redux.sync on floats exists on sm_100a only and is not simulated";
  return "no such form is known";
}

static bool is_collective(const char *opcode) {
  static const char *const opcodes[] = {"shfl", "vote", "match", "redux",
                                        "elect"};
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
    if (strcmp(opcodes[i], opcode) == 0)
      return true;
  return false;
}

static enum decode decode_spelling(struct decoder *decoder,
                                   const struct ptx_instruction *in,
                                   const struct spelling *spelling,
                                   struct op *op) {
  const char *complaint = misshapen(in, spelling);
  if (complaint)
    return refuse(decoder, in, complaint);
  op->kind = OP_COLLECTIVE;
  op->variant = spelling->family;
  op->flags = spelling->which;
  op->type = (uint8_t)spelling->source;
  return decode_sources(decoder, in, spelling, op) &&
                 decode_destinations(decoder, in, spelling, op)
             ? DECODE_DONE
             : DECODE_REFUSED;
}

enum decode collective_decode(struct decoder *decoder,
                              const struct ptx_instruction *in, struct op *op) {
  const struct spelling *spelling = find(in->text);
  if (spelling)
    return decode_spelling(decoder, in, spelling, op);
  if (is_collective(in->opcode))
    return refuse(decoder, in, reason(in));
  if (strcmp(in->opcode, "activemask") == 0)
    return decode_activemask(decoder, in, op);
  return barrier_decode(decoder, in, op);
}
