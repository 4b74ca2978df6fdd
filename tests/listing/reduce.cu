/* Chapter 3: one partial sum a block. Each warp folds its 32 values with five
 * shuffles, by hand; thread 0 adds the totals of the warps. */

static __device__ float shuffle_down(float value, int delta) {
  int received;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;"
               : "=r"(received)
               : "r"(__float_as_int(value)), "r"(delta));
  return __int_as_float(received);
}

static __device__ float fold_warp(float value) {
  value += shuffle_down(value, 16);
  value += shuffle_down(value, 8);
  value += shuffle_down(value, 4);
  value += shuffle_down(value, 2);
  value += shuffle_down(value, 1);
  return value;
}

static __device__ float add_totals(const float *totals, int warps) {
  float sum = 0.0f;
#pragma unroll 1
  for (int w = 0; w < warps; ++w)
    sum += totals[w];
  return sum;
}

extern "C" __global__ void reduce(const float *X, float *partial, int N) {
  __shared__ float totals[32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int warps = blockDim.x / 32;
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;

  float value = idx < N ? X[idx] : 0.0f;

  value = fold_warp(value);
  if (lane == 0)
    totals[warp] = value;

  __syncthreads();
  if (threadIdx.x == 0)
    partial[blockIdx.x] = add_totals(totals, warps);
}
