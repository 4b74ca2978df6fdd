# The Shuffle Ladder: every command of the book. Start with `make help`.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := build

# As many jobs as processors, unless -j says otherwise.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

# What a reader may set.
N ?= 4194304
BLOCK ?= 256
DEVICE ?= auto
ARCH ?= compute_80
V ?=
export N BLOCK DEVICE ARCH

Q := $(if $(V),,@)
GOALS := $(or $(MAKECMDGOALS),build)

# Goals that need no sources, and so neither tangling nor compilers.
PLAIN := help setup doctor clean
SOURCED := $(filter-out $(PLAIN),$(GOALS))

# A wrong variable stops make here, before any work, with one clear line.
ifneq ($(SOURCED),)
quoted = '$(subst ','\'',$(1))'
WRONG := $(shell N=$(call quoted,$(N)) BLOCK=$(call quoted,$(BLOCK)) \
  DEVICE=$(call quoted,$(DEVICE)) ARCH=$(call quoted,$(ARCH)) \
  tools/check-vars.sh 2>&1)
ifneq ($(WRONG),)
$(error $(WRONG))
endif
endif

ifneq ($(and $(SOURCED),$(filter $(PLAIN),$(GOALS))),)

# `make setup all`: what setup installs changes how the rest is made, so each
# goal gets a make of its own, one after the other, setup first.
.NOTPARALLEL:
ONE_BY_ONE := $(GOALS)
ifneq ($(filter setup,$(GOALS)),)
$(filter-out setup,$(GOALS)): setup
endif
.PHONY: $(ONE_BY_ONE)
$(ONE_BY_ONE):
	+@$(MAKE) $@

else

include mk/plain.mk
ifneq ($(SOURCED),)
include mk/tangle.mk
include mk/compile.mk
include mk/run.mk
include mk/book.mk
include mk/test.mk
endif

endif
