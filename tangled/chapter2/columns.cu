/* Broken on purpose: right sums, but the lanes of a warp read far apart. */

static __device__ float add_serially(const float *parked, int count) {
  float sum = 0.0f;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    sum += parked[i];
  return sum;
}

extern "C" __global__ void reduce(const float *X, float *partial, int N) {
  __shared__ float parked[1024];
  const int warps = blockDim.x / 32;
  const int place = threadIdx.x % 32 * warps + threadIdx.x / 32;
  const int idx = blockIdx.x * blockDim.x + place;

  const float value = idx < N ? X[idx] : 0.0f;

  parked[place] = value;
  __syncthreads();

  if (threadIdx.x == 0)
    partial[blockIdx.x] = add_serially(parked, blockDim.x);
}
