"""What a game is: the six rules every game has, the ones it may add, and what follows from them."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from plies import bits
from plies.errors import BadParameter, BadPosition, BrokenRule, IllegalMove, Unsuitable
from plies.scene import Scene

State = Any
"""A state is an immutable value; a NamedTuple of ints compiles at no cost."""

Action = Any
"""An action is an immutable value; an int compiles at no cost."""

CHANCE = -1
"""The player who moves where dice fall."""

MOST_ACTIONS = 1 << 20
"""The most actions that a state may have: one with more is taken to have actions without end. No game we know
has more than a few thousand (Arimaa, 17,000 on average)."""

MOST_PLAYERS = 1000
"""The most players that a game may have."""

Policy = Callable[[Any, State], Iterable[tuple[Action, float]]]
"""How a player may play: of a game and a state where they move, the actions they may take, each with its
probability. A generator over numbers compiles."""

Rule = TypeVar("Rule", bound=Callable[..., Any])


def noinline(rule: Rule) -> Rule:
    """Mark a long rule or helper to be compiled once and called, not copied to wherever it is used."""
    rule.noinline = True  # type: ignore[attr-defined]
    return rule


class Game:
    """A game as the books define it. Subclass it and write the six rules.

    Players are numbered 0, 1, 2, …. A rule never changes the state it is given.
    """

    # -- Facts, by which an algorithm knows whether it can serve this game.

    players: int = 2
    """How many players there are, dice not counted."""

    total: float | None = 0
    """What the utilities of all players sum to in every terminal state: 0 in a zero-sum game, 1 where a win
    is worth 1 and a draw ½ each; None: that differs."""

    bounds: tuple[float, float] = (-1, 1)
    """The least and the greatest utility there can be; evaluations lie between them."""

    unit: float = 1
    """What people count estimates in, such as a pawn in chess."""

    cycles: bool = False
    """Whether a position can come up again within a game."""

    repetitions: int = 2
    """In games with cycles: how often a position occurs before the game ends, worth `repetition_value`."""

    superko: bool = False
    """In games with cycles: whether a move that would bring back an earlier position is not allowed."""

    exact_key: bool = False
    """Whether `key` is different for any two identities, and so proof enough that they are the same."""

    forcing: bool = False
    """Whether `noisy` gives all candidates where a state is not quiet, and nobody can stop there."""

    refinements: Mapping[str, Any] = {}
    """What the engine should do by default in this game: `Options` by name, such as {"reductions": True}."""

    algorithm: str | None = None
    """The engine that serves this game best, "mcts" perhaps; None: the one that serves its kind of game."""

    mcts_options: Mapping[str, Any] = {}
    """How Monte Carlo tree search should go about this game by default: `MctsOptions` by name."""

    feature_names: Sequence[str] = ()
    """What the numbers that `features` gives are called, in order."""

    policies: Mapping[str, Callable[..., Policy]] = {}
    """Ways to play that this game knows, by name: functions of numbers, with defaults, that make one."""

    @property
    def encoding_size(self) -> int:
        """How many numbers `encode` gives."""
        return len(self.feature_names)

    player_names: Sequence[str] = ()
    """What people call the players ("X", "O"); "player 1", "player 2", … where this is empty."""

    rules: ClassVar[str] = ""
    """The rules in words, for a person about to play."""

    compiled: bool | None = None
    """True: must become machine code, or raise. False: never. None: compiled where that works."""

    @property
    def stochastic(self) -> bool:
        """Whether there are chance nodes."""
        return self.has("chance")

    @property
    def constant_sum(self) -> bool:
        """Whether the utilities of all players have the same sum in every terminal state."""
        return self.total is not None

    @property
    def zero_sum(self) -> bool:
        """Whether that sum is zero."""
        return self.total == 0

    @property
    def draw_value(self) -> float:
        """What a draw is worth to each player: an equal share of the total."""
        return 0.0 if self.total is None else self.total / self.players

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if isinstance(cls.__dict__.get("zero_sum"), bool):
            raise BadParameter(
                f"{cls.__name__} sets zero_sum: say what all utilities sum to instead, "
                "`total = 0` (zero-sum, the default) or `total = None` (no constant sum)"
            )

    # -- The six rules.

    def initial(self) -> State:
        """The state the game starts in."""
        raise self._missing("initial")

    def to_move(self, state: State) -> int:
        """The player whose turn it is in a state that is not terminal, or CHANCE."""
        raise self._missing("to_move")

    def actions(self, state: State) -> Iterable[Action]:
        """The legal actions, each once; none in a terminal state, at least one in any other."""
        raise self._missing("actions")

    def result(self, state: State, action: Action) -> State:
        """The state that a legal action leads to. Unchecked: `play` is the checked way."""
        raise self._missing("result")

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        raise self._missing("is_terminal")

    def utility(self, state: State, player: int) -> float:
        """What a terminal state is worth to a player."""
        raise self._missing("utility")

    # -- Rules a game may add. `has` tells which it did; a rule left out costs nothing.

    def chance(self, state: State) -> Iterable[tuple[Action, float]]:
        """Where CHANCE moves: each outcome, an action, with its probability."""
        for outcome in range(0):
            yield outcome, 0.0

    def evaluate(self, state: State, player: int) -> float:
        """EVAL: an estimate of what a state that is not terminal is worth to a player."""
        return 0

    def features(self, state: State) -> tuple[float, ...]:
        """The numbers that a weighted evaluation sums up, as seen by player 0."""
        return ()

    def encode(self, state: State, player: int, into: Any) -> None:
        """Describe a state to a network as a player sees it: fill an array of numbers, here the features.

        There are `encoding_size` of them.
        """
        features = self.features(state)
        for i in range(len(features)):
            into[i] = features[i] if player == 0 else -features[i]

    def candidates(self, state: State) -> Iterable[Action]:
        """Actions among which a best one is sure to be: all of them, unless the game knows better.

        Where a game has no `priority`, the most promising come first.
        """
        for action in self.actions(state):
            yield action

    def noisy(self, state: State) -> Iterable[Action]:
        """The actions, captures for instance, that a quiescence search goes on to look at."""
        for action in range(0):
            yield action

    def is_quiet(self, state: State) -> bool:
        """Whether a search may end here with an estimate; if not, as in check, it looks a ply further."""
        return True

    def null_move(self, state: State) -> State:
        """The state if the player to move did nothing, for null moves; the same state where that misleads."""
        return state

    def priority(self, state: State, action: Action) -> float:
        """How early an action should be tried: the higher the earlier."""
        return 0

    def playout(self, state: State, random: int) -> Action:
        """The action that a random game takes here, chosen by a random number from 0 to 2^63 - 1: any."""
        count = 0
        for _ in self.actions(state):
            count += 1
        chosen = 0
        wanted = random % count
        for action in self.actions(state):
            if wanted == 0:
                chosen = action
            wanted -= 1
        return chosen

    def move_index(self, state: State, action: Action) -> int:
        """A number for an action that means the same wherever it is played, for learning which are good."""
        return action  # type: ignore[no-any-return]

    def identity(self, state: State) -> Any:
        """The part of a state that decides how the game goes on, without a move number for instance.

        What tables know of a state, they know of every state of the same identity.
        """
        return state

    def key(self, state: State) -> int:
        """A 64-bit number that tells the identities of states apart, for tables."""
        return bits.hash64(self.identity(state))

    def repetition_key(self, state: State) -> int:
        """A 64-bit number for what must be the same when a position comes up again: here, all but a clock.

        In Go, for example, the stones alone.
        """
        return self.key(state)

    def plies_left(self, state: State) -> int:
        """The plies that a clock such as the fifty-move rule still allows, where `identity` leaves it out.

        At 0 the game is over, and a draw unless it has ended otherwise.
        """
        return 0

    def repetition_value(self, state: State, player: int) -> float:
        """What the game is worth to a player when it ends because this state has come up again: a draw.

        One player alone wins nothing by going round in circles, unless the game has a rule of its own.
        """
        return self.draw_value

    def symmetries(self, state: State) -> Iterable[State]:
        """This state and those that are this one turned or mirrored, and worth the same."""
        yield state

    # -- For people.

    prompt: ClassVar[str] = "Your move"
    """What a person is asked when it is their turn."""

    def notation(self, state: State, action: Action) -> str:
        """An action as people write it."""
        return str(action)

    def parse_action(self, state: State, text: str) -> Action:
        """The legal action that a person wrote: the inverse of `notation`, spaces and case forgiven."""
        wanted = "".join(text.split()).casefold()
        for action in self.actions(state):
            if "".join(self.notation(state, action).split()).casefold() == wanted:
                return action
        raise IllegalMove(f"{text.strip()!r} is not a legal move; {self._legal(state)}")

    def text(self, state: State) -> str:
        """A picture of the state in characters."""
        return str(state)

    def scene(self, state: State) -> Scene | None:
        """What a picture of the state shows; None: there is only `text`."""
        return None

    def move_squares(self, state: State, action: Action) -> Sequence[str]:
        """The names of the cells of the scene that a player points to for an action, in order."""
        return ()

    def position(self, state: State) -> str:
        """The state as a string that `parse_position` reads."""
        raise BadPosition(f"{self.name} has no position strings of its own: give the moves that lead there")

    def parse_position(self, text: str) -> State:
        """The state that a string stands for: here, the moves that lead there, in order."""
        state = self.initial()
        for move in re.split(r"[\s,;]+", text.strip()) if text.strip() else []:
            if self.is_terminal(state):
                raise BadPosition(f"{move!r} comes after the end of the game")
            try:
                action = self.parse_action(state, move)
            except IllegalMove as error:
                raise BadPosition(f"{error} (reading {text.strip()!r} as moves)") from None
            state = self.result(state, action)
        return state

    # -- What follows from the rules.

    @property
    def name(self) -> str:
        """The game's name as people type it: ConnectFour is connect-four."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", type(self).__name__).lower()

    def player_name(self, player: int) -> str:
        """What people call a player."""
        if player == CHANCE:
            return "chance"
        return self.player_names[player] if self.player_names else f"player {player + 1}"

    def has(self, rule: str) -> bool:
        """Whether this game gives an optional rule."""
        return getattr(type(self), rule) is not getattr(Game, rule)

    def play(self, state: State, action: Action) -> State:
        """The state that an action leads to, checked: an illegal action raises `IllegalMove`."""
        if self.is_terminal(state):
            raise IllegalMove(f"{self.described(state, action)} cannot be played: the game is over")
        if action not in list(capped(self, state, self.actions(state))):
            raise IllegalMove(f"{self.described(state, action)} is not a legal move; {self._legal(state)}")
        return self.result(state, action)

    def described(self, state: State, action: Action) -> str:
        """An action in words for a message: its notation, if it has one."""
        try:
            return self.notation(state, action)
        except Exception:  # an illegal action need not have a notation
            return repr(action)

    def _legal(self, state: State) -> str:
        moves = [self.notation(state, action) for action in capped(self, state, self.actions(state))]
        shown = ", ".join(moves[:30]) + (f", … ({len(moves)} in all)" if len(moves) > 30 else "")
        return f"legal moves: {shown}"

    def _missing(self, rule: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} does not define {rule}()")

    def __repr__(self) -> str:
        given = {name: _plain(value) for name, value in parameters_of(self).items()}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def parameters_of(game: Game) -> dict[str, Any]:
    """What makes this game again; arrays, such as weights, only where they are not the game's own."""
    signature = inspect.signature(type(game)).parameters
    found = {name: getattr(game, name) for name in signature if hasattr(game, name)}
    arrays = [name for name in found if hasattr(found[name], "tolist") and signature[name].default is None]
    if arrays and all(
        name in found or signature[name].default is not inspect.Parameter.empty for name in signature
    ):
        plain = type(game)(**{name: value for name, value in found.items() if name not in arrays})
        for name in arrays:
            if _plain(getattr(plain, name)) == _plain(found[name]):
                del found[name]
    return found


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def capped(game: Game, state: State, actions: Iterable[Action]) -> Iterator[Action]:
    """The actions of a state, or `BrokenRule` where there are so many that there may be no end to them."""
    for number, action in enumerate(actions):
        if number >= MOST_ACTIONS:
            raise BrokenRule(
                f"actions() gives more than {MOST_ACTIONS:,} actions {in_state(game, state, 'actions')}"
            )
        yield action


def in_state(game: Game, state: State, rule: str, line: int | None = None) -> str:
    """Where something went wrong, for a message: in which state, and by whose rule, at which line of it."""
    shown = repr(state)
    shown = shown if len(shown) <= 200 else f"{shown[:199]}…"
    return f"in the state {shown} ({place_of(game, rule, line)})"


def raised_by_rule(game: Game, error: BaseException) -> BrokenRule | None:
    """What to raise for an error that came up while a rule of a game was asked; None if it did not."""
    trace = error.__traceback__
    found = None
    while trace is not None:
        code, known = trace.tb_frame.f_code, trace.tb_frame.f_locals
        rule = getattr(type(game), code.co_name, None)
        if getattr(rule, "__code__", None) is code and "state" in known:
            found = BrokenRule(
                f"{code.co_name}() raised {type(error).__name__}: {error} "
                f"{in_state(game, known['state'], code.co_name, trace.tb_lineno)}"
            )
            break  # what it calls in turn is its own affair
        trace = trace.tb_next
    return found


def place_of(game: Game, rule: str, line: int | None = None) -> str:
    """Where a rule of a game is written: its name, file and line, the first unless another is given."""
    function = inspect.unwrap(getattr(type(game), rule))
    name = f"{type(game).__name__}.{rule}"
    code = getattr(function, "__code__", None)
    return f"{name}, {code.co_filename}, line {line or code.co_firstlineno}" if code else name


def refuse_arrays(game: Game, state: State) -> None:
    """Refuse a state that holds a NumPy array: it may change, and two of them do not compare as one value."""
    if field := _array_in(state):
        raise BrokenRule(
            f"{field} of {type(game).__name__} is a NumPy array, which may change and does not compare: "
            "use a tuple of numbers, or an int whose bits are the cells (`plies.bits`)"
        )


def _array_in(value: Any, name: str = "a state") -> str:
    """What in a value is an array, in words; "" if nothing is."""
    if hasattr(value, "__array_interface__") and getattr(value, "shape", ()) != ():
        return name
    if isinstance(value, tuple | list):
        names = getattr(value, "_fields", range(len(value)))
        found = (
            _array_in(item, f"field {field!r} of a state") for field, item in zip(names, value, strict=True)
        )
        return next(filter(None, found), "")
    return ""


def checked_bounds(game: Game) -> tuple[float, float]:
    """The bounds of a game, if they are what bounds can be."""
    try:
        low, high = map(float, game.bounds)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise BadParameter(
            f"the bounds of {type(game).__name__} are {game.bounds}: give two finite numbers, "
            "the least and the greatest utility there can be"
        )
    return low, high


def checked_players(game: Game) -> int:
    """How many players a game has, if that is a number of players."""
    players: Any = game.players
    if isinstance(players, bool) or not isinstance(players, int) or not 1 <= players <= MOST_PLAYERS:
        raise BadParameter(
            f"the players of {type(game).__name__} are {players!r}: "
            f"give their number, from 1 to {MOST_PLAYERS:,}"
        )
    return players


def require(
    game: Game,
    algorithm: str,
    *,
    players: int | None = None,
    zero_sum: bool = False,
    deterministic: bool = False,
) -> None:
    """Refuse, in a sentence that names both, a game that an algorithm cannot serve.

    What serves zero-sum games serves all of a constant sum.
    """
    name = type(game).__name__
    if checked_players(game) != players is not None:
        count = "one player" if players == 1 else f"{players} players"
        raise Unsuitable(f"{algorithm} is for {count}; {name} has {game.players}")
    if zero_sum and not game.constant_sum:
        raise Unsuitable(f"{algorithm} is for zero-sum games; {name} is not one")
    if deterministic and game.stochastic:
        raise Unsuitable(f"{algorithm} is for games without chance; {name} has chance nodes")
