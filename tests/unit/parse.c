/* The parser: what it reads, field by field, and what it says otherwise. */
#include "../tap.h"

#include "ptx.h"

#include <stdlib.h>
#include <string.h>

#define HEAD ".version 9.0\n.target sm_80\n.address_size 64\n"
#define BODY HEAD ".entry k(.param .u64 a)\n{\n"
#define REGISTERS ".reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %d<2>;\n"

/* Parses a copy of the exact size, so that a sanitizer sees a byte too far. */
static struct ptx_module *parse(const char *text, size_t length,
                                struct ptx_error *error) {
  char *copy = malloc(length ? length : 1);
  if (!copy)
    exit(1);
  memcpy(copy, text, length);
  struct ptx_module *module = ptx_parse(copy, length, error);
  free(copy);
  return module;
}

static struct ptx_module *good(const char *text) {
  struct ptx_error error;
  struct ptx_module *module = parse(text, strlen(text), &error);
  if (!module) {
    tap_ok(false, "line %u: %s", error.line, error.message);
    exit(tap_done());
  }
  return module;
}

static void refused(const char *text, uint32_t line, const char *message) {
  struct ptx_error error;
  struct ptx_module *module = parse(text, strlen(text), &error);
  bool same = !module && error.line == line && !strcmp(error.message, message);
  tap_ok(same, "refused: %s", message);
  if (!same && !module)
    printf("# got line %u: %s\n# want line %u\n", error.line, error.message,
           line);
  ptx_free(module);
}

static void is_text(const char *got, const char *want, const char *what) {
  bool same = got && strcmp(got, want) == 0;
  tap_ok(same, "%s", what);
  if (!same)
    printf("# got %s, want %s\n", got ? got : "nothing", want);
}

static const struct ptx_instruction *in(const struct ptx_module *module,
                                        uint32_t index) {
  return &module->functions[module->function_count - 1].instructions[index];
}

static char *slurp(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = malloc(1 << 20);
  if (!file || !text) {
    printf("Bail out! no %s\n", path);
    exit(1);
  }
  *length = fread(text, 1, 1 << 20, file);
  fclose(file);
  return text;
}

static void test_instructions(void) {
  struct ptx_module *module =
      good(BODY REGISTERS
           ".loc 1 7 3\n"
           "L: shfl.sync.down.b32 %r1|%p1, %r2, -1, 0x1F, 0b11;\n"
           "@!%p1 bra E;\n"
           "ld.shared::cta.L1::no_allocate.v2.b32 {%r1, _}, [%r2+-4];\n"
           "mov.u32 %r0, %ctaid.y; mov.b32 %r0, 0f3F800000;\n"
           "mov.b64 %d1, 1.5; mov.b32 %r0, (1 + 2 * 3) ; @%p2 bra L;\n"
           "ld.param.u64 %d0, [a+4]; mov.u32 %r1, WARP_SZ; st.u32 [64], 017U;\n"
           "E: }\n");
  const struct ptx_instruction *shuffle = in(module, 0);
  is_text(shuffle->text, "shfl.sync.down.b32", "the text of an instruction");
  is_text(shuffle->opcode, "shfl", "its opcode");
  tap_is_u64(shuffle->modifier_count, 3, "its modifiers");
  is_text(shuffle->modifier[1], "down", "the second of them");
  tap_is_u64(shuffle->operand_count, 5, "its operands");
  tap_ok(shuffle->operand[0].pair && shuffle->operand[0].pair->index == 1,
         "a pair");
  tap_is_u64(shuffle->operand[2].bits, UINT64_MAX, "-1 has 64 bits");
  tap_is_u64(shuffle->operand[3].bits, 31, "0x1F");
  tap_is_u64(shuffle->operand[4].bits, 3, "0b11");
  tap_ok(shuffle->guard == -1 && shuffle->file == 1 &&
             shuffle->source_line == 7 && shuffle->line == 8,
         "no guard, and its places");
  tap_ok(in(module, 1)->guard == 1 && in(module, 1)->guard_negated, "@!%%p1");
  tap_ok(in(module, 1)->operand[0].kind == PTX_LABEL &&
             in(module, 1)->operand[0].bits == 11,
         "a label at the end");
  const struct ptx_instruction *load = in(module, 2);
  is_text(load->modifier[0], "shared::cta", "a modifier with ::");
  tap_ok(load->operand[0].count == 2 &&
             load->operand[0].elements[1].kind == PTX_SINK,
         "a vector with a sink");
  tap_ok(load->operand[1].base == PTX_BASE_REGISTER &&
             load->operand[1].offset == -4,
         "[%%r2+-4]");
  tap_ok(in(module, 3)->operand[1].special == PTX_CTAID &&
             in(module, 3)->operand[1].part == 1,
         "%%ctaid.y");
  tap_is_u64(in(module, 4)->operand[1].bits, 0x3F800000, "0f3F800000");
  tap_is_u64(in(module, 5)->operand[1].bits, UINT64_C(0x3FF8000000000000),
             "1.5 is a double");
  tap_is_u64(in(module, 6)->operand[1].bits, 7, "an expression");
  tap_ok(in(module, 7)->operand[0].bits == 0, "a label before");
  tap_ok(in(module, 8)->operand[1].base == PTX_BASE_SYMBOL &&
             in(module, 8)->operand[1].offset == 4,
         "[a+4]");
  tap_ok(in(module, 9)->operand[1].kind == PTX_INTEGER &&
             in(module, 9)->operand[1].bits == 32,
         "WARP_SZ is 32");
  tap_ok(in(module, 10)->operand[0].base == PTX_BASE_NONE &&
             in(module, 10)->operand[0].offset == 64 &&
             in(module, 10)->operand[1].bits == 15,
         "[64], 017U");
  ptx_free(module);
}

static void test_scopes(void) {
  struct ptx_module *module =
      good(BODY ".reg .pred %p; .reg .b32 x;\n"
                "{ .reg .b64 x; bra L; mov.b64 x, 1; L: mov.b64 x, 2; }\n"
                "{ L: bra L; bra M; } mov.b32 x, 3; M: ret; }\n");
  tap_is_u64(in(module, 0)->operand[0].bits, 2, "a label of a block");
  tap_is_u64(in(module, 1)->operand[0].index, 2, "a name that hides another");
  tap_is_u64(in(module, 3)->operand[0].bits, 3, "the same label elsewhere");
  tap_is_u64(in(module, 4)->operand[0].bits, 6, "a label of the outer block");
  tap_is_u64(in(module, 5)->operand[0].index, 1, "and the name comes back");
  ptx_free(module);
}

static const struct ptx_variable *var(const struct ptx_module *module,
                                      const char *name) {
  static const struct ptx_variable none = {.name = "none"};
  for (uint32_t i = 0; i < module->variable_count; i++)
    if (strcmp(module->variables[i].name, name) == 0)
      return &module->variables[i];
  return &none;
}

static void test_variables(void) {
  struct ptx_module *module = good(
      HEAD ".extern .shared .align 16 .b8 s[];\n"
           ".global .align 4 .u32 n = 5, m;\n"
           ".const .s16 grid[2][3] = {{1, -2, 0}, {3, 4, 5}};\n"
           ".global .v2 .f32 pair = {0f3F800000, 2.0};\n"
           ".global .u64 list[] = {n+4, generic(m), 7};\n"
           ".visible .global .b8 bytes[9] = {1, 0xFF(n), 0xFF00(n),\n"
           "0xFF0000(n), 0xFF000000(n), 0xFF00000000(n), 0xFF0000000000(n),\n"
           "0xFF000000000000(n), 0xFF00000000000000(n)};\n"
           ".global .attribute(.managed) .f64 d = 0d3FF0000000000000;\n"
           ".extern .global .u32 late; .global .u32 late = 3;\n");
  tap_ok(var(module, "s")->is_extern && var(module, "s")->unsized &&
             var(module, "s")->size == 0 && var(module, "s")->align == 16,
         "extern shared");
  tap_ok(var(module, "n")->initial[0] == 5 && !var(module, "m")->initial,
         "two variables, one with a value");
  const struct ptx_variable *grid = var(module, "grid");
  static const unsigned char cells[] = {1, 0, 254, 255, 0, 0, 3, 0, 4, 0, 5, 0};
  tap_ok(grid->size == 12 && grid->align == 2 &&
             memcmp(grid->initial, cells, 12) == 0,
         "rows of an array");
  static const unsigned char floats[] = {0, 0, 128, 63, 0, 0, 0, 64};
  tap_ok(var(module, "pair")->align == 8 &&
             memcmp(var(module, "pair")->initial, floats, 8) == 0,
         "a vector of floats");
  const struct ptx_variable *list = var(module, "list");
  tap_ok(list->size == 24 && !list->unsized && list->initial[16] == 7,
         "an array whose size is counted");
  tap_ok(list->relocation_count == 2 && list->relocations[0].addend == 4 &&
             !list->relocations[0].generic && list->relocations[1].generic &&
             list->relocations[1].offset == 8,
         "addresses as values");
  const struct ptx_variable *bytes = var(module, "bytes");
  tap_ok(bytes->relocation_count == 1 && bytes->relocations[0].offset == 1 &&
             bytes->initial[0] == 1,
         "an address in bytes");
  tap_ok(!var(module, "late")->is_extern &&
             var(module, "late")->initial[0] == 3,
         "a declaration and its definition are one");
  ptx_free(module);
}

static void test_expressions(void) {
  static const struct {
    const char *text;
    uint64_t value;
  } cases[] = {{"(-1>>1)", UINT64_MAX},
               {"-8>>1", (uint64_t)-4},
               {"(-1U>>1)", INT64_MAX},
               {"18446744073709551615>>1", INT64_MAX},
               {"(-1>>1U)", UINT64_MAX},
               {"~0>>60", 15},
               {"(1<<63)>>63", UINT64_MAX},
               {"(1U<<63)>>63", 1},
               {"(1-2U)>>1", INT64_MAX},
               {"(-1|0)>>1", UINT64_MAX},
               {"1<<65", 2},
               {"-1>>64", UINT64_MAX},
               {"-7/2", (uint64_t)-3},
               {"-7/2U", UINT64_C(0x7ffffffffffffffc)},
               {"9223372036854775808/-1", 0},
               {"5 % 3", 2},
               {"7 % -3", 7},
               {"(-7 % -3)>>1", UINT64_C(0x7ffffffffffffffc)},
               {"WARP_SZ+1", 33},
               {"(WARP_SZ/-3)", (uint64_t)-10},
               {"1<<4|3", 19},
               {"5-7/2", 2},
               {"3 ^ 6 & 2", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[200];
    snprintf(text, sizeof text, BODY "f %s; }", cases[i].text);
    struct ptx_module *module = good(text);
    tap_is_u64(in(module, 0)->operand[0].bits, cases[i].value, "%s",
               cases[i].text);
    ptx_free(module);
  }
  struct ptx_module *module =
      good(BODY REGISTERS ".shared .b32 s[9]; f [s+2*2]; f [%r1+-8+4];\n"
                          "f [s+8-4*1]; f [4*4]; f s+2*2; f [s+WARP_SZ];\n"
                          "f [s-4+8]; }");
  static const int64_t offsets[] = {4, -4, 4, 16, 4, 32, 4};
  for (uint32_t i = 0; i < 7; i++)
    tap_ok(in(module, i)->operand[0].offset == offsets[i], "offset %u", i);
  ptx_free(module);
}

static void test_specials(void) {
  static const struct {
    const char *name;
    enum ptx_special special;
    unsigned part;
  } known[] = {{"reserved_smem_offset_0", PTX_RESERVED_SMEM_OFFSET, 0},
               {"reserved_smem_offset_cap", PTX_RESERVED_SMEM_OFFSET, 4},
               {"cluster_ctaid.z", PTX_CLUSTER, 2},
               {"is_explicit_cluster", PTX_CLUSTER, 0},
               {"nclusterid.x", PTX_CLUSTER, 0},
               {"envreg0", PTX_ENVREG, 0},
               {"envreg31", PTX_ENVREG, 31},
               {"pm7", PTX_PM, 7},
               {"pm0_64", PTX_PM, 8},
               {"ntid.y", PTX_NTID, 1}};
  static const char *const unknown[] = {
      "envreg",   "envreg32", "envreg07",         "pm8",  "pm8_64",
      "pm0_63",   "clusterx", "cluster_ctaid",    "tid",  "reserved_smem",
      "laneid.x", "tid.w",    "cluster_ctaid.xy", "pm_64"};
  char text[200];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    snprintf(text, sizeof text, BODY "f %%%s; }", known[i].name);
    struct ptx_module *module = good(text);
    const struct ptx_operand *operand = &in(module, 0)->operand[0];
    tap_ok(operand->kind == PTX_SPECIAL_REGISTER &&
               operand->special == known[i].special &&
               operand->part == known[i].part,
           "%%%s", known[i].name);
    ptx_free(module);
  }
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    char message[200];
    snprintf(text, sizeof text, BODY "f %%%s; }", unknown[i]);
    snprintf(message, sizeof message,
             "\"%%%s\" is neither a declared register nor a special register "
             "that the simulator knows",
             unknown[i]);
    refused(text, 6, message);
  }
}

static void test_initial_values(void) {
  refused(HEAD ".global .b8 x[];", 4,
          "\"x\" needs a size, or initial values to count");
  refused(HEAD ".entry k(.param .b8 x[]) { ret; }", 4,
          "\"x\" needs a size, or initial values to count");
  refused(HEAD ".global .f32 x = 1;", 4,
          "found \"1\", expected a number of type .f32");
  refused(HEAD ".global .u32 x = 1.5;", 4,
          "found \"1.5\", expected a number of type .u32");
  refused(HEAD ".global .u32 x[2][2] = {1, 2};", 4,
          "found \"1\", expected \"{\"");
  refused(HEAD ".global .u32 x[1] = {{1}};", 4,
          "found \"{\", expected a number or a variable's name");
  refused(HEAD ".global .u32 x[2][2] = {{1, 2, 3}};", 4,
          "found \"3\", expected \"}\": the array is full");
  refused(HEAD ".global .u32 x[2][2] = {{1, 2}, {2, 3}, {3}};", 4,
          "found \"{\", expected \"}\": the array is full");
  refused(HEAD ".global .u32 x[2] = {1 2};", 4,
          "found \"2\", expected \",\" or \"}\"");
  refused(HEAD ".global .u32 x[2] = {1,};", 4,
          "found \"}\", expected a number or a variable's name");
  refused(HEAD ".global .b8 x[200000000] = {1};\n"
               ".global .b8 y[68435456] = {1};\n"
               ".global .b8 z[1] = {1};",
          6, "the initial values of the module need more than 256 MiB");
  refused(HEAD ".global .u32 x[2][2] = {{1}, {2, 3}};", 4,
          "found \"}\", expected as many values as the row holds");
  refused(HEAD ".global .v2 .f32 x[2] = {{1.0}};", 4,
          "found \"}\", expected as many values as the row holds");
  refused(BODY REGISTERS "f {%r1,}; }", 7, "found \"}\", expected an operand");
  refused(BODY "f {}; }", 6, "found \"}\", expected an operand");
  refused(BODY "f {1 2}; }", 6, "found \"2\", expected \",\" or \"}\"");
  refused(HEAD ".entry k(.param .b32 a,) { ret; }", 4,
          "found \")\", expected \".param\"");
  refused(HEAD ".entry k(.param .b32 a .param .b32 b) { ret; }", 4,
          "found \".param\", expected \",\" or \")\"");
}

static void test_functions(void) {
  struct ptx_module *module = good(
      HEAD ".func (.param .b32 r) f(.param .align 8 .b8 x[24]);\n"
           ".visible .entry k(.param .u64 .ptr .global .align 4 a)\n"
           ".maxntid 64, 2, 1 .reqntid 32 .minnctapersm 2 .maxnreg 8\n"
           "{ .param .b32 t; call.uni (t), f, (t); call f, (t); call f; }\n"
           ".func (.param .b32 r) f(.param .align 8 .b8 x[24]) { ret; }\n");
  const struct ptx_function *f = &module->functions[0];
  const struct ptx_function *k = &module->functions[1];
  tap_is_u64(module->function_count, 2, "a prototype is its function");
  tap_ok(f->defined && f->return_count == 1 && f->parameter_count == 1 &&
             module->variables[f->parameters[0]].size == 24 &&
             module->variables[f->returns[0]].role == PTX_FUNCTION_RETURN &&
             module->variables[f->returns[0]].owner == 0,
         "its parameters");
  tap_ok(k->is_entry && k->max_threads == 128 && k->required_threads[0] == 32 &&
             k->required_threads[2] == 1,
         "sizes of the block");
  tap_is_u64(module->variables[k->parameters[0]].align, 8,
             "the alignment behind .ptr is another's");
  tap_ok(k->instructions[0].operand[0].kind == PTX_LIST &&
             k->instructions[0].operand[1].kind == PTX_FUNCTION &&
             k->instructions[1].operand[1].count == 1 &&
             k->instructions[2].operand_count == 1,
         "calls");
  ptx_free(module);
}

static void test_messages(void) {
  refused("", 1, "found the end of the text, expected \".version\"");
  refused(".target sm_80", 1, "found \".target\", expected \".version\"");
  refused(".version 9.1", 1,
          "PTX version 9.1 is newer than 9.0, the newest that the simulator "
          "reads; compile with nvcc 13.0 or older");
  struct ptx_error error;
  parse(".version 9.1", 12, &error);
  tap_is_u64(error.status, PTX_BAD_VERSION, "and has a status of its own");
  refused(HEAD ".global .u64 a = f;", 4,
          "\"f\" is no declared variable; an initial value is a number or a "
          "variable's address");
  refused(HEAD ".texref x;", 4,
          "found \".texref\", expected a directive of a module");
  refused(HEAD "/* \n\n", 4, "found a comment that does not end");
  refused(HEAD "\n.file 1 \"a\n", 5,
          "found a string that does not end on its line");
  refused(HEAD "\001", 4, "found byte 0x01, which PTX does not use here");
  refused(HEAD "\x80", 4, "found byte 0x80, which PTX does not use here");
  refused(HEAD "#", 4, "found the character #, which PTX does not use here");
  refused(BODY "mov.u32 %r1, 1;}", 6,
          "\"%r1\" is neither a declared register nor a special register that "
          "the simulator knows");
  refused(BODY "\nbra L;\nbra M; }", 7, "\"L\" is not declared");
  refused(BODY REGISTERS "@%r1 ret; }", 7,
          "the guard \"%r1\" is no declared .pred register");
  refused(BODY "mov.u32 1 2;}", 6, "found \"2\", expected \",\" or \";\"");
  refused(BODY ".reg .b32 x;\n.reg .b32 x;}", 7, "\"x\" is declared twice");
  refused(BODY REGISTERS "call %d0, (%r1), p; }", 7,
          "an indirect call is not supported: the function must be given by "
          "its name");
  refused(BODY REGISTERS "call %d0; }", 7,
          "an indirect call is not supported: the function must be given by "
          "its name");
  refused(
      BODY "f 99999999999999999999; }", 6,
      "found \"99999999999999999999\", expected a number in the range of 64 "
      "bits");
  refused(BODY "f 1,1,1,1,1,1,1,1,1; }", 6, "\"f\" has more than 8 operands");
  refused(BODY "f.a.a.a.a.a.a.a.a.a.a.a.a.a; }", 6,
          "\"f.a.a.a.a.a.a.a.a.a.a.a.a.a\" has more than 12 modifiers");
  refused(BODY "f (1/0); }", 6, "a division by zero");
  refused(BODY "f 1 % 0; }", 6, "a division by zero");
  refused(BODY "f (-9223372036854775807-1)/-1; }", 6,
          "a quotient that does not fit 64 bits");
  refused(BODY "f 1.5+2; }", 6, "\"+\" needs an integer on each side");
  refused(BODY "f ~1.5; }", 6, "\"~\" needs an integer");
  refused(BODY "f -0f3f800000; }", 6,
          "the bits of a float such as 0f3F800000 take no sign");
  refused(BODY "f 1e400; }", 6,
          "found \"1e400\", expected a number in the range of 64 bits");
  refused(BODY "f 1e-400; }", 6,
          "found \"1e-400\", expected a number in the range of 64 bits");
  refused(BODY ".reg .b32 r<999999999>; }", 6,
          "found 999999999, expected a number of registers of 0 to 262144");
  refused(BODY "ret;", 6,
          "found the end of the text, expected \"}\" of a function's body");
  refused(HEAD ".global .u32 a[2] = {1, 2, 3};", 4,
          "found \"3\", expected \"}\": the array is full");
  refused(HEAD ".global .align 3 .u32 a;", 4,
          "found .align 3, expected a power of two");
}

/* A text of `times` copies of `piece` behind a body's beginning. */
static void test_nesting(const char *piece, size_t times, const char *name) {
  size_t length = strlen(piece), head = strlen(BODY);
  char *text = malloc(head + times * length);
  struct ptx_error error;
  if (!text)
    exit(1);
  memcpy(text, BODY, head);
  for (size_t i = 0; i < times; i++)
    memcpy(text + head + i * length, piece, length);
  struct ptx_module *module = parse(text, head + times * length, &error);
  tap_ok(!module && error.status == PTX_BAD_SYNTAX, "%s are refused", name);
  ptx_free(module);
  free(text);
}

static bool sound(const char *text, size_t length) {
  struct ptx_error error;
  struct ptx_module *module = parse(text, length, &error);
  bool right = module ? error.status == PTX_OK
                      : error.status != PTX_OK && error.line > 0 &&
                            error.message[0] && !strchr(error.message, '\n');
  ptx_free(module);
  return right;
}

static void test_fuzz(const char *path, size_t step) {
  size_t length;
  char *text = slurp(path, &length);
  bool right = true;
  for (size_t i = 0; i < length; i += step)
    right = sound(text, i) && right;
  tap_ok(right, "%s, cut off anywhere", path);
  uint64_t random = 1;
  right = true;
  for (int i = 0; i < 2000; i++) {
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    size_t at = (size_t)(random >> 33) % length;
    char kept = text[at];
    text[at] = (char)(random >> 24);
    right = sound(text, length) && right;
    text[at] = kept;
  }
  tap_ok(right, "%s, with a wrong byte anywhere", path);
  free(text);
}

static void test_fixture(const char *path, uint32_t target, uint32_t functions,
                         uint32_t instructions) {
  size_t length;
  struct ptx_error error = {.message = ""};
  char *text = slurp(path, &length);
  struct ptx_module *module = parse(text, length, &error);
  tap_ok(module && module->version == 90 && module->target == target &&
             module->function_count == functions &&
             module->functions[functions - 1].instruction_count == instructions,
         "%s %s", path, error.message);
  ptx_free(module);
  free(text);
}

int main(void) {
  static const uint32_t targets[] = {75, 80, 90};
  test_instructions();
  test_scopes();
  test_variables();
  test_expressions();
  test_specials();
  test_initial_values();
  test_functions();
  test_messages();
  test_nesting("{", 100000, "too many blocks");
  test_nesting("f (((((((((", 100000, "too many parentheses");
  test_nesting("-", 100000, "too many signs");
  test_nesting("f [", 100000, "too many brackets");
  for (int i = 0; i < 3; i++) {
    char path[64];
    snprintf(path, sizeof path, "tests/ptx/parse/%u-O3.ptx", targets[i]);
    test_fixture(path, targets[i], 2, 48);
    snprintf(path, sizeof path, "tests/ptx/parse/%u-lineinfo.ptx", targets[i]);
    test_fixture(path, targets[i], 2, 48);
    snprintf(path, sizeof path, "tests/ptx/parse/%u-G.ptx", targets[i]);
    test_fixture(path, targets[i], 3, 68);
  }
  test_fuzz("tests/ptx/parse/80-lineinfo.ptx", 1);
  test_fuzz("tests/ptx/parse/90-G.ptx", 7);
  return tap_done();
}
