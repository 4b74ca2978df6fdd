/* What a launch counted, from the simulator or from Nsight Compute. */
#include "counters.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"

static const char *const names[COUNTER_COUNT] = {
    "global_load_sectors",
    "global_store_sectors",
    "global_load_requests",
    "global_store_requests",
    "shared_load_wavefronts",
    "shared_store_wavefronts",
    "shared_bank_conflicts",
    "shuffles",
    "votes",
    "reduxes",
    "barriers",
    "instructions",
    "lane_instructions",
};

const char *counter_name(enum counter c) { return names[c]; }

uint64_t counter_stated(const struct expectation *e, enum counter c) {
  const uint64_t stated[COUNTER_COUNT] = {
      e->global_load_sectors,
      e->global_store_sectors,
      e->global_load_requests,
      e->global_store_requests,
      e->shared_load_wavefronts,
      e->shared_store_wavefronts,
      COUNTER_UNKNOWN,
      e->shuffles,
      COUNTER_UNKNOWN,
      COUNTER_UNKNOWN,
      e->barriers,
      COUNTER_UNKNOWN,
      COUNTER_UNKNOWN,
  };
  return stated[c];
}

void counts_clear(struct counts *counts) {
  *counts = (struct counts){.source = COUNTS_NONE};
  for (int c = 0; c < COUNTER_COUNT; ++c)
    counts->value[c] = COUNTER_UNKNOWN;
}

void counts_free(struct counts *counts) {
  free(counts->text);
  counts_clear(counts);
}

static void take_launch(struct counts *counts, struct json launch) {
  const struct json counted = json_member(launch, "counters");
  const struct json approximate = json_member(launch, "approximate");
  for (int c = 0; c < COUNTER_COUNT; ++c)
    (void)json_u64(json_member(counted, names[c]), &counts->value[c]);
  counts->approximate = approximate.start && *approximate.start == 't';
  counts->diagnoses = json_member(launch, "diagnoses");
  counts->fault = json_member(launch, "fault");
  counts->source = COUNTS_SIMULATOR;
}

bool counts_read_launch(struct counts *counts, const char *path, long from,
                        const char *kernel) {
  struct json last = {0};
  counts_clear(counts);
  counts->text = file_read(path, from);
  for (const char *line = counts->text; line && *line != '\0';) {
    const struct json launch = json_value(line);
    char name[256];
    json_text(json_member(launch, "kernel"), name, sizeof name);
    if (strcmp(name, kernel) == 0)
      last = launch;
    line = strchr(launch.end, '\n');
    line = line ? line + 1 : NULL;
  }
  if (last.start)
    take_launch(counts, last);
  return last.start != NULL;
}

static const char *const metrics[COUNTER_COUNT] = {
    [COUNTER_GLOBAL_LOAD_SECTORS] =
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    [COUNTER_GLOBAL_STORE_SECTORS] =
        "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    [COUNTER_GLOBAL_LOAD_REQUESTS] =
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    [COUNTER_GLOBAL_STORE_REQUESTS] =
        "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    [COUNTER_SHARED_LOAD_WAVEFRONTS] =
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    [COUNTER_SHARED_STORE_WAVEFRONTS] =
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
};

enum { MOST_CELLS = 64 };

/* Cuts "a","b",... in place into cells; returns how many there are. */
static size_t split(char *line, char *cell[MOST_CELLS]) {
  size_t count = 0;
  for (char *p = line; *p == '"' && count < MOST_CELLS;) {
    char *end = strchr(p + 1, '"');
    if (!end)
      return 0;
    cell[count++] = p + 1;
    *end = '\0';
    p = end[1] == ',' ? end + 2 : end + 1;
  }
  return count;
}

static uint64_t read_grouped(const char *text) {
  uint64_t value = 0;
  if (*text < '0' || *text > '9' || strchr(text, '.'))
    return COUNTER_UNKNOWN;
  for (; *text != '\0'; ++text)
    if (*text >= '0' && *text <= '9')
      value = 10 * value + (uint64_t)(*text - '0');
  return value;
}

struct table {
  size_t kernel, metric, value; /* columns */
  bool found;
};

static void take_heading(struct table *table, char **cell, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(cell[i], "Kernel Name") == 0)
      table->kernel = i;
    else if (strcmp(cell[i], "Metric Name") == 0)
      table->metric = i;
    else if (strcmp(cell[i], "Metric Value") == 0)
      table->value = i;
  }
}

static void take_metric(struct counts *counts, struct table *table, char **cell,
                        size_t count, const char *kernel) {
  const size_t length = strlen(kernel);
  if (table->value == 0 || count <= table->value || count <= table->kernel ||
      count <= table->metric)
    return;
  const char *name = cell[table->kernel];
  if (strncmp(name, kernel, length) != 0 ||
      (name[length] != '\0' && name[length] != '('))
    return;
  for (int c = 0; c < COUNTER_COUNT; ++c)
    if (metrics[c] && strcmp(cell[table->metric], metrics[c]) == 0) {
      counts->value[c] = read_grouped(cell[table->value]);
      table->found = true;
    }
}

bool counts_read_ncu(struct counts *counts, const char *path,
                     const char *kernel) {
  struct table table = {0};
  char *rest = NULL;
  char *text = file_read(path, 0);
  counts_clear(counts);
  for (char *line = text ? strtok_r(text, "\r\n", &rest) : NULL; line;
       line = strtok_r(NULL, "\r\n", &rest)) {
    char *cell[MOST_CELLS];
    const size_t count = split(line, cell);
    if (table.value == 0)
      take_heading(&table, cell, count);
    else
      take_metric(counts, &table, cell, count, kernel);
  }
  free(text);
  counts->source = table.found ? COUNTS_NCU : COUNTS_NONE;
  return table.found;
}
