# make play   sets up and plays          make bench  prints the speed figures
# make test   sets up and checks all     make soak   runs the laws for longer
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SETUP  := $(VENV)/.ready
BENCH  := $(VENV)/.bench

.PHONY: play test lint types tests bench soak format clean

play: $(SETUP)
	@$(BIN)/parlour demo

test: lint types tests

lint: $(SETUP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(SETUP)
	$(BIN)/mypy

tests: $(SETUP)
	$(BIN)/pytest -n auto

soak: $(SETUP)
	PARLOUR_SOAK=300 $(BIN)/pytest -n auto tests/laws

bench: $(BENCH)
	$(BIN)/python -m bench

format: $(SETUP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(SETUP): pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Parlour needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." \
		"Name another with: make PYTHON=python3.12 play" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

$(BENCH): $(SETUP)
	$(BIN)/python -m pip install --quiet --editable '.[dev,bench]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
