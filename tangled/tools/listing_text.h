/* A text file in memory, as an array of lines. */
#ifndef SHUFFLE_LADDER_LISTING_TEXT_H
#define SHUFFLE_LADDER_LISTING_TEXT_H

#include <stddef.h>

struct text {
  const char *path;
  char *bytes; /* the whole file, line ends replaced by '\0' */
  char **line; /* line[0] is line 1 of the file */
  size_t lines;
};

/* Reads the file at `path`, which must outlive the text. A file that cannot be
 * read, is empty, or has a '\0' in it ends the program: see text_die. */
void text_read(struct text *text, const char *path);
void text_free(struct text *text);

/* Prints "listing: " and the message to stderr and ends with status 2. */
_Noreturn void text_die(const char *format, ...);

/* Room for one more element of `size` bytes at array[count]; the array doubles
 * when count is a power of two or 0. Out of memory ends the program. */
void *text_grow(void *array, size_t count, size_t size);

/* The first character of `line` that is not a blank or tab. */
const char *text_skip(const char *line);

#endif
