/* What a chapter tells the host program: how its partial sums come about, and
 * what its run must count. Each chapter's model.c defines one `stage`. */
#ifndef SHUFFLE_LADDER_STAGE_H
#define SHUFFLE_LADDER_STAGE_H

#include <stddef.h>
#include <stdint.h>

/* Counts of one launch. UINT64_MAX: the chapter states nothing about it. */
struct expectation {
  uint64_t global_load_sectors, global_store_sectors;
  uint64_t global_load_requests, global_store_requests;
  uint64_t shuffles, barriers;
  uint64_t shared_load_wavefronts, shared_store_wavefronts;
};

struct stage {
  int chapter;
  const char *title;
  const char *kernel; /* the name of the .entry */
  /* One partial a block of `block` elements, bit for bit as the kernel adds
   * them; partial[] has ceil(n / block) places. n may be 0. */
  void (*model)(const float *x, size_t n, unsigned block, float *partial);
  /* The closed forms. Every field is UINT64_MAX when it is called. */
  void (*expect)(size_t n, unsigned block, struct expectation *e);
  /* The most additions that one element goes through, from the load to the
   * partial; NULL stands for block - 1. It scales the error bound. */
  unsigned (*depth)(unsigned block);
  int min_arch; /* the least compute capability, 80 for 8.0; 0: any */
};

extern const struct stage stage;

#endif
