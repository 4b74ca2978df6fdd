/* Functions by name and version. */
#include <cudaProfiler.h>

#include "driver.h"

typedef CUresult init_function(unsigned int);

static CUresult find(const char *name, int version, cuuint64_t flags,
                     void **function, CUdriverProcAddressQueryResult *status) {
  *function = (void *)1;
  *status = (CUdriverProcAddressQueryResult)99;
  return cuGetProcAddress(name, function, version, flags, status);
}

static bool same(void *found, void (*wanted)(void)) {
  void *address;
  memcpy(&address, &wanted, sizeof address);
  return found == address;
}

#define FOUND(name, version, flags, function)                                  \
  do {                                                                         \
    CUresult result = find(name, version, flags, &found, &status);             \
    tap_ok(result == CUDA_SUCCESS && status == CU_GET_PROC_ADDRESS_SUCCESS &&  \
               same(found, (void (*)(void))function),                          \
           "%s at %d is %s", name, version, #function);                        \
  } while (0)

extern __typeof__(cuLaunchKernel) cuLaunchKernel_ptsz;
CUresult cuCtxCreate_v2(CUcontext *, unsigned int, CUdevice);

int main(void) {
  void *found;
  CUdriverProcAddressQueryResult status;
  const cuuint64_t each = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  FOUND("cuInit", 13000, 0, cuInit);
  FOUND("cuMemAlloc", 13000, 0, cuMemAlloc_v2);
  FOUND("cuMemAlloc", 3020, 0, cuMemAlloc_v2);
  FOUND("cuCtxCreate", 13000, 0, cuCtxCreate_v4);
  FOUND("cuCtxCreate", 11000, 0, cuCtxCreate_v2);
  FOUND("cuMemcpyDtoH", 13000, 0, cuMemcpyDtoH_v2);
  FOUND("cuLaunchKernel", 13000, 0, cuLaunchKernel);
  FOUND("cuLaunchKernel", 13000, each, cuLaunchKernel_ptsz);
  FOUND("cuGetProcAddress", 13000, 0, cuGetProcAddress_v2);
  FOUND("cuProfilerStart", 13000, 0, cuProfilerStart);
  tap_ok(find("cuNope", 13000, 0, &found, &status) == CUDA_SUCCESS &&
             status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && found == NULL,
         "there is no cuNope");
  tap_ok(find("cuLaunchKernelEx", 11000, 0, &found, &status) == CUDA_SUCCESS &&
             found == NULL &&
             status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT,
         "cuLaunchKernelEx came after 11.0");
  tap_ok(find("cuMemAlloc_v2", 13000, 0, &found, &status) == CUDA_SUCCESS &&
             status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && found == NULL,
         "functions are asked for by their plain names");
  if (on_simulator()) { /* on a GPU these end the process */
    IS(cuGetProcAddress(NULL, &found, 13000, 0, &status),
       CUDA_ERROR_INVALID_VALUE);
    IS(cuGetProcAddress("cuInit", NULL, 13000, 0, &status),
       CUDA_ERROR_INVALID_VALUE);
  }
  IS(cuGetProcAddress("cuInit", &found, 99000, 0, &status),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuGetProcAddress("cuInit", &found, 13000, 8, &status),
     CUDA_ERROR_INVALID_VALUE);
  GOOD(cuGetProcAddress("cuInit", &found, 13000, 0, NULL));
  init_function *init;
  memcpy(&init, &found, sizeof init);
  GOOD(init(0));
  return tap_done();
}
