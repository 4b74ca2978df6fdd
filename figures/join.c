/* The warps of a block on their way to the barrier and after it.
 *   join TRACE   of a launch of chapter 4's kernel, with all warps of a block
 */
#include "reader.h"
#include "svg.h"

#include <inttypes.h>
#include <string.h>

enum { WARPS = 8, RUNGS = 5 };

static const double width = 720, left = 62, tall = 16, pitch = 23, letters = 14;
static const double top = 34; /* of the first bar */

/* A load, a ladder and a store, from the step at which the part begins. */
struct climb {
  uint64_t begin, loaded, rung[RUNGS], folded, stored;
};

struct bar {
  struct climb climb;    /* up to the barrier */
  uint64_t arrived, end; /* end: after the warp's last instruction */
  uint64_t resumed;      /* its first instruction after the barrier */
};

struct join {
  struct bar bar[WARPS];
  struct climb second; /* of warp 0, after the barrier */
  uint64_t opens;      /* the step of the last arrival */
  uint64_t steps;
};

/* The first instruction of a warp from event `at` on. */
static const struct event *first_of(const struct trace *trace, size_t at,
                                    int warp) {
  for (size_t i = at; i < trace->count; i++)
    if (trace->events[i].warp == (uint32_t)warp &&
        trace->events[i].kind == EVENT_RUN)
      return &trace->events[i];
  die("%s: warp %d does nothing after event %zu", trace->path, warp, at);
}

static void read_climb(const struct trace *trace, size_t at, int warp,
                       const char *load, const char *store,
                       struct climb *climb) {
  climb->begin = first_of(trace, at, warp)->step;
  const struct event *event = trace_find(trace, at, load, warp);
  climb->loaded = event->step + 1;
  for (int rung = 0; rung < RUNGS; rung++) {
    event =
        trace_find(trace, trace_index(trace, event), "shfl.sync.down", warp);
    climb->rung[rung] = event->step;
    event = trace_find(trace, trace_index(trace, event), "add.rn.f32", warp);
  }
  climb->folded = event->step + 1;
  event = trace_find(trace, trace_index(trace, event), store, warp);
  climb->stored = event->step + 1;
}

static size_t read_arrival(const struct trace *trace, int warp,
                           struct join *join) {
  const struct event *arrival = trace_find(trace, 0, "bar.sync", warp);
  size_t at = trace_index(trace, arrival);
  const struct event *leave = trace_find(trace, at + 1, "bar.sync", warp);
  if (arrival->kind != EVENT_ARRIVE || leave->kind != EVENT_LEAVE ||
      leave->since != arrival->step)
    die("%s: warp %d does not wait at one barrier", trace->path, warp);
  join->bar[warp].arrived = arrival->step;
  if (warp > 0 && leave->step != join->opens)
    die("%s: the warps do not leave the barrier together", trace->path);
  join->opens = leave->step;
  return trace_index(trace, leave);
}

static void read_bar(const struct trace *trace, int warp, struct join *join) {
  struct bar *bar = &join->bar[warp];
  size_t left_at = read_arrival(trace, warp, join);
  read_climb(trace, 0, warp, "ld.global.f32", "st.shared.f32", &bar->climb);
  bar->resumed = first_of(trace, left_at, warp)->step;
  for (size_t i = left_at; i < trace->count; i++)
    if (trace->events[i].warp == (uint32_t)warp)
      bar->end = trace->events[i].step + 1;
  if (warp == 0)
    read_climb(trace, left_at, 0, "ld.shared.f32", "st.global.f32",
               &join->second);
}

/* All stores of totals, then the barrier, then the load of warp 0: no other
 * access of shared memory. */
static void check_shared(const struct trace *trace, const struct join *join) {
  uint32_t stores = 0, loads = 0;
  for (size_t i = 0; i < trace->count; i++) {
    const struct event *event = &trace->events[i];
    if (!event->has_memory || strcmp(event->space, "shared") != 0)
      continue;
    bool store = strcmp(event->access, "store") == 0;
    if (store != (event->step < join->opens) || (!store && event->warp != 0))
      die("%s: step %" PRIu64 " is on the wrong side of the barrier",
          trace->path, event->step);
    stores += store;
    loads += !store;
  }
  if (stores != WARPS || loads != 1)
    die("%s: %" PRIu32 " stores and %" PRIu32 " loads of shared memory",
        trace->path, stores, loads);
}

/* Five for each warp, and five for the second ladder. */
static void check_shuffles(const struct trace *trace) {
  uint32_t shuffles = 0;
  for (size_t i = 0; i < trace->count; i++)
    shuffles += trace->events[i].has_shuffle;
  if (shuffles != (WARPS + 1) * RUNGS)
    die("%s: %" PRIu32 " shuffles", trace->path, shuffles);
}

static void read_join(const struct trace *trace, struct join *join) {
  if (trace->warps != WARPS)
    die("%s: %" PRIu32 " warps", trace->path, trace->warps);
  join->steps = trace->steps;
  for (int warp = 0; warp < WARPS; warp++)
    read_bar(trace, warp, join);
  for (int warp = 0; warp < WARPS; warp++)
    if (join->bar[warp].climb.stored > join->bar[warp].arrived ||
        join->bar[warp].arrived > join->opens)
      die("%s: warp %d arrives before its store", trace->path, warp);
  check_shared(trace, join);
  check_shuffles(trace);
}

/* Where a step stands in the drawing. */
struct scale {
  double x, unit;
  uint64_t from;
};

static double x_of(const struct scale *scale, uint64_t step) {
  return scale->x + scale->unit * ((double)step - (double)scale->from);
}

/* From the beginning of step `from` to that of step `to`. */
static void draw_part(struct svg *svg, const struct scale *scale,
                      enum svg_colour colour, uint64_t from, uint64_t to,
                      double y) {
  double x = x_of(scale, from);
  svg_fill(svg, colour);
  svg_box(svg, x, y, x_of(scale, to) - x, tall);
  svg_close(svg);
}

static void draw_climb(struct svg *svg, const struct scale *scale,
                       const struct climb *climb, double y) {
  double x = x_of(scale, climb->begin);
  draw_part(svg, scale, SVG_FILL, climb->begin, climb->loaded, y);
  draw_part(svg, scale, SVG_FILL2, climb->loaded, climb->folded, y);
  draw_part(svg, scale, SVG_ACCENT2, climb->folded, climb->stored, y);
  svg_stroke(svg, SVG_FG, 1.4);
  for (int rung = 0; rung < RUNGS; rung++) {
    double tick = x_of(scale, climb->rung[rung]) + scale->unit / 2;
    svg_line(svg, tick, y + 4, tick, y + tall - 4);
  }
  svg_close(svg);
  svg_stroke(svg, SVG_MUTED, 0.8);
  svg_box(svg, x, y, x_of(scale, climb->stored) - x, tall);
  svg_line(svg, x_of(scale, climb->loaded), y, x_of(scale, climb->loaded),
           y + tall);
  svg_close(svg);
}

/* The arrival, and the wait until step `until`. */
static void draw_wait(struct svg *svg, const struct scale *scale,
                      uint64_t arrived, uint64_t until, double y) {
  double x = x_of(scale, arrived) + scale->unit / 2;
  svg_fill(svg, SVG_ACCENT);
  svg_dot(svg, x, y + tall / 2, 3);
  svg_close(svg);
  svg_dash(svg, SVG_ACCENT, 1.2, "2 3");
  if (until > arrived + 1)
    svg_line(svg, x + 4, y + tall / 2, x_of(scale, until), y + tall / 2);
  svg_close(svg);
}

static void draw_rest(struct svg *svg, const struct scale *scale, uint64_t from,
                      uint64_t to, double y) {
  double x = x_of(scale, from);
  svg_stroke(svg, SVG_MUTED, 0.8);
  svg_box(svg, x, y, x_of(scale, to) - x, tall);
  svg_close(svg);
}

static void draw_bar(struct svg *svg, const struct scale *scale,
                     const struct join *join, int warp, double y) {
  const struct bar *bar = &join->bar[warp];
  svg_letters(svg, SVG_FG, letters, SVG_START);
  svg_text(svg, 0, y + 13, "warp %d", warp);
  svg_close(svg);
  draw_climb(svg, scale, &bar->climb, y);
  draw_wait(svg, scale, bar->arrived, join->opens + 1, y);
  if (warp == 0)
    draw_climb(svg, scale, &join->second, y);
  draw_rest(svg, scale, warp == 0 ? join->second.stored : bar->resumed,
            bar->end, y);
}

static void draw_barrier(struct svg *svg, const struct scale *scale,
                         const struct join *join) {
  double x = x_of(scale, join->opens + 1);
  svg_stroke(svg, SVG_ACCENT, 1.6);
  svg_line(svg, x, top - 14, x, top + WARPS * pitch);
  svg_close(svg);
  svg_letters(svg, SVG_ACCENT, letters, SVG_MIDDLE);
  svg_text(svg, x, 14, "the barrier opens");
  svg_close(svg);
}

static void draw_axis(struct svg *svg, const struct scale *scale,
                      const struct join *join) {
  double y = top + WARPS * pitch;
  const uint64_t apart = 100;
  svg_stroke(svg, SVG_MUTED, 1);
  svg_line(svg, x_of(scale, 0), y, x_of(scale, join->steps), y);
  for (uint64_t step = 0; step <= join->steps; step += apart)
    svg_line(svg, x_of(scale, step), y, x_of(scale, step), y + 5);
  svg_close(svg);
  svg_letters(svg, SVG_MUTED, letters, SVG_START);
  svg_text(svg, 0, y + 18, "step");
  svg_close(svg);
  svg_letters(svg, SVG_MUTED, letters, SVG_MIDDLE);
  for (uint64_t step = 0; step <= join->steps; step += apart)
    svg_text(svg, x_of(scale, step), y + 18, "%" PRIu64, step);
  svg_close(svg);
}

/* The name of a part, under it. */
static void draw_name(struct svg *svg, const struct scale *scale, uint64_t from,
                      uint64_t to, double y, const char *name) {
  svg_letters(svg, SVG_FG, letters, SVG_MIDDLE);
  svg_text(svg, (x_of(scale, from) + x_of(scale, to)) / 2, y + tall + 16, "%s",
           name);
  svg_close(svg);
}

static void draw_names(struct svg *svg, const struct scale *scale,
                       const struct climb *climb, double y, const char *load) {
  draw_name(svg, scale, climb->begin, climb->loaded, y, load);
  draw_name(svg, scale, climb->loaded, climb->folded, y, "ladder");
  draw_name(svg, scale, climb->folded, climb->stored, y, "store");
}

/* Warp 0 in a larger scale, before the barrier and after it. */
static void draw_enlarged(struct svg *svg, const struct join *join, double y) {
  const struct bar *bar = &join->bar[0];
  const struct climb *second = &join->second;
  struct scale before = {left, 6, bar->climb.begin};
  struct scale after = {0, 6, second->begin};
  after.x = width - 1 - after.unit * (double)(bar->end - second->begin);
  svg_letters(svg, SVG_MUTED, letters, SVG_START);
  svg_text(svg, 0, y + 13, "warp 0");
  svg_text(svg, before.x, y - 7, "enlarged: up to the barrier");
  svg_text(svg, after.x, y - 7, "and after it");
  svg_close(svg);
  draw_climb(svg, &before, &bar->climb, y);
  draw_wait(svg, &before, bar->arrived, bar->arrived + 15, y);
  draw_names(svg, &before, &bar->climb, y, "load");
  draw_name(svg, &before, bar->arrived + 1, bar->arrived + 15, y,
            "arrive, wait");
  draw_climb(svg, &after, second, y);
  draw_rest(svg, &after, second->stored, bar->end, y);
  draw_names(svg, &after, second, y, "load totals");
}

static bool draw(const struct join *join) {
  struct svg svg;
  double below = top + WARPS * pitch + 60;
  struct scale scale = {left, 0, 0};
  scale.unit = (width - left - 1) / (double)join->steps;
  svg_begin(&svg, stdout, "join", width, below + tall + 22);
  draw_axis(&svg, &scale, join);
  for (int warp = 0; warp < WARPS; warp++)
    draw_bar(&svg, &scale, join, warp, top + pitch * warp);
  draw_barrier(&svg, &scale, join);
  draw_enlarged(&svg, join, below);
  return svg_end(&svg);
}

int main(int argc, char **argv) {
  struct trace trace;
  struct join join = {0};
  if (argc != 2)
    die("usage: join TRACE");
  trace_read(&trace, argv[1]);
  read_join(&trace, &join);
  trace_free(&trace);
  return draw(&join) ? 0 : 2;
}
