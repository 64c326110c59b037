"""Boards: a position drawn from its scene, and what there is to say about it. No rule is known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plies.draw import marks, shapes
from plies.draw.picture import Picture
from plies.draw.svg import Markup, document, element, text_width
from plies.game import Action, Game, State
from plies.scene import Scene

UNIT = shapes.UNIT
MARGIN = 0.25
"""How much is left free around everything, in cells."""

SIZE = 400
"""How many pixels the longer side has, unless told."""


def board(
    game: Game,
    state: State,
    *,
    last: tuple[State, Action] | None = None,
    legal: bool = False,
    arrows: Sequence[Any] = (),
    scores: Mapping[Action, Any] | None = None,
    size: float | None = None,
) -> Picture:
    """A picture of a position; of a game without scenes, its text.

    `last` is the state before and the action that led here, `legal` marks the legal actions, `arrows` are
    actions, or pairs of an action and a word, and `scores` says a word or a value about actions, which
    stands where each of them ends. The longer side has `size` pixels.
    """
    scene = game.scene(state)
    title, description = _words(game, state, last)
    if scene is None:
        return _prose(title, description, game.text(state), size)
    drawn = marks.Marks(game, state, scene)
    over = [
        *(drawn.last(*last) if last else []),
        *(drawn.legal() if legal else []),
        *drawn.scores(scores or {}),
        *drawn.arrows(arrows),
    ]
    inside = [*shapes.under(scene), *shapes.cells(scene), *shapes.lines(scene), *shapes.pieces(scene)]
    inside += [*shapes.labels(scene), element("g", *over, class_="marks")]
    return Picture(document("board", _box(scene), title, description, inside, size or SIZE))


def _words(game: Game, state: State, last: tuple[State, Action] | None) -> tuple[str, str]:
    """The title and the description, for those who do not see the picture."""
    if game.is_terminal(state):
        title = f"{game.name}, the game is over"
    else:
        title = f"{game.name}, {game.player_name(game.to_move(state))} to move"
    before = f"Last move: {game.described(*last)}.\n" if last else ""
    return title, before + game.text(state)


def _box(scene: Scene) -> tuple[float, float, float, float]:
    """What the picture shows: all that is in the scene."""
    spans = [(0.0, 0.0, scene.width, scene.height)]
    spans += [shapes.extent(cell) for cell in scene.cells]
    spans += [(piece.x - 0.5, piece.y - 0.5, piece.x + 0.5, piece.y + 0.5) for piece in scene.pieces]
    size = shapes.label_size(scene)
    for label in scene.labels:
        half = text_width(label.text, size) / 2
        spans.append((label.x - half, label.y - 0.6 * size, label.x + half, label.y + 0.6 * size))
    left, top = (min(span[i] for span in spans) - MARGIN for i in (0, 1))
    right, bottom = (max(span[i] for span in spans) + MARGIN for i in (2, 3))
    return left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT


def _prose(title: str, description: str, text: str, size: float | None) -> Picture:
    lines: list[Markup] = []
    rows = text.expandtabs().split("\n")
    for number, row in enumerate(rows):
        lines.append(element("text", row, class_="prose", x=10, y=26 + 24 * number, font_size=20))
    width = max(text_width(row, 20) for row in rows) + 20
    return Picture(
        document("board", (0, 0, width, 24 * len(rows) + 16), title, description, lines, size or SIZE)
    )
