# make play    sets up what is missing and lets you play
# make test    sets up what is missing and checks everything: style, types, tests
# make check   the same with the quick tests and those of the rooms that changed, in about a minute
# make soak    all tests with the large counts, in about half an hour; `make soak SOAK=300` for more games
# make bench   prints the speed figures         make protocol  writes the examples of PROTOCOL.md anew
# make format  puts the style right             make clean     removes what these have made
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# A stamp says what has been installed since the list of dependencies changed. While pip works the mark
# `.whole` is gone: what an interruption left half done is thrown away and made anew.
PLAY  := $(VENV)/.ready
DEV   := $(VENV)/.ready-dev
BENCH := $(VENV)/.ready-bench
WHOLE := $(VENV)/.whole
PAGE  := tests/client/web

# Games that the laws play at each kind of table in `make soak`; other counts grow in step (tests/support/soak.py).
SOAK ?= 100

# The tests write into it what this machine cannot run.
LEFT_OUT := .pytest_cache/d/parlour/left-out

# What of the changed rooms was run, and what was not.
CHANGED := .pytest_cache/d/parlour/changed-rooms

# Tests start hundreds of processes: each would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

# What was asked for, also in the steps that it is made of.
GOAL ?= $(MAKECMDGOALS)
export GOAL

.PHONY: play test check soak lint types tests quick changed long bench format protocol clean

play: $(PLAY)
	@$(BIN)/parlour

test:
	@echo "make test: style, types and all tests; about 5 minutes on two quiet cores, and one more the first time."
	@$(call steps,lint types tests)
	@echo "make test: passed: style, types and all tests. Left out on this machine: $$(cat $(LEFT_OUT))." \
		"Only make soak plays every option at every number of seats, with all the large counts."

check:
	@echo "make check: style, types, a choice of quick tests, and the tests of the rooms that changed;" \
		"about a minute on two quiet cores, and one more the first time."
	@$(call steps,lint types quick changed)
	@echo "make check: passed: style, types and the quick tests. Changed rooms: $$(cat $(CHANGED))." \
		"Left out in all other rooms: tests that start programs, terminals or servers, and most cases of the" \
		"others; make test has them."

soak:
	@echo "make soak: all tests with the large counts, neither style nor types; $(SOAK) games at every kind of table;" \
		"with 100 about half an hour on two quiet cores."
	@$(call steps,long)
	@echo "make soak: passed: all tests, $(SOAK) games with every option at every number of seats." \
		"Left out on this machine: $$(cat $(LEFT_OUT))."

# Runs one step after the other, up to the first that fails.
steps = for step in $(1); do $(MAKE) --no-print-directory $$step || { \
	echo "make $@: FAILED at make $$step; nothing after it was run."; exit 1; }; done

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tools.rooms

types: $(DEV)
	$(BIN)/mypy

PARALLEL := -n auto --dist worksteal

tests: $(DEV)
	$(BIN)/pytest $(PARALLEL) --durations=10 --durations-min=1

quick: $(DEV)
	$(BIN)/pytest $(PARALLEL) --quick

changed: $(DEV)
	$(BIN)/python -m tools.changed_rooms $(PARALLEL)

long: $(DEV)
	PARLOUR_SOAK=$(SOAK) $(BIN)/pytest $(PARALLEL) --durations=10 --durations-min=1

bench: $(BENCH)
	$(BIN)/python -m bench

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

protocol: $(DEV)
	$(BIN)/python -m tools.protocol_page

clean:
	rm -rf $(VENV) $(PAGE)/node_modules build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .bench
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

define install
	@test -e $(WHOLE) || $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Parlour needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1)." \
		"If there is another one, name it: make PYTHON=python3.12 $(GOAL)" >&2; exit 1; }
	@echo "Setting up $(VENV) ..."
	@test -e $(WHOLE) || $(PYTHON) -m venv --clear $(VENV)
	@rm -f $(WHOLE)
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip --quiet --disable-pip-version-check install --editable '.$(1)'
	@touch $(WHOLE) $(PLAY) $@
endef

# What the tests of the page need of npm. Without npm, or without a network, they are left out and say so.
define install_for_page
	@command -v npm >/dev/null || exit 0; npm ci --prefix $(PAGE) --silent --no-audit --no-fund || \
		echo "npm could not install what the tests of the page need; they will be left out." >&2
endef

$(PLAY): pyproject.toml
	$(call install)

$(DEV): pyproject.toml $(PAGE)/package-lock.json
	$(call install,[dev])
	$(call install_for_page)

# A bare comma would end the argument of `call`.
COMMA := ,
$(BENCH): pyproject.toml
	$(call install,[dev$(COMMA)bench])
