/* Finds values in JSON text without building a tree. */
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *p) {
  return p + strspn(p, " \t\r\n");
}

static const char *skip_string(const char *p) {
  for (++p; *p != '\0' && *p != '"'; ++p)
    if (*p == '\\' && p[1] != '\0')
      ++p;
  return *p == '"' ? p + 1 : p;
}

static const char *skip_value(const char *p) {
  int level = 0;
  do {
    if (*p == '"') {
      p = skip_string(p);
      continue;
    }
    if (*p == '{' || *p == '[')
      ++level;
    else if (*p == '}' || *p == ']')
      --level;
    else if (level == 0)
      return p + strcspn(p, " \t\r\n,:]}");
    if (*p != '\0')
      ++p;
  } while (level > 0 && *p != '\0');
  return p;
}

struct json json_value(const char *text) {
  const char *start = skip_blanks(text);
  return (struct json){start, skip_value(start)};
}

/* From the bracket or the end of an element to the next element, or NULL. */
static const char *next_element(const char *p, const char *end) {
  p = skip_blanks(p);
  if (p < end && (*p == ',' || *p == '{' || *p == '['))
    p = skip_blanks(p + 1);
  return p >= end || *p == '}' || *p == ']' || *p == '\0' ? NULL : p;
}

struct json json_member(struct json object, const char *name) {
  const size_t length = strlen(name);
  if (!object.start || *object.start != '{')
    return (struct json){0};
  const char *p = next_element(object.start, object.end);
  while (p && *p == '"') {
    const char *after = skip_string(p);
    const bool found =
        after == p + length + 2 && memcmp(p + 1, name, length) == 0;
    p = skip_blanks(after);
    const struct json value = json_value(*p == ':' ? p + 1 : p);
    if (found)
      return value;
    p = next_element(value.end, object.end);
  }
  return (struct json){0};
}

struct json json_item(struct json array, size_t index) {
  if (!array.start || *array.start != '[')
    return (struct json){0};
  const char *p = next_element(array.start, array.end);
  while (p) {
    const struct json value = json_value(p);
    if (index-- == 0)
      return value;
    if (value.end == p)
      break;
    p = skip_blanks(value.end) < array.end && *skip_blanks(value.end) == ','
            ? next_element(value.end, array.end)
            : NULL;
  }
  return (struct json){0};
}

bool json_u64(struct json value, uint64_t *number) {
  if (!value.start || *value.start < '0' || *value.start > '9')
    return false;
  char *end;
  errno = 0;
  const unsigned long long read = strtoull(value.start, &end, 10);
  if (errno != 0 || end != value.end)
    return false;
  *number = read;
  return true;
}

/* *p is at the character after a backslash, and is left at the last one used.
 */
static char unescape(const char **p) {
  static const char letters[] = "nrtbf", meant[] = "\n\r\t\b\f";
  const char *letter = strchr(letters, **p);
  if (**p == 'u') {
    char digits[5] = {0};
    strncpy(digits, *p + 1, 4);
    *p += strlen(digits);
    const long code = strtol(digits, NULL, 16);
    return code > 0 && code < 128 ? (char)code : '?';
  }
  return letter && **p != '\0' ? meant[letter - letters] : **p;
}

void json_text(struct json value, char *text, size_t size) {
  size_t used = 0;
  const char *p = value.start, *end = value.end;
  const bool quoted = p && *p == '"';
  if (quoted) {
    ++p;
    --end;
  }
  for (; p && p < end && used + 1 < size; ++p) {
    char c = *p;
    if (quoted && c == '\\') {
      ++p;
      c = unescape(&p);
    }
    text[used++] = c;
  }
  text[used] = '\0';
}

void json_write_string(FILE *out, const char *text) {
  (void)fputc('"', out);
  for (; *text != '\0'; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      (void)fprintf(out, "\\%c", c);
    else if (c < 0x20)
      (void)fprintf(out, "\\u%04x", c);
    else
      (void)fputc(c, out);
  }
  (void)fputc('"', out);
}

void json_write_double(FILE *out, double number) {
  if (isfinite(number))
    (void)fprintf(out, "%.17g", number);
  else
    (void)fputs("null", out);
}
