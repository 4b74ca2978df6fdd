/* Which registers may be read before they are written? Only those must be
 * zeroed when a warp starts, so that a run never depends on what ran before it.
 * The classic backward pass: live before = (live after - written) + read. */
#include <stdlib.h>
#include <string.h>

#include "decoder.h"

struct sets { /* one bit set for each op that is a branch target, and more */
  uint32_t words;      /* of a set */
  uint32_t *of_target; /* op -> number of its set, 0 for none */
  uint64_t *bits;      /* the sets; set 0 is the running one */
  uint32_t count;
  const uint32_t *first; /* op -> its first access */
  const struct access *sorted;
};

static uint64_t *set_at(const struct sets *sets, uint32_t number) {
  return sets->bits + (size_t)number * sets->words;
}

static void count_targets(const struct decoder *decoder, struct sets *sets) {
  const struct program *program = decoder->program;
  sets->count = 1;
  for (uint32_t i = 0; i < program->op_count; i++)
    if (program->ops[i].kind == OP_BRANCH) {
      uint32_t *number = &sets->of_target[program->ops[i].target];
      if (!*number)
        *number = sets->count++;
    }
}

static void step_flow(const struct sets *sets, const struct op *op) {
  uint64_t *live = set_at(sets, 0);
  bool ends = op->kind == OP_EXIT || op->kind == OP_RETURN ||
              op->kind == OP_TRAP || op->kind == OP_BRANCH;
  if (ends && op->guard == 0)
    memset(live, 0, sets->words * sizeof *live);
  if (op->kind != OP_BRANCH)
    return;
  const uint64_t *target = set_at(sets, sets->of_target[op->target]);
  for (uint32_t i = 0; i < sets->words; i++)
    live[i] |= target[i];
}

static void step_accesses(const struct sets *sets, const struct op *op,
                          uint32_t index) {
  uint64_t *live = set_at(sets, 0);
  uint32_t end = sets->first[index + 1];
  for (uint32_t i = sets->first[index]; i < end; i++) {
    uint32_t bit = sets->sorted[i].offset / 4;
    if (sets->sorted[i].write && op->guard == 0)
      live[bit / 64] &= ~(1ULL << bit % 64);
  }
  for (uint32_t i = sets->first[index]; i < end; i++) {
    uint32_t bit = sets->sorted[i].offset / 4;
    if (!sets->sorted[i].write)
      live[bit / 64] |= 1ULL << bit % 64;
  }
}

/* One pass over a function, last op first. True when a set grew. */
static bool pass(const struct decoder *decoder, const struct sets *sets,
                 const struct frame *frame) {
  bool grew = false;
  uint64_t *live = set_at(sets, 0);
  memset(live, 0, sets->words * sizeof *live);
  for (uint32_t i = frame->op_end; i-- > frame->first_op;) {
    const struct op *op = &decoder->program->ops[i];
    step_flow(sets, op);
    step_accesses(sets, op, i);
    if (!sets->of_target[i])
      continue;
    uint64_t *kept = set_at(sets, sets->of_target[i]);
    for (uint32_t w = 0; w < sets->words; w++) {
      grew |= (live[w] & ~kept[w]) != 0;
      kept[w] |= live[w];
    }
  }
  return grew;
}

static bool keep_live(struct decoder *decoder, const struct sets *sets) {
  struct program *program = decoder->program;
  const uint64_t *live = set_at(sets, 0);
  for (uint32_t i = 0; i < decoder->access_count; i++) {
    const struct access *access = &decoder->accesses[i];
    uint32_t bit = access->offset / 4;
    if (!(live[bit / 64] >> bit % 64 & 1) || access->write)
      continue;
    bool known = false;
    for (uint32_t k = 0; k < program->zeroed_count && !known; k++)
      known = program->zeroed[k].offset == access->offset;
    if (known)
      continue;
    struct span *more = realloc(program->zeroed, (program->zeroed_count + 1) *
                                                     sizeof *program->zeroed);
    if (!more)
      return false;
    program->zeroed = more;
    program->zeroed[program->zeroed_count++] =
        (struct span){.offset = access->offset, .bytes = access->bytes};
  }
  return true;
}

static void index_accesses(const struct decoder *decoder, uint32_t *first) {
  uint32_t next = 0;
  for (uint32_t op = 0; op <= decoder->program->op_count; op++) {
    while (next < decoder->access_count && decoder->accesses[next].op < op)
      next++;
    first[op] = next;
  }
}

static bool solve(struct decoder *decoder, const struct sets *sets) {
  for (uint32_t f = 0; f < decoder->order_count; f++) {
    const struct frame *frame = &decoder->frames[decoder->order[f]];
    while (pass(decoder, sets, frame))
      ;
    if (!keep_live(decoder, sets))
      return false;
  }
  return true;
}

bool liveness_find(struct decoder *decoder) {
  const struct program *program = decoder->program;
  uint32_t *first = calloc(program->op_count + 2, sizeof *first);
  struct sets sets = {.words = program->file_bytes / 256 + 1,
                      .of_target =
                          calloc(program->op_count + 1, sizeof(uint32_t)),
                      .sorted = decoder->accesses};
  bool good = first && sets.of_target;
  if (good) {
    count_targets(decoder, &sets);
    index_accesses(decoder, first);
    sets.first = first;
    sets.bits = calloc((size_t)sets.count * sets.words, sizeof(uint64_t));
    good = sets.bits && solve(decoder, &sets);
  }
  free(sets.bits);
  free(sets.of_target);
  free(first);
  return good;
}
