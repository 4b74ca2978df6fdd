/* One warp reads 32 floats, `stride` apart, from element `offset` on. */

extern "C" __global__ void window(const float *X, float *out, int stride,
                                  int offset) {
  out[threadIdx.x] = X[offset + threadIdx.x * stride];
}
