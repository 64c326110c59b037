"""The presentation of a game: how people read, write and see its moves and positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from plies.errors import BadPosition, IllegalMove
from plies.game_rules import CHANCE, SIMULTANEOUS, Action, Rules, State
from plies.record_format import RecordFormat
from plies.scene import Scene
from plies.validation import capped


class Presentation(Rules):
    """The third part of `plies.Game`: names, notation, position strings, pictures and record formats."""

    player_names: Sequence[str] = ()
    """The names of the players ("White", "Black"); "player 1", "player 2", … if empty."""

    marks: Sequence[str] = ()
    """The characters that stand for the players in `text` and in position strings, where names do not."""

    unit: float = 1
    """The unit in which evaluations are shown, such as a pawn in chess."""

    rules: ClassVar[str] = ""
    """The rules in words, for a person about to play."""

    prompt: ClassVar[str] = "Your move"
    """The prompt shown to a person whose turn it is."""

    steered: ClassVar[bool] = False
    """Whether moves are directions, so that arrow keys make them."""

    numbered_in_pairs: ClassVar[bool] = False
    """Whether a move of each player together have one number, as in chess."""

    two_sided: ClassVar[bool] = False
    """Whether players face each other across the board, so that it may be seen from either side."""

    def notation(self, state: State, action: Action) -> str:
        """An action as people write it; choices made at once are written in the order of players: "3/1"."""
        if self.simultaneous and self.to_move(state) == SIMULTANEOUS:
            return "/".join(self.choice_notation(state, *choice) for choice in enumerate(action))
        return str(action)

    def parse_action(self, state: State, text: str) -> Action:
        """The legal action that a text denotes: the inverse of `notation`, ignoring spaces and case."""
        wanted = "".join(text.split()).casefold()
        for action in self.actions(state):
            if "".join(self.notation(state, action).split()).casefold() == wanted:
                return action
        raise IllegalMove(f"{text.strip()!r} is not a legal move; {self.legal_moves(state)}")

    def uci(self, state: State, action: Action) -> str:
        """An action as programs write it to each other, in UCI and UGI: by default, its `notation`."""
        return self.notation(state, action)

    def choice_notation(self, state: State, player: int, choice: Action) -> str:
        """One player's choice, where all choose at once, as people write it."""
        return str(choice)

    def parse_choice(self, state: State, player: int, text: str) -> Action:
        """The choice that a text denotes: the inverse of `choice_notation`, ignoring spaces and case."""
        wanted = "".join(text.split()).casefold()
        names = {}
        for choice in capped(self, state, self.choices(state, player)):
            name = self.choice_notation(state, player, choice)
            if "".join(name.split()).casefold() == wanted:
                return choice
            names[name] = choice
        raise IllegalMove(f"{text.strip()[:40]!r} is not a legal choice; choices: {', '.join([*names][:30])}")

    def text(self, state: State) -> str:
        """A picture of the state in characters."""
        return str(state)

    def scene(self, state: State) -> Scene | None:
        """What a picture of the state shows; None if the game has no picture but `text`."""
        return None

    def standing(self, state: State) -> str:
        """What players count, such as "Black 2, White 2": discs, seeds, pips; "" if they count nothing."""
        return ""

    def ending(self, state: State) -> str:
        """How the game has ended, in a word such as "checkmate"; "" where the result says it all."""
        return ""

    def move_squares(self, state: State, action: Action) -> Sequence[str]:
        """The cells of the scene that a player clicks to play an action, by name, in order."""
        if self.simultaneous and self.to_move(state) == SIMULTANEOUS:
            clicks = (self.choice_squares(state, *choice) for choice in enumerate(action))
            return tuple(cell for cells in clicks for cell in cells)
        return ()

    def choice_squares(self, state: State, player: int, choice: Action) -> Sequence[str]:
        """The cells that a player clicks to make a choice, where all choose at once."""
        return ()

    def position(self, state: State) -> str:
        """The state as a string that `parse_position` reads."""
        raise BadPosition(f"{self.name} has no position strings of its own: give the moves that lead there")

    def parse_position(self, text: str) -> State:
        """The state that a string denotes: by default, the moves that lead there from the initial state."""
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

    @classmethod
    def openings(cls) -> Sequence[str]:
        """Openings that are worth playing, each as moves in notation with spaces between, for matches."""
        return ()

    @classmethod
    def record_formats(cls) -> Sequence[RecordFormat]:
        """The formats, besides JSON, of records of this game, the preferred one first."""
        return ()

    @property
    def name(self) -> str:
        """The game's name as people type it, from that of the class: ConnectFour is connect-four."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", type(self).__name__).lower()

    def player_name(self, player: int) -> str:
        """The name of a player."""
        if player == CHANCE:
            return "chance"
        if player == SIMULTANEOUS:
            return "both players" if self.players == 2 else "all players"
        return self.player_names[player] if self.player_names else f"player {player + 1}"

    def by_player(self, *numbers: float) -> str:
        """A number for each player, as `standing` shows them."""
        names = (self.player_name(player) for player in range(len(numbers)))
        return ", ".join(
            f"{name[:1].upper()}{name[1:]} {number:g}" for name, number in zip(names, numbers, strict=True)
        )

    def described(self, state: State, action: Action) -> str:
        """An action as a message quotes it: its notation, or its `repr` where that fails."""
        try:
            return self.notation(state, action)
        except Exception:  # an illegal action need not have a notation
            return repr(action)

    def legal_moves(self, state: State) -> str:
        """The legal moves, for the end of an error message."""
        moves = [self.notation(state, action) for action in capped(self, state, self.actions(state))]
        shown = ", ".join(moves[:30]) + (f", … ({len(moves)} in all)" if len(moves) > 30 else "")
        return f"legal moves: {shown}"
