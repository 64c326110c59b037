"""Games of OpenSpiel as games of Plies: "openspiel:hex" can be given wherever a game can.

Any of perfect information will do, with dice and with simultaneous moves. Their rules are OpenSpiel's, in C++
or Python, so nothing is compiled here. Needs the package `open_spiel`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plies.errors import BadParameter, BadPosition, IllegalMove, PliesError, UnknownGame, Unsuitable
from plies.game import CHANCE, SIMULTANEOUS, Action, Game
from plies.registry import OPEN_SPIEL
from plies.validation import capped

START = "start"
"""The position string of the initial state."""


class State:
    """A position of OpenSpiel, which is not changed. Equal are those after the same actions: what is written
    of two positions does not tell whether they are the same."""

    __slots__ = ("history", "spiel")

    def __init__(self, spiel: Any) -> None:
        self.spiel = spiel
        self.history: tuple[int, ...] = tuple(spiel.history())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)

    def __repr__(self) -> str:
        return f"State{self.history}"


class OpenSpiel(Game):
    """A game of OpenSpiel, by its game string: "hex" or "go(board_size=9)". An action is OpenSpiel's."""

    compiled = False
    rules = "A game of OpenSpiel, by its rules. A move can also be given by its number there, as in #12."

    def __init__(self, game_string: str = "") -> None:
        if not game_string:
            raise BadParameter(f"a game of OpenSpiel is named by its game string, as in {OPEN_SPIEL}hex")
        self.game_string = game_string
        self._library = _library()
        self._game = _loaded(self._library, game_string)
        kind = self._game.get_type()
        if reason := _reason(self._library, kind):
            raise Unsuitable(f"{kind.short_name} of OpenSpiel {reason}")
        self.players = self._game.num_players()
        self.bounds = (self._game.min_utility(), self._game.max_utility())
        self.total = self._game.utility_sum() if self.players > 1 else None
        self._at_once = bool(kind.dynamics == self._library.GameType.Dynamics.SIMULTANEOUS)
        self._dice = bool(kind.chance_mode == self._library.GameType.ChanceMode.EXPLICIT_STOCHASTIC)

    @property
    def name(self) -> str:
        return f"{OPEN_SPIEL}{self.game_string}"

    @property
    def stochastic(self) -> bool:
        return self._dice

    @property
    def simultaneous(self) -> bool:
        return self._at_once

    # -- The rules.

    def initial(self) -> State:
        return State(self._game.new_initial_state())

    def to_move(self, state: State) -> int:
        if state.spiel.is_simultaneous_node():
            return SIMULTANEOUS
        return CHANCE if state.spiel.is_chance_node() else int(state.spiel.current_player())

    def actions(self, state: State) -> Iterator[Action]:
        if state.spiel.is_simultaneous_node():
            yield from self._from_choices(state)
        else:
            yield from state.spiel.legal_actions()

    def choices(self, state: State, player: int) -> Iterator[int]:
        yield from state.spiel.legal_actions(player) or (0,)  # who has no choice is to say 0

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        yield from state.spiel.chance_outcomes()

    def result(self, state: State, action: Action) -> State:
        if isinstance(action, tuple):
            after = state.spiel.clone()
            after.apply_actions(list(action))
            return State(after)
        return State(state.spiel.child(action))

    def is_terminal(self, state: State) -> bool:
        return bool(state.spiel.is_terminal())

    def utility(self, state: State, player: int) -> float:
        return float(state.spiel.returns()[player])

    def identity(self, state: State) -> tuple[int, ...]:
        return state.history

    # -- Presentation.

    def text(self, state: State) -> str:
        return str(state.spiel)

    def notation(self, state: State, action: Action) -> str:
        if isinstance(action, tuple):
            return super().notation(state, action)
        return str(state.spiel.action_to_string(state.spiel.current_player(), action))

    def choice_notation(self, state: State, player: int, choice: Action) -> str:
        return str(state.spiel.action_to_string(player, choice))

    def parse_action(self, state: State, text: str) -> Action:
        """The action of a text, or of its number in OpenSpiel, "#12". Case counts only where it has to."""
        wanted = "".join(text.split())
        names = {action: self.notation(state, action) for action in capped(self, state, self.actions(state))}
        names = {action: "".join(name.split()) for action, name in names.items()}
        found = [action for action in names if f"#{action}" == wanted]
        found = found or [action for action, name in names.items() if name == wanted]
        found = found or [a for a, name in names.items() if name.casefold() == wanted.casefold()]
        if len(found) == 1:
            return found[0]
        if found:
            numbers = ", ".join(f"#{action}" for action in found)
            raise IllegalMove(f"{text.strip()!r} is more than one move; give its number: {numbers}")
        raise IllegalMove(f"{text.strip()[:40]!r} is not a legal move; {self.legal_moves(state)}")

    def position(self, state: State) -> str:
        """The numbers of all actions that led here: "#4 #0"."""
        return " ".join(f"#{action}" for action in state.history) or START

    def parse_position(self, text: str) -> State:
        """The state after moves from the start, each a text without spaces or a number: "x(1,1) #0"."""
        words = [] if text.strip() == START else text.split()
        state = self.initial()
        while words:
            if self.is_terminal(state):
                raise BadPosition(f"{words[0][:40]!r} comes after the end of the game")
            try:
                if self.to_move(state) == SIMULTANEOUS and words[0].startswith("#"):
                    given, words = words[: self.players], words[self.players :]
                    action: Action = tuple(int(word.removeprefix("#")) for word in given)
                    state = self.play(state, action)
                else:
                    state = self.result(state, self.parse_action(state, words.pop(0)))
            except (IllegalMove, ValueError) as error:
                raise BadPosition(f"{error} (reading {text.strip()[:80]!r} as moves)") from None
        return state


def _library() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise PliesError("games of OpenSpiel need it: pip install 'plies[open_spiel]'") from None
    return pyspiel


def _loaded(library: Any, game_string: str) -> Any:
    """The game of a game string, or an error in one sentence."""
    name = game_string.partition("(")[0]
    if name not in library.registered_names():
        raise UnknownGame(
            f"OpenSpiel has no game {name[:40]!r}; pyspiel.registered_names() lists those it has"
        )
    try:
        return library.load_game(game_string)
    except (library.SpielError, RuntimeError, ValueError, TypeError) as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise BadParameter(f"OpenSpiel cannot make {game_string[:80]!r}: {said[-1][:200]}") from None


def _reason(library: Any, kind: Any) -> str:
    """Why a game of OpenSpiel does not fit, to follow its name; "" if it does."""
    types = library.GameType
    if kind.information == types.Information.IMPERFECT_INFORMATION:
        return "has hidden information, and every rule of Plies sees the whole state"
    if kind.dynamics == types.Dynamics.MEAN_FIELD:
        return "is a mean-field game, without a fixed number of players who move"
    if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        return "draws by chance without saying how likely each outcome is"
    return ""
