/* Prints a judgement for a person. */
#include "screen.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct grouped {
  char text[64];
};

static struct grouped group_digits(const char *plain) {
  struct grouped g = {""};
  const size_t sign = plain[0] == '-';
  const size_t digits = strspn(plain + sign, "0123456789");
  size_t used = 0;
  for (size_t i = 0; plain[i] != '\0' && used + 2 < sizeof g.text; ++i) {
    const size_t left = sign + digits - i;
    if (i > sign && i < sign + digits && left % 3 == 0)
      g.text[used++] = ',';
    g.text[used++] = plain[i];
  }
  g.text[used] = '\0';
  return g;
}

static struct grouped group(uint64_t value) {
  char plain[32];
  (void)snprintf(plain, sizeof plain, "%" PRIu64, value);
  return group_digits(plain);
}

static struct grouped group_double(double value) {
  char plain[48];
  const char *format = fabs(value) < 1e15 ? "%.9f" : "%.17g";
  (void)snprintf(plain, sizeof plain, format, value);
  return group_digits(plain);
}

static void print_heading(const struct judgement *j) {
  const struct options *o = j->options;
  (void)printf("chapter %d: %s\n", j->stage->chapter, j->stage->title);
  (void)printf("  device      %s, compute capability %d.%d\n", j->device,
               j->arch / 10, j->arch % 10);
  (void)printf("  shape       %s element%s, %s block%s of %u threads\n",
               group(o->n).text, o->n == 1 ? "" : "s", group(j->blocks).text,
               j->blocks == 1 ? "" : "s", o->block);
  (void)printf("  PTX         %s\n",
               o->built ? "built by nvcc here" : "recorded, not built here");
  if (!j->launched)
    (void)printf(
        "  launch      none: 0 elements make a grid of 0 blocks, which "
        "CUDA refuses\n");
  else
    (void)printf("  time        %.6f s, launch to end, host clock\n",
                 j->run.seconds);
}

static void print_difference(const struct proof *p) {
  (void)printf("              block %zu: %.9g = %a (0x%08" PRIx32 ")\n",
               p->first, (double)p->got, (double)p->got, proof_bits(p->got));
  (void)printf("              the model: %.9g = %a (0x%08" PRIx32 ")\n",
               (double)p->want, (double)p->want, proof_bits(p->want));
  if (p->silent > 0)
    (void)printf("              silent: %s (the poison is still there)\n",
                 group(p->silent).text);
  if (p->near > 0)
    (void)printf("              near: %s (the right elements, added in "
                 "another order)\n",
                 group(p->near).text);
  const size_t far = p->different - p->silent - p->near;
  if (far > 0)
    (void)printf(
        "              far off: %s (not the right elements, once each)\n",
        group(far).text);
}

static void print_partials(const struct judgement *j) {
  const struct proof *p = &j->proof;
  (void)printf("  partials    %s of %s equal the C model's, bit for bit\n",
               group(p->blocks - p->different).text, group(p->blocks).text);
  if (p->different > 0)
    print_difference(p);
}

static void print_sum(const struct judgement *j) {
  const struct proof *p = &j->proof;
  (void)printf("  sum         %24s\n", group_double(p->sum).text);
  (void)printf("  reference   %24s  (exact, rounded once)\n",
               group_double(p->reference).text);
  (void)printf("  difference  %24s  (bound %s: %s)\n",
               group_double(p->sum - p->reference).text,
               group_double(p->bound).text, p->within ? "holds" : "BROKEN");
}

static void print_memory(const struct judgement *j) {
  if (j->memory != ANSWER_FAILS)
    return;
  if (j->run.guard_hits > 0)
    (void)printf("  memory      FAILS: words overwritten after partial[]: "
                 "%zu\n",
                 j->run.guard_hits);
  if (!j->run.input_intact)
    (void)printf("  memory      FAILS: the kernel changed X\n");
}

static void print_counter(const struct judgement *j, enum counter c) {
  const uint64_t value = j->counts.value[c];
  const uint64_t stated = counter_stated(&j->expectation, c);
  const enum answer answer = judge_counter(j, c);
  (void)printf("  %-24s %15s %15s%s\n", counter_name(c),
               value == COUNTER_UNKNOWN ? "not counted" : group(value).text,
               stated == COUNTER_UNKNOWN ? "-" : group(stated).text,
               answer != ANSWER_FAILS    ? ""
               : j->options->show_counts ? "  differs"
                                         : "  DIFFERS");
}

static void print_counters(const struct judgement *j) {
  if (j->counts.source == COUNTS_NONE) {
    (void)printf("  counters    not checked: nothing counted this run\n");
    return;
  }
  (void)printf("\n  %-24s %15s %15s\n", "counter",
               j->counts.source == COUNTS_NCU ? "Nsight Compute" : "simulator",
               "closed form");
  for (int c = 0; c < COUNTER_COUNT; ++c)
    print_counter(j, (enum counter)c);
  (void)printf("\n");
}

static void print_gate(const struct judgement *j) {
  if (j->gate == ANSWER_UNCHECKED) {
    (void)printf("  gate        not checked: %s\n",
                 j->ended ? "sectors were not counted"
                          : "the kernel did not get to its end");
    return;
  }
  const bool passed = j->sectors <= JUDGE_GATE;
  const char *comment = j->gate == ANSWER_HOLDS
                            ? (passed ? "" : ", as this chapter asserts")
                            : (passed ? ", but must fail" : ", but must pass");
  (void)printf("  gate        %s sectors, limit %s: %s%s\n",
               group(j->sectors).text, group(JUDGE_GATE).text,
               passed ? "passes" : "fails", comment);
}

static void print_diagnosis(struct json diagnosis) {
  char id[64], source[256], line[32], count[32], message[512], read[128];
  json_text(json_member(diagnosis, "id"), id, sizeof id);
  json_text(json_member(diagnosis, "source"), source, sizeof source);
  json_text(json_member(diagnosis, "ptx_line"), line, sizeof line);
  json_text(json_member(diagnosis, "count"), count, sizeof count);
  json_text(json_member(diagnosis, "message"), message, sizeof message);
  json_text(json_member(diagnosis, "read"), read, sizeof read);
  (void)printf("  MISTAKE     %s, first at PTX line %s (%s), count %s\n", id,
               line, source, group_digits(count).text);
  (void)printf("              %s\n", message);
  (void)printf("              read: %s\n", read);
}

static void print_diagnoses(const struct judgement *j) {
  for (size_t i = 0; i < j->mistakes; ++i)
    print_diagnosis(json_item(j->counts.diagnoses, i));
  if (j->rules == ANSWER_HOLDS)
    (void)printf("  mistakes    none found\n");
  else if (j->mistakes == 0)
    (void)printf("  mistakes    not checked: no mistake finder watched\n");
}

static void print_verdicts(const struct judgement *j) {
  const char *gpu = j->simulator || !j->launched ? "no: no GPU ran it"
                    : j->measured ? "yes: a GPU ran it, its counters were read"
                                  : "no: a GPU ran it, but nothing was counted";
  (void)printf("  modelled    %s\n",
               j->modelled ? "yes: the simulator ran it" : "no");
  (void)printf("  compiled    %s\n", j->compiled
                                         ? "yes: ptxas made machine code of it"
                                         : "no: there is no ptxas here");
  (void)printf("  measured    %s\n", gpu);
}

void screen_print(const struct judgement *j) {
  print_heading(j);
  (void)printf("\n");
  if (j->ended) {
    print_sum(j);
    print_partials(j);
    print_memory(j);
  } else {
    (void)printf("  the kernel did not get to its end:\n  %s", j->failure);
  }
  print_counters(j);
  print_gate(j);
  print_diagnoses(j);
  print_verdicts(j);
  (void)printf("\n%s chapter %d\n", j->pass ? "PASS" : "FAIL",
               j->stage->chapter);
}
