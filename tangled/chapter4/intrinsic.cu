/* Chapter 4 again, with the functions that CUDA has for both instructions. */

static __device__ float fold_warp(float value) {
  value += __shfl_down_sync(0xffffffff, value, 16);
  value += __shfl_down_sync(0xffffffff, value, 8);
  value += __shfl_down_sync(0xffffffff, value, 4);
  value += __shfl_down_sync(0xffffffff, value, 2);
  value += __shfl_down_sync(0xffffffff, value, 1);
  return value;
}

static __device__ void meet(void) { __syncthreads(); }

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

  meet();

  if (warp == 0) {
    value = lane < warps ? totals[lane] : 0.0f;
    value = fold_warp(value);
    if (lane == 0)
      partial[blockIdx.x] = value;
  }
}
