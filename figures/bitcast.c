/* One float on its way through the first shuffle of a ladder: as bits, and
 * converted to an integer and back.
 *   bitcast TRACE TRACE   of a launch that casts and of one that converts */
#include "reader.h"
#include "svg.h"

#include <string.h>

enum { BITS = 32, EXPONENT = 8, FRACTION = 23, TAKER = 0, STEPS = 4 };

static const double width = 720, left = 62, cell = 16, tall = 20, letters = 14;
static const double apart = 5; /* between the fields of a float */
static const double right = 62 + BITS * 16 + 2 * 5 + 12;

/* The value of one lane, before and after the instruction `op`. */
struct step {
  char op[64];
  bool is_float;
  uint32_t lane, bits;
};

/* Load, to an integer, shuffle, from an integer. */
struct path {
  struct step step[STEPS];
};

static void take_step(const struct trace *trace, size_t *at, const char *op,
                      uint32_t lane, bool is_float, struct step *step) {
  const struct event *event = trace_find(trace, *at, op, 0);
  if (!event->has_result || !(event->lanes >> lane & 1))
    die("%s: lane %u has no result of %s", trace->path, (unsigned)lane, op);
  *step = (struct step){.is_float = is_float,
                        .lane = lane,
                        .bits = (uint32_t)event->result[lane]};
  snprintf(step->op, sizeof step->op, "%s", event->op);
  *at = trace_index(trace, event) + 1;
}

/* The giver is the lane that the taker reads at the first rung. */
static void read_path(const char *file, const char *into, const char *out,
                      struct path *path) {
  struct trace trace;
  size_t at = 0;
  trace_read(&trace, file);
  const struct event *shuffle = trace_find(&trace, 0, "shfl.sync.down", 0);
  uint32_t giver = shuffle->from[TAKER];
  take_step(&trace, &at, "ld.global.f32", giver, true, &path->step[0]);
  take_step(&trace, &at, into, giver, false, &path->step[1]);
  take_step(&trace, &at, "shfl.sync.down", TAKER, false, &path->step[2]);
  take_step(&trace, &at, out, TAKER, true, &path->step[3]);
  if (giver == TAKER || path->step[1].bits != path->step[2].bits)
    die("%s: lane %d was not given the bits of another lane", file, TAKER);
  trace_free(&trace);
}

/* What the drawing says must be what happened. */
static void check(const struct path *cast, const struct path *converted) {
  const struct step *from = converted->step;
  for (int i = 1; i < STEPS; i++)
    if (cast->step[i].bits != cast->step[0].bits)
      die("the cast changes the bits at %s", cast->step[i].op);
  if (from[0].bits != cast->step[0].bits || from[0].lane != cast->step[0].lane)
    die("the two runs do not begin with the same value in the same lane");
  float whole = (float)(int32_t)from[1].bits;
  if ((float)(int32_t)float_of(from[0].bits) != whole ||
      float_of(from[3].bits) != whole || whole == float_of(from[0].bits))
    die("the conversion does not cut off what stands after the point");
}

/* The fields of a float stand a little apart, as do the same bits of an
 * integer, so that each column is one bit. */
static double x_of(int bit) {
  int place = BITS - 1 - bit;
  return left + cell * place + apart * (place > 0) + apart * (place > EXPONENT);
}

/* An integer has no fields: its squares reach over the gaps. */
static void draw_boxes(struct svg *svg, uint32_t bits, bool gaps, double y) {
  for (int bit = 0; bit < BITS; bit++) {
    bool wide = !gaps && (bit == BITS - 1 || bit == FRACTION);
    if (bits >> bit & 1)
      svg_box(svg, x_of(bit), y, cell + (wide ? apart : 0), tall);
  }
}

static void draw_digits(struct svg *svg, uint32_t bits, unsigned digit,
                        double y) {
  for (int bit = 0; bit < BITS; bit++)
    if ((bits >> bit & 1) == digit)
      svg_text(svg, x_of(bit) + cell / 2, y + 15, "%u", digit);
}

static void draw_value(struct svg *svg, const struct step *step, double y) {
  float value = float_of(step->bits);
  if (!step->is_float && step->bits > 9)
    die("%d is too wide for its place", (int)step->bits);
  svg_letters(svg, SVG_MUTED, letters, SVG_START);
  svg_text(svg, 0, y + 15, "lane %u", (unsigned)step->lane);
  if (!step->is_float)
    svg_text(svg, right + 16, y + 15, "an integer");
  svg_close(svg);
  svg_bold(svg, SVG_FG, letters, SVG_START);
  if (!step->is_float)
    svg_text(svg, right, y + 15, "%d", (int)step->bits);
  else if (value == (float)(int)value)
    svg_text(svg, right, y + 15, "%.1f", (double)value);
  else
    svg_text(svg, right, y + 15, "%.9g", (double)value);
  svg_close(svg);
}

static void draw_row(struct svg *svg, const struct step *step, double y) {
  svg_fill(svg, step->is_float ? SVG_FILL2 : SVG_FILL);
  draw_boxes(svg, step->bits, step->is_float, y);
  svg_close(svg);
  svg_stroke(svg, SVG_MUTED, 0.7);
  draw_boxes(svg, UINT32_MAX, step->is_float, y);
  svg_close(svg);
  svg_letters(svg, SVG_MUTED, letters, SVG_MIDDLE);
  draw_digits(svg, step->bits, 0, y);
  svg_close(svg);
  svg_bold(svg, SVG_FG, letters, SVG_MIDDLE);
  draw_digits(svg, step->bits, 1, y);
  svg_close(svg);
  draw_value(svg, step, y);
}

static void draw_field(struct svg *svg, const char *name, int high, int low,
                       double y) {
  double from = x_of(high) + 1, to = x_of(low) + cell - 1;
  const double bracket[] = {from, y + 10, from, y + 6, to, y + 6, to, y + 10};
  svg_stroke(svg, SVG_MUTED, 1);
  svg_lines(svg, bracket, 4);
  svg_close(svg);
  svg_letters(svg, SVG_MUTED, letters, SVG_MIDDLE);
  svg_text(svg, (from + to) / 2, y, "%s", name);
  svg_close(svg);
}

static void draw_fields(struct svg *svg, double y) {
  draw_field(svg, "sign", BITS - 1, BITS - 1, y);
  draw_field(svg, "exponent", BITS - 2, FRACTION, y);
  draw_field(svg, "fraction", FRACTION - 1, 0, y);
}

/* What leads from a row to the next: instructions `from` to `to`. */
static void draw_ops(struct svg *svg, const struct path *path, int from, int to,
                     double y) {
  char text[3 * sizeof path->step[0].op + 5] = "";
  double x = left + 9 * cell;
  for (int i = from; i <= to; i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s", i > from ? ", " : "",
             path->step[i].op);
  }
  svg_stroke(svg, SVG_ACCENT2, 1.4);
  svg_arrow(svg, x, y + 4, x, y + 27);
  svg_close(svg);
  svg_letters(svg, SVG_FG, letters, SVG_START);
  svg_code(svg, x + 14, y + 20, "%s", text);
  svg_close(svg);
}

static void draw_heading(struct svg *svg, const char *text, double y) {
  svg_bold(svg, SVG_FG, letters, SVG_START);
  svg_text(svg, 0, y, "%s", text);
  svg_close(svg);
}

/* Marks the bits of the last row that are not those of the first. */
static void draw_lost(struct svg *svg, const struct path *path, double y) {
  uint32_t lost = path->step[0].bits ^ path->step[STEPS - 1].bits;
  int count = 0;
  for (int bit = 0; bit < BITS; bit++)
    count += (int)(lost >> bit & 1);
  if (lost >> FRACTION != 0 || (lost & path->step[0].bits) != lost)
    die("the conversion does more than clear bits of the fraction");
  svg_stroke(svg, SVG_ACCENT, 2);
  draw_boxes(svg, lost, true, y);
  svg_close(svg);
  svg_letters(svg, SVG_ACCENT, letters, SVG_END);
  svg_text(svg, x_of(0) + cell, y + tall + 17,
           "outlined: %d bits of the fraction that were 1", count);
  svg_close(svg);
}

static bool draw(const struct path *cast, const struct path *converted) {
  struct svg svg;
  double y = 44, next = tall + 32;
  svg_begin(&svg, stdout, "bitcast", width, 357);
  draw_heading(&svg, "As bits", 13);
  draw_fields(&svg, y - 12);
  draw_row(&svg, &cast->step[0], y);
  draw_ops(&svg, cast, 1, STEPS - 1, y + tall);
  draw_row(&svg, &cast->step[STEPS - 1], y + next);
  y += next + tall + 33;
  draw_heading(&svg, "Converted to an integer and back", y);
  y += 13;
  for (int i = 0; i < STEPS; i++, y += next) {
    draw_row(&svg, &converted->step[i], y);
    if (i + 1 < STEPS)
      draw_ops(&svg, converted, i + 1, i + 1, y + tall);
  }
  draw_lost(&svg, converted, y - next);
  return svg_end(&svg);
}

int main(int argc, char **argv) {
  struct path cast, converted;
  if (argc != 3)
    die("usage: bitcast TRACE TRACE");
  read_path(argv[1], "mov.b32", "mov.b32", &cast);
  read_path(argv[2], "cvt.rzi.s32.f32", "cvt.rn.f32.s32", &converted);
  check(&cast, &converted);
  return draw(&cast, &converted) ? 0 : 2;
}
