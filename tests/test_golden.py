"""Every game does what its golden data say: counts of lines of play, and one random game."""

from __future__ import annotations

import pytest

import plies
from golden import BOARDS, FOLDER, names, path, playthrough
from plies.compiled import interpreting
from plies.engine.kernels import perft

every_game = pytest.mark.parametrize("name", names())


def text(name: str) -> str:
    assert path(name).is_file(), f"there are no golden data of {name}: run make golden"
    return path(name).read_text(encoding="utf-8")


@every_game
def test_perft(name: str) -> None:
    game = plies.game(name)
    lines = [line for line in text(name).splitlines() if line.startswith("perft ")]
    assert lines
    for line in lines:
        depth, count = map(int, line.removeprefix("perft ").split(": "))
        if not interpreting() or count <= 2_000:
            assert perft(game, game.initial(), depth) == count, line


@pytest.mark.plain
@every_game
@pytest.mark.no_cover
def test_a_random_game(name: str) -> None:
    played = "\n".join(playthrough(plies.game(name))) + "\n"
    assert text(name).endswith(played), f"another game is played; if it should be, run make golden\n{played}"


def test_there_is_no_more() -> None:
    assert {file.stem for file in FOLDER.iterdir()} <= {*names(), BOARDS.stem}
