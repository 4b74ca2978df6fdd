/* Chapter 2: one partial sum a block. Every lane loads one element and parks
 * it in shared memory; thread 0 adds them, one after the other. */

static __device__ float add_serially(const float *parked, int count) {
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    sum += parked[i];
  return sum;
}

extern "C" __global__ void reduce(const float *X, float *partial, int N) {
  __shared__ float parked[1024];
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;

  const float value = idx < N ? X[idx] : 0.0f;

  parked[threadIdx.x] = value;
  __syncthreads();

  if (threadIdx.x == 0)
    partial[blockIdx.x] = add_serially(parked, blockDim.x);
}
