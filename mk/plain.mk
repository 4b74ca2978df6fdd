# Goals that need no sources.

.PHONY: help setup doctor clean

help:
	@cat tools/help.txt

setup:
	@tools/setup.sh

doctor:
	@tools/doctor.sh

# What was generated goes; work/ and .toolchain/ stay.
clean:
	@rm -rf build
	@echo "clean: build/ is gone; work/ and .toolchain/ are left as they are"
