"""Boards: a position drawn from its scene, with marks for moves and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from plies.draw import marks, shapes
from plies.draw.picture import Picture
from plies.draw.svg import document, element, text_width
from plies.errors import PliesError
from plies.game import Action, Game, State
from plies.scene import Label, Scene

UNIT = shapes.UNIT

MARGIN = 0.25
"""The free margin, in cells. Not tuned."""

SIZE = 400
"""The pixels of the longer side, by default. Not tuned."""

LARGEST = 10_000
"""The most pixels of the longer side. Not tuned."""

MOST_CAPTIONS = 4
"""The most lines below a board. Not tuned."""


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
    actions, or pairs of an action and a word, and `scores` maps actions to a word or a value, shown where the
    action ends. The longer side has `size` pixels.
    """
    if size is not None and not 0 < size <= LARGEST:
        raise PliesError(f"size must be above 0 and up to {LARGEST:,} pixels, not {size:g}")
    scene = game.scene(state)
    title, description = _words(game, state, last)
    if scene is None:
        return _prose(game, state, title, description, scores or {}, size)
    drawn = marks.Marks(game, state, scene)
    over = [
        *(drawn.last(*last) if last else []),
        *(drawn.legal() if legal else []),
        *drawn.arrows(arrows),
        *drawn.scores(scores or {}),
    ]
    scene = _captioned(scene, drawn.captions)
    inside = [*shapes.under(scene), *shapes.cells(scene), *shapes.lines(scene), *shapes.pieces(scene)]
    inside += [*shapes.lines(scene, rows=True), *shapes.labels(scene), element("g", *over, class_="marks")]
    return Picture(document("board", _box(scene), title, description, inside, size or SIZE))


def _words(game: Game, state: State, last: tuple[State, Action] | None) -> tuple[str, str]:
    """The title and the description, for screen readers."""
    if game.is_terminal(state):
        title = f"{game.name}, the game is over"
    else:
        title = f"{game.name}, {game.player_name(game.to_move(state))} to move"
    before = f"Last move: {game.described(*last)}.\n" if last else ""
    return title, before + game.text(state)


def _captioned(scene: Scene, captions: Sequence[str]) -> Scene:
    """A scene with more lines below it."""
    bottom = max([scene.height, *(label.y for label in scene.labels)]) + 0.2
    more = [
        Label(scene.width / 2, bottom + 0.5 * (row + 1), text)
        for row, text in enumerate(captions[:MOST_CAPTIONS])
    ]
    return scene._replace(labels=[*scene.labels, *more])


def _box(scene: Scene) -> tuple[float, float, float, float]:
    """The view box: all of the scene, with a margin."""
    spans = [(0.0, 0.0, scene.width, scene.height)]
    spans += [shapes.extent(cell) for cell in scene.cells]
    spans += [(piece.x - 0.5, piece.y - 0.5, piece.x + 0.5, piece.y + 0.5) for piece in scene.pieces]
    for label in scene.labels:
        size = shapes.label_size(scene, label)
        half, (x, y) = text_width(label.text, size) / 2, shapes.label_place(scene, label)
        spans.append((x - half, y - 0.6 * size, x + half, y + 0.6 * size))
    for line in scene.lines:
        spans.append(
            (min(line.x1, line.x2), min(line.y1, line.y2), max(line.x1, line.x2), max(line.y1, line.y2))
        )
    if not all(isfinite(edge) for span in spans for edge in span):
        raise PliesError("a scene has coordinates that are not finite")
    left, top = (min(span[i] for span in spans) - MARGIN for i in (0, 1))
    right, bottom = (max(span[i] for span in spans) + MARGIN for i in (2, 3))
    return left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT


def _prose(
    game: Game,
    state: State,
    title: str,
    description: str,
    scores: Mapping[Action, Any],
    size: float | None,
) -> Picture:
    """A position in characters, and the scores below it."""
    rows = game.text(state).expandtabs().split("\n")
    if scores:
        rows.append("")
        for action, value in marks.ranked(scores):
            rows.append(f"{game.notation(state, action)}: {marks.in_words(value, game.unit)}")
    lines = [
        element("text", row, class_="prose", x=12, y=28 + 24 * line, font_size=20)
        for line, row in enumerate(rows)
    ]
    width, height = max(text_width(row, 20) for row in rows) + 24, 24 * len(rows) + 20
    box = (0, 0, width, height)
    return Picture(document("board", box, title, description, lines, size or min(SIZE, max(width, height))))
