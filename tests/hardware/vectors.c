/* What does each instruction compute? One small kernel for each instruction of
 * a list is run over the same inputs, through the Driver API, so on a GPU or on
 * the simulator alike.
 *
 *   vectors record FILE      write a line for each instruction: its text, then
 *                            a hash of each 64 results
 *   vectors check FILE       compare with such a file, print TAP
 *   vectors dump FILE        write all results, 8 bytes each
 */
#include <cuda.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

enum { CASES = 4096, GROUP = 64, GROUPS = CASES / GROUP };

static void must(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *name = NULL;
  cuGetErrorName(result, &name);
  fprintf(stderr, "vectors: %s: %s\n", what, name ? name : "unknown error");
  exit(2);
}

static uint64_t scramble(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static const uint32_t corners[] = {
    0,          1,          2,          0x80000000, 0x7fffffff, 0xffffffff,
    0xfffffffe, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345,
    0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
    0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0x4f000000,
    0xcf000000, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x7f7fffff,
    0xff7fffff, 0x3f800001, 0x33800000, 0x4b000000, 0x4b800001, 0x00003c00,
    0x00007bff, 0x0000fc00, 0x00007e01, 0x00000400, 31,         32,
    33,         64,         255,        0x00008000};

static const uint64_t wide_corners[] = {0,
                                        1,
                                        0x8000000000000000u,
                                        0x7fffffffffffffffu,
                                        0xffffffffffffffffu,
                                        0x7ff0000000000000u,
                                        0xfff0000000000000u,
                                        0x7ff8000000001234u,
                                        0x7ff0000000000001u,
                                        0x0000000000000001u,
                                        0x000fffffffffffffu,
                                        0x0010000000000000u,
                                        0x3ff0000000000000u,
                                        0xbff0000000000000u,
                                        0x3fe0000000000000u,
                                        0x41dfffffffc00000u,
                                        0x41e0000000000000u,
                                        0x43e0000000000000u,
                                        0x43f0000000000000u,
                                        0x7fefffffffffffffu,
                                        0x47efffffe0000000u,
                                        0x47effffff0000000u,
                                        0x3810000000000000u,
                                        0x36a0000000000000u,
                                        0x4330000000000001u};

/* Operand `which` of case `index`: the low 32 bits serve 32-bit operands. */
static uint64_t input(uint64_t index, uint64_t which, bool wide) {
  uint64_t count = wide ? sizeof wide_corners / sizeof *wide_corners
                        : sizeof corners / sizeof *corners;
  uint64_t random = scramble(index * 3 + which + 0x9e3779b97f4a7c15u);
  uint64_t pick = which == 0   ? index % count
                  : which == 1 ? index / count
                               : random % count;
  bool corner = index < count * count && (which < 2 || index % 2);
  if (corner)
    return wide ? wide_corners[pick % count] : corners[pick % count];
  if (index % 4 == 1) /* exponents that are close, where rounding matters */
    return wide ? (random & 0x800fffffffffffffu) |
                      (0x3f0u + (random >> 52 & 0x1f)) << 52
                : (random & 0x807fffffu) | (0x78u + (random >> 40 & 0xf)) << 23;
  return random;
}

/* PTX for one instruction. */

static const char *declare(char letter) {
  return letter == 'f'   ? "f32"
         : letter == 'd' ? "f64"
         : letter == 'l' ? "b64"
         : letter == 'h' ? "b16"
         : letter == 'p' ? "pred"
                         : "b32";
}

static size_t unpack(char *out, size_t room, char letter, int which) {
  const char *form = letter == 'f'   ? "mov.b64 {%%lo%d, %%hi%d}, %%in%d;\n"
                                       "mov.b32 %%x%d, %%lo%d;\n"
                     : letter == 'd' ? "mov.b64 %%x%d, %%in%d;\n"
                     : letter == 'l' ? "mov.b64 %%x%d, %%in%d;\n"
                     : letter == 'h' ? "cvt.u16.u64 %%x%d, %%in%d;\n"
                     : letter == 'p' ? "and.b64 %%in%d, %%in%d, 1;\n"
                                       "setp.ne.u64 %%x%d, %%in%d, 0;\n"
                                     : "cvt.u32.u64 %%x%d, %%in%d;\n";
  int written = snprintf(out, room, form, which, which, which, which, which);
  return (size_t)written;
}

static const char *pack(char letter) {
  return letter == 'f'   ? "mov.b32 %lo0, %y;\nmov.b64 %out, {%lo0, %zero};\n"
         : letter == 'd' ? "mov.b64 %out, %y;\n"
         : letter == 'l' ? "mov.b64 %out, %y;\n"
         : letter == 'h' ? "cvt.u64.u16 %out, %y;\n"
         : letter == 'p' ? "selp.u64 %out, 1, 0, %y;\n"
                         : "mov.b64 %out, {%y, %zero};\n";
}

static void write_kernel(char *out, size_t room, const struct vector *vector) {
  size_t count = strlen(vector->sources), used;
  used = (size_t)snprintf(
      out, room,
      ".version 7.8\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 result)\n{\n"
      ".reg .b32 %%lo<4>, %%hi<4>, %%t<5>, %%zero;\n"
      ".reg .b64 %%in<4>, %%a<5>, %%out;\n.reg .%s %%y;\n",
      declare(vector->result));
  for (size_t i = 0; i < count; i++)
    used += (size_t)snprintf(out + used, room - used, ".reg .%s %%x%zu;\n",
                             declare(vector->sources[i]), i);
  used += (size_t)snprintf(
      out + used, room - used,
      "mov.u32 %%zero, 0;\nld.param.u64 %%a0, [in];\n"
      "ld.param.u64 %%a1, [result];\nmov.u32 %%t0, %%tid.x;\n"
      "mov.u32 %%t1, %%ctaid.x;\nmov.u32 %%t2, %%ntid.x;\n"
      "mad.lo.u32 %%t3, %%t1, %%t2, %%t0;\nmul.wide.u32 %%a2, %%t3, 24;\n"
      "add.u64 %%a0, %%a0, %%a2;\nmul.wide.u32 %%a3, %%t3, 8;\n"
      "add.u64 %%a1, %%a1, %%a3;\n"
      "ld.global.u64 %%in0, [%%a0];\nld.global.u64 %%in1, [%%a0+8];\n"
      "ld.global.u64 %%in2, [%%a0+16];\n");
  for (size_t i = 0; i < count; i++)
    used += unpack(out + used, room - used, vector->sources[i], (int)i);
  used += (size_t)snprintf(out + used, room - used, "%s %%y", vector->text);
  for (size_t i = 0; i < count; i++)
    used += (size_t)snprintf(out + used, room - used, ", %%x%zu", i);
  snprintf(out + used, room - used,
           "%s;\n%sst.global.u64 [%%a1], %%out;\nret;\n}\n", vector->tail,
           pack(vector->result));
}

/* Running. */

static bool is_wide(const struct vector *vector) {
  return strpbrk(vector->sources, "dl") != NULL;
}

static void run(const struct vector *vector, CUdeviceptr in, CUdeviceptr out,
                uint64_t *results) {
  static char ptx[8192];
  static uint64_t inputs[CASES][3];
  write_kernel(ptx, sizeof ptx, vector);
  for (uint64_t i = 0; i < CASES; i++)
    for (uint64_t k = 0; k < 3; k++)
      inputs[i][k] = input(i, k, is_wide(vector));
  CUmodule module;
  CUfunction function;
  must(cuMemcpyHtoD(in, inputs, sizeof inputs), "copy the inputs");
  must(cuModuleLoadData(&module, ptx), vector->text);
  must(cuModuleGetFunction(&function, module, "k"), "find the kernel");
  void *arguments[] = {&in, &out};
  must(cuLaunchKernel(function, CASES / 128, 1, 1, 128, 1, 1, 0, NULL,
                      arguments, NULL),
       "launch");
  must(cuMemcpyDtoH(results, out, CASES * sizeof *results), vector->text);
  must(cuModuleUnload(module), "unload");
}

static uint64_t hash(const uint64_t *values, size_t count) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++)
    sum = scramble(sum ^ values[i]) * 0x100000001b3u;
  return sum;
}

static int record(FILE *file, CUdeviceptr in, CUdeviceptr out) {
  static uint64_t results[CASES];
  for (size_t i = 0; i < vector_count; i++) {
    run(&vectors[i], in, out, results);
    fprintf(file, "%s%s\t%s", vectors[i].text, vectors[i].tail,
            vectors[i].sources);
    for (size_t g = 0; g < GROUPS; g++)
      fprintf(file, "\t%016" PRIx64, hash(results + g * GROUP, GROUP));
    fprintf(file, "\n");
  }
  return 0;
}

static int dump(FILE *file, CUdeviceptr in, CUdeviceptr out) {
  static uint64_t results[CASES];
  for (size_t i = 0; i < vector_count; i++) {
    run(&vectors[i], in, out, results);
    fwrite(results, sizeof results, 1, file);
  }
  return 0;
}

/* The recorded line of an instruction, split at its tabs; NULL if there is
 * none. */
static char *find_line(char *text, const struct vector *vector) {
  char name[160];
  snprintf(name, sizeof name, "%s%s\t%s\t", vector->text, vector->tail,
           vector->sources);
  for (char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, name, strlen(name)) == 0)
      return line + strlen(name);
  }
  return NULL;
}

static size_t wrong_groups(const uint64_t *results, const char *line) {
  size_t wrong = 0;
  for (size_t g = 0; g < GROUPS; g++) {
    char *end;
    uint64_t want = strtoull(line, &end, 16);
    wrong += want != hash(results + g * GROUP, GROUP) || end == line;
    line = end + 1;
  }
  return wrong;
}

static int check(FILE *file, CUdeviceptr in, CUdeviceptr out) {
  static char text[1 << 20];
  static uint64_t results[CASES];
  size_t failures = 0;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  printf("1..%zu\n", vector_count);
  for (size_t i = 0; i < vector_count; i++) {
    run(&vectors[i], in, out, results);
    char *line = find_line(text, &vectors[i]);
    size_t wrong = line ? wrong_groups(results, line) : GROUPS;
    printf("%sok %zu - %s%s agrees with the recorded hardware in %d cases\n",
           wrong ? "not " : "", i + 1, vectors[i].text, vectors[i].tail, CASES);
    if (!line)
      printf("# no recorded line\n");
    else if (wrong)
      printf("# %zu of %d groups differ\n", wrong, GROUPS);
    failures += wrong > 0;
  }
  return failures > 0;
}

int main(int count, char **words) {
  bool checks = count == 3 && strcmp(words[1], "check") == 0;
  bool records = count == 3 && strcmp(words[1], "record") == 0;
  bool dumps = count == 3 && strcmp(words[1], "dump") == 0;
  if (!checks && !records && !dumps) {
    fprintf(stderr, "usage: vectors record|check|dump FILE\n");
    return 2;
  }
  FILE *file = fopen(words[2], checks ? "r" : "w");
  if (!file) {
    perror(words[2]);
    return 2;
  }
  CUdevice device;
  CUcontext context;
  CUdeviceptr in, out;
  must(cuInit(0), "cuInit");
  must(cuDeviceGet(&device, 0), "cuDeviceGet");
  must(cuDevicePrimaryCtxRetain(&context, device), "take a context");
  must(cuCtxSetCurrent(context), "use the context");
  must(cuMemAlloc(&in, CASES * 24), "allocate");
  must(cuMemAlloc(&out, CASES * 8), "allocate");
  int status = checks    ? check(file, in, out)
               : records ? record(file, in, out)
                         : dump(file, in, out);
  fclose(file);
  return status;
}
