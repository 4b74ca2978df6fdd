/* Places in source files, and the map from tangled lines to chapter lines. */
#include "listing_place.h"

#include <stdlib.h>
#include <string.h>

const char *place_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool place_same_file(const char *a, const char *b) {
  const size_t m = strlen(a), n = strlen(b);
  if (m < n)
    return place_same_file(b, a);
  if (strcmp(a + m - n, b) != 0)
    return false;
  return m == n || a[m - n - 1] == '/';
}

static bool equal_from(const struct chain *a, size_t from,
                       const struct chain *b) {
  if (a->count != b->count + from)
    return false;
  for (size_t i = 0; i < b->count; ++i)
    if (a->at[from + i].line != b->at[i].line ||
        !place_same_file(a->at[from + i].file, b->at[i].file))
      return false;
  return true;
}

bool chain_equal(const struct chain *a, const struct chain *b) {
  return equal_from(a, 0, b);
}

bool chain_calls(const struct chain *a, const struct chain *b) {
  return b->count > 0 && equal_from(a, 1, b);
}

static bool read_number(char *word, unsigned *number) {
  char *end = NULL;
  const unsigned long value = word ? strtoul(word, &end, 10) : 0;
  *number = (unsigned)value;
  return word && end != word && *end == '\0' && value > 0 && value < 1000000000;
}

void map_read(struct map *map, struct text *text) {
  map->span = NULL;
  map->spans = 0;
  for (size_t i = 0; i < text->lines; ++i) {
    struct span span;
    span.file = strtok(text->line[i], " \t");
    if (!span.file || span.file[0] == '#')
      continue;
    const bool start = read_number(strtok(NULL, " \t"), &span.start);
    span.chapter = strtok(NULL, " \t");
    if (!start || !read_number(strtok(NULL, " \t"), &span.chapter_start) ||
        !read_number(strtok(NULL, " \t"), &span.count))
      text_die("%s:%zu: a map line is FILE START CHAPTER START COUNT",
               text->path, i + 1);
    map->span = text_grow(map->span, map->spans, sizeof *map->span);
    map->span[map->spans++] = span;
  }
}

bool map_find(const struct map *map, struct place place, struct place *found) {
  for (size_t i = 0; i < map->spans; ++i) {
    const struct span *span = &map->span[i];
    if (place.line < span->start || place.line - span->start >= span->count ||
        !place_same_file(place.file, span->file))
      continue;
    found->file = span->chapter;
    found->line = span->chapter_start + (place.line - span->start);
    return true;
  }
  return false;
}
