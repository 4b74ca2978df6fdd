/* A file's text in memory. */
#include "file.h"

#include <stdio.h>
#include <stdlib.h>

static long measure(FILE *file) {
  return fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
}

static char *take(FILE *file, long from) {
  const long size = measure(file);
  if (size < 0 || fseek(file, from, SEEK_SET) != 0)
    return NULL;
  const size_t length = size > from ? (size_t)(size - from) : 0;
  char *text = malloc(length + 1);
  if (!text)
    return NULL;
  if (fread(text, 1, length, file) != length) {
    free(text);
    return NULL;
  }
  text[length] = '\0';
  return text;
}

char *file_read(const char *path, long from) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  char *text = take(file, from);
  (void)fclose(file);
  return text;
}

long file_size(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  const long size = measure(file);
  (void)fclose(file);
  return size > 0 ? size : 0;
}
