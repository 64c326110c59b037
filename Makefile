# Each target first sets up what it needs in .venv: once, and again when pyproject.toml has changed.

BIN := .venv/bin
# Some tests wait (for pages, clocks and other programs), so there are more workers than the two cores of many machines;
# no more of them, as each collects all tests, loads what it needs of the machine code and has a browser of its own.
# They start hundreds of processes, which read bytecode wherever Python may keep it.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 4 --dist worksteal -q
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11 python

.PHONY: play serve test test-long test-proofs zoo mutants golden check docs screenshots notebooks bench ratings clean help setup
.DEFAULT_GOAL := help

play: setup ## play Tic-Tac-Toe against the machine
	@$(BIN)/python -m plies play tic-tac-toe

serve: setup ## play, analyse and learn in a browser
	@$(BIN)/python -m plies serve

test: setup ## run the tests interpreted, then compiled
	@echo "plies: testing interpreted"
	@NUMBA_DISABLE_JIT=1 $(PYTEST) -r fE
	@echo "plies: testing compiled"
	@$(PYTEST) -m "not long and not plain"

coverage: setup ## measure coverage of the interpreted tests
	@NUMBA_DISABLE_JIT=1 $(PYTEST) -r fE --cov

test-long: setup ## run the tests that take long
	@echo "plies: testing what takes long"
	@$(PYTEST) -n 2 -m long -o faulthandler_timeout=0 || { [ $$? -eq 5 ] && echo "plies: there are none"; }

COUNT ?= 1000000
SEED ?= 0
MINUTES ?= inf
test-proofs: setup ## compare every proof with brute force on COUNT random graphs (default a million)
	@$(BIN)/python tests/test_proofs.py --count $(COUNT) --seed $(SEED) --minutes $(MINUTES)

zoo: setup ## run every algorithm on every broken game, with the allocator's checks on
	@$(BIN)/python tests/zoo.py

mutants: setup ## plant known faults, one at a time, and report those that no test finds
	@$(BIN)/python tests/mutants.py

golden: setup ## regenerate the golden files in tests/golden
	@$(BIN)/python tests/golden.py

check: setup ## ruff, mypy and the import contracts
	@echo "plies: ruff, mypy, import-linter"
	@$(BIN)/python -m ruff check --quiet .
	@$(BIN)/python -m ruff format --check --quiet .
	@$(BIN)/python -m mypy
	@$(BIN)/lint-imports --no-logo

docs: setup ## build the documentation site in build/site
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m docs

screenshots: setup ## take the pictures of the page in README and documents, with Chromium
	@$(BIN)/python -m docs.screenshots

notebooks: setup ## write the course as notebooks in build/notebooks
	@$(BIN)/python -m docs notebooks

GAMES ?= 20
# The players are told apart by their order, too: new ones begin a list of their own.
ratings: setup ## play the rating list of docs/tournaments.md, or go on with it: GAMES for every two (default 20)
	@mkdir -p build/ratings
	@$(BIN)/python -m plies tournament tic-tac-toe random reflex level:1 level:2 level:3 mcts:simulations=100 \
		engine:nodes=100 engine:nodes=1000 --games $(GAMES) --openings 2 --save build/ratings/tic-tac-toe.db
	@$(BIN)/python -m plies tournament connect-four random reflex level:1 level:3 level:6 level:9 \
		mcts:simulations=1000 engine:nodes=1000 engine:nodes=10000 --games $(GAMES) --option book=no \
		--save build/ratings/connect-four.db
	@$(BIN)/python -m plies tournament othello random reflex mcts:simulations=100 mcts:simulations=1000 \
		engine:nodes=100 engine:nodes=1000 engine:nodes=10000 --games $(GAMES) --save build/ratings/othello.db
	@for game in kalah checkers; do $(BIN)/python -m plies tournament $$game random reflex level:1 level:3 level:6 \
		mcts:simulations=1000 engine:nodes=100 engine:nodes=1000 engine:nodes=10000 --games $(GAMES) \
		--save build/ratings/$$game.db || exit; done
	@$(BIN)/python -m plies tournament chess random reflex level:1 level:3 level:5 engine:nodes=100 engine:nodes=1000 \
		engine:nodes=10000 --games $(GAMES) --save build/ratings/chess.db

bench: setup ## run the benchmarks and print ratios
	@$(BIN)/python -m bench

clean: ## remove everything that make can rebuild
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.* build dist bench/.venv-peers bench/results.json
	@find src tests bench examples -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "plies: clean"

help: ## show this list
	@echo "Plies: games as search problems. What make can do:"
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name words; do printf '  make %-12s %s\n' "$$name" "$$words"; done

# .venv/ready says where and from what the environment was made. Without it, or in another place, .venv is
# the remains of a failed or moved one and is made again; after a change of pyproject.toml, pip runs once more.
# Bytecode is written by all cores at once, and not that of other packages' tests: pip takes a minute for it.
setup:
	@here=$$(pwd -P); wanted="$$(cksum < pyproject.toml)"; \
	if [ "$$(sed -n 1p .venv/ready 2>/dev/null)" != "$$here" ] || ! $(BIN)/python -c '' 2>/dev/null; then \
		for python in $(PYTHONS) none; do \
			"$$python" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
				2>/dev/null && break; \
		done; \
		if [ "$$python" = none ]; then \
			echo "plies: needs Python 3.11, 3.12, 3.13 or 3.14, with its venv module, on the PATH" >&2; exit 1; \
		fi; \
		echo "plies: making .venv with $$("$$python" -V)"; \
		rm -rf .venv && "$$python" -m venv .venv || exit 1; \
	elif [ "$$(sed -n 2p .venv/ready)" = "$$wanted" ]; then \
		exit 0; \
	fi; \
	echo "plies: installing what it needs into .venv (once; about a minute)"; \
	install="$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-input --no-compile"; \
	$$install --upgrade 'pip>=25.1' && $$install --editable '.[notebook,web]' --group dev || { \
		echo "plies: could not install what it needs; the reason stands above" >&2; exit 1; \
	}; \
	$(BIN)/python -m compileall -q -j 0 -x '/tests?/' .venv/lib > /dev/null 2>&1; \
	printf '%s\n%s\n' "$$here" "$$wanted" > .venv/ready
