/* A text file in memory, as an array of lines. */
#include "listing_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_die(const char *format, ...) {
  va_list arguments;
  fputs("listing: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(2);
}

void *text_grow(void *array, size_t count, size_t size) {
  if (count & (count - 1))
    return array;
  void *larger = realloc(array, (count ? 2 * count : 1) * size);
  if (!larger)
    text_die("out of memory");
  return larger;
}

static size_t read_bytes(struct text *text) {
  size_t size = 0, got = 1;
  FILE *file = fopen(text->path, "rb");
  if (!file)
    text_die("%s: %s", text->path, strerror(errno));
  text->bytes = NULL;
  while (got) {
    char *larger = realloc(text->bytes, size + 65537);
    if (!larger)
      text_die("out of memory");
    text->bytes = larger;
    got = fread(text->bytes + size, 1, 65536, file);
    size += got;
  }
  if (ferror(file))
    text_die("%s: %s", text->path, strerror(errno));
  fclose(file);
  text->bytes[size] = '\0';
  return size;
}

void text_read(struct text *text, const char *path) {
  text->path = path;
  const size_t size = read_bytes(text);
  if (size == 0)
    text_die("%s: the file is empty", path);
  if (strlen(text->bytes) != size)
    text_die("%s: not a text file", path);
  text->line = NULL;
  text->lines = 0;
  for (char *next = text->bytes; next && *next; ++text->lines) {
    text->line = text_grow(text->line, text->lines, sizeof *text->line);
    text->line[text->lines] = next;
    next = strchr(next, '\n');
    if (next)
      *next++ = '\0';
  }
}

void text_free(struct text *text) {
  free(text->line);
  free(text->bytes);
}

const char *text_skip(const char *line) { return line + strspn(line, " \t"); }
