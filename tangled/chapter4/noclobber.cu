/* Chapter 4 without the "memory" clobber: the PTX shows what nvcc makes of it.
 */

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

static __device__ void meet(void) { asm volatile("bar.sync 0;"); }

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
