"""Players other than people: the algorithms that suit a game, each with its levels of strength."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from plies.engine import Limit, Search, SearchResult, Value, algorithms_for, engine_for
from plies.engine.algorithms import ENGINE, Algorithm
from plies.engine.job import Job
from plies.engine.level_search import LevelSearch
from plies.errors import BadParameter
from plies.game import Game
from plies.levels import CLOCK, has_levels, levels_of
from plies.levels import Level as Strength
from plies.models import POLICIES
from plies.needs import Needs
from plies.players import Player
from plies.protocols.player import ExternalPlayer
from plies.protocols.words import is_external, parse_external
from plies.simple_players import ByPolicy, Random, Reflex

MEMORY = 16.0
"""The megabytes of a searcher's table or tree. Not tuned."""

LONGEST_MOVE = 10.0
"""The most seconds for a move, at any level. Not tuned."""

LONGEST_PROGRAM_NAME = 40
"""The most characters of the name of a program. Not tuned."""

AT_ONCE = Limit(LONGEST_MOVE)
"""For players who need no limit."""


@dataclass(frozen=True)
class Level:
    """What a player may be told to do: the limit of its search, and another search, if it takes one."""

    name: str
    label: str
    limit: Limit = AT_ONCE
    make: Callable[[Game], Search] | None = None


SHORT = 2.0
"""The most seconds at levels by depth or simulations, for slow games. Not tuned."""

STEERED = 0.1
"""The most seconds at levels by depth in a game that is steered, so that a held key flows. Not tuned."""

TIMES = (
    Level("4", "4 · ¼ second", Limit(0.25)),
    Level("5", "5 · 1 second", Limit(1.0)),
    Level("6", "6 · 5 seconds", Limit(5.0)),
)
DEPTH_LEVELS = (
    Level("1", "1 · 1 ply", Limit(SHORT, depth=1)),
    Level("2", "2 · 2 plies", Limit(SHORT, depth=2)),
    Level("3", "3 · 4 plies", Limit(SHORT, depth=4)),
    *TIMES,
)
ROUNDS = (
    Level("1", "one round ahead", Limit(LONGEST_MOVE, depth=1)),
    Level("2", "two rounds ahead", Limit(LONGEST_MOVE, depth=2)),
)
LEVELS = {"depth-first": TIMES, "expectimax": ROUNDS}
"""The levels of algorithms whose limits do not show which suit them."""

SIMULATIONS = (
    Level("100", "100 simulations", Limit(LONGEST_MOVE, nodes=100)),
    Level("1000", "1,000 simulations", Limit(LONGEST_MOVE, nodes=1_000)),
    Level("10000", "10,000 simulations", Limit(LONGEST_MOVE, nodes=10_000)),
    Level("1s", "1 second", Limit(1.0)),
    Level("5s", "5 seconds", Limit(5.0)),
)
DEPTHS = tuple(
    Level(str(depth), f"depth {depth}", Limit(LONGEST_MOVE, depth=depth)) for depth in (1, 2, 3, 4, 6)
)
ONLY = (Level("", "as it is"),)
WHOLE = (Level("", "as it is", Limit(0.01)),)
"""For programs, whose limit is in their words: their searches are not divided into slices."""

NO_PROGRAMS: Mapping[str, ExternalPlayer] = {}


@dataclass(frozen=True)
class PlayerKind:
    """A kind of player: its name in a message, what people read, and the levels it has."""

    name: str
    label: str
    levels: tuple[Level, ...]
    make: Callable[[Game], Search]
    algorithm: str = ""
    """Its name in lists of algorithms, if another."""
    group: str = "Engine"
    """Its heading in a list."""
    analyses: bool = True
    """Whether it evaluates positions, or only plays moves."""

    limit: Limit = AT_ONCE
    """The limit of a move, once a level is chosen."""

    def at(self, name: str) -> PlayerKind:
        """This kind of player at a level."""
        level = self.level(name)
        own = f"{self.name} {level.name}" if level.make else self.name
        return replace(self, name=own, make=level.make or self.make, limit=level.limit)

    def level(self, name: str) -> Level:
        """The level of that name, the middle one if there is no name."""
        if not name:
            return self.levels[len(self.levels) // 2]
        for level in self.levels:
            if level.name == name:
                return level
        raise BadParameter(f"{self.label} has no level {name[:20]!r}")

    def default(self) -> str:
        """The level that is chosen at first."""
        return self.level("").name


def kinds(game: Game, programs: Mapping[str, ExternalPlayer] = NO_PROGRAMS) -> list[PlayerKind]:
    """The kinds of players that suit a game, the engine first.

    `programs` are those that the server was started with, by the names that people read.
    """
    served = algorithms_for(game)
    found = []
    for best in served[:1]:
        levels = _measured(game) if has_levels(game) else DEPTH_LEVELS if best.book else _levels(best)
        levels = tuple(map(_flowing, levels)) if game.steered else levels
        found.append(PlayerKind(ENGINE, "Engine", levels, _search(best), best.label))
    for one in served[1:]:
        if one.name == "max-n" and game.players == 1:
            continue
        group = "Book" if one.book else "Engine"
        found.append(PlayerKind(one.name, one.label, _levels(one), _search(one), group=group))
    simple: dict[str, tuple[str, Callable[[], Player]]] = {
        "reflex": ("Reflex", Reflex),
        **{
            name: (f"{name} policy", partial(ByPolicy, name))
            for name in sorted({*POLICIES, *game.policies} - {"uniform"})
        },
        "random": ("Random", Random),
    }
    for name, (label, make) in simple.items():
        if game.simultaneous and name != "random":
            continue  # they look at what follows a move of their own
        found.append(PlayerKind(name, label, ONLY, _simple(make), group="Simple", analyses=False))
    for name, program in programs.items():
        if program.serves(game):
            own = PlayerKind(f"program:{name}", name, WHOLE, _simple(program.another), group="Program")
            found.append(replace(own, analyses=False))
    return found


def kind_named(game: Game, name: str, programs: Mapping[str, ExternalPlayer] = NO_PROGRAMS) -> PlayerKind:
    """The kind of player that goes by a name in a message; "" is the engine."""
    for kind in kinds(game, programs):
        if kind.name == (name or "engine"):
            return kind
    raise BadParameter(f"{game.name} has no player {name[:40]!r}")


def read_programs(words: Sequence[str]) -> dict[str, ExternalPlayer]:
    """Programs by name, from words such as "Stockfish=uci:stockfish:1"."""
    programs: dict[str, ExternalPlayer] = {}
    for word in words:
        name, equals, player = (part.strip() for part in word.partition("="))
        if not (equals and name and is_external(player)):
            raise BadParameter(f"a program for the page is written NAME=uci:PROGRAM, not {word[:40]!r}")
        if len(name) > LONGEST_PROGRAM_NAME or not name.isprintable() or name in programs:
            raise BadParameter(f"the name {name[:40]!r} is too long, not printable, or taken")
        programs[name] = program = parse_external(player)
        if (program.limit.time or LONGEST_MOVE) > LONGEST_MOVE:
            raise BadParameter(f"a program on the page may have at most {LONGEST_MOVE:g} seconds for a move")
        program.limit = replace(program.limit, time=program.limit.time or LONGEST_MOVE)
    return programs


# -- How they are made.


def _levels(one: Algorithm) -> tuple[Level, ...]:
    if one.book:
        return DEPTHS
    if "simulations" in one.limits:
        return SIMULATIONS
    return LEVELS.get(one.name, DEPTH_LEVELS if "depth" in one.limits else TIMES)


def _flowing(level: Level) -> Level:
    """A level that keeps up with a held key, unless it goes by the clock."""
    return level if level.limit.depth is None else replace(level, limit=replace(level.limit, time=STEERED))


def _measured(game: Game) -> tuple[Level, ...]:
    """The levels of a game, which go by nodes; the highest goes by the clock."""
    return tuple(
        Level(str(one.number), one.label, Limit(CLOCK))
        if one.nodes is None
        else Level(str(one.number), one.label, Limit(LONGEST_MOVE), partial(_at_level, one))
        for one in levels_of(game).all
    )


def _at_level(level: Strength, game: Game) -> Search:
    return LevelSearch(game, level)


def _search(one: Algorithm) -> Callable[[Game], Search]:
    memory: dict[str, Any] = {"memory": MEMORY} if "memory" in one.takes else {}
    return lambda game: engine_for(game, one.name, **memory)


def _simple(make: Callable[[], Player]) -> Callable[[Game], Search]:
    return lambda game: _Simple(game, make())


class _Simple(Search):
    """A player that decides at once, as a search."""

    def __init__(self, game: Game, player: Player) -> None:
        self.algorithm = player.name  # type: ignore[misc]
        self.needs = Needs(simultaneous=game.simultaneous)  # type: ignore[misc]  # the player refuses, if it must
        super().__init__(game)
        self.player = player
        player.prepare(game)

    def _begin(self, job: Job) -> None:
        self._action = self.player.choose(self.game, job.state, job.previous)

    def _explore(self, job: Job) -> Iterator[None]:
        yield

    def _result(self, job: Job) -> SearchResult:
        action = self._action
        return SearchResult(action, Value(0.0), [action], 0, 1, 0.0, algorithm=self.algorithm)
