"""The list of games, and the description of one."""

from __future__ import annotations

import inspect
from typing import NamedTuple

from plies.errors import PliesError
from plies.gallery import EXAMPLES, PREFIX, example
from plies.game import CHANCE, Game
from plies.registry import game, game_class, game_names
from plies.terminal.screen import Screen

MOVES_SHOWN = 12


class Entry(NamedTuple):
    """A game in the table."""

    name: str
    players: str
    dice: str
    parameters: str
    description: str


def show_games(screen: Screen) -> None:
    """All installed games, a row each."""
    entries = [_entry(name) for name in game_names()]
    if screen.plain:
        for entry in entries:
            parameters = f" Parameters: {entry.parameters}." if entry.parameters else ""
            dice = ", dice" if entry.dice == "yes" else ""
            players = f"{entry.players} player{'' if entry.players == '1' else 's'}"
            screen.show(f"{entry.name} ({players}{dice}): {entry.description}{parameters}")
    else:
        rows = [(e.name, e.players, e.dice, f"{e.description}\n{e.parameters}".strip()) for e in entries]
        screen.table(("Game", "Players", "Dice", "Description and parameters"), rows)
    screen.show("\nTrees of the lectures, which stand wherever a game can:")
    _show_examples(screen)
    screen.show("\nFor the rules: plies games NAME. To play: plies play NAME.")


def _show_examples(screen: Screen) -> None:
    """The trees of the gallery, a row each."""
    rows = [(f"{PREFIX}{one.name}", one.algorithm, one.title) for one in EXAMPLES.values()]
    if screen.plain:
        for name, algorithm, title in rows:
            screen.show(f"{name} ({algorithm}): {title}.")
    else:
        screen.table(("Tree", "Algorithm", "Title"), rows)


def _entry(name: str) -> Entry:
    try:
        cls = game_class(name)
        instance = game(name)
    except PliesError as error:  # a game that is badly installed does not hide the others
        return Entry(name, "?", "?", "", str(error))
    description = (inspect.getdoc(cls) or "").split("\n")[0].split(". ")[0].split(";")[0].rstrip(".")
    dice = "yes" if instance.stochastic else "no"
    return Entry(name, str(instance.players), dice, ", ".join(_parameters(cls)), f"{description}.")


def show_game(screen: Screen, name: str) -> None:
    """The rules and parameters of a game, and the notation of its moves and positions."""
    cls = game_class(name)
    instance = game(name)
    players = " against ".join(instance.player_name(player) for player in range(instance.players))
    screen.say(name, "bold")
    screen.say(cls.rules or "The game has no description of its rules.")
    screen.say(f"\nPlayers: {players}" + (", and chance" if instance.stochastic else ""))
    screen.say(f"Parameters: {', '.join(_parameters(cls)) or 'none'}")
    state = instance.initial()
    if instance.is_terminal(state):
        return
    if instance.to_move(state) != CHANCE:
        names = [instance.notation(state, action) for action in instance.actions(state)]
        more = ", …" if len(names) > MOVES_SHOWN else ""
        screen.say(f"Moves at the start: {', '.join(names[:MOVES_SHOWN])}{more}")
    if instance.has("position"):
        screen.say(f"Position at the start: {instance.position(state)}")
    screen.board(instance, state)
    screen.say(f"plies play {name}")


def show_example(screen: Screen, name: str) -> None:
    """A tree of the gallery: what it is, what it is about, and how it looks."""
    named = example(name)
    instance = game(named.game, **named.parameters)
    screen.say(f"{PREFIX}{named.name}", "bold")
    screen.say(f"{named.title}.")
    screen.say(f"Lecture: {', '.join(map(str, named.lectures))}. Algorithm: {named.algorithm}.")
    state = instance.parse_position(named.position) if named.position else instance.initial()
    screen.board(instance, state)
    screen.say(f"plies trace {PREFIX}{named.name}")


def _parameters(cls: type[Game]) -> list[str]:
    """The parameters with their defaults, as they are typed."""
    written = []
    for parameter in inspect.signature(cls).parameters.values():
        default = parameter.default
        if default is parameter.empty or default is None:
            written.append(f"{parameter.name}=…")
        elif isinstance(default, tuple):
            written.append(f"{parameter.name}={','.join(map(str, default))}")
        else:
            written.append(f"{parameter.name}={str(default).replace(' ', '')}")
    return written
