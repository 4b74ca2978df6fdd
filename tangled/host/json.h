/* Finds values in JSON text (RFC 8259) without building a tree. The text is
 * taken to be well formed where it is not looked at. */
#ifndef SHUFFLE_LADDER_JSON_H
#define SHUFFLE_LADDER_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One value: the characters start .. end - 1. start is NULL for no value. */
struct json {
  const char *start, *end;
};

/* The first value of a text, after blanks. */
struct json json_value(const char *text);
/* A member of an object; an item of an array. No value: there is none. */
struct json json_member(struct json object, const char *name);
struct json json_item(struct json array, size_t index);
/* Is it a whole number without a sign that fits? Then *number is it. */
bool json_u64(struct json value, uint64_t *number);
/* The characters of a string, its escapes undone (beyond ASCII: '?'), cut to
 * size - 1 of them; anything else as it stands in the text. */
void json_text(struct json value, char *text, size_t size);

/* Writes text as a JSON string, quotes included. */
void json_write_string(FILE *out, const char *text);
/* Writes a number so that it reads back the same; null if it is not finite. */
void json_write_double(FILE *out, double number);

#endif
