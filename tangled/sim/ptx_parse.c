/* From PTX text to a module. Source: PTX ISA, "PTX Module Directives". */
#include "ptx_parser.h"

static void module_text(struct parser *parser) {
  parser_advance(parser);
  if (!parser_heading(parser))
    return;
  while (parser->token.kind != TOKEN_END)
    if (!parser_module_directive(parser))
      return;
}

struct ptx_module *ptx_parse(const char *text, size_t length,
                             struct ptx_error *error) {
  *error = (struct ptx_error){.status = PTX_OK};
  struct storage *storage = storage_create();
  struct storage *scratch = storage_create();
  struct ptx_module *module =
      storage ? storage_take(storage, sizeof *module) : NULL;
  struct parser *parser =
      scratch ? storage_take(scratch, sizeof *parser) : NULL;
  if (module && parser) {
    module->storage = storage;
    parser->lexer = (struct lexer){text, text + length, 1};
    parser->error = error;
    parser->scratch = parser->names.storage = scratch;
    parser->module = module;
    module_text(parser);
  } else {
    *error = (struct ptx_error){PTX_NO_MEMORY, 0, "out of memory"};
  }
  storage_free(scratch);
  if (error->status == PTX_OK)
    return module;
  storage_free(storage);
  return NULL;
}

void ptx_free(struct ptx_module *module) {
  if (module)
    storage_free(module->storage);
}
