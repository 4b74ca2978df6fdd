/* The parser's hands: tokens, the first error, and what names mean. */
#include "ptx_parser.h"

#include <stdarg.h>
#include <stdio.h>

bool parser_failed(const struct parser *parser) {
  return parser->error->status != PTX_OK;
}

bool parser_fail(struct parser *parser, uint32_t line, const char *format,
                 ...) {
  struct ptx_error *error = parser->error;
  if (!parser_failed(parser)) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->status = PTX_BAD_SYNTAX;
    error->line = line;
  }
  parser->lexer.at = parser->lexer.end;
  parser->token = (struct token){.kind = TOKEN_END, .text = "", .line = line};
  return false;
}

bool parser_no_memory(struct parser *parser) {
  bool first = !parser_failed(parser);
  parser_fail(parser, parser->token.line, "out of memory");
  if (first)
    parser->error->status = PTX_NO_MEMORY;
  return false;
}

void parser_advance(struct parser *parser) {
  parser->token = lexer_next(&parser->lexer);
  const struct token token = parser->token;
  unsigned char byte = token.kind == TOKEN_BAD ? (unsigned char)*token.text : 0;
  if (token.kind != TOKEN_BAD)
    return;
  if (token.length > 1)
    parser_fail(parser, token.line, "found %s", token.text);
  else if (byte > ' ' && byte < 0x7f)
    parser_fail(parser, token.line,
                "found the character %c, which PTX does not use here", byte);
  else
    parser_fail(parser, token.line,
                "found byte 0x%02x, which PTX does not use here", byte);
}

bool parser_expected(struct parser *parser, const char *what) {
  const struct token *token = &parser->token;
  int length = token->length < 60 ? (int)token->length : 60;
  const char *more = token->length > 60 ? "..." : "";
  if (token->kind == TOKEN_END)
    return parser_fail(parser, token->line,
                       "found the end of the text, "
                       "expected %s",
                       what);
  if (token->kind == TOKEN_STRING)
    return parser_fail(parser, token->line, "found a string, expected %s",
                       what);
  return parser_fail(parser, token->line, "found \"%.*s%s\", expected %s",
                     length, token->text, more, what);
}

bool parser_is(const struct parser *parser, const char *text) {
  return token_is(&parser->token, text);
}

bool parser_accept(struct parser *parser, const char *text) {
  bool is = parser_is(parser, text);
  if (is)
    parser_advance(parser);
  return is;
}

bool parser_take(struct parser *parser, const char *text) {
  if (parser_accept(parser, text))
    return !parser_failed(parser);
  char what[40];
  snprintf(what, sizeof what, "\"%s\"", text);
  return parser_expected(parser, what);
}

struct name *parser_name(struct parser *parser, const char *what) {
  const struct token token = parser->token;
  if (token.kind != TOKEN_WORD) {
    parser_expected(parser, what);
    return NULL;
  }
  struct name *name = names_find(&parser->names, parser->module->storage,
                                 token.text, token.length);
  if (!name)
    parser_no_memory(parser);
  parser_advance(parser);
  return parser_failed(parser) ? NULL : name;
}

char *parser_text(struct parser *parser, const struct token *token) {
  char *text =
      storage_text(parser->module->storage, token->text, token->length);
  if (!text)
    parser_no_memory(parser);
  return text;
}

bool parser_declare(struct parser *parser, struct name *name,
                    enum meaning_kind kind, uint32_t index, uint32_t line) {
  if (name->meaning && name->meaning->depth == parser->depth)
    return parser_fail(parser, line, "\"%.100s\" is declared twice",
                       name->text);
  struct meaning *meaning = storage_take(parser->scratch, sizeof *meaning);
  if (!meaning)
    return parser_no_memory(parser);
  struct scope *scope = &parser->scopes[parser->depth];
  *meaning = (struct meaning){kind, index,         parser->depth,
                              name, name->meaning, scope->meanings};
  scope->meanings = meaning;
  name->meaning = meaning;
  return true;
}

bool parser_open(struct parser *parser) {
  if (parser->depth + 1 == PTX_SCOPES)
    return parser_fail(parser, parser->token.line,
                       "more than %d blocks within each other", PTX_SCOPES - 2);
  parser->scopes[++parser->depth] = (struct scope){0};
  return true;
}

/* Gives a reference its label, if the scope that ends has it. */
static bool settle(struct parser *parser, const struct reference *reference) {
  const struct meaning *meaning = reference->name->meaning;
  if (!meaning || meaning->kind != MEANS_LABEL ||
      meaning->depth != parser->depth)
    return false;
  struct ptx_instruction *in =
      &parser->function->instructions[reference->instruction];
  in->operand[reference->operand].bits = meaning->index;
  return true;
}

/* Settles what it can; the enclosing scope, if it has code, gets the rest. */
static void settle_all(struct parser *parser) {
  struct reference *next, *lost = NULL;
  struct reference *reference = parser->scopes[parser->depth].references;
  for (; reference; reference = next) {
    struct scope *outer = &parser->scopes[parser->depth - 1];
    next = reference->next;
    if (settle(parser, reference))
      continue;
    reference->next = outer->references;
    outer->references = reference;
    if (!lost || reference->line < lost->line)
      lost = reference;
  }
  if (lost && parser->depth == 2)
    parser_fail(parser, lost->line, "\"%.100s\" is not declared",
                lost->name->text);
}

void parser_close(struct parser *parser) {
  if (!parser_failed(parser) && parser->depth >= 2)
    settle_all(parser);
  struct meaning *meaning = parser->scopes[parser->depth].meanings;
  for (; meaning; meaning = meaning->next)
    meaning->name->meaning = meaning->outer;
  parser->depth--;
}
