/* The sectors that a warp's load touches, for a stride and an offset a row: a
 * trace of chapter 2's kernel `window` for each. */
#include "map.h"

#include <inttypes.h>

enum { ROWS = 8 };

/* A row of the drawing, found out from the addresses. */
struct row {
  uint64_t stride, offset;
  uint32_t sectors;
  struct touched touched;
};

/* Columns are set flush right, up to the map; memory goes on from there. */
static const double STRIDE = 44, OFFSET = 98, SECTORS = 160, LEFT = 174;
static const double TOP = 34, PITCH = 29, HEIGHT = 20;

static uint64_t floats_from(const struct trace *trace, uint64_t address,
                            uint64_t from) {
  if (address < from || (address - from) % FLOAT_BYTES != 0)
    die("%s: the addresses of the load have no stride", trace->path);
  return (address - from) / FLOAT_BYTES;
}

static void read_row(struct row *row, const char *path) {
  struct trace trace;
  trace_read(&trace, path);
  const struct event *load = trace_find(&trace, 0, "ld.global", 0);
  const uint64_t base = trace_parameter(&trace, 0);
  if (load->lanes != UINT32_MAX)
    die("%s: not all lanes load", path);
  row->offset = floats_from(&trace, load->address[0], base);
  row->stride = floats_from(&trace, load->address[1], load->address[0]);
  for (int lane = 1; lane < LANES; lane++)
    if (floats_from(&trace, load->address[lane], load->address[lane - 1]) !=
        row->stride)
      die("%s: the stride changes at lane %d", path, lane);
  map_touched(&row->touched, &trace, load, base);
  row->sectors = load->sectors;
  trace_free(&trace);
}

static double row_y(int i) { return TOP + i * PITCH; }

static void draw_head(struct svg *svg, double y) {
  svg_letters(svg, SVG_MUTED, 14, SVG_END);
  svg_text(svg, STRIDE, y, "stride");
  svg_text(svg, OFFSET, y, "offset");
  svg_text(svg, SECTORS, y, "sectors");
  svg_close(svg);
  svg_letters(svg, SVG_MUTED, 14, SVG_START);
  svg_text(svg, LEFT, y, "memory, in sectors of %d floats", SECTOR_FLOATS);
  svg_close(svg);
}

/* Every sector of the map, touched or not. */
static void draw_memory(const struct map *map, int sectors, double y) {
  const double width = SECTOR_FLOATS * map->cell;
  svg_stroke(map->svg, SVG_MUTED, 0.5);
  svg_box(map->svg, map->x, y, sectors * width, HEIGHT);
  for (int i = 1; i < sectors; i++)
    svg_line(map->svg, map->x + i * width, y, map->x + i * width, y + HEIGHT);
  svg_close(map->svg);
}

static void draw_row(const struct map *map, const struct row *row, int sectors,
                     double y) {
  const double base = y + HEIGHT / 2 + 5;
  svg_letters(map->svg, SVG_FG, 14, SVG_END);
  svg_text(map->svg, STRIDE, base, "%" PRIu64, row->stride);
  svg_text(map->svg, OFFSET, base, "%" PRIu64, row->offset);
  svg_close(map->svg);
  svg_bold(map->svg, SVG_FG, 14, SVG_END);
  svg_text(map->svg, SECTORS, base, "%" PRIu32, row->sectors);
  svg_close(map->svg);
  draw_memory(map, sectors, y);
  map_row(map, &row->touched, y + 0.5, HEIGHT - 1);
}

/* The elements' numbers, where sectors begin. */
static void draw_axis(const struct map *map, int sectors, double y) {
  svg_stroke(map->svg, SVG_MUTED, 1);
  for (int i = 0; i < sectors; i += 8)
    svg_line(map->svg, map->x + i * SECTOR_FLOATS * map->cell, y,
             map->x + i * SECTOR_FLOATS * map->cell, y + 5);
  svg_close(map->svg);
  svg_letters(map->svg, SVG_MUTED, 13, SVG_START);
  for (int i = 0; i < sectors; i += 8)
    svg_text(map->svg, map->x + i * SECTOR_FLOATS * map->cell, y + 18,
             i == 0 ? "element %d" : "%d", i * SECTOR_FLOATS);
  svg_close(map->svg);
}

static int last_sector(const struct row *rows, int count) {
  int last = 0;
  for (int i = 0; i < count; i++)
    for (int sector = 0; sector < MAP_SECTORS; sector++)
      if (rows[i].touched.sectors[sector] && sector > last)
        last = sector;
  return last;
}

int main(int count, char **names) {
  static struct row rows[ROWS];
  struct svg svg;
  const int shown = count - 1;
  if (shown < 1 || shown > ROWS)
    die("usage: strides WINDOW.jsonl... (up to %d)", ROWS);
  for (int i = 0; i < shown; i++)
    read_row(&rows[i], names[i + 1]);
  const int sectors = last_sector(rows, shown) + 1;
  svg_begin(&svg, stdout, "strides", 640, row_y(shown) + 54);
  const struct map map = {.svg = &svg,
                          .x = LEFT,
                          .cell = (638 - LEFT) / (sectors * SECTOR_FLOATS),
                          .margin = 3.5};
  draw_head(&svg, 16);
  for (int i = 0; i < shown; i++)
    draw_row(&map, &rows[i], sectors, row_y(i));
  draw_axis(&map, sectors, row_y(shown) - 6);
  map_legend(&svg, 110, row_y(shown) + 46);
  return svg_end(&svg) ? 0 : 2;
}
