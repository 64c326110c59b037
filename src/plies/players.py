"""Players: anything that chooses an action, and the words for them on the command line."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Protocol, runtime_checkable

from plies.book.algorithms import ALGORITHMS as BOOK
from plies.book.algorithms import about, as_player, needs_of, quickest
from plies.engine import ALGORITHMS, Limit, Search, algorithm_for, engine_for
from plies.engine.algorithms import ENGINE
from plies.engine.arguments import keywords, read_words, split_options
from plies.engine.level_search import LevelSearch
from plies.engine.limit import LONGEST_THOUGHT
from plies.engine.networks import YES
from plies.engine.pondering import after_expected_reply
from plies.engine.result import SearchResult, drawn
from plies.engine.strategy import StrategyFile
from plies.engine.time_manager import Clock, time_for_move
from plies.errors import BadParameter, Unsuitable
from plies.game import CHANCE, SIMULTANEOUS, Action, Game, State
from plies.history import legal_actions
from plies.levels import CLOCK, levels_of
from plies.models import POLICIES
from plies.protocols.words import is_external, parse_external, split_outside_quotes
from plies.retrograde.player import Optimal
from plies.simple_players import ByPolicy, Human, Random, Reflex
from plies.validation import refuse_simultaneous

MOST_THROWS = 100
"""The most throws before the first move of a game that are made to get ready for it. Not tuned."""

LONGEST_LEVEL = 60.0
"""The most seconds of a move at a level by nodes: it begins interpreted rather than wait for the compiler,
and machine code takes a fraction of a second. Not tuned."""

PLAYERS = (
    "human, random[:seed], reflex[:seed], optimal, strategy:FILE, engine[:limit], level:number, "
    "an algorithm[:limit] of "
    f"{', '.join(name for name, one in ALGORITHMS.items() if not one.book)}, "
    f"a book algorithm[:depth] of {', '.join(f'book:{name}' for name in BOOK)}, "
    "expectimax:rounds[:policy], or a policy such as greedy or one of the game's own; a limit is a number of "
    "seconds, or depth=, nodes= or simulations= and a whole number; options follow, as in "
    "book:alpha-beta:4:fail_hard=yes or engine:0.5:threads=2; or another program by its protocol, "
    "uci:PROGRAM[:limit], ugi:PROGRAM[:limit] or gtp:PROGRAM[:seconds], as in uci:stockfish:0.5:Skill Level=3"
)
"""The words for players, in help and errors."""


class Player(Protocol):
    """Chooses actions in a game."""

    @property
    def name(self) -> str:
        """The player's name."""

    def prepare(self, game: Game) -> None:
        """Get ready for a game, or raise `Unsuitable`."""

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The action to take in a state with a player to move; `previous` are the states of the game so
        far."""


@runtime_checkable
class ChoosesAtOnce(Protocol):
    """What a player of games of simultaneous moves is, besides."""

    def choose_at_once(self, game: Game, state: State, player: int) -> Action:
        """The choice of a player in a state where all choose at once, before any choice is shown."""


def taken(players: Sequence[Player], game: Game, state: State, previous: Sequence[State] = ()) -> Action:
    """The action of the player to move, or of all at once, none of whom sees what the others choose."""
    mover = game.to_move(state)
    if mover == SIMULTANEOUS:
        return tuple(chosen_at_once(player, game, state, seat) for seat, player in enumerate(players))
    return players[mover].choose(game, state, previous)


def chosen_at_once(player: Player, game: Game, state: State, seat: int) -> Action:
    """The choice of the player in a seat, where all choose at once."""
    if not isinstance(player, ChoosesAtOnce):
        refuse_simultaneous(game, player.name)
        raise Unsuitable(f"{player.name} does not choose at once with others")
    return player.choose_at_once(game, state, seat)


class EnginePlayer:
    """A search limited by seconds, a depth or a number of nodes; Ctrl-C makes it move at once.

    It keeps its memory during a game. The algorithm depends on the kind of game, unless one is named;
    `options` are the algorithm's own. The seed is for algorithms that sample, and for levels: a `level` of
    the game, from 1 on, has limits of its own. A `search` that was made before is used as it is.
    """

    def __init__(
        self,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        algorithm: str | None = None,
        seed: int | None = None,
        level: int | None = None,
        search: Search | None = None,
        **options: Any,
    ) -> None:
        if seconds is not None and not 0 < seconds <= LONGEST_THOUGHT:  # false for nan too
            raise BadParameter(
                f"the engine's time must be above 0 and up to {LONGEST_THOUGHT:,.0f} seconds, not {seconds:g}"
            )
        self.limit = Limit(seconds, depth, nodes)
        if self.limit == Limit():
            self.limit = Limit(1.0)
        self.name = f"level {level}" if level else algorithm or "engine"
        self.level = level
        self._algorithm = algorithm
        self._seed = seed
        self._options = options
        self.threads = int(options.get("threads", 1))
        self._engine = search
        self.last: SearchResult | None = None
        """What the search for the last move found; None if there was no choice."""
        self.tell: Callable[[SearchResult], None] | None = None
        """Called with what a search has found so far, while it goes on."""
        self._generator = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """Compile now, not in the middle of the game."""
        engine, state = self._ready(game), game.initial()
        for _ in range(MOST_THROWS):
            if game.is_terminal(state) or game.to_move(state) != CHANCE:
                break
            state = game.result(state, next(iter(game.chance(state)))[0])
        if not game.is_terminal(state) and game.to_move(state) != CHANCE:
            engine.search(state, Limit(depth=1) if "depth" in engine.limits else Limit(nodes=1))

    def prepare_in_background(self, game: Game) -> None:
        """Begin to compile, or raise `Unsuitable`; a search limited by time need not wait for it."""
        self._ready(game).prepare()

    def choose(
        self, game: Game, state: State, previous: Sequence[State] = (), limit: Limit | None = None
    ) -> Action:
        """The only legal action at once, else the best one found within the limit."""
        legal = legal_actions(game, state, previous)
        self.last = None
        if len(legal) == 1:
            return legal[0]
        search = self._ready(game)
        if self.tell is None:
            self.last = search.search(state, limit or self.limit, previous=previous)
            return self.last.action
        for found in search.analyse(state, limit or self.limit, previous=previous):
            try:
                self.tell(found)
            except KeyboardInterrupt:  # between two results, where the search does not notice
                search.stop()
        self.last = found
        return found.action

    def choose_on_clock(
        self, game: Game, state: State, previous: Sequence[State], clocks: Sequence[Clock]
    ) -> Action:
        """The best action found within a share of the player's clock, and within the limits but that of
        time."""
        soft, _ = time_for_move(clocks[game.to_move(state)])
        return self.choose(game, state, previous, Limit(soft, self.limit.depth, self.limit.nodes))

    def ponder(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """Think on the opponent's time, until the next search or `stop`: search behind the expected reply.

        Returns that reply to the move that was chosen last; None if there is none.
        """
        if self.last is None:
            return None
        expected, after = after_expected_reply(game, self.last, state, previous)
        if after is not None:
            self._ready(game).ponder(after.state, after.previous)
        return expected

    def stop(self) -> None:
        """End a search, and thinking on the opponent's time."""
        if self._engine is not None:
            self._engine.stop()

    def choose_at_once(self, game: Game, state: State, player: int) -> Action:
        """A choice drawn from the mixed strategy that is found within the limit."""
        return drawn(self._ready(game).search(state, self.limit), player, self._generator)

    def _ready(self, game: Game) -> Search:
        """The search for a game, made on first use."""
        if self._engine is None or self._engine.game is not game:
            if self.level is not None:
                level = levels_of(game).level(self.level)
                if level.nodes is not None:
                    self.limit = Limit(LONGEST_LEVEL, nodes=level.nodes)
                    self._engine = LevelSearch(game, level, seed=self._seed)
                    return self._engine
                self.limit = Limit(CLOCK)
            name = self._algorithm_for(game)
            options = dict(self._options)
            if "seed" in ALGORITHMS[name].takes and not ALGORITHMS[name].book:
                options["seed"] = self._seed
            if name == "mcts" and self.limit.time:
                options = {"early": True, **options}
            self._engine = engine_for(game, name, **keywords(game, name, options))
        return self._engine

    def _algorithm_for(self, game: Game) -> str:
        return self._algorithm or algorithm_for(game, self.limit, self._options.get("network", YES))


class BookPlayer:
    """An algorithm of the book, to a depth or to the end of the game; `options` are the algorithm's own.

    Minimax and alpha-beta take the quicker win and the slower loss, unless the option `quick` says otherwise.
    """

    def __init__(
        self,
        algorithm: str,
        depth: int | None = None,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        if algorithm not in BOOK:
            raise BadParameter(
                f"there is no book:{algorithm}; there are {', '.join(f'book:{b}' for b in BOOK)}"
            )
        if depth is not None and depth < 1:
            raise BadParameter(f"the depth of book:{algorithm} must be 1 or more, not {depth}")
        self.algorithm = algorithm
        self.name = f"book:{algorithm}"
        self.depth = depth
        self.options = dict(options or {})
        if seed is not None and "seed" in about(algorithm).takes:
            self.options.setdefault("seed", seed)
        self.generator = random.Random(seed)

    def prepare(self, game: Game) -> None:
        """Raise `Unsuitable` if the algorithm does not serve the game."""
        needs_of(self.algorithm).check(game, self.algorithm)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The algorithm's decision; if interrupted, a quick one; if it has none, the first legal action.

        The book's algorithms do not know superko: a decision that it forbids counts as none.
        """
        decide, options = BOOK[self.algorithm], as_player(self.algorithm, game, self.options)
        try:
            decision = decide(game, state, depth=self.depth, **options)
        except KeyboardInterrupt:
            decision = decide(game, state, **{**options, **quickest(self.algorithm)})
        legal = legal_actions(game, state, previous)
        return decision.line[0] if decision.line and decision.line[0] in legal else legal[0]

    def choose_at_once(self, game: Game, state: State, player: int) -> Action:
        """A choice drawn from the algorithm's mixed strategy; interrupted, from that at depth 1."""
        decide = BOOK[self.algorithm]
        try:
            decision = decide(game, state, player=player, depth=self.depth, **self.options)
        except KeyboardInterrupt:
            decision = decide(game, state, player=player, depth=1, **self.options)
        assert decision.matrix is not None, "nothing else serves the game"
        weights = list(map(float, decision.matrix.row_strategy))
        return self.generator.choices(list(game.choices(state, player)), weights)[0]


def parse_player(text: str, seed: int | None = None, game: Game | None = None) -> Player:
    """The player for words such as "human", "random:7", "engine:0.5", "mcts:simulations=100:rave=50" or
    "book:minimax:4:quick=10".

    The seed is for a player that samples and has none in its words. A game may have policies of its own.
    Another program is named by its protocol, as in "uci:stockfish:0.1".
    """
    if is_external(text):
        external = parse_external(text)
        if game is not None:
            external.check(game)
        return external
    if file := _strategy_file(text):
        return StrategyFile(file)
    head, words = split_options(text)
    name, colon, detail = (part.strip().lower() for part in head.partition(":"))
    try:
        if name == "book":
            algorithm, more, depth = (part.strip() for part in detail.partition(":"))
            name = f"book:{algorithm}"
            options = read_words(words, name) if algorithm in BOOK else {}
            return BookPlayer(algorithm, int(depth) if more else None, seed, options)
        if name == "expectimax" and colon:
            return _expectimax(detail, words)
        if name == ENGINE or name in ALGORITHMS:
            return _engine_player(name, detail, words, seed, game)
        if name == "level" and colon and not words:
            number = int(detail)
            if game is not None:
                levels_of(game).level(number)
            return EnginePlayer(level=number, seed=seed)
        if name == "human" and not (colon or words):
            return Human()
        if name == Optimal.name and not (colon or words):
            return Optimal()
        if name in ("random", "reflex") and not words:
            return (Random if name == "random" else Reflex)(int(detail) if colon else seed)
        if name in {*POLICIES, *(game.policies if game else ())} and not words:
            return ByPolicy(name, [float(word) for word in detail.split(":")] if colon else (), seed)
    except BadParameter:
        raise
    except ValueError:
        raise BadParameter(
            f"after {name}: comes {_expected(name)}, not {detail.rpartition(':')[2].strip()[:40]!r}"
        ) from None
    raise BadParameter(
        f"there is no player {text.strip()[:40]!r}; {_meant(name) or f'a player is {PLAYERS}'}"
    )


def _strategy_file(text: str) -> str:
    """The file of words such as "strategy:FILE", which may be in quotes; "" if they are others."""
    name, _, file = text.strip().partition(":")
    file = file.strip()
    quoted = len(file) > 1 and file[0] == file[-1] and file[0] in "'\""
    return (file[1:-1] if quoted else file) if name.strip().lower() == StrategyFile.name else ""


def _meant(name: str) -> str:
    """A question whether a word with a slip is one of the words for players; empty if none is near."""
    if name in BOOK:
        return f"do you mean book:{name}?"
    known = ["human", "level", "random", "reflex", Optimal.name, ENGINE, *ALGORITHMS, *POLICIES]
    near = [] if name in known else get_close_matches(name, known, 1)
    return f"do you mean {near[0]}?" if near else ""


def _expected(name: str) -> str:
    """What must come after the name of a player."""
    if name == "expectimax":
        return "a number of rounds, and optionally a policy with its numbers"
    if name == ENGINE or (name in ALGORITHMS and not ALGORITHMS[name].book):
        limits = " or ".join(f"{limit}=" for limit in _limits(name))
        return f"a number of seconds, or {limits} and a whole number"
    return (
        "a whole number" if name in ("level", "random", "reflex") or name.startswith("book:") else "a number"
    )


def _limits(name: str) -> list[str]:
    """The limits of an algorithm that are written with their name."""
    limits = ("depth", "nodes") if name == ENGINE else ALGORITHMS[name].limits
    return [limit for limit in limits if limit != "time"]


def _engine_player(
    name: str, detail: str, words: list[str], seed: int | None, game: Game | None
) -> EnginePlayer:
    """A search with the limit, and the options, after its name."""
    limits = _limits(name)
    given = read_words(words, name, game, limits, timed=bool(detail))
    kept = {
        "nodes" if limit == "simulations" else limit: given.pop(limit) for limit in limits if limit in given
    }
    seconds = float(detail) if detail else None
    algorithm = None if name == ENGINE else name
    return EnginePlayer(seconds, **kept, algorithm=algorithm, **{"seed": seed, **given})


def _expectimax(detail: str, words: list[str]) -> EnginePlayer:
    """Expectimax with the rounds and the policy after its colon."""
    rounds, *more = (part.strip() for part in detail.split(":"))
    if int(rounds) < 1:
        raise BadParameter(f"the rounds of expectimax must be 1 or more, not {rounds}")
    policy, *numbers = more or ["uniform"]
    given = tuple(float(number) for number in numbers)
    options = {"policy": policy or "uniform", "numbers": given, **read_words(words, "expectimax")}
    return EnginePlayer(depth=int(rounds), algorithm="expectimax", **options)


def parse_players(text: str, game: Game, seed: int | None = None) -> list[Player]:
    """The players of a game, separated by commas; the engine takes the remaining seats.

    With a seed, each player that samples has one of its own.
    """
    words = split_outside_quotes(text, ",")
    seeds = [None if seed is None else seed + seat for seat in range(len(words))]
    players = [parse_player(word, own, game) for word, own in zip(words, seeds, strict=True)]
    if len(players) > game.players:
        seats = "1 player" if game.players == 1 else f"{game.players} players"
        raise BadParameter(f"{game.name} has {seats}, not {len(players)}")
    players += [EnginePlayer() for _ in range(game.players - len(players))]
    for player in players:
        if isinstance(player, EnginePlayer):
            player.prepare_in_background(game)
        else:
            player.prepare(game)
    return players
