/* The parts that maps of memory have in common: sectors are pale where they are
 * touched, floats are dark where a lane reads them. */
#ifndef FIGURES_MAP_H
#define FIGURES_MAP_H

#include "reader.h"
#include "svg.h"

enum { FLOAT_BYTES = 4, SECTOR_FLOATS = SECTOR_BYTES / FLOAT_BYTES };

/* Where floats and rows lie: the x of float 0, the width of a float, and how
 * far above and below a float its sector reaches. */
struct map {
  struct svg *svg;
  uint64_t base; /* the address of float 0, where a sector begins */
  double x, cell, margin;
};

/* What the load's lanes touch of one row: a bit for each float from `base` on,
 * as far as the map goes. */
enum { MAP_FLOATS = 288, MAP_SECTORS = MAP_FLOATS / SECTOR_FLOATS };
struct touched {
  bool floats[MAP_FLOATS], sectors[MAP_SECTORS];
};

/* Both end the program where the load is not one of floats on this map, or
 * where its sectors are not as many as were counted. */
void map_touched(struct touched *touched, const struct trace *trace,
                 const struct event *load, uint64_t base);
void map_row(const struct map *map, const struct touched *touched, double y,
             double height);

/* What the two colours mean. */
void map_legend(struct svg *svg, double x, double y);

#endif
