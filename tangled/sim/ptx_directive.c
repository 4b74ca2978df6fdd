/* Directives that stand by themselves. Source: PTX ISA, "Directives". */
#include "ptx_parser.h"

#include <stdio.h>
#include <string.h>

enum { NEWEST_VERSION = 90 };

static bool unknown(struct parser *parser) {
  return parser_expected(parser, parser->function
                                     ? "a directive of a function's body"
                                     : "a directive of a module");
}

/* Reads digits up to `stop` or the end. -1 where there are other characters. */
static int32_t small_number(const char **text, const char *end, char stop) {
  int32_t value = 0;
  const char *start = *text;
  for (; *text < end && **text != stop; (*text)++) {
    if (**text < '0' || **text > '9' || value > 9999)
      return -1;
    value = value * 10 + (**text - '0');
  }
  return *text == start ? -1 : value;
}

/* .version 9.0 */
static bool version(struct parser *parser) {
  if (!parser_take(parser, ".version"))
    return false;
  const struct token token = parser->token;
  const char *at = token.text, *end = token.text + token.length;
  int32_t major = small_number(&at, end, '.');
  at += at < end;
  int32_t minor = small_number(&at, end, '.');
  if (token.kind != TOKEN_NUMBER || major < 1 || minor < 0 || at != end)
    return parser_expected(parser, "a version such as 9.0");
  if (minor > 9 || major * 10 + minor > NEWEST_VERSION) {
    parser_fail(parser, token.line,
                "PTX version %d.%d is newer than %d.%d, the newest that the "
                "simulator reads; compile with nvcc 13.0 or older",
                major, minor, NEWEST_VERSION / 10, NEWEST_VERSION % 10);
    parser->error->status = PTX_BAD_VERSION;
    return false;
  }
  parser->module->version = (uint32_t)(major * 10 + minor);
  parser_advance(parser);
  return !parser_failed(parser);
}

/* .target sm_90a, debug */
static bool target(struct parser *parser) {
  if (!parser_take(parser, ".target"))
    return false;
  const struct token token = parser->token;
  const char *at = token.text + 3, *end = token.text + token.length;
  if (token.kind == TOKEN_WORD && token.length > 4 &&
      memcmp(token.text, "sm_", 3) == 0) {
    const char *stop = end;
    while (stop > at && stop[-1] >= 'a' && stop[-1] <= 'z')
      stop--;
    int32_t number = small_number(&at, stop, '\0');
    if (number > 0 && end - stop <= 1)
      parser->module->target = (uint32_t)number;
  }
  if (!parser->module->target)
    return parser_expected(parser, "a target such as sm_80");
  parser_advance(parser);
  while (parser_accept(parser, ","))
    if (!parser_name(parser, "an option of .target"))
      return false;
  return !parser_failed(parser);
}

static bool address_size(struct parser *parser) {
  parser_advance(parser);
  if (!parser_is(parser, "64"))
    return parser_expected(parser, "64, the only .address_size supported");
  return parser_take(parser, "64");
}

bool parser_heading(struct parser *parser) {
  return version(parser) && target(parser);
}

/* .file 1 "a.cu", and a time and a size that we do not need */
static bool file(struct parser *parser) {
  struct ptx_module *module = parser->module;
  parser_advance(parser);
  uint32_t index =
      (uint32_t)parser_count(parser, UINT32_MAX, "a file's number");
  const struct token name = parser->token;
  if (name.kind != TOKEN_STRING)
    return parser_expected(parser, "the file's name in quotes");
  parser_advance(parser);
  while (parser_accept(parser, ","))
    parser_integer(parser);
  if (parser_failed(parser))
    return false;
  module->files = storage_grow(module->storage, module->files,
                               module->file_count, sizeof *module->files);
  char *text = parser_text(parser, &name);
  if (!module->files || !text)
    return parser_no_memory(parser);
  module->files[module->file_count++] = (struct ptx_file){index, text};
  return true;
}

/* .section .debug_str { ... }: what a debugger reads is skipped. */
static bool section(struct parser *parser) {
  uint32_t line = parser->token.line;
  size_t depth = 0;
  parser_advance(parser);
  if (parser->token.kind != TOKEN_DIRECTIVE)
    return parser_expected(parser, "the name of a section");
  parser_advance(parser);
  if (!parser_is(parser, "{"))
    return parser_expected(parser, "\"{\"");
  do {
    if (parser->token.kind == TOKEN_END)
      return parser_fail(parser, line,
                         "found the end of the text, expected "
                         "\"}\" of this .section");
    depth += parser_is(parser, "{");
    depth -= parser_is(parser, "}");
    parser_advance(parser);
  } while (depth > 0);
  return !parser_failed(parser);
}

/* .loc 1 13 3, function_name $L__info+12, inlined_at 1 32 3 */
bool parser_location(struct parser *parser) {
  parser_advance(parser);
  parser->file = (uint32_t)parser_count(parser, UINT32_MAX, "a file");
  parser->source_line = (uint32_t)parser_count(parser, UINT32_MAX, "a line");
  parser_count(parser, UINT32_MAX, "a column");
  while (parser_accept(parser, ",")) {
    if (parser_accept(parser, "function_name")) {
      parser_name(parser, "a label of .debug_str");
      if (parser_accept(parser, "+"))
        parser_count(parser, UINT32_MAX, "an offset");
    } else if (parser_take(parser, "inlined_at")) {
      for (int i = 0; i < 3; i++)
        parser_count(parser, UINT32_MAX, "a file, a line, a column");
    }
  }
  return !parser_failed(parser);
}

bool parser_pragma(struct parser *parser) {
  do {
    parser_advance(parser);
    if (parser->token.kind != TOKEN_STRING)
      return parser_expected(parser, "a string");
    parser_advance(parser);
  } while (parser_is(parser, ","));
  return parser_take(parser, ";");
}

static bool add_register(struct parser *parser, struct name *name,
                         enum ptx_type type, uint32_t line) {
  struct ptx_function *function = parser->function;
  if (function->register_count == PTX_REGISTERS)
    return parser_fail(parser, line, "more than %d registers in a function",
                       PTX_REGISTERS);
  function->registers =
      storage_grow(parser->module->storage, function->registers,
                   function->register_count, sizeof *function->registers);
  if (!function->registers)
    return parser_no_memory(parser);
  uint32_t index = function->register_count++;
  function->registers[index] = (struct ptx_register){name->text, type};
  return parser_declare(parser, name, MEANS_REGISTER, index, line);
}

/* %r<3> declares %r0, %r1 and %r2. */
static bool add_range(struct parser *parser, const char *stem,
                      enum ptx_type type, uint32_t line) {
  uint64_t count = parser_count(parser, PTX_REGISTERS, "a number of registers");
  char text[200];
  for (uint64_t i = 0; i < count; i++) {
    int length =
        snprintf(text, sizeof text, "%s%llu", stem, (unsigned long long)i);
    if (length < 0 || (size_t)length >= sizeof text)
      return parser_fail(parser, line, "a register's name is too long");
    struct name *name = names_find(&parser->names, parser->module->storage,
                                   text, (size_t)length);
    if (!name)
      return parser_no_memory(parser);
    if (!add_register(parser, name, type, line))
      return false;
  }
  return parser_take(parser, ">");
}

/* .reg .b32 %r<3>, %sum; */
bool parser_registers(struct parser *parser) {
  parser_advance(parser);
  char text[12];
  const struct token token = parser->token;
  snprintf(text, sizeof text, "%.*s",
           (int)(token.length < 11 ? token.length : 11),
           token.length ? token.text : "");
  enum ptx_type type =
      token.kind == TOKEN_DIRECTIVE ? ptx_type_find(text + 1) : PTX_NO_TYPE;
  if (type == PTX_NO_TYPE)
    return parser_expected(parser, "a register's type such as .b32");
  parser_advance(parser);
  do {
    uint32_t line = parser->token.line;
    struct name *name = parser_name(parser, "a register's name");
    if (!name)
      return false;
    if (parser_accept(parser, "<") ? !add_range(parser, name->text, type, line)
                                   : !add_register(parser, name, type, line))
      return false;
  } while (parser_accept(parser, ","));
  return parser_take(parser, ";");
}

bool parser_space(const struct parser *parser, enum ptx_space *space) {
  static const struct {
    const char *name;
    enum ptx_space space;
  } spaces[] = {{".param", PTX_PARAM},
                {".const", PTX_CONST},
                {".global", PTX_GLOBAL},
                {".shared", PTX_SHARED},
                {".local", PTX_LOCAL}};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (parser_is(parser, spaces[i].name)) {
      *space = spaces[i].space;
      return true;
    }
  return false;
}

/* .visible and the like; true for .extern */
static bool linkage(struct parser *parser) {
  bool is_extern = false;
  while (parser_is(parser, ".visible") || parser_is(parser, ".extern") ||
         parser_is(parser, ".weak") || parser_is(parser, ".common")) {
    is_extern |= parser_is(parser, ".extern");
    parser_advance(parser);
  }
  return is_extern;
}

bool parser_module_directive(struct parser *parser) {
  enum ptx_space space;
  uint32_t index;
  if (parser_is(parser, ".address_size"))
    return address_size(parser);
  if (parser_is(parser, ".file"))
    return file(parser);
  if (parser_is(parser, ".section"))
    return section(parser);
  if (parser_is(parser, ".pragma"))
    return parser_pragma(parser);
  bool is_extern = linkage(parser);
  if (parser_is(parser, ".entry") || parser_is(parser, ".func"))
    return parser_function(parser);
  if (!parser_space(parser, &space) || space == PTX_PARAM)
    return unknown(parser);
  parser_advance(parser);
  struct declaration declaration = {space, PTX_MODULE_VARIABLE, is_extern,
                                    false};
  return parser_variables(parser, declaration, &index) &&
         parser_take(parser, ";");
}
