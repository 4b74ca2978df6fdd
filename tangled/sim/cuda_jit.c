/* Options and logs of loading a module; see cuda_jit.h. */
#include "cuda_jit.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void read_option(struct jit *jit, CUjit_option option, void **value) {
  if (option == CU_JIT_INFO_LOG_BUFFER)
    jit->info.buffer = *value;
  else if (option == CU_JIT_ERROR_LOG_BUFFER)
    jit->error.buffer = *value;
  else if (option == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
    jit->info.report = value;
  else if (option == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
    jit->error.report = value;
  else if (option == CU_JIT_LOG_VERBOSE)
    jit->verbose = *value != NULL;
  else if (option == CU_JIT_WALL_TIME)
    jit->wall_time = value;
}

static bool start_log(struct jit_log *log) {
  if (log->buffer != NULL && log->report == NULL)
    return false;
  log->size = log->report != NULL ? (size_t)(uintptr_t)*log->report : 0;
  if (log->buffer == NULL || log->size == 0)
    log->size = 0;
  else
    log->buffer[0] = '\0';
  return true;
}

CUresult jit_read(struct jit *jit, unsigned count, const CUjit_option *options,
                  void **values) {
  *jit = (struct jit){.verbose = false};
  if (count > 0 && (options == NULL || values == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; i++) {
    if ((int)options[i] < 0 || options[i] >= CU_JIT_NUM_OPTIONS)
      return CUDA_ERROR_INVALID_VALUE;
    read_option(jit, options[i], &values[i]);
  }
  return start_log(&jit->info) && start_log(&jit->error)
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}

static void add_line(struct jit_log *log, const char *format, va_list args) {
  size_t room = log->size - log->used;
  int wanted;
  if (room <= 1)
    return;
  if (log->used > 0) {
    log->buffer[log->used++] = '\n';
    room--;
  }
  wanted = vsnprintf(log->buffer + log->used, room, format, args);
  if (wanted > 0)
    log->used += (size_t)wanted < room ? (size_t)wanted : room - 1;
}

void jit_error(struct jit *jit, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_line(&jit->error, format, args);
  va_end(args);
}

void jit_info(struct jit *jit, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (jit->verbose)
    add_line(&jit->info, format, args);
  va_end(args);
}

static void give_size(struct jit_log *log) {
  if (log->report != NULL)
    *log->report = (void *)(uintptr_t)log->used;
}

void jit_write(struct jit *jit, double seconds) {
  float milliseconds = (float)(1e3 * seconds);
  give_size(&jit->info);
  give_size(&jit->error);
  if (jit->wall_time != NULL) {
    *jit->wall_time = NULL;
    memcpy(jit->wall_time, &milliseconds, sizeof milliseconds);
  }
}
