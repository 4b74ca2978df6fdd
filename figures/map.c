/* Draws maps of memory; see map.h. */
#include "map.h"

#include <inttypes.h>

static uint64_t float_at(const struct trace *trace, const struct event *load,
                         int lane, uint64_t base) {
  const uint64_t address = load->address[lane];
  const uint64_t index = (address - base) / FLOAT_BYTES;
  if (address < base || address % FLOAT_BYTES != 0 || index >= MAP_FLOATS)
    die("%s: step %" PRIu64 ": the address of lane %d is not on the map",
        trace->path, load->step, lane);
  return index;
}

void map_touched(struct touched *touched, const struct trace *trace,
                 const struct event *load, uint64_t base) {
  uint32_t count = 0;
  if (!load->has_memory || load->width != FLOAT_BYTES ||
      base % SECTOR_BYTES != 0)
    die("%s: step %" PRIu64 " is no load of floats", trace->path, load->step);
  *touched = (struct touched){0};
  for (int lane = 0; lane < LANES; lane++)
    if (load->lanes >> lane & 1) {
      const uint64_t index = float_at(trace, load, lane, base);
      touched->floats[index] = true;
      touched->sectors[index / SECTOR_FLOATS] = true;
    }
  for (int sector = 0; sector < MAP_SECTORS; sector++)
    count += touched->sectors[sector];
  if (count != trace_sectors(trace, load))
    die("%s: step %" PRIu64 ": the map shows %" PRIu32 " sectors", trace->path,
        load->step, count);
}

/* The number of floats from `i` on that one box shows: neighbours that are too
 * narrow to be told apart are drawn as one. */
static int box_floats(const struct map *map, const struct touched *touched,
                      int i) {
  int count = 1;
  while (map->cell < 4 && i + count < MAP_FLOATS &&
         touched->floats[i + count - 1] && touched->floats[i + count])
    count++;
  return count;
}

static void draw_floats(const struct map *map, const struct touched *touched,
                        double y, double height) {
  const double gap = map->cell * 0.05;
  svg_fill(map->svg, SVG_ACCENT2);
  for (int i = 0, count; i < MAP_FLOATS; i += count) {
    count = box_floats(map, touched, i);
    if (touched->floats[i])
      svg_box(map->svg, map->x + i * map->cell + gap, y,
              count * map->cell - 2 * gap, height);
  }
  svg_close(map->svg);
}

void map_row(const struct map *map, const struct touched *touched, double y,
             double height) {
  const double width = SECTOR_FLOATS * map->cell;
  svg_fill(map->svg, SVG_FILL2);
  for (int i = 0; i < MAP_SECTORS; i++)
    if (touched->sectors[i])
      svg_box(map->svg, map->x + i * width + 0.5, y, width - 1, height);
  svg_close(map->svg);
  draw_floats(map, touched, y + map->margin, height - 2 * map->margin);
}

void map_legend(struct svg *svg, double x, double y) {
  svg_fill(svg, SVG_FILL2);
  svg_box(svg, x, y - 11, 26, 13);
  svg_box(svg, x + 262, y - 11, 26, 13);
  svg_close(svg);
  svg_fill(svg, SVG_ACCENT2);
  svg_box(svg, x + 270, y - 9, 10, 9);
  svg_close(svg);
  svg_letters(svg, SVG_FG, 14, SVG_START);
  svg_text(svg, x + 34, y, "a sector that a request touches");
  svg_text(svg, x + 296, y, "a float that a lane reads");
  svg_close(svg);
}
