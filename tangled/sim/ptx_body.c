/* Bodies of functions: blocks, labels, instructions. Source: PTX ISA,
 * "Statements". */
#include "ptx_parser.h"

#include <string.h>

/* @%p1 or @!%p1; in->guard is -1 where there is none. */
static bool guard_of(struct parser *parser, struct ptx_instruction *in) {
  in->guard = -1;
  if (!parser_accept(parser, "@"))
    return !parser_failed(parser);
  in->guard_negated = parser_accept(parser, "!");
  uint32_t line = parser->token.line;
  const struct name *name = parser_name(parser, "a predicate register");
  if (!name)
    return false;
  const struct meaning *meaning = name->meaning;
  if (!meaning || meaning->kind != MEANS_REGISTER ||
      parser->function->registers[meaning->index].type != PTX_PRED)
    return parser_fail(parser, line,
                       "the guard \"%.100s\" is no declared .pred register",
                       name->text);
  in->guard = (int32_t)meaning->index;
  return true;
}

/* "shfl.sync.down.b32" into its opcode and its modifiers. */
static bool split(struct parser *parser, const struct token *token,
                  struct ptx_instruction *in) {
  in->text = parser_text(parser, token);
  char *pieces = parser_text(parser, token);
  if (!in->text || !pieces)
    return false;
  in->opcode = pieces;
  for (char *dot = strchr(pieces, '.'); dot; dot = strchr(dot, '.')) {
    *dot++ = '\0';
    if (in->modifier_count == PTX_MODIFIERS)
      return parser_fail(parser, token->line,
                         "\"%.100s\" has more than %d modifiers", in->text,
                         PTX_MODIFIERS);
    in->modifier[in->modifier_count++] = dot;
  }
  return true;
}

static bool operands(struct parser *parser, struct ptx_instruction *in) {
  if (parser_accept(parser, ";"))
    return !parser_failed(parser);
  do {
    if (in->operand_count == PTX_OPERANDS)
      return parser_fail(parser, in->line,
                         "\"%.100s\" has more than %d operands", in->text,
                         PTX_OPERANDS);
    if (!parser_operand(parser, in, in->operand_count++))
      return false;
  } while (parser_accept(parser, ","));
  if (!parser_is(parser, ";"))
    return parser_expected(parser, "\",\" or \";\"");
  parser_advance(parser);
  return !parser_failed(parser);
}

/* call (ret), f, (a, b), with or without the lists. A register in the place of
 * the function, or a fourth operand, makes an indirect call. */
static bool check_call(struct parser *parser,
                       const struct ptx_instruction *in) {
  uint32_t at = in->operand_count && in->operand[0].kind == PTX_LIST;
  if (strcmp(in->opcode, "call") != 0)
    return true;
  if (at == in->operand_count)
    return parser_fail(parser, in->line, "a call without a function");
  enum ptx_operand_kind kind = in->operand[at].kind;
  if (kind == PTX_REGISTER || in->operand_count > at + 2)
    return parser_fail(parser, in->line,
                       "an indirect call is not supported: the function must "
                       "be given by its name");
  if ((kind != PTX_FUNCTION && kind != PTX_LABEL) ||
      (in->operand_count == at + 2 && in->operand[at + 1].kind != PTX_LIST))
    return parser_fail(parser, in->line,
                       "\"%.100s\" needs a function, and its arguments in "
                       "parentheses",
                       in->text);
  return true;
}

/* An instruction; its opcode was taken already and is `token`. */
static bool instruction(struct parser *parser, const struct token *token,
                        struct ptx_instruction *in) {
  struct ptx_function *function = parser->function;
  in->line = token->line;
  in->file = parser->file;
  in->source_line = parser->source_line;
  if (!split(parser, token, in) || !operands(parser, in) ||
      !check_call(parser, in))
    return false;
  function->instructions =
      storage_grow(parser->module->storage, function->instructions,
                   function->instruction_count, sizeof *in);
  if (!function->instructions)
    return parser_no_memory(parser);
  function->instructions[function->instruction_count++] = *in;
  return true;
}

static bool label(struct parser *parser, const struct token *token) {
  struct name *name = names_find(&parser->names, parser->module->storage,
                                 token->text, token->length);
  if (!name)
    return parser_no_memory(parser);
  return parser_declare(parser, name, MEANS_LABEL,
                        parser->function->instruction_count, token->line);
}

/* A label or an instruction: both begin with a word. */
static bool worded(struct parser *parser) {
  struct ptx_instruction in = {0};
  if (!guard_of(parser, &in))
    return false;
  const struct token token = parser->token;
  if (token.kind != TOKEN_WORD)
    return parser_expected(parser, "an instruction");
  parser_advance(parser);
  if (in.guard < 0 && parser_accept(parser, ":"))
    return label(parser, &token);
  return instruction(parser, &token, &in);
}

static bool variable(struct parser *parser, enum ptx_space space) {
  struct declaration declaration = {space, PTX_BODY_VARIABLE, false, false};
  uint32_t index;
  parser_advance(parser);
  return parser_variables(parser, declaration, &index) &&
         parser_take(parser, ";");
}

static bool statement(struct parser *parser) {
  enum ptx_space space;
  if (parser_is(parser, ".loc"))
    return parser_location(parser);
  if (parser_is(parser, ".reg"))
    return parser_registers(parser);
  if (parser_is(parser, ".pragma"))
    return parser_pragma(parser);
  if (parser_space(parser, &space))
    return variable(parser, space);
  if (parser->token.kind == TOKEN_DIRECTIVE)
    return parser_expected(parser, "a directive of a function's body");
  return worded(parser);
}

bool parser_body(struct parser *parser) {
  uint32_t outside = parser->depth;
  if (!parser_open(parser))
    return false;
  while (parser->depth > outside) {
    if (parser->token.kind == TOKEN_END)
      return parser_expected(parser, "\"}\" of a function's body");
    if (parser_accept(parser, "{")) {
      if (!parser_open(parser))
        return false;
    } else if (parser_is(parser, "}")) {
      parser_close(parser);
      parser_accept(parser, "}");
    } else if (!statement(parser)) {
      return false;
    }
  }
  return !parser_failed(parser);
}
