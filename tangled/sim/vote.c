/* vote.sync and match.sync: what the lanes agree on. */
#include "vote.h"

bool vote_ask(enum vote_question question, uint32_t ballot, uint32_t members) {
  uint32_t yes = ballot & members;
  switch (question) {
  case VOTE_ALL:
    return yes == members;
  case VOTE_ANY:
    return yes != 0;
  default:
    return yes == 0 || yes == members;
  }
}

static uint32_t equals(const uint64_t *value, uint64_t wanted) {
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < LANES; lane++)
    bits |= (uint32_t)(value[lane] == wanted) << lane;
  return bits;
}

void match_any(const uint64_t value[LANES], uint32_t members,
               uint32_t d[LANES]) {
  for (uint32_t lane = 0; lane < LANES; lane++)
    d[lane] = 0;
  for (uint32_t left = members; left;) {
    uint64_t first = value[__builtin_ctz(left)];
    uint32_t same = equals(value, first) & members;
    for (uint32_t lane = 0; lane < LANES; lane++)
      d[lane] |= same >> lane & 1 ? same : 0;
    left &= ~same;
  }
}

bool match_all(const uint64_t value[LANES], uint32_t members) {
  if (!members)
    return true;
  uint64_t first = value[__builtin_ctz(members)];
  return (members & ~equals(value, first)) == 0;
}
