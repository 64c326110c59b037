"""How entries are computed: counts, proofs and traces, as plain data.

The library is imported when one of them runs, so that listing the entries takes no time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plies.registry import game as make_game

if TYPE_CHECKING:
    from plies.book.tracing import Trace
    from plies.engine.solution import Solution
    from plies.game import Game, State

WITHOUT_END = 1 << 60
"""A limit of nodes that no search reaches: one that is limited by nodes alone waits for the compiler."""


def position_of(name: str, position: str, parameters: dict[str, Any]) -> tuple[Game, State]:
    """A game by its name, and a position of it: the start unless given."""
    game = make_game(name, **parameters)
    return game, game.parse_position(position) if position else game.initial()


def lines(name: str, depth: int, position: str = "", **parameters: Any) -> int:
    """The number of move sequences of a length: perft."""
    from plies.engine.perft import perft

    game, state = position_of(name, position, parameters)
    return perft(game, depth, state)


def lines_by_depth(name: str, depth: int, **parameters: Any) -> list[int]:
    """The numbers of move sequences of each length from 1 to a depth."""
    return [lines(name, plies, **parameters) for plies in range(1, depth + 1)]


def following(game: Game, level: set[State]) -> set[State]:
    """The positions one ply after those of a set."""
    return {
        game.result(state, action)
        for state in level
        if not game.is_terminal(state)
        for action in game.actions(state)
    }


def reachable(game: Game) -> set[State]:
    """All positions of a game."""
    found, level = {game.initial()}, {game.initial()}
    while level:
        level = following(game, level) - found
        found |= level
    return found


def levels(game: Game, plies: int) -> list[set[State]]:
    """The positions after 0, 1, … plies."""
    found = [{game.initial()}]
    for _ in range(plies):
        found.append(following(game, found[-1]))
    return found


def solved(
    name: str,
    position: str = "",
    *,
    distance: bool = False,
    algorithm: str = "alpha-beta",
    small: bool = False,
    **parameters: Any,
) -> Solution:
    """The solution of a position.

    A small one is solved interpreted if that is done before the compiler is; for others it is waited for.
    """
    from plies.engine.solve import solve

    game, state = position_of(name, position, parameters)
    nodes = None if small else WITHOUT_END
    return solve(game, state, distance=distance, algorithm=algorithm, nodes=nodes, book="no")


def value(name: str, position: str = "", **parameters: Any) -> int:
    """The proved value of a position to the player to move."""
    utility = solved(name, position, **parameters).value.utility
    return int(utility) if utility == int(utility) else utility  # type: ignore[return-value]


def result(name: str, position: str = "", **parameters: Any) -> str:
    """The proved result of a position for the player to move: win, draw or loss."""
    lead = solved(name, position, **parameters).value.lead
    return "win" if lead > 0 else "loss" if lead < 0 else "draw"


def traced(name: str, algorithm: str, **options: Any) -> Trace:
    """A search of the book in a tree of the gallery, step by step."""
    from plies.book import trace
    from plies.gallery import example

    one = example(name)
    game, state = position_of(one.game, one.position, dict(one.parameters))
    return trace(game, state, algorithm=algorithm, **options)
