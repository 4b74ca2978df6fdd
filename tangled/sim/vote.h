/* vote.sync and match.sync as plain functions of 32 values.
 * Source: PTX ISA, "vote.sync" and "match.sync". */
#ifndef SHUFFLE_LADDER_VOTE_H
#define SHUFFLE_LADDER_VOTE_H

#include "core.h"

enum vote_question { VOTE_ALL, VOTE_ANY, VOTE_UNI };

/* What the lanes of `members` answer; a bit of `ballot` for each lane. */
bool vote_ask(enum vote_question question, uint32_t ballot, uint32_t members);

/* d[lane] = mask of the members whose value equals that of `lane`; 0 for lanes
 * that are no members. */
void match_any(const uint64_t value[LANES], uint32_t members,
               uint32_t d[LANES]);

/* True where all members have one value. */
bool match_all(const uint64_t value[LANES], uint32_t members);

#endif
