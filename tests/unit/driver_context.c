/* Contexts: the stack of a thread, the primary one, and dead ones. */
#include <pthread.h>

#include "driver.h"

static CUcontext current(void) {
  CUcontext context = (CUcontext)1;
  cuCtxGetCurrent(&context);
  return context;
}

static void *other_thread(void *data) {
  (void)data;
  return current() == NULL ? data : NULL;
}

static void primary(void) {
  CUcontext one = NULL, two = NULL;
  unsigned flags = 99;
  int active = -1;
  pthread_t thread;
  void *answer = NULL;
  GOOD(cuDevicePrimaryCtxGetState(0, &flags, &active));
  tap_ok(active == 0, "the primary context is not active yet");
  IS(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
  GOOD(cuDevicePrimaryCtxRetain(&one, 0));
  GOOD(cuDevicePrimaryCtxRetain(&two, 0));
  tap_ok(one != NULL && one == two, "there is one primary context");
  IS(cuDevicePrimaryCtxRetain(NULL, 0), CUDA_ERROR_INVALID_VALUE);
  IS(cuDevicePrimaryCtxRetain(&two, 5), CUDA_ERROR_INVALID_DEVICE);
  tap_ok(current() == NULL, "retaining does not make it current");
  GOOD(cuCtxSetCurrent(one));
  tap_ok(current() == one, "setting does");
  pthread_create(&thread, NULL, other_thread, &active);
  pthread_join(thread, &answer);
  tap_ok(answer == &active, "but not in another thread");
  GOOD(cuDevicePrimaryCtxGetState(0, &flags, &active));
  tap_ok(active == 1, "now it is active");
  IS(cuCtxDestroy(one), CUDA_ERROR_INVALID_CONTEXT);
  GOOD(cuDevicePrimaryCtxRelease(0));
  GOOD(cuCtxSynchronize());
}

static void stack(void) {
  CUcontext base = current(), fresh = NULL, popped = NULL;
  CUdevice device = -1;
  unsigned version = 0;
  GOOD(cuCtxCreate(&fresh, NULL, 0, 0));
  tap_ok(fresh != NULL && current() == fresh, "a new context is current");
  GOOD(cuCtxGetDevice(&device));
  tap_ok(device == 0, "on device 0");
  GOOD(cuCtxGetApiVersion(fresh, &version));
  tap_is_u64(version, 3020, "the version of its interface");
  GOOD(cuCtxPopCurrent(&popped));
  tap_ok(popped == fresh && current() == base, "popping brings back the last");
  GOOD(cuCtxPopCurrent(NULL));
  IS(cuCtxPopCurrent(&popped), CUDA_ERROR_INVALID_CONTEXT);
  GOOD(cuCtxPushCurrent(fresh));
  GOOD(cuCtxPushCurrent(base));
  GOOD(cuCtxSetCurrent(NULL));
  tap_ok(current() == fresh, "setting null pops");
  GOOD(cuCtxDestroy(fresh));
  tap_ok(current() == NULL, "destroying the current one pops it");
  if (on_simulator()) /* a GPU has one of two answers */
    IS(cuCtxDestroy(fresh), CUDA_ERROR_INVALID_CONTEXT);
  IS(cuCtxDestroy(NULL), CUDA_ERROR_INVALID_VALUE);
  IS(cuCtxCreate(&fresh, NULL, 0xfffff, 0), CUDA_ERROR_INVALID_VALUE);
  IS(cuCtxCreate(NULL, NULL, 0, 0), CUDA_ERROR_INVALID_VALUE);
  IS(cuCtxCreate(&fresh, NULL, 0, 5), CUDA_ERROR_INVALID_DEVICE);
  GOOD(cuCtxSetCurrent(base));
}

static void dead(void) {
  CUcontext context = current(), again = NULL;
  CUdeviceptr address;
  GOOD(cuMemAlloc(&address, 4));
  GOOD(cuDevicePrimaryCtxRelease(0));
  tap_ok(current() == context, "a released context is still current");
  IS(cuMemAlloc(&address, 4), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  IS(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  GOOD(cuDevicePrimaryCtxRetain(&again, 0));
  GOOD(cuCtxSetCurrent(again));
  GOOD(cuCtxSynchronize());
  GOOD(cuDevicePrimaryCtxReset(0));
  IS(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

static void limits(void) {
  CUcontext context;
  size_t value = 0;
  int least = -1, greatest = 1;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  GOOD(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  tap_is_u64(value, 1024, "bytes of stack");
  GOOD(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  GOOD(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  tap_is_u64(value, 4096, "bytes of stack that were asked for");
  IS(cuCtxGetLimit(&value, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH),
     CUDA_ERROR_UNSUPPORTED_LIMIT);
  IS(cuCtxGetLimit(&value, (CUlimit)99), CUDA_ERROR_INVALID_VALUE);
  IS(cuCtxSetLimit((CUlimit)99, 1), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuCtxGetStreamPriorityRange(&least, &greatest));
  tap_ok(least == 0 && greatest == -5, "priorities from 0 to -5");
  GOOD(cuCtxGetStreamPriorityRange(NULL, NULL));
}

int main(void) {
  GOOD(cuInit(0));
  primary();
  stack();
  dead();
  limits();
  if (on_simulator()) {
    int nothing = 0;
    IS(cuCtxSetCurrent((CUcontext)&nothing), CUDA_ERROR_INVALID_CONTEXT);
    IS(cuCtxPushCurrent((CUcontext)&nothing), CUDA_ERROR_INVALID_CONTEXT);
    IS(cuCtxDestroy((CUcontext)&nothing), CUDA_ERROR_INVALID_CONTEXT);
  }
  return tap_done();
}
