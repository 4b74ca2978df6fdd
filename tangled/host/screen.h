/* Prints a judgement for a person. */
#ifndef SHUFFLE_LADDER_SCREEN_H
#define SHUFFLE_LADDER_SCREEN_H

#include "judge.h"

void screen_print(const struct judgement *j);

#endif
