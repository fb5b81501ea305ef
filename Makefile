# git-standards. `make` lists what there is; every target that needs the toolchain first runs scripts/setup.

SHELL = /bin/sh
# Where Go is installed by hand, its folder is often not on the PATH of a non-login shell.
export PATH := $(PATH):/usr/local/go/bin

GO      ?= go
PREFIX  ?= /usr/local
DESTDIR ?=
VERSION ?=
BIN     := bin/git-standards
LDFLAGS := $(if $(VERSION),-X main.version=$(VERSION))

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint build install bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' Makefile

setup: ## install what is missing to build (Debian bookworm; elsewhere say what is needed)
	@scripts/setup

demo: build ## play the main job on a throw-away repository, step by step
	@scripts/demo

test: build ## run every test, then once more with the race detector
	GIT_STANDARDS_BIN='$(CURDIR)/$(BIN)' $(GO) test -timeout 20m ./...
	GIT_STANDARDS_BIN='$(CURDIR)/$(BIN)' $(GO) test -race -short -timeout 20m ./...

lint: setup ## check format, go vet, staticcheck
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w them):" $$unformatted >&2; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# Go itself knows what is up to date; a version given by VERSION is stamped in.
build: setup ## build bin/git-standards
	@mkdir -p bin
	$(GO) build -buildvcs=false -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/git-standards

install: build ## install the program and its man page under PREFIX (default /usr/local)
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 $(BIN) '$(DESTDIR)$(PREFIX)/bin/git-standards'
	@if [ -f doc/git-standards.1 ]; then \
	  install -d '$(DESTDIR)$(PREFIX)/share/man/man1' && install -m 644 doc/git-standards.1 '$(DESTDIR)$(PREFIX)/share/man/man1/git-standards.1'; fi

bench: build ## measure on 1,000 modules, beside git itself
	@scripts/bench

clean: ## remove what was built
	rm -rf bin
