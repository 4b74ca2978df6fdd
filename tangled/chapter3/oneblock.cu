/* Exercise 2 of chapter 3: five rungs in a single asm statement. */

static __device__ float fold_warp(float value) {
  asm volatile("{\n\t"
               ".reg .f32 t;\n\t"
               "shfl.sync.down.b32 t, %0, 16, 0x1f, 0xffffffff;\n\t"
               "add.rn.f32 %0, %0, t;\n\t"
               "shfl.sync.down.b32 t, %0, 8, 0x1f, 0xffffffff;\n\t"
               "add.rn.f32 %0, %0, t;\n\t"
               "shfl.sync.down.b32 t, %0, 4, 0x1f, 0xffffffff;\n\t"
               "add.rn.f32 %0, %0, t;\n\t"
               "shfl.sync.down.b32 t, %0, 2, 0x1f, 0xffffffff;\n\t"
               "add.rn.f32 %0, %0, t;\n\t"
               "shfl.sync.down.b32 t, %0, 1, 0x1f, 0xffffffff;\n\t"
               "add.rn.f32 %0, %0, t;\n\t"
               "}"
               : "+f"(value));
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
