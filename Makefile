# Each target is one command of `cargo xtask`; the work is there.

# As typed: make would read a `$` in the program as one of its own variables.
ifneq ($(origin CODE),undefined)
override export CODE := $(value CODE)
endif
ifneq ($(origin PORT),undefined)
override export PORT := $(value PORT)
endif

COMMANDS := setup build demo dev test check bench newcomer clean

.DEFAULT_GOAL := help
.PHONY: help cargo $(COMMANDS)

help $(COMMANDS): cargo
	@cargo xtask $@

cargo:
	@command -v cargo >/dev/null || { \
	  echo "cargo is missing: install Rust with rustup, https://rustup.rs" >&2; exit 1; }
	@test -e target/debug/xtask || { \
	  echo "==> compile the build program, once" >&2; cargo build --locked --package xtask; }
