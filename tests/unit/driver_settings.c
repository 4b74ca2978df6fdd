/* The environment variables: what is taken and what is refused. */
#include "driver.h"

static const char *name, *value;
static char errors[] = "/tmp/driver-settings-XXXXXX";

static void taken(void) {
  setenv(name, value, 1);
  driver_is(cuInit(0), CUDA_SUCCESS, value);
}

static void refused(void) {
  int count;
  setenv(name, value, 1);
  driver_is(cuInit(0), CUDA_ERROR_INVALID_VALUE, value);
  IS(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
}

static void expect(const char *variable, const char *text, bool good) {
  char said[1000] = "";
  name = variable;
  value = text;
  printf("# %s=%s\n", variable, text);
  driver_apart(good ? taken : refused, errors);
  FILE *file = fopen(errors, "r");
  size_t got = file != NULL ? fread(said, 1, sizeof said - 1, file) : 0;
  if (file != NULL)
    fclose(file);
  said[got] = '\0';
  char *line = strchr(said, '\n');
  if (good)
    tap_ok(got == 0, "nothing is said");
  else
    tap_ok(strncmp(said, "simulator: SIM_", 15) == 0 &&
               strstr(said, variable) != NULL && line != NULL &&
               line[1] == '\0',
           "one line names the variable");
}

int main(void) {
  close(mkstemp(errors));
  expect("SIM_THREADS", "2", true);
  expect("SIM_THREADS", "0", true);
  expect("SIM_THREADS", "", true);
  expect("SIM_THREADS", "two", false);
  expect("SIM_THREADS", "-1", false);
  expect("SIM_THREADS", " 1", false);
  expect("SIM_THREADS", "1 ", false);
  expect("SIM_THREADS", "1025", false);
  expect("SIM_THREADS", "99999999999999999999999", false);
  expect("SIM_LIMIT", "1", true);
  expect("SIM_LIMIT", "9223372036854775807", true);
  expect("SIM_LIMIT", "9223372036854775808", false);
  expect("SIM_LIMIT", "0", false);
  expect("SIM_LIMIT", "1e6", false);
  expect("SIM_CHECK", "0", true);
  expect("SIM_CHECK", "1", true);
  expect("SIM_CHECK", "2", false);
  expect("SIM_CHECK", "yes", false);
  expect("SIM_SCHEDULE", "eager", true);
  expect("SIM_SCHEDULE", "side", true);
  expect("SIM_SCHEDULE", "first", true);
  expect("SIM_SCHEDULE", "last", true);
  expect("SIM_SCHEDULE", "seed:18446744073709551615", true);
  expect("SIM_SCHEDULE", "seed:18446744073709551616", false);
  expect("SIM_SCHEDULE", "seed:", false);
  expect("SIM_SCHEDULE", "seed", false);
  expect("SIM_SCHEDULE", "Eager", false);
  expect("SIM_SCHEDULE", "eager ", false);
  expect("SIM_REPORT", "/dev/null", true);
  expect("SIM_REPORT", "/nonexistent/report", false);
  expect("SIM_TRACE", "/dev/null", true);
  expect("SIM_TRACE", "", true);
  expect("SIM_TRACE", "/nonexistent/trace", false);
  expect("SIM_TRACE_BLOCK", "0", true);
  expect("SIM_TRACE_BLOCK", "9223372036854775807", true);
  expect("SIM_TRACE_BLOCK", "0,1", false);
  expect("SIM_TRACE_WARP", "31", true);
  expect("SIM_TRACE_WARP", "32", false);
  expect("SIM_TRACE_WARP", "all", false);
  expect("SIM_TRACE_LIMIT", "1", true);
  expect("SIM_TRACE_LIMIT", "0", false);
  unlink(errors);
  return tap_done();
}
