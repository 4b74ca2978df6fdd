# `make html`: the chapters' documents -> build/book/html/. A chapter's text is
# made alone; a map says which page holds what; then each page can be written.

HTML := $(BOOK)/html
HTML_WORK := $(BOOK)/html-work
HTML_STEMS := $(BOOK_STEMS) bibliography
HTML_MAKERS := $(wildcard book/html*.lua) book/html/page.html
HTML_TEXT := book/html.lua book/html_blocks.lua book/html_code.lua \
  book/html_store.lua book/code.lua $(SYNTAX)
HTML_STATIC := $(patsubst book/html/%,$(HTML)/%,$(wildcard book/html/*.css \
  book/html/*.js book/html/*.svg))
HTML_FOLDERS := $(sort $(foreach f,$(TANGLED),$(word 2,$(subst /, ,$(f)))))
HTML_SINGLE := contents chunks identifiers search book
HTML_STAMPS := $(HTML_STEMS:%=$(HTML_WORK)/%.page) \
  $(HTML_SINGLE:%=$(HTML_WORK)/%.single) $(HTML_FOLDERS:%=$(HTML_WORK)/%.files)

# $(call html_pages,WHAT)
html_pages = HTML_PAGE="$(1)" HTML_MAP=$(HTML_WORK)/map.lua \
  HTML_WORK=$(HTML_WORK) HTML_SIDE=$(BOOK)/side HTML_FOLDER=$(HTML) \
  HTML_FIGURES=build/figures pandoc -f markdown -t plain -o /dev/null \
  $(SYNTAX_OPTIONS) --lua-filter=book/html_pages.lua /dev/null

html: $(HTML_STAMPS) $(HTML_STATIC)
	@echo "  html    $(HTML)/index.html"

# All sources that the text cites, and more to read.
$(BOOK)/ast/bibliography.json: book/references.yaml
	@mkdir -p $(@D)
	$(Q)printf '%s\n' '---' 'nocite: "@*"' 'key: bibliography' \
	  'title: Bibliography' 'stem: bibliography' 'nw: book/references.yaml' \
	  '---' '# Bibliography {#bibliography}' | \
	  pandoc -f markdown --citeproc --bibliography=$< -t json -o $@

$(HTML_WORK)/colophon.html: book/colophon.md book/page.lua book/values.lua \
    $(BOOK)/runs.stamp
	@mkdir -p $(@D)
	$(Q)sed '/^::: {\.\(print\|epub\)}/,/^:::$$/d' $< | \
	  pandoc -f book/page.lua -t html -o $@

$(HTML_WORK)/%.lua: $(BOOK)/ast/%.json $(HTML_TEXT)
	@mkdir -p $(@D)
	@echo "  html    $*"
	$(Q)HTML_OUT=$@ pandoc -f json -t plain -o /dev/null $(SYNTAX_OPTIONS) \
	  --lua-filter=book/html.lua $<

$(HTML_WORK)/map.stamp: $(HTML_STEMS:%=$(HTML_WORK)/%.lua) book/html_map.lua \
    book/html_index.lua book/order.txt
	$(Q)HTML_MAP=$(HTML_WORK)/map.lua HTML_WORK=$(HTML_WORK) \
	  HTML_SIDE=$(BOOK)/side pandoc -f markdown -t plain -o /dev/null \
	  --lua-filter=book/html_map.lua /dev/null
	@touch $@
$(HTML_WORK)/map.lua: $(HTML_WORK)/map.stamp ;

# The drawings (FIGURE_SVGS is in mk/figures.mk) are put into the pages.
.SECONDEXPANSION:
$(HTML_WORK)/%.page: $(HTML_WORK)/%.lua $(HTML_WORK)/map.lua $(HTML_MAKERS) \
    $$(FIGURE_SVGS)
	@mkdir -p $(HTML)
	$(Q)$(call html_pages,chapter $*)
	@touch $@

$(HTML_SINGLE:%=$(HTML_WORK)/%.single): $(HTML_WORK)/%.single: \
    $(HTML_WORK)/map.stamp $(HTML_MAKERS) $(HTML_WORK)/colophon.html $$(FIGURE_SVGS)
	@mkdir -p $(HTML)
	$(Q)$(call html_pages,$*)
	@touch $@

$(HTML_WORK)/%.files: $(wildcard tangled/*/*) $(HTML_WORK)/map.stamp \
    $(HTML_MAKERS)
	@mkdir -p $(HTML)/files
	@rm -f $(HTML)/files/$*-*.html
	$(Q)$(call html_pages,files $*)
	@touch $@

$(HTML_STATIC): $(HTML)/%: book/html/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

.PRECIOUS: $(HTML_WORK)/%.lua
