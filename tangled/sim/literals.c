/* Numbers of PTX types as text; see literals.h. */
#include "literals.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct value_type types[] = {
    {"s8", 1, NUMBERS_SIGNED},    {"u8", 1, NUMBERS_UNSIGNED},
    {"s16", 2, NUMBERS_SIGNED},   {"u16", 2, NUMBERS_UNSIGNED},
    {"s32", 4, NUMBERS_SIGNED},   {"u32", 4, NUMBERS_UNSIGNED},
    {"b32", 4, NUMBERS_UNSIGNED}, {"s64", 8, NUMBERS_SIGNED},
    {"u64", 8, NUMBERS_UNSIGNED}, {"b64", 8, NUMBERS_UNSIGNED},
    {"f32", 4, NUMBERS_FLOAT},    {"f64", 8, NUMBERS_FLOAT},
};

const struct value_type *value_type_find(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strlen(types[i].name) == length &&
        strncmp(types[i].name, name, length) == 0)
      return &types[i];
  return NULL;
}

static bool read_integer(const char *text, char **end,
                         const struct value_type *type, unsigned char *to) {
  unsigned bits = 8 * (unsigned)type->size;
  bool negative = *text == '-';
  uint64_t most = UINT64_MAX >> (64 - bits), value;
  if (type->numbers == NUMBERS_SIGNED)
    most = (most >> 1) + negative;
  if ((negative && type->numbers == NUMBERS_UNSIGNED) ||
      strchr("0123456789", text[negative]) == NULL || text[negative] == '\0')
    return false;
  errno = 0;
  value = strtoull(text + negative, end, 0);
  if (errno != 0 || value > most)
    return false;
  value = negative ? 0 - value : value;
  memcpy(to, &value, type->size);
  return true;
}

static bool read_value(const char *text, char **end,
                       const struct value_type *type, unsigned char *to) {
  if (type->numbers != NUMBERS_FLOAT)
    return read_integer(text, end, type, to);
  if (type->size == sizeof(float)) {
    float value = strtof(text, end);
    memcpy(to, &value, sizeof value);
  } else {
    double value = strtod(text, end);
    memcpy(to, &value, sizeof value);
  }
  return *end != text;
}

static unsigned char *room_for(struct values *values) {
  size_t size = values->type->size;
  if (values->count == values->capacity) {
    size_t capacity = 2 * values->capacity + 16;
    unsigned char *more = realloc(values->bytes, capacity * size);
    if (more == NULL)
      return NULL;
    values->bytes = more;
    values->capacity = capacity;
  }
  return values->bytes + values->count++ * size;
}

static bool add_range(struct values *values, const char *text, const char *dots,
                      char **end) {
  char number[32];
  int64_t first = strtoll(text, end, 10), last;
  if (*end != dots)
    return false;
  last = strtoll(dots + 2, end, 10);
  if (*end == dots + 2 || last < first || last - first >= 1 << 24)
    return false;
  for (; first <= last; first++) {
    unsigned char *to = room_for(values);
    char *rest;
    snprintf(number, sizeof number, "%" PRId64, first);
    if (to == NULL || !read_value(number, &rest, values->type, to))
      return false;
  }
  return true;
}

bool values_read(struct values *values, const char *text) {
  for (;;) {
    const char *dots = strstr(text, "..");
    char *end;
    if (dots != NULL && strcspn(text, ",") > (size_t)(dots - text)) {
      if (!add_range(values, text, dots, &end))
        return false;
    } else {
      unsigned char *to = room_for(values);
      if (to == NULL || !read_value(text, &end, values->type, to))
        return false;
    }
    if (*end == '\0')
      return true;
    if (*end != ',')
      return false;
    text = end + 1;
  }
}

static void print_float(FILE *out, double value, int digits, bool json) {
  if (json && !isfinite(value))
    fputs("null", out);
  else
    fprintf(out, "%.*g", digits, value);
}

static int64_t sign_extend(uint64_t value, unsigned bits) {
  if ((value >> (bits - 1) & 1) != 0)
    value |= ~(UINT64_MAX >> (64 - bits));
  return (int64_t)value;
}

void value_print(FILE *out, const struct value_type *type,
                 const unsigned char *bytes, bool json) {
  uint64_t value = 0;
  float narrow = 0;
  double wide;
  memcpy(&value, bytes, type->size);
  memcpy(&narrow, bytes,
         sizeof narrow < type->size ? sizeof narrow : type->size);
  memcpy(&wide, &value, sizeof wide);
  if (type->numbers == NUMBERS_FLOAT)
    print_float(out, type->size == 4 ? narrow : wide, type->size == 4 ? 9 : 17,
                json);
  else if (type->numbers == NUMBERS_SIGNED)
    fprintf(out, "%" PRId64, sign_extend(value, 8 * (unsigned)type->size));
  else
    fprintf(out, "%" PRIu64, value);
}
