"""Words that many commands share: games, positions and options as people type them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from plies.errors import BadParameter
from plies.game import Game, State
from plies.registry import game as make_game
from plies.registry import game_class, game_names, parse_parameters

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game's name, or path/to/file.py:ClassName.", show_default=False),
]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION|PARAM=VALUE",
        help="The position (the start, unless given) and the game's parameters.",
        show_default=False,
    ),
]
Parameters = Annotated[
    list[str] | None,
    typer.Argument(metavar="PARAM=VALUE", help="The game's parameters.", show_default=False),
]
Plain = Annotated[
    bool, typer.Option("--plain", help="No colour, boxes or moving lines. So it is, too, in a pipe.")
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]
Position = Annotated[str, typer.Option(metavar="POSITION", help="Where to begin.", show_default=False)]
PlotFile = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE.svg",
        help="Draw it as a plot (needs Matplotlib: pip install 'plies[plots]').",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None, typer.Option(help="Make dice and random players repeatable.", show_default=False)
]


def known(name: str) -> str:
    """The name of a game as the registry knows it: case, spaces, - and _ are forgiven."""
    name = name.strip()
    if re.search(r"\.py(:|$)", name):
        return name
    wanted = re.sub(r"[\s_-]+", "", name).casefold()
    return next((known for known in game_names() if known.replace("-", "") == wanted), name)


def game_of(name: str, words: list[str]) -> Game:
    name = known(name)
    parameters = parse_parameters(game_class(name), [word.strip() for word in words])
    return make_game(name, **parameters)


def game_and_state(name: str, words: list[str]) -> tuple[Game, State]:
    """The game and the position in words that are either the game's parameters or part of the position."""
    game = game_of(name, [word for word in words if "=" in word])
    position = " ".join(word for word in words if "=" not in word).strip()
    return game, game.parse_position(position) if position else game.initial()


def thought(seconds: float) -> float:
    """How long to search, if that can be."""
    from plies.players import LONGEST_THOUGHT

    if not 0 < seconds <= LONGEST_THOUGHT:
        raise BadParameter(f"--time is more than 0 and up to {LONGEST_THOUGHT:,.0f} seconds, not {seconds:g}")
    return seconds
