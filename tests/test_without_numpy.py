"""What runs in a browser runs without NumPy, Numba, Rich and Typer, and gives the same as with them."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

NEEDED = ("numba", "numpy", "rich", "typer")

SCRIPT = """
import hashlib, sys
import plies
from plies import book, draw
from plies.games.tree import random_tree, tree_of

def told(*things):
    print(*(hashlib.sha256(str(thing).encode()).hexdigest()[:12] for thing in things))

GAMES = {
    "sum-to-two": {}, "nim": {"heaps": (1, 2)}, "tic-tac-toe": {}, "pig": {"target": 6},
    "connect-four": {"width": 4, "height": 3},
}
for name, parameters in GAMES.items():
    game = plies.game(name, **parameters)
    print(name)
    for algorithm in book.suited(game)[:2]:
        trace = plies.trace(game, algorithm=algorithm, depth=2)
        told(trace, draw.tree(trace).svg, draw.steps(trace).html)
    print(game)
    told(draw.board(game, game.initial()).svg, draw.game_tree(game, depth=1).svg)
    told("\\n".join(str(plies.check_game(game, games=3)).splitlines()[:-1]))
    told(tree_of(game, depth=2).to_json())

for levels in (("max", "min"), ("max", "chance", "min")):
    tree = random_tree(5, levels=levels)
    print(tree.bounds, tree.total, tree.stochastic)
    for algorithm in book.suited(tree):
        told(plies.trace(tree, algorithm=algorithm, **({"seed": 1} if algorithm in ("mcts", "flat") else {})))
    told(tree, plies.check_game(tree, games=2).problems, draw.board(tree, 0).svg)
print(plies.trace(plies.game("slides:three-players"), algorithm="max-n"))
print(plies.matrix_game([[1, -1], [-1, 1]]).value)
for parameters in ({"weights": [1, 2]}, {"weights": "x"}, {"weights": [float("nan")]}):
    try:
        plies.game("tic-tac-toe", **parameters)
    except plies.BadParameter as error:
        print(error)
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def blocked(code: str) -> str:
    """What code prints where none of the four can be imported."""
    modules = dict.fromkeys((*NEEDED, "llvmlite"))
    before, after = f"sys.modules.update({modules})", f"assert not any(map(sys.modules.get, {NEEDED}))"
    return run(f"import sys\n{before}\n{code}\n{after}")


def test_the_same_with_and_without():
    without = blocked(SCRIPT)
    assert len(without.splitlines()) > 30
    assert without == run(SCRIPT)


def test_what_needs_them_says_so():
    code = """
import plies
for name in ("search", "Chess", "match"):
    try:
        getattr(plies, name)
    except plies.PliesError as error:
        print(error)
print(str(plies.check_game(plies.TicTacToe(), games=1)).splitlines()[-1])
"""
    *sentences, checked = blocked(code).splitlines()
    assert len(sentences) == 3
    assert sentences[0].startswith("plies.search needs NumPy and Numba, and numpy is not installed here")
    assert checked == "  runs interpreted: Numba is not installed"


def test_the_four_are_marked_for_other_platforms():
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
    marked = [line.partition(";") for line in project["dependencies"]]
    assert sorted(name.partition(">")[0] for name, _, _ in marked) == list(NEEDED)
    assert {marker.strip() for _, _, marker in marked} == {"sys_platform != 'emscripten'"}
