/* The driver's state: the lock, the list of live objects, and cuInit. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cuda_state.h"

struct driver driver = {.lock = PTHREAD_MUTEX_INITIALIZER};

CUresult driver_enter(void) {
  pthread_mutex_lock(&driver.lock);
  return driver.sim != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult driver_leave(CUresult result) {
  pthread_mutex_unlock(&driver.lock);
  return result;
}

CUresult driver_enter_context(void) {
  CUresult result = driver_enter();
  CUcontext current = context_current();
  if (result != CUDA_SUCCESS)
    return result;
  if (current == NULL)
    return CUDA_ERROR_INVALID_CONTEXT;
  return current->alive ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult driver_enter_device(void) {
  CUresult result = driver_enter_context();
  if (result == CUDA_SUCCESS && driver.fault != CUDA_SUCCESS) {
    driver.fault_seen = true;
    return driver.fault;
  }
  return result;
}

CUresult driver_enter_queue(CUstream stream, bool *stalled) {
  CUresult result = driver_enter_context();
  *stalled = driver.fault != CUDA_SUCCESS;
  if (result != CUDA_SUCCESS)
    return result;
  if (driver.fault_seen)
    return driver.fault;
  return stream_lives(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

bool object_lives(const void *handle, enum object_kind kind) {
  const struct object *object = driver.objects[kind];
  while (object != NULL && (const void *)object != handle)
    object = object->next;
  return object != NULL;
}

void object_add(struct object *object, enum object_kind kind,
                CUcontext context) {
  object->kind = kind;
  object->context = context;
  object->id = ++driver.last_id;
  object->next = driver.objects[kind];
  driver.objects[kind] = object;
}

static void unlink_object(struct object *object) {
  struct object **link = &driver.objects[object->kind];
  while (*link != NULL && *link != object)
    link = &(*link)->next;
  if (*link != NULL)
    *link = object->next;
}

static void release_functions(const struct CUmod_st *module) {
  struct object *object = driver.objects[OBJECT_FUNCTION];
  while (object != NULL) {
    struct object *next = object->next;
    if (((struct CUfunc_st *)object)->module == module)
      object_destroy(object);
    object = next;
  }
}

static void release(struct object *object) {
  if (object->kind == OBJECT_MODULE) {
    struct CUmod_st *module = (struct CUmod_st *)object;
    release_functions(module);
    sim_module_unload(driver.sim, module->code);
  } else if (object->kind == OBJECT_LIBRARY) {
    object_destroy(&((struct CUlib_st *)object)->module->object);
  } else if (object->kind == OBJECT_ALLOCATION) {
    struct allocation *allocation = (struct allocation *)object;
    driver.pinned -= allocation->pinned ? allocation->bytes : 0;
    sim_release(driver.sim, allocation->address);
  }
}

void object_destroy(struct object *object) {
  unlink_object(object);
  release(object);
  free(object);
}

void object_destroy_all(CUcontext context) {
  for (int kind = OBJECT_MODULE; kind < OBJECT_KINDS; kind++) {
    struct object *object = driver.objects[kind];
    while (object != NULL) {
      struct object *next = object->next;
      if (object->context == context && kind != OBJECT_FUNCTION)
        object_destroy(object);
      object = next;
    }
  }
}

double clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static CUresult refuse_settings(const char *message) {
  fprintf(stderr, "simulator: %s\n", message);
  return CUDA_ERROR_INVALID_VALUE;
}

static CUresult open_trace(const struct trace_setup *setup) {
  char message[400];
  if (setup->path == NULL || driver.trace != NULL)
    return CUDA_SUCCESS;
  driver.trace = trace_open(setup, message, sizeof message);
  return driver.trace != NULL ? CUDA_SUCCESS : refuse_settings(message);
}

static CUresult start_simulator(void) {
  struct settings settings;
  char message[400];
  if (!settings_read(&settings, message, sizeof message))
    return refuse_settings(message);
  if (settings.report != NULL) {
    FILE *file = fopen(settings.report, "a");
    if (file == NULL)
      return refuse_settings("SIM_REPORT names a file that cannot be written");
    fclose(file);
  }
  if (open_trace(&settings.trace) != CUDA_SUCCESS)
    return CUDA_ERROR_INVALID_VALUE;
  driver.report = settings.report;
  driver.sim = sim_create(&settings.options);
  return driver.sim != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult CUDAAPI cuInit(unsigned int flags) {
  CUresult result = driver_enter();
  if (flags != 0)
    result = CUDA_ERROR_INVALID_VALUE;
  else if (result != CUDA_SUCCESS)
    result = start_simulator();
  return driver_leave(result);
}

CUresult CUDAAPI cuDriverGetVersion(int *version) {
  if (version == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
