# `make epub`: the book as EPUB 3, build/book/shuffle-ladder.epub.

EPUB := $(BOOK)/epub
EPUB_FILTER := book/epub.lua book/answers.lua book/code.lua
EPUB_PARTS := $(EPUB)/colophon.json $(BOOK_STEMS:%=$(EPUB)/%.json) \
  $(EPUB)/bibliography.json $(EPUB)/indexes.json

epub: $(BOOK)/shuffle-ladder.epub

# (FIGURE_SVGS is in mk/figures.mk.)
$(EPUB)/%.json: $(BOOK)/ast/%.json $(EPUB_FILTER) $(SYNTAX) $(FIGURE_SVGS)
	@mkdir -p $(@D)
	@echo "  epub    $*"
	$(Q)pandoc -f json -t json -L book/epub.lua $(SYNTAX_OPTIONS) -o $@ $<

$(EPUB)/colophon.json: book/colophon.md book/page.lua book/values.lua \
    $(EPUB_FILTER) $(wildcard book/hardware/*.csv)
	@mkdir -p $(@D)
	$(Q)sed '/^::: {\.print}/,/^:::$$/d' $< | \
	  pandoc -f book/page.lua -t json -L book/epub.lua -o $@

$(EPUB)/bibliography.json: book/references.yaml $(EPUB_FILTER)
	@mkdir -p $(@D)
	$(Q)printf -- "---\nnocite: '@*'\n---\n\n# Bibliography {#bibliography}\n" | \
	  pandoc -f markdown -t json --citeproc --bibliography=$< \
	  -L book/epub.lua -o $@

$(EPUB)/indexes.json: $(BOOK_AST) book/epub_back.lua book/order.lua \
    book/side.lua book/order.txt
	@mkdir -p $(@D)
	$(Q)BOOK_STEMS="$(BOOK_STEMS)" pandoc -f book/epub_back.lua -t json -o $@ \
	  book/order.txt

$(EPUB)/cover.png: book/cover.lua book/book.yaml
	@mkdir -p $(@D)
	$(Q)pandoc -f markdown -t $< --metadata-file=book/book.yaml /dev/null | \
	  rsvg-convert -w 1200 -o $@

# What pandoc packs; then what it leaves open is filled in.
$(EPUB)/packed.epub: $(EPUB_PARTS) $(EPUB)/cover.png \
    book/epub_join.lua book/epub/metadata.yaml book/epub/book.css
	@echo "  epub"
	$(Q)SOURCE_DATE_EPOCH=$$(tools/source-date.sh) \
	  pandoc --file-scope -f json -t epub3 -L book/epub_join.lua \
	  --metadata-file=book/epub/metadata.yaml --css=book/epub/book.css \
	  --epub-cover-image=$(EPUB)/cover.png --epub-chapter-level=3 \
	  --toc-depth=3 --fail-if-warnings -o $@ $(EPUB_PARTS)

$(BOOK)/shuffle-ladder.epub: $(EPUB)/packed.epub book/epub/finish.sh \
    book/epub/accessibility.xml tools/source-date.sh
	$(Q)book/epub/finish.sh $< $@
