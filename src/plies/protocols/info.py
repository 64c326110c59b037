"""What UCI's `info` says about a search: depth, score, winning chances, nodes and lines."""

from __future__ import annotations

import math

from plies.engine.result import SearchResult
from plies.engine.value import AT_LEAST, AT_MOST, Value, decisive_lead
from plies.game import Action, Game
from plies.protocols.moves import move_text

BOUNDS = {AT_LEAST: " lowerbound", AT_MOST: " upperbound"}

LARGEST = 10**9
"""The greatest score in hundredths of a unit: the numbers of clients have 32 bits."""


def score_text(game: Game, value: Value, length: int | None = None) -> str:
    """A value as UCI's `score`: a proved win or loss as `mate` in moves, all else in hundredths of a unit.

    A move is two plies, as in chess. Where the plies of a win are not proved, they are the `length` of its
    line; if that is not known either, the win is a score, as great as a score can be.
    """
    bound = BOUNDS.get(value.bound, "")
    plies = length if value.plies is None else value.plies
    if value.proved and value.lead and plies is not None and value.draw is not None:
        moves = (plies + 1) // 2
        return f"mate {moves if value.lead > 0 else -moves}{bound}"
    return f"cp {hundredths(game, value.lead)}{bound}"


def length_of(found: SearchResult, line: list[Action]) -> int | None:
    """The plies of a line that leads to the end of the game; None if it does not."""
    game, state = found.game, found.state
    assert game is not None
    for action in line:
        if game.is_terminal(state):
            return None
        state = game.result(state, action)
    return len(line) if game.is_terminal(state) else None


def hundredths(game: Game, lead: float) -> int:
    """A lead in hundredths of the game's unit, such as centipawns."""
    found = 100 * lead / game.unit
    return 0 if math.isnan(found) else round(max(-LARGEST, min(LARGEST, found)))


def wdl_text(game: Game, value: Value) -> str:
    """The chances of a win, a draw and a loss, of a thousand, such that their mean is the winning chance.

    As if two halves of a game were won or lost independently, and a draw were one of each. Not tuned.
    """
    chance = value.winning_chance(decisive_lead(game))
    if value.proved and value.lead == 0:
        return "wdl 0 1000 0"
    win, loss = round(1000 * chance**2), round(1000 * (1 - chance) ** 2)
    return f"wdl {win} {1000 - win - loss} {loss}"


def info_lines(found: SearchResult, lines: int, wdl: bool, hashfull: int | None, seconds: float) -> list[str]:
    """A result as lines of `info`, the best `lines` actions first."""
    game = found.game
    assert game is not None
    known = {line[0]: line for line in found.lines if line}
    ranked = [found.action, *(action for action in [*known, *found.scores] if action != found.action)]
    chosen = list(dict.fromkeys(ranked))[:lines]
    told = []
    for number, action in enumerate(chosen, 1):
        value = found.scores.get(action, found.value)
        line = found.line if number == 1 else known.get(action, [action])
        words = [f"info depth {found.depth}"]
        words += [f"multipv {number}"] if lines > 1 else []
        length = length_of(found, line) if value.proved else None
        words.append(f"score {score_text(game, value, length)}")
        words += [wdl_text(game, value)] if wdl else []
        words.append(f"nodes {found.nodes} nps {round(found.speed)}")
        words += [] if hashfull is None else [f"hashfull {hashfull}"]
        words.append(f"time {round(1000 * seconds)} pv {' '.join(line_text(found, line))}")
        told.append(" ".join(words))
    return told


def line_text(found: SearchResult, line: list[Action]) -> list[str]:
    """A line of a search as UCI writes moves, up to the end of the game."""
    game, state, words = found.game, found.state, []
    assert game is not None
    for action in line:
        if game.is_terminal(state):
            break
        words.append(move_text(game, state, action))
        state = game.result(state, action)
    return words
