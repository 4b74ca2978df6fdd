/* The names of the Driver API's error codes, and a sentence for each. */
#include <stddef.h>

#include "cuda_state.h"

#define NAMED(code, text)                                                      \
  { code, #code, text }

static const struct error {
  CUresult code;
  const char *name, *text;
} errors[] = {
    NAMED(CUDA_SUCCESS, "no error"),
    NAMED(CUDA_ERROR_INVALID_VALUE,
          "an argument has a value that the call does not take"),
    NAMED(CUDA_ERROR_OUT_OF_MEMORY, "there is not enough memory"),
    NAMED(CUDA_ERROR_NOT_INITIALIZED, "cuInit has not been called"),
    NAMED(CUDA_ERROR_DEINITIALIZED, "the driver is shutting down"),
    NAMED(CUDA_ERROR_PROFILER_DISABLED, "the profiler is not in use"),
    NAMED(CUDA_ERROR_PROFILER_NOT_INITIALIZED,
          "the profiler has not been set up"),
    NAMED(CUDA_ERROR_PROFILER_ALREADY_STARTED, "the profiler runs already"),
    NAMED(CUDA_ERROR_PROFILER_ALREADY_STOPPED, "the profiler does not run"),
    NAMED(CUDA_ERROR_STUB_LIBRARY, "this is a stub to link with, not a driver"),
    NAMED(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER,
          "the call needs a newer driver"),
    NAMED(CUDA_ERROR_DEVICE_UNAVAILABLE, "the device is busy or shut off"),
    NAMED(CUDA_ERROR_NO_DEVICE, "there is no device"),
    NAMED(CUDA_ERROR_INVALID_DEVICE, "there is no device of this number"),
    NAMED(CUDA_ERROR_DEVICE_NOT_LICENSED, "the device has no licence for this"),
    NAMED(CUDA_ERROR_INVALID_IMAGE, "the image is no module"),
    NAMED(CUDA_ERROR_INVALID_CONTEXT,
          "there is no current context, or it is not one"),
    NAMED(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, "the context is current already"),
    NAMED(CUDA_ERROR_ECC_UNCORRECTABLE,
          "memory has an error that could not be corrected"),
    NAMED(CUDA_ERROR_UNSUPPORTED_LIMIT, "the device has no such limit"),
    NAMED(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, "another thread uses the context"),
    NAMED(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
          "the devices cannot reach each other"),
    NAMED(CUDA_ERROR_INVALID_PTX, "the PTX does not compile"),
    NAMED(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT,
          "the graphics context is not one"),
    NAMED(CUDA_ERROR_NVLINK_UNCORRECTABLE,
          "a link has an error that could not be corrected"),
    NAMED(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "there is no compiler for PTX"),
    NAMED(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
          "the PTX is newer than the compiler"),
    NAMED(CUDA_ERROR_JIT_COMPILATION_DISABLED, "compiling PTX is switched off"),
    NAMED(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY,
          "the device has no such affinity"),
    NAMED(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC,
          "the module waits for kernels from a kernel"),
    NAMED(CUDA_ERROR_CONTAINED, "an error on the device has been contained"),
    NAMED(CUDA_ERROR_MAP_FAILED, "mapping failed"),
    NAMED(CUDA_ERROR_UNMAP_FAILED, "unmapping failed"),
    NAMED(CUDA_ERROR_ARRAY_IS_MAPPED, "the array is mapped"),
    NAMED(CUDA_ERROR_ALREADY_MAPPED, "the resource is mapped already"),
    NAMED(CUDA_ERROR_NO_BINARY_FOR_GPU,
          "the image has no code for this device"),
    NAMED(CUDA_ERROR_ALREADY_ACQUIRED, "the resource is in use already"),
    NAMED(CUDA_ERROR_NOT_MAPPED, "the resource is not mapped"),
    NAMED(CUDA_ERROR_NOT_MAPPED_AS_ARRAY,
          "the resource is not mapped as an array"),
    NAMED(CUDA_ERROR_NOT_MAPPED_AS_POINTER,
          "the resource is not mapped as a pointer"),
    NAMED(CUDA_ERROR_INVALID_SOURCE, "the source does not compile"),
    NAMED(CUDA_ERROR_FILE_NOT_FOUND, "the file was not found"),
    NAMED(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND,
          "a shared object lacks a symbol"),
    NAMED(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED,
          "a shared object did not start"),
    NAMED(CUDA_ERROR_OPERATING_SYSTEM, "a call to the operating system failed"),
    NAMED(CUDA_ERROR_INVALID_HANDLE, "the handle stands for nothing alive"),
    NAMED(CUDA_ERROR_ILLEGAL_STATE, "the object is not in a state for this"),
    NAMED(CUDA_ERROR_LOSSY_QUERY, "the answer does not fit"),
    NAMED(CUDA_ERROR_NOT_FOUND, "there is nothing of this name"),
    NAMED(CUDA_ERROR_NOT_READY, "the work is not done yet"),
    NAMED(CUDA_ERROR_ILLEGAL_ADDRESS,
          "a kernel used an address that is not its own"),
    NAMED(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
          "the launch needs more than the device has"),
    NAMED(CUDA_ERROR_LAUNCH_TIMEOUT, "a kernel did not come to its end"),
    NAMED(CUDA_ERROR_CONTEXT_IS_DESTROYED,
          "the current context has been destroyed"),
    NAMED(CUDA_ERROR_ASSERT, "an assertion in a kernel did not hold"),
    NAMED(CUDA_ERROR_HARDWARE_STACK_ERROR, "a kernel damaged its stack"),
    NAMED(CUDA_ERROR_ILLEGAL_INSTRUCTION,
          "a kernel met an instruction that is not valid"),
    NAMED(CUDA_ERROR_MISALIGNED_ADDRESS,
          "a kernel used an address that is not aligned"),
    NAMED(CUDA_ERROR_INVALID_ADDRESS_SPACE,
          "a kernel used an address of the wrong space"),
    NAMED(CUDA_ERROR_INVALID_PC, "a kernel left its code"),
    NAMED(CUDA_ERROR_LAUNCH_FAILED, "a kernel stopped"),
    NAMED(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
          "the grid is too large to run all at once"),
    NAMED(CUDA_ERROR_TENSOR_MEMORY_LEAK, "a kernel kept tensor memory"),
    NAMED(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING,
          "the launch does not fit the textures"),
    NAMED(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
          "the devices reach each other already"),
    NAMED(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED,
          "the devices do not reach each other"),
    NAMED(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "the primary context is in use"),
    NAMED(CUDA_ERROR_TOO_MANY_PEERS, "too many devices reach each other"),
    NAMED(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
          "the host memory is registered already"),
    NAMED(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
          "the host memory is not registered"),
    NAMED(CUDA_ERROR_NOT_PERMITTED, "the operation is not permitted"),
    NAMED(CUDA_ERROR_NOT_SUPPORTED, "the operation is not supported"),
    NAMED(CUDA_ERROR_SYSTEM_NOT_READY, "the system is not ready"),
    NAMED(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
          "parts of the driver do not fit together"),
    NAMED(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
          "the device does not take newer libraries"),
    NAMED(CUDA_ERROR_MPS_CONNECTION_FAILED,
          "the shared service was not reached"),
    NAMED(CUDA_ERROR_MPS_RPC_FAILURE, "the shared service did not answer"),
    NAMED(CUDA_ERROR_MPS_SERVER_NOT_READY, "the shared service is not ready"),
    NAMED(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED,
          "the shared service has too many clients"),
    NAMED(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED,
          "the shared service has too many connections"),
    NAMED(CUDA_ERROR_MPS_CLIENT_TERMINATED,
          "the shared service ended this client"),
    NAMED(CUDA_ERROR_CDP_NOT_SUPPORTED, "kernels cannot launch kernels here"),
    NAMED(CUDA_ERROR_CDP_VERSION_MISMATCH,
          "kernels launch kernels in two versions"),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
          "a stream in capture does not take this"),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture has been spoilt"),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_MERGE, "two captures would become one"),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
          "the capture did not begin in this stream"),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
          "the capture left a stream behind"),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
          "the capture depends on work outside it"),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
          "the default stream would join the capture"),
    NAMED(CUDA_ERROR_CAPTURED_EVENT, "the event belongs to a capture"),
    NAMED(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
          "another thread began the capture"),
    NAMED(CUDA_ERROR_TIMEOUT, "the time ran out"),
    NAMED(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
          "the graph cannot be updated so"),
    NAMED(CUDA_ERROR_EXTERNAL_DEVICE, "a device outside has an error"),
    NAMED(CUDA_ERROR_INVALID_CLUSTER_SIZE,
          "the cluster has a size that cannot be"),
    NAMED(CUDA_ERROR_FUNCTION_NOT_LOADED, "the function is not loaded"),
    NAMED(CUDA_ERROR_INVALID_RESOURCE_TYPE, "the resource has the wrong type"),
    NAMED(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION,
          "the resource is not set up for this"),
    NAMED(CUDA_ERROR_KEY_ROTATION, "the keys are being changed"),
    NAMED(CUDA_ERROR_UNKNOWN, "an error without a name"),
};

static const struct error *find_error(CUresult code) {
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
    if (errors[i].code == code)
      return &errors[i];
  return NULL;
}

CUresult CUDAAPI cuGetErrorName(CUresult error, const char **name) {
  const struct error *found = find_error(error);
  if (name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *name = found != NULL ? found->name : NULL;
  return found != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuGetErrorString(CUresult error, const char **text) {
  const struct error *found = find_error(error);
  if (text == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *text = found != NULL ? found->text : NULL;
  return found != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
