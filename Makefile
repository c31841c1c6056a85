# Each target is one command of `cargo xtask`; the work is there.

# As typed: make would read a `$` in the program as one of its own variables.
ifneq ($(origin CODE),undefined)
override export CODE := $(value CODE)
endif
ifneq ($(origin FILE),undefined)
override export FILE := $(value FILE)
endif
ifneq ($(origin SELECT),undefined)
override export SELECT := $(value SELECT)
endif
ifneq ($(origin NAME),undefined)
override export NAME := $(value NAME)
endif
ifneq ($(origin URL),undefined)
override export URL := $(value URL)
endif
ifneq ($(origin PORT),undefined)
override export PORT := $(value PORT)
endif

TOOLCHAIN = $(shell sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)

COMMANDS := setup build demo dev test conformance clients soak check deploy-check mutants bench openapi fuzz newcomer clean

.DEFAULT_GOAL := help
.PHONY: help cargo $(COMMANDS)

help $(COMMANDS): cargo
	@cargo xtask $@

# What the build program can't bring, because it is built with it.
cargo:
	@command -v cargo >/dev/null || { \
	  echo "cargo is missing: install Rust with rustup, https://rustup.rs" >&2; exit 1; }
	@RUSTUP_AUTO_INSTALL=0 cargo --version >/dev/null 2>&1 || { \
	  echo "==> bring the pinned Rust toolchain" >&2; \
	  rustup toolchain install --no-self-update --profile minimal "$(TOOLCHAIN)"; }
	@test -e target/debug/xtask || { \
	  echo "==> compile the build program, once" >&2; cargo build --locked --package xtask; }
