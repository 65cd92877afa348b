# SPDX-License-Identifier: MIT
# The everyday commands. CMake does the work; its presets (cmake --list-presets) are for development.
#
#   make            build everything into build/; the command line is build/bin/frameglass
#   make site       the inspector alone, as a static folder: build/site
#   make demo       install what it needs, build, record the bundled renderer, look at it
#   make check      install what it needs, run every test
#   make install    into DESTDIR/PREFIX
#   make bench      run the benchmarks
#   make gpu-traces hold the engine on this machine's GPU to brute force on TRACES random traces, from SEED on
#   make fuzz       run every fuzz target for RUNS executions each (or FUZZ_SECONDS, when given)

BUILD ?= build
PREFIX ?= /usr/local
# What the instrumentation of the library and of what is built here does: OFF, STATS or FULL.
LEVEL ?= FULL
# PROFILING=1: frame pointers and symbols, for profilers of the system (docs/HOST_TOOLS.md).
PROFILING ?=
RUNS ?= 1000000
TRACES ?= 1000
SEED ?= 1
FUZZ_SECONDS ?=
DEMO_FRAMES ?= 120
# DEMO_EXIT=1: record, print the summary, and end instead of showing the page.
DEMO_EXIT ?=

# A LEVEL that was asked for holds also where the build folder is there already; so does PROFILING.
all: $(BUILD)/CMakeCache.txt
ifneq ($(PROFILING),)
	@cmake -S . -B $(BUILD) -DFG_PROFILING=ON >/dev/null
endif
ifneq ($(origin LEVEL),file)
	@cmake -S . -B $(BUILD) -DFRAMEGLASS_LEVEL=$(LEVEL) >/dev/null
endif
	@cmake --build $(BUILD)

$(BUILD)/CMakeCache.txt:
	@command -v cmake >/dev/null && command -v ninja >/dev/null || \
	    { echo "cmake and ninja are needed: 'make deps' installs what the build needs" >&2; exit 1; }
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DFG_BUILD_TESTS=OFF \
	    -DFG_BUILD_BENCH=OFF -DFG_PROFILING=$(if $(PROFILING),ON,OFF) -DFRAMEGLASS_LEVEL=$(LEVEL) -DCMAKE_INSTALL_PREFIX=$(PREFIX)

deps:
	@tools/install-packages build demo

site: $(BUILD)/CMakeCache.txt
	@tools/install-packages build
	@cmake --build $(BUILD) --target site || \
	    { echo "The site needs a compiler for WebAssembly; after 'make deps', 'make clean site' finds it" >&2; exit 1; }
	@echo "The site is $(BUILD)/site: put it on any web server, or try 'python3 -m http.server --directory $(BUILD)/site'"

demo: deps
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) DEMO_FRAMES=$(DEMO_FRAMES) DEMO_EXIT=$(DEMO_EXIT) tools/demo

check:
	@tools/check

install: all
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

bench: $(BUILD)/CMakeCache.txt
	@cmake -S . -B $(BUILD) -DFG_BUILD_BENCH=ON >/dev/null
	@cmake --build $(BUILD)
	@cmake --build $(BUILD) --target bench

gpu-traces: $(BUILD)/CMakeCache.txt
	@cmake -S . -B $(BUILD) -DFG_BUILD_TESTS=ON >/dev/null
	@cmake --build $(BUILD) --target gpu_traces
	@tools/gpu-check traces $(BUILD)/bin $(TRACES) $(SEED)

fuzz:
	@tools/install-packages build check
	@RUNS=$(RUNS) FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz

# Every C file as .clang-format says; the check is part of the tests.
format:
	@git ls-files '*.c' '*.h' | xargs clang-format-14 -i

clean:
	@rm -rf $(BUILD)

.PHONY: all deps site demo check install bench gpu-traces fuzz format clean
