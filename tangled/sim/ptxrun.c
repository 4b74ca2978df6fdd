/* ptxrun: runs a kernel of a PTX file from the command line. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report.h"
#include "settings.h"
#include "shape.h"
#include "textfile.h"
#include "literals.h"

enum { MAX_ARGUMENTS = 64, EXIT_FAULT = 1, EXIT_USAGE = 2 };

enum kind { ARGUMENT_VALUE, ARGUMENT_IN, ARGUMENT_OUT, ARGUMENT_INOUT };

struct argument {
  enum kind kind;
  struct values values; /* bytes: NULL for out */
  uint64_t address;     /* of an array, on the device */
};

struct command {
  const char *path, *kernel;
  bool check, json, help;
  struct sim_launch launch;
  struct argument arguments[MAX_ARGUMENTS];
  size_t argument_count;
  struct trace *trace; /* NULL for none */
};

__attribute__((format(printf, 1, 2))) static int complain(const char *format,
                                                          ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  return EXIT_USAGE;
}

static int print_help(void) {
  puts("usage: ptxrun [options] FILE.ptx\n"
       "Runs a kernel of a PTX file in the simulator.\n\n"
       "  --kernel NAME     which, if the file has more than one\n"
       "  --grid X[,Y[,Z]]  blocks (1)\n"
       "  --block X[,Y[,Z]] threads of a block (32)\n"
       "  --shared BYTES    dynamic shared memory (0)\n"
       "  --arg ARGUMENT    one for each parameter, in order\n"
       "  --json            print one JSON object\n"
       "  --check           list the kernels and run nothing\n"
       "  --help            print this\n");
  puts("An ARGUMENT is one of\n"
       "  TYPE:VALUE        a number\n"
       "  in:TYPE:VALUES    an array with these values\n"
       "  out:TYPE:COUNT    an array that is printed afterwards\n"
       "  inout:TYPE:VALUES both\n"
       "TYPE is s8 u8 s16 u16 s32 u32 b32 s64 u64 b64 f32 or f64. VALUES are\n"
       "numbers with commas between them; 1..5 stands for 1,2,3,4,5.\n\n"
       "The environment variables SIM_THREADS, SIM_LIMIT, SIM_SCHEDULE,\n"
       "SIM_CHECK and SIM_TRACE have the same meaning as for libcuda. Exit\n"
       "status: 0 the kernel ran, 1 it stopped with a fault, 2 it could not\n"
       "be run.");
  return EXIT_SUCCESS;
}

static enum kind read_kind(const char **text) {
  static const char *const words[] = {[ARGUMENT_IN] = "in:",
                                      [ARGUMENT_OUT] = "out:",
                                      [ARGUMENT_INOUT] = "inout:"};
  for (int kind = ARGUMENT_IN; kind <= ARGUMENT_INOUT; kind++) {
    size_t length = strlen(words[kind]);
    if (strncmp(*text, words[kind], length) == 0) {
      *text += length;
      return (enum kind)kind;
    }
  }
  return ARGUMENT_VALUE;
}

static bool read_count(const char *text, uint64_t most, uint64_t *count) {
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *count = strtoull(text, &end, 10);
  return errno == 0 && *end == '\0' && *count <= most;
}

static bool read_argument(struct argument *argument, const char *text) {
  size_t length;
  uint64_t count;
  argument->kind = read_kind(&text);
  length = strcspn(text, ":");
  argument->values.type = value_type_find(text, length);
  if (argument->values.type == NULL || text[length] != ':')
    return false;
  text += length + 1;
  if (argument->kind != ARGUMENT_OUT)
    return values_read(&argument->values, text) &&
           (argument->kind != ARGUMENT_VALUE || argument->values.count == 1);
  if (!read_count(text, 1 << 30, &count) || count == 0)
    return false;
  argument->values.count = count;
  return true;
}

static bool read_dimensions(const char *text, uint32_t dimensions[3]) {
  dimensions[0] = dimensions[1] = dimensions[2] = 1;
  for (int i = 0; i < 3; i++) {
    char *end;
    unsigned long long value;
    if (*text < '0' || *text > '9')
      return false;
    value = strtoull(text, &end, 10);
    if (value > UINT32_MAX)
      return false;
    dimensions[i] = (uint32_t)value;
    if (*end == '\0')
      return true;
    if (*end != ',')
      return false;
    text = end + 1;
  }
  return false;
}

static int read_option(struct command *command, const char *option,
                       const char *value) {
  uint64_t bytes;
  if (strcmp(option, "--kernel") == 0) {
    command->kernel = value;
    return EXIT_SUCCESS;
  }
  if (strcmp(option, "--grid") == 0 || strcmp(option, "--block") == 0) {
    bool grid = strcmp(option, "--grid") == 0;
    return read_dimensions(value,
                           grid ? command->launch.grid : command->launch.block)
               ? EXIT_SUCCESS
               : complain("ptxrun: %s %s is not X, X,Y or X,Y,Z", option,
                          value);
  }
  if (strcmp(option, "--shared") == 0) {
    if (!read_count(value, UINT32_MAX, &bytes))
      return complain("ptxrun: --shared %s is not a number of bytes", value);
    command->launch.shared_bytes = (uint32_t)bytes;
    return EXIT_SUCCESS;
  }
  if (strcmp(option, "--arg") != 0)
    return complain("ptxrun: there is no option %s; --help lists them", option);
  if (command->argument_count == MAX_ARGUMENTS)
    return complain("ptxrun: at most %d arguments", MAX_ARGUMENTS);
  if (!read_argument(&command->arguments[command->argument_count], value))
    return complain("ptxrun: --arg %s is not an argument; --help says what is",
                    value);
  command->argument_count++;
  return EXIT_SUCCESS;
}

static bool read_flag(struct command *command, const char *word) {
  bool *flag = strcmp(word, "--check") == 0  ? &command->check
               : strcmp(word, "--json") == 0 ? &command->json
               : strcmp(word, "--help") == 0 ? &command->help
                                             : NULL;
  if (flag != NULL)
    *flag = true;
  return flag != NULL;
}

static int read_command(struct command *command, int count, char **words) {
  for (int i = 1; i < count; i++) {
    int status = EXIT_SUCCESS;
    if (read_flag(command, words[i]))
      continue;
    if (strncmp(words[i], "--", 2) == 0 && i + 1 < count) {
      status = read_option(command, words[i], words[i + 1]);
      i++;
    } else if (words[i][0] == '-') {
      status = complain("ptxrun: %s needs a value, or is no option", words[i]);
    } else if (command->path != NULL) {
      status =
          complain("ptxrun: one file, not %s and %s", command->path, words[i]);
    } else {
      command->path = words[i];
    }
    if (status != EXIT_SUCCESS)
      return status;
  }
  return command->path != NULL || command->help
             ? EXIT_SUCCESS
             : complain("ptxrun: no file given; --help says how");
}

static struct sim_module *load(struct sim *sim, const char *path) {
  size_t length;
  struct ptx_error error = {.status = PTX_OK};
  struct sim_module *module;
  char *text = textfile_read(path, &length);
  if (text == NULL) {
    complain("%s: %s", path, strerror(errno));
    return NULL;
  }
  module = sim_module_load(sim, text, length, &error);
  free(text);
  if (module == NULL)
    complain("%s:%" PRIu32 ": %s", path, error.line, error.message);
  return module;
}

static void list_kernels(struct sim_module *module) {
  for (uint32_t i = 0; i < sim_module_kernel_count(module); i++) {
    struct sim_kernel_info info;
    sim_kernel_describe(sim_module_kernel_at(module, i), &info);
    printf("%s: %" PRIu32 " parameters", info.name, info.parameter_count);
    for (uint32_t p = 0; p < info.parameter_count; p++)
      printf("%s%" PRIu32, p == 0 ? " of " : ",", info.parameter_size[p]);
    printf("%s, %" PRIu32 " registers, %" PRIu32 " bytes shared, %" PRIu32
           " bytes local\n",
           info.parameter_count > 0 ? " bytes" : "", info.registers,
           info.shared_bytes, info.local_bytes);
  }
}

static struct sim_kernel *choose(const struct command *command,
                                 struct sim_module *module) {
  uint32_t count = sim_module_kernel_count(module);
  struct sim_kernel *kernel = NULL;
  if (command->kernel != NULL)
    kernel = sim_module_kernel(module, command->kernel);
  else if (count == 1)
    kernel = sim_module_kernel_at(module, 0);
  if (kernel == NULL && command->kernel != NULL)
    complain("%s: there is no kernel %s", command->path, command->kernel);
  else if (kernel == NULL)
    complain("%s: %" PRIu32 " kernels; choose one with --kernel", command->path,
             count);
  return kernel;
}

static bool place_array(struct sim *sim, struct argument *argument) {
  size_t bytes = argument->values.count * argument->values.type->size;
  argument->address = sim_allocate(sim, bytes);
  if (argument->address == 0)
    return false;
  if (argument->kind != ARGUMENT_OUT)
    memcpy(sim_host(sim, argument->address, bytes), argument->values.bytes,
           bytes);
  return true;
}

static int place(struct sim *sim, struct argument *argument, uint32_t size,
                 unsigned char *to) {
  bool value = argument->kind == ARGUMENT_VALUE;
  size_t has = value ? argument->values.type->size : sizeof argument->address;
  if (size != has)
    return complain("ptxrun: the parameter has %" PRIu32 " bytes, the argument "
                    "has %zu",
                    size, has);
  if (!value && !place_array(sim, argument))
    return complain("ptxrun: there is not enough memory");
  memcpy(to,
         value ? argument->values.bytes : (unsigned char *)&argument->address,
         size);
  return EXIT_SUCCESS;
}

static int place_all(struct sim *sim, struct command *command,
                     const struct sim_kernel_info *info,
                     unsigned char *buffer) {
  if (command->argument_count != info->parameter_count)
    return complain("ptxrun: %s has %" PRIu32 " parameters, and there are %zu "
                    "arguments",
                    info->name, info->parameter_count, command->argument_count);
  for (uint32_t i = 0; i < info->parameter_count; i++) {
    int status = place(sim, &command->arguments[i], info->parameter_size[i],
                       buffer + info->parameter_offset[i]);
    if (status != EXIT_SUCCESS)
      return status;
  }
  return EXIT_SUCCESS;
}

static void print_array(struct sim *sim, const struct argument *argument,
                        bool json) {
  const struct value_type *type = argument->values.type;
  size_t count = argument->values.count;
  const unsigned char *bytes =
      sim_host(sim, argument->address, count * type->size);
  for (size_t i = 0; i < count; i++) {
    if (i > 0)
      fputs(json ? "," : " ", stdout);
    value_print(stdout, type, bytes + i * type->size, json);
  }
}

static bool is_printed(const struct argument *argument) {
  return argument->kind == ARGUMENT_OUT || argument->kind == ARGUMENT_INOUT;
}

static void print_json(struct sim *sim, const struct command *command,
                       const struct report *report) {
  const char *comma = "";
  putchar('{');
  report_members(stdout, report);
  fputs(",\"outputs\":[", stdout);
  for (size_t i = 0; i < command->argument_count; i++) {
    if (!is_printed(&command->arguments[i]))
      continue;
    printf("%s{\"argument\":%zu,\"type\":\"%s\",\"values\":[", comma, i,
           command->arguments[i].values.type->name);
    print_array(sim, &command->arguments[i], true);
    fputs("]}", stdout);
    comma = ",";
  }
  puts("]}");
}

static void print_text(struct sim *sim, const struct command *command,
                       const struct report *report) {
  for (size_t i = 0; i < command->argument_count; i++) {
    if (!is_printed(&command->arguments[i]))
      continue;
    printf("argument %zu: ", i);
    print_array(sim, &command->arguments[i], false);
    putchar('\n');
  }
  report_counters(stdout, &report->result->counters);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int run(struct sim *sim, struct command *command,
               struct sim_kernel *kernel) {
  struct sim_result result;
  struct report report = {
      .kernel = kernel, .launch = &command->launch, .result = &result};
  double start = seconds_now();
  bool good = sim_run(sim, kernel, &command->launch, &result);
  bool written = command->trace == NULL || trace_end(command->trace, &result);
  report.seconds = seconds_now() - start;
  if (command->json)
    print_json(sim, command, &report);
  else
    print_text(sim, command, &report);
  fflush(stdout);
  report_findings(stderr, &report);
  if (!good)
    report_fault(stderr, &report);
  if (!written)
    return complain("ptxrun: cannot write to the file of SIM_TRACE");
  return good ? EXIT_SUCCESS : EXIT_FAULT;
}

static int run_traced(struct sim *sim, struct command *command,
                      struct sim_kernel *kernel,
                      const struct sim_module *module) {
  char message[400];
  if (command->trace != NULL &&
      !trace_begin(command->trace, kernel, module, &command->launch, message,
                   sizeof message))
    return complain("ptxrun: %s", message);
  return run(sim, command, kernel);
}

static int prepare_and_run(struct sim *sim, struct command *command,
                           struct sim_module *module) {
  struct sim_kernel *kernel = choose(command, module);
  struct sim_kernel_info info;
  unsigned char *buffer;
  const char *refusal;
  int status;
  if (kernel == NULL)
    return EXIT_USAGE;
  sim_kernel_describe(kernel, &info);
  refusal = shape_refuse(&info, &command->launch, shape_dynamic_limit(&info));
  if (refusal != NULL)
    return complain("ptxrun: %s", refusal);
  buffer = calloc(1, info.parameter_bytes + 1);
  if (buffer == NULL)
    return complain("ptxrun: there is not enough memory");
  command->launch.parameters = buffer;
  status = place_all(sim, command, &info, buffer);
  if (status == EXIT_SUCCESS)
    status = run_traced(sim, command, kernel, module);
  free(buffer);
  return status;
}

static bool open_trace(struct command *command,
                       const struct trace_setup *setup) {
  char message[400];
  if (setup->path == NULL || command->check)
    return true;
  command->trace = trace_open(setup, message, sizeof message);
  if (command->trace == NULL)
    complain("ptxrun: %s", message);
  return command->trace != NULL;
}

static int work(struct command *command) {
  struct settings settings;
  char message[400];
  struct sim *sim;
  struct sim_module *module;
  int status = EXIT_USAGE;
  if (!settings_read(&settings, message, sizeof message))
    return complain("ptxrun: %s", message);
  if (!open_trace(command, &settings.trace))
    return EXIT_USAGE;
  sim = sim_create(&settings.options);
  if (sim == NULL)
    return complain("ptxrun: there is not enough memory");
  module = load(sim, command->path);
  if (module != NULL && command->check) {
    list_kernels(module);
    status = EXIT_SUCCESS;
  } else if (module != NULL) {
    status = prepare_and_run(sim, command, module);
  }
  sim_destroy(sim);
  trace_close(command->trace);
  return status;
}

int main(int count, char **words) {
  struct command command = {.launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}}};
  int status = read_command(&command, count, words);
  if (status == EXIT_SUCCESS)
    status = command.help ? print_help() : work(&command);
  for (size_t i = 0; i < MAX_ARGUMENTS; i++)
    free(command.arguments[i].values.bytes);
  return status;
}
