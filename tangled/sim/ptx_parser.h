/* What the parts of the parser share. The parser stops at its first error by
 * making every further token TOKEN_END: each loop ends by itself there. */
#ifndef SHUFFLE_LADDER_PTX_PARSER_H
#define SHUFFLE_LADDER_PTX_PARSER_H

#include "ptx.h"
#include "ptx_lex.h"
#include "ptx_storage.h"

enum { PTX_SCOPES = 64, PTX_NESTING = 32, PTX_REGISTERS = 1 << 18 };
enum { PTX_INITIAL = 1 << 28 }; /* bytes of initial values in a module */

enum meaning_kind {
  MEANS_REGISTER, /* index into function->registers */
  MEANS_VARIABLE, /* index into module->variables */
  MEANS_FUNCTION, /* index into module->functions */
  MEANS_LABEL     /* index of the instruction that follows */
};

struct meaning {
  enum meaning_kind kind;
  uint32_t index;
  uint32_t depth;        /* of the scope that declared it */
  struct name *name;     /* whose meaning it is */
  struct meaning *outer; /* what the name meant before */
  struct meaning *next;  /* declared before it in the same scope */
};

struct reference { /* a name in an instruction that may be a later label */
  struct name *name;
  uint32_t instruction, operand, line;
  struct reference *next;
};

struct scope {
  struct meaning *meanings;
  struct reference *references;
};

struct parser {
  struct lexer lexer;
  struct token token; /* the one to look at */
  struct ptx_error *error;
  struct storage *scratch; /* what only the parser needs */
  struct names names;
  struct ptx_module *module;
  struct ptx_function *function; /* the one being read, else NULL */
  uint32_t function_index;
  struct scope scopes[PTX_SCOPES]; /* 0: module, 1: parameters, 2: body */
  uint32_t depth;
  uint32_t file, source_line; /* of the last .loc */
  uint64_t initial_bytes;     /* of all initial values so far */
};

/* ptx_parser.c: tokens. */
void parser_advance(struct parser *parser);
bool parser_failed(const struct parser *parser);
/* Keeps the first error, at `line`; printf-like. Always returns false. */
__attribute__((format(printf, 3, 4))) bool
parser_fail(struct parser *parser, uint32_t line, const char *format, ...);
/* Fails with "found X, expected Y"; Y is as given. */
bool parser_expected(struct parser *parser, const char *what);
bool parser_no_memory(struct parser *parser);
bool parser_is(const struct parser *parser, const char *text);
/* Takes the token if it is `text`. */
bool parser_accept(struct parser *parser, const char *text);
/* Takes it or fails. */
bool parser_take(struct parser *parser, const char *text);
/* Takes a word and returns its entry in the table, or fails with `what`. */
struct name *parser_name(struct parser *parser, const char *what);
/* A copy of the token's text, in the module; NULL after a failure. */
char *parser_text(struct parser *parser, const struct token *token);

/* ptx_parser.c: names. */
bool parser_declare(struct parser *parser, struct name *name,
                    enum meaning_kind kind, uint32_t index, uint32_t line);
bool parser_open(struct parser *parser);
void parser_close(struct parser *parser);

/* ptx_number.c. */
struct number {
  enum ptx_operand_kind kind; /* PTX_INTEGER, PTX_FLOAT32 or PTX_FLOAT64 */
  uint64_t bits;
  bool is_unsigned; /* of PTX_INTEGER: .u64, else .s64 */
};
/* A constant expression. */
bool parser_number(struct parser *parser, struct number *number);
/* The value of one that gives an integer; 0 after a failure. */
int64_t parser_offset(struct parser *parser);
/* One integer with any signs before it, and one from 0 to `most`; 0 after a
 * failure. In parentheses, an expression. */
int64_t parser_integer(struct parser *parser);
uint64_t parser_count(struct parser *parser, uint64_t most, const char *what);
/* Does a number begin here? */
bool parser_at_number(const struct parser *parser);

/* ptx_names.c: finds "tid.x" (no %). Returns false where there is none. */
bool ptx_special_find(const char *name, size_t length,
                      struct ptx_operand *operand);

/* ptx_operand.c: operand `number` of instruction `in`. */
bool parser_operand(struct parser *parser, struct ptx_instruction *in,
                    uint32_t number);

/* ptx_variable.c: from behind ".shared" to before the ";" or, where `single`,
 * one declaration. Adds to module->variables; *index is the last one. */
struct declaration {
  enum ptx_space space;
  enum ptx_role role;
  bool is_extern, single;
};
bool parser_variables(struct parser *parser, struct declaration declaration,
                      uint32_t *index);

/* ptx_initial.c: what stands behind "=". */
struct shape { /* an array of vectors: 4 of [3][4], and one of the vector */
  uint64_t stride[10]; /* bytes of what one brace of this level holds */
  uint32_t levels;
  uint64_t item; /* bytes of one number */
};
bool parser_initial(struct parser *parser, struct ptx_variable *variable,
                    const struct shape *shape);

/* ptx_directive.c: directives that stand at module scope and in bodies. */
bool parser_space(const struct parser *parser, enum ptx_space *space);
bool parser_module_directive(struct parser *parser);
bool parser_heading(struct parser *parser);  /* .version and .target */
bool parser_location(struct parser *parser); /* .loc */
bool parser_pragma(struct parser *parser);
bool parser_registers(struct parser *parser); /* .reg */
/* ptx_function.c: from .entry or .func on; the body is parser_body's. */
bool parser_function(struct parser *parser);
/* ptx_body.c: from behind the "{" to behind its "}". */
bool parser_body(struct parser *parser);

#endif
