/* Events: marks with a time, taken by the host's clock. */
#include <stdlib.h>

#include "cuda_state.h"

enum {
  EVENT_FLAGS =
      CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS
};

static CUresult event_create(CUevent *event, unsigned flags) {
  CUevent fresh;
  if (flags & CU_EVENT_INTERPROCESS)
    return flags & CU_EVENT_DISABLE_TIMING ? CUDA_ERROR_NOT_SUPPORTED
                                           : CUDA_ERROR_INVALID_VALUE;
  fresh = calloc(1, sizeof *fresh);
  if (fresh == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  object_add(&fresh->object, OBJECT_EVENT, context_current());
  fresh->flags = flags;
  *event = fresh;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuEventCreate(CUevent *event, unsigned int flags) {
  bool stalled;
  CUresult result = driver_enter_queue(NULL, &stalled);
  if (result == CUDA_SUCCESS &&
      (event == NULL || (flags & ~(unsigned)EVENT_FLAGS) != 0))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = event_create(event, flags);
  return driver_leave(result);
}

CUresult CUDAAPI cuEventRecordWithFlags(CUevent event, CUstream stream,
                                        unsigned int flags) {
  bool stalled;
  CUresult result = driver_enter_queue(stream, &stalled);
  if (result == CUDA_SUCCESS && !object_lives(event, OBJECT_EVENT))
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS && flags != CU_EVENT_RECORD_DEFAULT)
    result = flags == CU_EVENT_RECORD_EXTERNAL ? CUDA_ERROR_ILLEGAL_STATE
                                               : CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) {
    event->recorded = true;
    event->seconds = clock_seconds();
  }
  return driver_leave(result);
}

CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream) {
  return cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT);
}

static CUresult enter_event(CUevent event) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && !object_lives(event, OBJECT_EVENT))
    result = CUDA_ERROR_INVALID_HANDLE;
  return result;
}

CUresult CUDAAPI cuEventSynchronize(CUevent event) {
  return driver_leave(enter_event(event));
}

CUresult CUDAAPI cuEventQuery(CUevent event) {
  return driver_leave(enter_event(event));
}

CUresult CUDAAPI cuEventDestroy(CUevent event) {
  CUresult result = enter_event(event);
  if (result == CUDA_SUCCESS)
    object_destroy(&event->object);
  return driver_leave(result);
}

static bool has_time(CUevent event) {
  return object_lives(event, OBJECT_EVENT) && event->recorded &&
         (event->flags & CU_EVENT_DISABLE_TIMING) == 0;
}

CUresult CUDAAPI cuEventElapsedTime(float *milliseconds, CUevent start,
                                    CUevent end) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && milliseconds == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && (!has_time(start) || !has_time(end)))
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS)
    *milliseconds = (float)(1e3 * (end->seconds - start->seconds));
  return driver_leave(result);
}

DRIVER_PTSZ(cuEventRecord);
DRIVER_PTSZ(cuEventRecordWithFlags);

#undef cuEventDestroy
#undef cuEventElapsedTime
DRIVER_ALIAS(cuEventDestroy, cuEventDestroy_v2);
DRIVER_ALIAS(cuEventElapsedTime, cuEventElapsedTime_v2);
