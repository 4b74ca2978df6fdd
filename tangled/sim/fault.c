/* Faults and findings: what went wrong, and where. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core.h"

static void fault_place(struct fault *fault, const struct warp *warp,
                        const struct op *op, uint32_t lanes) {
  memcpy(fault->block, warp->block->id, sizeof fault->block);
  fault->warp = warp->index;
  fault->lanes = lanes;
  if (op && op->source) {
    fault->ptx_line = op->source->line;
    fault->file = op->source->file;
    fault->source_line = op->source->source_line;
  }
}

bool fault_raise(const struct warp *warp, const struct op *op, uint32_t lanes,
                 enum fault_kind kind, const char *id, const char *format,
                 ...) {
  struct fault *fault = warp->block->fault;
  if (fault->kind != FAULT_NONE)
    return false;
  *fault = (struct fault){.kind = kind, .id = id};
  fault_place(fault, warp, op, lanes);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fault->message, sizeof fault->message, format, arguments);
  va_end(arguments);
  return false;
}

static struct finding *finding_find(struct findings *all, const struct op *op,
                                    const char *id) {
  for (uint32_t i = 0; i < all->count; i++)
    if (all->finding[i].op == op && strcmp(all->finding[i].first.id, id) == 0)
      return &all->finding[i];
  return NULL;
}

void finding_add(const struct warp *warp, const struct op *op, uint32_t lanes,
                 const char *id, const char *format, ...) {
  struct findings *all = warp->block->findings;
  if (!all)
    return;
  struct finding *known = finding_find(all, op, id);
  if (known) {
    known->count++;
    return;
  }
  if (all->count == MAX_FINDINGS)
    return;
  struct finding *fresh = &all->finding[all->count++];
  *fresh = (struct finding){.first = {.id = id}, .count = 1, .op = op};
  fault_place(&fresh->first, warp, op, lanes);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fresh->first.message, sizeof fresh->first.message, format,
            arguments);
  va_end(arguments);
}
