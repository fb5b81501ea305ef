# git-standards. `make` lists what there is; every target that needs the toolchain first runs scripts/setup.

SHELL = /bin/sh
# Where Go is installed by hand, its folder is often not on the PATH of a non-login shell.
export PATH := $(PATH):/usr/local/go/bin

GO      ?= go
PREFIX  ?= /usr/local
DESTDIR ?=
VERSION ?=
BIN     := bin/git-standards
# What a program built with the race detector plays: each command and hook once, agents that call at the same time and end early.
RACE_SCRIPTS := TestProcesses|TestAgentsShareAStore|TestAgentCancelsACall|TestAgentServerEndsItsCalls|TestScript/(main_path|merge_commits|push_several_refs|first_commit)
# What does several things at the same time in capture and store; the rest of their tests plays faults one after the other.
RACE_CAPTURE := TestTrees|TestNativeRaces|TestNativeReadsMany|TestNativeWithFewDescriptors|TestObserve|TestOnlyChangedFilesAreRead|TestWorktreeStandsStill
RACE_STORE := TestFiftyProcesses|TestKilledWriters|TestWriteMeetsARival|TestBusyStore|TestStoreLockedWhileItIsOpened|TestEveryConnection|TestPutIsAllOrNothing|TestCancelledPut
# The packages that do several things at the same time, and those that they do them with.
RACE_PACKAGES := ./gitext ./store/journal ./engine/authority ./engine/content ./engine/corpus ./engine/analysis/decision ./engine/judge ./engine/query
LDFLAGS := $(if $(VERSION),-X main.version=$(VERSION))

.DEFAULT_GOAL := help
.PHONY: help setup dev gate demo test lint generate build install install-files uninstall release release-check recipes fuzz bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' Makefile

setup: ## install what is missing to build (Debian bookworm; elsewhere say what is needed)
	@scripts/setup

dev: build ## install the project's own hooks in this clone: they run this build
	bin/git-standards hooks install

gate: build ## judge the project's own history by its own standards, with this build
	@scripts/gate

demo: build ## play the main job on a throw-away repository, step by step
	@scripts/demo

test: build ## run every test, then once more with the race detector
	GIT_STANDARDS_WHOLE_TREES=1 GIT_STANDARDS_BIN='$(CURDIR)/$(BIN)' $(GO) test -timeout 20m ./...
	$(GO) build -race -buildvcs=false -o $(BIN)-race ./cmd/git-standards
	GIT_STANDARDS_BIN='$(CURDIR)/$(BIN)-race' $(GO) test -race -timeout 20m -run '$(RACE_SCRIPTS)' ./cmd/git-standards
	$(GO) test -race -short -timeout 20m -run 'TestAtTheSameTime|TestCancelled|TestResolveWritesAndStages' ./cmd/git-standards/workspace
	$(GO) test -race -short -timeout 20m -run '$(RACE_CAPTURE)' ./capture
	$(GO) test -race -short -timeout 20m -run '$(RACE_STORE)' ./store
	$(GO) test -race -short -timeout 20m $(RACE_PACKAGES)

lint: setup ## check format, go vet, staticcheck
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w them):" $$unformatted >&2; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

generate: setup ## write what is made from the public schema (doc/contract.md); tests say when it is stale
	$(GO) generate ./...

# Go itself knows what is up to date; a version given by VERSION is stamped in.
build: setup ## build bin/git-standards
	@mkdir -p bin
	$(GO) build -buildvcs=false -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/git-standards

# Where `make install` and the release's archive put each file, below PREFIX.
INSTALLED := bin/git-standards share/man/man1/git-standards.1 share/bash-completion/completions/git-standards \
  share/zsh/site-functions/_git-standards share/fish/vendor_completions.d/git-standards.fish \
  share/fish/vendor_conf.d/git-standards.fish

install: build ## install this build, its man page and its completions under PREFIX (default /usr/local)
	@$(MAKE) -s install-files

install-files:
	install -D -m 755 '$(BIN)' '$(DESTDIR)$(PREFIX)/bin/git-standards'
	install -D -m 644 doc/git-standards.1 '$(DESTDIR)$(PREFIX)/share/man/man1/git-standards.1'
	install -D -m 644 scripts/completion/git-standards.bash '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/git-standards'
	install -D -m 644 scripts/completion/_git-standards '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_git-standards'
	install -D -m 644 scripts/completion/git-standards.fish '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/git-standards.fish'
	install -D -m 644 scripts/completion/conf.fish '$(DESTDIR)$(PREFIX)/share/fish/vendor_conf.d/git-standards.fish'

uninstall: ## remove what `make install` put under PREFIX
	cd '$(DESTDIR)$(PREFIX)/' && rm -f $(INSTALLED)

release: ## build the static program and its archive in dist/
	@VERSION='$(VERSION)' scripts/release

release-check: ## build the release twice, in different folders, compare every byte, and use it alone
	@scripts/release_check

recipes: build ## run the recipes of doc/ci.md with the real pre-commit, lefthook and husky, which Debian and npm bring
	@scripts/recipes

FUZZTIME ?= 20s
# Each target of each package for FUZZTIME, what was found before included; what is found is kept in testdata and is then a test.
fuzz: setup ## look for inputs that break a decoder or parser, FUZZTIME=20s for each
	@for package in $$(grep -rl --include=*_test.go '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
	  for target in $$(grep -h '^func Fuzz' $$package/*_test.go | sed 's/^func \(Fuzz[A-Za-z]*\).*/\1/' | sort); do \
	    echo "$$package $$target"; $(GO) test $$package -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) || exit 1; \
	  done; done

bench: build ## measure everything beside its peer, and write the table of doc/benchmarks.md
	@scripts/bench
	@scripts/bench_rows

clean: ## remove what was built
	rm -rf bin build dist
