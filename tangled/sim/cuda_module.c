/* Modules: PTX text in, kernels and variables out. */
#include <stdlib.h>
#include <string.h>

#include "cuda_jit.h"
#include "cuda_state.h"
#include "shape.h"
#include "textfile.h"

static const char *skip_comments(const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "//", 2) == 0)
      text += strcspn(text, "\n");
    else if (strncmp(text, "/*", 2) == 0 && strstr(text + 2, "*/") != NULL)
      text = strstr(text + 2, "*/") + 2;
    else
      return text;
  }
}

static bool is_fat_binary(const char *image) {
  return strncmp(image, "\x50\xed\x55\xba", 4) == 0 || /* the binary itself */
         strncmp(image, "\xb1\x43\x62\x46", 4) == 0;   /* nvcc's wrapper */
}

static CUresult check_image(const char *image, struct jit *jit) {
  if (strncmp(image, "\177ELF", 4) == 0) {
    jit_error(jit, "the image is machine code (a cubin); the simulator runs "
                   "PTX: compile with nvcc -ptx");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (is_fat_binary(image)) {
    jit_error(jit, "the image is a fat binary; the simulator runs PTX: compile "
                   "with nvcc -ptx");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (strncmp(skip_comments(image), ".version", 8) == 0)
    return CUDA_SUCCESS;
  jit_error(jit, "the image is not PTX: it does not begin with .version");
  return CUDA_ERROR_INVALID_IMAGE;
}

static CUresult report_ptx_error(const struct ptx_error *error,
                                 struct jit *jit) {
  jit_error(jit, "ptx line %u: %s", error->line, error->message);
  if (error->status == PTX_NO_MEMORY)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (error->status != PTX_BAD_VERSION)
    return CUDA_ERROR_INVALID_PTX;
  jit_error(jit, "compile with an older nvcc, or write an older .version if "
                 "the code needs nothing newer");
  return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

static bool function_create(CUmodule module, struct sim_kernel *kernel) {
  CUfunction function = calloc(1, sizeof *function);
  if (function == NULL)
    return false;
  object_add(&function->object, OBJECT_FUNCTION, module->object.context);
  function->module = module;
  function->kernel = kernel;
  function->carveout = CU_SHAREDMEM_CARVEOUT_DEFAULT;
  sim_kernel_describe(kernel, &function->info);
  function->dynamic_limit = shape_dynamic_limit(&function->info);
  return true;
}

static bool functions_create(CUmodule module) {
  uint32_t count = sim_module_kernel_count(module->code);
  for (uint32_t i = count; i-- > 0;)
    if (!function_create(module, sim_module_kernel_at(module->code, i)))
      return false;
  return true;
}

static CUresult load_ptx(CUcontext context, const char *image, size_t length,
                         struct jit *jit, CUmodule *module) {
  struct ptx_error error = {.status = PTX_OK};
  CUmodule fresh = calloc(1, sizeof *fresh);
  if (fresh == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  fresh->code = sim_module_load(driver.sim, image, length, &error);
  if (fresh->code == NULL) {
    free(fresh);
    return report_ptx_error(&error, jit);
  }
  object_add(&fresh->object, OBJECT_MODULE, context);
  if (!functions_create(fresh)) {
    object_destroy(&fresh->object);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *module = fresh;
  return CUDA_SUCCESS;
}

CUresult module_create(CUcontext context, const char *image, size_t length,
                       unsigned count, const CUjit_option *options,
                       void **values, CUmodule *module) {
  struct jit jit;
  double start = clock_seconds();
  CUresult result = jit_read(&jit, count, options, values);
  if (result != CUDA_SUCCESS)
    return result;
  result = check_image(image, &jit);
  if (result == CUDA_SUCCESS)
    result = load_ptx(context, image, length, &jit, module);
  if (result == CUDA_SUCCESS)
    jit_info(&jit, "simulator: %u kernels",
             sim_module_kernel_count((*module)->code));
  jit_write(&jit, clock_seconds() - start);
  return result;
}

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *module, const void *image,
                                    unsigned int count, CUjit_option *options,
                                    void **values) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && (module == NULL || image == NULL))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = module_create(context_current(), image, strlen(image), count,
                           options, values, module);
  return driver_leave(result);
}

CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult CUDAAPI cuModuleLoad(CUmodule *module, const char *path) {
  CUresult result = driver_leave(driver_enter_device());
  size_t length;
  char *text;
  if (result != CUDA_SUCCESS)
    return result;
  if (module == NULL || path == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  text = textfile_read(path, &length);
  if (text == NULL)
    return CUDA_ERROR_FILE_NOT_FOUND;
  result = cuModuleLoadData(module, text);
  free(text);
  return result;
}

CUresult CUDAAPI cuModuleUnload(CUmodule module) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && !object_lives(module, OBJECT_MODULE))
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS && module->object.context == NULL)
    result = CUDA_ERROR_NOT_PERMITTED; /* it belongs to a library */
  if (result == CUDA_SUCCESS)
    object_destroy(&module->object);
  return driver_leave(result);
}

CUfunction module_find(CUmodule module, const char *name) {
  struct object *object = driver.objects[OBJECT_FUNCTION];
  for (; object != NULL; object = object->next) {
    CUfunction function = (CUfunction)object;
    if (function->module == module && strcmp(function->info.name, name) == 0)
      return function;
  }
  return NULL;
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction *function, CUmodule module,
                                     const char *name) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && (function == NULL || name == NULL))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && !object_lives(module, OBJECT_MODULE))
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS) {
    CUfunction found = module_find(module, name);
    result = found != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
    *function = found;
  }
  return driver_leave(result);
}

CUresult CUDAAPI cuModuleGetFunctionCount(unsigned int *count,
                                          CUmodule module) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && count == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && !object_lives(module, OBJECT_MODULE))
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS)
    *count = sim_module_kernel_count(module->code);
  return driver_leave(result);
}

unsigned module_list(CUmodule module, CUfunction *functions, unsigned count) {
  unsigned filled = 0;
  struct object *object = driver.objects[OBJECT_FUNCTION];
  for (; object != NULL && filled < count; object = object->next)
    if (((CUfunction)object)->module == module)
      functions[filled++] = (CUfunction)object;
  return filled;
}

CUresult CUDAAPI cuModuleEnumerateFunctions(CUfunction *functions,
                                            unsigned int count,
                                            CUmodule module) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && functions == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS && !object_lives(module, OBJECT_MODULE))
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS)
    module_list(module, functions, count);
  return driver_leave(result);
}

CUresult module_global(CUmodule module, const char *name, CUdeviceptr *address,
                       size_t *bytes) {
  uint64_t base, size;
  if (name == NULL || (address == NULL && bytes == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  if (!sim_module_global(module->code, name, &base, &size))
    return CUDA_ERROR_NOT_FOUND;
  if (address != NULL)
    *address = base;
  if (bytes != NULL)
    *bytes = size;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes,
                                   CUmodule module, const char *name) {
  CUresult result = driver_enter_device();
  if (result == CUDA_SUCCESS && !object_lives(module, OBJECT_MODULE))
    result = CUDA_ERROR_INVALID_HANDLE;
  if (result == CUDA_SUCCESS)
    result = module_global(module, name, address, bytes);
  return driver_leave(result);
}

CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  CUresult result = driver_leave(driver_enter());
  if (result == CUDA_SUCCESS && mode == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    *mode = CU_MODULE_EAGER_LOADING;
  return result;
}
