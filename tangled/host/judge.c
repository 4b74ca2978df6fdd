/* Puts the answers of a run together into a verdict. */
#include "judge.h"

static enum answer answer(bool holds) {
  return holds ? ANSWER_HOLDS : ANSWER_FAILS;
}

enum answer judge_counter(const struct judgement *j, enum counter c) {
  const uint64_t stated = counter_stated(&j->expectation, c);
  const uint64_t counted = j->counts.value[c];
  if (stated == COUNTER_UNKNOWN || counted == COUNTER_UNKNOWN)
    return ANSWER_UNCHECKED;
  return answer(stated == counted);
}

static enum answer judge_counters(const struct judgement *j) {
  enum answer all = ANSWER_UNCHECKED;
  if (j->options->show_counts)
    return all;
  for (int c = 0; c < COUNTER_COUNT; ++c) {
    const enum answer one = judge_counter(j, (enum counter)c);
    if (one == ANSWER_FAILS)
      return one;
    if (one == ANSWER_HOLDS)
      all = one;
  }
  return all;
}

static void judge_gate(struct judgement *j) {
  const struct expectation *e = &j->expectation;
  const uint64_t loads = j->counts.value[COUNTER_GLOBAL_LOAD_SECTORS];
  const uint64_t stores = j->counts.value[COUNTER_GLOBAL_STORE_SECTORS];
  const bool stated = e->global_load_sectors != COUNTER_UNKNOWN &&
                      e->global_store_sectors != COUNTER_UNKNOWN;
  j->gate_stated =
      j->options->show_counts || !stated ||
      e->global_load_sectors + e->global_store_sectors <= JUDGE_GATE;
  j->sectors = COUNTER_UNKNOWN;
  j->gate = ANSWER_UNCHECKED;
  if (!j->ended || loads == COUNTER_UNKNOWN || stores == COUNTER_UNKNOWN)
    return;
  j->sectors = loads + stores;
  j->gate = answer((j->sectors <= JUDGE_GATE) == j->gate_stated);
}

static void judge_rules(struct judgement *j) {
  while (json_item(j->counts.diagnoses, j->mistakes).start)
    ++j->mistakes;
  j->rules = j->mistakes > 0                          ? ANSWER_FAILS
             : j->finder && j->counts.diagnoses.start ? ANSWER_HOLDS
                                                      : ANSWER_UNCHECKED;
}

void judge_decide(struct judgement *j) {
  const bool intact = j->run.guard_hits == 0 && j->run.input_intact;
  j->partials = answer(j->ended && j->proof.different == 0);
  j->sum = answer(j->ended && j->proof.within);
  j->memory = j->launched && j->ended ? answer(intact) : ANSWER_UNCHECKED;
  j->counted = judge_counters(j);
  judge_gate(j);
  judge_rules(j);
  j->modelled = j->launched && j->simulator;
  j->compiled = j->options->compiled;
  j->measured = j->launched && !j->simulator && j->counts.source == COUNTS_NCU;
  j->pass = j->ended && j->partials == ANSWER_HOLDS && j->sum == ANSWER_HOLDS &&
            j->memory != ANSWER_FAILS && j->counted != ANSWER_FAILS &&
            j->gate != ANSWER_FAILS && j->rules != ANSWER_FAILS;
}
