/* The instructions of a PTX or SASS file, each with the place it comes from. */
#ifndef SHUFFLE_LADDER_LISTING_CODE_H
#define SHUFFLE_LADDER_LISTING_CODE_H

#include "listing_place.h"

struct instruction {
  const char *text; /* into the file's line */
  int length;       /* of text, in characters */
  const char *opcode;
  size_t opcode_length; /* 0: a brace or a declaration inside an asm */
  unsigned number;      /* PTX: line of the file; SASS: address */
  bool in_asm;          /* stands between inline-asm marks */
  struct chain chain;
};

struct code {
  struct instruction *item;
  size_t count;
  size_t regions; /* pairs of inline-asm marks */
  bool located;   /* there is line information */
  bool inlined;   /* ... and it says what was inlined where */
};

/* Both end the program if the file is not what it should be. The instructions
 * point into `text`, whose file names get cut at their closing quotes. */
void code_read_ptx(struct code *code, struct text *text);
void code_read_sass(struct code *code, struct text *text);
void code_free(struct code *code);

/* How many instructions have an opcode that is `name`, or begins with `name`
 * and a dot: "BAR.SYNC" counts BAR.SYNC.DEFER_BLOCKING. */
size_t code_count(const struct code *code, const char *name, bool only_asm);

#endif
