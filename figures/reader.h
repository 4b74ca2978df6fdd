/* Reads the trace of one launch (SIM_TRACE, chapter 15) for a drawing. What is
 * not a whole trace ends the program with a message and status 2: a figure is
 * drawn from a run, or not at all. */
#ifndef FIGURES_READER_H
#define FIGURES_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 32 };

enum event_kind { EVENT_RUN, EVENT_ARRIVE, EVENT_LEAVE };

struct event {
  enum event_kind kind;
  uint64_t step, since;
  uint32_t warp, lanes;
  char op[64];
  bool has_memory; /* space, access, width, address, sectors: */
  char space[16], access[16];
  uint32_t width;
  uint64_t address[LANES];
  uint32_t sectors; /* 0 where none are counted */
  bool has_result;  /* the first register that is written, if no predicate */
  uint64_t result[LANES];
  bool has_shuffle;
  uint32_t source[LANES], from[LANES], in_range;
};

struct trace {
  const char *path;
  char kernel[64];
  uint32_t warps;
  uint64_t steps;
  struct event *events;
  size_t count;
};

void trace_read(struct trace *trace, const char *path);
void trace_free(struct trace *trace);

/* The first event from `start` on whose opcode begins with `op`, of this warp
 * (-1: any); a message and the end where there is none. */
const struct event *trace_find(const struct trace *trace, size_t start,
                               const char *op, int warp);
/* As an index. */
size_t trace_index(const struct trace *trace, const struct event *event);

/* The value of the kernel's parameter at this offset, as warp 0 loads it. */
uint64_t trace_parameter(const struct trace *trace, uint64_t offset);

/* The number of distinct 32-byte sectors that the event's lanes touch. It must
 * be what the simulator counted: if not, a message and the end. */
enum { SECTOR_BYTES = 32 };
uint32_t trace_sectors(const struct trace *trace, const struct event *event);

/* The value of 32 bits as a float. */
float float_of(uint64_t bits);

/* Ends the program: status 2, and one line. */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format,
                                                         ...);

#endif
