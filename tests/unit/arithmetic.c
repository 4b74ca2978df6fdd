/* The arithmetic unit against an H200, instruction by instruction; and masks,
 * aliasing, refusals and the moves that the recording does not have. */
#include "arithmetic.h"

#include <math.h>

static _Alignas(64) unsigned char regs[FILE_BYTES], before[FILE_BYTES];

static void fill_sources(const char *kinds, uint32_t first) {
  for (int i = 0; i < LANES; i++)
    for (uint32_t j = 1; kinds[j] && kinds[j] != '#'; j++)
      lane_put(regs, j, kinds[j], i,
               trial_input(kinds[j], j - 1, first + (uint32_t)i));
}

static uint64_t run_hash(const struct trial *trial, const struct op *op) {
  uint64_t hash = TRIAL_HASH;
  for (uint32_t n = 0; n < INPUTS; n += LANES) {
    fill_sources(trial->kinds, n);
    op->run.lanes(regs, op, 0xffffffff);
    for (int i = 0; i < LANES; i++) {
      hash = trial_hash(hash, lane_get(regs, 0, trial->kinds[0], i));
      hash = trial_hash(hash, op->flags & 0x80 && trial->kinds[0] == 'P'
                                  ? lane_get(regs, SINK_SLOT, 'p', i)
                                  : 0);
    }
  }
  return hash;
}

/* The recording has a line a trial, in the order of the list. */
static void test_hardware(void) {
  FILE *file = fopen("tests/hardware/arithmetic-h200.txt", "r");
  if (!tap_ok(file != NULL, "the recording is there"))
    return;
  for (uint32_t t = 0; t < TRIALS; t++) {
    char text[64], kinds[16];
    unsigned long long hash;
    struct decoder stub;
    struct op op;
    bool read = fscanf(file, "%63s %15s %llx", text, kinds, &hash) == 3 &&
                strcmp(text, trials[t].text) == 0 &&
                strcmp(kinds, trials[t].kinds) == 0;
    stub_parse(&stub, trials[t].text, trials[t].kinds);
    if (!tap_ok(read && stub_decode(&stub, &op) == DECODE_DONE,
                "%s %s is recorded and decoded", trials[t].text,
                trials[t].kinds))
      continue;
    tap_is_u64(run_hash(&trials[t], &op), hash, "%s %s as on an H200",
               trials[t].text, trials[t].kinds);
  }
  fclose(file);
}

/* Runs a trial on 32 inputs under a mask: selected lanes must get what the full
 * mask gives, all other bytes of the register file must stay. */
static bool mask_holds(const struct trial *trial, const struct op *op,
                       uint32_t mask) {
  char kind = trial->kinds[0];
  uint64_t full[LANES];
  fill_sources(trial->kinds, 992);
  op->run.lanes(regs, op, 0xffffffff);
  for (int i = 0; i < LANES; i++) {
    full[i] = lane_get(regs, 0, kind, i);
    lane_put(regs, 0, kind, i, trial_mix((uint64_t)i));
  }
  memcpy(before, regs, sizeof regs);
  op->run.lanes(regs, op, mask);
  bool good = true;
  for (int i = 0; i < LANES; i++) {
    uint64_t old = lane_get(before, 0, kind, i);
    good &= lane_get(regs, 0, kind, i) == (mask >> i & 1 ? full[i] : old);
  }
  size_t sources = slot_offset(1), end = slot_offset(SINK_SLOT);
  return good && memcmp(regs + sources, before + sources, end - sources) == 0;
}

static void test_masks(void) {
  static const uint32_t masks[] = {1,          0x80000000, 0x55555555,
                                   0xfffffffe, 0x0000ffff, 0x12345678};
  for (uint32_t t = 0; t < TRIALS; t++) {
    struct decoder stub;
    struct op op;
    bool good = true;
    stub_parse(&stub, trials[t].text, trials[t].kinds);
    if (stub_decode(&stub, &op) != DECODE_DONE)
      continue;
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++)
      good &= mask_holds(&trials[t], &op, masks[m]);
    tap_ok(good, "%s %s keeps the lanes that a mask leaves out", trials[t].text,
           trials[t].kinds);
  }
}

/* The destination is source `j`. */
static bool alias_holds(const struct trial *trial, struct op op, uint32_t j,
                        uint32_t mask) {
  const char *kinds = trial->kinds;
  uint64_t want[LANES];
  fill_sources(kinds, 960);
  for (int i = 0; i < LANES; i++)
    lane_put(regs, 0, kinds[0], i, lane_get(regs, j, kinds[0], i));
  op.run.lanes(regs, &op, mask);
  for (int i = 0; i < LANES; i++)
    want[i] = lane_get(regs, 0, kinds[0], i);
  op.d = slot_offset(j);
  op.run.lanes(regs, &op, mask);
  for (int i = 0; i < LANES; i++)
    if (lane_get(regs, j, kinds[0], i) != want[i])
      return false;
  return true;
}

static void test_aliases(void) {
  for (uint32_t t = 0; t < TRIALS; t++) {
    const char *kinds = trials[t].kinds;
    struct decoder stub;
    struct op op;
    bool good = true;
    stub_parse(&stub, trials[t].text, kinds);
    if (kinds[0] == 'P' || stub_decode(&stub, &op) != DECODE_DONE)
      continue;
    for (uint32_t j = 1; kinds[j] && kinds[j] != '#'; j++)
      if (trial_bytes(kinds[j]) == trial_bytes(kinds[0]))
        good &= alias_holds(&trials[t], op, j, 0xffffffff) &&
                alias_holds(&trials[t], op, j, 0xf0f0a5a5);
    tap_ok(good, "%s %s may write one of its sources", trials[t].text, kinds);
  }
}

static void refused(const char *text, const char *kinds, const char *message) {
  struct decoder stub;
  struct op op;
  stub_parse(&stub, text, kinds);
  enum decode decode = stub_decode(&stub, &op);
  if (!tap_ok(decode == DECODE_REFUSED && strstr(stub.message, message),
              "%s %s is refused: %s", text, kinds, message))
    printf("# %d: %s\n", (int)decode, stub.message);
}

static void test_refusals(void) {
  static const char together[] = "does not know these modifiers together";
  refused("add.foo.s32", "iii", "unknown modifier .foo");
  refused("add.cc.u32", "iii", "unknown modifier .cc");
  refused("add.s8", "hhh", "unknown modifier .s8");
  refused("add.ftz.f64", "ddd", together);
  refused("add.rn.s32", "iii", together);
  refused("mul.s32", "iii", together);
  refused("mul.lo.hi.s32", "iii", together);
  refused("mul.wide.u64", "lll", together);
  refused("fma.f32", "ffff", together);
  refused("div.f32", "fff", together);
  refused("add.rn.rz.f32", "fff", "does not go with what precedes it");
  refused("add.ftz.ftz.f32", "fff", "does not go with what precedes it");
  refused("setp.lt.and.or.s32", "piip", "does not go with what precedes it");
  refused("setp.xx.s32", "pii", "unknown modifier .xx");
  refused("setp.lt.b32", "pii", together);
  refused("setp.lo.s32", "pii", together);
  refused("setp.ltu.s32", "pii", together);
  refused("setp.lt.and.s32", "pii", "4 operands are wanted, not 3");
  refused("setp.lt.s32", "piip", "3 operands are wanted, not 4");
  refused("add.s32", "ii", "3 operands are wanted, not 2");
  refused("add.s32", "iil", "operand of 8 bytes");
  refused("add.s32", "Pii", "pair");
  refused("mov.b32.foo", "ii", "unknown modifier");
  refused("mov", "ii", "unknown modifier");
  refused("mov.b8", "hh", "no mov of this type");
  refused("mov.b32", "iii", "a destination and a source");
  refused("lop3.b32", "iiii#256", "constant from 0 to 255");
  refused("lop3.b32", "iiiii", "constant from 0 to 255");
  refused("cvt.f32.s32", "fi", "must say .rn");
  refused("cvt.s32.f32", "if", "must say .rni");
  refused("cvt.rn.s32.f32", "if", "takes no .rn");
  refused("cvt.rni.f32.s32", "fi", "takes no .rni");
  refused("cvt.f32.f64", "fd", "must say .rn");
  refused("cvt.rn.f64.f32", "df", "takes no .rn");
  refused("cvt.rzi.s32.s64", "il", "takes no .rni");
  refused("cvt.relu.s32.s64", "il", "unknown modifier .relu");
  refused("cvt.sat.u32.u8", "ih", "no .sat here");
  refused("cvt.ftz.s32.s64", "il", ".ftz is for");
  refused("cvt.rn.bf16.f16", "BH", "no conversion");
  refused("cvt.rn.bf16.u8", "Bh", "no conversion");
  refused("cvt.rn.f16x2.f32", "xf", "3 operands");
  refused("cvt.s32", "ii", "no conversion");
  refused("cvt.u64.u32", "ii", "operand of 4 bytes");
}

static void test_others(void) {
  static const char *const others[] = {"ld.global.u32", "bra", "shfl.sync.b32",
                                       "add3.s32", "cvta.to.global.u64"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    struct decoder stub;
    struct op op;
    stub_parse(&stub, others[i], "ii");
    tap_ok(stub_decode(&stub, &op) == DECODE_OTHER, "%s is not arithmetic",
           others[i]);
  }
}

static double float_of(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

static void test_approximate(void) {
  static const struct {
    const char *text;
    float input;
    double want;
  } cases[] = {{"sin.approx.f32", 0.5f, 0.479425538604203},
               {"cos.approx.ftz.f32", 0.5f, 0.8775825618903728},
               {"ex2.approx.f32", 1.5f, 2.8284271247461903},
               {"lg2.approx.f32", 3, 1.584962500721156},
               {"tanh.approx.f32", 0.5f, 0.46211715726000973},
               {"rsqrt.approx.f32", 4, 0.5},
               {"rcp.approx.ftz.f32", 4, 0.25},
               {"sqrt.approx.f32", 9, 3}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    struct decoder stub;
    struct op op;
    uint32_t bits;
    memcpy(&bits, &cases[c].input, sizeof bits);
    stub_parse(&stub, cases[c].text, "ff");
    bool good = stub_decode(&stub, &op) == DECODE_DONE;
    tap_ok(good && op.flags & ARITHMETIC_APPROXIMATE, "%s is flagged",
           cases[c].text);
    lane_put(regs, 1, 'f', 7, bits);
    op.run.lanes(regs, &op, 1u << 7);
    double got = float_of(lane_get(regs, 0, 'f', 7));
    tap_ok(fabs(got - cases[c].want) < 1e-6, "%s of %g is %.9g", cases[c].text,
           (double)cases[c].input, got);
  }
  struct decoder stub;
  struct op op;
  stub_parse(&stub, "sqrt.rn.f32", "ff");
  stub_decode(&stub, &op);
  tap_ok(!(op.flags & ARITHMETIC_APPROXIMATE), "sqrt.rn.f32 is exact");
}

/* Gives operand 0 or 1 of a move the elements in slots `first` and on. */
static void make_vector(struct decoder *stub, uint32_t which, uint32_t first,
                        uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    stub->elements[i] =
        (struct ptx_operand){.kind = PTX_REGISTER, .index = first + i};
  stub->in.operand[which] = (struct ptx_operand){
      .kind = PTX_VECTOR, .elements = stub->elements, .count = count};
  stub->in.operand_count = 2;
}

static void test_packing(const char *text, const char *kinds, uint32_t count) {
  struct decoder stub;
  struct op op;
  uint32_t bits = 8 * trial_bytes(kinds[1]);
  uint64_t want = 0;
  stub_parse(&stub, text, kinds);
  make_vector(&stub, 1, 1, count);
  bool good = stub_decode(&stub, &op) == DECODE_DONE;
  for (uint32_t k = 0; k < count; k++) {
    uint64_t part = trial_mix(k) & ((1ull << bits) - 1);
    want |= part << (bits * k);
    lane_put(regs, 1 + k, kinds[1], 3, part);
  }
  op.run.lanes(regs, &op, 8);
  tap_ok(good, "%s packs %u elements", text, count);
  tap_is_u64(lane_get(regs, 0, kinds[0], 3), want, "%s packs the lowest first",
             text);
}

static void test_unpacking(const char *text, const char *kinds, uint32_t count,
                           bool sink) {
  struct decoder stub;
  struct op op;
  uint32_t bits = 8 * trial_bytes(kinds[1]);
  stub_parse(&stub, text, kinds);
  make_vector(&stub, 0, 1, count);
  stub.in.operand[1] = (struct ptx_operand){.kind = PTX_REGISTER, .index = 0};
  if (sink)
    stub.elements[0] = (struct ptx_operand){.kind = PTX_SINK};
  bool good = stub_decode(&stub, &op) == DECODE_DONE;
  lane_put(regs, 0, kinds[0], 31, 0xfedcba9876543210);
  lane_put(regs, 1, kinds[1], 31, 0x55);
  op.run.lanes(regs, &op, 0x80000000);
  tap_ok(good, "%s takes %u elements apart", text, count);
  for (uint32_t k = 0; k < count; k++) {
    uint64_t want = 0xfedcba9876543210 >> (bits * k) & ((1ull << bits) - 1);
    tap_is_u64(lane_get(regs, 1 + k, kinds[1], 31),
               sink && k == 0 ? 0x55 : want, "%s element %u%s", text, k,
               sink && k == 0 ? " is left alone" : "");
  }
}

static void test_spaces(void) {
  static const struct {
    uint64_t address;
    const char *space;
  } cases[] = {{GLOBAL_BASE, "global"},
               {GLOBAL_BASE + 12345, "global"},
               {SHARED_WINDOW, "shared"},
               {SHARED_WINDOW + WINDOW_SIZE - 1, "shared"},
               {SHARED_WINDOW + WINDOW_SIZE, "global"},
               {SHARED_WINDOW - 1, "global"},
               {LOCAL_WINDOW + 8, "local"}};
  static const char *const spaces[] = {"global", "shared", "local"};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
    for (int s = 0; s < 3; s++) {
      char text[32];
      struct decoder stub;
      struct op op;
      snprintf(text, sizeof text, "isspacep.%s", spaces[s]);
      stub_parse(&stub, text, "pl");
      bool good = stub_decode(&stub, &op) == DECODE_DONE;
      lane_put(regs, 1, 'l', 5, cases[c].address);
      op.run.lanes(regs, &op, 1u << 5);
      tap_is_u64(good ? lane_get(regs, 0, 'p', 5) : 2,
                 strcmp(cases[c].space, spaces[s]) == 0, "%s of %llx", text,
                 (unsigned long long)cases[c].address);
    }
}

int main(void) {
  test_hardware();
  test_masks();
  test_aliases();
  test_refusals();
  test_others();
  test_approximate();
  test_packing("mov.b32", "ihh", 2);
  test_packing("mov.b64", "lii", 2);
  test_packing("mov.b64", "lhhhh", 4);
  test_unpacking("mov.b32", "ihh", 2, false);
  test_unpacking("mov.b64", "lii", 2, false);
  test_unpacking("mov.b64", "lhhhh", 4, false);
  test_unpacking("mov.b64", "lii", 2, true);
  test_spaces();
  return tap_done();
}
