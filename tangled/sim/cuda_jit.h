/* The options of cuModuleLoadDataEx, and the two logs that they ask for. */
#ifndef SHUFFLE_LADDER_CUDA_JIT_H
#define SHUFFLE_LADDER_CUDA_JIT_H

#include "cuda_state.h"

struct jit_log {
  char *buffer;  /* NULL: nobody asked */
  size_t size;   /* of the buffer, bytes */
  size_t used;   /* without the NUL */
  void **report; /* where the size came from, and goes back to */
};

struct jit {
  struct jit_log info, error;
  bool verbose;
  void **wall_time; /* gets milliseconds as a float; NULL: nobody asked */
};

/* Reads the options. CUDA_ERROR_INVALID_VALUE for one that does not exist, for
 * arrays that are missing, and for a buffer without a size. */
CUresult jit_read(struct jit *jit, unsigned count, const CUjit_option *options,
                  void **values);

/* Adds a line to a log; what does not fit is left out. */
__attribute__((format(printf, 2, 3))) void jit_error(struct jit *jit,
                                                     const char *format, ...);
__attribute__((format(printf, 2, 3))) void jit_info(struct jit *jit,
                                                    const char *format, ...);

/* Gives the sizes and the time back to the caller. */
void jit_write(struct jit *jit, double seconds);

#endif
