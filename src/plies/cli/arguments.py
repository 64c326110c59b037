"""Arguments and options that several commands share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plies.errors import BadParameter, PliesError
from plies.gallery import EXAMPLES, PREFIX, example
from plies.game import Game, State
from plies.registry import game as make_game
from plies.registry import game_class, game_names, own_game, parse_parameters

if TYPE_CHECKING:
    from plies.work.run import Where

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game's name, slides:NAME for a tree of the lectures, openspiel:NAME for a game of OpenSpiel, "
        "or path/to/file.py:ClassName.",
    ),
]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION|PARAM=VALUE", help="A position (default: the start) and the game's parameters."
    ),
]
Parameters = Annotated[list[str] | None, typer.Argument(metavar="PARAM=VALUE", help="The game's parameters.")]
Plain = Annotated[
    bool, typer.Option("--plain", help="No colour, boxes or animation (the default when piped).")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Position = Annotated[
    str, typer.Option(metavar="POSITION", help="The position to start from.", show_default=False)
]
PlotFile = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE.svg", help="Plot the result (needs Matplotlib: pip install 'plies[plots]')."
    ),
]
Option = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="An option of the algorithm; may be repeated. {options}"),
]
PlayerOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option for every player that has it, unless its own words say otherwise; may be repeated. "
        "{options}",
    ),
]
NetworkFile = Annotated[
    Path | None,
    typer.Option(
        "--network", metavar="FILE.npz", help="Evaluate positions by a network, as plies train saves them."
    ),
]
Seed = Annotated[int | None, typer.Option(help="Seed for dice and random players.")]
Jobs = Annotated[
    int,
    typer.Option(
        metavar="NUMBER", help="Parts done at once, each in a process of its own; 0 is one for every core."
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Use a Ray cluster: its address, auto for the one that this machine belongs to, or local to "
        "start one here (needs Ray: pip install 'plies[ray]').",
    ),
]
Shard = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBER/COUNT",
        help="Do only a part of the work, such as 3/64, and keep it in the --units file; see plies merge.",
    ),
]
UnitsFile = Annotated[
    Path | None,
    typer.Option(
        "--units",
        metavar="FILE.db",
        help="Keep every result in this SQLite file as soon as it is known; what is in it is not done again.",
    ),
]


def game_name(text: str) -> str:
    """The name of a game as the registry has it; case, spaces, - and _ do not matter."""
    text = text.strip()
    if re.search(r"\.py(:|$)", text) or own_game(text):
        return text
    wanted = re.sub(r"[\s_-]+", "", text).casefold()
    names = (*game_names(), *(f"{PREFIX}{name}" for name in EXAMPLES))
    return next((name for name in names if name.replace("-", "") == wanted), text)


def game_of(name: str, words: list[str]) -> Game:
    """The game of a name, with its parameters."""
    name = game_name(name)
    parameters = parse_parameters(game_class(name), [word.strip() for word in words])
    return make_game(name, **parameters)


def game_and_position(name: str, words: list[str], position: str) -> tuple[Game, str]:
    """A game, and where to begin: at the position given, or the one that the name stands for, if any."""
    name = game_name(name)
    if name.startswith(PREFIX) and example(name).position:
        name, position = example(name).game, position or example(name).position
    return game_of(name, words), position


def game_and_state(name: str, words: list[str]) -> tuple[Game, State]:
    """A game and a position, from words that are parameters of the game or parts of the position."""
    given = " ".join(word for word in words if "=" not in word).strip()
    game, position = game_and_position(name, [word for word in words if "=" in word], given)
    return game, game.parse_position(position) if position else game.initial()


def with_options(players: str, options: list[str] | None, game: Game) -> str:
    """Players separated by commas, each with the options of `--option` that it takes."""
    from plies.engine.arguments import options_of, shared
    from plies.protocols.words import split_outside_quotes

    if not options:
        return players
    names = split_outside_quotes(players, ",")
    names += ["engine"] * (game.players - len(names))  # which takes the seats left over
    return ",".join(shared(names, options, [options_of(name, game) for name in names]))


def network_option(network: Path | None, options: list[str] | None) -> list[str] | None:
    """The words of `--option`, with that of `--network`, for all players that search."""
    return options if network is None else [*(options or []), f"network={network}"]


def use_network(game: Game, network: Path | None, algorithm: str | None = None) -> None:
    """Have all searches of a game evaluate by the network of `--network`; refuse one that does not fit."""
    if network is None:
        return
    from plies.engine.algorithms import ENGINE, algorithm_for
    from plies.engine.algorithms import algorithm as algorithm_of
    from plies.network import load_network

    load_network(network).check(game)
    name = algorithm_for(game, network=str(network)) if algorithm in (None, ENGINE) else algorithm
    if "network" not in algorithm_of(str(name)).takes:
        raise BadParameter(f"{name} takes no network: leave out --network")
    game.network_file = str(network.absolute())


def checked_time(seconds: float) -> float:
    """The seconds of `--time`, or an error."""
    from plies.engine.limit import LONGEST_THOUGHT

    if not 0 < seconds <= LONGEST_THOUGHT:  # false for nan, too
        raise BadParameter(
            f"--time must be more than 0 and at most {LONGEST_THOUGHT:,.0f} seconds, not {seconds:g}"
        )
    return seconds


def check_folder(file: Path) -> None:
    """Refuse a file whose folder does not exist, before anybody waits for what goes into it."""
    if not file.parent.is_dir():
        raise PliesError(f"{str(file)!r} cannot be written: there is no folder {str(file.parent)!r}")


def where_of(jobs: int, ray: str | None, shard: str | None, units: Path | None) -> Where:
    """Where the units of a command are done."""
    from plies.work.run import Where

    if units is not None:
        check_folder(units)
    return Where(jobs, ray, shard, units)
