# Every target sets up what it needs in .venv, once.
PYTHON := $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
READY := .venv/ready

.PHONY: play test test-long check bench golden clean
.DEFAULT_GOAL := play

play: $(READY)  ## play Tic-Tac-Toe against the machine
	@$(BIN)/plies play tic-tac-toe

test: $(READY)  ## the tests, compiled, then interpreted under coverage
	@echo "plies: testing compiled"
	@$(BIN)/python -m pytest -n 2

check: $(READY)  ## lint, format, types, direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "plies: needs Python 3.11 to 3.14 on the PATH"; exit 1; }
	@echo "plies: setting up .venv with $(PYTHON) (once, about half a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
