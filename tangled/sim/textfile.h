/* Reads a whole file into memory. */
#ifndef SHUFFLE_LADDER_TEXTFILE_H
#define SHUFFLE_LADDER_TEXTFILE_H

#include <stddef.h>

/* The bytes of a file with a NUL behind them, to be freed by the caller, and
 * their number without it. NULL if the file cannot be read, and errno says
 * why. */
char *textfile_read(const char *path, size_t *length);

#endif
