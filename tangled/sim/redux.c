/* redux.sync: 32 integers to one. */
#include "redux.h"

static uint32_t identity(enum redux_operation operation) {
  return operation == REDUX_MIN || operation == REDUX_AND ? UINT32_MAX : 0;
}

static inline uint32_t combine(enum redux_operation operation, uint32_t x,
                               uint32_t y) {
  switch (operation) {
  case REDUX_ADD:
    return x + y;
  case REDUX_MIN:
    return x < y ? x : y;
  case REDUX_MAX:
    return x > y ? x : y;
  case REDUX_AND:
    return x & y;
  case REDUX_OR:
    return x | y;
  default:
    return x ^ y;
  }
}

static inline __attribute__((always_inline)) uint32_t
fold(enum redux_operation operation, const uint32_t *value) {
  uint32_t result = value[0];
  for (uint32_t lane = 1; lane < LANES; lane++)
    result = combine(operation, result, value[lane]);
  return result;
}

static uint32_t fold_all(enum redux_operation operation,
                         const uint32_t *value) {
  switch (operation) {
  case REDUX_ADD:
    return fold(REDUX_ADD, value);
  case REDUX_MIN:
    return fold(REDUX_MIN, value);
  case REDUX_MAX:
    return fold(REDUX_MAX, value);
  case REDUX_AND:
    return fold(REDUX_AND, value);
  case REDUX_OR:
    return fold(REDUX_OR, value);
  default:
    return fold(REDUX_XOR, value);
  }
}

uint32_t redux_fold(enum redux_operation operation, bool is_signed,
                    const uint32_t value[LANES], uint32_t members) {
  bool ordered = operation == REDUX_MIN || operation == REDUX_MAX;
  uint32_t flip = is_signed && ordered ? 0x80000000u : 0;
  uint32_t none = identity(operation), copy[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t in = -(members >> lane & 1);
    copy[lane] = ((value[lane] ^ flip) & in) | (none & ~in);
  }
  return fold_all(operation, copy) ^ flip;
}
