/* The numbers that are summed. */
#include "input.h"

#include <string.h>

static uint64_t scramble(uint64_t i) {
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

float input_element(uint64_t i) {
  const uint64_t bits = scramble(i);
  const uint32_t fraction = (uint32_t)bits & 0x7fffff;
  const uint32_t exponent = 127 - 6 + (uint32_t)(bits >> 23 & 0xffff) % 9;
  const uint32_t sign = bits >> 62 == 0;
  const uint32_t word = sign << 31 | exponent << 23 | fraction;
  float x;
  memcpy(&x, &word, sizeof x);
  return x;
}

void input_fill(float *x, size_t n) {
  for (size_t i = 0; i < n; ++i)
    x[i] = input_element(i);
}

int64_t input_units(float x) { return (int64_t)((double)x / INPUT_UNIT); }
