/* Writes SVG; see svg.h. */
#include "svg.h"

#include <math.h>
#include <stdarg.h>

static const struct {
  const char *name, *light;
} colours[] = {
    [SVG_FG] = {"fg", "#22211e"},
    [SVG_MUTED] = {"muted", "#63605a"},
    [SVG_ACCENT] = {"accent", "#a23b1e"},
    [SVG_ACCENT2] = {"accent2", "#1f5673"},
    [SVG_GRID] = {"grid", "#d5d0c4"},
    [SVG_FILL] = {"fill", "#e9d9b8"},
    [SVG_FILL2] = {"fill2", "#cfe0e6"},
};

static const char *const anchors[] = {
    [SVG_START] = "start", [SVG_MIDDLE] = "middle", [SVG_END] = "end"};

/* A number without the zeros at its end. */
static const char *number(double value, char buffer[24]) {
  double rounded = round(value * 100) / 100;
  snprintf(buffer, 24, "%.10g", rounded == 0 ? 0 : rounded);
  return buffer;
}

static void attribute(const struct svg *svg, const char *name, double value) {
  char buffer[24];
  fprintf(svg->file, " %s=\"%s\"", name, number(value, buffer));
}

void svg_begin(struct svg *svg, FILE *file, const char *name, double width,
               double height) {
  char w[24], h[24];
  *svg = (struct svg){.file = file, .name = name};
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" "
          "fill=\"none\" font-family=\"sans-serif\">\n",
          number(width, w), number(height, h));
}

bool svg_end(struct svg *svg) {
  while (svg->depth > 0)
    svg_close(svg);
  fputs("</svg>\n", svg->file);
  if (fflush(svg->file) == 0 && !ferror(svg->file))
    return true;
  fputs("figures: the drawing cannot be written\n", stderr);
  return false;
}

static void open_group(struct svg *svg, enum svg_colour colour,
                       const char *property) {
  fprintf(svg->file, "<g class=\"%s\" %s=\"%s\"", colours[colour].name,
          property, colours[colour].light);
  svg->depth++;
}

void svg_close(struct svg *svg) {
  fputs("</g>\n", svg->file);
  svg->depth--;
}

void svg_fill(struct svg *svg, enum svg_colour colour) {
  open_group(svg, colour, "fill");
  fputs(">\n", svg->file);
}

void svg_stroke(struct svg *svg, enum svg_colour colour, double width) {
  open_group(svg, colour, "stroke");
  fputs(" fill=\"none\"", svg->file);
  attribute(svg, "stroke-width", width);
  fputs(">\n", svg->file);
}

void svg_dash(struct svg *svg, enum svg_colour colour, double width,
              const char *dashes) {
  open_group(svg, colour, "stroke");
  fprintf(svg->file, " fill=\"none\" stroke-dasharray=\"%s\"", dashes);
  attribute(svg, "stroke-width", width);
  fputs(">\n", svg->file);
}

static void define_hatch(struct svg *svg, enum svg_colour colour) {
  fprintf(svg->file,
          "<pattern id=\"%s-hatch\" width=\"5\" height=\"5\" "
          "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
          "<path class=\"%s\" stroke=\"%s\" stroke-width=\"3\" "
          "d=\"M1.5 0V5\"/></pattern>\n",
          svg->name, colours[colour].name, colours[colour].light);
  svg->hatched = true;
}

void svg_hatch(struct svg *svg, enum svg_colour colour) {
  if (!svg->hatched)
    define_hatch(svg, colour);
  fprintf(svg->file, "<g fill=\"url(#%s-hatch)\">\n", svg->name);
  svg->depth++;
}

static void open_text(struct svg *svg, enum svg_colour colour, double size,
                      enum svg_anchor anchor, const char *more) {
  open_group(svg, colour, "fill");
  attribute(svg, "font-size", size);
  if (anchor != SVG_START)
    fprintf(svg->file, " text-anchor=\"%s\"", anchors[anchor]);
  fprintf(svg->file, "%s>\n", more);
}

void svg_letters(struct svg *svg, enum svg_colour colour, double size,
                 enum svg_anchor anchor) {
  open_text(svg, colour, size, anchor, "");
}

void svg_bold(struct svg *svg, enum svg_colour colour, double size,
              enum svg_anchor anchor) {
  open_text(svg, colour, size, anchor, " font-weight=\"bold\"");
}

void svg_box(struct svg *svg, double x, double y, double width, double height) {
  fputs("<rect", svg->file);
  attribute(svg, "x", x);
  attribute(svg, "y", y);
  attribute(svg, "width", width);
  attribute(svg, "height", height);
  fputs("/>\n", svg->file);
}

void svg_line(struct svg *svg, double x1, double y1, double x2, double y2) {
  char a[24], b[24], c[24], d[24];
  fprintf(svg->file, "<path d=\"M%s %sL%s %s\"/>\n", number(x1, a),
          number(y1, b), number(x2, c), number(y2, d));
}

void svg_dot(struct svg *svg, double x, double y, double radius) {
  fputs("<circle", svg->file);
  attribute(svg, "cx", x);
  attribute(svg, "cy", y);
  attribute(svg, "r", radius);
  fputs("/>\n", svg->file);
}

void svg_lines(struct svg *svg, const double *points, size_t count) {
  char x[24], y[24];
  fputs("<path d=\"", svg->file);
  for (size_t i = 0; i < count; i++)
    fprintf(svg->file, "%s%s %s", i == 0 ? "M" : "L", number(points[2 * i], x),
            number(points[2 * i + 1], y));
  fputs("\"/>\n", svg->file);
}

void svg_arrow(struct svg *svg, double x1, double y1, double x2, double y2) {
  double length = hypot(x2 - x1, y2 - y1), size = 6;
  double dx = size * (x2 - x1) / length, dy = size * (y2 - y1) / length;
  const double head[] = {x2 - dx + dy * 0.5, y2 - dy - dx * 0.5, x2, y2,
                         x2 - dx - dy * 0.5, y2 - dy + dx * 0.5};
  svg_line(svg, x1, y1, x2, y2);
  svg_lines(svg, head, 3);
}

static void write_escaped(FILE *file, const char *text) {
  for (; *text != '\0'; text++)
    if (*text == '&')
      fputs("&amp;", file);
    else if (*text == '<')
      fputs("&lt;", file);
    else if (*text == '>')
      fputs("&gt;", file);
    else
      fputc(*text, file);
}

static void write_text(const struct svg *svg, const char *more, double x,
                       double y, const char *text) {
  fprintf(svg->file, "<text%s", more);
  attribute(svg, "x", x);
  attribute(svg, "y", y);
  fputc('>', svg->file);
  write_escaped(svg->file, text);
  fputs("</text>\n", svg->file);
}

enum { LONGEST = 400 };

void svg_text(struct svg *svg, double x, double y, const char *format, ...) {
  char text[LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  write_text(svg, "", x, y, text);
}

void svg_code(struct svg *svg, double x, double y, const char *format, ...) {
  char text[LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  write_text(svg, " class=\"mono\" font-family=\"monospace\"", x, y, text);
}
