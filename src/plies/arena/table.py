"""The table at which a match is played: one game after another, each by its number and the seed alone."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from plies.arena.clock import GameClock, TimeControl
from plies.arena.openings import Opening, Openings, thrown
from plies.arena.result import ABANDONED, ADJUDICATION, NORMAL, TIME_FORFEIT, MatchGame
from plies.engine import SearchResult
from plies.engine.interrupts import Interrupts
from plies.engine.value import AT_LEAST, EXACT, Value
from plies.errors import BadParameter, Forfeit
from plies.game import CHANCE, SIMULTANEOUS, Action, Game
from plies.history import LONGEST_GAME, History
from plies.needs import Needs
from plies.players import EnginePlayer, Player, chosen_at_once, parse_player
from plies.simple_players import Human

Maker = Callable[[int], Player]
"""A function that makes a player for one game, from a seed."""


@dataclass(frozen=True)
class Conditions:
    """What holds for every game of a match."""

    seed: int = 0
    openings: Openings = field(default_factory=Openings)
    ponder: bool = False
    """Whether engines think on the opponent's time."""
    clock: TimeControl | None = None
    resign: tuple[float, int] | None = None
    """So far behind, in units of the game, for so many moves in a row, a player resigns."""
    adjudicate: bool = False
    """Whether a game ends as soon as a search has proved its value."""
    plies: int = LONGEST_GAME
    """The moves after which a game is drawn, with opening and dice."""

    def check(self, game: Game) -> None:
        """Refuse what cannot be, or does not suit the game."""
        if not 1 <= self.plies <= LONGEST_GAME:
            raise BadParameter(f"plies must be between 1 and {LONGEST_GAME:,}, not {self.plies}")
        if self.resign is not None:
            score, moves = self.resign
            if not (0 < score < 1e9 and 1 <= moves <= 1_000):  # false for nan, too
                raise BadParameter(
                    f"resigning takes a score above 0 and 1 to 1,000 moves, such as 6 and 3, "
                    f"not {score:g} and {moves}"
                )
            Needs(players=2, zero_sum=True, simultaneous=game.simultaneous).check(game, "resigning")
        if self.clock is not None and game.simultaneous:
            raise BadParameter(f"a clock is for players who move in turn, and in {game.name} they do not")
        if self.adjudicate:
            Needs(players=2, zero_sum=True, deterministic=True).check(game, "adjudication by proof")

    def facts(self) -> dict[str, Any]:
        """What a resumed match must have in common with the first part of it, as JSON."""
        return {
            "seed": self.seed,
            "openings": self.openings.facts,
            "clock": None if self.clock is None else str(self.clock),
            "resign": None if self.resign is None else list(self.resign),
            "adjudicate": self.adjudicate,
            "plies": self.plies,
        }

    def as_data(self) -> dict[str, Any]:
        """All of it as JSON, for other processes."""
        return {
            **self.facts(),
            "ponder": self.ponder,
            "openings": {**vars(self.openings), "lines": [list(line) for line in self.openings.lines]},
        }

    @classmethod
    def of_data(cls, data: dict[str, Any], given: list[Any]) -> Conditions:
        """The conditions of their JSON, and the openings of theirs."""
        lines = tuple(Opening(position, tuple(moves)) for position, moves in given)
        resign, clock = data["resign"], data["clock"]
        return cls(
            **{**data, "openings": Openings(**{**data["openings"], "lines": lines})}
            | {
                "clock": None if clock is None else TimeControl.parse(clock),
                "resign": None if resign is None else (resign[0], resign[1]),
            }
        )


class Verdict(NamedTuple):
    """How a game ended that the rules did not end."""

    winner: int | None
    """The seat of the winner; None: a draw."""
    reason: str
    termination: str


class Played(NamedTuple):
    """A game, and what each player of the match pondered in it."""

    game: MatchGame
    ponder: list[tuple[int, int]]
    """By player: how often the reply that it pondered was played, and how often it pondered one."""


def maker(player: str | Maker, game: Game) -> Maker:
    """What makes a player for each game, of words or of a function."""
    if callable(player):
        return player
    if isinstance(parse_player(player, game=game), Human):
        raise BadParameter("a match is for players who are not human; use `plies play` for people")
    return lambda seed: parse_player(player, seed, game)


def prepared(makers: Sequence[Maker], game: Game) -> None:
    """Have players compiled, or refused, before the first game."""
    for make in makers:
        player = make(0)
        try:
            player.prepare(game)
        finally:
            leave(player)


def leave(player: Player) -> None:
    """The game is over: no player thinks on, and programs may end."""
    for name in ("stop", "close"):
        if callable(end := getattr(player, name, None)):
            end()


class Table:
    """Plays the games of a match."""

    def __init__(
        self, game: Game, makers: Sequence[Maker], conditions: Conditions, interrupts: Interrupts
    ) -> None:
        self.game, self.makers, self.conditions, self.interrupts = game, makers, conditions, interrupts

    def play(self, number: int) -> Played:
        """Play the game of that number; it is reproducible by its seed, if the players are."""
        seed = self.conditions.seed
        position, history = self.conditions.openings.start(self.game, number // 2, seed)
        chance = random.Random(f"{seed} dice {number // 2}")
        seeds = random.Random(f"{seed} players {number}")
        opening = len(history.actions)
        first = number % 2
        seats = [make(seeds.getrandbits(32)) for make in self.makers]
        if first == 1:
            seats.reverse()
        course = _Course(self.game, self.conditions, history, seats, chance)
        try:
            verdict = course.run(self.interrupts)
        finally:
            for player in seats:
                leave(player)
        moves = list(map(self.game.notation, history.states, history.actions))
        score = _score(history, verdict, first)
        reason, termination = (history.reason, NORMAL) if verdict is None else verdict[1:]
        notes = (_or_nothing(course.values), _or_nothing(course.depths), course.seconds)
        played = MatchGame(number, first, score, opening, moves, reason, termination, position, *notes)
        return Played(played, course.ponder[:: -1 if first else 1])


class _Course:
    """One game in progress."""

    def __init__(
        self,
        game: Game,
        conditions: Conditions,
        history: History,
        seats: Sequence[Player],
        chance: random.Random,
    ) -> None:
        self.game, self.conditions, self.history, self.seats = game, conditions, history, seats
        self.chance = chance
        control = conditions.clock
        self.clocks = None if control is None else [GameClock(control) for _ in seats]
        unknown = [None] * len(history.actions)  # of the opening
        self.values: list[float | str | None] = [*unknown]
        self.depths: list[int | None] = [*unknown]
        self.seconds: list[float | None] = [*unknown]
        self.ponder = [(0, 0), (0, 0)]
        """By seat."""
        self._behind = [0, 0]
        """By seat: for how many moves in a row it might have resigned."""
        self._asked = 0
        """The seat of the player who is asked for a move."""

    def run(self, interrupts: Interrupts) -> Verdict | None:
        """Play to the end; None if the rules ended it."""
        if self.clocks is not None:
            for seat, player in enumerate(self.seats):  # before the clocks run
                try:
                    player.prepare(self.game)
                except Forfeit as error:
                    return self._lost(seat, f"forfeits: {error}", ABANDONED)
        expected: tuple[int, Action] | None = None  # by whom, and what
        while not self.history.over:
            if len(self.history.actions) >= self.conditions.plies:
                return Verdict(None, f"drawn after {self.conditions.plies:,} plies", ADJUDICATION)
            mover = self.game.to_move(self.history.state)
            if mover == CHANCE:
                self._note(None, None)
                self.history.play(thrown(self.history, self.chance))
                continue
            begun = time.perf_counter()
            try:
                action = self._chosen(mover)
            except Forfeit as error:
                return self._lost(self._asked, f"forfeits: {error}", ABANDONED)
            seconds = time.perf_counter() - begun
            if interrupts.noticed:  # a player that Ctrl-C makes move does not report it
                raise KeyboardInterrupt
            if self.clocks is not None and not self.clocks[mover].spend(seconds):
                return self._lost(mover, "loses on time", TIME_FORFEIT)
            if expected is not None and mover != expected[0]:
                hits, tries = self.ponder[expected[0]]
                self.ponder[expected[0]] = hits + (action == expected[1]), tries + 1
            found: SearchResult | None = getattr(self.seats[mover], "last", None) if mover >= 0 else None
            if found is not None and self._resigns(mover, found.value):
                return self._lost(mover, "resigns", NORMAL)
            self._note(found, seconds)
            self.history.play(action)
            if found is not None and not self.history.over and (verdict := self._proved(mover, found.value)):
                return verdict
            expected = self._ponder(mover)
        return None

    def _chosen(self, mover: int) -> Action:
        """The action of the player to move, who is told the clocks if they matter to it."""
        history, choices = self.history, []
        if mover == SIMULTANEOUS:
            for seat, player in enumerate(self.seats):
                self._asked = seat
                choices.append(chosen_at_once(player, self.game, history.state, seat))
            return tuple(choices)
        self._asked = mover
        on_clock = getattr(self.seats[mover], "choose_on_clock", None)
        if self.clocks is None or on_clock is None:
            return self.seats[mover].choose(self.game, history.state, history.previous)
        return on_clock(self.game, history.state, history.previous, [clock.now for clock in self.clocks])

    def _note(self, found: SearchResult | None, seconds: float | None) -> None:
        """Note what a player found, and how long it took."""
        value: float | str | None = None
        if found is not None:
            known = found.value.proved and not found.value.mean
            value = str(found.value) if known else round(found.value.lead / self.game.unit, 4)
        self.values.append(value)
        self.depths.append(None if found is None else found.depth)
        self.seconds.append(None if seconds is None else round(seconds, 3))

    def _resigns(self, mover: int, value: Value) -> bool:
        """Whether a player has been so far behind for so long that it resigns."""
        if self.conditions.resign is None:
            return False
        score, moves = self.conditions.resign
        lost = value.lead / self.game.unit <= -score
        if value.proved:  # with dice, or moves at once, the value is a mean: only the least one is a loss
            mean = self.game.stochastic or value.mean
            lost = lost or (value.utility <= self.game.bounds[0] if mean else value.lead < 0)
        lost = lost and value.bound != AT_LEAST
        self._behind[mover] = self._behind[mover] + 1 if lost else 0
        return self._behind[mover] >= moves

    def _proved(self, mover: int, value: Value) -> Verdict | None:
        """The verdict on a game whose value the player who has moved has proved."""
        if not (self.conditions.adjudicate and value.proved and value.bound == EXACT):
            return None
        winner = None if value.lead == 0 else mover if value.lead > 0 else 1 - mover
        reason = f"adjudicated: {self.game.player_name(mover)} has proved a {value}"
        return Verdict(winner, reason, ADJUDICATION)

    def _lost(self, seat: int, how: str, termination: str) -> Verdict:
        return Verdict(1 - seat, f"{self.game.player_name(seat)} {how}", termination)

    def _ponder(self, mover: int) -> tuple[int, Action] | None:
        """Let the player who has moved think on the opponent's time: who does, and what it expects."""
        if not self.conditions.ponder or self.history.over:
            return None
        player = self.seats[mover] if mover >= 0 else None
        if not isinstance(player, EnginePlayer) or self.game.to_move(self.history.state) == mover:
            return None
        reply = player.ponder(self.game, self.history.state, self.history.previous)
        return None if reply is None else (mover, reply)


def _score(history: History, verdict: Verdict | None, first: int) -> float:
    """The score of the first player of the match, who has the seat `first`."""
    if verdict is not None:
        return 0.5 if verdict.winner is None else float(verdict.winner == first)
    mine, theirs = history.utility(first), history.utility(1 - first)
    return 1.0 if mine > theirs else 0.0 if mine < theirs else 0.5


def _or_nothing(notes: list[Any]) -> list[Any]:
    return notes if any(note is not None for note in notes) else []
