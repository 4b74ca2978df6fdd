/* The words of PTX. Source: PTX ISA, "Syntax". */
#include "ptx_lex.h"

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
         c == '_' || c == '$';
}

/* The character `ahead` of the lexer, NUL beyond the end. */
static char peek(const struct lexer *lexer, ptrdiff_t ahead) {
  return lexer->end - lexer->at > ahead ? lexer->at[ahead] : '\0';
}

static struct token bad(uint32_t line, const char *why) {
  return (struct token){TOKEN_BAD, why, strlen(why), line};
}

/* Skips a comment that begins here. Returns false where it does not end. */
static bool skip_comment(struct lexer *lexer) {
  bool to_line_end = peek(lexer, 1) == '/';
  uint32_t start = lexer->line;
  for (lexer->at += 2; lexer->at < lexer->end; lexer->at++) {
    if (*lexer->at == '\n') {
      if (to_line_end)
        return true;
      lexer->line++;
    }
    if (!to_line_end && *lexer->at == '*' && peek(lexer, 1) == '/') {
      lexer->at += 2;
      return true;
    }
  }
  if (!to_line_end)
    lexer->line = start; /* where the mistake is */
  return to_line_end;
}

/* Skips blanks and comments. Returns false in a comment that does not end. */
static bool skip_blanks(struct lexer *lexer) {
  while (lexer->at < lexer->end) {
    char c = *lexer->at;
    if (c == '/' && (peek(lexer, 1) == '/' || peek(lexer, 1) == '*')) {
      if (!skip_comment(lexer))
        return false;
    } else if (c == '\n' || c == ' ' || (c >= '\t' && c <= '\r')) {
      lexer->line += c == '\n';
      lexer->at++;
    } else {
      break;
    }
  }
  return true;
}

/* Characters of a word from here on: a dot or a :: goes on with the word. */
static void skip_word(struct lexer *lexer) {
  lexer->at++;
  for (;;) {
    if (is_name(peek(lexer, 0)))
      lexer->at++;
    else if (peek(lexer, 0) == '.' && is_name(peek(lexer, 1)))
      lexer->at += 2;
    else if (peek(lexer, 0) == ':' && peek(lexer, 1) == ':' &&
             is_name(peek(lexer, 2)))
      lexer->at += 3;
    else
      return;
  }
}

static void skip_directive(struct lexer *lexer) {
  lexer->at++;
  while (is_name(peek(lexer, 0)))
    lexer->at++;
}

/* 1.5e-3 goes on after the sign; 0x1e-3 is a difference. */
static void skip_number(struct lexer *lexer) {
  bool bits = *lexer->at == '0' && peek(lexer, 1) != '\0' &&
              strchr("xXfFdD", peek(lexer, 1));
  while (is_name(peek(lexer, 0)) || peek(lexer, 0) == '.') {
    bool exponent = !bits && (*lexer->at == 'e' || *lexer->at == 'E');
    lexer->at++;
    if (exponent && (peek(lexer, 0) == '-' || peek(lexer, 0) == '+'))
      lexer->at++;
  }
}

static struct token string_from(struct lexer *lexer) {
  const char *start = ++lexer->at;
  while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n')
    lexer->at +=
        *lexer->at == '\\' && lexer->end - lexer->at > 1 && lexer->at[1] != '\n'
            ? 2
            : 1;
  if (peek(lexer, 0) != '"')
    return bad(lexer->line, "a string that does not end on its line");
  size_t length = (size_t)(lexer->at++ - start);
  return (struct token){TOKEN_STRING, start, length, lexer->line};
}

/* The token that begins with `c` here; no string. */
static struct token token_from(struct lexer *lexer, char c) {
  struct token token = {TOKEN_END, lexer->at, 0, lexer->line};
  if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))) {
    token.kind = TOKEN_NUMBER;
    skip_number(lexer);
  } else if (is_name(c) || (c == '%' && is_name(peek(lexer, 1)))) {
    token.kind = TOKEN_WORD;
    skip_word(lexer);
  } else if (c == '.' && is_name(peek(lexer, 1))) {
    token.kind = TOKEN_DIRECTIVE;
    skip_directive(lexer);
  } else if (c != '\0' && strchr("{}[]()<>,;:|!@=+-*/&^~%", c)) {
    token.kind = TOKEN_MARK;
    lexer->at++;
  } else {
    return (struct token){TOKEN_BAD, lexer->at, 1, lexer->line};
  }
  token.length = (size_t)(lexer->at - token.text);
  return token;
}

struct token lexer_next(struct lexer *lexer) {
  if (!skip_blanks(lexer))
    return bad(lexer->line, "a comment that does not end");
  if (lexer->at == lexer->end)
    return (struct token){TOKEN_END, lexer->at, 0, lexer->line};
  char c = peek(lexer, 0);
  return c == '"' ? string_from(lexer) : token_from(lexer, c);
}

bool token_is(const struct token *token, const char *text) {
  return token->kind != TOKEN_STRING && token->kind != TOKEN_BAD &&
         token->length == strlen(text) &&
         memcmp(token->text, text, token->length) == 0;
}
