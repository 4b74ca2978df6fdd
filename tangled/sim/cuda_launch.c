/* Launching kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_state.h"
#include "report.h"
#include "shape.h"

static CUresult gather_pointers(const struct sim_kernel_info *info,
                                void *const *params, unsigned char *buffer) {
  for (uint32_t i = 0; i < info->parameter_count; i++) {
    if (params[i] == NULL)
      return CUDA_ERROR_INVALID_VALUE;
    memcpy(buffer + info->parameter_offset[i], params[i],
           info->parameter_size[i]);
  }
  return CUDA_SUCCESS;
}

static CUresult gather_buffer(const struct sim_kernel_info *info, void **extra,
                              unsigned char *buffer) {
  const void *source = NULL;
  const size_t *size = NULL;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      source = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = extra[1];
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  if (size == NULL || source == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (*size != info->parameter_bytes)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  memcpy(buffer, source, *size);
  return CUDA_SUCCESS;
}

static CUresult gather(const struct sim_kernel_info *info, void **params,
                       void **extra, unsigned char *buffer) {
  if (info->parameter_count == 0)
    return CUDA_SUCCESS;
  if ((params == NULL) == (extra == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  return extra != NULL ? gather_buffer(info, extra, buffer)
                       : gather_pointers(info, params, buffer);
}

static void write_report(const struct report *report) {
  char *line = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&line, &length);
  FILE *file = fopen(driver.report, "a");
  if (memory != NULL) {
    fputc('{', memory);
    report_members(memory, report);
    fputs("}\n", memory);
    fclose(memory);
  }
  if (file == NULL || line == NULL || fwrite(line, 1, length, file) != length)
    fprintf(stderr, "simulator: cannot write to %s\n", driver.report);
  if (file != NULL)
    fclose(file);
  free(line);
}

static CUresult fault_result(const struct fault *fault) {
  static const CUresult codes[] = {
      CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS,
      CUDA_ERROR_LAUNCH_TIMEOUT,  CUDA_ERROR_ILLEGAL_INSTRUCTION,
      CUDA_ERROR_OUT_OF_MEMORY,   CUDA_ERROR_LAUNCH_FAILED,
      CUDA_ERROR_ASSERT,
  };
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
    const char *name;
    if (cuGetErrorName(codes[i], &name) == CUDA_SUCCESS &&
        strcmp(name, report_error(fault)) == 0)
      return codes[i];
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

static bool run_traced(CUfunction function, struct sim_launch launch,
                       struct sim_result *result) {
  struct trace *trace = driver.trace;
  char message[400];
  if (trace != NULL &&
      !trace_begin(trace, function->kernel, function->module->code, &launch,
                   message, sizeof message))
    fprintf(stderr, "simulator: %s\n", message);
  bool good = sim_run(driver.sim, function->kernel, &launch, result);
  if (trace != NULL && !trace_end(trace, result))
    fprintf(stderr, "simulator: cannot write to the file of SIM_TRACE\n");
  return good;
}

static void run(CUfunction function, const struct sim_launch *launch) {
  struct sim_result result;
  struct report report = {
      .kernel = function->kernel, .launch = launch, .result = &result};
  double start = clock_seconds();
  bool good = run_traced(function, *launch, &result);
  report.seconds = clock_seconds() - start;
  report_findings(stderr, &report);
  if (!good) {
    driver.fault = fault_result(&result.fault);
    report_fault(stderr, &report);
  }
  if (driver.report != NULL)
    write_report(&report);
}

static CUresult launch_function(CUfunction function, struct sim_launch *launch,
                                void **params, void **extra, bool stalled) {
  CUresult result;
  unsigned char *buffer;
  if (!object_lives(function, OBJECT_FUNCTION) ||
      (function->object.context != NULL &&
       function->object.context != context_current()))
    return CUDA_ERROR_INVALID_HANDLE;
  if (shape_refuse(&function->info, launch, function->dynamic_limit) != NULL)
    return CUDA_ERROR_INVALID_VALUE;
  buffer = calloc(1, function->info.parameter_bytes + 1);
  if (buffer == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  result = gather(&function->info, params, extra, buffer);
  launch->parameters = buffer;
  if (result == CUDA_SUCCESS && !stalled)
    run(function, launch);
  free(buffer);
  return result;
}

CUresult CUDAAPI cuLaunchKernel(CUfunction function, unsigned int grid_x,
                                unsigned int grid_y, unsigned int grid_z,
                                unsigned int block_x, unsigned int block_y,
                                unsigned int block_z, unsigned int shared_bytes,
                                CUstream stream, void **params, void **extra) {
  struct sim_launch launch = {.grid = {grid_x, grid_y, grid_z},
                              .block = {block_x, block_y, block_z},
                              .shared_bytes = shared_bytes};
  bool stalled;
  CUresult result = driver_enter_queue(stream, &stalled);
  if (result == CUDA_SUCCESS)
    result = launch_function(function, &launch, params, extra, stalled);
  return driver_leave(result);
}

static CUresult cooperative(bool wanted, uint64_t blocks) {
  return wanted && blocks > 1 ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

static CUresult check_attribute(const CUlaunchAttribute *attribute,
                                uint64_t blocks) {
  const CUlaunchAttributeValue *value = &attribute->value;
  switch (attribute->id) {
  case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    return cooperative(value->cooperative != 0, blocks);
  case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    return value->clusterDim.x == 1 && value->clusterDim.y == 1 &&
                   value->clusterDim.z == 1
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_SUPPORTED;
  case CU_LAUNCH_ATTRIBUTE_IGNORE:
  case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
  case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
  case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
  case CU_LAUNCH_ATTRIBUTE_PRIORITY:
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
  case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_NOT_SUPPORTED;
  }
}

static CUresult check_attributes(const CUlaunchConfig *config) {
  uint64_t blocks = (uint64_t)config->gridDimX * config->gridDimY;
  CUresult result = CUDA_SUCCESS;
  if (config->numAttrs > 0 && config->attrs == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (config->gridDimZ > 1)
    blocks *= 2; /* more than one is all that matters */
  for (unsigned i = 0; i < config->numAttrs && result == CUDA_SUCCESS; i++)
    result = check_attribute(&config->attrs[i], blocks);
  return result;
}

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *config,
                                  CUfunction function, void **params,
                                  void **extra) {
  CUresult result =
      config != NULL ? check_attributes(config) : CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS)
    return result;
  return cuLaunchKernel(function, config->gridDimX, config->gridDimY,
                        config->gridDimZ, config->blockDimX, config->blockDimY,
                        config->blockDimZ, config->sharedMemBytes,
                        config->hStream, params, extra);
}

CUresult CUDAAPI cuLaunchCooperativeKernel(
    CUfunction function, unsigned int grid_x, unsigned int grid_y,
    unsigned int grid_z, unsigned int block_x, unsigned int block_y,
    unsigned int block_z, unsigned int shared_bytes, CUstream stream,
    void **params) {
  CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
                                 .value = {.cooperative = 1}};
  CUlaunchConfig config = {.gridDimX = grid_x,
                           .gridDimY = grid_y,
                           .gridDimZ = grid_z,
                           .blockDimX = block_x,
                           .blockDimY = block_y,
                           .blockDimZ = block_z,
                           .sharedMemBytes = shared_bytes,
                           .hStream = stream,
                           .attrs = &attribute,
                           .numAttrs = 1};
  return cuLaunchKernelEx(&config, function, params, NULL);
}

CUresult CUDAAPI cuProfilerStart(void) {
  return driver_leave(driver_enter_context());
}

CUresult CUDAAPI cuProfilerStop(void) {
  return driver_leave(driver_enter_context());
}

DRIVER_PTSZ(cuLaunchKernel);
DRIVER_PTSZ(cuLaunchKernelEx);
DRIVER_PTSZ(cuLaunchCooperativeKernel);
