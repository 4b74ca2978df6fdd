# `make pdf`: the book by LuaLaTeX, build/book/shuffle-ladder.pdf.

TEX := $(BOOK)/tex
LATEX := $(wildcard book/latex*.lua) book/code.lua book/answers.lua
TEX_PARTS := $(BOOK_STEMS:%=$(TEX)/%.tex) $(TEX)/colophon.tex \
  $(TEX)/bibliography.tex $(TEX)/book.tex $(TEX)/ornament.pdf

pdf: $(BOOK)/shuffle-ladder.pdf

$(TEX)/%.tex: $(BOOK)/ast/%.json $(LATEX) $(SYNTAX)
	@mkdir -p $(@D)
	@echo "  latex   $*"
	$(Q)pandoc -f json -t latex-smart -L book/latex.lua $(SYNTAX_OPTIONS) \
	  -o $@ $<

$(TEX)/colophon.tex: book/colophon.md book/page.lua book/values.lua $(LATEX) \
    $(wildcard book/hardware/*.csv)
	@mkdir -p $(@D)
	$(Q)pandoc -f book/page.lua -t latex-smart -L book/latex.lua -o $@ $<

$(TEX)/bibliography.tex: book/references.yaml $(LATEX)
	@mkdir -p $(@D)
	$(Q)printf -- "---\nnocite: '@*'\n---\n" | \
	  pandoc -f markdown -t latex-smart --citeproc --bibliography=$< \
	  -L book/latex.lua -o $@

$(TEX)/ornament.pdf: book/cover.lua book/book.yaml
	@mkdir -p $(@D)
	$(Q)pandoc -f markdown -t $< --metadata-file=book/book.yaml \
	  -M ornament=yes /dev/null | rsvg-convert -f pdf -o $@

# Contents, indexes and the frame around the chapters.
$(TEX)/book.tex: $(BOOK_AST) book/latex_back.lua book/latex_text.lua \
    book/order.lua book/side.lua book/order.txt
	@mkdir -p $(@D)
	$(Q)texlua book/latex_back.lua $(TEX) $(BOOK_STEMS)

$(BOOK)/shuffle-ladder.pdf: $(TEX_PARTS) $(wildcard book/latex/*) \
    $(FIGURE_PDFS)
	@echo "  lualatex"
	$(Q)book/latex/typeset.sh $(TEX) $@
