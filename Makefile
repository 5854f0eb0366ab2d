# make play    sets up what is missing and lets you play
# make test    sets up what is missing and checks everything: style, types, tests
# make bench   prints the speed figures         make soak    runs the laws of the games for longer
# make format  puts the style right             make clean   removes what these have made
# make protocol  writes the test vectors and the transcripts of PROTOCOL.md anew
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# A stamp says what has been installed since the list of dependencies changed. While pip works the mark
# `.whole` is gone: what an interruption left half done is thrown away and made anew.
PLAY  := $(VENV)/.ready
DEV   := $(VENV)/.ready-dev
BENCH := $(VENV)/.ready-bench
WHOLE := $(VENV)/.whole

.PHONY: play test lint types tests bench soak format protocol clean

play: $(PLAY)
	@$(BIN)/parlour

test: lint types tests

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV)
	$(BIN)/mypy

tests: $(DEV)
	$(BIN)/pytest -n auto --dist worksteal

soak: $(DEV)
	PARLOUR_SOAK=300 $(BIN)/pytest -n auto --dist worksteal tests/laws

bench: $(BENCH)
	$(BIN)/python -m bench

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

protocol: $(DEV)
	PYTHONPATH=tests $(BIN)/python -m protocol_page

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

define install
	@test -e $(WHOLE) || $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Parlour needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1)." \
		"If there is another one, name it: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Setting up $(VENV) ..."
	@test -e $(WHOLE) || $(PYTHON) -m venv --clear $(VENV)
	@rm -f $(WHOLE)
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip --quiet --disable-pip-version-check install --editable '.$(1)'
	@touch $(WHOLE) $(PLAY) $@
endef

$(PLAY): pyproject.toml
	$(call install)

$(DEV): pyproject.toml
	$(call install,[dev])

# A bare comma would end the argument of `call`.
COMMA := ,
$(BENCH): pyproject.toml
	$(call install,[dev$(COMMA)bench])
