/* The names that PTX itself gives: types and special registers. Source: PTX
 * ISA, "Fundamental Types" and "Special Registers". */
#include "ptx_parser.h"

#include <string.h>

static const struct {
  const char name[8];
  uint32_t size;
} types[] = {
    [PTX_NO_TYPE] = {".", 0},  [PTX_B8] = {".b8", 1},
    [PTX_B16] = {".b16", 2},   [PTX_B32] = {".b32", 4},
    [PTX_B64] = {".b64", 8},   [PTX_B128] = {".b128", 16},
    [PTX_U8] = {".u8", 1},     [PTX_U16] = {".u16", 2},
    [PTX_U32] = {".u32", 4},   [PTX_U64] = {".u64", 8},
    [PTX_S8] = {".s8", 1},     [PTX_S16] = {".s16", 2},
    [PTX_S32] = {".s32", 4},   [PTX_S64] = {".s64", 8},
    [PTX_F16] = {".f16", 2},   [PTX_F16X2] = {".f16x2", 4},
    [PTX_BF16] = {".bf16", 2}, [PTX_BF16X2] = {".bf16x2", 4},
    [PTX_F32] = {".f32", 4},   [PTX_F64] = {".f64", 8},
    [PTX_PRED] = {".pred", 0},
};

uint32_t ptx_type_size(enum ptx_type type) { return types[type].size; }

const char *ptx_type_name(enum ptx_type type) { return types[type].name; }

enum ptx_type ptx_type_find(const char *name) {
  for (int i = PTX_B8; i <= PTX_PRED; i++)
    if (strcmp(types[i].name + 1, name) == 0)
      return (enum ptx_type)i;
  return PTX_NO_TYPE;
}

enum { VECTOR = 255 }; /* instead of a part: the name has .x, .y or .z */

static const struct {
  const char *name;
  enum ptx_special special;
  uint8_t part;
} specials[] = {
    {"tid", PTX_TID, VECTOR},
    {"ntid", PTX_NTID, VECTOR},
    {"ctaid", PTX_CTAID, VECTOR},
    {"nctaid", PTX_NCTAID, VECTOR},
    {"laneid", PTX_LANEID, 0},
    {"warpid", PTX_WARPID, 0},
    {"nwarpid", PTX_NWARPID, 0},
    {"smid", PTX_SMID, 0},
    {"nsmid", PTX_NSMID, 0},
    {"gridid", PTX_GRIDID, 0},
    {"lanemask_eq", PTX_LANEMASK_EQ, 0},
    {"lanemask_le", PTX_LANEMASK_LE, 0},
    {"lanemask_lt", PTX_LANEMASK_LT, 0},
    {"lanemask_ge", PTX_LANEMASK_GE, 0},
    {"lanemask_gt", PTX_LANEMASK_GT, 0},
    {"clock", PTX_CLOCK, 0},
    {"clock_hi", PTX_CLOCK_HI, 0},
    {"clock64", PTX_CLOCK64, 0},
    {"globaltimer", PTX_GLOBALTIMER, 0},
    {"dynamic_smem_size", PTX_DYNAMIC_SMEM_SIZE, 0},
    {"total_smem_size", PTX_TOTAL_SMEM_SIZE, 0},
    {"reserved_smem_offset_0", PTX_RESERVED_SMEM_OFFSET, 0},
    {"reserved_smem_offset_1", PTX_RESERVED_SMEM_OFFSET, 1},
    {"reserved_smem_offset_begin", PTX_RESERVED_SMEM_OFFSET, 2},
    {"reserved_smem_offset_end", PTX_RESERVED_SMEM_OFFSET, 3},
    {"reserved_smem_offset_cap", PTX_RESERVED_SMEM_OFFSET, 4},
    {"is_explicit_cluster", PTX_CLUSTER, 0},
    {"clusterid", PTX_CLUSTER, VECTOR},
    {"nclusterid", PTX_CLUSTER, VECTOR},
    {"cluster_ctaid", PTX_CLUSTER, VECTOR},
    {"cluster_nctaid", PTX_CLUSTER, VECTOR},
    {"cluster_ctarank", PTX_CLUSTER, 0},
    {"cluster_nctarank", PTX_CLUSTER, 0},
};

/* The number of "envreg7" behind its stem, -1 where it is no such name. */
static int number_behind(const char *name, size_t length, const char *stem,
                         int most) {
  size_t skip = strlen(stem);
  if (length <= skip || length > skip + 2 || memcmp(name, stem, skip) != 0)
    return -1;
  int number = 0;
  for (size_t i = skip; i < length; i++) {
    if (name[i] < '0' || name[i] > '9' || (i > skip && number == 0))
      return -1;
    number = number * 10 + (name[i] - '0');
  }
  return number <= most ? number : -1;
}

static bool family_find(const char *name, size_t length,
                        struct ptx_operand *operand) {
  bool wide = length == 6 && memcmp(name + 3, "_64", 3) == 0;
  int environment = number_behind(name, length, "envreg", 31);
  int monitor = number_behind(name, wide ? 3 : length, "pm", 7);
  if (environment < 0 && monitor < 0)
    return false;
  operand->kind = PTX_SPECIAL_REGISTER;
  operand->special = environment < 0 ? PTX_PM : PTX_ENVREG;
  operand->part =
      (uint8_t)(environment < 0 ? monitor + (wide ? 8 : 0) : environment);
  return true;
}

bool ptx_special_find(const char *name, size_t length,
                      struct ptx_operand *operand) {
  const char *dot = memchr(name, '.', length);
  size_t stem = dot ? (size_t)(dot - name) : length;
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
    bool vector = specials[i].part == VECTOR;
    if (strlen(specials[i].name) != stem ||
        memcmp(specials[i].name, name, stem) != 0)
      continue;
    if (vector != (length - stem == 2) || (!vector && dot) ||
        (vector && (dot[1] < 'x' || dot[1] > 'z')))
      return false;
    operand->kind = PTX_SPECIAL_REGISTER;
    operand->special = specials[i].special;
    operand->part = vector ? (uint8_t)(dot[1] - 'x') : specials[i].part;
    return true;
  }
  return family_find(name, length, operand);
}

const char *ptx_file_name(const struct ptx_module *module, uint32_t index) {
  for (uint32_t i = 0; i < module->file_count; i++)
    if (module->files[i].index == index)
      return module->files[i].name;
  return NULL;
}
