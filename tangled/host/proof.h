/* Proves the partial sums and their sum right, or shows where they are not. */
#ifndef SHUFFLE_LADDER_PROOF_H
#define SHUFFLE_LADDER_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proof {
  size_t blocks;
  size_t different; /* blocks whose partial is not the model's, bit for bit */
  size_t silent;    /* of these: still poisoned, so nothing was written */
  size_t near;      /* of these: off by no more than rounding explains */
  size_t first;     /* the first different block */
  float got, want;  /* its partial, and the model's */
  double sum;       /* of the partials, in order, in double */
  double reference; /* the exact sum of the inputs, rounded once */
  double bound;     /* |sum - reference| must not exceed it */
  bool within;      /* it does not */
};

/* x[n] made by input_fill; partial[] and model[] one float a block. depth: see
 * struct stage. */
void proof_make(struct proof *proof, const float *x, size_t n, unsigned block,
                unsigned depth, const float *partial, const float *model);

/* d u / (1 - d u), for d < 1 / u. */
double proof_gamma(double d, double u);

/* The bits of a float. */
uint32_t proof_bits(float x);

#endif
