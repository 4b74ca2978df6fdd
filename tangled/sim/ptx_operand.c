/* Operands. Source: PTX ISA, "Instruction Operands". */
#include "ptx_parser.h"

#include <string.h>

/* A register that PTX names itself: %tid.x. */
static bool special_register(struct parser *parser, const struct token *token,
                             struct ptx_operand *operand) {
  if (ptx_special_find(token->text + 1, token->length - 1, operand))
    return true;
  return parser_fail(parser, token->line,
                     "\"%.*s\" is neither a declared register nor a special "
                     "register that the simulator knows",
                     token->length < 60 ? (int)token->length : 60, token->text);
}

static void use_meaning(const struct meaning *meaning,
                        struct ptx_operand *operand) {
  static const enum ptx_operand_kind kinds[] = {
      [MEANS_REGISTER] = PTX_REGISTER,
      [MEANS_VARIABLE] = PTX_SYMBOL,
      [MEANS_FUNCTION] = PTX_FUNCTION,
  };
  operand->kind = kinds[meaning->kind];
  operand->index = meaning->index;
}

/* +4, -4, +-4, +2*4. */
static bool offset(struct parser *parser, int64_t *total) {
  uint64_t sum = (uint64_t)*total;
  while (parser_is(parser, "+") || parser_is(parser, "-")) {
    if (parser_is(parser, "+"))
      parser_advance(parser);
    sum += (uint64_t)parser_offset(parser);
  }
  *total = (int64_t)sum;
  return !parser_failed(parser);
}

/* A declared name; *name is left NULL for special registers. */
static bool named(struct parser *parser, struct ptx_operand *operand,
                  struct name **name, const char *what) {
  const struct token token = parser->token;
  *name = NULL;
  struct name *found = parser_name(parser, what);
  if (!found)
    return false;
  if (found->meaning && found->meaning->kind != MEANS_LABEL) {
    use_meaning(found->meaning, operand);
    *name = found;
    return operand->kind != PTX_SYMBOL || offset(parser, &operand->offset);
  }
  if (*token.text == '%')
    return special_register(parser, &token, operand);
  *name = found;
  operand->kind = PTX_LABEL;
  return true;
}

/* Inside of [ ], behind the bracket. */
static bool address(struct parser *parser, struct ptx_operand *operand) {
  struct ptx_operand base = {0};
  struct name *name;
  uint32_t line = parser->token.line;
  if (parser_at_number(parser)) {
    operand->offset = parser_offset(parser);
  } else {
    if (!named(parser, &base, &name, "an address"))
      return false;
    if (base.kind != PTX_REGISTER && base.kind != PTX_SYMBOL)
      return parser_fail(parser, line,
                         "\"%.100s\" is no declared register or variable, "
                         "expected an address",
                         name ? name->text : "a special register");
    operand->base =
        base.kind == PTX_REGISTER ? PTX_BASE_REGISTER : PTX_BASE_SYMBOL;
    operand->index = base.index;
    operand->offset = base.offset;
  }
  operand->kind = PTX_ADDRESS;
  return offset(parser, &operand->offset) && parser_take(parser, "]");
}

static bool number(struct parser *parser, struct ptx_operand *operand) {
  struct number value = {.kind = PTX_INTEGER};
  if (!parser_number(parser, &value))
    return false;
  operand->kind = value.kind;
  operand->bits = value.bits;
  return true;
}

/* What may stand in a list: a register, a number, a name, a sink. */
static bool element(struct parser *parser, struct ptx_operand *operand,
                    struct name **name) {
  *name = NULL;
  if (parser_accept(parser, "_")) {
    operand->kind = PTX_SINK;
    return !parser_failed(parser);
  }
  if (parser_accept(parser, "!")) {
    operand->negated = true;
    if (parser->token.kind != TOKEN_WORD)
      return parser_expected(parser, "a predicate register after \"!\"");
  } else if (parser_at_number(parser)) {
    return number(parser, operand);
  }
  return named(parser, operand, name, "an operand");
}

static bool declared(struct parser *parser, const struct ptx_operand *operand,
                     const struct name *name, uint32_t line) {
  if (operand->kind != PTX_LABEL || !name)
    return true;
  return parser_fail(parser, line, "\"%.100s\" is not declared", name->text);
}

/* {a, b} and (a, b), behind the opening mark. Only () may be empty. */
static bool list(struct parser *parser, struct ptx_operand *operand,
                 const char *close) {
  if (*close == ')' && parser_accept(parser, close))
    return !parser_failed(parser);
  do {
    struct ptx_operand item = {0};
    struct name *name;
    uint32_t line = parser->token.line;
    if (!element(parser, &item, &name) || !declared(parser, &item, name, line))
      return false;
    operand->elements = storage_grow(parser->module->storage, operand->elements,
                                     operand->count, sizeof item);
    if (!operand->elements)
      return parser_no_memory(parser);
    operand->elements[operand->count++] = item;
  } while (parser_accept(parser, ","));
  if (!parser_is(parser, close))
    return parser_expected(parser,
                           *close == ')' ? "\",\" or \")\"" : "\",\" or \"}\"");
  return parser_take(parser, close);
}

/* The q of p|q, behind the bar. */
static bool second(struct parser *parser, struct ptx_operand *operand) {
  struct name *name;
  uint32_t line = parser->token.line;
  operand->pair = storage_take(parser->module->storage, sizeof *operand);
  if (!operand->pair)
    return parser_no_memory(parser);
  return element(parser, operand->pair, &name) &&
         declared(parser, operand->pair, name, line);
}

/* Notes that an operand may be a label that is still to come. */
static bool refer(struct parser *parser, struct name *name, uint32_t number,
                  uint32_t line) {
  struct reference *reference =
      storage_take(parser->scratch, sizeof *reference);
  if (!reference)
    return parser_no_memory(parser);
  struct scope *scope = &parser->scopes[parser->depth];
  *reference = (struct reference){name, parser->function->instruction_count,
                                  number, line, scope->references};
  scope->references = reference;
  return true;
}

bool parser_operand(struct parser *parser, struct ptx_instruction *in,
                    uint32_t number) {
  struct ptx_operand *operand = &in->operand[number];
  struct name *name;
  uint32_t line = parser->token.line;
  bool call = strcmp(in->opcode, "call") == 0;
  if (parser_accept(parser, "["))
    return address(parser, operand);
  if (parser_accept(parser, "{")) {
    operand->kind = PTX_VECTOR;
    return list(parser, operand, "}");
  }
  if (call && parser_accept(parser, "(")) {
    operand->kind = PTX_LIST;
    return list(parser, operand, ")");
  }
  if (!element(parser, operand, &name))
    return false;
  if (parser_accept(parser, "|"))
    return declared(parser, operand, name, line) && second(parser, operand);
  return operand->kind != PTX_LABEL || refer(parser, name, number, line);
}
