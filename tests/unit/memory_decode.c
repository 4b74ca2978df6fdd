/* The decoder of the memory unit: which instructions it takes, and what it
 * makes of them. The services of the decoder are stood in for by small ones:
 * a register's offset is 256 times its number. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "memory.h"
#include "tap.h"

/* The operands of these tests: a register of each type, by its number. */
enum { SYMBOL_SHARED = 100, SYMBOL_GLOBAL, SYMBOL_KERNEL, SYMBOL_CALL };

static char refusal[240];

bool decoder_refuse(struct decoder *decoder, const struct ptx_instruction *in,
                    const char *format, ...) {
  (void)decoder;
  (void)in;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(refusal, sizeof refusal, format, arguments);
  va_end(arguments);
  return false;
}

static uint32_t slot_of(enum ptx_type type) {
  uint32_t bytes = ptx_type_size(type);
  return bytes < 2 ? 2 : bytes;
}

enum ptx_type decoder_register_type(const struct decoder *decoder,
                                    const struct ptx_operand *operand) {
  (void)decoder;
  return operand->kind == PTX_REGISTER ? (enum ptx_type)operand->index
                                       : PTX_NO_TYPE;
}

uint32_t decoder_register_bytes(const struct decoder *decoder,
                                const struct ptx_operand *operand) {
  enum ptx_type type = decoder_register_type(decoder, operand);
  return type == PTX_NO_TYPE || type == PTX_PRED ? 0 : slot_of(type);
}

static bool operand_offset(struct decoder *decoder,
                           const struct ptx_instruction *in,
                           const struct ptx_operand *operand,
                           enum ptx_type type, bool wide, uint32_t *offset) {
  *offset = 256 * operand->index;
  if (operand->kind != PTX_REGISTER)
    return true;
  if (operand->index == PTX_PRED)
    return decoder_refuse(decoder, in, "a predicate");
  uint32_t have = slot_of((enum ptx_type)operand->index);
  if (have < slot_of(type) || (!wide && have != slot_of(type)))
    return decoder_refuse(decoder, in, "a register of another size");
  return true;
}

bool decoder_source(struct decoder *decoder, const struct ptx_instruction *in,
                    const struct ptx_operand *operand, enum ptx_type type,
                    uint32_t *offset) {
  return operand_offset(decoder, in, operand, type, false, offset);
}

bool decoder_source_wide(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         uint32_t *offset) {
  return operand_offset(decoder, in, operand, type, true, offset);
}

bool decoder_destination(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         uint32_t *offset) {
  return operand_offset(decoder, in, operand, type, false, offset);
}

bool decoder_destination_wide(struct decoder *decoder,
                              const struct ptx_instruction *in,
                              const struct ptx_operand *operand,
                              enum ptx_type type, uint32_t *offset) {
  return operand_offset(decoder, in, operand, type, true, offset);
}

bool decoder_address(struct decoder *decoder, const struct ptx_instruction *in,
                     const struct ptx_operand *operand, struct op *op,
                     enum ptx_space *symbol_space, bool *kernel_parameter) {
  if (operand->kind != PTX_ADDRESS)
    return decoder_refuse(decoder, in, "no address");
  uint32_t symbol = operand->index;
  op->offset = operand->offset;
  op->absolute = operand->base == PTX_BASE_SYMBOL;
  op->flags |= op->absolute ? 0 : ADDRESS_64;
  *kernel_parameter = op->absolute && symbol == SYMBOL_KERNEL;
  *symbol_space = !op->absolute             ? PTX_GENERIC
                  : symbol == SYMBOL_SHARED ? PTX_SHARED
                  : symbol == SYMBOL_GLOBAL ? PTX_GLOBAL
                                            : PTX_PARAM;
  return true;
}

/* An instruction from text: "ld.global.f32 f32 [r]". Operands are the names of
 * types (a register of that type), [r] [shared] [global] [kernel] [call]
 * (addresses), # (an immediate), _ (the sink), and {a,b} (vectors). */
static struct ptx_operand elements[8];

static struct ptx_operand operand_of(const char *text) {
  struct ptx_operand operand = {.kind = PTX_ADDRESS, .offset = 12};
  static const char *const symbols[] = {"[shared]", "[global]", "[kernel]",
                                        "[call]"};
  if (*text == '_' || *text == '#') {
    operand.kind = *text == '_' ? PTX_SINK : PTX_INTEGER;
    return operand;
  }
  if (*text != '[') {
    operand.kind = PTX_REGISTER;
    operand.index = ptx_type_find(text);
    return operand;
  }
  operand.base = strcmp(text, "[r]") ? PTX_BASE_SYMBOL : PTX_BASE_REGISTER;
  for (uint32_t i = 0; i < 4; i++)
    if (strcmp(text, symbols[i]) == 0)
      operand.index = SYMBOL_SHARED + i;
  return operand;
}

static struct ptx_operand vector_of(char *text) {
  struct ptx_operand operand = {.kind = PTX_VECTOR, .elements = elements};
  char *rest = NULL;
  for (char *one = strtok_r(text, "{,}", &rest); one;
       one = strtok_r(NULL, "{,}", &rest))
    elements[operand.count++] = operand_of(one);
  return operand;
}

static enum decode decode(const char *line, struct op *op) {
  static char text[200];
  struct ptx_instruction in = {.text = line, .guard = -1};
  snprintf(text, sizeof text, "%s", line);
  char *rest = NULL, *words = NULL;
  char *name = strtok_r(text, " ", &rest);
  for (char *operand = strtok_r(NULL, " ", &rest); operand;
       operand = strtok_r(NULL, " ", &rest))
    in.operand[in.operand_count++] =
        *operand == '{' ? vector_of(operand) : operand_of(operand);
  in.opcode = strtok_r(name, ".", &words);
  for (char *word = strtok_r(NULL, ".", &words); word;
       word = strtok_r(NULL, ".", &words))
    in.modifier[in.modifier_count++] = word;
  *op = (struct op){.source = NULL};
  *refusal = 0;
  return memory_decode(NULL, &in, op);
}

/* What ptxas 13.0 takes, so must the simulator; and what ptxas refuses. The two
 * exceptions are at the end. */
static const char *const taken[] = {
    "ld.global.b32 f64 [r]",
    "ld.global.b32 f32 [r]",
    "ld.global.b16 f16 [r]",
    "ld.global.f32 b32 [r]",
    "ld.global.f32 b64 [r]",
    "ld.global.u8 b64 [r]",
    "ld.global.b8 f32 [r]",
    "ld.u32 b32 [shared]",
    "ld.global.volatile.u32 b32 [r]",
    "ld.volatile.global.u32 b32 [r]",
    "ld.relaxed.gpu.global.u32 b32 [r]",
    "ld.acquire.cluster.shared.u32 b32 [r]",
    "ld.acquire.sys.u32 b32 [r]",
    "ld.global.nc.ca.u32 b32 [r]",
    "ld.shared.ca.u32 b32 [shared]",
    "ld.weak.global.u32 b32 [r]",
    "ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {f32,f32,f32,f32} [r]",
    "ld.global.v2.f32 {f32,_} [r]",
    "ld.global.v2.f32 {_,f32} [r]",
    "ld.global.v4.s8 {s32,s32,s32,s32} [r]",
    "ld.global.v2.b64 {b64,f64} [r]",
    "ld.global.lu.f32 f32 [r]",
    "ld.global.cs.f32 f32 [r]",
    "ld.global.cv.f32 f32 [r]",
    "ld.global.cg.f32 f32 [r]",
    "ld.global.L1::evict_last.f32 f32 [r]",
    "ld.global.L1::evict_first.f32 f32 [r]",
    "ld.global.L1::evict_unchanged.f32 f32 [r]",
    "ld.global.L1::evict_normal.f32 f32 [r]",
    "ld.global.L2::64B.f32 f32 [r]",
    "ld.global.L2::256B.f32 f32 [r]",
    "ld.param.u64 b64 [kernel]",
    "ld.param.u32 b32 [call]",
    "ld.param.u32 b32 [r]",
    "ld.const.u32 b32 [r]",
    "ld.local.u32 b32 [r]",
    "ld.f64 f64 [r]",
    "ld.shared::cta.u32 b32 [r]",
    "ldu.global.u32 b32 [r]",
    "ldu.u32 b32 [r]",
    "st.global.u8 [r] b64",
    "ldu.global.v4.f32 {f32,f32,f32,f32} [r]",
    "st.global.f32 [r] #",
    "st.global.u32 [r] #",
    "st.global.wb.f32 [r] f32",
    "st.global.wt.f32 [r] f32",
    "st.global.cg.f32 [r] f32",
    "st.global.cs.f32 [r] f32",
    "st.shared.cg.f32 [shared] f32",
    "st.global.v4.f32 [r] {f32,f32,f32,f32}",
    "st.volatile.f32 [r] f32",
    "st.volatile.shared.f32 [shared] f32",
    "st.release.cluster.shared.u32 [shared] b32",
    "st.param.b32 [call] b32",
    "st.relaxed.sys.global.u64 [r] u64",
    "st.local.b16 [r] b16",
    "st.global.L1::no_allocate.f32 [r] f32",
    "atom.global.add.u32 _ [r] #",
    "atom.global.cas.b16 b16 [r] b16 b16",
    "atom.global.cas.b64 b64 [r] b64 b64",
    "atom.add.acquire.gpu.global.u32 b32 [r] b32",
    "atom.relaxed.global.add.u32 b32 [r] b32",
    "atom.acq_rel.gpu.global.add.u32 b32 [r] b32",
    "atom.gpu.global.add.u32 b32 [r] b32",
    "atom.global.exch.b32 b32 [r] b32",
    "atom.global.add.f32 f32 [r] f32",
    "atom.add.f64 f64 [r] f64",
    "atom.global.min.s64 b64 [r] b64",
    "atom.shared.inc.u32 b32 [shared] b32",
    "atom.shared.dec.u32 b32 [shared] b32",
    "atom.or.b32 b32 [r] b32",
    "red.global.add.u32 [r] b32",
    "red.release.gpu.global.add.u32 [r] b32",
    "red.global.add.f64 [r] f64",
    "red.shared.xor.b64 [shared] b64",
    "membar.gl",
    "membar.cta",
    "membar.sys",
    "fence.sc.gpu",
    "fence.gpu",
    "fence.acq_rel.sys",
    "fence.acquire.gpu",
    "fence.acq_rel.cluster",
    "prefetch.global.L2 [r]",
    "prefetch.local.L1 [r]",
    "prefetch.L1 [r]",
    "prefetchu.L1 [r]",
    "prefetch.global.L2::evict_last [r]",
    "cvta.to.param.u64 u64 u64",
    "cvta.shared.u64 b64 #",
    "cvta.to.global.u64 b64 b64",
    "cvta.local.u64 b64 b64",
    "cvta.const.u64 b64 b64",
    "cvta.to.shared.u64 b64 b64"};

static const char *const refused[] = {
    "ld.global.f16 f16 [r]", "ld.global.f32 f64 [r]", "ld.global.u32 f32 [r]",
    "ld.global.f32 u32 [r]", "ld.global.u8 f32 [r]",
    "ld.global.u32 b32 [shared]", "ld.global.v2.u32 {b32,b64} [r]",
    "ld.global.v4.u64 {b64,b64,b64,b64} [r]", "ld.global.v2.u32 b32 [r]",
    "ld.global.u32 {b32,b32} [r]", "ld.global.v4.u32 {b32,b32} [r]",
    "ld.relaxed.global.u32 b32 [r]", "ld.relaxed.gpu.local.u32 b32 [r]",
    "ld.volatile.local.u32 b32 [r]", "ld.volatile.global.ca.u32 b32 [r]",
    "ld.volatile.gpu.global.u32 b32 [r]", "ld.gpu.global.u32 b32 [r]",
    "ld.release.gpu.global.u32 b32 [r]", "ld.shared.nc.u32 b32 [shared]",
    "ld.nc.u32 b32 [r]", "ld.global.wb.u32 b32 [r]", "ld.global.wt.u32 b32 [r]",
    "ld.global.cg.L1::evict_last.f32 f32 [r]", "ld.global.b128 b64 [r]",
    "ld.global.u32 pred [r]", "ld.global.pred pred [r]", "ld.global b32 [r]",
    "ld.global.u32.u32 b32 [r]", "ld.global.shared.u32 b32 [r]",
    "ld.global.u64 b32 [r]", "ld.global.u32 b32", "ld.global.u32 b32 b32",
    "ld.global.add.u32 b32 [r]", "ld.tex.u32 b32 [r]",
    "ld.global.L2::cache_hint.u32 b32 [r] b64",
    "ld.shared::cluster.u32 b32 [r]", "ld.mmio.relaxed.sys.global.u32 b32 [r]",
    "ldu.shared.u32 b32 [r]", "ldu.global.ca.u32 b32 [r]",
    "st.global.f32 [r] f64", "st.const.f32 [r] f32", "st.global.ca.f32 [r] f32",
    "st.global.L2::64B.f32 [r] f32", "st.global.nc.f32 [r] f32",
    "st.acquire.gpu.global.u32 [r] b32", "st.volatile.local.f32 [r] f32",
    "st.param.b32 [kernel] b32", "st.global.u64 [r] b32",
    "atom.global.add.s64 b64 [r] b64", "atom.global.exch.b16 b16 [r] b16",
    "atom.global.exch.u32 b32 [r] b32", "atom.global.exch.f32 f32 [r] f32",
    "atom.global.and.u32 b32 [r] b32", "atom.global.min.f32 f32 [r] f32",
    "atom.local.add.u32 b32 [r] b32", "atom.global.add.u32 f32 [r] f32",
    "atom.global.u32 b32 [r] b32", "atom.volatile.global.add.u32 b32 [r] b32",
    "atom.global.add.u32 b64 [r] b64", "atom.global.cas.b32 b32 [r] b32",
    "atom.global.add.u32 b32 [r] b32 b32", "atom.global.v2.add.f32 f32 [r] f32",
    "atom.global.inc.s32 b32 [r] b32", "red.acquire.gpu.global.add.u32 [r] b32",
    "red.acq_rel.gpu.global.add.u32 [r] b32", "red.global.exch.b32 [r] b32",
    "red.global.cas.b32 [r] b32 b32", "red.param.add.u32 [r] b32", "membar.gpu",
    "membar", "fence.sc", "fence.proxy.async", "fence.sc.gpu b32",
    "prefetch.shared.L1 [r]", "prefetchu.L2 [r]", "prefetch.L3 [r]",
    "cvta.u64 b64 b64", "cvta.shared.u32 b32 b32", "cvta.to.shared.u64 b32 b64",
    "cvta.tex.u64 b64 b64",
    /* ptxas knows these; the simulator does not */
    "atom.global.add.noftz.f16x2 b32 [r] b32",
    "prefetch.global.L2::evict_first [r]"};

static void check_lists(void) {
  struct op op;
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (!tap_ok(decode(taken[i], &op) == DECODE_DONE, "taken: %s", taken[i]))
      printf("# %s\n", refusal);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    tap_ok(decode(refused[i], &op) == DECODE_REFUSED && *refusal,
           "refused: %s (%s)", refused[i], refusal);
  tap_ok(decode("add.f32 f32 f32 f32", &op) == DECODE_OTHER,
         "add belongs to another unit");
}

static void check_loads(void) {
  struct op op;
  decode("ld.global.nc.v4.s16 {s32,s32,_,s32} [r]", &op);
  tap_ok(op.run.warp == load_global && op.kind == OP_WARP && op.width == 8 &&
             op.elements == 4 && op.bytes == 2 && op.offset == 12 &&
             op.flags == (ADDRESS_64 | MEMORY_READS | MEMORY_READ_ONLY) &&
             op.variant == load_move(2, 4, true) && op.access == 0 &&
             op.vector[3] == 256 * PTX_S32 && op.space == PTX_GLOBAL,
         "ld.global.nc.v4.s16");
  decode("ld.v2.f32 {_,_} [r]", &op);
  tap_ok(op.run.warp == load_generic && op.variant == load_move(4, 4, false) &&
             op.access == ACCESS_READ,
         "a vector of sinks");
  decode("ld.u8 b16 [shared]", &op);
  tap_ok(op.run.warp == load_shared && op.space == PTX_SHARED &&
             op.access == ACCESS_READ && op.absolute,
         "a variable tells its own space");
  decode("ld.const.u32 b32 [r]", &op);
  tap_ok(op.run.warp == load_const, "ld.const");
  decode("ld.param.u64 b64 [kernel]", &op);
  tap_ok(op.run.warp == load_param && op.variant == load_move(8, 8, false),
         "ld.param of a kernel reads the launch's parameters");
  decode("ld.param.u64 b64 [call]", &op);
  tap_ok(op.run.warp == load_local && op.space == PTX_LOCAL,
         "ld.param of a call reads local memory");
  decode("ld.acquire.gpu.u32 b32 [r]", &op);
  tap_ok(op.run.warp == load_ordered && op.space == PTX_GENERIC &&
             op.flags & MEMORY_ACQUIRE,
         "ld.acquire");
  decode("ld.volatile.shared.u32 b32 [r]", &op);
  tap_ok(op.run.warp == load_shared && op.flags & MEMORY_STRONG, "ld.volatile");
}

static void check_others(void) {
  struct op op;
  decode("st.shared.v2.u32 [shared] {b32,b32}", &op);
  tap_ok(op.run.warp == store_shared && op.width == 8 && op.elements == 2 &&
             op.flags == MEMORY_WRITES && op.access == ACCESS_WRITE,
         "st.shared.v2");
  decode("st.global.u16 [r] b64", &op);
  tap_ok(op.run.warp == store_global && op.variant == store_move(2, 8),
         "a store from a wider register");
  decode("st.param.b32 [call] b32", &op);
  tap_ok(op.run.warp == store_local, "st.param of a call");
  decode("st.release.gpu.global.u32 [r] b32", &op);
  tap_ok(op.run.warp == store_ordered, "st.release");
  decode("atom.shared.cas.b32 b32 [shared] b32 s32", &op);
  tap_ok(op.run.warp == atomic_shared && op.variant == ATOMIC_CAS &&
             op.bytes == 4 && op.width == 4 && op.access == ACCESS_ATOMIC &&
             op.d == 256 * PTX_B32 && op.b == 256 * PTX_B32 &&
             op.c == 256 * PTX_S32 && op.flags & MEMORY_READS,
         "atom.cas");
  decode("red.add.f64 [r] f64", &op);
  tap_ok(op.run.warp == atomic_generic && !(op.flags & MEMORY_READS) &&
             op.type == PTX_F64 && op.b == 256 * PTX_F64,
         "red");
  _Alignas(64) static unsigned char regs[256 * 32];
  uint64_t *lanes = (uint64_t *)(void *)(regs + 256 * PTX_B64);
  decode("cvta.shared.u64 b64 b64", &op);
  for (uint64_t i = 0; i < LANES; i++)
    lanes[i] = i;
  op.run.lanes(regs, &op, 0xf0u);
  tap_ok(op.kind == OP_LANES && lanes[3] == 3 && lanes[4] == SHARED_WINDOW + 4,
         "cvta.shared adds the window's base, to active lanes");
  decode("cvta.to.shared.u64 b64 b64", &op);
  op.run.lanes(regs, &op, 0xf0u);
  tap_ok(lanes[3] == 3 && lanes[4] == 4, "cvta.to.shared takes it off");
  decode("cvta.to.global.u64 b64 b64", &op);
  op.run.lanes(regs, &op, ~0u);
  tap_ok(lanes[3] == 3 && lanes[31] == 31, "cvta.to.global changes nothing");
}

int main(void) {
  check_lists();
  check_loads();
  check_others();
  return tap_done();
}
