/* Modules and libraries: loading, refusing, logs, functions, variables. */
#include "driver.h"

struct logs {
  char info[512], error[512];
  size_t info_size, error_size;
};

static CUresult load(const char *image, struct logs *logs) {
  CUmodule module;
  CUjit_option options[] = {
      CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
      CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {logs->info, (void *)sizeof logs->info, logs->error,
                    (void *)sizeof logs->error};
  memset(logs, '~', sizeof *logs);
  CUresult result = cuModuleLoadDataEx(&module, image, 4, options, values);
  logs->info_size = (size_t)(uintptr_t)values[1];
  logs->error_size = (size_t)(uintptr_t)values[3];
  if (result == CUDA_SUCCESS)
    cuModuleUnload(module);
  return result;
}

static void refused(const char *image, CUresult want, const char *says,
                    const char *what) {
  struct logs logs;
  driver_is(load(image, &logs), want, what);
  if (on_simulator())
    tap_ok(memchr(logs.error, 0, sizeof logs.error) != NULL &&
               strstr(logs.error, says) != NULL &&
               logs.error_size == strlen(logs.error),
           "%s: the log says why", what);
  if (on_simulator() && strstr(logs.error, says) == NULL)
    printf("# %.400s\n", logs.error);
}

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

static void images(void) {
  static const char elf[64] = "\177ELF\2\1\1";
  static const char fat[64] = "\x50\xed\x55\xba\1\0\x10\0";
  struct logs logs;
  GOOD(load(driver_ptx, &logs));
  tap_ok(logs.error_size == 0 && logs.error[0] == '\0' && logs.info_size == 0 &&
             logs.info[0] == '\0',
         "a good module leaves both logs empty");
  GOOD(load("// a comment\n/* and\n another */\n" HEAD, &logs));
  refused("", CUDA_ERROR_INVALID_IMAGE, ".version", "nothing");
  refused("hello world", CUDA_ERROR_INVALID_IMAGE, ".version", "no PTX");
  refused(".target sm_80\n.address_size 64\n", CUDA_ERROR_INVALID_IMAGE,
          ".version", "no version");
  refused(".version 99.0\n.target sm_80\n.address_size 64\n",
          CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "ptx line 1:", "version 99.0");
  refused(HEAD ".visible .entry k()\n{\n  frob.u32 %r1, %r2;\n  ret;\n}\n",
          CUDA_ERROR_INVALID_PTX, "ptx line 6:", "an unknown instruction");
  refused(HEAD ".visible .entry k()\n{\n  .reg .b32 %r<3>;\n"
               "  add.u32 %r1, %r2, %r7;\n  ret;\n}\n",
          CUDA_ERROR_INVALID_PTX, "ptx line 7:", "an unknown register");
  refused(fat, CUDA_ERROR_NO_BINARY_FOR_GPU, "nvcc -ptx", "a fat binary");
  if (on_simulator())
    refused(elf, CUDA_ERROR_NO_BINARY_FOR_GPU, "nvcc -ptx", "a cubin");
}

static void options(void) {
  CUmodule module;
  char log[100];
  CUjit_option unknown[] = {(CUjit_option)77};
  CUjit_option sizeless[] = {CU_JIT_ERROR_LOG_BUFFER};
  CUjit_option both[] = {CU_JIT_ERROR_LOG_BUFFER,
                         CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  CUjit_option timed[] = {CU_JIT_WALL_TIME, CU_JIT_OPTIMIZATION_LEVEL,
                          CU_JIT_LOG_VERBOSE};
  void *values[3] = {log, (void *)10, NULL};
  float milliseconds = -1;
  IS(cuModuleLoadDataEx(&module, driver_ptx, 1, unknown, values),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuModuleLoadDataEx(&module, driver_ptx, 1, NULL, NULL),
     CUDA_ERROR_INVALID_VALUE);
  IS(cuModuleLoadDataEx(&module, driver_ptx, 1, sizeless, values),
     CUDA_ERROR_INVALID_VALUE);
  memset(log, '#', sizeof log);
  IS(cuModuleLoadDataEx(&module, HEAD "frob", 2, both, values),
     CUDA_ERROR_INVALID_PTX);
  tap_ok(strlen(log) == 9 && log[10] == '#', "a short log is cut off");
  tap_ok((size_t)(uintptr_t)values[1] >= 9 &&
             (size_t)(uintptr_t)values[1] <= 10,
         "and its size says so");
  values[0] = NULL;
  values[1] = (void *)4;
  GOOD(cuModuleLoadDataEx(&module, driver_ptx, 3, timed, values));
  memcpy(&milliseconds, &values[0], sizeof milliseconds);
  tap_ok(milliseconds >= 0 && milliseconds < 60000, "loading takes time");
  GOOD(cuModuleUnload(module));
}

static void files(void) {
  char path[] = "/tmp/driver-module-XXXXXX";
  CUmodule module = NULL;
  int file = mkstemp(path);
  tap_ok(file >= 0 && write(file, driver_ptx, strlen(driver_ptx)) > 0,
         "a file to load");
  close(file);
  GOOD(cuModuleLoad(&module, path));
  GOOD(cuModuleUnload(module));
  unlink(path);
  IS(cuModuleLoad(&module, path), CUDA_ERROR_FILE_NOT_FOUND);
  IS(cuModuleLoad(NULL, path), CUDA_ERROR_INVALID_VALUE);
  IS(cuModuleLoad(&module, NULL), CUDA_ERROR_INVALID_VALUE);
  IS(cuModuleLoadData(NULL, driver_ptx), CUDA_ERROR_INVALID_VALUE);
  IS(cuModuleLoadData(&module, NULL), CUDA_ERROR_INVALID_VALUE);
}

static void contents(CUmodule module) {
  CUfunction function = NULL, all[20] = {NULL};
  CUmodule owner = NULL;
  CUdeviceptr address = 0;
  size_t bytes = 0;
  unsigned count = 0, numbers[4] = {0};
  const char *name = NULL;
  GOOD(cuModuleGetFunction(&function, module, "store"));
  IS(cuModuleGetFunction(&function, module, "nope"), CUDA_ERROR_NOT_FOUND);
  IS(cuModuleGetFunction(&function, module, NULL), CUDA_ERROR_INVALID_VALUE);
  IS(cuModuleGetFunction(NULL, module, "store"), CUDA_ERROR_INVALID_VALUE);
  IS(cuModuleGetFunction(&function, NULL, "store"), CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuModuleGetFunctionCount(&count, module));
  tap_is_u64(count, DRIVER_KERNELS, "kernels in the module");
  GOOD(cuModuleEnumerateFunctions(all, 20, module));
  tap_ok(all[DRIVER_KERNELS - 1] != NULL && all[DRIVER_KERNELS] == NULL,
         "that many are listed");
  function = driver_kernel(module, "store");
  GOOD(cuFuncGetName(&name, function));
  tap_ok(strcmp(name, "store") == 0, "the name of a function");
  GOOD(cuFuncGetModule(&owner, function));
  tap_ok(owner == module, "the module of a function");
  GOOD(cuModuleGetGlobal(&address, &bytes, module, "table"));
  tap_is_u64(bytes, 16, "bytes of a variable");
  GOOD(cuMemcpyDtoH(numbers, address, sizeof numbers));
  tap_ok(numbers[0] == 1 && numbers[3] == 4, "with its initial values");
  GOOD(cuModuleGetGlobal(&address, NULL, module, "table"));
  IS(cuModuleGetGlobal(NULL, NULL, module, "table"), CUDA_ERROR_INVALID_VALUE);
  IS(cuModuleGetGlobal(&address, &bytes, module, "nope"), CUDA_ERROR_NOT_FOUND);
}

static void libraries(void) {
  CUlibrary library = NULL;
  CUkernel kernel = NULL;
  CUfunction function = NULL;
  CUmodule module = NULL;
  unsigned count = 0;
  GOOD(cuLibraryLoadData(&library, driver_ptx, NULL, NULL, 0, NULL, NULL, 0));
  GOOD(cuLibraryGetKernel(&kernel, library, "empty"));
  IS(cuLibraryGetKernel(&kernel, library, "nope"), CUDA_ERROR_NOT_FOUND);
  GOOD(cuLibraryGetKernelCount(&count, library));
  tap_is_u64(count, DRIVER_KERNELS, "kernels in the library");
  GOOD(cuLibraryGetKernel(&kernel, library, "empty"));
  GOOD(cuKernelGetFunction(&function, kernel));
  GOOD(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
  GOOD(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL,
                      NULL));
  GOOD(cuLibraryGetModule(&module, library));
  IS(cuModuleUnload(module), CUDA_ERROR_NOT_PERMITTED);
  GOOD(cuCtxSynchronize());
  GOOD(cuLibraryUnload(library));
  if (on_simulator())
    IS(cuLibraryUnload(library), CUDA_ERROR_INVALID_HANDLE);
}

static void handles(CUmodule module) {
  CUfunction function = driver_kernel(module, "empty");
  CUmodule again = NULL;
  int nothing = 0;
  const char *name;
  IS(cuModuleUnload(NULL), CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuModuleLoadData(&again, driver_ptx));
  GOOD(cuModuleUnload(module));
  if (!on_simulator())
    return;
  IS(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  IS(cuModuleUnload((CUmodule)&nothing), CUDA_ERROR_INVALID_HANDLE);
  IS(cuModuleGetFunction(&function, module, "empty"),
     CUDA_ERROR_INVALID_HANDLE);
  IS(cuFuncGetName(&name, function), CUDA_ERROR_INVALID_HANDLE);
  IS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
     CUDA_ERROR_INVALID_HANDLE);
}

int main(void) {
  CUmodule module = driver_start(NULL);
  images();
  options();
  files();
  contents(module);
  libraries();
  handles(module);
  return tap_done();
}
