"""The pieces that players have taken from each other, read off the pictures: no game has to say anything."""

from __future__ import annotations

from collections import Counter

from plies.history import History
from plies.scene import Scene

Pieces = list[Counter[str]]
"""How many pieces of each kind are on the board, by player."""


def captured(history: History) -> str:
    """Who has taken what since the game began, in words; "" if nobody has, or nothing is taken in this game.

    Pieces that are not there any more have been taken, but for those that became others (promotion), and in a
    game in which players place pieces, those that were placed count as well.
    """
    game = history.game
    versus = game.players == 2 and game.constant_sum
    if not versus or game.stochastic or game.simultaneous or not history.actions:
        return ""
    first, last = game.scene(history.states[0]), game.scene(history.state)
    if first is None or last is None:
        return ""
    if {cell.name for cell in first.cells} != {cell.name for cell in last.cells}:
        return ""  # there is no board that stays
    before, now = _pieces(first), _pieces(last)
    if any(placed := _placed(history)):
        before, now = ([Counter({"": sum(one.values())}) for one in pieces] for pieces in (before, now))
        for player, count in enumerate(placed):
            before[player][""] += count
    words = []
    for taker in (0, 1):
        loser = 1 - taker
        left = Counter(before[loser])
        new = now[loser] - left
        left.subtract(now[loser])
        if sum(left.values()) < 0:
            return ""  # pieces change sides here
        for kind, count in new.items():  # promoted: as many of the most common kind are not taken
            left[kind] += count
            left[before[loser].most_common(1)[0][0]] -= count
        if taken := _named(+left):
            words.append(f"{game.player_name(taker)} has taken {taken}")
    return "; ".join(words)


def _pieces(scene: Scene) -> Pieces:
    owned = [piece for piece in scene.pieces if piece.look in ("disc", "king", "sign")]
    return [Counter(piece.text for piece in owned if piece.player == player) for player in (0, 1)]


def _placed(history: History) -> list[int]:
    """How many pieces each player has placed, if that is what moves do here."""
    game = history.game
    mover = game.to_move(history.states[-2])
    first, last = (game.scene(state) for state in history.states[-2:])
    if mover not in (0, 1) or first is None or last is None:
        return [0, 0]
    more = _pieces(last)[mover].total() - _pieces(first)[mover].total()
    if more != (0 if _is_pass(history, -1) else 1):
        return [0, 0]
    movers = [game.to_move(state) for state in history.states[:-1]]
    made = [mover for number, mover in enumerate(movers) if not _is_pass(history, number)]
    return [made.count(0), made.count(1)]


def _is_pass(history: History, number: int) -> bool:
    number %= len(history.actions)
    return not history.game.move_squares(history.states[number], history.actions[number])


def _named(pieces: Counter[str]) -> str:
    signs = "".join(kind * count for kind, count in pieces.items() if kind)
    bare = pieces.get("", 0)
    count = f"{bare} piece{'' if bare == 1 else 's'}" if bare else ""
    return " and ".join(filter(None, [signs, count]))
