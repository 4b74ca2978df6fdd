/* Broken on purpose: lanes past the end leave their places unwritten. */

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
  if (idx >= N)
    return;

  parked[threadIdx.x] = X[idx];
  __syncthreads();

  if (threadIdx.x == 0)
    partial[blockIdx.x] = add_serially(parked, blockDim.x);
}
