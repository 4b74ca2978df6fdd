/* The words of PTX. Source: PTX ISA, "Syntax". */
#ifndef SHUFFLE_LADDER_PTX_LEX_H
#define SHUFFLE_LADDER_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
  TOKEN_END,
  TOKEN_WORD,      /* a name, or an opcode with all its modifiers */
  TOKEN_DIRECTIVE, /* ".reg", dot and all */
  TOKEN_NUMBER,    /* digits and what hangs on them; value not looked at */
  TOKEN_STRING,    /* the text lies between the quotes */
  TOKEN_MARK,      /* one character: text[0] */
  TOKEN_BAD        /* no token: text says why, or is the one wrong byte */
};

struct token {
  enum token_kind kind;
  const char *text; /* within the source; not ended by a NUL */
  size_t length;
  uint32_t line; /* from 1 */
};

struct lexer {
  const char *at, *end;
  uint32_t line;
};

/* The next token. At the end of the text, TOKEN_END again and again. */
struct token lexer_next(struct lexer *lexer);

/* Is this token exactly `text`? A string never is. */
bool token_is(const struct token *token, const char *text);

#endif
