/* Puts the answers of a run together into a verdict. */
#ifndef SHUFFLE_LADDER_JUDGE_H
#define SHUFFLE_LADDER_JUDGE_H

#include "counters.h"
#include "device.h"
#include "options.h"
#include "proof.h"
#include "stage.h"

#define JUDGE_GATE 1500000u /* sectors, loads and stores together */

enum answer { ANSWER_UNCHECKED, ANSWER_HOLDS, ANSWER_FAILS };

struct judgement {
  const struct stage *stage;
  const struct options *options;
  const char *kernel;
  char device[128];
  int arch;
  bool simulator; /* the device is ours */
  struct expectation expectation;
  struct device_run run; /* meaningful if the kernel ended */
  struct counts counts;
  struct proof proof; /* meaningful if the kernel ended, or n is 0 */
  char failure[4096]; /* how the kernel ended when it did not end well */
  size_t blocks;
  bool launched;    /* false where n is 0 */
  bool ended;       /* the kernel got to its end, or n is 0 */
  bool finder;      /* the simulator is asked to look for mistakes */
  size_t mistakes;  /* diagnoses of the mistake finder */
  uint64_t sectors; /* COUNTER_UNKNOWN: not counted */
  bool gate_stated; /* does the chapter state that it passes the gate? */
  enum answer partials, sum, memory, counted, gate, rules;
  bool modelled, compiled, measured;
  bool pass;
};

/* Fills in everything below `launched` from what lies above it. */
void judge_decide(struct judgement *j);

/* Does a counter hold what the chapter states? */
enum answer judge_counter(const struct judgement *j, enum counter c);

#endif
