/* The Driver API's two profiler functions; see cuda.h. */
#ifndef SHUFFLE_LADDER_CUDA_PROFILER_H
#define SHUFFLE_LADDER_CUDA_PROFILER_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

CUresult CUDAAPI cuProfilerStart(void);
CUresult CUDAAPI cuProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
