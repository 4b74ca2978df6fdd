/* The instructions of a PTX or SASS file, each with the place it comes from. */
#include "listing_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct instruction *add(struct code *code, const char *text, size_t size,
                               unsigned number) {
  struct instruction new = {.text = text, .number = number};
  while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\t'))
    --size;
  new.length = (int)size;
  new.opcode = text + strspn(text, "{} \t");
  if (*new.opcode == '@')
    new.opcode = text_skip(new.opcode + strcspn(new.opcode, " \t"));
  if (isalpha((unsigned char)*new.opcode))
    new.opcode_length = strcspn(new.opcode, " \t;");
  code->item = text_grow(code->item, code->count, sizeof *code->item);
  code->item[code->count] = new;
  return &code->item[code->count++];
}

/* Cuts the line at the closing quote; *rest is what follows it. */
static const char *quoted(char *line, char **rest) {
  char *open = strchr(line, '"');
  char *close = open ? strchr(open + 1, '"') : NULL;
  if (!close)
    return NULL;
  *close = '\0';
  *rest = close + 1;
  return open + 1;
}

struct position {
  unsigned file, line, column;
};

struct seen {
  struct position at, parent; /* parent.file 0: not inlined */
};

struct ptx {
  const char **file; /* file[i] is the name of file i + 1 */
  size_t files;
  struct seen *seen;
  size_t seen_count;
  struct seen current;
  bool inside; /* an asm */
  bool open;   /* an instruction that goes on in the next line */
};

static void name_files(struct ptx *ptx, struct text *text) {
  for (size_t i = 0; i < text->lines; ++i) {
    char *rest = NULL;
    const char *line = text_skip(text->line[i]);
    if (strncmp(line, ".file", 5) != 0)
      continue;
    const unsigned long index = strtoul(line + 5, NULL, 10);
    const char *name = quoted(text->line[i], &rest);
    if (!name || index == 0 || index > 100000)
      text_die("%s:%zu: a .file line without number or name", text->path,
               i + 1);
    while (ptx->files < index) {
      ptx->file = text_grow(ptx->file, ptx->files, sizeof *ptx->file);
      ptx->file[ptx->files++] = "?";
    }
    ptx->file[index - 1] = name;
  }
}

static struct position read_position(const char *text) {
  struct position at = {0, 0, 0};
  char *end = NULL;
  at.file = (unsigned)strtoul(text, &end, 10);
  at.line = (unsigned)strtoul(end, &end, 10);
  at.column = (unsigned)strtoul(end, &end, 10);
  return at;
}

static struct seen *find_seen(struct ptx *ptx, struct position at) {
  for (size_t i = 0; i < ptx->seen_count; ++i)
    if (memcmp(&ptx->seen[i].at, &at, sizeof at) == 0)
      return &ptx->seen[i];
  return NULL;
}

static void read_loc(struct ptx *ptx, const char *line) {
  const char *parent = strstr(line, "inlined_at");
  struct seen seen = {read_position(line + 4), {0, 0, 0}};
  if (parent)
    seen.parent = read_position(parent + 10);
  struct seen *old = find_seen(ptx, seen.at);
  if (!old) {
    ptx->seen = text_grow(ptx->seen, ptx->seen_count, sizeof *ptx->seen);
    old = &ptx->seen[ptx->seen_count++];
  }
  *old = seen;
  ptx->current = seen;
}

static void follow(struct ptx *ptx, struct chain *chain) {
  const struct seen *seen = &ptx->current;
  while (seen && seen->at.file && chain->count < CHAIN_MAX) {
    const size_t index = seen->at.file - 1;
    chain->at[chain->count].file = index < ptx->files ? ptx->file[index] : "?";
    chain->at[chain->count].line = seen->at.line;
    ++chain->count;
    seen = seen->parent.file ? find_seen(ptx, seen->parent) : NULL;
  }
}

static void read_line(struct code *code, struct ptx *ptx, const char *line,
                      unsigned number) {
  while (*line && strncmp(line, "//", 2) != 0) {
    const size_t size = strcspn(line, ";");
    const size_t whole = size + (line[size] == ';');
    const bool starts = isalpha((unsigned char)*line) || *line == '@';
    const bool label = !ptx->inside && line[size] != ';' && strchr(line, ':');
    if (ptx->inside || (starts && !ptx->open && !label)) {
      struct instruction *new = add(code, line, whole, number);
      new->in_asm = ptx->inside;
      follow(ptx, &new->chain);
      ptx->open = !ptx->inside && line[size] != ';';
    } else if (line[size] == ';') {
      ptx->open = false;
    }
    line = text_skip(line + whole);
  }
}

static bool is_mark(struct code *code, struct ptx *ptx, const struct text *text,
                    size_t index) {
  const char *line = text_skip(text->line[index]);
  const bool begin = strncmp(line, "// begin inline asm", 19) == 0;
  const bool end = strncmp(line, "// end inline asm", 17) == 0;
  if (!begin && !end)
    return false;
  if (begin == ptx->inside)
    text_die("%s:%zu: an inline asm %s", text->path, index + 1,
             begin ? "begins inside another" : "ends that did not begin");
  ptx->inside = begin;
  code->regions += begin;
  return true;
}

void code_read_ptx(struct code *code, struct text *text) {
  struct ptx ptx = {0};
  bool version = false;
  *code = (struct code){0};
  name_files(&ptx, text);
  for (size_t i = 0; i < text->lines; ++i) {
    const char *line = text_skip(text->line[i]);
    version = version || strncmp(line, ".version", 8) == 0;
    if (strncmp(line, ".loc", 4) == 0)
      read_loc(&ptx, line);
    else if (!is_mark(code, &ptx, text, i))
      read_line(code, &ptx, line, (unsigned)i + 1);
  }
  if (!version)
    text_die("%s: not PTX: no .version line", text->path);
  if (ptx.inside)
    text_die("%s: an inline asm begins and does not end", text->path);
  code->located = ptx.seen_count > 0;
  free(ptx.file);
  free(ptx.seen);
}

static const char *after_address(const char *line, unsigned *address) {
  if (strncmp(line, "/*", 2) != 0)
    return NULL;
  const size_t digits = strspn(line + 2, "0123456789abcdef");
  if (digits == 0 || strncmp(line + 2 + digits, "*/", 2) != 0)
    return NULL;
  *address = (unsigned)strtoul(line + 2, NULL, 16);
  line = text_skip(line + 2 + digits + 2);
  return *line ? line : NULL;
}

void code_read_sass(struct code *code, struct text *text) {
  struct chain chain = {.count = 0};
  bool between = false; /* the last line was a place */
  *code = (struct code){0};
  for (size_t i = 0; i < text->lines; ++i) {
    const char *line = text_skip(text->line[i]);
    unsigned address = 0;
    if (strncmp(line, "//## File ", 10) == 0) {
      char *rest = NULL;
      const char *file = quoted(text->line[i], &rest);
      const char *number = file ? strstr(rest, "line ") : NULL;
      if (!number)
        text_die("%s:%zu: a place without file or line", text->path, i + 1);
      if (!between)
        chain.count = 0;
      between = true;
      code->located = true;
      code->inlined = code->inlined || strstr(rest, "inlined at");
      if (chain.count < CHAIN_MAX)
        chain.at[chain.count++] =
            (struct place){file, (unsigned)strtoul(number + 5, NULL, 10)};
      continue;
    }
    const char *instruction = after_address(line, &address);
    if (!instruction)
      continue;
    between = false;
    struct instruction *new =
        add(code, instruction, strcspn(instruction, ";"), address);
    new->chain = chain;
  }
  if (code->count == 0)
    text_die("%s: not SASS: no instruction in it", text->path);
}

size_t code_count(const struct code *code, const char *name, bool only_asm) {
  const size_t size = strlen(name);
  size_t count = 0;
  for (size_t i = 0; i < code->count; ++i) {
    const struct instruction *item = &code->item[i];
    if ((only_asm && !item->in_asm) || item->opcode_length < size ||
        strncmp(item->opcode, name, size) != 0)
      continue;
    if (item->opcode_length == size || item->opcode[size] == '.')
      ++count;
  }
  return count;
}

void code_free(struct code *code) { free(code->item); }
