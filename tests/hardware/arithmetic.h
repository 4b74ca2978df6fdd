/* The instructions and inputs of the arithmetic test: what an H200 was given
 * (tests/hardware/arithmetic.c recorded it) and the simulator is given too. */
#ifndef SHUFFLE_LADDER_TEST_ARITHMETIC_H
#define SHUFFLE_LADDER_TEST_ARITHMETIC_H

#include <stdint.h>
#include <string.h>

/* Kinds of operands, the destination first: h i l integers of 16, 32, 64 bits;
 * f d of f32, f64; H B f16, bf16; x y f16x2, bf16x2; s a small number in 32
 * bits; p a predicate; P a predicate pair; `#171` a constant. */
struct trial {
  const char *text, *kinds;
};

#define INTEGERS(OP, S)                                                        \
  {OP ".u16", S(h)}, {OP ".u32", S(i)}, {OP ".u64", S(l)}, {OP ".s16", S(h)},  \
      {OP ".s32", S(i)}, {                                                     \
    OP ".s64", S(l)                                                            \
  }
#define SIGNED(OP, S)                                                          \
  {OP ".s16", S(h)}, {OP ".s32", S(i)}, { OP ".s64", S(l) }
#define BITS(OP, S)                                                            \
  {OP ".b16", S(h)}, {OP ".b32", S(i)}, { OP ".b64", S(l) }
#define BITS2(OP, S)                                                           \
  {OP ".b32", S(i)}, { OP ".b64", S(l) }
#define S1(k) #k #k
#define S2(k) #k #k #k
#define S3(k) #k #k #k #k
#define SHIFT(k) #k #k "s"
#define COUNT(k) "i" #k
#define FIELD(k) #k #k "ss"
#define INSERT(k) #k #k #k "ss"
#define COMPARED(k) "p" #k #k
#define PAIRED(k) "P" #k #k "p"
#define CHOSEN(k) #k #k #k "p"
#define BY_SIGN(k) #k #k #k "i"
#define BY_FLOAT(k) #k #k #k "f"
#define ORDERS(TYPES, S)                                                       \
  TYPES("setp.lt", S), TYPES("setp.le", S), TYPES("setp.gt", S),               \
      TYPES("setp.ge", S), TYPES("setp.eq", S), TYPES("setp.ne", S)
#define FLOATS(OP, K, S)                                                       \
  {OP ".eq" K, S}, {OP ".ne" K, S}, {OP ".lt" K, S}, {OP ".le" K, S},          \
      {OP ".gt" K, S}, {OP ".ge" K, S}, {OP ".equ" K, S}, {OP ".neu" K, S},    \
      {OP ".ltu" K, S}, {OP ".leu" K, S}, {OP ".gtu" K, S}, {OP ".geu" K, S},  \
      {OP ".num" K, S}, {                                                      \
    OP ".nan" K, S                                                             \
  }
#define MODES(OP, END, S)                                                      \
  {OP ".rn" END, S}, {OP ".rz" END, S}, {OP ".rm" END, S}, { OP ".rp" END, S }
#define INT_MODES(OP, END, S)                                                  \
  {OP ".rni" END, S}, {OP ".rzi" END, S}, {OP ".rmi" END, S}, {                \
    OP ".rpi" END, S                                                           \
  }
#define SINGLE(OP, S)                                                          \
  MODES(OP, ".f32", S), MODES(OP, ".ftz.f32", S), MODES(OP, ".sat.f32", S),    \
      MODES(OP, ".ftz.sat.f32", S)
#define HALVES(OP, S)                                                          \
  {OP ".f16", S(H)}, {OP ".f16x2", S(x)}, {OP ".bf16", S(B)}, {                \
    OP ".bf16x2", S(y)                                                         \
  }
#define HALF_ONLY(OP, END, S)                                                  \
  {OP END ".f16", S(H)}, { OP END ".f16x2", S(x) }
#define TESTS(T, K)                                                            \
  {"testp.finite." T, "p" K}, {"testp.infinite." T, "p" K},                    \
      {"testp.number." T, "p" K}, {"testp.notanumber." T, "p" K},              \
      {"testp.normal." T, "p" K}, {                                            \
    "testp.subnormal." T, "p" K                                                \
  }
#define TO_BYTES(FTZ, T, K)                                                    \
  INT_MODES("cvt", FTZ ".u8." T, "h" K), INT_MODES("cvt", FTZ ".s8." T, "h" K)
#define TO_INTEGERS(FTZ, T, K)                                                 \
  INT_MODES("cvt", FTZ ".u16." T, "h" K),                                      \
      INT_MODES("cvt", FTZ ".s16." T, "h" K),                                  \
      INT_MODES("cvt", FTZ ".u32." T, "i" K),                                  \
      INT_MODES("cvt", FTZ ".s32." T, "i" K),                                  \
      INT_MODES("cvt", FTZ ".u64." T, "l" K),                                  \
      INT_MODES("cvt", FTZ ".s64." T, "l" K)
#define FROM_BYTES(T, K)                                                       \
  MODES("cvt", "." T ".u8", K "h"), MODES("cvt", "." T ".s8", K "h")
#define FROM_INTEGERS(T, K)                                                    \
  MODES("cvt", "." T ".u16", K "h"), MODES("cvt", "." T ".s16", K "h"),        \
      MODES("cvt", "." T ".u32", K "i"), MODES("cvt", "." T ".s32", K "i"),    \
      MODES("cvt", "." T ".u64", K "l"), MODES("cvt", "." T ".s64", K "l")
#define BETWEEN(T, K)                                                          \
  {"cvt.u8." T, "h" K}, {"cvt.s8." T, "h" K}, {"cvt.u16." T, "h" K},           \
      {"cvt.s16." T, "h" K}, {"cvt.u32." T, "i" K}, {"cvt.s32." T, "i" K},     \
      {"cvt.u64." T, "l" K}, {                                                 \
    "cvt.s64." T, "l" K                                                        \
  }
#define SAT(D, T, K)                                                           \
  { "cvt.sat." D "." T, K }

static const struct trial trials[] = {
    INTEGERS("add", S2),
    INTEGERS("sub", S2),
    SIGNED("neg", S1),
    INTEGERS("mul.lo", S2),
    INTEGERS("mul.hi", S2),
    INTEGERS("mad.lo", S3),
    INTEGERS("mad.hi", S3),
    INTEGERS("div", S2),
    INTEGERS("rem", S2),
    INTEGERS("min", S2),
    INTEGERS("max", S2),
    INTEGERS("sad", S3),
    SIGNED("abs", S1),
    {"add.sat.s32", "iii"},
    {"sub.sat.s32", "iii"},
    {"mad.hi.sat.s32", "iiii"},
    {"mul.wide.u16", "ihh"},
    {"mul.wide.s16", "ihh"},
    {"mul.wide.u32", "lii"},
    {"mul.wide.s32", "lii"},
    {"mad.wide.u16", "ihhi"},
    {"mad.wide.s16", "ihhi"},
    {"mad.wide.u32", "liil"},
    {"mad.wide.s32", "liil"},
    {"mul24.lo.u32", "iii"},
    {"mul24.lo.s32", "iii"},
    {"mul24.hi.u32", "iii"},
    {"mul24.hi.s32", "iii"},
    {"mad24.lo.u32", "iiii"},
    {"mad24.lo.s32", "iiii"},
    {"mad24.hi.u32", "iiii"},
    {"mad24.hi.s32", "iiii"},
    {"dp4a.u32.u32", "iiii"},
    {"dp4a.u32.s32", "iiii"},
    {"dp4a.s32.u32", "iiii"},
    {"dp4a.s32.s32", "iiii"},
    {"dp2a.lo.u32.u32", "iiii"},
    {"dp2a.lo.u32.s32", "iiii"},
    {"dp2a.lo.s32.u32", "iiii"},
    {"dp2a.lo.s32.s32", "iiii"},
    {"dp2a.hi.u32.u32", "iiii"},
    {"dp2a.hi.u32.s32", "iiii"},
    {"dp2a.hi.s32.u32", "iiii"},
    {"dp2a.hi.s32.s32", "iiii"},
    BITS("and", S2),
    BITS("or", S2),
    BITS("xor", S2),
    BITS("not", S1),
    BITS("cnot", S1),
    {"and.pred", "ppp"},
    {"or.pred", "ppp"},
    {"xor.pred", "ppp"},
    {"not.pred", "pp"},
    {"mov.pred", "pp"},
    {"lop3.b32", "iiii#150"},
    {"lop3.b32", "iiii#232"},
    {"lop3.b32", "iiii#27"},
    {"lop3.b32", "iiii#128"},
    {"lop3.b32", "iiii#254"},
    {"lop3.b32", "iiii#1"},
    BITS("shl", SHIFT),
    INTEGERS("shr", SHIFT),
    BITS("shr", SHIFT),
    {"shf.l.wrap.b32", "iiis"},
    {"shf.r.wrap.b32", "iiis"},
    {"shf.l.clamp.b32", "iiis"},
    {"shf.r.clamp.b32", "iiis"},
    BITS2("popc", COUNT),
    BITS2("clz", COUNT),
    BITS2("brev", S1),
    {"bfind.u32", "ii"},
    {"bfind.s32", "ii"},
    {"bfind.u64", "il"},
    {"bfind.s64", "il"},
    {"bfind.shiftamt.u32", "ii"},
    {"bfind.shiftamt.s32", "ii"},
    {"bfind.shiftamt.u64", "il"},
    {"bfind.shiftamt.s64", "il"},
    {"bfe.u32", "iiss"},
    {"bfe.s32", "iiss"},
    {"bfe.u64", "llss"},
    {"bfe.s64", "llss"},
    {"bfe.u32", "iiii"},
    {"bfe.s32", "iiii"},
    {"bfi.b32", "iiiss"},
    {"bfi.b64", "lllss"},
    {"bfi.b32", "iiiii"},
    {"prmt.b32", "iiii"},
    {"prmt.b32.f4e", "iiis"},
    {"prmt.b32.b4e", "iiis"},
    {"prmt.b32.rc8", "iiis"},
    {"prmt.b32.ecl", "iiis"},
    {"prmt.b32.ecr", "iiis"},
    {"prmt.b32.rc16", "iiis"},
    {"mov.b16", "hh"},
    {"mov.b32", "ii"},
    {"mov.b64", "ll"},
    BITS("selp", CHOSEN),
    {"slct.b32.s32", "iiii"},
    {"slct.u64.s32", "llli"},
    {"slct.b16.s32", "hhhi"},
    {"slct.f32.f32", "ffff"},
    {"slct.ftz.f32.f32", "ffff"},
    {"slct.f64.f32", "dddf"},
    ORDERS(INTEGERS, COMPARED),
    BITS("setp.eq", COMPARED),
    BITS("setp.ne", COMPARED),
    {"setp.lo.u32", "pii"},
    {"setp.ls.u32", "pii"},
    {"setp.hi.u32", "pii"},
    {"setp.hs.u32", "pii"},
    {"setp.lo.u64", "pll"},
    {"setp.lo.u16", "phh"},
    {"setp.lt.and.s32", "Piip"},
    {"setp.lt.or.s32", "Piip"},
    {"setp.lt.xor.s32", "Piip"},
    {"setp.eq.and.u64", "Pllp"},
    {"setp.lt.or.f32", "Pffp"},
    {"setp.ltu.xor.f64", "Pddp"},
    {"setp.geu.and.ftz.f32", "Pffp"},
    {"setp.lt.s32", "Pii"},
    {"setp.lt.f32", "Pff"},
    FLOATS("setp", ".f32", "pff"),
    FLOATS("setp", ".ftz.f32", "pff"),
    FLOATS("setp", ".f64", "pdd"),
    FLOATS("setp", ".f16", "pHH"),
    FLOATS("setp", ".ftz.f16", "pHH"),
    FLOATS("setp", ".bf16", "pBB"),
    {"set.lt.u32.s32", "iii"},
    {"set.lt.s32.f32", "iff"},
    {"set.gtu.f32.f32", "fff"},
    {"set.eq.ftz.f32.f32", "fff"},
    {"set.ge.f32.u64", "fll"},
    {"set.ne.and.u32.u32", "iiip"},
    {"set.le.xor.u32.f64", "iddp"},
    TESTS("f32", "f"),
    TESTS("f64", "d"),
    {"add.f32", "fff"},
    {"sub.f32", "fff"},
    {"mul.f32", "fff"},
    {"add.ftz.f32", "fff"},
    {"add.sat.f32", "fff"},
    {"mul.ftz.sat.f32", "fff"},
    SINGLE("add", "fff"),
    SINGLE("sub", "fff"),
    SINGLE("mul", "fff"),
    SINGLE("fma", "ffff"),
    MODES("mad", ".f32", "ffff"),
    MODES("div", ".f32", "fff"),
    MODES("div", ".ftz.f32", "fff"),
    MODES("rcp", ".f32", "ff"),
    MODES("rcp", ".ftz.f32", "ff"),
    MODES("sqrt", ".f32", "ff"),
    MODES("sqrt", ".ftz.f32", "ff"),
    {"neg.f32", "ff"},
    {"neg.ftz.f32", "ff"},
    {"abs.f32", "ff"},
    {"abs.ftz.f32", "ff"},
    {"copysign.f32", "fff"},
    {"min.f32", "fff"},
    {"min.ftz.f32", "fff"},
    {"min.NaN.f32", "fff"},
    {"min.ftz.NaN.f32", "fff"},
    {"min.xorsign.abs.f32", "fff"},
    {"min.NaN.xorsign.abs.f32", "fff"},
    {"max.f32", "fff"},
    {"max.ftz.f32", "fff"},
    {"max.NaN.f32", "fff"},
    {"max.xorsign.abs.f32", "fff"},
    {"max.ftz.NaN.xorsign.abs.f32", "fff"},
    {"add.f64", "ddd"},
    {"sub.f64", "ddd"},
    {"mul.f64", "ddd"},
    MODES("add", ".f64", "ddd"),
    MODES("sub", ".f64", "ddd"),
    MODES("mul", ".f64", "ddd"),
    MODES("fma", ".f64", "dddd"),
    MODES("div", ".f64", "ddd"),
    MODES("rcp", ".f64", "dd"),
    MODES("sqrt", ".f64", "dd"),
    {"neg.f64", "dd"},
    {"abs.f64", "dd"},
    {"min.f64", "ddd"},
    {"max.f64", "ddd"},
    {"copysign.f64", "ddd"},
    HALVES("add", S2),
    HALVES("sub", S2),
    HALVES("mul", S2),
    HALVES("fma.rn", S3),
    HALVES("min", S2),
    HALVES("max", S2),
    HALVES("min.NaN", S2),
    HALVES("max.NaN", S2),
    HALVES("neg", S1),
    HALVES("abs", S1),
    HALF_ONLY("add", ".ftz", S2),
    HALF_ONLY("add", ".sat", S2),
    HALF_ONLY("mul", ".rn.ftz.sat", S2),
    HALF_ONLY("fma.rn", ".ftz", S3),
    HALF_ONLY("fma.rn", ".sat", S3),
    HALF_ONLY("min", ".ftz", S2),
    HALF_ONLY("max", ".ftz.NaN", S2),
    HALF_ONLY("neg", ".ftz", S1),
    HALF_ONLY("abs", ".ftz", S1),
    TO_INTEGERS("", "f32", "f"),
    TO_INTEGERS(".ftz", "f32", "f"),
    TO_INTEGERS("", "f64", "d"),
    TO_INTEGERS("", "f16", "H"),
    TO_INTEGERS("", "bf16", "B"),
    TO_BYTES("", "f32", "f"),
    TO_BYTES(".ftz", "f32", "f"),
    TO_BYTES("", "f64", "d"),
    TO_BYTES("", "f16", "H"),
    FROM_BYTES("f32", "f"),
    FROM_BYTES("f64", "d"),
    FROM_BYTES("f16", "H"),
    FROM_INTEGERS("f32", "f"),
    FROM_INTEGERS("f64", "d"),
    FROM_INTEGERS("f16", "H"),
    FROM_INTEGERS("bf16", "B"),
    BETWEEN("u8", "h"),
    BETWEEN("s8", "h"),
    BETWEEN("u16", "h"),
    BETWEEN("s16", "h"),
    BETWEEN("u32", "i"),
    BETWEEN("s32", "i"),
    BETWEEN("u64", "l"),
    BETWEEN("s64", "l"),
    SAT("s8", "u8", "hh"),
    SAT("u8", "s8", "hh"),
    SAT("u16", "s8", "hh"),
    SAT("u32", "s8", "ih"),
    SAT("u64", "s8", "lh"),
    SAT("u8", "u16", "hh"),
    SAT("s8", "u16", "hh"),
    SAT("s16", "u16", "hh"),
    SAT("u8", "s16", "hh"),
    SAT("s8", "s16", "hh"),
    SAT("u16", "s16", "hh"),
    SAT("u32", "s16", "ih"),
    SAT("u64", "s16", "lh"),
    SAT("u8", "u32", "hi"),
    SAT("s8", "u32", "hi"),
    SAT("u16", "u32", "hi"),
    SAT("s16", "u32", "hi"),
    SAT("s32", "u32", "ii"),
    SAT("u8", "s32", "hi"),
    SAT("s8", "s32", "hi"),
    SAT("u16", "s32", "hi"),
    SAT("s16", "s32", "hi"),
    SAT("u32", "s32", "ii"),
    SAT("u64", "s32", "li"),
    SAT("u8", "u64", "hl"),
    SAT("s8", "u64", "hl"),
    SAT("u16", "u64", "hl"),
    SAT("s16", "u64", "hl"),
    SAT("u32", "u64", "il"),
    SAT("s32", "u64", "il"),
    SAT("s64", "u64", "ll"),
    SAT("u8", "s64", "hl"),
    SAT("s8", "s64", "hl"),
    SAT("u16", "s64", "hl"),
    SAT("s16", "s64", "hl"),
    SAT("u32", "s64", "il"),
    SAT("s32", "s64", "il"),
    SAT("u64", "s64", "ll"),
    MODES("cvt", ".f32.f64", "fd"),
    MODES("cvt", ".ftz.f32.f64", "fd"),
    MODES("cvt", ".sat.f32.f64", "fd"),
    MODES("cvt", ".f16.f64", "Hd"),
    MODES("cvt", ".f16.f32", "Hf"),
    MODES("cvt", ".ftz.f16.f32", "Hf"),
    MODES("cvt", ".sat.f16.f32", "Hf"),
    {"cvt.rn.bf16.f32", "Bf"},
    {"cvt.rz.bf16.f32", "Bf"},
    MODES("cvt", ".bf16.f64", "Bd"),
    {"cvt.f64.f32", "df"},
    {"cvt.ftz.f64.f32", "df"},
    {"cvt.sat.f64.f32", "df"},
    {"cvt.f32.f16", "fH"},
    {"cvt.ftz.f32.f16", "fH"},
    {"cvt.sat.f32.f16", "fH"},
    {"cvt.f64.f16", "dH"},
    {"cvt.f32.bf16", "fB"},
    {"cvt.f64.bf16", "dB"},
    {"cvt.rn.f16x2.f32", "xff"},
    {"cvt.rz.f16x2.f32", "xff"},
    {"cvt.rn.bf16x2.f32", "yff"},
    {"cvt.rz.bf16x2.f32", "yff"},
    INT_MODES("cvt", ".f32.f32", "ff"),
    INT_MODES("cvt", ".ftz.f32.f32", "ff"),
    INT_MODES("cvt", ".sat.f32.f32", "ff"),
    INT_MODES("cvt", ".f64.f64", "dd"),
    INT_MODES("cvt", ".f16.f16", "HH"),
    {"cvt.sat.f32.f32", "ff"},
    {"cvt.ftz.f32.f32", "ff"},
    {"cvt.f32.f32", "ff"},
    {"cvt.f64.f64", "dd"},
    {"cvt.sat.f64.f64", "dd"},
    {"cvt.u32.u8", "ii"},
    {"cvt.s32.s8", "ii"},
    {"cvt.s64.s16", "li"},
    {"cvt.u64.u16", "ll"},
    {"cvt.s8.s32", "ii"},
    {"cvt.u8.u32", "ii"},
    {"cvt.s16.s32", "li"},
    {"cvt.sat.s8.s32", "ii"},
    {"cvt.rn.sat.f32.s32", "fi"},
    {"cvt.rn.f32.s8", "fi"},
    {"cvt.rzi.s8.f32", "if"},
    {"cvt.rzi.u16.f32", "lf"},
};

enum { TRIALS = sizeof trials / sizeof trials[0], INPUTS = 4096 };

static inline uint64_t trial_mix(uint64_t x) { /* the finaliser of splitmix64 */
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

static const uint64_t corners_integer[] = {0,
                                           1,
                                           2,
                                           3,
                                           5,
                                           7,
                                           0x7f,
                                           0x80,
                                           0xff,
                                           0x100,
                                           0x7fff,
                                           0x8000,
                                           0xffff,
                                           0x10000,
                                           0x7fffff,
                                           0x800000,
                                           0xffffff,
                                           0x7fffffff,
                                           0x80000000,
                                           0x80000001,
                                           0xffffffff,
                                           0x100000000,
                                           0x7fffffffffffffff,
                                           0x8000000000000000,
                                           0x8000000000000001,
                                           0xfffffffffffffffe,
                                           0xffffffffffffffff,
                                           0xffffffff80000000,
                                           0xffffffffffff8000,
                                           0xffffffffffffff80,
                                           0x12345678,
                                           0xfedcba9876543210};
static const uint64_t corners_single[] = {
    0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x807fffff,
    0x800000,   0x80800000, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff,
    0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x40490fdb,
    0x4b000001, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x5f000000, 0x5f800000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
    0x7f800001, 0x33800000};
static const uint64_t corners_double[] = {0,
                                          0x8000000000000000,
                                          1,
                                          0x8000000000000001,
                                          0xfffffffffffff,
                                          0x10000000000000,
                                          0x8010000000000000,
                                          0x3ff0000000000000,
                                          0xbff0000000000000,
                                          0x3ff0000000000001,
                                          0x3fefffffffffffff,
                                          0x3fe0000000000000,
                                          0xbfe0000000000000,
                                          0x3ff8000000000000,
                                          0x4004000000000000,
                                          0xc004000000000000,
                                          0x400921fb54442d18,
                                          0x41e0000000000000,
                                          0xc1e0000000000000,
                                          0x41efffffffe00000,
                                          0x43e0000000000000,
                                          0x43f0000000000000,
                                          0x47efffffe0000000,
                                          0x47effffff0000000,
                                          0x3690000000000000,
                                          0x7fefffffffffffff,
                                          0x7ff0000000000000,
                                          0xfff0000000000000,
                                          0x7ff8000000000000,
                                          0xfff8000000012345,
                                          0x7ff0000000000001,
                                          0x3ff0000010000000};
static const uint64_t corners_half[] = {
    0,      0x8000, 1,      0x8001, 0x3ff,  0x83ff, 0x400,  0x8400,
    0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3800, 0xb800, 0x3e00, 0x4100,
    0xc100, 0x4248, 0x6400, 0x6401, 0x77ff, 0x7bff, 0xfbff, 0x7c00,
    0xfc00, 0x7e00, 0xfe12, 0x7c01, 0x1000, 0x0c00, 0x5bff, 0x13ff};
static const uint64_t corners_brain[] = {
    0,      0x8000, 1,      0x8001, 0x7f,   0x807f, 0x80,   0x8080,
    0x3f80, 0xbf80, 0x3f81, 0x3f7f, 0x3f00, 0xbf00, 0x3fc0, 0x4020,
    0xc020, 0x4049, 0x4b00, 0x4f00, 0xcf00, 0x5f00, 0x7f7f, 0x7f80,
    0xff80, 0x7fc0, 0xffc1, 0x7f81, 0x3380, 0x0040, 0x7f00, 0x43ff};

static inline uint64_t trial_corner(char kind, uint32_t n) {
  n &= 31;
  switch (kind) {
  case 'f':
    return corners_single[n];
  case 'd':
    return corners_double[n];
  case 'H':
    return corners_half[n];
  case 'B':
    return corners_brain[n];
  case 'x':
    return corners_half[n] | corners_half[(n * 7 + 3) & 31] << 16;
  case 'y':
    return corners_brain[n] | corners_brain[(n * 7 + 3) & 31] << 16;
  case 's':
    return n < 30 ? n * 2 + n / 8 : n == 30 ? 0xffffffff : 0x80000020;
  default:
    return corners_integer[n];
  }
}

/* A random number with an exponent near the middle, so that sums and roundings
 * meet; or any bits. */
static inline uint64_t trial_random(char kind, uint64_t bits) {
  uint64_t near = bits >> 40 & 15;
  switch (bits >> 60 ? kind : '?') {
  case 'f':
    return (bits & 0x807fffff) | (120 + near) << 23;
  case 'd':
    return (bits & 0x800fffffffffffff) | (1010 + near * 2) << 52;
  case 'H':
    return (bits & 0x83ff) | (8 + near) << 10;
  case 'B':
    return (bits & 0x807f) | (120 + near) << 7;
  case 'x':
    return (bits & 0x83ff83ff) | (8 + near) << 10 | (15 - near / 2) << 26;
  case 'y':
    return (bits & 0x807f807f) | (120 + near) << 7 | (127 - near / 2) << 23;
  case 's':
    return bits & 63;
  case 'h':
  case 'i':
  case 'l': /* of any length */
    return bits >> 8 >> (bits & 31) >> (bits & 16);
  default:
    return bits;
  }
}

/* Input `n` of source `which` (0 to 3): all pairs of corners come first. */
static inline uint64_t trial_input(char kind, uint32_t which, uint32_t n) {
  if (n < 1024 && which < 2)
    return trial_corner(kind, which ? n / 32 : n);
  if (n < 2048)
    return trial_corner(kind, (uint32_t)trial_mix(n * 4 + which));
  return trial_random(kind, trial_mix((uint64_t)n * 4 + which));
}

/* Bytes of an operand's register; 0 for a predicate. */
static inline uint32_t trial_bytes(char kind) {
  return strchr("hHB", kind)  ? 2
         : strchr("ld", kind) ? 8
         : strchr("pP", kind) ? 0
                              : 4;
}

static inline uint64_t trial_hash(uint64_t hash, uint64_t value) {
  for (int i = 0; i < 8; i++)
    hash = (hash ^ (value >> 8 * i & 255)) * 0x100000001b3ull; /* FNV-1a */
  return hash;
}
#define TRIAL_HASH 0xcbf29ce484222325ull

#endif
