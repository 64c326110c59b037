"""Matches: many games between two players, from varied openings, with score and Elo difference.

A match may be saved to a file, a line of JSON for each game, and resumed from there.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from plies.engine.interrupts import Interrupts, noticing_interrupts
from plies.engine.pondering import too_few_cores
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Action, Game
from plies.history import LONGEST_GAME, History
from plies.intervals import wilson
from plies.needs import Needs
from plies.players import EnginePlayer, Human, Player, parse_player, taken

Maker = Callable[[int], Player]
"""A function that makes a player for one game, from a seed."""

ATTEMPTS = 100
"""The random openings tried, if they end the game, before a shorter one is taken. Not tuned."""


class MatchGame(NamedTuple):
    """One game of a match."""

    number: int
    """From 0 on."""
    first: int
    """Which of the two players of the match had the first move: 0 or 1."""
    score: float
    """The score of the first player of the match: 1, 0.5 or 0."""
    opening: int
    """The number of moves of the opening."""
    moves: list[str]
    """All moves in notation, with the opening and rolls of the dice."""
    reason: str = ""
    """How a repetition or superko ended the game; "" if neither did."""


@dataclass
class Match:
    """The games of a match so far, and their statistics, from the first player's side."""

    players: tuple[str, str]
    seed: int
    planned: int
    games: list[MatchGame] = field(default_factory=list)
    ponder: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0), (0, 0)])
    """By player: how often the reply that it pondered was played, and how often it pondered one."""

    @property
    def wins(self) -> int:
        return sum(game.score == 1 for game in self.games)

    @property
    def draws(self) -> int:
        return sum(game.score == 0.5 for game in self.games)

    @property
    def losses(self) -> int:
        return sum(game.score == 0 for game in self.games)

    @property
    def score(self) -> float:
        """The first player's share of the points; a draw is half a point."""
        return sum(game.score for game in self.games) / len(self.games) if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true score lies with 95 % certainty: Wilson's interval.

        Draws make it wider than it need be.
        """
        return wilson(self.score, len(self.games))

    @property
    def elo(self) -> tuple[float, float, float]:
        """The Elo difference that the score stands for, and the ends of its interval."""
        low, high = self.interval
        return elo_difference(self.score), elo_difference(low), elo_difference(high)


def elo_difference(score: float) -> float:
    """The difference in rating at which this score is expected: 400 log10(score / (1 - score))."""
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def match(
    game: Game,
    first: str | Maker,
    second: str | Maker,
    *,
    games: int = 100,
    openings: int = 4,
    seed: int = 0,
    save: Path | None = None,
    resume: bool = False,
    ponder: bool = False,
    tell: Callable[[Match], None] | None = None,
) -> Match:
    """Play games between two players, who swap sides after each.

    Players are words such as "engine:depth=4", or functions that make a player from a seed. Games begin with
    `openings` random moves; each opening is played twice, once from each side. Ctrl-C ends the match with the
    games played so far. `tell` is called before the first game and after each.

    With `save`, every game is written to a file as soon as it is over; with `resume`, the match in that file
    is continued. With `ponder`, engines think on the opponent's time; games then depend on how long the
    opponent takes, and not on the seed alone. It needs a core for each of the two.
    """
    Needs(players=2, simultaneous=game.simultaneous).check(game, "a match")
    if not 1 <= games <= 1_000_000:
        raise BadParameter(f"games must be between 1 and 1,000,000, not {games}")
    if not 0 <= openings <= 1_000:
        raise BadParameter(f"openings must be between 0 and 1,000 random moves, not {openings}")
    makers = [_maker(player, game) for player in (first, second)]
    if ponder:
        _check_ponder([maker(0) for maker in makers])
    names = (_name(first), _name(second))
    result = Match(names, seed, games)
    facts = {"game": repr(game), "players": list(names), "seed": seed, "openings": openings}
    with noticing_interrupts() as interrupts, _Keeper(save, resume, facts) as keeper:
        result.games += keeper.kept[:games]
        try:
            for maker in makers:
                maker(0).prepare(game)  # compiled, or refused, before the first game
            if tell:
                tell(result)
            for number in range(len(result.games), games):
                table = _Table(game, makers, openings, seed, interrupts, result if ponder else None)
                played = table.play(number)
                keeper.keep(played)
                result.games.append(played)
                if tell:
                    tell(result)
        except KeyboardInterrupt:
            pass
    return result


def tally(
    game: Game, players: Sequence[str | Maker], *, games: int = 100, seed: int = 0
) -> list[tuple[float, ...]]:
    """The utilities of all players in each of some games, for any number of players, who keep their seats.

    Players are those of `match`. Every game starts from the initial state; games differ by dice and by
    players that sample. A game that is not over after 10,000 moves raises an error.
    """
    if len(players) != game.players:
        raise BadParameter(f"{game.name} has {game.players} players, not {len(players)}")
    if not 1 <= games <= 1_000_000:
        raise BadParameter(f"games must be between 1 and 1,000,000, not {games}")
    makers = [_maker(player, game) for player in players]
    for maker in makers:
        maker(0).prepare(game)
    payoffs = []
    for number in range(games):
        chance = random.Random(f"{seed} dice {number}")
        seeds = random.Random(f"{seed} players {number}")
        seats = [maker(seeds.getrandbits(32)) for maker in makers]
        history = History(game)
        while not history.over:
            if len(history.actions) >= LONGEST_GAME:
                raise PliesError(f"game {number} is not over after {LONGEST_GAME:,} moves")
            if game.to_move(history.state) == CHANCE:
                history.play(_thrown(history, chance))
            else:
                history.play(taken(seats, game, history.state, history.previous))
        payoffs.append(tuple(history.utility(player) for player in range(game.players)))
    return payoffs


class _Table:
    """Plays the games of a match."""

    def __init__(
        self,
        game: Game,
        makers: Sequence[Maker],
        openings: int,
        seed: int,
        interrupts: Interrupts,
        pondering: Match | None = None,
    ) -> None:
        """With `pondering`, engines think on the opponent's time, and that match counts the hits."""
        self.game, self.makers, self.openings, self.seed = game, makers, openings, seed
        self.interrupts, self.pondering = interrupts, pondering

    def play(self, number: int) -> MatchGame:
        """Play the game of that number; it is reproducible by its seed, if the players are."""
        history = self._opening(random.Random(f"{self.seed} opening {number // 2}"))
        chance = random.Random(f"{self.seed} dice {number // 2}")
        seeds = random.Random(f"{self.seed} players {number}")
        opening = len(history.actions)
        first = number % 2
        seats = [maker(seeds.getrandbits(32)) for maker in self.makers]
        if first == 1:
            seats.reverse()
        try:
            self._play_on(history, seats, chance, first)
        finally:
            for player in seats:
                if isinstance(player, EnginePlayer):
                    player.stop()
        moves = list(map(self.game.notation, history.states, history.actions))
        return MatchGame(number, first, _score(history, first), opening, moves, history.reason)

    def _play_on(self, history: History, seats: list[Player], chance: random.Random, first: int) -> None:
        """Play to the end; `first` is which player of the match sits in the first seat."""
        expected: tuple[int, Action] | None = None  # by whom, and what
        while not history.over and len(history.actions) < LONGEST_GAME:
            mover = self.game.to_move(history.state)
            if mover == CHANCE:
                history.play(_thrown(history, chance))
                continue
            action = taken(seats, self.game, history.state, history.previous)
            if expected is not None and self.pondering is not None and mover != expected[0]:
                whose = expected[0] ^ first
                hits, tries = self.pondering.ponder[whose]
                self.pondering.ponder[whose] = hits + (action == expected[1]), tries + 1
            history.play(action)
            if self.interrupts.noticed:  # a player that Ctrl-C makes move does not report it
                raise KeyboardInterrupt
            expected = None
            if self.pondering is not None and not history.over:
                reply = self._ponder(seats, mover, history)
                expected = None if reply is None else (mover, reply)

    def _ponder(self, seats: list[Player], mover: int, history: History) -> Action:
        """Let the player who has moved think on the opponent's time; what it expects, or None."""
        player = seats[mover] if mover >= 0 else None
        if not isinstance(player, EnginePlayer) or self.game.to_move(history.state) == mover:
            return None
        return player.ponder(self.game, history.state, history.previous)

    def _opening(self, chance: random.Random) -> History:
        """Random moves that do not end the game: `openings` of them, or fewer if none are found."""
        for attempt in range(ATTEMPTS * (self.openings + 1)):
            history = History(self.game)
            wanted = self.openings - attempt // ATTEMPTS
            count = 0
            while not history.over and count < wanted:
                if self.game.to_move(history.state) == CHANCE:
                    history.play(_thrown(history, chance))
                else:
                    history.play(chance.choice(history.legal()))
                    count += 1
            if not history.over:
                return history
        raise PliesError(f"{self.game!r} is over before it begins")


def _check_ponder(players: Sequence[Player]) -> None:
    """Refuse to think on the opponent's time where nobody can, or there is no core for it."""
    engines = [player for player in players if isinstance(player, EnginePlayer)]
    if not engines:
        raise BadParameter("nobody in this match can think on the opponent's time: neither is an engine")
    if refusal := too_few_cores(sum(getattr(player, "threads", 1) for player in players)):
        raise PliesError(refusal)


def _thrown(history: History, chance: random.Random) -> Action:
    outcomes = list(history.game.chance(history.state))
    return chance.choices([action for action, _ in outcomes], [weight for _, weight in outcomes])[0]


def _score(history: History, first: int) -> float:
    """The score of the first player of the match; a game that was stopped is a draw."""
    if not history.over:
        return 0.5
    mine, theirs = history.utility(first), history.utility(1 - first)
    return 1.0 if mine > theirs else 0.0 if mine < theirs else 0.5


def _maker(player: str | Maker, game: Game) -> Maker:
    if callable(player):
        return player
    if isinstance(parse_player(player, game=game), Human):
        raise BadParameter("a match is for players who are not human; use `plies play` for people")
    return lambda seed: parse_player(player, seed, game)


def _name(player: str | Maker) -> str:
    return getattr(player, "__name__", repr(player)) if callable(player) else player.strip().lower()


class _Keeper:
    """The file of a match: its settings in the first line, then a line for each game."""

    def __init__(self, path: Path | None, resume: bool, facts: dict[str, Any]) -> None:
        self.path, self.facts = path, facts
        self.kept: list[MatchGame] = []
        self.file: Any = None
        if path is None:
            if resume:
                raise BadParameter("there is nothing to resume: no file is named")
            return
        try:
            if resume and path.exists():
                self._read(path)
                self.file = path.open("r+b")
                self.file.truncate(self.whole)
                self.file.seek(self.whole)
            else:
                self.file = path.open("xb")
                self._write(facts)
        except FileExistsError:
            raise PliesError(
                f"there is a file {str(path)!r} already; resume it, or give another name"
            ) from None
        except (OSError, ValueError) as error:
            raise PliesError(f"{str(path)!r} cannot be used: {getattr(error, 'strerror', error)}") from None

    def __enter__(self) -> _Keeper:
        return self

    def __exit__(self, *_: object) -> None:
        if self.file is not None:
            self.file.close()

    def keep(self, played: MatchGame) -> None:
        if self.file is not None:
            self._write(played._asdict())

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self.file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise PliesError(f"{str(self.path)!r} cannot be written: {error.strerror}") from None

    def _read(self, path: Path) -> None:
        """Read the complete lines; a partial one at the end was being written when the match was killed."""
        text = path.read_bytes()
        self.whole = text.rfind(b"\n") + 1
        lines = text[: self.whole].splitlines()
        if not lines:
            raise PliesError(f"{str(path)!r} holds no match to resume")
        for number, line in enumerate(lines):
            try:
                data = json.loads(line)
                if number == 0:
                    facts = data
                else:
                    self.kept.append(_read_game(number - 1, data))
            except (ValueError, TypeError, RecursionError):
                raise PliesError(f"line {number + 1} of {str(path)!r} is not part of a match") from None
        if facts != self.facts:
            raise PliesError(f"{str(path)!r} is another match: {json.dumps(facts)[:200]}")


def _read_game(number: int, data: Any) -> MatchGame:
    played = MatchGame(**data)
    if played.number != number or played.first != number % 2 or played.score not in (0, 0.5, 1):
        raise ValueError
    return played
