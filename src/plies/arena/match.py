"""Matches: many games between two players, from varied openings, with score and Elo difference.

A match may be saved to a file, a line of JSON for each game, and resumed from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from plies.arena.annotated import Recorder
from plies.arena.clock import TimeControl
from plies.arena.keeper import Keeper
from plies.arena.openings import Openings
from plies.arena.result import ABANDONED, Match
from plies.arena.sprt import Sprt
from plies.arena.table import Conditions, Maker, Played, prepared
from plies.arena.units import Games, name_of, played_game
from plies.cores import usable_cores
from plies.engine.interrupts import noticing_interrupts
from plies.engine.pondering import too_few_cores
from plies.errors import BadParameter, PliesError
from plies.game import Game
from plies.history import LONGEST_GAME
from plies.needs import Needs
from plies.players import EnginePlayer, Player
from plies.protocols.process import printable
from plies.work.run import Where, done_in_order
from plies.work.unit import Unit

FORFEITS = 10
"""The games in a row that a player forfeits before the match ends: it is broken. Not tuned."""

LONGEST_REASON = 400
"""The most characters of how a player has forfeited that are shown: they may come from a file. Not tuned."""


def match(
    game: Game,
    first: str | Maker,
    second: str | Maker,
    *,
    games: int = 100,
    openings: int | str | Path = 4,
    shuffle: bool = False,
    seed: int = 0,
    sprt: Sprt | tuple[float, float] | None = None,
    jobs: int = 1,
    where: Where | None = None,
    clock: str | None = None,
    resign: tuple[float, int] | None = None,
    adjudicate: bool = False,
    plies: int = LONGEST_GAME,
    ponder: bool = False,
    save: Path | None = None,
    resume: bool = False,
    record: Path | None = None,
    tell: Callable[[Match], None] | None = None,
) -> Match:
    """Play games between two players, who swap sides after each.

    Players are words such as "engine:depth=4", or functions that make a player from a seed. Each opening is
    played twice, once from each side: `openings` is a number of random moves, "game" for those that the game
    comes with, or a file with an opening a line, or in a format of the game such as PGN, in order or, with
    `shuffle`, in an order of the seed's. Ctrl-C ends the match with the games played so far. `tell` is called
    before the first game and after each.

    With `sprt`, the match ends as soon as the test has accepted one of two strengths. `jobs` games are played
    at once, each in a process of its own; 0 is one for every core. They are the same games, but players who
    play by time may disturb each other. `where` names other places to play them, such as a Ray cluster.

    A `clock` such as "10+0.1" or "40/60+1" is for the whole game. A player resigns who finds itself
    `resign[0]` units of the game behind for `resign[1]` moves in a row; with `adjudicate`, a game ends as
    soon as a search has proved its value, and after `plies` moves it is drawn. A player that raises `Forfeit`
    has lost that game.

    With `save`, every game is written to a file as soon as it is over; with `resume`, the match in that file
    is continued. `record` is a file in a format of the game, such as PGN, with evaluations and times. With
    `ponder`, engines think on the opponent's time; games then depend on how long the opponent takes, and not
    on the seed alone. It needs a core for each of the two.
    """
    Needs(players=2, simultaneous=game.simultaneous).check(game, "a match")
    if not 1 <= games <= 1_000_000:
        raise BadParameter(f"games must be between 1 and 1,000,000, not {games}")
    where = Where(jobs) if where is None else where
    test = Sprt(*sprt) if isinstance(sprt, tuple) else sprt
    begun = Openings.of(game, openings, (games + 1) // 2, seed, shuffle)
    control = None if clock is None else TimeControl.parse(clock)
    conditions = Conditions(seed, begun, ponder, control, resign, adjudicate, plies)
    conditions.check(game)
    _check_shard(where, test or save or record)
    task = Games(game, (first, second), conditions)
    if ponder:
        _check_ponder([make(0) for make in task.makers], where.jobs or usable_cores())
    names = (name_of(first), name_of(second))
    result = Match(names, seed, games, sprt=test, openings=_described(begun, games))
    result.conditions = {**conditions.facts(), "ponder": ponder}
    recorder = Recorder(record, game, names, control)
    facts = {"game": repr(game), "players": list(names), **conditions.facts()}
    with noticing_interrupts() as interrupts, Keeper(save, resume, game, facts) as keeper, recorder:
        result.games += keeper.kept[:games]
        recorder.begin(resume, keeper.kept)
        task.interrupts = interrupts
        try:
            prepared(task.makers, game)
            if tell:
                tell(result)
            for played in _played(task, result, where):
                keeper.keep(played.game)
                recorder.keep(played.game)
                _count(result, played)
                if tell:
                    tell(result)
        except KeyboardInterrupt:
            result.ended = "interrupted"
    result.ended = result.ended or where.next_step
    return result


def _played(task: Games, result: Match, where: Where) -> Iterator[Played]:
    """The games that are missing, in order, until the match is over."""
    if _over(result):
        return
    units = (Unit(number, [0, 1, number]) for number in range(len(result.games), result.planned))
    for unit, done in done_in_order(task, units, where):
        yield played_game(unit, done)
        if _over(result):
            return


def _count(result: Match, played: Played) -> None:
    """Add a game to a match."""
    result.games.append(played.game)
    for player, (hits, tries) in enumerate(played.ponder):
        before = result.ponder[player]
        result.ponder[player] = before[0] + hits, before[1] + tries


def _over(result: Match) -> bool:
    """Whether a match ends before its last game; why is noted."""
    if result.sprt is not None and len(result.games) % 2 == 0 and result.accepted is not None:
        result.ended = f"the SPRT has accepted {result.accepted:+g} normalised Elo"
    last = result.games[-FORFEITS:]
    if len(last) == FORFEITS and all(game.termination == ABANDONED for game in last):
        losers = {int(game.score == 1) for game in last}
        if len(losers) == 1:
            name, reason = result.players[losers.pop()], printable(last[-1].reason, LONGEST_REASON)
            result.ended = f"{name} has forfeited {FORFEITS} games in a row, the last so: {reason}"
    return bool(result.ended)


def _check_shard(where: Where, wanted: object) -> None:
    """Refuse what takes all games, in order."""
    if where.shard is not None and wanted:
        raise BadParameter("a shard has a part of the games: test, save and record them when all are merged")


def _check_ponder(players: Sequence[Player], jobs: int) -> None:
    """Refuse to think on the opponent's time where nobody can, or there is no core for it."""
    engines = [player for player in players if isinstance(player, EnginePlayer)]
    if not engines:
        raise BadParameter("nobody in this match can think on the opponent's time: neither is an engine")
    if refusal := too_few_cores(jobs * sum(getattr(player, "threads", 1) for player in players)):
        raise PliesError(refusal)


def _described(openings: Openings, games: int) -> str:
    """The openings in words, with what makes games repeat themselves."""
    pairs = (games + 1) // 2
    if not 0 < len(openings.lines) < pairs:
        return str(openings)
    repeated = f"they repeat after {len(openings.lines):,} pairs, and intervals hold if games then differ"
    return f"{openings}; {repeated}"
