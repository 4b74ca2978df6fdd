/* listing: a kernel's PTX and SASS beside the source lines they come from.
 * Status: 0 well, 1 a count differs from --expect, 2 wrong option or file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "listing_code.h"

static const char usage[] =
    "usage: listing --ptx FILE [--sass FILE] --source FILE.cu [--map FILE]\n"
    "               [--grep LIST | --all] [--lines A-B] [--expect LIST]\n";

struct request {
  const char *ptx, *sass, *source, *map, *grep, *expect;
  bool all;
  unsigned first, last; /* --lines; last 0: all lines */
};

struct listing {
  struct request want;
  struct text ptx_text, sass_text, source, map_text;
  struct code ptx, sass;
  struct map map;
  bool has_sass, whole_chain;
};

static const char of_interest[] =
    "ld.global,ld.shared,st.global,st.shared,add.f32,add.rn.f32,add.s32,setp,"
    "bra,bar,shfl,vote,match,redux,atom";

static bool in_list(const struct instruction *item, const char *list) {
  while (list && *list) {
    const size_t size = strcspn(list, ",");
    if (size > 0 && size <= item->opcode_length &&
        strncmp(item->opcode, list, size) == 0 &&
        (item->opcode_length == size || item->opcode[size] == '.'))
      return true;
    list += size + (list[size] == ',');
  }
  return false;
}

static bool is_source(const struct listing *listing, struct place place) {
  return strcmp(place_base(place.file), place_base(listing->want.source)) == 0;
}

static bool within_lines(const struct listing *listing,
                         const struct chain *chain) {
  const struct request *want = &listing->want;
  if (want->last == 0)
    return true;
  for (size_t i = 0; i < chain->count; ++i)
    if (chain->at[i].line >= want->first && chain->at[i].line <= want->last &&
        is_source(listing, chain->at[i]))
      return true;
  return false;
}

static bool interesting(const struct listing *listing,
                        const struct instruction *item) {
  const struct request *want = &listing->want;
  if (!within_lines(listing, &item->chain))
    return false;
  if (want->all || item->in_asm || in_list(item, want->grep))
    return true;
  return !want->grep && listing->ptx.regions == 0 && in_list(item, of_interest);
}

static void print_place(const struct listing *listing, struct place place,
                        const char *before) {
  const bool ours = is_source(listing, place);
  struct place shown = {place_base(place.file), place.line};
  if (ours)
    shown.file = place.file = listing->want.source;
  map_find(&listing->map, place, &shown);
  printf("%s%s:%u", before, shown.file, shown.line);
  if (ours && place.line > 0 && place.line <= listing->source.lines)
    printf("  %s", text_skip(listing->source.line[place.line - 1]));
  putchar('\n');
}

static void print_chain(const struct listing *listing,
                        const struct chain *chain) {
  if (chain->count == 0)
    puts("no source line");
  for (size_t i = 0; i < chain->count; ++i)
    print_place(listing, chain->at[i], i ? "  called from " : "");
}

static struct chain key_of(const struct listing *listing,
                           const struct instruction *item) {
  struct chain key = item->chain;
  if (!listing->whole_chain && key.count > 1)
    key.count = 1;
  return key;
}

static void print_code(const struct instruction *item) {
  bool blank = false;
  for (int i = 0; i < item->length; ++i) {
    const bool now = item->text[i] == ' ' || item->text[i] == '\t';
    if (!now || !blank)
      putchar(now ? ' ' : item->text[i]);
    blank = now;
  }
  putchar('\n');
}

static void print_ptx(const struct listing *listing,
                      const struct chain *chain) {
  for (size_t i = 0; i < listing->ptx.count; ++i) {
    const struct instruction *item = &listing->ptx.item[i];
    const struct chain key = key_of(listing, item);
    if (interesting(listing, item) && chain_equal(chain, &key)) {
      printf("    ptx  %5u | ", item->number);
      print_code(item);
    }
  }
}

static bool only_asm(const struct listing *listing) {
  const struct request *want = &listing->want;
  return listing->ptx.regions > 0 && !want->grep && !want->all;
}

static bool belongs(const struct listing *listing, const struct chain *chain,
                    const struct instruction *item) {
  const struct chain key = key_of(listing, item);
  if (in_list(item, "NOP"))
    return false;
  if (chain_equal(chain, &key))
    return true;
  return only_asm(listing) && chain_calls(chain, &key);
}

static void print_sass(const struct listing *listing,
                       const struct chain *chain) {
  if (!listing->has_sass || chain->count == 0)
    return;
  size_t shown = 0;
  for (size_t i = 0; i < listing->sass.count; ++i) {
    const struct instruction *item = &listing->sass.item[i];
    if (!belongs(listing, chain, item))
      continue;
    printf("    sass  %04x | ", item->number);
    print_code(item);
    ++shown;
  }
  if (shown == 0 && listing->sass.located)
    puts("    sass       | nothing: no machine instruction has this line");
}

static void print_group(const struct listing *listing,
                        const struct chain *chain) {
  print_chain(listing, chain);
  print_ptx(listing, chain);
  print_sass(listing, chain);
  putchar('\n');
}

static bool first_of_group(const struct listing *listing, size_t index) {
  const struct chain key = key_of(listing, &listing->ptx.item[index]);
  for (size_t i = 0; i < index; ++i) {
    const struct chain other = key_of(listing, &listing->ptx.item[i]);
    if (interesting(listing, &listing->ptx.item[i]) &&
        chain_equal(&key, &other))
      return false;
  }
  return true;
}

static void print_groups(const struct listing *listing) {
  size_t groups = 0;
  for (size_t i = 0; i < listing->ptx.count; ++i) {
    if (!interesting(listing, &listing->ptx.item[i]) ||
        !first_of_group(listing, i))
      continue;
    const struct chain key = key_of(listing, &listing->ptx.item[i]);
    print_group(listing, &key);
    ++groups;
  }
  if (groups == 0)
    puts("no instruction of interest\n");
}

static const char of_interest_sass[] =
    "LDG,STG,LDS,STS,FADD,SHFL,BAR,WARPSYNC,VOTE,MATCH,REDUX,ATOMG,ATOMS,RED";

static bool counted(const struct instruction *item) {
  return item->opcode_length > 0 &&
         (item->in_asm || in_list(item, of_interest) ||
          in_list(item, of_interest_sass));
}

static bool same_opcode(const struct instruction *a,
                        const struct instruction *b) {
  return a->opcode_length == b->opcode_length &&
         memcmp(a->opcode, b->opcode, a->opcode_length) == 0;
}

static void print_count(const struct code *code, size_t index,
                        const char *language) {
  const struct instruction *item = &code->item[index];
  size_t count = 0, inside = 0;
  for (size_t i = 0; i < code->count; ++i) {
    if (!same_opcode(&code->item[i], item))
      continue;
    if (i < index && counted(&code->item[i]))
      return; /* it had its turn */
    ++count;
    inside += code->item[i].in_asm;
  }
  printf("  %-4s  %4zu %.*s", language, count, (int)item->opcode_length,
         item->opcode);
  if (inside)
    printf(" (%zu in inline asm)", inside);
  putchar('\n');
}

static void print_counts(const struct code *code, const char *language) {
  for (size_t i = 0; i < code->count; ++i)
    if (counted(&code->item[i]))
      print_count(code, i, language);
}

static void print_all_counts(const struct listing *listing) {
  printf("counts, whole file (%zu inline asm)\n", listing->ptx.regions);
  print_counts(&listing->ptx, "ptx");
  if (listing->has_sass)
    print_counts(&listing->sass, "sass");
}

static bool check_one(const struct listing *listing, const char *name,
                      size_t want) {
  const bool inside = strncmp(name, "asm:", 4) == 0;
  const bool sass = *name >= 'A' && *name <= 'Z';
  if (sass && !listing->has_sass)
    text_die("cannot expect %s without --sass", name);
  const size_t got = code_count(sass ? &listing->sass : &listing->ptx,
                                inside ? name + 4 : name, inside);
  if (got != want)
    printf("expected %zu of %s, found %zu\n", want, name, got);
  return got == want;
}

static bool check_all(const struct listing *listing, const char *list) {
  bool good = true;
  while (*list) {
    char name[64];
    char *end = NULL;
    const size_t size = strcspn(list, "=,");
    const unsigned long want =
        list[size] == '=' ? strtoul(list + size + 1, &end, 10) : 0;
    if (size == 0 || size >= sizeof name || !end || end == list + size + 1 ||
        (*end != ',' && *end != '\0'))
      text_die("--expect takes NAME=COUNT,NAME=COUNT and not \"%s\"", list);
    memcpy(name, list, size);
    name[size] = '\0';
    good = check_one(listing, name, want) && good;
    list = end + (*end == ',');
  }
  return good;
}

static void read_lines(struct request *want, const char *value) {
  char *end = NULL;
  want->first = (unsigned)strtoul(value, &end, 10);
  if (*end == '-')
    want->last = (unsigned)strtoul(end + 1, &end, 10);
  if (*end != '\0' || want->first == 0 || want->last < want->first)
    text_die("--lines takes A-B and not \"%s\"", value);
}

static void set_option(struct request *want, const char *name,
                       const char *value) {
  if (strcmp(name, "--ptx") == 0)
    want->ptx = value;
  else if (strcmp(name, "--sass") == 0)
    want->sass = value;
  else if (strcmp(name, "--source") == 0)
    want->source = value;
  else if (strcmp(name, "--map") == 0)
    want->map = value;
  else if (strcmp(name, "--grep") == 0)
    want->grep = value;
  else if (strcmp(name, "--expect") == 0)
    want->expect = value;
  else if (strcmp(name, "--lines") == 0)
    read_lines(want, value);
  else
    text_die("%s: no such option\n%s", name, usage);
}

static void read_options(struct request *want, int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--all") == 0) {
      want->all = true;
      continue;
    }
    if (i + 1 == argc)
      text_die("%s: no such option, or no value\n%s", argv[i], usage);
    set_option(want, argv[i], argv[i + 1]);
    ++i;
  }
  if (!want->ptx || !want->source)
    text_die("--ptx and --source are needed\n%s", usage);
}

static void read_files(struct listing *listing) {
  const struct request *want = &listing->want;
  text_read(&listing->source, want->source);
  text_read(&listing->ptx_text, want->ptx);
  code_read_ptx(&listing->ptx, &listing->ptx_text);
  listing->has_sass = want->sass != NULL;
  if (listing->has_sass) {
    text_read(&listing->sass_text, want->sass);
    code_read_sass(&listing->sass, &listing->sass_text);
  }
  if (want->map) {
    text_read(&listing->map_text, want->map);
    map_read(&listing->map, &listing->map_text);
  }
  listing->whole_chain =
      !listing->has_sass || listing->sass.inlined || !listing->sass.located;
}

static void print_head(const struct listing *listing) {
  printf("listing of %s\n", listing->want.source);
  if (!listing->has_sass)
    puts("no SASS: none was given (it takes ptxas and nvdisasm); PTX only");
  else if (!listing->sass.located)
    puts("the SASS has no line information (ptxas -lineinfo, nvdisasm -gi)");
  else if (!listing->sass.inlined)
    puts("the SASS does not say what was inlined where (nvdisasm -gi does)");
  if (!listing->ptx.located)
    puts("the PTX has no line information (nvcc -lineinfo)");
  putchar('\n');
}

static void free_all(struct listing *listing) {
  code_free(&listing->ptx);
  code_free(&listing->sass);
  free(listing->map.span);
  text_free(&listing->ptx_text);
  text_free(&listing->sass_text);
  text_free(&listing->source);
  text_free(&listing->map_text);
}

int main(int argc, char **argv) {
  struct listing listing = {0};
  read_options(&listing.want, argc, argv);
  read_files(&listing);
  print_head(&listing);
  print_groups(&listing);
  print_all_counts(&listing);
  const bool good =
      !listing.want.expect || check_all(&listing, listing.want.expect);
  free_all(&listing);
  return good ? 0 : 1;
}
