"""Golden data: what every game of Plies did when somebody last looked, in `tests/golden`.

`make golden` writes it anew; read the difference before you commit it.
"""

from __future__ import annotations

import argparse
import random
import textwrap
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import plies
from plies import draw
from plies.engine.kernels import perft
from plies.history import History
from plies.registry import game_class

FOLDER = Path(__file__).with_name("golden")
BOARDS = FOLDER / "boards.txt"
"""What the pictures of positions are made of."""

LINES = 100_000
"""The most lines of play that are counted."""

ANNOTATED = 8
"""How many moves are shown one by one."""

LONGEST = 200
"""How many moves a random game is followed for."""


DOCS = Path(__file__).parents[1] / "docs"
SLIDE = DOCS / "alpha-beta.svg"
"""The picture of the slides' example, which the README shows."""

ENVELOPE = DOCS / "matrix-game.svg"
"""The picture of a matrix game that the documents show."""


def names() -> list[str]:
    """The games of this package."""
    return [name for name in plies.game_names() if game_class(name).__module__.startswith("plies.games.")]


def path(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def counted(game: plies.Game, most: int) -> Iterator[tuple[int, int]]:
    """Depths with their numbers of lines of play, as long as these are no more than `most`."""
    depth, before = 1, 1
    while 0 < (count := perft(game, game.initial(), depth)) <= most and (depth == 1 or count != before):
        yield depth, count
        depth, before = depth + 1, count


def playthrough(game: plies.Game) -> Iterator[str]:
    """A random game: the first moves one by one, the others in a row, and how it ended.

    Which moves are made depends on their notation alone, not on the order in which the rules name them.
    """
    generator = random.Random(1)
    history = History(game)
    yield from shown(history)
    while not history.over and len(history.actions) < LONGEST:
        state, legal = history.state, play_any(history, generator)
        number = len(history.actions)
        if number <= ANNOTATED:
            mover, move = game.player_name(game.to_move(state)), game.notation(state, history.actions[-1])
            touched = " ".join(game.move_squares(state, history.actions[-1]))
            yield f"{number}. {mover}, of {legal}: {move}" + (f" ({touched})" if touched else "")
            yield from shown(history)
    if len(history.actions) > ANNOTATED:
        moves = " ".join(map(game.notation, history.states, history.actions))
        yield from textwrap.wrap(f"All {len(history.actions)} moves: {moves}", 100)
        yield from shown(history)
    if history.over:
        results = [f"{game.player_name(p)} {history.utility(p):g}" for p in range(game.players)]
        yield f"The game is over: {', '.join(results)}{history.reason and f'; {history.reason}'}"
    else:
        yield "The game goes on."


def play_any(history: History, generator: random.Random) -> int:
    """Play a random action; returns how many there were, those that superko forbids included."""
    game, state = history.game, history.state
    actions = sorted(game.actions(state), key=lambda action: game.notation(state, action))
    count = len(actions)
    while True:
        try:
            history.play(actions.pop(generator.randrange(len(actions))))
        except plies.IllegalMove:
            continue
        return count


def shown(history: History) -> Iterator[str]:
    game, state = history.game, history.state
    yield ""
    yield from (line.rstrip() for line in game.text(state).split("\n"))
    if game.has("position"):
        yield f"Position: {game.position(state)}"
    yield ""


def write(name: str) -> None:
    game = plies.game(name)
    counts = [f"perft {depth}: {count}" for depth, count in counted(game, LINES)]
    lines = [f"{name}", "", *counts, *playthrough(game)]
    FOLDER.mkdir(exist_ok=True)
    path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def slide() -> draw.Picture:
    """Alpha-beta on the tree of the slides, drawn."""
    return draw.tree(plies.trace(plies.Tree()))


def matrix_picture() -> draw.Picture:
    """The lower envelope of the matrix game of the documents, drawn."""
    game = plies.matrix_game("2 3 11; 7 5 2", row_names="attack,defend", column_names="north,south,west")
    return draw.envelope(game)


def board_outlines() -> Iterator[str]:
    """A position of each game as a picture: what is in it, how often, and where."""
    for name in names():
        game, generator = plies.game(name), random.Random(1)
        history = History(game)
        while not history.over and len(history.actions) < 10:
            play_any(history, generator)
        last = (history.states[-2], history.actions[-1])
        picture = draw.board(game, history.state, last=last, legal=True)
        root = ElementTree.fromstring(str(picture))
        places: dict[str, list[str]] = {}
        for element in root.iter():
            kind = f"{element.tag.rpartition('}')[2]} {element.get('class', '')}".strip()
            where = [
                element.get(key, "") for key in ("x", "y", "cx", "cy", "x1", "y1", "x2", "y2", "transform")
            ]
            places.setdefault(kind, []).append(",".join(filter(None, where)))
        yield f"{name} {root.get('viewBox')}"
        for kind, found in places.items():
            shown = found if len(found) <= 3 else [found[0], "…", found[-1]]
            yield f"  {len(found)} {kind} {' '.join(shown)}".rstrip()


def structure(element: ElementTree.Element) -> list[str]:
    """What is in a picture, in order: elements with their classes, data and words, but not their places."""
    kept = [f"{k}={v}" for k, v in element.items() if k in ("class", "role") or k.startswith("data-")]
    name = element.tag.rpartition("}")[2]
    words = " ".join((element.text or "").split()) if name != "style" else ""
    line = " ".join([name, *kept, *([repr(words)] if words else [])])
    return [line, *(f"  {inner}" for child in element for inner in structure(child))]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games (default: all)")
    asked = parser.parse_args()
    BOARDS.write_text("\n".join(board_outlines()) + "\n", encoding="utf-8")
    slide().save(SLIDE)
    matrix_picture().save(ENVELOPE)
    for name in asked.games or names():
        write(name)
        print(path(name).relative_to(Path.cwd()))
