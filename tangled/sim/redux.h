/* redux.sync as a plain function of 32 values.
 * Source: PTX ISA, "redux.sync". */
#ifndef SHUFFLE_LADDER_REDUX_H
#define SHUFFLE_LADDER_REDUX_H

#include "core.h"

enum redux_operation {
  REDUX_ADD,
  REDUX_MIN,
  REDUX_MAX,
  REDUX_AND,
  REDUX_OR,
  REDUX_XOR
};

/* Folds the values of `members`; is_signed matters to min and max. With no
 * members the result is the operation's identity. */
uint32_t redux_fold(enum redux_operation operation, bool is_signed,
                    const uint32_t value[LANES], uint32_t members);

#endif
