/* Reads a whole file into memory; see textfile.h. */
#include "textfile.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_all(FILE *file, size_t *length) {
  size_t size = 0, capacity = 65536, got = 1;
  char *text = malloc(capacity);
  while (text != NULL && got > 0) {
    got = fread(text + size, 1, capacity - size - 1, file);
    size += got;
    if (capacity - size > 1)
      continue;
    capacity *= 2;
    char *more = realloc(text, capacity);
    if (more == NULL)
      free(text);
    text = more;
  }
  if (text != NULL)
    text[size] = '\0';
  *length = size;
  return text;
}

char *textfile_read(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text;
  if (file == NULL)
    return NULL;
  text = read_all(file, length);
  if (ferror(file) != 0) {
    free(text);
    text = NULL;
  }
  fclose(file);
  return text;
}
