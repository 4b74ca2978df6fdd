/* Writes about launches; see report.h. */
#include "report.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define COUNTER(name)                                                          \
  { #name, offsetof(struct counters, name) }

static const struct counter {
  const char *name;
  size_t offset;
} counter_table[] = {
    COUNTER(global_load_sectors),
    COUNTER(global_store_sectors),
    COUNTER(global_load_requests),
    COUNTER(global_store_requests),
    COUNTER(shared_load_wavefronts),
    COUNTER(shared_store_wavefronts),
    COUNTER(shared_bank_conflicts),
    COUNTER(shuffles),
    COUNTER(votes),
    COUNTER(reduxes),
    COUNTER(barriers),
    COUNTER(instructions),
    COUNTER(lane_instructions),
};

enum { COUNTER_COUNT = sizeof counter_table / sizeof counter_table[0] };

static uint64_t counter_value(const struct counters *counters, size_t i) {
  uint64_t value;
  memcpy(&value, (const char *)counters + counter_table[i].offset,
         sizeof value);
  return value;
}

static const struct fault_text {
  const char *what, *error, *next;
} fault_texts[] = {
    [FAULT_NONE] = {"nothing", "CUDA_SUCCESS", "nothing"},
    [FAULT_ILLEGAL_ADDRESS] = {"illegal address", "CUDA_ERROR_ILLEGAL_ADDRESS",
                               "compare the index with the size of the array, "
                               "and the pointer with what "
                               "cuMemAlloc gave"},
    [FAULT_MISALIGNED] =
        {"misaligned address", "CUDA_ERROR_MISALIGNED_ADDRESS",
         "an access of n bytes needs an address divisible by n"},
    [FAULT_ILLEGAL_INSTRUCTION] =
        {"illegal instruction", "CUDA_ERROR_ILLEGAL_INSTRUCTION",
         "look at the operands of the instruction on that PTX line"},
    [FAULT_DEADLOCK] =
        {"deadlock", "CUDA_ERROR_LAUNCH_TIMEOUT",
         "every lane that a mask or a barrier names must reach it: look for a "
         "branch around it"},
    [FAULT_LIMIT] = {"limit on instructions", "CUDA_ERROR_LAUNCH_TIMEOUT",
                     "look for a loop that does not end, or raise SIM_LIMIT"},
    [FAULT_ASSERT] = {"assertion", "CUDA_ERROR_ASSERT",
                      "look for the assert that this call belongs to"},
    [FAULT_MEMORY] = {"no memory", "CUDA_ERROR_OUT_OF_MEMORY",
                      "launch fewer threads, or free memory on the host"},
};

static const struct fault_text trap_text = {
    "trap", "CUDA_ERROR_LAUNCH_FAILED",
    "the kernel executed a trap instruction: find out which check led to it"};

static const struct fault_text *fault_text(const struct fault *fault) {
  bool trap = fault->id != NULL && strcmp(fault->id, "trap") == 0;
  return trap ? &trap_text : &fault_texts[fault->kind];
}

const char *report_error(const struct fault *fault) {
  return fault_text(fault)->error;
}

const char *report_section(const struct fault *fault) {
  static const char *const sections[][2] = {
      {"race", "chapter 4, The shared join"},
      {"barrier", "chapter 4, The shared join"},
      {"mask", "chapter 3, The shuffle ladder"},
      {"lane", "chapter 3, The shuffle ladder"},
      {"shuffle", "chapter 3, The shuffle ladder"},
      {"bounds", "chapter 2, Thirty-two lanes load"},
      {"misaligned", "chapter 2, Thirty-two lanes load"},
      {"deadlock", "chapter 12, Running a warp"},
  };
  for (size_t i = 0;
       fault->id != NULL && i < sizeof sections / sizeof *sections; i++)
    if (strstr(fault->id, sections[i][0]) != NULL)
      return sections[i][1];
  return "chapter 15, Naming mistakes";
}

void report_string(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

static void write_source(FILE *out, const struct sim_kernel *kernel,
                         const struct fault *fault) {
  const char *file = sim_kernel_file(kernel, fault->file);
  char source[1024];
  if (file == NULL || fault->source_line == 0) {
    fputs("null", out);
    return;
  }
  snprintf(source, sizeof source, "%s:%" PRIu32, file, fault->source_line);
  report_string(out, source);
}

static void write_place(FILE *out, const struct sim_kernel *kernel,
                        const struct fault *fault) {
  fprintf(out, "\"ptx_line\":%" PRIu32 ",\"source\":", fault->ptx_line);
  write_source(out, kernel, fault);
  fprintf(out,
          ",\"block\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],\"warp\":%" PRIu32
          ",\"lanes\":\"0x%08" PRIx32 "\"",
          fault->block[0], fault->block[1], fault->block[2], fault->warp,
          fault->lanes);
}

static void write_fault(FILE *out, const struct report *report) {
  const struct fault *fault = &report->result->fault;
  if (fault->kind == FAULT_NONE) {
    fputs("null", out);
    return;
  }
  fputs("{\"id\":", out);
  report_string(out, fault->id != NULL ? fault->id : "unnamed");
  fputs(",\"error\":", out);
  report_string(out, report_error(fault));
  fputc(',', out);
  write_place(out, report->kernel, fault);
  fputs(",\"message\":", out);
  report_string(out, fault->message);
  fputc('}', out);
}

static void write_diagnosis(FILE *out, const struct sim_kernel *kernel,
                            const struct fault *fault, uint64_t count) {
  fputs("{\"id\":", out);
  report_string(out, fault->id != NULL ? fault->id : "unnamed");
  fputc(',', out);
  write_place(out, kernel, fault);
  fprintf(out, ",\"count\":%" PRIu64 ",\"message\":", count);
  report_string(out, fault->message);
  fputs(",\"read\":", out);
  report_string(out, report_section(fault));
  fputc('}', out);
}

static void write_diagnoses(FILE *out, const struct report *report) {
  const struct findings *findings = &report->result->findings;
  const char *comma = "";
  fputc('[', out);
  for (uint32_t i = 0; i < findings->count; i++) {
    const struct finding *finding = &findings->finding[i];
    fputs(comma, out);
    write_diagnosis(out, report->kernel, &finding->first, finding->count);
    comma = ",";
  }
  if (report->result->fault.kind != FAULT_NONE) {
    fputs(comma, out);
    write_diagnosis(out, report->kernel, &report->result->fault, 1);
  }
  fputc(']', out);
}

void report_members(FILE *out, const struct report *report) {
  const struct sim_launch *launch = report->launch;
  const struct counters *counters = &report->result->counters;
  struct sim_kernel_info info;
  sim_kernel_describe(report->kernel, &info);
  fputs("\"kernel\":", out);
  report_string(out, info.name);
  fprintf(out, ",\"grid\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]",
          launch->grid[0], launch->grid[1], launch->grid[2]);
  fprintf(out, ",\"block\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]",
          launch->block[0], launch->block[1], launch->block[2]);
  fprintf(out, ",\"seconds\":%.6f,\"counters\":{", report->seconds);
  for (size_t i = 0; i < COUNTER_COUNT; i++)
    fprintf(out, "%s\"%s\":%" PRIu64, i == 0 ? "" : ",", counter_table[i].name,
            counter_value(counters, i));
  fprintf(out, "},\"approximate\":%s,\"fault\":",
          counters->approximate != 0 ? "true" : "false");
  write_fault(out, report);
  fputs(",\"diagnoses\":", out);
  write_diagnoses(out, report);
}

void report_counters(FILE *out, const struct counters *counters) {
  for (size_t i = 0; i < COUNTER_COUNT; i++)
    fprintf(out, "%-24s %20" PRIu64 "\n", counter_table[i].name,
            counter_value(counters, i));
  if (counters->approximate != 0)
    fprintf(out,
            "approximate: %" PRIu64 " executions of instructions whose last "
            "bits a GPU may give otherwise\n",
            counters->approximate);
}

static void write_lanes(FILE *out, uint32_t mask) {
  const char *comma = "";
  fputs(mask != 0 && (mask & (mask - 1)) == 0 ? "lane " : "lanes ", out);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t last = lane;
    if ((mask >> lane & 1) == 0)
      continue;
    while (last + 1 < LANES && (mask >> (last + 1) & 1) != 0)
      last++;
    fprintf(out, last > lane ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, comma,
            lane, last);
    comma = ",";
    lane = last;
  }
}

static void write_where(FILE *out, const struct sim_kernel *kernel,
                        const struct fault *fault) {
  const char *file = sim_kernel_file(kernel, fault->file);
  fprintf(out, "  where: PTX line %" PRIu32, fault->ptx_line);
  if (file != NULL && fault->source_line != 0)
    fprintf(out, ", %s:%" PRIu32, file, fault->source_line);
  fprintf(out,
          ", block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), warp %" PRIu32 ", ",
          fault->block[0], fault->block[1], fault->block[2], fault->warp);
  write_lanes(out, fault->lanes);
  fputc('\n', out);
}

void report_fault(FILE *out, const struct report *report) {
  const struct fault *fault = &report->result->fault;
  const struct fault_text *text = fault_text(fault);
  struct sim_kernel_info info;
  sim_kernel_describe(report->kernel, &info);
  fprintf(out, "simulator: kernel %s stopped: %s (%s)\n", info.name, text->what,
          text->error);
  fprintf(out, "  what:  %s\n", fault->message);
  write_where(out, report->kernel, fault);
  fprintf(out, "  next:  %s\n", text->next);
}

void report_findings(FILE *out, const struct report *report) {
  const struct findings *findings = &report->result->findings;
  struct sim_kernel_info info;
  sim_kernel_describe(report->kernel, &info);
  for (uint32_t i = 0; i < findings->count; i++) {
    const struct finding *finding = &findings->finding[i];
    fprintf(out, "simulator: kernel %s: %s (%" PRIu64 " times)\n", info.name,
            finding->first.id, finding->count);
    fprintf(out, "  what:  %s\n", finding->first.message);
    write_where(out, report->kernel, &finding->first);
    fprintf(out, "  read:  %s\n", report_section(&finding->first));
  }
}
