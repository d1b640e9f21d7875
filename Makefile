# Everything runs in .venv, which is made on first use. `make` alone lists the targets.

PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help demo test check fmt bless laws specs bench new-game clean

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1 - \2/'

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "paigui needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

$(VENV): $(READY)

demo: $(READY) ## judge a hand, find a contradiction, prove its repair, compare two counties
	bash examples/demo.sh

test: $(READY) ## run the tests, all but the exhaustive ones
	python -m pytest -n 2 --dist loadgroup -m 'not slow'

check: $(READY) ## lint, types, layers, tests
	ruff check .
	mypy
	lint-imports
	python -m pytest -n 2 --dist loadgroup -m 'not slow'

fmt: $(READY) ## lay out the code and the specs
	ruff check --fix-only --quiet .
	ruff format .
	paigui fmt specs

bless: $(READY) ## rewrite expected messages and places; read the diff afterwards
	PAIGUI_BLESS=1 python -m pytest -n 2 tests/cases
	python docs/generate.py

laws: $(READY) ## run the exhaustive tests
	python -m pytest -n 2 --dist loadgroup -m slow

specs: $(READY) ## run the specs' own examples; make their list, their findings and the papers' tables anew
	paigui check specs
	paigui test specs
	python docs/generate.py --findings

bench: $(READY) ## measure the speed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	for file in $(wildcard benchmarks/*.py); do python "$$file"; done

new-game: $(READY) ## start a game: make new-game at=specs/hubei/mine/game.pai name=我的牌 [from=上大人十九张]
	paigui new '$(at)' '$(name)' $(if $(from),--extends '$(from)')

clean: ## remove what can be made again
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
