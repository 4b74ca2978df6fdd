/* Exercise 1 of chapter 1: one lane that loads 16 bytes at a time. */

static __device__ float add_by_fours(const float *x, int count) {
  float sum = 0.0f;
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    const float4 four = *(const float4 *)(x + i);
    sum += four.x;
    sum += four.y;
    sum += four.z;
    sum += four.w;
  }
  for (; i < count; ++i)
    sum += x[i];
  return sum;
}

extern "C" __global__ void reduce(const float *X, float *partial, int N) {
  if (threadIdx.x != 0)
    return;

  const int first = blockIdx.x * blockDim.x;
  const int count = min((int)blockDim.x, N - first);

  partial[blockIdx.x] = add_by_fours(X + first, count);
}
