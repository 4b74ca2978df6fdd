/* Can a kernel be launched in this shape? */
#ifndef SHUFFLE_LADDER_SHAPE_H
#define SHUFFLE_LADDER_SHAPE_H

#include "sim.h"

/* Why not, in a few words; NULL if it can. `dynamic_limit` is how many bytes of
 * dynamic shared memory the kernel may have. */
const char *shape_refuse(const struct sim_kernel_info *info,
                         const struct sim_launch *launch,
                         uint32_t dynamic_limit);

/* Threads that a block of this kernel may have. */
uint32_t shape_max_threads(const struct sim_kernel_info *info);

/* Bytes of dynamic shared memory that it may have without asking for more. */
uint32_t shape_dynamic_limit(const struct sim_kernel_info *info);

#endif
