/* Test Anything Protocol for the C tests: count, print, say how it ended. */
#ifndef SHUFFLE_LADDER_TAP_H
#define SHUFFLE_LADDER_TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static int tap_count, tap_failures;

__attribute__((format(printf, 2, 3), unused)) static bool
tap_ok(bool good, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("%sok %d - ", good ? "" : "not ", ++tap_count);
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
  tap_failures += !good;
  return good;
}

__attribute__((format(printf, 3, 4), unused)) static bool
tap_is_u64(uint64_t got, uint64_t want, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("%sok %d - ", got == want ? "" : "not ", ++tap_count);
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
  if (got != want)
    printf("#      got 0x%" PRIx64 "\n# expected 0x%" PRIx64 "\n", got, want);
  tap_failures += got != want;
  return got == want;
}

/* Prints the plan. The exit status of main. */
__attribute__((unused)) static int tap_done(void) {
  printf("1..%d\n", tap_count);
  return tap_failures > 0 || tap_count == 0;
}

#endif
