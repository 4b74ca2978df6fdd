/* A PTX module: what the text says, as data. The parser checks syntax and
 * names; whether an instruction exists is the decoder's affair (code.h).
 * Source: PTX ISA, "Syntax", "State Spaces, Types, and Variables" and
 * "Instruction Operands". */
#ifndef SHUFFLE_LADDER_PTX_H
#define SHUFFLE_LADDER_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_type {
  PTX_NO_TYPE,
  PTX_B8,
  PTX_B16,
  PTX_B32,
  PTX_B64,
  PTX_B128,
  PTX_U8,
  PTX_U16,
  PTX_U32,
  PTX_U64,
  PTX_S8,
  PTX_S16,
  PTX_S32,
  PTX_S64,
  PTX_F16,
  PTX_F16X2,
  PTX_BF16,
  PTX_BF16X2,
  PTX_F32,
  PTX_F64,
  PTX_PRED
};

enum ptx_space {
  PTX_GENERIC,
  PTX_PARAM,
  PTX_CONST,
  PTX_GLOBAL,
  PTX_SHARED,
  PTX_LOCAL
};

/* The special registers that the reader knows. For the vectors (tid, ntid,
 * ctaid, nctaid) `part` of the operand tells 0 = .x, 1 = .y, 2 = .z. */
enum ptx_special {
  PTX_TID,
  PTX_NTID,
  PTX_CTAID,
  PTX_NCTAID,
  PTX_LANEID,
  PTX_WARPID,
  PTX_NWARPID,
  PTX_SMID,
  PTX_NSMID,
  PTX_GRIDID,
  PTX_LANEMASK_EQ,
  PTX_LANEMASK_LE,
  PTX_LANEMASK_LT,
  PTX_LANEMASK_GE,
  PTX_LANEMASK_GT,
  PTX_CLOCK,
  PTX_CLOCK_HI,
  PTX_CLOCK64,
  PTX_GLOBALTIMER,
  PTX_DYNAMIC_SMEM_SIZE,
  PTX_TOTAL_SMEM_SIZE,
  PTX_RESERVED_SMEM_OFFSET, /* part: 0, 1, 2 = begin, 3 = end, 4 = cap */
  PTX_CLUSTER,              /* all about clusters; part tells no more */
  PTX_ENVREG,               /* part: 0 to 31 */
  PTX_PM                    /* part: 0 to 7, and 8 to 15 for %pm0_64 on */
};

enum ptx_role {                         /* where a variable was declared */
                PTX_MODULE_VARIABLE,    /* at module scope */
                PTX_KERNEL_PARAMETER,   /* .param of an .entry */
                PTX_FUNCTION_PARAMETER, /* .param (or .reg, see below) argument
                                           of a .func */
                PTX_FUNCTION_RETURN,    /* return value of a .func */
                PTX_BODY_VARIABLE /* .shared, .local, .param or .global in a
                                     body */
};

struct ptx_relocation { /* an initial value that is an address */
  uint64_t offset;      /* where in the variable, bytes */
  uint32_t variable;    /* whose address: index into module->variables */
  int64_t addend;
  bool generic; /* generic(sym): the generic address is meant */
};

struct ptx_variable {
  const char *name;
  enum ptx_space space;
  enum ptx_type type; /* element type */
  enum ptx_role role;
  int32_t owner;  /* index into module->functions, -1 at module scope */
  uint32_t align; /* bytes; the natural alignment where none is given */
  uint64_t size;  /* bytes; 0 for `extern .shared x[]` */
  bool is_extern;
  bool unsized;           /* declared with [] */
  unsigned char *initial; /* `size` bytes, NULL where all are zero */
  struct ptx_relocation *relocations;
  uint32_t relocation_count;
  uint32_t line;
};

struct ptx_register {
  const char *name;
  enum ptx_type type;
};

enum ptx_operand_kind {
  PTX_REGISTER,         /* index: into function->registers; negated for !p */
  PTX_INTEGER,          /* bits: the value as 64 bits, two's complement */
  PTX_FLOAT32,          /* bits: 32 bits of 0fXXXXXXXX */
  PTX_FLOAT64,          /* bits: 64 bits of 0dXXXX... or of a decimal literal */
  PTX_SPECIAL_REGISTER, /* special, part */
  PTX_SYMBOL,           /* address of variable `index`, plus offset */
  PTX_ADDRESS,          /* [..]: base tells what of; plus offset */
  PTX_LABEL,    /* bits: index of the instruction it stands before; may equal
                   instruction_count for a label at the end */
  PTX_VECTOR,   /* {..}: elements, count */
  PTX_LIST,     /* (..) of a call: elements, count */
  PTX_FUNCTION, /* index: into module->functions */
  PTX_SINK      /* _ */
};

enum ptx_base { PTX_BASE_NONE, PTX_BASE_REGISTER, PTX_BASE_SYMBOL };

struct ptx_operand {
  enum ptx_operand_kind kind;
  enum ptx_base base; /* of PTX_ADDRESS */
  bool negated;       /* !p */
  uint8_t part;       /* of PTX_SPECIAL_REGISTER */
  enum ptx_special special;
  uint32_t index;
  int64_t offset;
  uint64_t bits;
  struct ptx_operand *elements; /* of PTX_VECTOR and PTX_LIST */
  uint32_t count;
  struct ptx_operand *pair; /* the p of d|p, else NULL */
};

enum { PTX_MODIFIERS = 12, PTX_OPERANDS = 8 };

struct ptx_instruction {
  const char *text;   /* opcode with modifiers: "shfl.sync.down.b32" */
  const char *opcode; /* "shfl" */
  const char *modifier[PTX_MODIFIERS]; /* "sync", "down", "b32"; "shared::cta"
                                          stays one modifier */
  uint32_t modifier_count;
  int32_t guard; /* predicate register, -1 for none */
  bool guard_negated;
  struct ptx_operand operand[PTX_OPERANDS];
  uint32_t operand_count;
  uint32_t line;        /* PTX line, from 1 */
  uint32_t file;        /* from .loc: .file index, 0 for none */
  uint32_t source_line; /* from .loc */
};

struct ptx_file { /* .file index "name" */
  uint32_t index;
  const char *name;
};

struct ptx_function {
  const char *name;
  bool is_entry;
  bool defined; /* false for a prototype without a body */
  struct ptx_register *registers;
  uint32_t register_count;
  struct ptx_instruction *instructions;
  uint32_t instruction_count;
  uint32_t *parameters; /* indices into module->variables, in order */
  uint32_t parameter_count;
  uint32_t *returns;
  uint32_t return_count;
  uint32_t max_threads;         /* product of .maxntid, 0 where not given */
  uint32_t required_threads[3]; /* .reqntid, 0 where not given */
  uint32_t line;
};

struct ptx_module {
  uint32_t version; /* 90 for .version 9.0 */
  uint32_t target;  /* 80 for .target sm_80 (sm_90a gives 90) */
  struct ptx_file *files;
  uint32_t file_count;
  struct ptx_variable *variables;
  uint32_t variable_count;
  struct ptx_function *functions;
  uint32_t function_count;
  void *storage; /* owns everything above */
};

enum ptx_status {
  PTX_OK,
  PTX_BAD_SYNTAX,  /* does not parse; names and types included */
  PTX_BAD_VERSION, /* a .version newer than the simulator knows */
  PTX_NO_MEMORY
};

struct ptx_error {
  enum ptx_status status;
  uint32_t line;
  char message[240]; /* one line, no file name, no newline */
};

/* Parses `length` bytes of PTX. Returns NULL and fills *error where it cannot.
 * The text need not end in a NUL and is not kept. */
struct ptx_module *ptx_parse(const char *text, size_t length,
                             struct ptx_error *error);

/* Frees what ptx_parse made; NULL is allowed. */
void ptx_free(struct ptx_module *module);

/* Bytes of one element of a type: 1 to 16; 0 for .pred and no type. */
uint32_t ptx_type_size(enum ptx_type type);

/* ".f32" for PTX_F32, for messages; and back: PTX_NO_TYPE if unknown. */
const char *ptx_type_name(enum ptx_type type);
enum ptx_type ptx_type_find(const char *name); /* "f32", without the dot */

/* The name of the .file with this index, NULL where there is none. */
const char *ptx_file_name(const struct ptx_module *module, uint32_t index);

#endif
