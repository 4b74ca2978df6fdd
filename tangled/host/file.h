/* A file's text in memory. */
#ifndef SHUFFLE_LADDER_FILE_H
#define SHUFFLE_LADDER_FILE_H

/* The text from byte `from` to the end, '\0' after it; to be freed. NULL when
 * it cannot be read, and errno says why. */
char *file_read(const char *path, long from);

/* The size in bytes, 0 where there is no file. */
long file_size(const char *path);

#endif
