/* The ladder of one warp: the values of 32 lanes before it and after each of
 * its five rungs, and which lane each lane reads.
 *   ladder TRACE   of a launch with one warp and one ladder */
#include "reader.h"
#include "svg.h"

#include <string.h>

enum { RUNGS = 5 };

static const double width = 720, left = 78, cell = 20, tall = 22,
                    letters = 13.6;
static const double gaps[RUNGS] = {74, 58, 48, 40, 34};

struct row {
  uint32_t bits[LANES];
  uint8_t times[LANES][LANES]; /* how often each element is in a lane's value */
  uint32_t proper;             /* lanes that hold no element twice */
  uint32_t count, elements;    /* of these lanes, and in each of them */
};

struct ladder {
  struct row row[RUNGS + 1];
  uint32_t from[RUNGS][LANES];
  uint32_t delta[RUNGS];
};

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* How many elements a lane's value is made of; 0 if one is in it twice. */
static uint32_t elements_of(const struct row *row, int lane) {
  uint32_t elements = 0;
  for (int i = 0; i < LANES; i++) {
    if (row->times[lane][i] > 1)
      return 0;
    elements += row->times[lane][i];
  }
  return elements;
}

/* The proper sums must stand in the first lanes and be of the same size. */
static void find_proper(const char *path, struct row *row, uint32_t count) {
  row->count = count;
  row->elements = LANES / count;
  for (int lane = 0; lane < LANES; lane++) {
    uint32_t elements = elements_of(row, lane);
    row->proper |= (uint32_t)(elements != 0) << lane;
    if (elements != ((uint32_t)lane < count ? row->elements : 0))
      die("%s: lane %d holds no sum of %u elements", path, lane,
          (unsigned)row->elements);
  }
}

static void load(const struct trace *trace, struct row *row) {
  const struct event *event = trace_find(trace, 0, "ld.global.f32", 0);
  if (event->lanes != UINT32_MAX)
    die("%s: not all lanes load an element", trace->path);
  for (int lane = 0; lane < LANES; lane++) {
    row->bits[lane] = (uint32_t)event->result[lane];
    row->times[lane][lane] = 1;
  }
  find_proper(trace->path, row, LANES);
}

/* What the lane was given must be what the other had, and what it has after
 * the add must be the sum of both, bit for bit. */
static void check_lane(const struct trace *trace, const struct event *shuffle,
                       const struct event *add, const struct row *before,
                       int lane) {
  uint32_t own = before->bits[lane];
  uint32_t read = before->bits[shuffle->from[lane]];
  if (shuffle->result[lane] != read)
    die("%s: lane %d did not receive the value of lane %u", trace->path, lane,
        (unsigned)shuffle->from[lane]);
  if (add->result[lane] != bits_of(float_of(own) + float_of(read)))
    die("%s: lane %d did not add what it read", trace->path, lane);
}

static void climb(const struct trace *trace, const struct event *shuffle,
                  const struct event *add, const struct row *before,
                  struct row *after) {
  for (int lane = 0; lane < LANES; lane++) {
    check_lane(trace, shuffle, add, before, lane);
    after->bits[lane] = (uint32_t)add->result[lane];
    for (int i = 0; i < LANES; i++)
      after->times[lane][i] = (uint8_t)(before->times[lane][i] +
                                        before->times[shuffle->from[lane]][i]);
  }
  find_proper(trace->path, after, before->count / 2);
}

static void read_ladder(const struct trace *trace, struct ladder *ladder) {
  size_t at = 0;
  if (trace->warps != 1)
    die("%s: this is the figure of one warp", trace->path);
  load(trace, &ladder->row[0]);
  for (int rung = 0; rung < RUNGS; rung++) {
    const struct event *shuffle = trace_find(trace, at, "shfl.sync.down", 0);
    const struct event *add =
        trace_find(trace, trace_index(trace, shuffle), "add.rn.f32", 0);
    memcpy(ladder->from[rung], shuffle->from, sizeof shuffle->from);
    ladder->delta[rung] = shuffle->from[0];
    climb(trace, shuffle, add, &ladder->row[rung], &ladder->row[rung + 1]);
    at = trace_index(trace, add);
  }
}

/* The caption says that lane 0 alone holds the sum. */
static void check_total(const struct trace *trace, const struct row *last) {
  for (int lane = 1; lane < LANES; lane++)
    if (last->bits[lane] == last->bits[0])
      die("%s: lane %d holds the sum as well, by chance", trace->path, lane);
}

static double x_of(int lane) { return left + cell * lane; }

static void draw_values(struct svg *svg, const struct row *row, double y,
                        bool proper) {
  for (int lane = 0; lane < LANES; lane++) {
    double value = (double)float_of(row->bits[lane]);
    if (value < 0 || value > 99 || value != (int)value)
      die("lane %d holds %g, which does not fit a cell", lane, value);
    if ((row->proper >> lane & 1) == proper)
      svg_text(svg, x_of(lane) + cell / 2, y + 16, "%d", (int)value);
  }
}

static void draw_cells(struct svg *svg, const struct row *row, double y,
                       bool proper) {
  for (int lane = 0; lane < LANES; lane++)
    if ((row->proper >> lane & 1) == proper)
      svg_box(svg, x_of(lane), y, cell, tall);
}

/* Short lines between the values that stand in no cell. */
static void draw_gaps(struct svg *svg, const struct row *row, double y) {
  svg_stroke(svg, SVG_GRID, 1);
  for (int lane = (int)row->count + 1; lane < LANES; lane++)
    svg_line(svg, x_of(lane), y + 4, x_of(lane), y + tall - 4);
  svg_close(svg);
}

static void draw_row(struct svg *svg, const struct row *row, double y) {
  draw_gaps(svg, row, y);
  svg_letters(svg, SVG_MUTED, letters, SVG_MIDDLE);
  draw_values(svg, row, y, false);
  svg_close(svg);
  svg_fill(svg, SVG_FILL2);
  draw_cells(svg, row, y, true);
  svg_close(svg);
  svg_stroke(svg, SVG_ACCENT2, 1.4);
  draw_cells(svg, row, y, true);
  svg_close(svg);
  svg_letters(svg, SVG_FG, letters, SVG_MIDDLE);
  draw_values(svg, row, y, true);
  svg_close(svg);
  svg_letters(svg, SVG_FG, letters, SVG_START);
  if (row->elements == 1)
    svg_text(svg, 0, y + 16, "elements");
  else
    svg_text(svg, 0, y + 16, "sum of %u", (unsigned)row->elements);
  svg_close(svg);
}

/* From each lane that is read to the one that reads it. */
static void draw_reads(struct svg *svg, const struct ladder *ladder, int rung,
                       double y, bool proper) {
  for (int lane = 0; lane < LANES; lane++)
    if ((ladder->row[rung + 1].proper >> lane & 1) == proper)
      svg_line(svg, x_of((int)ladder->from[rung][lane]) + cell / 2, y + 1,
               x_of(lane) + cell / 2, y + gaps[rung] - 1);
}

static void draw_rung(struct svg *svg, const struct ladder *ladder, int rung,
                      double y) {
  svg_stroke(svg, SVG_MUTED, 0.6);
  draw_reads(svg, ladder, rung, y, false);
  svg_close(svg);
  svg_stroke(svg, SVG_ACCENT2, 1.4);
  draw_reads(svg, ladder, rung, y, true);
  svg_close(svg);
  svg_letters(svg, SVG_MUTED, letters, SVG_START);
  svg_text(svg, 0, y + gaps[rung] / 2 + 5, "delta %u",
           (unsigned)ladder->delta[rung]);
  svg_close(svg);
}

static void draw_lane_numbers(struct svg *svg) {
  svg_letters(svg, SVG_MUTED, letters, SVG_START);
  svg_text(svg, 0, 13, "lane");
  svg_close(svg);
  svg_letters(svg, SVG_MUTED, letters, SVG_MIDDLE);
  for (int lane = 0; lane < LANES; lane++)
    svg_text(svg, x_of(lane) + cell / 2, 13, "%d", lane);
  svg_close(svg);
}

static bool draw(const struct ladder *ladder) {
  struct svg svg;
  double y = 20, height = y + (RUNGS + 1) * tall + 1;
  for (int rung = 0; rung < RUNGS; rung++)
    height += gaps[rung];
  svg_begin(&svg, stdout, "ladder", width, height);
  draw_lane_numbers(&svg);
  for (int rung = 0; rung < RUNGS; rung++) {
    draw_row(&svg, &ladder->row[rung], y);
    draw_rung(&svg, ladder, rung, y + tall);
    y += tall + gaps[rung];
  }
  draw_row(&svg, &ladder->row[RUNGS], y);
  return svg_end(&svg);
}

int main(int argc, char **argv) {
  struct trace trace;
  struct ladder ladder = {0};
  if (argc != 2)
    die("usage: ladder TRACE");
  trace_read(&trace, argv[1]);
  read_ladder(&trace, &ladder);
  check_total(&trace, &ladder.row[RUNGS]);
  trace_free(&trace);
  return draw(&ladder) ? 0 : 2;
}
