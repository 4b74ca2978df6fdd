/* Copies and selection: mov, selp, slct, isspacep. Source: PTX ISA, "Data
 * Movement and Conversion Instructions" and "Comparison and Selection". */
#include <string.h>

#include "values.h"

LANES_1(mov_16, uint16_t, uint16_t, a)
LANES_1(mov_32, uint32_t, uint32_t, a)
LANES_1(mov_64, uint64_t, uint64_t, a)

static void mov_pred(unsigned char *regs, const struct op *op, uint32_t mask) {
  lanes_set_predicate(regs, op->d, lanes_predicate(regs, op->a), mask);
}

#define SELECT(W, U)                                                           \
  static void selp_##W(unsigned char *regs, const struct op *op,               \
                       uint32_t mask) {                                        \
    LANES_TO(U)                                                                \
    LANES_FROM(U, as, a)                                                       \
    LANES_FROM(U, bs, b) uint32_t p = lanes_predicate(regs, op->c);            \
    if (mask == ALL_LANES) {                                                   \
      LANES_INDEPENDENT                                                        \
      for (int i = 0; i < LANES; i++)                                          \
        to[i] = p >> i & 1 ? as[i] : bs[i];                                    \
    } else {                                                                   \
      LANES_INDEPENDENT                                                        \
      for (int i = 0; i < LANES; i++)                                          \
        to[i] = mask >> i & 1 ? (p >> i & 1 ? as[i] : bs[i]) : to[i];          \
    }                                                                          \
  }                                                                            \
  LANES_3(slct_s##W, U, U, U, uint32_t, (int32_t)c >= 0 ? a : b)               \
  LANES_3(slct_f##W, U, U, U, uint32_t, f32_value(c) >= 0 ? a : b)             \
  LANES_3(slct_z##W, U, U, U, uint32_t, f32_value(f32_flush(c)) >= 0 ? a : b)

SELECT(16, uint16_t)
SELECT(32, uint32_t)
SELECT(64, uint64_t)

LANES_TEST(isspacep_shared, uint64_t, a - SHARED_WINDOW < WINDOW_SIZE)
LANES_TEST(isspacep_local, uint64_t, a - LOCAL_WINDOW < WINDOW_SIZE)
LANES_TEST(isspacep_param, uint64_t, a - PARAM_WINDOW < WINDOW_SIZE)
LANES_TEST(isspacep_global, uint64_t,
           a - SHARED_WINDOW >= WINDOW_SIZE && a - LOCAL_WINDOW >= WINDOW_SIZE)

#define MOVE_ROWS(W)                                                           \
  ROW("selp", "", "b" #W "/u" #W "/s" #W "/f" #W, "tttp", selp_##W),           \
      ROW("slct", "", "b" #W "/u" #W "/s" #W "/f" #W " s32", "tttv",           \
          slct_s##W),                                                          \
      ROW("slct", "", "b" #W "/u" #W "/s" #W "/f" #W " f32", "tttv",           \
          slct_f##W),                                                          \
      ROW("slct", "ftz", "b" #W "/u" #W "/s" #W "/f" #W " f32", "tttv",        \
          slct_z##W)

const struct row move_rows[] = {
    MOVE_ROWS(16),
    MOVE_ROWS(32),
    MOVE_ROWS(64),
    ROW("isspacep", "shared", "", "pq", isspacep_shared),
    ROW("isspacep", "shared::cta", "", "pq", isspacep_shared),
    ROW("isspacep", "local", "", "pq", isspacep_local),
    ROW("isspacep", "param", "", "pq", isspacep_param),
    ROW("isspacep", "global", "", "pq", isspacep_global),
    END_OF_ROWS};

#define PACKING(W, U, PART, N)                                                 \
  static void pack_##W##_##N(unsigned char *regs, const struct op *op,         \
                             uint32_t mask) {                                  \
    LANES_TO(U)                                                                \
    for (int i = 0; i < LANES; i++) {                                          \
      U all = 0;                                                               \
      for (int k = N - 1; k >= 0; k--)                                         \
        all = (U)(all << (W / N)) |                                            \
              ((const PART *)(const void *)(regs + op->vector[k]))[i];         \
      to[i] = mask >> i & 1 ? all : to[i];                                     \
    }                                                                          \
  }                                                                            \
  static void unpack_##W##_##N(unsigned char *regs, const struct op *op,       \
                               uint32_t mask) {                                \
    LANES_FROM(U, as, a)                                                       \
    for (int k = 0; k < N; k++) {                                              \
      PART *to = (void *)(regs + op->vector[k]);                               \
      for (int i = 0; i < LANES; i++)                                          \
        to[i] = mask >> i & 1 ? (PART)(as[i] >> (W / N * k)) : to[i];          \
    }                                                                          \
  }

PACKING(32, uint32_t, uint16_t, 2)
PACKING(64, uint64_t, uint32_t, 2)
PACKING(64, uint64_t, uint16_t, 4)

static op_lanes *packer(uint32_t bytes, uint32_t count, bool unpack) {
  if (bytes == 4 && count == 2)
    return unpack ? unpack_32_2 : pack_32_2;
  if (bytes == 8 && count == 2)
    return unpack ? unpack_64_2 : pack_64_2;
  if (bytes == 8 && count == 4)
    return unpack ? unpack_64_4 : pack_64_4;
  return NULL;
}

static bool vector_fill(struct decoder *decoder,
                        const struct ptx_instruction *in, enum ptx_type type,
                        struct op *op) {
  bool unpack = in->operand[0].kind == PTX_VECTOR;
  const struct ptx_operand *vector = &in->operand[unpack ? 0 : 1];
  uint32_t bytes = ptx_type_size(type);
  op->run.lanes = packer(bytes, vector->count, unpack);
  if (!op->run.lanes)
    return decoder_refuse(decoder, in, "%u elements do not make %u bytes here",
                          vector->count, bytes);
  enum ptx_type part = bytes / vector->count == 2 ? PTX_B16 : PTX_B32;
  bool good = true;
  for (uint32_t i = 0; good && i < vector->count; i++)
    good = (unpack ? decoder_destination : decoder_source)(
        decoder, in, &vector->elements[i], part, &op->vector[i]);
  if (!good)
    return false;
  return unpack
             ? decoder_source(decoder, in, &in->operand[1], type, &op->a)
             : decoder_destination(decoder, in, &in->operand[0], type, &op->d);
}

static bool move_fill(struct decoder *decoder, const struct ptx_instruction *in,
                      enum ptx_type type, struct op *op) {
  if (in->operand[0].kind == PTX_VECTOR || in->operand[1].kind == PTX_VECTOR)
    return vector_fill(decoder, in, type, op);
  uint32_t bytes = ptx_type_size(type);
  op->run.lanes = type == PTX_PRED ? mov_pred
                  : bytes == 8     ? mov_64
                  : bytes == 4     ? mov_32
                                   : mov_16;
  return decoder_source(decoder, in, &in->operand[1], type, &op->a) &&
         decoder_destination(decoder, in, &in->operand[0], type, &op->d);
}

enum decode move_decode(struct decoder *decoder,
                        const struct ptx_instruction *in, struct op *op) {
  const char *modifier = in->modifier_count ? in->modifier[0] : "";
  enum ptx_type type = ptx_type_find(modifier);
  bool good = false;
  op->kind = OP_LANES;
  if (in->modifier_count != 1 || type == PTX_NO_TYPE)
    decoder_refuse(decoder, in, "unknown modifier .%s",
                   type == PTX_NO_TYPE ? modifier : in->modifier[1]);
  else if (type != PTX_PRED &&
           (ptx_type_size(type) < 2 || ptx_type_size(type) > 8))
    decoder_refuse(decoder, in, "the simulator has no mov of this type");
  else if (in->operand_count != 2 || in->operand[0].pair || in->operand[1].pair)
    decoder_refuse(decoder, in, "a destination and a source are wanted");
  else
    good = move_fill(decoder, in, type, op);
  return good ? DECODE_DONE : DECODE_REFUSED;
}
