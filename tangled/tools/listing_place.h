/* Places in source files, and the map from tangled lines to chapter lines. */
#ifndef SHUFFLE_LADDER_LISTING_PLACE_H
#define SHUFFLE_LADDER_LISTING_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "listing_text.h"

enum { CHAIN_MAX = 8 };

struct place {
  const char *file; /* as the compiler names it */
  unsigned line;    /* from 1 */
};

/* at[0] is the line itself, at[1] the line that it was inlined at, and so on.
 * count 0: the compiler gave no line. */
struct chain {
  struct place at[CHAIN_MAX];
  size_t count;
};

bool chain_equal(const struct chain *a, const struct chain *b);
/* Whether b is a without its innermost place. */
bool chain_calls(const struct chain *a, const struct chain *b);
/* One path is the other's last components: "a/b.cu" and "/home/a/b.cu". */
bool place_same_file(const char *a, const char *b);
/* The part of a path after its last '/'. */
const char *place_base(const char *path);

struct span {
  const char *file, *chapter;
  unsigned start, chapter_start, count;
};

struct map {
  struct span *span;
  size_t spans;
};

/* Reads a map; its strings stay in `text`. A bad line ends the program. */
void map_read(struct map *map, struct text *text);

/* Where `place` stands in a chapter; false if the map does not have it. */
bool map_find(const struct map *map, struct place place, struct place *found);

#endif
