# chapters/*.nw -> tangled/. TANGLED, the list of all products, comes from
# build/tangle/files.mk, which tangling writes; make starts again when it is
# new, so the rules below always see the files that the chapters make.

NW := $(sort $(wildcard chapters/*.nw))
NOTANGLE := $(shell command -v notangle)
TANGLED :=

# $(call remember,FILE,TEXT): FILE changes only when TEXT does.
remember = $(if $(subst |$(strip $(file <$(1)))|,,|$(strip $(2))|),$(file \
  >$(1),$(2)))
$(shell mkdir -p build/stamps)

ifneq ($(and $(NOTANGLE),$(NW)),)

$(call remember,build/stamps/chapters,$(NW))
TANGLE_TOOLS := tools/tangle.sh tools/chunks.awk

build/tangle/%.stamp: chapters/%.nw $(TANGLE_TOOLS)
	@echo "  tangle  $<"
	$(Q)tools/tangle.sh --one $<

build/tangle/files.mk: $(NW:chapters/%.nw=build/tangle/%.stamp) \
    build/stamps/chapters
	$(Q)tools/tangle.sh --finish $(NW)

include build/tangle/files.mk

else

ifeq ($(MAKELEVEL)$(MAKE_RESTARTS),0)
$(info noweb is not installed: tangled/ is used as it is, and a change in \
  chapters/ has no effect. `make setup` installs it.)
endif
TANGLED := $(sort $(foreach x,c h cu inc,$(wildcard tangled/*/*.$(x))))

endif

.PHONY: tangle
tangle:
ifeq ($(NOTANGLE),)
	@echo "tangle: noweb is not installed; run: make setup" >&2; exit 2
else
	@tools/tangle.sh --strict
endif
