/* Writes SVG. A drawing is a tree of groups: a group opens with a pen (what is
 * filled, outlined or written in it) and its elements inherit that, so that a
 * page needs to know seven classes to give the drawing its own colours.
 * Text is text. Every id begins with the drawing's name. */
#ifndef FIGURES_SVG_H
#define FIGURES_SVG_H

#include <stdbool.h>
#include <stdio.h>

enum svg_colour {
  SVG_FG,
  SVG_MUTED,
  SVG_ACCENT,
  SVG_ACCENT2,
  SVG_GRID,
  SVG_FILL,
  SVG_FILL2
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

struct svg {
  FILE *file;
  const char *name;
  unsigned depth; /* groups that are open */
  bool hatched;   /* the pattern is defined */
};

/* The whole drawing, in units of its own, `width` by `height`. */
void svg_begin(struct svg *svg, FILE *file, const char *name, double width,
               double height);
/* Closes the drawing and whatever is open. False, and a message, where it
 * was not written. */
bool svg_end(struct svg *svg);

/* Groups. svg_close ends the innermost. */
void svg_fill(struct svg *svg, enum svg_colour colour);
void svg_stroke(struct svg *svg, enum svg_colour colour, double width);
void svg_dash(struct svg *svg, enum svg_colour colour, double width,
              const char *dashes);
/* Slanting lines, in place of an even fill. */
void svg_hatch(struct svg *svg, enum svg_colour colour);
void svg_letters(struct svg *svg, enum svg_colour colour, double size,
                 enum svg_anchor anchor);
void svg_bold(struct svg *svg, enum svg_colour colour, double size,
              enum svg_anchor anchor);
void svg_close(struct svg *svg);

/* Elements. */
void svg_box(struct svg *svg, double x, double y, double width, double height);
void svg_line(struct svg *svg, double x1, double y1, double x2, double y2);
void svg_dot(struct svg *svg, double x, double y, double radius);
/* A line through points, x and y in turn. */
void svg_lines(struct svg *svg, const double *points, size_t count);
/* A line that ends in a small head; for a group made by svg_stroke. */
void svg_arrow(struct svg *svg, double x1, double y1, double x2, double y2);
__attribute__((format(printf, 4, 5))) void
svg_text(struct svg *svg, double x, double y, const char *format, ...);
/* Likewise, in the type that code is set in. */
__attribute__((format(printf, 4, 5))) void
svg_code(struct svg *svg, double x, double y, const char *format, ...);

#endif
