/* Streams, which are always empty: work is done when it is asked for. */
#include <stdlib.h>

#include "cuda_state.h"

static bool is_default(CUstream stream) {
  return stream == NULL || stream == CU_STREAM_LEGACY ||
         stream == CU_STREAM_PER_THREAD;
}

bool stream_lives(CUstream stream) {
  return is_default(stream) || object_lives(stream, OBJECT_STREAM);
}

static CUresult stream_create(CUstream *stream, unsigned flags, int priority) {
  CUstream fresh = calloc(1, sizeof *fresh);
  if (fresh == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  object_add(&fresh->object, OBJECT_STREAM, context_current());
  fresh->flags = flags;
  fresh->priority = priority > 0 ? 0 : priority;
  if (priority < STREAM_PRIORITY_GREATEST)
    fresh->priority = STREAM_PRIORITY_GREATEST;
  *stream = fresh;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamCreateWithPriority(CUstream *stream,
                                            unsigned int flags, int priority) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS &&
      (stream == NULL || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING) != 0))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = stream_create(stream, flags, priority);
  return driver_leave(result);
}

CUresult CUDAAPI cuStreamCreate(CUstream *stream, unsigned int flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult CUDAAPI cuStreamDestroy(CUstream stream) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && !object_lives(stream, OBJECT_STREAM))
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS)
    object_destroy(&stream->object);
  return driver_leave(result);
}

static CUresult enter_stream(CUstream stream) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && !stream_lives(stream))
    result = CUDA_ERROR_INVALID_HANDLE;
  return result;
}

CUresult CUDAAPI cuStreamSynchronize(CUstream stream) {
  return driver_leave(enter_stream(stream));
}

CUresult CUDAAPI cuStreamQuery(CUstream stream) {
  return driver_leave(enter_stream(stream));
}

CUresult CUDAAPI cuStreamWaitEvent(CUstream stream, CUevent event,
                                   unsigned int flags) {
  bool stalled;
  CUresult result = driver_enter_queue(stream, &stalled);
  if (result == CUDA_SUCCESS && !object_lives(event, OBJECT_EVENT))
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS && flags > CU_EVENT_WAIT_EXTERNAL)
    result = CUDA_ERROR_INVALID_VALUE;
  return driver_leave(result);
}

CUresult CUDAAPI cuLaunchHostFunc(CUstream stream, CUhostFn function,
                                  void *data) {
  bool stalled;
  CUresult result = driver_leave(driver_enter_queue(stream, &stalled));
  if (result == CUDA_SUCCESS && function == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && !stalled)
    function(data);
  return result;
}

CUresult CUDAAPI cuStreamAddCallback(CUstream stream, CUstreamCallback callback,
                                     void *data, unsigned int flags) {
  bool stalled;
  CUresult result = driver_enter_queue(stream, &stalled);
  CUresult status = driver.fault;
  driver_leave(result);
  if (result == CUDA_SUCCESS && (callback == NULL || flags != 0))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    callback(stream, status, data);
  return result;
}

CUresult CUDAAPI cuStreamGetPriority(CUstream stream, int *priority) {
  CUresult result = enter_stream(stream);
  if (result == CUDA_SUCCESS && priority == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *priority = is_default(stream) ? 0 : stream->priority;
  return driver_leave(result);
}

CUresult CUDAAPI cuStreamGetFlags(CUstream stream, unsigned int *flags) {
  CUresult result = enter_stream(stream);
  if (result == CUDA_SUCCESS && flags == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *flags = is_default(stream) ? CU_STREAM_DEFAULT : stream->flags;
  return driver_leave(result);
}

CUresult CUDAAPI cuStreamGetId(CUstream stream, unsigned long long *id) {
  CUresult result = enter_stream(stream);
  if (result == CUDA_SUCCESS && id == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *id = is_default(stream) ? (uintptr_t)stream : stream->object.id;
  return driver_leave(result);
}

CUresult CUDAAPI cuStreamGetCtx(CUstream stream, CUcontext *context) {
  CUresult result = enter_stream(stream);
  if (result == CUDA_SUCCESS && context == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *context = is_default(stream) ? context_current() : stream->object.context;
  return driver_leave(result);
}

CUresult CUDAAPI cuStreamGetDevice(CUstream stream, CUdevice *device) {
  CUresult result = enter_stream(stream);
  if (result == CUDA_SUCCESS && device == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *device = 0;
  return driver_leave(result);
}

CUresult CUDAAPI cuStreamIsCapturing(CUstream stream,
                                     CUstreamCaptureStatus *status) {
  CUresult result = enter_stream(stream);
  if (result == CUDA_SUCCESS && status == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return driver_leave(result);
}

DRIVER_PTSZ(cuStreamSynchronize);
DRIVER_PTSZ(cuStreamQuery);
DRIVER_PTSZ(cuStreamWaitEvent);
DRIVER_PTSZ(cuStreamAddCallback);
DRIVER_PTSZ(cuLaunchHostFunc);
DRIVER_PTSZ(cuStreamGetPriority);
DRIVER_PTSZ(cuStreamGetFlags);
DRIVER_PTSZ(cuStreamGetId);
DRIVER_PTSZ(cuStreamGetCtx);
DRIVER_PTSZ(cuStreamGetDevice);
DRIVER_PTSZ(cuStreamIsCapturing);

#undef cuStreamDestroy
DRIVER_ALIAS(cuStreamDestroy, cuStreamDestroy_v2);
