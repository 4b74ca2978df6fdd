/* The limits of the device that the simulator claims to be: compute
 * capability 8.0 and, where that leaves a choice, an A100. */
#ifndef SHUFFLE_LADDER_CUDA_DEVICE_H
#define SHUFFLE_LADDER_CUDA_DEVICE_H

enum {
  DEVICE_MAX_THREADS = 1024,      /* in a block */
  DEVICE_MAX_BLOCK_Z = 64,        /* blocks are 1024 x 1024 x 64 at most */
  DEVICE_MAX_GRID_X = 2147483647, /* and grids this by 65535 by 65535 */
  DEVICE_MAX_GRID_YZ = 65535,
  DEVICE_SHARED = 49152,         /* bytes a block, without asking */
  DEVICE_SHARED_OPTIN = 166912,  /* after cuFuncSetAttribute */
  DEVICE_SHARED_SM = 167936,     /* of a multiprocessor */
  DEVICE_SHARED_RESERVED = 1024, /* that the system takes from each block */
  DEVICE_SM_THREADS = 2048,
  DEVICE_SM_BLOCKS = 32,
  DEVICE_SMS = 108,
  DEVICE_SM_REGISTERS = 65536,
  DEVICE_PITCH = 512 /* rows of cuMemAllocPitch start at multiples */
};

#define DEVICE_MEMORY (16ULL << 30) /* bytes */

#endif
