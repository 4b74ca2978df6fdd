/* Declarations of variables. Source: PTX ISA, "State Spaces, Types, and
 * Variables". */
#include "ptx_parser.h"

#include <stdio.h>
#include <string.h>

enum { DIMENSIONS = 8, ALIGNMENT = 1 << 16 };
static const uint64_t largest = UINT64_C(1) << 40;

struct specifier { /* what stands before the name */
  enum ptx_type type;
  uint32_t align, vector;
};

/* .align 8; what follows .ptr tells of the pointee, and is read past. */
static bool alignment(struct parser *parser, bool *pointee,
                      struct specifier *specifier) {
  parser_advance(parser);
  uint32_t line = parser->token.line;
  uint64_t align = parser_count(parser, ALIGNMENT, "an alignment");
  if (parser_failed(parser))
    return false;
  if (align == 0 || (align & (align - 1)) != 0)
    return parser_fail(parser, line,
                       "found .align %llu, expected a power of two",
                       (unsigned long long)align);
  if (!*pointee)
    specifier->align = (uint32_t)align;
  return true;
}

static bool attribute(struct parser *parser) {
  parser_advance(parser);
  if (!parser_take(parser, "("))
    return false;
  if (!parser_is(parser, ".managed"))
    return parser_expected(parser, ".managed, the only .attribute supported");
  parser_advance(parser);
  return parser_take(parser, ")");
}

/* One word before the name: .align 4, .v2, .ptr, .f32. */
static bool specify(struct parser *parser, bool *pointee,
                    struct specifier *specifier) {
  enum ptx_space space;
  char text[12];
  const struct token *token = &parser->token;
  snprintf(text, sizeof text, "%.*s",
           (int)(token->length < 11 ? token->length : 11), token->text);
  if (parser_is(parser, ".align"))
    return alignment(parser, pointee, specifier);
  if (parser_is(parser, ".attribute"))
    return attribute(parser);
  enum ptx_type type = ptx_type_find(text + 1);
  if (parser_is(parser, ".ptr"))
    *pointee = true;
  else if (parser_is(parser, ".v2") || parser_is(parser, ".v4"))
    specifier->vector = (uint32_t)(token->text[2] - '0');
  else if (type != PTX_NO_TYPE && type != PTX_PRED &&
           specifier->type == PTX_NO_TYPE)
    specifier->type = type;
  else if (!*pointee || !parser_space(parser, &space))
    return parser_expected(parser, "a variable's type such as .b32");
  parser_advance(parser);
  return !parser_failed(parser);
}

static bool specifiers(struct parser *parser, struct specifier *specifier) {
  bool pointee = false;
  *specifier = (struct specifier){.vector = 1};
  while (parser->token.kind == TOKEN_DIRECTIVE)
    if (!specify(parser, &pointee, specifier))
      return false;
  if (specifier->type == PTX_NO_TYPE)
    return parser_expected(parser, "a variable's type such as .b32");
  uint32_t natural = ptx_type_size(specifier->type) * specifier->vector;
  if (specifier->align == 0)
    specifier->align = natural;
  return true;
}

/* [3][4] behind a name; 0 stands for []. */
static bool dimensions(struct parser *parser, uint64_t *sizes,
                       uint32_t *count) {
  for (*count = 0; parser_accept(parser, "["); ++*count) {
    if (*count == DIMENSIONS)
      return parser_expected(parser, "at most 8 dimensions");
    sizes[*count] = 0;
    uint32_t line = parser->token.line;
    if (*count == 0 && parser_is(parser, "]"))
      ;
    else if ((sizes[*count] =
                  parser_count(parser, largest, "a number of elements")) == 0)
      return parser_fail(parser, line,
                         "found 0, expected a number of "
                         "elements of at least 1");
    if (!parser_take(parser, "]"))
      return false;
  }
  return !parser_failed(parser);
}

/* Strides and size from the dimensions, the innermost first. */
static bool measure(struct parser *parser, const struct specifier *specifier,
                    struct shape *shape, struct ptx_variable *variable) {
  uint64_t sizes[DIMENSIONS];
  uint32_t count;
  if (!dimensions(parser, sizes, &count))
    return false;
  shape->item = ptx_type_size(specifier->type);
  shape->levels = count + (specifier->vector > 1);
  variable->size = shape->item * specifier->vector;
  if (specifier->vector > 1)
    shape->stride[count] = variable->size;
  variable->unsized = count > 0 && sizes[0] == 0;
  for (uint32_t i = count; i-- > 0;) {
    if (sizes[i] && variable->size > largest / sizes[i])
      return parser_fail(parser, variable->line,
                         "\"%.100s\" is larger than 2^40 bytes",
                         variable->name);
    variable->size *= sizes[i];
    shape->stride[i] = variable->size;
  }
  return true;
}

/* At module scope, an extern declaration and the definition are one. */
static bool merge(struct parser *parser, const struct name *name,
                  const struct ptx_variable *variable, uint32_t *index) {
  if (variable->role != PTX_MODULE_VARIABLE || !name->meaning ||
      name->meaning->kind != MEANS_VARIABLE)
    return false;
  struct ptx_variable *known = &parser->module->variables[name->meaning->index];
  if ((!known->is_extern && !variable->is_extern) ||
      known->space != variable->space)
    return false;
  *index = name->meaning->index;
  if (known->is_extern)
    *known = *variable;
  return true;
}

static bool add(struct parser *parser, struct name *name,
                const struct ptx_variable *variable, uint32_t *index) {
  struct ptx_module *module = parser->module;
  if (merge(parser, name, variable, index))
    return true;
  module->variables = storage_grow(module->storage, module->variables,
                                   module->variable_count, sizeof *variable);
  if (!module->variables)
    return parser_no_memory(parser);
  *index = module->variable_count++;
  module->variables[*index] = *variable;
  return parser_declare(parser, name, MEANS_VARIABLE, *index, variable->line);
}

/* What stands behind the "=", where it may. */
static bool initial(struct parser *parser, struct ptx_variable *variable,
                    const struct shape *shape) {
  if (variable->space != PTX_GLOBAL && variable->space != PTX_CONST)
    return parser_fail(parser, variable->line,
                       "\"%.100s\" cannot have an initial value: only .global "
                       "and .const variables can",
                       variable->name);
  return parser_initial(parser, variable, shape);
}

static bool sized(struct parser *parser, const struct ptx_variable *variable) {
  if (!variable->unsized || variable->is_extern ||
      variable->role == PTX_FUNCTION_PARAMETER)
    return !parser_failed(parser);
  return parser_fail(parser, variable->line,
                     "\"%.100s\" needs a size, or initial values to count",
                     variable->name);
}

/* One name with its dimensions and its initial value. */
static bool one(struct parser *parser, const struct declaration *declaration,
                const struct specifier *specifier, uint32_t *index) {
  struct shape shape = {0};
  struct ptx_variable variable = {
      .space = declaration->space,
      .type = specifier->type,
      .role = declaration->role,
      .owner = parser->function ? (int32_t)parser->function_index : -1,
      .align = specifier->align,
      .is_extern = declaration->is_extern,
      .line = parser->token.line};
  struct name *name = parser_name(parser, "a variable's name");
  if (!name)
    return false;
  variable.name = name->text;
  if (!measure(parser, specifier, &shape, &variable))
    return false;
  if (parser_accept(parser, "=") && !initial(parser, &variable, &shape))
    return false;
  if (!sized(parser, &variable))
    return false;
  return add(parser, name, &variable, index);
}

bool parser_variables(struct parser *parser, struct declaration declaration,
                      uint32_t *index) {
  struct specifier specifier;
  if (!specifiers(parser, &specifier))
    return false;
  do {
    if (!one(parser, &declaration, &specifier, index))
      return false;
  } while (!declaration.single && parser_accept(parser, ","));
  return !parser_failed(parser);
}
