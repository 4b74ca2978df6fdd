# `make book`: chapters/*.nw -> noweb's pipeline -> pandoc -> HTML, PDF, EPUB.

BOOK := build/book
NOWEB_LIB := $(firstword $(wildcard /usr/lib/noweb /usr/local/lib/noweb \
  /usr/local/noweb/lib))
BOOK_NW := $(wildcard $(if $(wildcard book/order.txt),$(shell \
  sed -n 's/^[a-zA-Z0-9]*	\(chapters.*\)/\1/p' book/order.txt)))
BOOK_STEMS := $(BOOK_NW:chapters/%.nw=%)
BOOK_AST := $(BOOK_STEMS:%=$(BOOK)/ast/%.json)
# What makes the documents; the writers' own files are in their makefiles.
READER := $(filter-out book/html% book/latex% book/epub%,$(wildcard book/*.lua))
SYNTAX := $(wildcard book/syntax/*.xml)
SYNTAX_OPTIONS := $(SYNTAX:%=--syntax-definition=%)

BOOK_GOALS := book html pdf epub figures

.PHONY: book html pdf epub
book: html pdf epub

# What is missing is told before any work.
ifneq ($(filter $(BOOK_GOALS) $(BOOK)/% build/figures/%,$(GOALS)),)
$(shell tools/check-book.sh $(filter $(BOOK_GOALS),$(GOALS)) >&2 || \
  echo $$? >build/stamps/book-lacks; true)
ifneq ($(wildcard build/stamps/book-lacks),)
$(shell rm -f build/stamps/book-lacks)
$(error The book cannot be made here; see above. `make setup` installs what it needs)
endif
endif

# The names that a chapter defines, and the chapter with these marked.
$(BOOK)/defs/%.tok: chapters/%.nw book/defs.awk
	@mkdir -p $(@D)
	$(Q)$(NOWEB_LIB)/markup $< | $(NOWEB_LIB)/autodefs.c | \
	  awk -v names=$(BOOK)/defs/$*.names -f book/defs.awk >$@

# What all chapters define together; it changes only when a definition does.
$(BOOK)/names.stamp: $(BOOK_STEMS:%=$(BOOK)/defs/%.tok)
	$(Q)sort -u $(BOOK_STEMS:%=$(BOOK)/defs/%.names) >$(BOOK)/names.new
	$(Q)cmp -s $(BOOK)/names.new $(BOOK)/names.txt || \
	  cp $(BOOK)/names.new $(BOOK)/names.txt
	@touch $@
$(BOOK)/names.txt: $(BOOK)/names.stamp ;

$(BOOK)/tokens/%.tok: $(BOOK)/defs/%.tok $(BOOK)/names.txt
	@mkdir -p $(@D)
	@echo "  noweb   $*"
	$(Q){ sed -n 's/ [a-z]* shared$$//p' $(BOOK)/names.txt; \
	  cut -d' ' -f1 $(BOOK)/defs/$*.names; } | sort -u >$(BOOK)/defs/$*.known
	$(Q)$(NOWEB_LIB)/finduses $(BOOK)/defs/$*.known <$< | \
	  $(NOWEB_LIB)/noidx >$@

# What each chapter has to know of the others.
$(BOOK)/book.stamp: $(BOOK_STEMS:%=$(BOOK)/tokens/%.tok) $(READER)
	$(Q)BOOK_NAMES=$(BOOK)/names.txt BOOK_OUT=$(BOOK)/book.new \
	  pandoc -f book/collect.lua -t plain -o /dev/null $(filter %.tok,$^)
	$(Q)cmp -s $(BOOK)/book.new $(BOOK)/book.lua || \
	  cp $(BOOK)/book.new $(BOOK)/book.lua
	@touch $@
$(BOOK)/book.lua: $(BOOK)/book.stamp ;

# The chapters' runs, for numbers and transcripts, and the other kernels' PTX.
$(BOOK)/runs.stamp: $(COMMON) $(PROGRAMS) $(PTX) $(SASS) tools/book-runs.sh \
    tools/run-chapter.sh
	@mkdir -p $(@D)
	@echo "  run     chapters $(CHAPTERS:chapter%=%)"
	$(Q)tools/book-runs.sh $(BOOK)/runs $(CHAPTERS:chapter%=%)
	@touch $@

# A chapter as pandoc's document, all numbers and listings filled in.
$(BOOK)/ast/%.json: $(BOOK)/tokens/%.tok $(BOOK)/book.lua $(BOOK)/runs.stamp \
    $(READER) $(wildcard book/hardware/*.csv) tools/capture.sh \
    book/references.yaml
	@mkdir -p $(@D) $(BOOK)/side
	@echo "  weave   $*"
	$(Q)BOOK_NAMES=$(BOOK)/names.txt BOOK_DATA=$(BOOK)/book.lua \
	  BOOK_SIDE=$(BOOK)/side/$*.lua \
	  pandoc -f book/reader.lua --citeproc --fail-if-warnings \
	  -M suppress-bibliography=true -M link-citations=true \
	  --bibliography=book/references.yaml -t json -o $@ $<

.PRECIOUS: $(BOOK)/defs/%.tok $(BOOK)/tokens/%.tok $(BOOK)/ast/%.json

include mk/figures.mk
-include mk/html.mk mk/pdf.mk mk/epub.mk
