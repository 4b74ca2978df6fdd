# `make figures`: the drawings of the chapters, build/figures/NAME.svg and .pdf.
# figures/NAME.c draws what the traces in its rule below show.

FIGURES := build/figures
TRACES := $(FIGURES)/traces

# The figures that the chapters name, where there are programs to draw them.
FIGURE_NAMES := $(if $(BOOK_NW),$(shell \
  sed -n 's/^::: *{\.figure .* src="\([^"]*\)".*/\1/p' $(BOOK_NW)))
FIGURE_NAMES := $(filter $(patsubst figures/%.c,%,$(wildcard figures/*.c)), \
  $(FIGURE_NAMES))
FIGURE_SVGS := $(FIGURE_NAMES:%=$(FIGURES)/%.svg)
FIGURE_PDFS := $(FIGURE_NAMES:%=$(FIGURES)/%.pdf)

.PHONY: figures
figures: $(FIGURE_SVGS) $(FIGURE_PDFS)

# --- the programs ------------------------------------------------------------
# What they share.
FIGURE_PARTS := map reader svg

$(FIGURES)/bin/%.o: figures/%.c build/stamps/flags
	@mkdir -p $(@D)
	@echo "  cc      $@"
	$(Q)$(CC) $(WARN) $(CAREFUL) -O2 $(POSIX) -MMD -MP -c $< -o $@

$(FIGURES)/bin/%: $(FIGURES)/bin/%.o $(FIGURE_PARTS:%=$(FIGURES)/bin/%.o)
	@echo "  link    $@"
	$(Q)$(CC) -o $@ $^ -lcjson -lm

.PRECIOUS: $(FIGURES)/bin/%.o $(FIGURES)/bin/% $(FIGURES)/%.svg
-include $(wildcard $(FIGURES)/bin/*.d)

# --- the traces --------------------------------------------------------------
# A trace is of a run of one PTX file: ARGS are for ptxrun, SETTINGS for the
# simulator, NAME=VALUE.
NO_SETTINGS := $(patsubst %,-u SIM_%,SCHEDULE LIMIT CHECK REPORT TRACE_BLOCK \
  TRACE_WARP TRACE_LIMIT)
ARGS :=
SETTINGS :=

$(TRACES)/%.jsonl: $(PTXRUN) mk/figures.mk
	@mkdir -p $(@D)
	@echo "  trace   $*"
	$(Q)env $(NO_SETTINGS) SIM_TRACE=$@ $(SETTINGS) $(PTXRUN) $(ARGS) \
	  $(filter %.ptx,$^) >/dev/null

.PRECIOUS: $(TRACES)/%.jsonl

# --- the drawings ------------------------------------------------------------
$(FIGURES)/%.svg: $(FIGURES)/bin/%
	@echo "  draw    $*"
	$(Q)$< $(filter $(TRACES)/%,$^) >$@

# On paper the letters are those of the PDF's captions and code.
$(FIGURES)/%.pdf: $(FIGURES)/%.svg figures/print.css
	$(Q)SOURCE_DATE_EPOCH=$$(tools/source-date.sh) \
	  rsvg-convert -f pdf -s figures/print.css -o $@ $<

# sectors: 32 floats, added by the kernel of chapter 1 and by that of chapter 2.
$(FIGURES)/sectors.svg: $(TRACES)/one-lane.jsonl $(TRACES)/all-lanes.jsonl
$(TRACES)/one-lane.jsonl: build/chapter1/reduce.ptx
$(TRACES)/all-lanes.jsonl: build/chapter2/reduce.ptx
$(TRACES)/one-lane.jsonl $(TRACES)/all-lanes.jsonl: \
  ARGS = --arg in:f32:1..32 --arg out:f32:1 --arg s32:32

# strides: window-STRIDE-OFFSET, a warp's load with this stride and offset.
WINDOWS := $(patsubst %,$(TRACES)/window-%.jsonl,0-0 1-0 1-1 1-8 2-0 2-7 4-0 8-0)
$(FIGURES)/strides.svg: $(WINDOWS)
$(WINDOWS): build/chapter2/window.ptx
$(WINDOWS): ARGS = --arg in:f32:0..1100 --arg out:f32:32 \
  $(patsubst %,--arg s32:%,$(wordlist 2,3,$(subst -, ,$*)))

# sectors-by-stride: counters of many such runs, in one file.
$(FIGURES)/sectors-by-stride.svg: $(TRACES)/sweep.jsonl
$(TRACES)/sweep.jsonl: build/chapter2/window.ptx $(PTXRUN) \
    tools/sectors-sweep.sh mk/figures.mk
	@mkdir -p $(@D)
	@echo "  count   sweep"
	$(Q)env $(NO_SETTINGS) tools/sectors-sweep.sh $< 0 32 0 7 >$@

# bitcast: the kernel of chapter 3 and the one that converts. Only the lane from
# which lane 0 reads at the first rung has a value.
PI_IN_16 := 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3.14159274,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
$(FIGURES)/bitcast.svg: $(TRACES)/cast.jsonl $(TRACES)/converted.jsonl
$(TRACES)/cast.jsonl: build/chapter3/reduce.ptx
$(TRACES)/converted.jsonl: build/chapter3/numericcast.ptx
$(TRACES)/cast.jsonl $(TRACES)/converted.jsonl: \
  ARGS = --arg in:f32:$(PI_IN_16) --arg out:f32:1 --arg s32:32

# ladder: elements so small that every lane's value has two digits at most, and
# such that no lane but 0 ends with the sum by chance.
ELEMENTS := 2,1,3,2,3,1,2,2,3,1,2,2,3,3,1,2,1,1,2,2,1,2,2,3,2,2,3,2,1,1,2,3
$(FIGURES)/ladder.svg: $(TRACES)/ladder.jsonl
$(TRACES)/ladder.jsonl: build/chapter3/reduce.ptx
$(TRACES)/ladder.jsonl: \
  ARGS = --arg in:f32:$(ELEMENTS) --arg out:f32:1 --arg s32:32

# join: one block of chapter 4, its warps in an order that a seed draws.
$(FIGURES)/join.svg: $(TRACES)/join.jsonl
$(TRACES)/join.jsonl: build/chapter4/reduce.ptx
$(TRACES)/join.jsonl: SETTINGS = SIM_SCHEDULE=seed:3
$(TRACES)/join.jsonl: \
  ARGS = --block 256 --arg in:f32:1..256 --arg out:f32:1 --arg s32:256
