/* The sectors that a warp's loads touch: 32 neighbouring floats, read by one
 * lane (the first trace) and by all lanes (the second). */
#include "map.h"

#include <inttypes.h>
#include <string.h>

enum { FLOATS = 32, REQUESTS = 64 };

/* The loads from global memory, in order. */
struct loads {
  const struct trace *trace;
  const struct event *of[REQUESTS];
  int count;
  uint32_t sectors, lanes;
};

static const double LEFT = 70, CELL = 18;

static void find_loads(struct loads *loads, const struct trace *trace) {
  *loads = (struct loads){.trace = trace};
  for (size_t i = 0; i < trace->count; i++) {
    const struct event *event = &trace->events[i];
    if (event->kind != EVENT_RUN || strncmp(event->op, "ld.global", 9) != 0)
      continue;
    if (loads->count == REQUESTS)
      die("%s: more than %d loads", trace->path, REQUESTS);
    loads->of[loads->count++] = event;
    loads->sectors += event->sectors;
    loads->lanes |= event->lanes;
  }
  if (loads->count == 0)
    die("%s: nothing is loaded", trace->path);
}

static int ones(uint32_t mask) {
  int count = 0;
  for (; mask != 0; mask &= mask - 1)
    count++;
  return count;
}

static const char *s(unsigned count) { return count == 1 ? "" : "s"; }

static void heading(struct svg *svg, const struct loads *loads, double y) {
  const int lanes = ones(loads->lanes);
  svg_bold(svg, SVG_FG, 15, SVG_START);
  svg_text(svg, LEFT, y, "%d lane%s: %d request%s, %" PRIu32 " sector%s", lanes,
           s((unsigned)lanes), loads->count, s((unsigned)loads->count),
           loads->sectors, s(loads->sectors));
  svg_close(svg);
}

/* Memory as far as the 32 floats go, cut into sectors. */
static void frame(struct svg *svg, double y, double height) {
  svg_stroke(svg, SVG_GRID, 1);
  for (int i = 0; i <= FLOATS; i += SECTOR_FLOATS)
    svg_line(svg, LEFT + i * CELL, y, LEFT + i * CELL, y + height);
  svg_close(svg);
}

static double middle_of(int sector) {
  return LEFT + (sector + 0.5) * SECTOR_FLOATS * CELL;
}

static void name_sectors(struct svg *svg, double y) {
  svg_letters(svg, SVG_MUTED, 14, SVG_MIDDLE);
  for (int i = 0; i < FLOATS / SECTOR_FLOATS; i++)
    svg_text(svg, middle_of(i), y, "sector %d", i);
  svg_close(svg);
}

static void name_bytes(struct svg *svg, double y) {
  svg_letters(svg, SVG_MUTED, 14, SVG_MIDDLE);
  for (int i = 0; i < FLOATS / SECTOR_FLOATS; i++)
    svg_text(svg, middle_of(i), y, "bytes %d to %d", i * SECTOR_BYTES,
             (i + 1) * SECTOR_BYTES - 1);
  svg_close(svg);
}

static int sector_of(const struct touched *touched) {
  for (int i = 0; i < MAP_SECTORS; i++)
    if (touched->sectors[i])
      return i;
  return -1;
}

static const double ROW = 6;

/* Requests `first` to before `end` ask for the same sector; say so beside it.
 */
static void same_sector(struct svg *svg, int first, int end, int sector,
                        double top) {
  const double edge = SECTOR_FLOATS * CELL;
  const double y = top + (first + end) * ROW / 2 + 4;
  const bool after = sector + 1 < FLOATS / SECTOR_FLOATS;
  svg_letters(svg, SVG_MUTED, 14, SVG_END);
  svg_text(svg, LEFT - 10, y, "%d–%d", first + 1, end);
  svg_close(svg);
  svg_letters(svg, SVG_FG, 14, after ? SVG_START : SVG_END);
  svg_text(svg, LEFT + (sector + after) * edge + (after ? 12 : -12), y,
           "%d sectors", end - first);
  svg_close(svg);
}

/* A row for each request from `first` on that asks for one and the same sector.
 * Returns the first that asks for another. */
static int draw_group(const struct map *map, const struct loads *loads,
                      int first, double top) {
  int sector = -1, i = first;
  for (; i < loads->count; i++) {
    struct touched touched;
    map_touched(&touched, loads->trace, loads->of[i], map->base);
    if (loads->of[i]->sectors != 1)
      die("%s: request %d is for more than one sector", loads->trace->path,
          i + 1);
    if (i > first && sector_of(&touched) != sector)
      break;
    sector = sector_of(&touched);
    map_row(map, &touched, top + i * ROW, ROW - 1);
  }
  same_sector(map->svg, first, i, sector, top);
  return i;
}

static void draw_one_lane(struct map *map, const struct loads *loads,
                          double y) {
  const double top = y + 38;
  map->base = loads->of[0]->address[0];
  map->margin = 0;
  heading(map->svg, loads, y);
  name_sectors(map->svg, y + 26);
  frame(map->svg, top - 4, loads->count * ROW + 8);
  for (int i = 0; i < loads->count;)
    i = draw_group(map, loads, i, top);
  svg_letters(map->svg, SVG_MUTED, 14, SVG_END);
  svg_text(map->svg, LEFT - 10, y + 26, "request");
  svg_close(map->svg);
}

/* The lanes above the floats that they read. */
static void name_lanes(const struct map *map, const struct event *load,
                       double y) {
  svg_letters(map->svg, SVG_FG, 12.3, SVG_MIDDLE);
  for (int lane = 0; lane < LANES; lane++)
    if (load->lanes >> lane & 1)
      svg_text(map->svg,
               LEFT + CELL * ((double)(load->address[lane] - map->base) /
                                  FLOAT_BYTES +
                              0.5),
               y, "%d", lane);
  svg_close(map->svg);
  svg_letters(map->svg, SVG_MUTED, 14, SVG_END);
  svg_text(map->svg, LEFT - 10, y, "lane");
  svg_close(map->svg);
}

static void draw_all_lanes(struct map *map, const struct loads *loads,
                           double y) {
  struct touched touched;
  map->base = loads->of[0]->address[0];
  map->margin = 5;
  heading(map->svg, loads, y);
  if (loads->count != 1)
    die("%s: not one request", loads->trace->path);
  map_touched(&touched, loads->trace, loads->of[0], map->base);
  name_lanes(map, loads->of[0], y + 24);
  frame(map->svg, y + 28, 34);
  map_row(map, &touched, y + 32, 26);
  name_bytes(map->svg, y + 78);
}

/* The maps show the same floats. */
static void compare(const struct loads *one, const struct loads *all) {
  if (one->count != FLOATS || ones(one->lanes) != 1)
    die("%s: not one lane that reads %d floats", one->trace->path, FLOATS);
  if (ones(all->lanes) != FLOATS)
    die("%s: not %d lanes", all->trace->path, FLOATS);
}

int main(int count, char **names) {
  struct trace traces[2];
  struct loads one, all;
  struct svg svg;
  if (count != 3)
    die("usage: sectors ONE-LANE.jsonl ALL-LANES.jsonl");
  trace_read(&traces[0], names[1]);
  trace_read(&traces[1], names[2]);
  find_loads(&one, &traces[0]);
  find_loads(&all, &traces[1]);
  compare(&one, &all);
  svg_begin(&svg, stdout, "sectors", 648, 392);
  struct map map = {.svg = &svg, .x = LEFT, .cell = CELL};
  draw_one_lane(&map, &one, 14);
  draw_all_lanes(&map, &all, 276);
  map_legend(&svg, LEFT, 386);
  const bool written = svg_end(&svg);
  trace_free(&traces[0]);
  trace_free(&traces[1]);
  return written ? 0 : 2;
}
