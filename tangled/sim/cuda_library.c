/* Libraries: modules that belong to no context. */
#include <stdlib.h>
#include <string.h>

#include "cuda_state.h"
#include "textfile.h"

static CUresult library_create(CUlibrary *library, const char *code,
                               unsigned count, const CUjit_option *options,
                               void **values) {
  CUlibrary fresh = calloc(1, sizeof *fresh);
  CUresult result = fresh != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  if (result == CUDA_SUCCESS)
    result = module_create(NULL, code, strlen(code), count, options, values,
                           &fresh->module);
  if (result != CUDA_SUCCESS) {
    free(fresh);
    return result;
  }
  object_add(&fresh->object, OBJECT_LIBRARY, NULL);
  *library = fresh;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryLoadData(CUlibrary *library, const void *code,
                                   CUjit_option *options, void **values,
                                   unsigned int count,
                                   CUlibraryOption *library_options,
                                   void **library_values,
                                   unsigned int library_count) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS &&
      (library == NULL || code == NULL ||
       (library_count > 0 &&
        (library_options == NULL || library_values == NULL))))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = library_create(library, code, count, options, values);
  return driver_leave(result);
}

CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary *library, const char *path,
                                       CUjit_option *options, void **values,
                                       unsigned int count,
                                       CUlibraryOption *library_options,
                                       void **library_values,
                                       unsigned int library_count) {
  CUresult result;
  size_t length;
  char *text = path != NULL ? textfile_read(path, &length) : NULL;
  if (text == NULL)
    return path != NULL ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
  result = cuLibraryLoadData(library, text, options, values, count,
                             library_options, library_values, library_count);
  free(text);
  return result;
}

static CUresult enter_library(CUlibrary library, const void *answer) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && answer == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && !object_lives(library, OBJECT_LIBRARY))
    result = CUDA_ERROR_INVALID_HANDLE;
  return result;
}

CUresult CUDAAPI cuLibraryUnload(CUlibrary library) {
  CUresult result = enter_library(library, &library);
  if (result == CUDA_SUCCESS)
    object_destroy(&library->object);
  return driver_leave(result);
}

CUresult CUDAAPI cuLibraryGetKernel(CUkernel *kernel, CUlibrary library,
                                    const char *name) {
  CUresult result = enter_library(library, kernel);
  if (result == CUDA_SUCCESS && name == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) {
    *kernel = (CUkernel)module_find(library->module, name);
    result = *kernel != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  }
  return driver_leave(result);
}

CUresult CUDAAPI cuLibraryGetKernelCount(unsigned int *count,
                                         CUlibrary library) {
  CUresult result = enter_library(library, count);
  if (result == CUDA_SUCCESS)
    *count = sim_module_kernel_count(library->module->code);
  return driver_leave(result);
}

CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel *kernels,
                                           unsigned int count,
                                           CUlibrary library) {
  CUresult result = enter_library(library, kernels);
  if (result == CUDA_SUCCESS)
    module_list(library->module, (CUfunction *)kernels, count);
  return driver_leave(result);
}

CUresult CUDAAPI cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  CUresult result = enter_library(library, module);
  if (result == CUDA_SUCCESS)
    *module = library->module;
  return driver_leave(result);
}

CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes,
                                    CUlibrary library, const char *name) {
  CUresult result = enter_library(library, &library);
  if (result == CUDA_SUCCESS)
    result = module_global(library->module, name, address, bytes);
  return driver_leave(result);
}

static CUresult enter_kernel(CUkernel kernel, const void *answer) {
  CUresult result = driver_enter();
  if (result == CUDA_SUCCESS && answer == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && !object_lives(kernel, OBJECT_FUNCTION))
    result = CUDA_ERROR_INVALID_HANDLE;
  return result;
}

CUresult CUDAAPI cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  CUresult result = enter_kernel(kernel, function);
  if (result == CUDA_SUCCESS)
    *function = (CUfunction)kernel;
  return driver_leave(result);
}

CUresult CUDAAPI cuKernelGetName(const char **name, CUkernel kernel) {
  CUresult result = enter_kernel(kernel, name);
  if (result == CUDA_SUCCESS)
    *name = ((CUfunction)kernel)->info.name;
  return driver_leave(result);
}

CUresult CUDAAPI cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  CUresult result = enter_kernel(kernel, library);
  struct object *object = driver.objects[OBJECT_LIBRARY];
  while (result == CUDA_SUCCESS && object != NULL &&
         ((CUlibrary)object)->module != ((CUfunction)kernel)->module)
    object = object->next;
  if (result == CUDA_SUCCESS && object == NULL)
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS)
    *library = (CUlibrary)object;
  return driver_leave(result);
}
