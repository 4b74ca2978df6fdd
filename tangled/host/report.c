/* Writes a judgement as one JSON object. */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void write_count(FILE *out, uint64_t count) {
  if (count == COUNTER_UNKNOWN)
    (void)fputs("null", out);
  else
    (void)fprintf(out, "%" PRIu64, count);
}

static const char *word(bool truth) { return truth ? "true" : "false"; }

static void write_shape(FILE *out, const struct judgement *j) {
  (void)fprintf(out, "{\n  \"chapter\": %d,\n  \"title\": ", j->stage->chapter);
  json_write_string(out, j->stage->title);
  (void)fputs(",\n  \"kernel\": ", out);
  json_write_string(out, j->kernel);
  (void)fputs(",\n  \"device\": ", out);
  json_write_string(out, j->device);
  (void)fprintf(out, ",\n  \"n\": %zu,\n  \"block\": %u,\n  \"grid\": %zu",
                j->options->n, j->options->block, j->blocks);
  (void)fprintf(out, ",\n  \"ptx_origin\": \"%s\",\n  \"launched\": %s",
                j->options->built ? "built" : "recorded", word(j->launched));
  (void)fputs(",\n  \"seconds\": ", out);
  json_write_double(out, j->launched ? j->run.seconds : (double)NAN);
}

static void write_proof(FILE *out, const struct judgement *j) {
  const struct proof *p = &j->proof;
  const struct {
    const char *name;
    double value;
  } numbers[] = {
      {"sum", p->sum}, {"reference", p->reference}, {"error_bound", p->bound}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    (void)fprintf(out, ",\n  \"%s\": ", numbers[i].name);
    if (j->ended)
      json_write_double(out, numbers[i].value);
    else
      (void)fputs("null", out);
  }
  (void)fprintf(out, ",\n  \"sum_within_bound\": %s",
                word(j->sum == ANSWER_HOLDS));
  (void)fprintf(out, ",\n  \"partials_bitwise\": %s,\n  \"blocks_different\": ",
                word(j->partials == ANSWER_HOLDS));
  write_count(out, j->ended ? p->different : COUNTER_UNKNOWN);
  (void)fprintf(
      out, ",\n  \"memory_intact\": %s",
      j->memory == ANSWER_UNCHECKED ? "null" : word(j->memory == ANSWER_HOLDS));
}

static void write_counters(FILE *out, const struct judgement *j) {
  static const char *const sources[] = {"null", "\"simulator\"", "\"ncu\""};
  (void)fprintf(out, ",\n  \"counted_by\": %s", sources[j->counts.source]);
  (void)fputs(",\n  \"counters\": {", out);
  for (int c = 0; c < COUNTER_COUNT; ++c) {
    (void)fprintf(out, "%s\n    \"%s\": ", c == 0 ? "" : ",",
                  counter_name((enum counter)c));
    write_count(out, j->counts.value[c]);
  }
  (void)fputs("\n  },\n  \"expected\": {", out);
  for (int c = 0; c < COUNTER_COUNT; ++c) {
    (void)fprintf(out, "%s\n    \"%s\": ", c == 0 ? "" : ",",
                  counter_name((enum counter)c));
    write_count(out, counter_stated(&j->expectation, (enum counter)c));
  }
  (void)fprintf(out, "\n  },\n  \"approximate\": %s",
                word(j->counts.approximate));
}

static void write_gate(FILE *out, const struct judgement *j) {
  (void)fprintf(out,
                ",\n  \"gate\": {\"limit\": %u, \"sectors\": ", JUDGE_GATE);
  write_count(out, j->sectors);
  (void)fprintf(out, ", \"pass\": %s, \"asserted\": %s}",
                j->sectors == COUNTER_UNKNOWN ? "null"
                                              : word(j->sectors <= JUDGE_GATE),
                word(j->gate_stated));
}

static void write_checked(FILE *out, const struct judgement *j) {
  (void)fprintf(out,
                ",\n  \"checked\": {\"modelled\": %s, \"compiled\": %s, "
                "\"measured\": %s}",
                word(j->modelled), word(j->compiled), word(j->measured));
}

static void write_span(FILE *out, const char *name, struct json span,
                       const char *otherwise) {
  (void)fprintf(out, ",\n  \"%s\": ", name);
  if (span.start)
    (void)fwrite(span.start, 1, (size_t)(span.end - span.start), out);
  else
    (void)fputs(otherwise, out);
}

static void write_diagnoses(FILE *out, const struct judgement *j) {
  (void)fprintf(out, ",\n  \"finder\": %s", word(j->rules != ANSWER_UNCHECKED));
  write_span(out, "diagnoses", j->counts.diagnoses, "[]");
  write_span(out, "fault", j->counts.fault, "null");
  (void)fputs(",\n  \"failure\": ", out);
  if (j->ended)
    (void)fputs("null", out);
  else
    json_write_string(out, j->failure);
}

bool report_write(const struct judgement *j, const char *path) {
  FILE *out = fopen(path, "w");
  if (!out)
    return false;
  write_shape(out, j);
  write_proof(out, j);
  write_counters(out, j);
  write_gate(out, j);
  write_checked(out, j);
  write_diagnoses(out, j);
  (void)fprintf(out, ",\n  \"pass\": %s\n}\n", word(j->pass));
  const bool good = !ferror(out);
  return fclose(out) == 0 && good;
}
