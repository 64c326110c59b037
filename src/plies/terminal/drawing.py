"""What `plies draw` draws: a position, or the game in a record."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from plies import draw, records
from plies.engine.search import search
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, SIMULTANEOUS, Action, Game, rule_parameters
from plies.history import History

MOST_SCORES = 100
"""The most legal moves that are each given an exact score; of more, only the best is."""


def draw_position(
    history: History,
    *,
    move: str | None = None,
    arrows: Sequence[str] = (),
    legal: bool = False,
    seconds: float | None = None,
    size: int | None = None,
) -> draw.Picture:
    """The current position of a game, or the one after a move, with the last move marked.

    Arrows are moves in notation. With `seconds`, a search of that long scores every move.
    """
    if move is not None:
        history.play(_read(history, move))
    game, state = history.game, history.state
    last = (history.states[-2], history.actions[-1]) if history.actions else None
    scores = None
    if seconds is not None:
        if not game.is_terminal(state) and game.to_move(state) == CHANCE:
            raise PliesError("there are no moves to score: chance is to move")
        if not game.is_terminal(state) and game.to_move(state) == SIMULTANEOUS:
            raise PliesError("there are no moves to score, but pairs of choices: plies best shows them")
        count = len(history.legal())
        lines = count if 0 < count <= MOST_SCORES else 1
        scores = search(game, state, time=seconds, lines=lines, previous=history.previous).scores
    drawn = [_read(history, arrow) for arrow in arrows]
    return draw.board(game, state, last=last, legal=legal, arrows=drawn, scores=scores, size=size)


def _read(history: History, move: str) -> Action:
    if history.over:
        raise BadParameter(f"{move!r} cannot be played: the game is over")
    return records.read_move(history.game, history.state, move)


def read_history(path: Path, game: Game) -> History:
    """The game in a record of any format, with the parameters that the record names."""
    name = repr(str(path))
    try:
        if path.exists() and not path.is_file():  # a pipe, or a device, may have no end
            raise PliesError(f"{name} cannot be read: it is not a file")
        if path.stat().st_size > 4 * records.LARGEST:
            raise PliesError(f"{name} is too large for a record")
        told = records.read(path.read_text(encoding="utf-8"), game)
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PliesError(f"{name} cannot be read: {_brief(reason)}") from None
    if told.game != game.name:
        raise PliesError(f"{name} is a record of {told.game:.40}, not of {game.name}")
    own = rule_parameters(game)
    if told.parameters != own:
        for parameter, value in told.parameters.items():
            if parameter in own and not _is_like(value, own[parameter]):
                raise PliesError(
                    f"{name} has a parameter that {game.name} does not take: {parameter} is {_brief(value)}"
                )
        given = {
            parameter: tuple(value) if isinstance(value, list) else value
            for parameter, value in told.parameters.items()
        }
        try:
            game = type(game)(**given)
        except Exception as error:  # a game need not foresee whatever a file may say
            raise PliesError(
                f"{name} has parameters that {game.name} does not take: {_brief(error)}"
            ) from None
    try:
        return records.replay(game, told.position, told.moves)
    except PliesError:
        raise
    except Exception as error:
        raise PliesError(f"{name} cannot be replayed: {type(error).__name__}: {_brief(error)}") from None


def _is_like(value: object, own: object) -> bool:
    """Whether a parameter in a record has the type of the game's own."""
    if own is None or value is None:
        return True
    if isinstance(own, float):
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return type(value) is type(own)


def _brief(words: object) -> str:
    """Text that may come from a file, shortened."""
    text = " ".join(str(words).split())
    return text if len(text) <= 200 else f"{text[:199]}…"


def check_output(path: Path, whole: bool) -> None:
    """Refuse a file that cannot be written, before the search; only a whole game makes a page."""
    suffix = path.suffix.lower()
    if suffix == ".html" and not whole:
        raise PliesError("an .html page shows a whole game: give --record FILE, or a file that ends in .svg")
    if suffix not in (".svg", ".html"):
        raise PliesError(f"the output file must end in .svg, not {str(path)!r}")
    if not path.parent.is_dir():
        raise PliesError(f"{str(path)!r} cannot be written: there is no folder {str(path.parent)!r}")
