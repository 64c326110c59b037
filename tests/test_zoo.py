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
    *("mover huge", "later mover", "index negative", "many actions", "later endless actions", "no actions"),
    *("utility nan", "utility outside", "evaluation inf", "key constant", "priority nan", "symmetry illegal"),
    *("noisy endless", "candidates none", "never ends", "terminal at random", "null move anywhere"),
    *("playout illegal", "chances negative", "repetition value nan", "raise utility", "raise priority"),
    *("mover huge alone", "utility inf alone", "array in a state", "bounds nan", "players 0", "total nan"),
    *("result is None later", "to_move is 'x'"),
)
"""One of each class."""


def open_cages(mode: str, names: tuple[str, ...], algorithms: tuple[str, ...]) -> None:
    command = [sys.executable, zoo.__file__, "--here", "--exactly", "--modes", mode]
    command += ["--only", ",".join(names), "--algorithms", ",".join(algorithms)]
    env = zoo.environment(mode, Path(os.environ.get("PLIES_CACHE_DIR", ".")))
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.plain
def test_every_example_is_there() -> None:
    assert set(EXAMPLES) <= zoo.CAGES.keys()


@pytest.mark.skipif(
    not interpreting(), reason="each game compiled for each algorithm takes half an hour: make zoo"
)
def test_one_of_each_class() -> None:
    open_cages("plain", EXAMPLES, zoo.FAMILIES)


COMPILED = (
    ("mover huge", "alpha-beta"),
    ("later endless actions", "alpha-beta"),
    ("index negative", "mcts"),
    ("many actions", "mcts"),
    ("array in a state", "mcts"),
    ("chances negative", "expectiminimax"),
    ("utility nan", "max-n"),
    ("mover huge alone", "depth-first"),
)
"""What once brought Python down, and a fault for each kernel: there is time to compile no more."""


@pytest.mark.skipif(interpreting(), reason="checks of machine code")
@pytest.mark.parametrize(("name", "algorithm"), COMPILED)
def test_machine_code_survives(name: str, algorithm: str) -> None:
    open_cages("heap", (name,), (algorithm,))


@pytest.mark.skipif(interpreting(), reason="checks of machine code")
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
