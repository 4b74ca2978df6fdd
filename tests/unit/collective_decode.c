/* Chapter 14: decoding of shuffles, votes, matches, reductions and barriers;
 * which spellings are known, where operands go, and what is refused. The
 * decoder's services are stood in for, so that nothing else is tested here. */
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "barrier.h"
#include "code.h"
#include "collective.h"
#include "redux.h"
#include "shuffle.h"
#include "vote.h"

/* Registers 0 to 9 have 32 bits, 10 to 19 have 64, 20 to 29 are predicates.
 * The offset of register n is 100 + n, of !n 200 + n, of the sink 99, of an
 * integer 300 plus its value. */
enum { SINK = 99, REGISTER = 100, NEGATED = 200, IMMEDIATE = 300 };

struct decoder {
  char message[200];
  bool wrote;       /* a destination was decoded */
  bool hidden_late; /* a hidden op was appended after that */
};

bool decoder_refuse(struct decoder *decoder, const struct ptx_instruction *in,
                    const char *format, ...) {
  int length =
      snprintf(decoder->message, sizeof decoder->message, "%s: ", in->text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(decoder->message + length, sizeof decoder->message - (size_t)length,
            format, arguments);
  va_end(arguments);
  return false;
}

static bool fits(const struct ptx_operand *operand, enum ptx_type type) {
  enum ptx_type have = operand->index >= 20   ? PTX_PRED
                       : operand->index >= 10 ? PTX_B64
                                              : PTX_B32;
  bool is_wide = type == PTX_B64;
  return have == (type == PTX_PRED ? PTX_PRED : is_wide ? PTX_B64 : PTX_B32);
}

bool decoder_source(struct decoder *decoder, const struct ptx_instruction *in,
                    const struct ptx_operand *operand, enum ptx_type type,
                    uint32_t *offset) {
  if (operand->kind == PTX_INTEGER) {
    *offset = IMMEDIATE + (uint32_t)operand->bits;
    return true;
  }
  if (operand->kind != PTX_REGISTER || !fits(operand, type))
    return decoder_refuse(decoder, in, "bad source");
  *offset = (operand->negated ? NEGATED : REGISTER) + operand->index;
  decoder->hidden_late |= operand->negated && decoder->wrote;
  return true;
}

bool decoder_destination(struct decoder *decoder,
                         const struct ptx_instruction *in,
                         const struct ptx_operand *operand, enum ptx_type type,
                         uint32_t *offset) {
  decoder->wrote = true;
  *offset = SINK;
  if (operand->kind == PTX_SINK)
    return true;
  if (operand->kind != PTX_REGISTER || !fits(operand, type))
    return decoder_refuse(decoder, in, "bad destination");
  *offset = REGISTER + operand->index;
  return true;
}

bool instruction_has(const struct ptx_instruction *in, const char *modifier) {
  for (uint32_t i = 0; i < in->modifier_count; i++)
    if (strcmp(in->modifier[i], modifier) == 0)
      return true;
  return false;
}

/* "shfl.sync.down.b32 0|20 1 2 #31 #255": numbers are registers, #n integers,
 * !n a negated predicate, _ the sink. */
struct text {
  char copy[160], parts[160];
  struct ptx_instruction in;
  struct ptx_operand pair[PTX_OPERANDS];
};

static struct ptx_operand read_operand(const char *word) {
  struct ptx_operand operand = {.kind = PTX_REGISTER};
  if (*word == '_')
    return (struct ptx_operand){.kind = PTX_SINK};
  if (*word == '#')
    return (struct ptx_operand){.kind = PTX_INTEGER,
                                .bits = strtoull(word + 1, NULL, 10)};
  operand.negated = *word == '!';
  operand.index = (uint32_t)strtoul(word + operand.negated, NULL, 10);
  return operand;
}

static void read_text(struct text *text, const char *source) {
  memset(text, 0, sizeof *text);
  snprintf(text->copy, sizeof text->copy, "%s", source);
  struct ptx_instruction *in = &text->in;
  char *rest = NULL;
  in->text = strtok_r(text->copy, " ", &rest);
  for (char *word; (word = strtok_r(NULL, " ", &rest));) {
    char *bar = strchr(word, '|');
    in->operand[in->operand_count] = read_operand(word);
    if (bar) {
      text->pair[in->operand_count] = read_operand(bar + 1);
      in->operand[in->operand_count].pair = &text->pair[in->operand_count];
    }
    in->operand_count++;
  }
  snprintf(text->parts, sizeof text->parts, "%s", in->text);
  in->opcode = strtok_r(text->parts, ".", &rest);
  for (char *word; (word = strtok_r(NULL, ".", &rest));)
    in->modifier[in->modifier_count++] = word;
}

static enum decode decode(const char *source, struct op *op,
                          struct decoder *decoder) {
  struct text text;
  read_text(&text, source);
  memset(decoder, 0, sizeof *decoder);
  memset(op, 0, sizeof *op);
  return collective_decode(decoder, &text.in, op);
}

struct good {
  const char *text;
  int kind, variant, flags, type;
  uint32_t d, e, a, b, c, f;
  bool constant; /* the mask */
};

static const struct good goods[] = {
    {"shfl.sync.up.b32 0|20 1 2 3 4", OP_COLLECTIVE, COLLECTIVE_SHUFFLE,
     SHUFFLE_UP, PTX_B32, 100, 120, 101, 102, 103, 104, false},
    {"shfl.sync.down.b32 0 1 #16 #31 #7", OP_COLLECTIVE, COLLECTIVE_SHUFFLE,
     SHUFFLE_DOWN, PTX_B32, 100, SINK, 101, 316, 331, 307, true},
    {"shfl.sync.bfly.b32 _|21 1 2 3 4", OP_COLLECTIVE, COLLECTIVE_SHUFFLE,
     SHUFFLE_BFLY, PTX_B32, SINK, 121, 101, 102, 103, 104, false},
    {"shfl.sync.idx.b32 0|_ 1 2 3 4", OP_COLLECTIVE, COLLECTIVE_SHUFFLE,
     SHUFFLE_IDX, PTX_B32, 100, SINK, 101, 102, 103, 104, false},
    {"vote.sync.all.pred 20 21 4", OP_COLLECTIVE, COLLECTIVE_VOTE, VOTE_ALL,
     PTX_PRED, 120, SINK, 121, 0, 0, 104, false},
    {"vote.sync.any.pred 20 !21 #7", OP_COLLECTIVE, COLLECTIVE_VOTE, VOTE_ANY,
     PTX_PRED, 120, SINK, 221, 0, 0, 307, true},
    {"vote.sync.uni.pred 20 21 4", OP_COLLECTIVE, COLLECTIVE_VOTE, VOTE_UNI,
     PTX_PRED, 120, SINK, 121, 0, 0, 104, false},
    {"vote.sync.ballot.b32 0 !21 4", OP_COLLECTIVE, COLLECTIVE_BALLOT, 0,
     PTX_PRED, 100, SINK, 221, 0, 0, 104, false},
    {"match.any.sync.b32 0 1 4", OP_COLLECTIVE, COLLECTIVE_MATCH_ANY, 0,
     PTX_B32, 100, SINK, 101, 0, 0, 104, false},
    {"match.any.sync.b64 0 11 4", OP_COLLECTIVE, COLLECTIVE_MATCH_ANY, 0,
     PTX_B64, 100, SINK, 111, 0, 0, 104, false},
    {"match.all.sync.b32 0|20 1 4", OP_COLLECTIVE, COLLECTIVE_MATCH_ALL, 0,
     PTX_B32, 100, 120, 101, 0, 0, 104, false},
    {"match.all.sync.b64 _|20 11 4", OP_COLLECTIVE, COLLECTIVE_MATCH_ALL, 0,
     PTX_B64, SINK, 120, 111, 0, 0, 104, false},
    {"redux.sync.add.u32 0 1 4", OP_COLLECTIVE, COLLECTIVE_REDUX, REDUX_ADD,
     PTX_U32, 100, SINK, 101, 0, 0, 104, false},
    {"redux.sync.add.s32 0 1 4", OP_COLLECTIVE, COLLECTIVE_REDUX, REDUX_ADD,
     PTX_S32, 100, SINK, 101, 0, 0, 104, false},
    {"redux.sync.min.u32 0 1 4", OP_COLLECTIVE, COLLECTIVE_REDUX, REDUX_MIN,
     PTX_U32, 100, SINK, 101, 0, 0, 104, false},
    {"redux.sync.min.s32 0 1 4", OP_COLLECTIVE, COLLECTIVE_REDUX, REDUX_MIN,
     PTX_S32, 100, SINK, 101, 0, 0, 104, false},
    {"redux.sync.max.u32 0 1 4", OP_COLLECTIVE, COLLECTIVE_REDUX, REDUX_MAX,
     PTX_U32, 100, SINK, 101, 0, 0, 104, false},
    {"redux.sync.max.s32 0 1 4", OP_COLLECTIVE, COLLECTIVE_REDUX, REDUX_MAX,
     PTX_S32, 100, SINK, 101, 0, 0, 104, false},
    {"redux.sync.and.b32 0 1 4", OP_COLLECTIVE, COLLECTIVE_REDUX, REDUX_AND,
     PTX_B32, 100, SINK, 101, 0, 0, 104, false},
    {"redux.sync.or.b32 0 1 4", OP_COLLECTIVE, COLLECTIVE_REDUX, REDUX_OR,
     PTX_B32, 100, SINK, 101, 0, 0, 104, false},
    {"redux.sync.xor.b32 0 1 4", OP_COLLECTIVE, COLLECTIVE_REDUX, REDUX_XOR,
     PTX_B32, 100, SINK, 101, 0, 0, 104, false},
    {"bar.warp.sync #7", OP_COLLECTIVE, COLLECTIVE_WARP_SYNC, 0, PTX_NO_TYPE, 0,
     0, 0, 0, 0, 307, true},
    {"activemask.b32 0", OP_WARP, 0, 0, PTX_NO_TYPE, 100, 0, 0, 0, 0, 0, false},
    {"bar.sync #0", OP_BARRIER, BARRIER_SYNC, BARRIER_ALIGNED, PTX_NO_TYPE, 0,
     0, 300, 0, 0, 0, false},
    {"bar.cta.sync 1 2", OP_BARRIER, BARRIER_SYNC,
     BARRIER_ALIGNED | BARRIER_COUNTED, PTX_NO_TYPE, 0, 0, 101, 102, 0, 0,
     false},
    {"barrier.sync 1", OP_BARRIER, BARRIER_SYNC, 0, PTX_NO_TYPE, 0, 0, 101, 0,
     0, 0, false},
    {"barrier.sync.aligned 1 #64", OP_BARRIER, BARRIER_SYNC,
     BARRIER_ALIGNED | BARRIER_COUNTED, PTX_NO_TYPE, 0, 0, 101, 364, 0, 0,
     false},
    {"barrier.cta.arrive.aligned 1 2", OP_BARRIER, BARRIER_ARRIVE,
     BARRIER_ALIGNED | BARRIER_COUNTED, PTX_NO_TYPE, 0, 0, 101, 102, 0, 0,
     false},
    {"bar.arrive #1 #96", OP_BARRIER, BARRIER_ARRIVE,
     BARRIER_ALIGNED | BARRIER_COUNTED, PTX_NO_TYPE, 0, 0, 301, 396, 0, 0,
     false},
    {"bar.red.popc.u32 0 #0 !21", OP_BARRIER, BARRIER_RED_POPC, BARRIER_ALIGNED,
     PTX_U32, 100, 0, 300, 0, 221, 0, false},
    {"bar.red.popc.u32 0 1 2 21", OP_BARRIER, BARRIER_RED_POPC,
     BARRIER_ALIGNED | BARRIER_COUNTED, PTX_U32, 100, 0, 101, 102, 121, 0,
     false},
    {"bar.red.and.pred 20 1 21", OP_BARRIER, BARRIER_RED_AND, BARRIER_ALIGNED,
     PTX_PRED, 120, 0, 101, 0, 121, 0, false},
    {"barrier.cta.red.or.aligned.pred 20 1 2 21", OP_BARRIER, BARRIER_RED_OR,
     BARRIER_ALIGNED | BARRIER_COUNTED, PTX_PRED, 120, 0, 101, 102, 121, 0,
     false},
    {"barrier.red.or.pred 20 1 21", OP_BARRIER, BARRIER_RED_OR, 0, PTX_PRED,
     120, 0, 101, 0, 121, 0, false},
};

static void test_goods(void) {
  for (size_t i = 0; i < sizeof goods / sizeof *goods; i++) {
    const struct good *good = &goods[i];
    struct decoder decoder;
    struct op op;
    enum decode outcome = decode(good->text, &op, &decoder);
    bool operands = op.d == good->d && op.e == good->e && op.a == good->a &&
                    op.b == good->b && op.c == good->c && op.f == good->f;
    bool what = (int)op.kind == good->kind && op.variant == good->variant &&
                op.flags == good->flags && op.type == good->type;
    if (!tap_ok(outcome == DECODE_DONE && operands && what &&
                    op.absolute == good->constant && !decoder.hidden_late,
                "%s", good->text))
      printf("# kind %d variant %d flags %d type %d; d %u e %u a %u b %u c %u "
             "f %u; %s\n",
             (int)op.kind, op.variant, op.flags, op.type, op.d, op.e, op.a,
             op.b, op.c, op.f, decoder.message);
  }
}

static const struct {
  const char *text, *message; /* that the message holds */
} bads[] = {
    {"shfl.down.b32 0 1 #16 #31", "write shfl.sync with a member mask"},
    {"shfl.down.b32 0|20 1 #16 #31", "gone since sm_70"},
    {"vote.ballot.b32 0 21", "write vote.sync with a member mask"},
    {"vote.all.pred 20 21", "gone since sm_70"},
    {"elect.sync 0|20 #7", "elect.sync is not simulated"},
    {"redux.sync.min.f32 0 1 4", "floats"},
    {"redux.sync.max.abs.NaN.f32 0 1 4", "floats"},
    {"redux.sync.add.b32 0 1 4", "no such form"},
    {"redux.sync.and.u32 0 1 4", "no such form"},
    {"redux.add.u32 0 1 4", "no such form"},
    {"shfl.sync.down.b64 0 1 #16 #31 #7", "no such form"},
    {"shfl.sync.left.b32 0 1 #16 #31 #7", "no such form"},
    {"shfl.sync.down 0 1 #16 #31 #7", "no such form"},
    {"shfl.sync.down.b32.ftz 0 1 #16 #31 #7", "no such form"},
    {"shfl.sync.down.b32 0 1 #16 #31", "the member mask comes last"},
    {"shfl.sync.down.b32 0 1 #16 #31 #7 #7", "number of operands"},
    {"shfl.sync.down.b32 0 1|20 #16 #31 #7", "`|p`"},
    {"shfl.sync.down.b32 0 11 #16 #31 #7", "bad source"},
    {"shfl.sync.down.b32 #3 1 #16 #31 #7", "bad destination"},
    {"shfl.sync.down.b32 0|3 1 #16 #31 #7", "bad destination"},
    {"shfl.sync.down.b32 0 1 #16 #31 11", "bad source"},
    {"vote.sync.any.pred 20|21 22 4", "`|p`"},
    {"vote.sync.any.pred 20 22", "the member mask comes last"},
    {"vote.sync.ballot.b32 20 22 4", "bad destination"},
    {"vote.sync.ballot.pred 20 22 4", "no such form"},
    {"match.any.sync.b32 0|20 1 4", "`|p`"},
    {"match.all.sync.b64 0|20 1 4", "bad source"},
    {"match.all.b32 0|20 1 4", "no such form"},
    {"bar.warp.sync", "the member mask comes last"},
    {"bar.warp.sync #7 #7", "number of operands"},
    {"activemask.b64 0", "activemask.b32"},
    {"activemask.b32 0 1", "activemask.b32"},
    {"bar.sync", "number of operands"},
    {"bar.sync 1 2 3", "number of operands"},
    {"bar.sync.aligned 1", "no such form"},
    {"bar.arrive 1", "how many threads"},
    {"bar.arrive 1 2 3", "number of operands"},
    {"bar.warp.arrive 1", "no such form"},
    {"bar.red.popc.s32 0 1 21", "no such form"},
    {"bar.red.xor.pred 20 1 21", "no such form"},
    {"bar.red.popc.u32 0 1", "number of operands"},
    {"bar.red.and.pred 0 1 21", "bad destination"},
    {"bar.red.and.pred 20 1 2", "bad source"},
    {"barrier.cluster.arrive", "clusters"},
    {"barrier.cluster.wait.acquire", "clusters"},
    {"barrier.aligned.sync 1", "no such form"},
    {"barrier.sync.aligned.aligned 1", "no such form"},
    {"barrier.sync.cta 1", "no such form"},
    {"barrier 1", "no such form"},
};

static void test_bads(void) {
  for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
    struct decoder decoder;
    struct op op;
    enum decode outcome = decode(bads[i].text, &op, &decoder);
    if (!tap_ok(outcome == DECODE_REFUSED &&
                    strstr(decoder.message, bads[i].message),
                "refused: %s", bads[i].text))
      printf("# outcome %d: %s\n", (int)outcome, decoder.message);
  }
}

static void test_others(void) {
  static const char *const others[] = {"add.f32 0 1 2", "bra 0", "barriers 1",
                                       "ld.global.f32 0 1", "membar.gl"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    struct decoder decoder;
    struct op op;
    tap_ok(decode(others[i], &op, &decoder) == DECODE_OTHER,
           "not of this chapter: %s", others[i]);
  }
}

int main(void) {
  test_goods();
  test_bads();
  test_others();
  return tap_done();
}
