/* Reads traces; see reader.h. */
#include "reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

void die(const char *format, ...) {
  va_list arguments;
  fputs("figures: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(2);
}

float float_of(uint64_t bits) {
  uint32_t word = (uint32_t)bits;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/* Where in the trace we are, for messages. */
struct line {
  const char *path;
  size_t number;
  const cJSON *object;
};

static const cJSON *member(const struct line *line, const cJSON *of,
                           const char *name) {
  const cJSON *found = cJSON_GetObjectItemCaseSensitive(of, name);
  if (found == NULL)
    die("%s:%zu: there is no \"%s\"", line->path, line->number, name);
  return found;
}

static uint64_t number(const struct line *line, const cJSON *of,
                       const char *name) {
  const cJSON *found = member(line, of, name);
  if (!cJSON_IsNumber(found) || found->valuedouble < 0)
    die("%s:%zu: \"%s\" is not a number", line->path, line->number, name);
  return (uint64_t)found->valuedouble;
}

static const char *text(const struct line *line, const cJSON *of,
                        const char *name) {
  const cJSON *found = member(line, of, name);
  if (!cJSON_IsString(found))
    die("%s:%zu: \"%s\" is not a string", line->path, line->number, name);
  return found->valuestring;
}

static uint64_t bits_of(const struct line *line, const cJSON *item,
                        const char *name) {
  char *end = NULL;
  uint64_t bits = 0;
  errno = 0;
  if (cJSON_IsString(item) && strncmp(item->valuestring, "0x", 2) == 0)
    bits = strtoull(item->valuestring + 2, &end, 16);
  if (end == NULL || *end != '\0' || errno != 0)
    die("%s:%zu: \"%s\" is not in hexadecimal", line->path, line->number, name);
  return bits;
}

static uint32_t mask(const struct line *line, const cJSON *of,
                     const char *name) {
  return (uint32_t)bits_of(line, member(line, of, name), name);
}

/* An array with an item for each lane: one of `lanes` has a value. */
static const cJSON *lane_item(const struct line *line, const cJSON *array,
                              const char *name, uint32_t lanes, int lane) {
  const cJSON *item = cJSON_GetArrayItem(array, lane);
  if (item == NULL || cJSON_GetArraySize(array) != LANES ||
      cJSON_IsNull(item) != !(lanes >> lane & 1))
    die("%s:%zu: \"%s\" has not one value for each of its lanes", line->path,
        line->number, name);
  return item;
}

static void values(const struct line *line, const cJSON *of, const char *name,
                   uint32_t lanes, uint64_t to[LANES]) {
  const cJSON *array = member(line, of, name);
  for (int lane = 0; lane < LANES; lane++) {
    const cJSON *item = lane_item(line, array, name, lanes, lane);
    to[lane] = lanes >> lane & 1 ? bits_of(line, item, name) : 0;
  }
}

static void copy(char *to, size_t size, const char *from) {
  snprintf(to, size, "%s", from);
}

static void read_memory(const struct line *line, struct event *event) {
  const cJSON *memory =
      cJSON_GetObjectItemCaseSensitive(line->object, "memory");
  event->has_memory = memory != NULL;
  if (memory == NULL)
    return;
  copy(event->space, sizeof event->space, text(line, memory, "space"));
  copy(event->access, sizeof event->access, text(line, memory, "access"));
  event->width = (uint32_t)number(line, memory, "width");
  values(line, memory, "addresses", event->lanes, event->address);
  if (event->kind == EVENT_RUN && strcmp(event->space, "global") == 0)
    event->sectors = (uint32_t)number(line, line->object, "sectors");
}

static void read_result(const struct line *line, struct event *event) {
  const cJSON *results =
      cJSON_GetObjectItemCaseSensitive(line->object, "results");
  const cJSON *first = cJSON_GetArrayItem(results, 0);
  event->has_result = cJSON_HasObjectItem(first, "values");
  if (event->has_result)
    values(line, first, "values", event->lanes, event->result);
}

static void read_shuffle(const struct line *line, struct event *event) {
  const cJSON *shuffle =
      cJSON_GetObjectItemCaseSensitive(line->object, "shuffle");
  uint64_t source[LANES];
  event->has_shuffle = shuffle != NULL;
  if (shuffle == NULL)
    return;
  values(line, shuffle, "source", event->lanes, source);
  event->in_range = mask(line, shuffle, "in_range");
  const cJSON *from = member(line, shuffle, "from");
  for (int lane = 0; lane < LANES; lane++) {
    const cJSON *item = lane_item(line, from, "from", event->lanes, lane);
    event->source[lane] = (uint32_t)source[lane];
    event->from[lane] = (uint32_t)item->valuedouble % LANES;
  }
}

static enum event_kind kind_of(const struct line *line) {
  static const char *const names[] = {
      [EVENT_RUN] = "run", [EVENT_ARRIVE] = "arrive", [EVENT_LEAVE] = "leave"};
  const char *name = text(line, line->object, "event");
  for (int kind = EVENT_RUN; kind <= EVENT_LEAVE; kind++)
    if (strcmp(name, names[kind]) == 0)
      return (enum event_kind)kind;
  die("%s:%zu: an event \"%.20s\", which this figure cannot use", line->path,
      line->number, name);
}

static void read_event(const struct line *line, struct event *event) {
  const cJSON *object = line->object;
  *event = (struct event){.kind = kind_of(line)};
  event->step = number(line, object, "step");
  event->warp = (uint32_t)number(line, object, "warp") % 32;
  event->lanes = mask(line, object, "lanes");
  copy(event->op, sizeof event->op, text(line, object, "op"));
  if (event->kind == EVENT_LEAVE)
    event->since = number(line, object, "since");
  read_memory(line, event);
  read_result(line, event);
  read_shuffle(line, event);
}

static bool is_event(const struct line *line, const char *name) {
  return strcmp(text(line, line->object, "event"), name) == 0;
}

static void read_end(const struct line *line, struct trace *trace) {
  trace->steps = number(line, line->object, "steps");
  if (cJSON_IsTrue(member(line, line->object, "cut")))
    die("%s:%zu: the trace is cut after %zu events; raise SIM_TRACE_LIMIT",
        line->path, line->number, trace->count);
  if (!cJSON_IsNull(member(line, line->object, "fault")))
    die("%s:%zu: the launch stopped with a fault", line->path, line->number);
}

static void add_event(struct trace *trace, const struct line *line) {
  size_t count = trace->count;
  if ((count & (count + 1)) == 0) { /* 0, 1, 3, 7, ...: full */
    void *larger =
        realloc(trace->events, (2 * count + 1) * sizeof *trace->events);
    if (larger == NULL)
      die("there is not enough memory");
    trace->events = larger;
  }
  read_event(line, &trace->events[trace->count++]);
}

/* True after the last line. */
static bool read_line(struct trace *trace, const struct line *line) {
  if (line->number == 1) {
    if (!is_event(line, "launch"))
      die("%s:1: this is not the beginning of a launch", line->path);
    copy(trace->kernel, sizeof trace->kernel,
         text(line, line->object, "kernel"));
    trace->warps = (uint32_t)number(line, line->object, "warps");
    return false;
  }
  if (is_event(line, "end")) {
    read_end(line, trace);
    return true;
  }
  add_event(trace, line);
  return false;
}

static void read_lines(struct trace *trace, FILE *file) {
  struct line line = {.path = trace->path};
  char *words = NULL;
  size_t size = 0;
  bool last = false;
  while (getline(&words, &size, file) > 0) {
    line.number++;
    if (last)
      die("%s:%zu: more than one launch", trace->path, line.number);
    cJSON *object = cJSON_Parse(words);
    if (!cJSON_IsObject(object))
      die("%s:%zu: this is not a JSON object", trace->path, line.number);
    line.object = object;
    last = read_line(trace, &line);
    cJSON_Delete(object);
  }
  free(words);
  if (line.number == 0)
    die("%s: the trace is empty", trace->path);
  if (!last)
    die("%s:%zu: the trace has no end; did the run stop?", line.path,
        line.number);
}

void trace_read(struct trace *trace, const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL)
    die("%s: %s", path, strerror(errno));
  *trace = (struct trace){.path = path};
  read_lines(trace, file);
  fclose(file);
}

void trace_free(struct trace *trace) { free(trace->events); }

size_t trace_index(const struct trace *trace, const struct event *event) {
  return (size_t)(event - trace->events);
}

const struct event *trace_find(const struct trace *trace, size_t start,
                               const char *op, int warp) {
  for (size_t i = start; i < trace->count; i++) {
    const struct event *event = &trace->events[i];
    if (strncmp(event->op, op, strlen(op)) == 0 &&
        (warp < 0 || event->warp == (uint32_t)warp))
      return event;
  }
  die("%s: there is no %s in it from event %zu on", trace->path, op, start);
}

uint64_t trace_parameter(const struct trace *trace, uint64_t offset) {
  for (size_t i = 0; i < trace->count; i++) {
    const struct event *event = &trace->events[i];
    if (event->has_memory && strcmp(event->space, "param") == 0 &&
        (event->lanes & 1) && event->address[0] == offset && event->has_result)
      return event->result[0];
  }
  die("%s: no parameter is loaded from offset %" PRIu64, trace->path, offset);
}

static int by_value(const void *one, const void *other) {
  uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
  return a < b ? -1 : a > b;
}

uint32_t trace_sectors(const struct trace *trace, const struct event *event) {
  uint64_t sector[LANES];
  uint32_t lanes = 0, count = 0;
  for (int lane = 0; lane < LANES; lane++)
    if (event->lanes >> lane & 1)
      sector[lanes++] = event->address[lane] / SECTOR_BYTES;
  qsort(sector, lanes, sizeof *sector, by_value);
  for (uint32_t i = 0; i < lanes; i++)
    count += i == 0 || sector[i] != sector[i - 1];
  if (count != event->sectors)
    die("%s: step %" PRIu64 " touches %" PRIu32 " sectors, but %" PRIu32
        " were counted",
        trace->path, event->step, count, event->sectors);
  return count;
}
