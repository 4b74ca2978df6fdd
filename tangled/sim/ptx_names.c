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

static const struct {
  const char *name;
  enum ptx_special special;
} specials[] = {{"tid", PTX_TID},
                {"ntid", PTX_NTID},
                {"ctaid", PTX_CTAID},
                {"nctaid", PTX_NCTAID},
                {"laneid", PTX_LANEID},
                {"warpid", PTX_WARPID},
                {"nwarpid", PTX_NWARPID},
                {"smid", PTX_SMID},
                {"nsmid", PTX_NSMID},
                {"gridid", PTX_GRIDID},
                {"lanemask_eq", PTX_LANEMASK_EQ},
                {"lanemask_le", PTX_LANEMASK_LE},
                {"lanemask_lt", PTX_LANEMASK_LT},
                {"lanemask_ge", PTX_LANEMASK_GE},
                {"lanemask_gt", PTX_LANEMASK_GT},
                {"clock", PTX_CLOCK},
                {"clock_hi", PTX_CLOCK_HI},
                {"clock64", PTX_CLOCK64},
                {"globaltimer", PTX_GLOBALTIMER},
                {"dynamic_smem_size", PTX_DYNAMIC_SMEM_SIZE},
                {"total_smem_size", PTX_TOTAL_SMEM_SIZE}};

bool ptx_special_find(const char *name, size_t length,
                      struct ptx_operand *operand) {
  const char *dot = memchr(name, '.', length);
  size_t stem = dot ? (size_t)(dot - name) : length;
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
    enum ptx_special special = specials[i].special;
    bool vector = special <= PTX_NCTAID;
    if (strlen(specials[i].name) != stem ||
        memcmp(specials[i].name, name, stem) != 0)
      continue;
    if (vector != (length - stem == 2) || (!vector && dot) ||
        (vector && (dot[1] < 'x' || dot[1] > 'z')))
      return false;
    operand->kind = PTX_SPECIAL_REGISTER;
    operand->special = special;
    operand->part = (uint8_t)(vector ? dot[1] - 'x' : 0);
    return true;
  }
  return false;
}

const char *ptx_file_name(const struct ptx_module *module, uint32_t index) {
  for (uint32_t i = 0; i < module->file_count; i++)
    if (module->files[i].index == index)
      return module->files[i].name;
  return NULL;
}
