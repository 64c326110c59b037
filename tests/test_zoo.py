"""One broken game of each class for each family of algorithms; `make zoo` has them all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import zoo
from plies.compiled import interpreting

EXAMPLES = (
    *("mover huge", "later mover", "index negative", "no actions"),
    *("utility nan", "utility outside", "evaluation inf", "key constant", "priority nan", "symmetry illegal"),
    *("candidates none", "terminal at random", "null move anywhere"),
    *("playout illegal", "chances negative", "repetition value nan", "raise utility", "raise priority"),
    *("mover huge alone", "utility inf alone", "array in a state", "bounds nan", "players 0", "total nan"),
    *("chance without dice", "chances none", "result is None later", "to_move is 'x'"),
)
"""One of each class."""

ENDLESS = (
    "never ends",
    "noisy endless",
    "later endless actions",
    "later endless actions of three",
    "many actions",
)
"""Those that a search only leaves at its limit: each takes seconds."""


def open_cages(mode: str, names: tuple[str, ...], algorithms: tuple[str, ...]) -> None:
    command = [sys.executable, zoo.__file__, "--here", "--exactly", "--modes", mode]
    command += ["--only", ",".join(names), "--algorithms", ",".join(algorithms)]
    env = zoo.environment(mode, Path(os.environ.get("PLIES_CACHE_DIR", ".")))
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.plain
def test_every_example_is_there() -> None:
    assert {*EXAMPLES, *ENDLESS, *(name for names in COMPILED.values() for name in names)} <= zoo.CAGES.keys()


@pytest.mark.early
@pytest.mark.skipif(
    not interpreting(), reason="each game compiled for each algorithm takes half an hour: make zoo"
)
def test_one_of_each_class() -> None:
    open_cages("plain", EXAMPLES, zoo.FAMILIES)


@pytest.mark.skipif(not interpreting(), reason="as above")
@pytest.mark.parametrize("algorithm", ["alpha-beta", "mcts", "max-n"])
def test_games_without_an_end(algorithm: str) -> None:
    open_cages("plain", ENDLESS, (algorithm,))


COMPILED = {
    "alpha-beta": (
        "later mover",
        "later endless actions",
        "later no actions",
        "index negative",
        "noisy endless",
    ),
    "mcts": ("later mover", "index negative", "many actions", "array in a state", "playout illegal"),
    "expectiminimax": ("chances negative", "later mover with dice"),
    "max-n": ("utility nan", "later mover"),
    "depth-first": ("mover huge alone", "later mover alone"),
    "check": ("later endless actions", "noisy endless"),
    "solve": ("endless actions", "later endless actions with dice", "symmetry none"),
    "training": ("raise result", "raise features"),
}
"""What once brought Python down, and more, for each kernel: so many faults share one machine code."""

APART = ("check", "training", "max-n", "depth-first", "expectiminimax", "solve", "mcts")
"""Those whose machine code no other test here needs: they are long tests."""


@pytest.mark.early
@pytest.mark.skipif(interpreting(), reason="checks of machine code")
@pytest.mark.parametrize(
    "algorithm", [pytest.param(name, marks=pytest.mark.costly if name in APART else ()) for name in COMPILED]
)
def test_machine_code_survives(algorithm: str) -> None:
    open_cages("heap", COMPILED[algorithm], (algorithm,))


@pytest.mark.skipif(interpreting(), reason="checks of machine code")
@pytest.mark.costly
def test_no_index_is_out_of_range() -> None:
    open_cages("bounds", ("index huge",), ("alpha-beta",))


@pytest.mark.plain
@pytest.mark.skipif(sys.platform != "linux", reason="the allocator's checks are those of glibc")
def test_the_checks_of_the_allocator_are_on() -> None:
    env = zoo.environment("heap", Path("."))
    command = [sys.executable, "-c", zoo.OVERFLOW]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == -signal.SIGABRT, done
    assert "alive" not in done.stdout
    assert "alive" in subprocess.run(command, capture_output=True, text=True).stdout
