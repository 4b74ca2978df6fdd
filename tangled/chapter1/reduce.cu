/* Chapter 1: one partial sum a block. Thread 0 adds the block's elements, one
 * after the other; the other threads return at once. */

static __device__ float add_serially(const float *x, int count) {
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    sum += x[i];
  return sum;
}

extern "C" __global__ void reduce(const float *X, float *partial, int N) {
  if (threadIdx.x != 0)
    return;

  const int first = blockIdx.x * blockDim.x;
  const int count = min((int)blockDim.x, N - first);

  partial[blockIdx.x] = add_serially(X + first, count);
}
