/* A plot of the load sectors of a request by stride, for two offsets, from
 * what tools/sectors-sweep.sh counts: a line for each run. */
#include "reader.h"
#include "svg.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDES = 33, SERIES = 2, LABEL = 4, STEP = 8 };

struct series {
  int offset;
  int sectors[STRIDES]; /* by stride */
};

struct sweep {
  const char *path;
  size_t line;
  struct series series[SERIES];
};

static int number(const struct sweep *sweep, const cJSON *object,
                  const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!cJSON_IsNumber(item) || item->valueint < 0 || item->valueint > 1000)
    die("%s:%zu: \"%s\" is not such a number", sweep->path, sweep->line, name);
  return item->valueint;
}

/* The lines come in order: all strides of one offset, then all of the other. */
static void read_line(struct sweep *sweep, const char *words) {
  const size_t at = sweep->line++;
  cJSON *object = cJSON_Parse(words);
  if (at >= SERIES * STRIDES)
    die("%s:%zu: there is more than the plot shows", sweep->path, sweep->line);
  struct series *series = &sweep->series[at / STRIDES];
  const int stride = (int)(at % STRIDES);
  if (stride == 0)
    series->offset = number(sweep, object, "offset");
  if (number(sweep, object, "stride") != stride ||
      number(sweep, object, "offset") != series->offset)
    die("%s:%zu: stride %d of offset %d is expected here", sweep->path,
        sweep->line, stride, series->offset);
  series->sectors[stride] = number(sweep, object, "sectors");
  if (series->sectors[stride] > LANES)
    die("%s:%zu: a request has at most %d sectors", sweep->path, sweep->line,
        LANES);
  cJSON_Delete(object);
}

static void read_sweep(struct sweep *sweep, const char *path) {
  char *words = NULL;
  size_t size = 0;
  FILE *file = fopen(path, "r");
  if (file == NULL)
    die("%s: %s", path, strerror(errno));
  *sweep = (struct sweep){.path = path};
  while (getline(&words, &size, file) > 0)
    read_line(sweep, words);
  if (sweep->line != SERIES * STRIDES)
    die("%s:%zu: the counts end here, before the last stride", path,
        sweep->line);
  free(words);
  fclose(file);
}

static const double LEFT = 40, TOP = 34, WIDTH = 580, HEIGHT = 272;

static double x_of(int stride) {
  return LEFT + 8 + (WIDTH - 16) * stride / (STRIDES - 1);
}

static double y_of(int sectors) {
  return TOP + HEIGHT - HEIGHT * sectors / LANES;
}

static void draw_axes(struct svg *svg) {
  svg_stroke(svg, SVG_GRID, 1);
  for (int y = STEP; y <= LANES; y += STEP)
    svg_line(svg, LEFT, y_of(y), LEFT + WIDTH, y_of(y));
  svg_close(svg);
  svg_stroke(svg, SVG_MUTED, 1);
  svg_line(svg, LEFT, y_of(0), LEFT + WIDTH, y_of(0));
  for (int x = 0; x < STRIDES; x += LABEL)
    svg_line(svg, x_of(x), y_of(0), x_of(x), y_of(0) + 5);
  svg_close(svg);
}

static void name_axes(struct svg *svg) {
  svg_letters(svg, SVG_MUTED, 14, SVG_END);
  for (int y = 0; y <= LANES; y += STEP)
    svg_text(svg, LEFT - 8, y_of(y) + 5, "%d", y);
  svg_close(svg);
  svg_letters(svg, SVG_MUTED, 14, SVG_MIDDLE);
  for (int x = 0; x < STRIDES; x += LABEL)
    svg_text(svg, x_of(x), y_of(0) + 21, "%d", x);
  svg_close(svg);
  svg_letters(svg, SVG_FG, 14, SVG_START);
  svg_text(svg, LEFT - 24, 14, "load sectors of one request");
  svg_close(svg);
  svg_letters(svg, SVG_FG, 14, SVG_END);
  svg_text(svg, LEFT + WIDTH, y_of(0) + 42, "stride, in floats");
  svg_close(svg);
}

static void draw_dots(struct svg *svg, const struct series *series) {
  svg_fill(svg, SVG_ACCENT2);
  for (int x = 0; x < STRIDES; x++)
    svg_dot(svg, x_of(x), y_of(series->sectors[x]), 3.2);
  svg_close(svg);
}

static void draw_rings(struct svg *svg, const struct series *series) {
  svg_stroke(svg, SVG_ACCENT, 1.6);
  for (int x = 0; x < STRIDES; x++)
    svg_dot(svg, x_of(x), y_of(series->sectors[x]), 5.4);
  svg_close(svg);
}

static void draw_legend(struct svg *svg, const struct sweep *sweep) {
  const double x = x_of(20), y = y_of(20);
  svg_fill(svg, SVG_ACCENT2);
  svg_dot(svg, x, y, 3.2);
  svg_close(svg);
  svg_stroke(svg, SVG_ACCENT, 1.6);
  svg_dot(svg, x, y + 24, 5.4);
  svg_close(svg);
  svg_letters(svg, SVG_FG, 14, SVG_START);
  svg_text(svg, x + 14, y + 5, "offset %d", sweep->series[0].offset);
  svg_text(svg, x + 14, y + 29, "offset %d", sweep->series[1].offset);
  svg_close(svg);
}

int main(int count, char **names) {
  struct sweep sweep;
  struct svg svg;
  if (count != 2)
    die("usage: sectors-by-stride SWEEP.jsonl");
  read_sweep(&sweep, names[1]);
  svg_begin(&svg, stdout, "sectors-by-stride", 640, TOP + HEIGHT + 50);
  draw_axes(&svg);
  name_axes(&svg);
  draw_dots(&svg, &sweep.series[0]);
  draw_rings(&svg, &sweep.series[1]);
  draw_legend(&svg, &sweep);
  return svg_end(&svg) ? 0 : 2;
}
