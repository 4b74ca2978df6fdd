/* Streams and events. */
#include "driver.h"

static int calls;
static CUresult told = CUDA_ERROR_UNKNOWN;

static void host_function(void *data) { calls += *(int *)data; }

static void callback(CUstream stream, CUresult status, void *data) {
  (void)stream;
  told = status;
  calls += *(int *)data;
}

static void streams(void) {
  CUstream stream = NULL, urgent = NULL;
  CUevent event = NULL;
  CUcontext context = NULL, mine = NULL;
  unsigned flags = 99;
  int priority = 99, ten = 10, one = 1;
  GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  IS(cuStreamCreate(&stream, 99), CUDA_ERROR_INVALID_VALUE);
  IS(cuStreamCreate(NULL, 0), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuStreamGetFlags(stream, &flags));
  tap_is_u64(flags, CU_STREAM_NON_BLOCKING, "its flags");
  GOOD(cuStreamCreateWithPriority(&urgent, 0, -100));
  GOOD(cuStreamGetPriority(urgent, &priority));
  tap_ok(priority == -5, "a priority beyond the range is moved into it");
  GOOD(cuStreamGetPriority(NULL, &priority));
  GOOD(cuStreamGetCtx(stream, &mine));
  cuCtxGetCurrent(&context);
  tap_ok(mine == context, "it belongs to the current context");
  GOOD(cuStreamQuery(stream));
  GOOD(cuStreamSynchronize(stream));
  GOOD(cuStreamSynchronize(CU_STREAM_LEGACY));
  GOOD(cuStreamSynchronize(CU_STREAM_PER_THREAD));
  GOOD(cuLaunchHostFunc(stream, host_function, &ten));
  GOOD(cuStreamAddCallback(stream, callback, &one, 0));
  GOOD(cuStreamSynchronize(stream));
  tap_is_u64((uint64_t)calls, 11, "both host functions were called");
  tap_ok(told == CUDA_SUCCESS, "and told that all is well");
  IS(cuStreamAddCallback(stream, callback, &one, 1), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuEventCreate(&event, 0));
  GOOD(cuEventRecord(event, stream));
  GOOD(cuStreamWaitEvent(urgent, event, 0));
  IS(cuStreamWaitEvent(urgent, NULL, 0), CUDA_ERROR_INVALID_HANDLE);
  IS(cuStreamWaitEvent(urgent, event, 5), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuStreamDestroy(stream));
  GOOD(cuStreamDestroy(urgent));
  IS(cuStreamDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
  IS(cuStreamDestroy(CU_STREAM_LEGACY), CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuEventDestroy(event));
  if (!on_simulator())
    return;
  IS(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  IS(cuStreamDestroy(stream), CUDA_ERROR_INVALID_HANDLE);
  IS(cuStreamSynchronize((CUstream)&calls), CUDA_ERROR_INVALID_HANDLE);
  IS(cuEventRecord(event, NULL), CUDA_ERROR_INVALID_HANDLE);
  IS(cuEventSynchronize((CUevent)&calls), CUDA_ERROR_INVALID_HANDLE);
  IS(cuMemsetD8Async(0, 0, 0, stream), CUDA_ERROR_INVALID_HANDLE);
}

static void events(void) {
  CUevent start = NULL, end = NULL, timeless = NULL;
  float milliseconds = -1;
  GOOD(cuEventCreate(&start, 0));
  GOOD(cuEventCreate(&end, CU_EVENT_BLOCKING_SYNC));
  GOOD(cuEventCreate(&timeless, CU_EVENT_DISABLE_TIMING));
  IS(cuEventCreate(NULL, 0), CUDA_ERROR_INVALID_VALUE);
  IS(cuEventCreate(&end, 0x100), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuEventQuery(start));
  GOOD(cuEventSynchronize(start));
  IS(cuEventElapsedTime(&milliseconds, start, start),
     CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuEventRecord(start, NULL));
  GOOD(cuEventRecord(timeless, NULL));
  GOOD(cuEventRecordWithFlags(end, NULL, CU_EVENT_RECORD_DEFAULT));
  IS(cuEventRecordWithFlags(end, NULL, CU_EVENT_RECORD_EXTERNAL),
     CUDA_ERROR_ILLEGAL_STATE);
  GOOD(cuEventSynchronize(end));
  GOOD(cuEventElapsedTime(&milliseconds, start, end));
  tap_ok(milliseconds >= 0 && milliseconds < 60000, "time passes");
  IS(cuEventElapsedTime(&milliseconds, start, timeless),
     CUDA_ERROR_INVALID_HANDLE);
  IS(cuEventRecord(NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
  IS(cuEventDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuEventDestroy(start));
  GOOD(cuEventDestroy(end));
}

int main(void) {
  driver_start(NULL);
  streams();
  events();
  return tap_done();
}
