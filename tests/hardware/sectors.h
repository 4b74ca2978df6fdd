/* Reads sectors-h200.csv and loads-h200.csv: what an H200 counted for patterns
 * of addresses. Tests run in the root of the repository. */
#ifndef SHUFFLE_LADDER_TESTS_SECTORS_H
#define SHUFFLE_LADDER_TESTS_SECTORS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERNS = 150, LOAD_PATTERNS = 390 };

/* A load of 16 bytes that the rule does not explain. */
enum { UNEXPLAINED = 1154 };

struct pattern {
  uint32_t id, width, mask;
  uint64_t offset[32];
  uint32_t load_sectors, store_sectors; /* 0: not measured */
  uint32_t wavefronts; /* of stores in the one file, of loads in the other */
};

/* Cuts the next field off a line; fields may be empty, unlike with strtok. */
static char *pattern_field(char **line) {
  char *field = *line, *comma = strchr(field, ',');
  *line = comma ? comma + 1 : field + strlen(field);
  if (comma)
    *comma = 0;
  return field;
}

static uint32_t pattern_number(char **line, int base) {
  return (uint32_t)strtoul(pattern_field(line), NULL, base);
}

static void pattern_read(struct pattern *pattern, char *line) {
  pattern->id = pattern_number(&line, 10);
  pattern_field(&line);
  pattern->width = pattern_number(&line, 10);
  pattern->mask = pattern_number(&line, 16);
  for (int lane = 0; lane < 32; lane++)
    pattern->offset[lane] = pattern_number(&line, 10);
  pattern->load_sectors = pattern_number(&line, 10);
  pattern->store_sectors = pattern_number(&line, 10);
  pattern->wavefronts = pattern_number(&line, 10);
}

/* Fills at most `most` of them and returns how many the file has. */
static uint32_t patterns_read(const char *name, struct pattern *patterns,
                              uint32_t most) {
  char line[1024];
  uint32_t count = 0;
  FILE *file = fopen(name, "r");
  if (!file)
    return 0;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, "id,", 3) != 0 && count++ < most)
      pattern_read(&patterns[count - 1], line);
  fclose(file);
  return count;
}

#endif
