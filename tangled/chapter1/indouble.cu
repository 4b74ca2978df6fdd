/* Broken on purpose: a better sum, but not the one that was agreed on. */

static __device__ float add_in_double(const float *x, int count) {
  double sum = 0.0;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    sum += x[i];
  return (float)sum;
}

extern "C" __global__ void reduce(const float *X, float *partial, int N) {
  if (threadIdx.x != 0)
    return;

  const int first = blockIdx.x * blockDim.x;
  const int count = min((int)blockDim.x, N - first);

  partial[blockIdx.x] = add_in_double(X + first, count);
}
