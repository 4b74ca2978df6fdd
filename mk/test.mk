# `make test`: unit tests in C (built by gcc, by clang, and by clang with the
# address and undefined-behaviour sanitizers) and scripts, all run by prove.

UNITS := $(sort $(wildcard tests/unit/*.c))
# The slowest first, so that the others run beside them.
SLOW := tests/html.t tests/style.t tests/pdf.t
SCRIPTS := $(wildcard $(SLOW)) $(filter-out $(SLOW),$(sort $(wildcard tests/*.t)))
PLAIN_TESTS := $(UNITS:tests/unit/%.c=build/tests/%.t)
CLANG_TESTS := $(UNITS:tests/unit/%.c=build/clang/tests/%.t)
ASAN_TESTS := $(UNITS:tests/unit/%.c=build/asan/tests/%.t)

# Programs that run on a GPU and on the simulator alike, for scripts to call.
ON_BOTH := $(patsubst tests/%.c,build/tests/%,$(shell \
  grep -l 'include <cuda.h>' tests/hardware/*.c 2>/dev/null))

SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
  -fno-sanitize-recover=all
CLANG_FAST := -O3 $(call NATIVE,clang) -fopenmp-simd

# $(call unit_tests,FOLDER,COMPILER,FLAGS)
define unit_tests
$(1)/tests/%.t: tests/unit/%.c $(1)/host/libhost.a $(1)/sim/libsim.a
	@mkdir -p $$(@D)
	@echo "  test    $$@"
	$(Q)tools/nwrun.sh $(2) $(WARN) $(CAREFUL) $(3) $(POSIX) -pthread -Itests \
	  -Itangled/host $(SIM_INCLUDES) -MMD -MP -MF $$@.d $$< \
	  $(1)/host/libhost.a $(1)/sim/libsim.a -lm -o $$@

-include $(UNITS:tests/unit/%.c=$(1)/tests/%.t.d)
endef

ifneq ($(filter test% check-%,$(GOALS)),)
$(eval $(call variant,build/clang,clang,$(CLANG_FAST)))
$(eval $(call variant,build/asan,clang,$(SANITIZE)))
$(eval $(call unit_tests,build,$(CC),$(FAST)))
$(eval $(call unit_tests,build/clang,clang,$(CLANG_FAST)))
$(eval $(call unit_tests,build/asan,clang,$(SANITIZE)))
endif

.PHONY: test test-run test-unit test-build
test:
	@tools/setup.sh --tests
	+@$(MAKE) test-run

build/tests/hardware/%: tests/hardware/%.c build/stamps/flags | $(SIMULATOR)
	@mkdir -p $(@D)
	@echo "  test    $@"
	$(Q)tools/nwrun.sh $(CC) $(WARN) -O2 $(POSIX) -pthread -Itests \
	  $(CUDA_FLAGS) -MMD -MP -MF $@.d $< -Lbuild/sim -lcuda -lm -o $@

-include $(ON_BOTH:%=%.d)

# What the tests of the book look at, where it can be made.
BOOK_MADE := $(if $(filter test test-run test-build,$(GOALS)),$(shell \
  tools/check-book.sh >/dev/null 2>&1 && echo book))

test-build: build $(BOOK_MADE) $(ON_BOTH) $(PLAIN_TESTS) $(CLANG_TESTS) $(ASAN_TESTS)
	@test -n "$(UNITS)" || { echo "test: tests/unit/ is empty" >&2; exit 2; }

test-run: test-build
	@tools/prove.sh $(SCRIPTS) $(PLAIN_TESTS) $(CLANG_TESTS) $(ASAN_TESTS)

# The quick half, for work on the simulator.
test-unit: $(PLAIN_TESTS)
	@tools/prove.sh $(PLAIN_TESTS)
