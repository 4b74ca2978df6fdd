# tangled/ -> build/: the simulator, the host programs, PTX and SASS.

# The compilers that are here, and nothing of these names in the environment.
$(foreach name,FOUND_CC FOUND_CLANG NVCC PTXAS NVDISASM CUOBJDUMP \
  CUDA_INCLUDE,$(eval $(name) :=))
$(foreach pair,$(shell tools/find-tools.sh),$(eval $(subst =, := ,$(pair))))
export NVCC
ifeq ($(origin CC),default)
CC := $(FOUND_CC)
endif
ifeq ($(CC),)
$(error There is no C compiler here. Run: make setup)
endif

NATIVE = $(shell $(1) -march=native -E -x c /dev/null >/dev/null 2>&1 && \
  echo -march=native)
WARN := -std=c11 -Wall -Wextra -Wpedantic -Werror
CAREFUL := -ffp-contract=off -fno-math-errno
FAST := -O3 $(call NATIVE,$(CC)) -fopenmp-simd
CUDA_FLAGS := $(if $(CUDA_INCLUDE),-isystem $(CUDA_INCLUDE),-Itangled/compat)
SIM_INCLUDES := -Itangled/sim -Itangled/compat
HOST_INCLUDES := -Itangled/host $(CUDA_FLAGS)
POSIX := -D_GNU_SOURCE

$(call remember,build/stamps/flags,$(CC) $(WARN) $(CAREFUL) $(FAST) \
  $(HOST_INCLUDES))
$(call remember,build/stamps/arch,$(NVCC) $(ARCH))
$(call remember,build/stamps/sass,$(PTXAS) $(NVDISASM) $(ARCH))

SIM := $(filter tangled/sim/%.c,$(TANGLED))
SIM_LIB := $(filter-out %/ptxrun.c,$(SIM))
HOST := $(filter tangled/host/%.c,$(TANGLED))
TOOLS := $(filter tangled/tools/%.c,$(TANGLED))
MODELS := $(filter %/model.c,$(filter tangled/chapter%,$(TANGLED)))
KERNELS := $(filter %.cu,$(filter tangled/chapter%,$(TANGLED)))
CHAPTERS := $(shell printf '%s\n' $(MODELS:tangled/%/model.c=%) | sort -V)

objects = $(patsubst tangled/%.c,$(1)/%.o,$(2))

# $(call variant,FOLDER,COMPILER,FLAGS): objects and archives of one build.
define variant
$(1)/sim/%.o: tangled/sim/%.c build/stamps/flags
	@mkdir -p $$(@D)
	@echo "  cc      $$@"
	$(Q)tools/nwrun.sh $(2) $(WARN) $(CAREFUL) $(3) $(POSIX) -fPIC \
	  -fvisibility=hidden -pthread $(SIM_INCLUDES) -MMD -MP -c $$< -o $$@

$(1)/host/%.o: tangled/host/%.c build/stamps/flags
	@mkdir -p $$(@D)
	@echo "  cc      $$@"
	$(Q)tools/nwrun.sh $(2) $(WARN) $(CAREFUL) $(3) $(POSIX) \
	  $(HOST_INCLUDES) -MMD -MP -c $$< -o $$@

$(1)/sim/libsim.a: $(call objects,$(1),$(SIM_LIB))
	@rm -f $$@
	$(Q)ar rcs $$@ $$^

$(1)/host/libhost.a: $(call objects,$(1),$(HOST))
	@rm -f $$@
	$(Q)ar rcs $$@ $$^

-include $(patsubst %.o,%.d,$(call objects,$(1),$(SIM) $(HOST)))
endef

$(eval $(call variant,build,$(CC),$(FAST)))

# The simulator, as the driver's library and as a command.
SIMULATOR := $(if $(SIM_LIB),build/sim/libcuda.so.1 build/sim/libcuda.so)
PTXRUN := $(if $(filter %/ptxrun.c,$(SIM)),build/sim/ptxrun)

build/sim/libcuda.so.1: $(call objects,build,$(SIM_LIB))
	@echo "  link    $@"
	$(Q)$(CC) -shared -pthread -Wl,-soname,libcuda.so.1,-z,defs -o $@ $^ -lm

build/sim/libcuda.so: build/sim/libcuda.so.1
	@ln -sf libcuda.so.1 $@

build/sim/ptxrun: build/sim/ptxrun.o $(call objects,build,$(SIM_LIB))
	@echo "  link    $@"
	$(Q)$(CC) -pthread -o $@ $^ -lm

# The host program, once a chapter: it holds the chapter's model.
PROGRAMS := $(CHAPTERS:%=build/%/reduce)

build/chapter%/model.o: tangled/chapter%/model.c build/stamps/flags
	@mkdir -p $(@D)
	@echo "  cc      $@"
	$(Q)tools/nwrun.sh $(CC) $(WARN) $(CAREFUL) -O2 $(POSIX) $(HOST_INCLUDES) \
	  -MMD -MP -c $< -o $@

build/chapter%/reduce: build/chapter%/model.o $(call objects,build,$(HOST)) \
    | $(SIMULATOR)
	@echo "  link    $@"
	$(Q)$(CC) -pthread -o $@ $(filter %.o,$^) -Lbuild/sim -lcuda -lm

-include $(MODELS:tangled/%.c=build/%.d)

# Small programs of our own that help to show a run: tools/NAME.c with the
# files tools/NAME_PART.c.
HELPERS := $(foreach c,$(TOOLS),$(if $(findstring _,$(notdir $(c))),, \
  $(c:tangled/tools/%.c=build/tools/%)))

build/tools/%.o: tangled/tools/%.c build/stamps/flags
	@mkdir -p $(@D)
	@echo "  cc      $@"
	$(Q)tools/nwrun.sh $(CC) $(WARN) -O2 $(POSIX) -MMD -MP -c $< -o $@

define helper
$(1): $(1).o $(patsubst tangled/%.c,build/%.o,$(filter \
    $(1:build/%=tangled/%)_%,$(TOOLS)))
	@echo "  link    $$@"
	$(Q)$(CC) -o $$@ $$^ -lm
endef
$(foreach h,$(HELPERS),$(eval $(call helper,$(h))))

-include $(TOOLS:tangled/%.c=build/%.d)

# Kernels: PTX always, machine code when ptxas and nvdisasm are here.
PTX := $(KERNELS:tangled/%.cu=build/%.ptx)
SASS := $(if $(and $(PTXAS),$(NVDISASM)),$(PTX:%.ptx=%.sass),$(if \
  $(PTXAS),$(PTX:%.ptx=%.cubin)))
SM := $(patsubst compute_%,sm_%,$(ARCH))

build/chapter%.ptx: tangled/chapter%.cu build/stamps/arch \
    tools/compile-ptx.sh tools/ptx-normal.awk
	@mkdir -p $(@D)
	@echo "  ptx     $@"
	$(Q)tools/compile-ptx.sh $< $@

build/chapter%.cubin: build/chapter%.ptx build/stamps/sass
	@echo "  ptxas   $@"
	$(Q)tools/nwrun.sh $(PTXAS) -arch=$(SM) -lineinfo $< -o $@

build/chapter%.sass: build/chapter%.cubin
	@echo "  sass    $@"
	$(Q)$(NVDISASM) -c -gi $< >$@

.PRECIOUS: build/chapter%.ptx build/chapter%.cubin build/chapter%/model.o

# Everything a chapter's run needs.
COMMON := $(SIMULATOR) $(PTXRUN) $(HELPERS)
parts = $(COMMON) build/$(1)/reduce $(filter build/$(1)/%,$(PTX) $(SASS))

.PHONY: build record
build: $(COMMON) $(PROGRAMS) $(PTX) $(SASS)

record:
	@tools/record-ptx.sh
