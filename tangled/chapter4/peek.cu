/* Broken on purpose: asm that reads memory and does not say so. Each out[t]
 * should be 1. */

static __device__ float peek(unsigned slot) {
  float seen;
  asm("ld.shared.f32 %0, [%1];" : "=f"(seen) : "r"(slot));
  return seen;
}

extern "C" __global__ void twice(float *out) {
  __shared__ float note;
  const unsigned slot = (unsigned)__cvta_generic_to_shared(&note);
  if (threadIdx.x == 0)
    note = 1.0f;
  __syncthreads();
  const float before = peek(slot);
  __syncthreads();
  if (threadIdx.x == 0)
    note = 2.0f;
  __syncthreads();
  out[threadIdx.x] = peek(slot) - before;
}
