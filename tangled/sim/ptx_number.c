/* Numbers and constant expressions. Source: PTX ISA, "Constants". */
#include "ptx_parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool parser_at_number(const struct parser *parser) {
  const struct token *token = &parser->token;
  return token->kind == TOKEN_NUMBER ||
         (token->kind == TOKEN_MARK && strchr("-+~(", *token->text)) ||
         parser_is(parser, "WARP_SZ");
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  char lower = (char)(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/* Reads all digits or fails: there must be some, and they must fit 64 bits. */
static bool digits(const char *text, size_t length, unsigned base,
                   uint64_t *value) {
  *value = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned digit = (unsigned)digit_of(text[i]);
    if (digit >= base || *value > (UINT64_MAX - digit) / base)
      return false;
    *value = *value * base + digit;
  }
  return length > 0;
}

/* 7, 0x1F, 017, 0b101, each with or without a U. */
static bool integer_of(const char *text, size_t length, uint64_t *value) {
  if (length > 1 && text[length - 1] == 'U')
    length--;
  if (length > 1 && text[0] == '0') {
    if (text[1] == 'x' || text[1] == 'X')
      return digits(text + 2, length - 2, 16, value);
    if (text[1] == 'b' || text[1] == 'B')
      return digits(text + 2, length - 2, 2, value);
    return digits(text + 1, length - 1, 8, value);
  }
  return digits(text, length, 10, value);
}

/* 1.5, 2e-3: always a double. 1e400 and 1e-400 are out of its range. */
static bool decimal_of(const char *text, size_t length, uint64_t *bits) {
  char copy[64], *end;
  if (length >= sizeof copy || memchr(text, 'x', length) ||
      memchr(text, 'X', length) ||
      (!memchr(text, '.', length) && !memchr(text, 'e', length) &&
       !memchr(text, 'E', length)))
    return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  errno = 0;
  double value = strtod(copy, &end);
  memcpy(bits, &value, sizeof value);
  return *end == '\0' && errno == 0;
}

static bool literal_of(const struct token *token, struct number *number) {
  const char *text = token->text;
  size_t length = token->length;
  char kind = length > 1 && *text == '0' ? (char)(text[1] | 0x20) : ' ';
  if (kind == 'f' && length == 10) {
    number->kind = PTX_FLOAT32;
    return digits(text + 2, 8, 16, &number->bits);
  }
  if (kind == 'd' && length == 18) {
    number->kind = PTX_FLOAT64;
    return digits(text + 2, 16, 16, &number->bits);
  }
  number->kind = PTX_INTEGER;
  if (integer_of(text, length, &number->bits)) {
    number->is_unsigned = text[length - 1] == 'U' || number->bits > INT64_MAX;
    return true;
  }
  number->kind = PTX_FLOAT64;
  return decimal_of(text, length, &number->bits);
}

static bool literal(struct parser *parser, struct number *number) {
  const struct token *token = &parser->token;
  if (parser_accept(parser, "WARP_SZ")) {
    *number = (struct number){.kind = PTX_INTEGER, .bits = 32};
    return !parser_failed(parser);
  }
  if (token->kind != TOKEN_NUMBER)
    return parser_expected(parser, "a number");
  if (!literal_of(token, number))
    return parser_expected(parser, "a number in the range of 64 bits");
  parser_advance(parser);
  return !parser_failed(parser);
}

static bool apply_sign(struct parser *parser, char sign,
                       struct number *number) {
  bool whole = number->kind == PTX_INTEGER;
  if (number->kind == PTX_FLOAT32)
    return parser_fail(parser, parser->token.line,
                       "the bits of a float such as 0f3F800000 take no sign");
  if (sign == '~' && !whole)
    return parser_fail(parser, parser->token.line, "\"~\" needs an integer");
  if (sign == '~') {
    number->bits = ~number->bits;
    number->is_unsigned = true;
  } else if (sign == '-' && whole) {
    number->bits = 0 - number->bits;
  } else if (sign == '-') {
    number->bits ^= UINT64_C(1) << 63;
  }
  return true;
}

/* The operators, the loosest first; in a level all bind alike. */
static const struct {
  char text[3];
  int level;
} operators[] = {{"|", 0}, {"^", 1}, {"&", 2}, {"<<", 3}, {">>", 3},
                 {"+", 4}, {"-", 4}, {"*", 5}, {"/", 5},  {"%", 5}};

enum { OPERATORS = sizeof operators / sizeof *operators, LEVELS = 6 };

/* Takes an operator that binds at least as tightly as `level`. */
static int take_operator(struct parser *parser, int level) {
  for (int i = 0; i < OPERATORS; i++) {
    const char *text = operators[i].text;
    const struct token *token = &parser->token;
    if (operators[i].level < level || token->kind != TOKEN_MARK ||
        *token->text != text[0])
      continue;
    if (text[1]) { /* two marks of one character each */
      parser_advance(parser);
      parser_take(parser, (const char[]){text[1], '\0'});
    } else {
      parser_advance(parser);
    }
    return i;
  }
  return -1;
}

static bool divide(struct parser *parser, struct number *a,
                   const struct number *b) {
  int64_t x = (int64_t)a->bits, y = (int64_t)b->bits;
  if (y == 0)
    return parser_fail(parser, parser->token.line, "a division by zero");
  if (a->is_unsigned || b->is_unsigned) {
    a->bits /= b->bits;
    return true;
  }
  if (x == INT64_MIN && y == -1)
    return parser_fail(parser, parser->token.line,
                       "a quotient that does not fit 64 bits");
  a->bits = (uint64_t)(x / y);
  return true;
}

static bool remain(struct parser *parser, struct number *a,
                   const struct number *b) {
  if (b->bits == 0)
    return parser_fail(parser, parser->token.line, "a division by zero");
  a->bits %= b->bits;
  a->is_unsigned = true;
  return true;
}

static bool shift(struct number *a, char mark, uint64_t by) {
  bool negative = !a->is_unsigned && a->bits > INT64_MAX;
  by &= 63;
  if (mark == '<')
    a->bits = a->bits << by;
  else
    a->bits = negative ? ~(~a->bits >> by) : a->bits >> by;
  return true;
}

static bool combine(struct parser *parser, int which, struct number *a,
                    const struct number *b) {
  char mark = operators[which].text[0];
  uint64_t x = a->bits, y = b->bits;
  if (a->kind != PTX_INTEGER || b->kind != PTX_INTEGER)
    return parser_fail(parser, parser->token.line,
                       "\"%s\" needs an integer on each side",
                       operators[which].text);
  if (mark == '<' || mark == '>')
    return shift(a, mark, y);
  if (mark == '%')
    return remain(parser, a, b);
  if (mark == '/' && !divide(parser, a, b))
    return false;
  a->is_unsigned |= b->is_unsigned;
  if (mark == '+' || mark == '-')
    a->bits = mark == '+' ? x + y : x - y;
  else if (mark == '|' || mark == '^')
    a->bits = mark == '|' ? x | y : x ^ y;
  else if (mark == '&' || mark == '*')
    a->bits = mark == '&' ? x & y : x * y;
  return true;
}

/* Takes -, + and ~, as many as `signs` has room for. */
static bool take_signs(struct parser *parser, char *signs, size_t *count) {
  while (parser->token.kind == TOKEN_MARK &&
         strchr("-+~", *parser->token.text)) {
    if (*count == PTX_NESTING)
      return parser_expected(parser, "fewer signs before a number");
    signs[(*count)++] = *parser->token.text;
    parser_advance(parser);
  }
  return !parser_failed(parser);
}

static bool expression(struct parser *parser, int level, uint32_t nesting,
                       struct number *number);

/* One number with its signs, or an expression in parentheses. */
static bool signed_number(struct parser *parser, uint32_t nesting,
                          struct number *number) {
  char signs[PTX_NESTING];
  size_t count = 0;
  if (!take_signs(parser, signs, &count))
    return false;
  if (parser_accept(parser, "(")) {
    if (nesting == 0)
      return parser_expected(parser, "fewer parentheses within each other");
    if (!expression(parser, 0, nesting - 1, number) ||
        !parser_take(parser, ")"))
      return false;
  } else if (!literal(parser, number)) {
    return false;
  }
  while (count > 0)
    if (!apply_sign(parser, signs[--count], number))
      return false;
  return true;
}

static bool expression(struct parser *parser, int level, uint32_t nesting,
                       struct number *number) {
  if (level == LEVELS)
    return signed_number(parser, nesting, number);
  if (!expression(parser, level + 1, nesting, number))
    return false;
  for (;;) {
    int which = take_operator(parser, level);
    if (which < 0)
      return !parser_failed(parser);
    struct number right = {.kind = PTX_INTEGER};
    if (!expression(parser, level + 1, nesting, &right) ||
        !combine(parser, which, number, &right))
      return false;
  }
}

bool parser_number(struct parser *parser, struct number *number) {
  return expression(parser, 0, PTX_NESTING, number);
}

/* An integer: at level 0 an expression, at LEVELS one number. */
static int64_t integer(struct parser *parser, int level) {
  const struct token token = parser->token;
  struct number number = {.kind = PTX_INTEGER};
  if (!expression(parser, level, PTX_NESTING, &number))
    return 0;
  if (number.kind != PTX_INTEGER) {
    parser_fail(parser, token.line, "found \"%.*s\", expected an integer",
                token.length < 60 ? (int)token.length : 60, token.text);
    return 0;
  }
  return (int64_t)number.bits;
}

int64_t parser_offset(struct parser *parser) { return integer(parser, 0); }

int64_t parser_integer(struct parser *parser) {
  return integer(parser, LEVELS);
}

uint64_t parser_count(struct parser *parser, uint64_t most, const char *what) {
  uint32_t line = parser->token.line;
  int64_t value = parser_integer(parser);
  if (value >= 0 && (uint64_t)value <= most)
    return (uint64_t)value;
  parser_fail(parser, line, "found %lld, expected %s of 0 to %llu",
              (long long)value, what, (unsigned long long)most);
  return 0;
}
