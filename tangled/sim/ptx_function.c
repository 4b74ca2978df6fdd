/* Kernels and functions, from .entry or .func on. Source: PTX ISA, "Kernel and
 * Function Directives". */
#include "ptx_parser.h"

#include <string.h>

/* (.param .b32 a, .param .b64 b), behind the "(" */
static bool parameters(struct parser *parser, enum ptx_role role,
                       uint32_t **indices, uint32_t *count) {
  struct declaration declaration = {PTX_PARAM, role, false, true};
  if (parser_accept(parser, ")"))
    return !parser_failed(parser);
  do {
    uint32_t index;
    if (!parser_take(parser, ".param"))
      return false;
    if (!parser_variables(parser, declaration, &index))
      return false;
    *indices = storage_grow(parser->module->storage, *indices, *count,
                            sizeof **indices);
    if (!*indices)
      return parser_no_memory(parser);
    (*indices)[(*count)++] = index;
  } while (parser_accept(parser, ","));
  return parser_is(parser, ")") ? parser_take(parser, ")")
                                : parser_expected(parser, "\",\" or \")\"");
}

/* 128, 1, 1 behind a directive: one to three numbers, others are 1. */
static bool three(struct parser *parser, uint32_t numbers[3]) {
  for (int i = 0; i < 3; i++)
    numbers[i] = 1;
  for (int i = 0; i < 3 && (i == 0 || parser_accept(parser, ",")); i++)
    numbers[i] = (uint32_t)parser_count(parser, 65535, "a size");
  return !parser_failed(parser);
}

static bool limit_threads(struct parser *parser, uint32_t *most) {
  uint32_t numbers[3];
  uint32_t line = parser->token.line;
  if (!three(parser, numbers))
    return false;
  uint64_t product = (uint64_t)numbers[0] * numbers[1] * numbers[2];
  if (product > UINT32_MAX)
    return parser_fail(parser, line, "more than 2^32 threads in a block");
  *most = (uint32_t)product;
  return true;
}

/* Directives that tune a kernel and do not change what it computes. */
static bool tuning(struct parser *parser) {
  static const char *const bare[] = {".noreturn", ".explicitcluster",
                                     ".blocksareclusters"};
  static const char *const counted[] = {".minnctapersm", ".maxnctapersm",
                                        ".maxnreg", ".maxclusterrank",
                                        ".reqnctapercluster"};
  uint32_t numbers[3];
  for (size_t i = 0; i < sizeof bare / sizeof *bare; i++)
    if (parser_accept(parser, bare[i]))
      return !parser_failed(parser);
  for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
    if (parser_accept(parser, counted[i]))
      return three(parser, numbers);
  return parser_expected(parser, "a directive of a kernel, or \"{\"");
}

/* What stands between the parameters and the body. */
static bool performance(struct parser *parser) {
  struct ptx_function *function = parser->function;
  while (parser->token.kind == TOKEN_DIRECTIVE) {
    bool good;
    if (parser_accept(parser, ".maxntid"))
      good = limit_threads(parser, &function->max_threads);
    else if (parser_accept(parser, ".reqntid"))
      good = three(parser, function->required_threads);
    else if (parser_is(parser, ".pragma"))
      good = parser_pragma(parser);
    else
      good = tuning(parser);
    if (!good)
      return false;
  }
  return !parser_failed(parser);
}

/* The function's place in the module: a prototype's, or a new one. */
static bool place(struct parser *parser, struct name *name, uint32_t line) {
  struct ptx_module *module = parser->module;
  const struct meaning *known = name->meaning;
  uint32_t depth = parser->depth;
  if (known && known->kind == MEANS_FUNCTION) {
    parser->function_index = known->index;
    return true;
  }
  module->functions =
      storage_grow(module->storage, module->functions, module->function_count,
                   sizeof *module->functions);
  if (!module->functions)
    return parser_no_memory(parser);
  parser->function_index = module->function_count++;
  module->functions[parser->function_index].name = name->text;
  parser->depth = 0; /* a function's name belongs to the module */
  bool good = parser_declare(parser, name, MEANS_FUNCTION,
                             parser->function_index, line);
  parser->depth = depth;
  return good;
}

/* Parameters got their owner when they were read, before the name was. */
static void own(const struct parser *parser, const uint32_t *indices,
                uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    parser->module->variables[indices[i]].owner =
        (int32_t)parser->function_index;
}

/* (.param .b32 result) name (.param .b32 a) */
static bool signature(struct parser *parser) {
  struct ptx_function *function = parser->function;
  if (!function->is_entry && parser_accept(parser, "(") &&
      !parameters(parser, PTX_FUNCTION_RETURN, &function->returns,
                  &function->return_count))
    return false;
  uint32_t line = parser->token.line;
  struct name *name = parser_name(parser, "a function's name");
  if (!name || !place(parser, name, line))
    return false;
  function->name = name->text;
  function->line = line;
  own(parser, function->returns, function->return_count);
  enum ptx_role role =
      function->is_entry ? PTX_KERNEL_PARAMETER : PTX_FUNCTION_PARAMETER;
  if (parser_accept(parser, "(") &&
      !parameters(parser, role, &function->parameters,
                  &function->parameter_count))
    return false;
  return performance(parser);
}

/* A body, or the ";" of a prototype. Keeps the function where it is new. */
static bool definition(struct parser *parser) {
  struct ptx_function *function = parser->function;
  struct ptx_function *known =
      &parser->module->functions[parser->function_index];
  if (parser_accept(parser, ";")) {
    if (!known->defined)
      *known = *function;
    return !parser_failed(parser);
  }
  if (!parser_is(parser, "{"))
    return parser_expected(parser, "\"{\" or \";\"");
  if (known->defined)
    return parser_fail(parser, function->line, "\"%.100s\" is defined twice",
                       function->name);
  parser_advance(parser);
  function->defined = true;
  if (!parser_body(parser))
    return false;
  parser->module->functions[parser->function_index] = *function;
  return true;
}

bool parser_function(struct parser *parser) {
  struct ptx_function function = {.is_entry = parser_is(parser, ".entry")};
  parser_advance(parser);
  parser->function = &function;
  parser->file = parser->source_line = 0;
  bool good = parser_open(parser) && signature(parser) && definition(parser);
  if (parser->depth == 1)
    parser_close(parser);
  parser->function = NULL;
  return good;
}
