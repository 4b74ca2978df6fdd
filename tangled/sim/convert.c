/* cvt. Source: PTX ISA, "Data Movement and Conversion Instructions": cvt. */
#include <math.h>

#include "rounding.h"
#include "values.h"

enum { CONVERT_INTEGRAL = HOW_PAIR }; /* .rni and its like were given */

static bool is_signed(enum ptx_type type) {
  return type >= PTX_S8 && type <= PTX_S64;
}

static bool is_integer(enum ptx_type type) {
  return type >= PTX_U8 && type <= PTX_S64;
}

static bool is_float(enum ptx_type type) {
  return type == PTX_F16 || type == PTX_BF16 || type == PTX_F32 ||
         type == PTX_F64;
}

static const struct format *format_of(enum ptx_type type) {
  return type == PTX_F16    ? &format_f16
         : type == PTX_BF16 ? &format_bf16
         : type == PTX_F32  ? &format_f32
                            : &format_f64;
}

static uint64_t truncate(uint64_t bits, enum ptx_type type) {
  uint32_t unused = 64 - 8 * ptx_type_size(type);
  bits <<= unused;
  return is_signed(type) ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
}

static double read_float(uint32_t how, uint64_t bits, enum ptx_type type) {
  if (type == PTX_F64)
    return f64_value(bits);
  if (type == PTX_F32)
    return f32_value(f32_input(how, (uint32_t)bits));
  return rounding_widen((uint16_t)bits, format_of(type));
}

static enum rounding mode(uint32_t how) {
  return (enum rounding)((how & HOW_ROUND) >> HOW_ROUND_SHIFT);
}

static double integral(uint32_t how, double value) {
  switch (mode(how)) {
  case ROUND_ZERO:
    return trunc(value);
  case ROUND_DOWN:
    return floor(value);
  case ROUND_UP:
    return ceil(value);
  default:
    return nearbyint(value);
  }
}

static uint64_t to_integer(double value, enum ptx_type from,
                           enum ptx_type type) {
  uint32_t bits = 8 * ptx_type_size(type);
  if (value != value)
    return from != PTX_F64 && bits < 64 ? 0 : 1ull << (bits - 1);
  bool sign = is_signed(type);
  uint64_t most = ~0ull >> (64 - bits + sign);
  double end = ldexp(1, (int)bits - sign);
  if (value >= end)
    return most;
  if (sign)
    return value < -end ? ~most : (uint64_t)(int64_t)value;
  return value < 0 ? 0 : (uint64_t)value;
}

static uint64_t saturate(uint64_t value, enum ptx_type from,
                         enum ptx_type type) {
  bool negative = is_signed(from) && (int64_t)value < 0;
  uint32_t bits = 8 * ptx_type_size(type);
  uint64_t most = ~0ull >> (64 - bits + is_signed(type));
  if (!negative)
    return value > most ? most : value;
  if (!is_signed(type))
    return 0;
  return (int64_t)value < (int64_t)~most ? ~most : value;
}

static uint64_t integer_to_float(uint32_t how, uint64_t value,
                                 enum ptx_type from, enum ptx_type type) {
  bool negative = is_signed(from) && (int64_t)value < 0;
  if (how & HOW_SAT)
    return rounding_pack(false, !negative && value > 0, 0, format_of(type),
                         ROUND_NEAREST);
  return rounding_pack(negative, negative ? 0 - value : value, 0,
                       format_of(type), mode(how));
}

static uint64_t nan_to_float(uint32_t how, uint64_t bits, enum ptx_type from,
                             enum ptx_type type) {
  const struct format *f = format_of(from), *g = format_of(type);
  int f_bits = f->exponent + f->fraction, g_bits = g->exponent + g->fraction;
  bool moved = (from == type || (from == PTX_BF16 && type == PTX_F32)) &&
               !(how & (CONVERT_INTEGRAL | HOW_FTZ));
  bool kept = moved || from == PTX_F64 || type == PTX_F64;
  if (!kept)
    return (1ull << g_bits) - 1;
  if (from == PTX_F32 && how & HOW_FTZ)
    bits = F32_NAN;
  uint64_t sign = bits >> f_bits & 1;
  uint64_t fraction = bits << (64 - f->fraction); /* at the top of the word */
  fraction >>= 64 - g->fraction;
  uint64_t quiet = moved ? 0 : 1ull << (g->fraction - 1);
  uint64_t exponent = ((1ull << g->exponent) - 1) << g->fraction;
  return sign << g_bits | exponent | quiet | fraction;
}

static uint64_t float_to_float(uint32_t how, double value, enum ptx_type type) {
  if (how & HOW_SAT)
    value = value > 0 ? fmin(value, 1) : 0;
  if (how & CONVERT_INTEGRAL)
    value = integral(how, value);
  uint64_t bits = type == PTX_F64
                      ? f64_bits(value)
                      : rounding_narrow(value, format_of(type), mode(how));
  return type == PTX_F32 ? f32_input(how, (uint32_t)bits) : bits;
}

static uint64_t convert(uint32_t how, uint64_t bits, enum ptx_type from,
                        enum ptx_type type) {
  if (is_integer(from)) {
    uint64_t value = truncate(bits, from);
    if (!is_integer(type))
      return integer_to_float(how, value, from, type);
    return how & HOW_SAT ? saturate(value, from, type) : truncate(value, type);
  }
  double value = read_float(how, bits, from);
  if (is_integer(type))
    return truncate(to_integer(integral(how, value), from, type), type);
  if (value != value && !(how & HOW_SAT))
    return nan_to_float(how, bits, from, type);
  return float_to_float(how, value, type);
}

static uint64_t lane_read(const unsigned char *array, uint32_t bytes, int i) {
  uint64_t value = 0;
  memcpy(&value, array + (size_t)i * bytes, bytes); /* little-endian hosts */
  return value;
}

static void convert_any(unsigned char *regs, const struct op *op,
                        uint32_t mask) {
  enum ptx_type type = (enum ptx_type)op->type;
  enum ptx_type from = (enum ptx_type)op->variant;
  for (int i = 0; i < LANES; i++) {
    if (!(mask >> i & 1))
      continue;
    uint64_t value = lane_read(regs + op->a, op->bytes, i);
    value = convert(op->flags, value, from, type);
    memcpy(regs + op->d + (size_t)i * op->elements, &value, op->elements);
  }
}

#define EXTEND(FROM, TO)                                                       \
  LANES_1(u##FROM##_##TO, uint##TO##_t, uint##FROM##_t, a)                     \
  LANES_1(s##FROM##_##TO, uint##TO##_t, uint##FROM##_t, (int##FROM##_t)a)
#define FROM_BYTE(TO)                                                          \
  LANES_1(u8_##TO, uint##TO##_t, uint16_t, (uint8_t)a)                         \
  LANES_1(s8_##TO, uint##TO##_t, uint16_t, (int8_t)a)

EXTEND(16, 32)
EXTEND(16, 64)
EXTEND(32, 64)
FROM_BYTE(16)
FROM_BYTE(32)
FROM_BYTE(64)
LANES_1(x16_16, uint16_t, uint16_t, a)
LANES_1(x32_16, uint16_t, uint32_t, a)
LANES_1(x64_16, uint16_t, uint64_t, a)
LANES_1(x32_32, uint32_t, uint32_t, a)
LANES_1(x64_32, uint32_t, uint64_t, a)
LANES_1(x64_64, uint64_t, uint64_t, a)

static inline uint32_t to_s32(float value) {
  bool fits = (value >= -2147483648.0f) & (value < 2147483648.0f);
  int32_t inside = (int32_t)(fits ? value : 0);
  uint32_t outside = value > 0 ? 0x7fffffff : value < 0 ? 0x80000000 : 0;
  return fits ? (uint32_t)inside : outside;
}

LANES_1(s32_f32, uint32_t, uint32_t, f32_bits((float)(int32_t)a))
LANES_1(u32_f32, uint32_t, uint32_t, f32_bits((float)a))
LANES_1(s32_f64, uint64_t, uint32_t, f64_bits((int32_t)a))
LANES_1(u32_f64, uint64_t, uint32_t, f64_bits(a))
LANES_1(f64_f32, uint32_t, uint64_t,
        f64_is_nan(a)
            ? (a >> 32 & 0x80000000) | 0x7fc00000 | (a >> 29 & 0x3fffff)
            : f32_bits((float)f64_value(a)))
LANES_1(f32_s32, uint32_t, uint32_t, to_s32(f32_value(a)))

static inline uint32_t from_f16(uint16_t a) {
  uint32_t moved = (a & 0x7fffu) << 13, sign = (a & 0x8000u) << 16;
  uint32_t bits = f32_bits(f32_value(moved) * 0x1p112f);
  bits = moved >= 0x0f800000 ? 0x7f800000 : bits;
  return moved > 0x0f800000 ? (uint32_t)F32_NAN : bits | sign;
}

static inline uint16_t to_bf16(uint32_t a) {
  uint32_t rounded = (a + 0x7fff + (a >> 16 & 1)) >> 16;
  return (uint16_t)(f32_is_nan(a) ? (uint32_t)HALF_NAN : rounded);
}

LANES_1(f16_f32, uint32_t, uint16_t, from_f16(a))
LANES_1(bf16_f32, uint32_t, uint16_t, (uint32_t)a << 16)
LANES_1(f32_bf16, uint16_t, uint32_t, to_bf16(a))

struct pair {
  enum ptx_type from, type;
  uint8_t flags;
  op_lanes *run;
};

#define TOWARD_ZERO (CONVERT_INTEGRAL | ROUND_ZERO << HOW_ROUND_SHIFT)
#define WIDENS(F, T)                                                           \
  {PTX_U##F, PTX_U##T, 0, u##F##_##T}, {PTX_U##F, PTX_S##T, 0, u##F##_##T},    \
      {PTX_S##F, PTX_U##T, 0, s##F##_##T}, {                                   \
    PTX_S##F, PTX_S##T, 0, s##F##_##T                                          \
  }
#define NARROWS(F, T)                                                          \
  {PTX_U##F, PTX_U##T, 0, x##F##_##T}, {PTX_U##F, PTX_S##T, 0, x##F##_##T},    \
      {PTX_S##F, PTX_U##T, 0, x##F##_##T}, {                                   \
    PTX_S##F, PTX_S##T, 0, x##F##_##T                                          \
  }

static const struct pair pairs[] = {WIDENS(8, 16),
                                    WIDENS(8, 32),
                                    WIDENS(8, 64),
                                    WIDENS(16, 32),
                                    WIDENS(16, 64),
                                    WIDENS(32, 64),
                                    NARROWS(16, 16),
                                    NARROWS(32, 16),
                                    NARROWS(64, 16),
                                    NARROWS(32, 32),
                                    NARROWS(64, 32),
                                    NARROWS(64, 64),
                                    {PTX_S32, PTX_F32, 0, s32_f32},
                                    {PTX_U32, PTX_F32, 0, u32_f32},
                                    {PTX_S32, PTX_F64, 0, s32_f64},
                                    {PTX_U32, PTX_F64, 0, u32_f64},
                                    {PTX_F64, PTX_F32, 0, f64_f32},
                                    {PTX_F16, PTX_F32, 0, f16_f32},
                                    {PTX_BF16, PTX_F32, 0, bf16_f32},
                                    {PTX_F32, PTX_BF16, 0, f32_bf16},
                                    {PTX_F32, PTX_S32, TOWARD_ZERO, f32_s32}};

static uint32_t slot_bytes(enum ptx_type type) {
  uint32_t bytes = ptx_type_size(type);
  return bytes < 2 ? 2 : bytes;
}

static op_lanes *convert_handler(const struct op *op) {
  enum ptx_type type = (enum ptx_type)op->type;
  enum ptx_type from = (enum ptx_type)op->variant;
  if (op->bytes == slot_bytes(from) && op->elements == slot_bytes(type))
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
      if (pairs[i].from == from && pairs[i].type == type &&
          pairs[i].flags == op->flags)
        return pairs[i].run;
  return convert_any;
}

static uint32_t pair(uint32_t how, uint32_t a, uint32_t b, enum ptx_type type) {
  return (uint32_t)(convert(how, a, PTX_F32, type) << 16 |
                    convert(how, b, PTX_F32, type));
}

static uint32_t pair_f16(uint32_t how, uint32_t a, uint32_t b) {
  return pair(how, a, b, PTX_F16);
}

static uint32_t pair_bf16(uint32_t how, uint32_t a, uint32_t b) {
  return pair(how, a, b, PTX_BF16);
}

LANES_SLOW_2(lanes_pair_f16, uint32_t, uint32_t, uint32_t, pair_f16)
LANES_SLOW_2(lanes_pair_bf16, uint32_t, uint32_t, uint32_t, pair_bf16)

static bool pair_fill(struct decoder *decoder, const struct ptx_instruction *in,
                      struct op *op) {
  op->run.lanes = op->type == PTX_F16X2 ? lanes_pair_f16 : lanes_pair_bf16;
  op->variant = 0;
  if (in->operand_count != 3)
    return decoder_refuse(decoder, in, "3 operands are wanted, not %u",
                          in->operand_count);
  return decoder_source(decoder, in, &in->operand[1], PTX_F32, &op->a) &&
         decoder_source(decoder, in, &in->operand[2], PTX_F32, &op->b) &&
         decoder_destination(decoder, in, &in->operand[0], PTX_B32, &op->d);
}

enum rounds { ROUNDS_NOT, ROUNDS_FLOAT, ROUNDS_INTEGER, ROUNDS_MAYBE };

static enum rounds rounds_wanted(enum ptx_type from, enum ptx_type type) {
  if (is_integer(type))
    return is_integer(from) ? ROUNDS_NOT : ROUNDS_INTEGER;
  if (is_integer(from) || ptx_type_size(from) > ptx_type_size(type))
    return ROUNDS_FLOAT;
  return from == type ? ROUNDS_MAYBE : ROUNDS_NOT;
}

static bool rounds_found(const struct ptx_instruction *in, bool integer) {
  static const char *const modes[2][4] = {{"rn", "rz", "rm", "rp"},
                                          {"rni", "rzi", "rmi", "rpi"}};
  for (int i = 0; i < 4; i++)
    if (instruction_has(in, modes[integer][i]))
      return true;
  return false;
}

static bool check_rounding(struct decoder *decoder,
                           const struct ptx_instruction *in, struct op *op,
                           enum rounds wanted) {
  bool to_float = rounds_found(in, false), to_integer = rounds_found(in, true);
  if (to_float && wanted != ROUNDS_FLOAT)
    return decoder_refuse(decoder, in,
                          "this conversion takes no .rn, .rz, .rm"
                          " or .rp");
  if (to_integer && wanted != ROUNDS_INTEGER && wanted != ROUNDS_MAYBE)
    return decoder_refuse(decoder, in,
                          "this conversion takes no .rni, .rzi,"
                          " .rmi or .rpi");
  if (!to_float && wanted == ROUNDS_FLOAT)
    return decoder_refuse(decoder, in,
                          "this conversion must say .rn, .rz, .rm"
                          " or .rp");
  if (!to_integer && wanted == ROUNDS_INTEGER)
    return decoder_refuse(decoder, in,
                          "this conversion must say .rni, .rzi,"
                          " .rmi or .rpi");
  op->flags |= to_integer ? CONVERT_INTEGRAL : 0;
  return true;
}

static bool mark_known(const char *mark) {
  static const char *const known[] = {"rn",  "rz",  "rm",  "rp",  "rni",
                                      "rzi", "rmi", "rpi", "ftz", "sat"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i], mark) == 0)
      return true;
  return false;
}

static bool check_modifiers(struct decoder *decoder,
                            const struct ptx_instruction *in) {
  for (uint32_t i = 0; i + 2 < in->modifier_count; i++)
    if (!mark_known(in->modifier[i]))
      return decoder_refuse(decoder, in, "unknown modifier .%s",
                            in->modifier[i]);
  return true;
}

static bool convert_fill(struct decoder *decoder,
                         const struct ptx_instruction *in, struct op *op,
                         enum ptx_type from, enum ptx_type type) {
  const struct ptx_operand *to = &in->operand[0], *source = &in->operand[1];
  if (in->operand_count != 2 || to->pair || source->pair)
    return decoder_refuse(decoder, in, "a destination and a source are wanted");
  bool good = (is_integer(from) ? decoder_source_wide : decoder_source)(
      decoder, in, source, from, &op->a);
  if (!good)
    return false;
  uint32_t bytes = decoder_register_bytes(decoder, source);
  op->bytes = (uint8_t)(bytes ? bytes : slot_bytes(from));
  bytes = decoder_register_bytes(decoder, to);
  op->elements = (uint8_t)(bytes ? bytes : slot_bytes(type));
  op->run.lanes = convert_handler(op);
  return (is_integer(type) ? decoder_destination_wide : decoder_destination)(
      decoder, in, to, type, &op->d);
}

static bool types_convert(enum ptx_type from, enum ptx_type type) {
  bool known = (is_integer(from) || is_float(from)) &&
               (is_integer(type) || is_float(type));
  bool halves = is_float(from) && is_float(type) && from != type &&
                ptx_type_size(from) == ptx_type_size(type);
  bool bytes = (from == PTX_BF16 && ptx_type_size(type) == 1) ||
               (type == PTX_BF16 && ptx_type_size(from) == 1);
  return known && !halves && !bytes;
}

static bool always_fits(enum ptx_type from, enum ptx_type type) {
  if (!is_integer(from) || !is_integer(type))
    return false;
  if (is_signed(from))
    return is_signed(type) && ptx_type_size(type) >= ptx_type_size(from);
  return ptx_type_size(type) >= ptx_type_size(from) + is_signed(type);
}

static bool convert_check(struct decoder *decoder,
                          const struct ptx_instruction *in, struct op *op) {
  uint32_t count = in->modifier_count;
  if (!check_modifiers(decoder, in))
    return false;
  enum ptx_type from = count ? ptx_type_find(in->modifier[count - 1]) : 0;
  enum ptx_type type = count > 1 ? ptx_type_find(in->modifier[count - 2]) : 0;
  bool pair = (type == PTX_F16X2 || type == PTX_BF16X2) && from == PTX_F32;
  if (!pair && !types_convert(from, type))
    return decoder_refuse(decoder, in, "no conversion of these types is known");
  if (!rows_flags(decoder, in, &op->flags))
    return false;
  if (op->flags & HOW_FTZ && from != PTX_F32 && type != PTX_F32)
    return decoder_refuse(decoder, in, ".ftz is for conversions with .f32");
  if (op->flags & HOW_SAT && always_fits(from, type))
    return decoder_refuse(decoder, in, "nothing is out of range: no .sat here");
  if (type == PTX_F16 || type == PTX_BF16)
    op->flags &= (uint8_t)~HOW_FTZ; /* an H200 does not heed it */
  op->kind = OP_LANES;
  op->type = (uint8_t)type;
  op->variant = (uint8_t)from;
  if (!check_rounding(decoder, in, op,
                      pair ? ROUNDS_FLOAT : rounds_wanted(from, type)))
    return false;
  return pair ? pair_fill(decoder, in, op)
              : convert_fill(decoder, in, op, from, type);
}

enum decode convert_decode(struct decoder *decoder,
                           const struct ptx_instruction *in, struct op *op) {
  return convert_check(decoder, in, op) ? DECODE_DONE : DECODE_REFUSED;
}
