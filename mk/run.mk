# Running the chapters.

.PHONY: all bench $(CHAPTERS)

# Chapters asked for together are built in parallel and run one by one.
ASKED := $(filter $(CHAPTERS),$(GOALS))
# What an earlier run said must not stand for one that never came about. A dry
# run (-n) and a question (-q) change nothing.
STALE := $(if $(filter all,$(GOALS)),$(CHAPTERS),$(ASKED))
DRY := $(findstring n,$(firstword -$(MAKEFLAGS)))$(findstring q,$(firstword \
  -$(MAKEFLAGS)))
ifneq ($(if $(DRY),,$(STALE)),)
$(shell rm -f $(foreach c,$(STALE),build/$(c)/status build/$(c)/report.json))
endif
BEFORE :=
define chapter_rule
$(1): $(call parts,$(1)) | $(BEFORE)
	@tools/run-chapter.sh $(1:chapter%=%)
$(if $(filter $(1),$(ASKED)),$(eval BEFORE := $(1)))
endef
$(foreach c,$(CHAPTERS),$(eval $(call chapter_rule,$(c))))

all: $(COMMON) $(foreach c,$(CHAPTERS),$(call parts,$(c)))
	@tools/run-all.sh $(CHAPTERS:chapter%=%)

bench: $(COMMON) $(foreach c,$(CHAPTERS),$(call parts,$(c)))
	@env -u MAKEFLAGS -u MAKELEVEL tools/bench.sh $(CHAPTERS:chapter%=%)

chapter%:
	@echo "There is no chapter $* to run; there are: $(CHAPTERS:chapter%=%)" >&2; exit 2
