/* Initial values of variables. Source: PTX ISA, "Initializers". */
#include "ptx_parser.h"

#include <string.h>

struct filler {
  struct ptx_variable *variable;
  const struct shape *shape;
  uint64_t room; /* bytes of variable->initial */
};

/* `bytes` zero bytes for initial values; NULL after a failure. */
static unsigned char *reserve(struct parser *parser, uint64_t bytes) {
  if (bytes > PTX_INITIAL - parser->initial_bytes) {
    parser_fail(parser, parser->token.line,
                "the initial values of the module need more than 256 MiB");
    return NULL;
  }
  parser->initial_bytes += bytes;
  unsigned char *taken = storage_take(parser->module->storage, bytes);
  if (!taken)
    parser_no_memory(parser);
  return taken;
}

/* Makes room for the item at `at`, which an array without a size may need. */
static bool make_room(struct parser *parser, struct filler *filler,
                      uint64_t at) {
  uint64_t end = at + filler->shape->item;
  struct ptx_variable *variable = filler->variable;
  if (end <= filler->room)
    return true;
  if (!variable->unsized)
    return parser_expected(parser, "no more values than the variable holds");
  uint64_t room = end > 32 ? end * 2 : 64;
  unsigned char *larger = reserve(parser, room);
  if (!larger)
    return false;
  if (filler->room)
    memcpy(larger, variable->initial, filler->room);
  variable->initial = larger;
  filler->room = room;
  return true;
}

/* The value of a float of either size as a double. */
static double value_of(const struct number *number) {
  double value;
  float narrow;
  uint32_t low = (uint32_t)number->bits;
  memcpy(&value, &number->bits, sizeof value);
  if (number->kind == PTX_FLOAT64)
    return value;
  memcpy(&narrow, &low, sizeof narrow);
  return (double)narrow;
}

/* The bits of a number in the variable's type. */
static bool convert(enum ptx_type type, const struct number *number,
                    uint64_t *bits) {
  if (number->kind == PTX_INTEGER) { /* in no type of float */
    *bits = number->bits;
    return type < PTX_F16;
  }
  double value = value_of(number);
  float narrow = (float)value;
  uint32_t low;
  *bits = number->bits;
  if (type == PTX_F64) {
    memcpy(bits, &value, sizeof value);
  } else if (type == PTX_F32 && number->kind != PTX_FLOAT32) {
    memcpy(&low, &narrow, sizeof low);
    *bits = low;
  } else if (type != PTX_F32) { /* the bits, where they fit */
    return type == (number->kind == PTX_FLOAT32 ? PTX_B32 : PTX_B64);
  }
  return true;
}

/* `token` is where the number began. */
static bool number_at(struct parser *parser, struct filler *filler, uint64_t at,
                      const struct token *token, const struct number *number) {
  unsigned char *to = filler->variable->initial + at;
  uint64_t bits;
  if (!convert(filler->variable->type, number, &bits))
    return parser_fail(parser, token->line,
                       "found \"%.*s\", expected a number of type %s",
                       token->length < 60 ? (int)token->length : 60,
                       token->text, ptx_type_name(filler->variable->type));
  for (uint64_t i = 0; i < filler->shape->item; i++)
    to[i] = (unsigned char)(i < 8 ? bits >> (8 * i) : 0);
  return true;
}

/* sym, sym+4 or generic(sym)+4 */
static bool symbol(struct parser *parser, struct ptx_relocation *relocation) {
  relocation->generic = parser_accept(parser, "generic");
  if (relocation->generic && !parser_take(parser, "("))
    return false;
  uint32_t line = parser->token.line;
  struct name *name = parser_name(parser, "a number or a variable's name");
  if (!name)
    return false;
  if (!name->meaning || name->meaning->kind != MEANS_VARIABLE)
    return parser_fail(parser, line,
                       "\"%.100s\" is no declared variable; an initial value "
                       "is a number or a variable's address",
                       name->text);
  relocation->variable = name->meaning->index;
  if (relocation->generic && !parser_take(parser, ")"))
    return false;
  if (parser_accept(parser, "+") || parser_is(parser, "-"))
    relocation->addend = parser_integer(parser);
  return !parser_failed(parser);
}

static bool add_relocation(struct parser *parser, struct filler *filler,
                           const struct ptx_relocation *relocation) {
  struct ptx_variable *variable = filler->variable;
  variable->relocations =
      storage_grow(parser->module->storage, variable->relocations,
                   variable->relocation_count, sizeof *relocation);
  if (!variable->relocations)
    return parser_no_memory(parser);
  variable->relocations[variable->relocation_count++] = *relocation;
  return true;
}

/* Is this byte `byte` of the address whose relocation was added last? */
static bool goes_on(const struct ptx_variable *variable,
                    const struct ptx_relocation *piece, uint64_t byte) {
  if (byte == 8 || variable->relocation_count == 0)
    return false;
  const struct ptx_relocation *last =
      &variable->relocations[variable->relocation_count - 1];
  return last->offset + byte == piece->offset &&
         last->variable == piece->variable && last->addend == piece->addend &&
         last->generic == piece->generic;
}

/* 0xFF00(sym): byte 1 of an address. The bytes of an address come one after
 * the other; the first adds the relocation and the others must agree. */
static bool masked(struct parser *parser, struct filler *filler, uint64_t at,
                   uint64_t mask) {
  struct ptx_relocation piece = {.offset = at};
  uint64_t byte = 0;
  parser_advance(parser);
  if (!symbol(parser, &piece) || !parser_take(parser, ")"))
    return false;
  while (byte < 8 && mask != UINT64_C(0xff) << (8 * byte))
    byte++;
  if (byte == 0 && filler->shape->item == 1)
    return make_room(parser, filler, at + 7) &&
           add_relocation(parser, filler, &piece);
  if (filler->shape->item != 1 || !goes_on(filler->variable, &piece, byte))
    return parser_expected(
        parser, "before this the bytes of one address, the lowest first");
  return true;
}

static bool item_at(struct parser *parser, struct filler *filler, uint64_t at) {
  struct number number = {.kind = PTX_INTEGER};
  struct ptx_relocation relocation = {.offset = at};
  const struct token token = parser->token;
  if (!make_room(parser, filler, at))
    return false;
  if (parser_at_number(parser)) {
    if (!parser_number(parser, &number))
      return false;
    if (number.kind == PTX_INTEGER && parser_is(parser, "("))
      return masked(parser, filler, at, number.bits);
    return number_at(parser, filler, at, &token, &number);
  }
  if (parser->token.kind == TOKEN_WORD && filler->shape->item != 8)
    return parser_expected(parser, "a number: an address has 64 bits");
  return symbol(parser, &relocation) &&
         add_relocation(parser, filler, &relocation);
}

static bool braces(struct parser *parser, struct filler *filler, uint32_t level,
                   uint64_t at, uint64_t *end);

/* A brace of the next level or, at the last, an item. Moves *at behind it. */
static bool row_or_item(struct parser *parser, struct filler *filler,
                        uint32_t level, uint64_t *at) {
  if (level + 1 < filler->shape->levels)
    return braces(parser, filler, level + 1, *at, at);
  if (parser_is(parser, "{"))
    return parser_expected(parser, "a number or a variable's name");
  *at += filler->shape->item;
  return item_at(parser, filler, *at - filler->shape->item);
}

/* What one brace of this level holds, from `at` on; *end is behind it. */
static bool braces(struct parser *parser, struct filler *filler, uint32_t level,
                   uint64_t at, uint64_t *end) {
  bool open = level == 0 && filler->variable->unsized;
  uint64_t limit = open ? PTX_INITIAL : at + filler->shape->stride[level];
  if (!parser_take(parser, "{"))
    return false;
  bool more = !parser_is(parser, "}");
  while (more) {
    if (at >= limit)
      return parser_expected(parser, "\"}\": the array is full");
    if (!row_or_item(parser, filler, level, &at))
      return false;
    more = parser_accept(parser, ",");
  }
  *end = level == 0 && !open ? limit : at;
  if (!parser_is(parser, "}"))
    return parser_expected(parser, "\",\" or \"}\"");
  if (level > 0 && at < limit)
    return parser_expected(parser, "as many values as the row holds");
  return parser_take(parser, "}");
}

bool parser_initial(struct parser *parser, struct ptx_variable *variable,
                    const struct shape *shape) {
  struct filler filler = {variable, shape, variable->size};
  uint64_t end = 0;
  if (!variable->unsized) {
    variable->initial = reserve(parser, variable->size);
    if (!variable->initial)
      return false;
  }
  if (shape->levels == 0)
    return item_at(parser, &filler, 0);
  if (!braces(parser, &filler, 0, 0, &end))
    return false;
  if (variable->unsized) {
    uint64_t row = shape->levels > 1 ? shape->stride[1] : shape->item;
    variable->size = (end + row - 1) / row * row;
    if (variable->size && !make_room(parser, &filler, variable->size - 1))
      return false;
    variable->unsized = false;
  }
  return true;
}
