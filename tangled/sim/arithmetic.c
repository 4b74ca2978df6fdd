/* Finds the row of an arithmetic instruction and fills an op from it. */
#include <string.h>

#include "rows.h"

static const struct row *const tables[] = {
    integer_rows, product_rows,     logic_rows, bit_rows,
    move_rows,    compare_rows,     float_rows, compare_float_rows,
    double_rows,  approximate_rows, half_rows};

enum { TABLES = sizeof tables / sizeof tables[0] };

enum fit { FIT_ABSENT, FIT_OPTIONAL, FIT_REQUIRED };

static enum fit marks_find(const char *marks, const char *mark) {
  size_t length = strlen(mark);
  while (*marks) {
    size_t span = strcspn(marks, " ?");
    bool optional = marks[span] == '?';
    if (span == length && memcmp(marks, mark, length) == 0)
      return optional ? FIT_OPTIONAL : FIT_REQUIRED;
    marks += span + optional;
    marks += strspn(marks, " ");
  }
  return FIT_ABSENT;
}

static uint32_t marks_required(const char *marks) {
  uint32_t required = 0;
  while (*marks) {
    size_t span = strcspn(marks, " ");
    required += marks[span - 1] != '?';
    marks += span;
    marks += strspn(marks, " ");
  }
  return required;
}

static bool types_take(const char **types, const char *type) {
  size_t length = strlen(type);
  bool found = false;
  while (**types && **types != ' ') {
    size_t span = strcspn(*types, "/ ");
    found |= span == length && memcmp(*types, type, length) == 0;
    *types += span;
    *types += **types == '/';
  }
  *types += **types == ' ';
  return found;
}

static bool is_type(const char *modifier) {
  return ptx_type_find(modifier) != PTX_NO_TYPE;
}

static bool row_matches(const struct row *row,
                        const struct ptx_instruction *in) {
  const char *types = row->types;
  uint32_t required = 0;
  for (uint32_t i = 0; i < in->modifier_count; i++) {
    const char *modifier = in->modifier[i];
    if (is_type(modifier)) {
      if (!types_take(&types, modifier))
        return false;
      continue;
    }
    enum fit fit = marks_find(row->marks, modifier);
    if (fit == FIT_ABSENT)
      return false;
    required += fit == FIT_REQUIRED;
  }
  return *types == 0 && required == marks_required(row->marks);
}

static const struct row *row_find(const struct ptx_instruction *in,
                                  bool *known) {
  *known = false;
  for (uint32_t t = 0; t < TABLES; t++)
    for (const struct row *row = tables[t]; row->opcode; row++) {
      if (strcmp(row->opcode, in->opcode) != 0)
        continue;
      *known = true;
      if (row_matches(row, in))
        return row;
    }
  return NULL;
}

static bool row_knows(const struct row *row, const char *modifier) {
  if (marks_find(row->marks, modifier) != FIT_ABSENT)
    return true;
  const char *types = row->types;
  while (*types)
    if (types_take(&types, modifier))
      return true;
  return false;
}

static bool opcode_knows(const char *opcode, const char *modifier) {
  for (uint32_t t = 0; t < TABLES; t++)
    for (const struct row *row = tables[t]; row->opcode; row++)
      if (strcmp(row->opcode, opcode) == 0 && row_knows(row, modifier))
        return true;
  return false;
}

static enum decode row_refuse(struct decoder *decoder,
                              const struct ptx_instruction *in) {
  for (uint32_t i = 0; i < in->modifier_count; i++)
    if (!opcode_knows(in->opcode, in->modifier[i])) {
      decoder_refuse(decoder, in, "unknown modifier .%s", in->modifier[i]);
      return DECODE_REFUSED;
    }
  decoder_refuse(decoder, in,
                 "the simulator does not know these modifiers together");
  return DECODE_REFUSED;
}

struct meaning {
  const char *mark;
  uint8_t field, value;
};

#define ROUNDS(MODE) HOW_ROUND, (MODE) << HOW_ROUND_SHIFT
#define JOINS(CODE) HOW_BOOL, (CODE) << HOW_BOOL_SHIFT
static const struct meaning meanings[] = {
    {"ftz", HOW_FTZ, HOW_FTZ},
    {"sat", HOW_SAT, HOW_SAT},
    {"approx", HOW_APPROXIMATE, HOW_APPROXIMATE},
    {"full", HOW_APPROXIMATE, HOW_APPROXIMATE},
    {"rn", ROUNDS(ROUND_NEAREST)},
    {"rz", ROUNDS(ROUND_ZERO)},
    {"rm", ROUNDS(ROUND_DOWN)},
    {"rp", ROUNDS(ROUND_UP)},
    {"rni", ROUNDS(ROUND_NEAREST)},
    {"rzi", ROUNDS(ROUND_ZERO)},
    {"rmi", ROUNDS(ROUND_DOWN)},
    {"rpi", ROUNDS(ROUND_UP)},
    {"and", JOINS(1)},
    {"or", JOINS(2)},
    {"xor", JOINS(3)}};

static const struct meaning *meaning_find(const char *mark) {
  for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
    if (strcmp(meanings[i].mark, mark) == 0)
      return &meanings[i];
  return NULL;
}

bool rows_flags(struct decoder *decoder, const struct ptx_instruction *in,
                uint8_t *flags) {
  unsigned seen = 0, values = 0;
  for (uint32_t i = 0; i < in->modifier_count; i++) {
    const struct meaning *meaning = meaning_find(in->modifier[i]);
    if (!meaning)
      continue;
    if (seen & meaning->field)
      return decoder_refuse(decoder, in,
                            ".%s does not go with what precedes it",
                            in->modifier[i]);
    seen |= meaning->field;
    values |= meaning->value;
  }
  *flags = (uint8_t)values;
  return true;
}

static enum ptx_type nth_type(const struct ptx_instruction *in, uint32_t n) {
  for (uint32_t i = 0; i < in->modifier_count; i++)
    if (is_type(in->modifier[i]) && n-- == 0)
      return ptx_type_find(in->modifier[i]);
  return PTX_NO_TYPE;
}

static enum ptx_type letter_type(const struct ptx_instruction *in,
                                 char letter) {
  switch (letter) {
  case 't':
    return nth_type(in, 0);
  case 'v':
    return nth_type(in, 1);
  case 'w':
    return ptx_type_size(nth_type(in, 0)) == 2 ? PTX_B32 : PTX_B64;
  case 'u':
    return PTX_U32;
  case 'q':
    return PTX_U64;
  default:
    return PTX_PRED;
  }
}

static bool fill_destination(struct decoder *decoder,
                             const struct ptx_instruction *in, char letter,
                             struct op *op) {
  const struct ptx_operand *operand = &in->operand[0];
  if (operand->pair && letter != 'P')
    return decoder_refuse(decoder, in, "a pair d|p is not known here");
  if (operand->pair) {
    op->flags |= HOW_PAIR;
    if (!decoder_destination(decoder, in, operand->pair, PTX_PRED, &op->e))
      return false;
  }
  return decoder_destination(decoder, in, operand, letter_type(in, letter),
                             &op->d);
}

static bool fill_constant(struct decoder *decoder,
                          const struct ptx_instruction *in,
                          const struct ptx_operand *operand, struct op *op) {
  if (operand->kind != PTX_INTEGER || operand->bits > 255)
    return decoder_refuse(decoder, in,
                          "the last operand is no constant from 0 to 255");
  op->variant = (uint8_t)operand->bits;
  return true;
}

static bool fill_source(struct decoder *decoder,
                        const struct ptx_instruction *in,
                        const struct ptx_operand *operand, char letter,
                        struct op *op, uint32_t *offset) {
  if (operand->pair)
    return decoder_refuse(decoder, in, "a pair d|p is not known here");
  if (letter == 'i')
    return fill_constant(decoder, in, operand, op);
  return decoder_source(decoder, in, operand, letter_type(in, letter), offset);
}

static bool row_fill(struct decoder *decoder, const struct ptx_instruction *in,
                     const struct row *row, struct op *op) {
  const char *letters = row->operands;
  uint32_t count = (uint32_t)strlen(letters);
  if (letters[count - 1] == 'o' && !(op->flags & HOW_BOOL))
    count--;
  if (in->operand_count != count)
    return decoder_refuse(decoder, in, "%u operands are wanted, not %u", count,
                          in->operand_count);
  uint32_t *const sources[] = {&op->a, &op->b, &op->c, &op->f};
  for (uint32_t i = 1; i < count; i++)
    if (!fill_source(decoder, in, &in->operand[i], letters[i], op,
                     sources[i - 1]))
      return false;
  return fill_destination(decoder, in, letters[0], op);
}

enum decode arithmetic_decode(struct decoder *decoder,
                              const struct ptx_instruction *in, struct op *op) {
  if (strcmp(in->opcode, "mov") == 0)
    return move_decode(decoder, in, op);
  if (strcmp(in->opcode, "cvt") == 0)
    return convert_decode(decoder, in, op);
  bool known;
  const struct row *row = row_find(in, &known);
  if (!known)
    return DECODE_OTHER;
  if (!row)
    return row_refuse(decoder, in);
  op->kind = OP_LANES;
  op->run.lanes = row->run;
  op->type = (uint8_t)nth_type(in, 0);
  bool good =
      rows_flags(decoder, in, &op->flags) && row_fill(decoder, in, row, op);
  return good ? DECODE_DONE : DECODE_REFUSED;
}
