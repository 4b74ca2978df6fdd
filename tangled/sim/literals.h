/* Numbers of PTX types as text: reading lists of them, printing one. */
#ifndef SHUFFLE_LADDER_LITERALS_H
#define SHUFFLE_LADDER_LITERALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum numbers { NUMBERS_SIGNED, NUMBERS_UNSIGNED, NUMBERS_FLOAT };

struct value_type {
  const char *name; /* "f32" */
  size_t size;      /* bytes */
  enum numbers numbers;
};

struct values {
  const struct value_type *type;
  unsigned char *bytes; /* to be freed by the owner */
  size_t count, capacity;
};

/* A type by the first `length` characters of a name; NULL if unknown. */
const struct value_type *value_type_find(const char *name, size_t length);

/* Reads "1,2,5..7" up to the end of the text and adds the values. False for
 * anything that is not a list of values of this type. */
bool values_read(struct values *values, const char *text);

/* Prints one value so that reading it gives the same bits; for JSON, what is
 * no number becomes null. */
void value_print(FILE *out, const struct value_type *type,
                 const unsigned char *bytes, bool json);

#endif
