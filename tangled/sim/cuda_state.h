/* The state of the driver, shared by the files that implement the API.
 *
 * Every API function calls one of the driver_enter functions, does its work if
 * that succeeded, and returns through driver_leave: the lock is held between
 * the two, in any case. The other functions here expect it to be held. */
#ifndef SHUFFLE_LADDER_CUDA_STATE_H
#define SHUFFLE_LADDER_CUDA_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#include <cuda.h>
#include <cudaProfiler.h>

CUresult CUDAAPI cuCtxCreate_v2(CUcontext *context, unsigned int flags,
                                CUdevice device);
CUresult CUDAAPI cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *params,
                                int count, unsigned int flags, CUdevice device);
#pragma push_macro("cuGetProcAddress")
#undef cuGetProcAddress
CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **function,
                                  int version, cuuint64_t flags);
#pragma pop_macro("cuGetProcAddress")

#pragma GCC visibility pop

#include "settings.h"
#include "sim.h"

enum { STREAM_PRIORITY_GREATEST = -5 };

enum object_kind {
  OBJECT_CONTEXT,
  OBJECT_MODULE,
  OBJECT_FUNCTION,
  OBJECT_LIBRARY,
  OBJECT_STREAM,
  OBJECT_EVENT,
  OBJECT_ALLOCATION,
  OBJECT_KINDS
};

/* The first member of everything that a handle can point to. */
struct object {
  enum object_kind kind;
  struct CUctx_st *context; /* that it belongs to; NULL: to none */
  struct object *next;
  unsigned long long id; /* never used twice in a process */
};

struct CUctx_st {
  struct object object;
  bool alive; /* a destroyed one is kept, to answer calls that still name it */
  unsigned flags;
  size_t limits[CU_LIMIT_MAX];
  CUfunc_cache cache;
  CUsharedconfig banks;
};

struct CUmod_st {
  struct object object;
  struct sim_module *code;
};

struct CUfunc_st {
  struct object object;
  struct CUmod_st *module;
  struct sim_kernel *kernel;
  struct sim_kernel_info info;
  uint32_t dynamic_limit; /* of shared memory, bytes */
  int carveout;
};

struct CUlib_st {
  struct object object;
  struct CUmod_st *module;
};

struct CUstream_st {
  struct object object;
  unsigned flags;
  int priority;
};

struct CUevent_st {
  struct object object;
  unsigned flags;
  bool recorded;
  double seconds; /* when, by the host's clock */
};

struct allocation {
  struct object object;
  CUdeviceptr address;
  size_t bytes;
  bool pinned;    /* it is host memory that the device sees, too */
  unsigned flags; /* of cuMemHostAlloc */
};

struct driver {
  pthread_mutex_t lock;
  struct sim *sim;     /* NULL before cuInit */
  const char *report;  /* path of SIM_REPORT, NULL for none */
  struct trace *trace; /* of SIM_TRACE, NULL for none */
  struct object *objects[OBJECT_KINDS];
  unsigned long long last_id;
  struct CUctx_st *primary;
  unsigned retained;      /* how often the primary context is */
  unsigned primary_flags; /* asked for by cuDevicePrimaryCtxSetFlags */
  CUresult fault;         /* of a kernel; CUDA_SUCCESS for none */
  bool fault_seen;        /* a call has returned it */
  size_t pinned;          /* bytes of host memory among the device's */
};

extern struct driver driver;

/* Takes the lock. CUDA_ERROR_NOT_INITIALIZED before cuInit. */
CUresult driver_enter(void);

/* Also needs a current context: CUDA_ERROR_INVALID_CONTEXT if there is none,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED if it was destroyed. */
CUresult driver_enter_context(void);

/* Also waits for the device: returns the fault of a kernel, if there is one. */
CUresult driver_enter_device(void);

/* Also puts work into a stream: returns a fault that has been seen. Where one
 * has not been seen, sets *stalled: succeed, and do nothing. */
CUresult driver_enter_queue(CUstream stream, bool *stalled);

/* Gives the lock back. Returns `result`. */
CUresult driver_leave(CUresult result);

/* The current context of the calling thread, NULL for none. */
CUcontext context_current(void);

/* Is this handle one of ours, alive, and of this kind? Any pointer may be
 * asked about. */
bool object_lives(const void *handle, enum object_kind kind);

/* Enters a new object into the list of its kind. */
void object_add(struct object *object, enum object_kind kind,
                CUcontext context);

/* Takes an object out of its list and frees it and what hangs on it. */
void object_destroy(struct object *object);

/* Destroys everything that belongs to a context. */
void object_destroy_all(CUcontext context);

/* Is this a stream that work may be put into? The default streams are. */
bool stream_lives(CUstream stream);

/* Loads PTX for a context (NULL: for all of them). */
CUresult module_create(CUcontext context, const char *image, size_t length,
                       unsigned count, const CUjit_option *options,
                       void **values, CUmodule *module);

/* A kernel by name, NULL where the module has none of this name. */
CUfunction module_find(CUmodule module, const char *name);

/* Fills an array with up to `count` kernels. Returns how many. */
unsigned module_list(CUmodule module, CUfunction *functions, unsigned count);

/* The address and size of a variable, each only where asked for. */
CUresult module_global(CUmodule module, const char *name, CUdeviceptr *address,
                       size_t *bytes);

/* The allocation that an address lies in, NULL for none. */
struct allocation *memory_find(CUdeviceptr address);

/* Seconds since some fixed time. */
double clock_seconds(void);

/* Exports `function`, which this file defines, under a second name. */
#define DRIVER_ALIAS(name, function)                                           \
  extern __typeof__(function) name                                             \
      __attribute__((alias(#function), visibility("default")))

/* The name for programs whose default stream is one of each thread. Work is
 * done when a call returns, so that the two streams are the same. */
#define DRIVER_PTDS(function) DRIVER_ALIAS(function##_ptds, function)
#define DRIVER_PTSZ(function) DRIVER_ALIAS(function##_ptsz, function)

#endif
