"""UCI's `go`: its words, and the search that they ask for."""

from __future__ import annotations

from plies.engine.time_manager import LEAST, Clock
from plies.errors import BadParameter, IllegalMove, PliesError
from plies.history import History
from plies.protocols.moves import parse_move
from plies.protocols.thinking import Request

CLOCKS = (("wtime", "winc"), ("btime", "binc"))
"""The words for each player's clock and increment in UCI."""

UGI_CLOCKS = (("p1time", "p1inc"), ("p2time", "p2inc"))
"""The words for each player's clock and increment in UGI."""

FLAGS = ("infinite", "ponder")

NUMBERS = (
    *(word for clocks in (CLOCKS, UGI_CLOCKS) for words in clocks for word in words),
    *("movestogo", "movetime", "depth", "nodes", "mate", "perft"),
)

LONGEST = 10**9
"""The greatest number that is read, in milliseconds eleven days; a greater one counts as this."""


def parse_go(history: History, words: list[str]) -> tuple[Request, int | None]:
    """The search that the words after `go` ask for, and the depth of `go perft`, if that is asked for.

    Unknown words are ignored, as UCI wants it.
    """
    numbers: dict[str, int] = {}
    flags = set()
    moves: list[str] | None = None
    waiting = ""
    for word in words:
        if word in (*FLAGS, *NUMBERS, "searchmoves"):
            waiting = word
            if word in FLAGS:
                flags.add(word)
            if word == "searchmoves":
                moves = []
        elif waiting == "searchmoves" and moves is not None:
            moves.append(word)
        elif waiting in NUMBERS:
            numbers[waiting] = _number(waiting, word)
            waiting = ""
    request = Request(
        clock=_clock(history, numbers),
        seconds=max(LEAST, numbers["movetime"] / 1000) if "movetime" in numbers else None,
        depth=_positive(numbers, "depth"),
        nodes=_positive(numbers, "nodes"),
        mate=2 * numbers["mate"] - 1 if numbers.get("mate", 0) > 0 else None,
        infinite="infinite" in flags,
        ponder="ponder" in flags,
        actions=None if moves is None else _actions(history, moves),
    )
    return request, numbers.get("perft")


def _number(name: str, word: str) -> int:
    try:
        if len(word) <= 40:
            return max(-LONGEST, min(LONGEST, int(word)))
    except ValueError:
        pass
    raise BadParameter(f"{name} must be a whole number, not {word[:40]!r}")


def _positive(numbers: dict[str, int], name: str) -> int | None:
    return max(1, numbers[name]) if name in numbers else None


def _clock(history: History, numbers: dict[str, int]) -> Clock | None:
    """The clock of the player to move; None if none was given."""
    if history.over:
        return None
    player = history.game.to_move(history.state)
    for time, increment in (CLOCKS[player], UGI_CLOCKS[player]):
        if time in numbers:
            return Clock(
                max(0, numbers[time]) / 1000,
                max(0, numbers.get(increment, 0)) / 1000,
                numbers.get("movestogo") or None,
            )
    return None


def _actions(history: History, moves: list[str]) -> list[object] | None:
    """The actions of `searchmoves`; None if none of them can be read."""
    found = []
    for move in moves:
        try:
            found.append(parse_move(history.game, history.state, move))
        except IllegalMove:
            continue
    legal = history.legal()
    found = [action for action in found if action in legal]
    if moves and not found:
        raise PliesError("none of the moves of searchmoves is legal here")
    return found or None
