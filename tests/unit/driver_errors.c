/* Error names, and what every call says before it can do anything. */
#include "driver.h"

static void names(void) {
  static const int gaps[] = {9, 33, 99, 103, 227, 722, 813, 917, 998, 1000, -1};
  const char *text = NULL;
  int known = 0, unnamed = 0;
  for (int code = 0; code <= 999; code++)
    if (cuGetErrorName((CUresult)code, &text) == CUDA_SUCCESS) {
      const char *name = text;
      known++;
      unnamed += text == NULL || strncmp(text, "CUDA_", 5) != 0;
      unnamed += cuGetErrorString((CUresult)code, &text) != CUDA_SUCCESS;
      unnamed += text == NULL || text[0] == '\0' || text == name;
    }
  tap_ok(known >= 100, "%d codes have names", known);
  tap_is_u64((uint64_t)unnamed, 0, "and each has a name and a sentence");
  for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
    text = "untouched";
    bool refused =
        cuGetErrorName((CUresult)gaps[i], &text) == CUDA_ERROR_INVALID_VALUE &&
        text == NULL;
    text = "untouched";
    refused = refused &&
              cuGetErrorString((CUresult)gaps[i], &text) ==
                  CUDA_ERROR_INVALID_VALUE &&
              text == NULL;
    tap_ok(refused, "code %d has none", gaps[i]);
  }
  cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text);
  tap_ok(strcmp(text, "CUDA_ERROR_INVALID_PTX") == 0, "218 by name");
}

static void before_init(void) {
  int number = -1;
  CUdeviceptr address;
  CUcontext context;
  IS(cuDeviceGetCount(&number), CUDA_ERROR_NOT_INITIALIZED);
  IS(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0),
     CUDA_ERROR_NOT_INITIALIZED);
  IS(cuMemAlloc(&address, 4), CUDA_ERROR_NOT_INITIALIZED);
  IS(cuCtxSynchronize(), CUDA_ERROR_NOT_INITIALIZED);
  IS(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
  IS(cuDevicePrimaryCtxRetain(&context, 0), CUDA_ERROR_NOT_INITIALIZED);
  GOOD(cuDriverGetVersion(&number));
  tap_ok(number >= 13000, "version %d", number);
  IS(cuDriverGetVersion(NULL), CUDA_ERROR_INVALID_VALUE);
  IS(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  IS(cuDeviceGetCount(&number), CUDA_ERROR_NOT_INITIALIZED);
}

static void without_context(void) {
  CUdeviceptr address;
  CUmodule module;
  CUstream stream;
  CUevent event;
  CUdevice device;
  CUcontext context = (CUcontext)1;
  GOOD(cuInit(0));
  GOOD(cuInit(0));
  GOOD(cuCtxGetCurrent(&context));
  tap_ok(context == NULL, "there is no current context");
  IS(cuMemAlloc(&address, 4), CUDA_ERROR_INVALID_CONTEXT);
  GOOD(cuMemFree(0));
  IS(cuMemFree(4), CUDA_ERROR_INVALID_VALUE);
  IS(cuModuleLoadData(&module, driver_ptx), CUDA_ERROR_INVALID_CONTEXT);
  IS(cuStreamCreate(&stream, 0), CUDA_ERROR_INVALID_CONTEXT);
  IS(cuEventCreate(&event, 0), CUDA_ERROR_INVALID_CONTEXT);
  IS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  IS(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
  IS(cuStreamSynchronize(NULL), CUDA_ERROR_INVALID_CONTEXT);
  IS(cuCtxPopCurrent(&context), CUDA_ERROR_INVALID_CONTEXT);
  GOOD(cuCtxSetCurrent(NULL));
  IS(cuCtxPushCurrent(NULL), CUDA_ERROR_INVALID_VALUE);
}

int main(void) {
  names();
  before_init();
  without_context();
  return tap_done();
}
