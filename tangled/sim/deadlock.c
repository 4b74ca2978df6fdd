/* Who waits for whom, when no lane of a block can run. */
#include <stdio.h>
#include <string.h>

#include "runner.h"

struct story { /* grows to the end of its buffer and no further */
  char text[400];
  size_t used;
  bool full;
};

/* Adds a sentence, or three dots where it does not fit. */
static void story_add(struct story *story, const char *sentence) {
  size_t length = strlen(sentence);
  if (story->full)
    return;
  story->full = story->used + length + sizeof "; ..." > sizeof story->text;
  if (story->full)
    sentence = "; ...";
  memcpy(story->text + story->used, sentence, strlen(sentence) + 1);
  story->used += strlen(sentence);
}

static void tell_split(struct story *story, const struct runner *runner,
                       uint32_t warp, const struct split *split) {
  const struct ptx_instruction *in = runner->program->ops[split->pc].source;
  uint32_t live = live_lanes(&runner->warps[warp]);
  char sentence[200];
  int length = snprintf(sentence, sizeof sentence,
                        "; warp %u lanes 0x%08x wait at PTX line %u (%.40s",
                        warp, split->lanes, in->line, in->text);
  char *end = sentence + length;
  size_t room = sizeof sentence - (size_t)length;
  if (split->state == SPLIT_MEETING)
    snprintf(end, room, ") for lanes 0x%08x",
             split->members & live & ~split->lanes);
  else
    snprintf(end, room, ", barrier %u)", split->members);
  story_add(story, sentence);
}

bool deadlock_raise(struct runner *runner) {
  struct story story = {.used = 0};
  story_add(&story, "no lane of the block can go on");
  const struct op *op = NULL;
  uint32_t first = 0, lanes = 0;
  for (uint32_t w = 0; w < runner->block.warp_count; w++)
    for (uint32_t i = 0; i < runner->flows[w].count; i++) {
      const struct split *split = &runner->flows[w].split[i];
      if (!op) {
        op = &runner->program->ops[split->pc];
        first = w;
        lanes = split->lanes;
      }
      tell_split(&story, runner, w, split);
    }
  return fault_raise(&runner->warps[first], op, lanes, FAULT_DEADLOCK,
                     "deadlock", "%s", story.text);
}
