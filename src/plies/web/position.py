"""A position of a game, rebuilt from a message, and all that the page shows of it.

The page keeps the game, the server keeps none. The position of a client's last message is a shortcut only:
the moves that the next message shares with it need not be played again.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Mapping, Sequence
from itertools import islice
from typing import Any

from plies import records
from plies.draw import board
from plies.draw.replay import replay
from plies.errors import IllegalMove, PliesError
from plies.game import CHANCE, SIMULTANEOUS, Game, State
from plies.history import History
from plies.scene import Cell, Piece
from plies.validation import outcomes_in
from plies.variations import Tree
from plies.web.captured import captured
from plies.web.catalogue import Catalogue
from plies.web.game_form import without_style
from plies.web.protocol import MOST_MOVES, PositionSpec
from plies.web.stone_numbers import stone_numbers

MOST_ACTIONS = 2_000
"""The most legal moves of a position on the page. Not tuned."""


class Position:
    """A position with the history that led to it."""

    def __init__(self, spec: PositionSpec, game: Game) -> None:
        self.spec, self.game = spec, game
        start = game.parse_position(spec.position) if spec.position.strip() else None
        self.history = History(game, start)
        self.moves: list[str] = []
        """The moves as messages wrote them."""
        self.notation: list[str] = []
        """The moves as the game writes them."""

    @classmethod
    def build(
        cls, spec: PositionSpec, catalogue: Catalogue, last: Position | None = None
    ) -> Generator[None, None, Position]:
        """The position that a message names, made of the last one if that is of the same game.

        Yields after every move. A position whose building fails must not be used again.
        """
        if last is not None and _start(last.spec) == _start(spec):
            position, last.spec = last, spec
        else:
            position = cls(spec, catalogue.game(spec.game, spec.parameters))
        yield from position._go_to(list(spec.moves))
        return position

    def _go_to(self, moves: list[str]) -> Generator[None, None, None]:
        pairs = enumerate(zip(self.moves, moves, strict=False))
        shared = next((n for n, (old, new) in pairs if old != new), min(len(self.moves), len(moves)))
        while len(self.moves) > shared:
            self.history.undo()
            self.moves.pop()
            self.notation.pop()
        self.history.clear()  # the page keeps the variations
        for number, move in enumerate(moves[shared:], shared + 1):
            try:
                self._play(move)
            except IllegalMove as error:
                # The last move was typed just now; an earlier one is part of a record.
                where = "" if number == len(moves) else f"move {number}: "
                raise IllegalMove(f"{where}{error}") from None
            yield

    def check_length(self) -> None:
        """Raise `PliesError` if no more moves may be played."""
        if len(self.moves) >= MOST_MOVES:
            raise PliesError(f"a game on the page has at most {MOST_MOVES:,} moves")

    def check_choice(self) -> None:
        """Raise `PliesError` if no player has a choice here."""
        if self.mover is None:
            raise PliesError("there is nothing to search: the game is over")
        if self.mover == CHANCE:
            raise PliesError("there is nothing to search: this is a chance node")

    def check_together(self, player: int) -> None:
        """Raise `PliesError` unless all players choose at once here, and there is such a player."""
        if self.mover != SIMULTANEOUS:
            raise PliesError("players do not choose at once here")
        if player not in range(self.game.players):
            raise PliesError(f"players have numbers 0 to {self.game.players - 1}, not {player}")

    def play_together(self, choices: Sequence[str]) -> None:
        """Play what all players chose at once, given in notation."""
        game, state = self.game, self.state
        self.check_together(0)
        if len(choices) != game.players:
            raise PliesError(f"{game.players} choices make a move, not {len(choices)}")
        action = tuple(game.parse_choice(state, player, text) for player, text in enumerate(choices))
        self.play(game.notation(state, action))

    def play(self, move: str) -> None:
        """Play one more move, given in notation."""
        self.check_length()
        self._play(move)
        self.spec = self.spec.after(move)

    def _play(self, move: str) -> None:
        history = self.history
        if history.over:
            raise IllegalMove(f"{move[:40]!r} comes after the end of the game")
        self._count_actions()
        action = records.read_move(self.game, history.state, move)
        written = self.game.notation(history.state, action)
        history.play(action)
        self.moves.append(move)
        self.notation.append(written)

    def _count_actions(self) -> None:
        """Refuse a position with more moves than the page can show."""
        game, state = self.game, self.state
        if not game.is_terminal(state) and game.to_move(state) != CHANCE:
            count = sum(1 for _ in islice(game.actions(state), MOST_ACTIONS + 1))
            if count > MOST_ACTIONS:
                raise PliesError(f"there are over {MOST_ACTIONS:,} legal moves here, too many for the page")
            if count == 0:
                raise PliesError(f"{game!r} has no legal move here, but is not over")

    @property
    def state(self) -> State:
        """The present state."""
        return self.history.state

    @property
    def mover(self) -> int | None:
        """Whose turn it is; None when the game is over."""
        return None if self.history.over else self.game.to_move(self.state)

    def passed(self) -> State:
        """The state after a pass, or after a null move where the game has one."""
        game, state, legal = self.game, self.state, self.history.legal()
        passes = [action for action in legal if not game.move_squares(state, action)]
        after = game.null_move(state) if game.has("null_move") else state
        if after == state and len(passes) == 1 < len(legal):
            after = game.result(state, passes[0])
        if after == state or game.is_terminal(after) or game.to_move(after) != 1 - game.to_move(state):
            raise PliesError("nobody can pass here, so there is no threat to show")
        return after

    # -- What a page shows.

    def view(self) -> dict[str, Any]:
        """The position as the page shows it: picture, legal moves, whose turn it is, status."""
        game, history, state = self.game, self.history, self.state
        self._count_actions()
        mover, legal = self.mover, history.legal()
        return {
            "svg": without_style(self._picture()),
            "cells": cells_in_words(self.game, self.state),
            "legal": [
                {"move": game.notation(state, action), "squares": list(game.move_squares(state, action))}
                for action in legal
            ]
            if mover != CHANCE
            else [],
            "choices": self._choices() if mover == SIMULTANEOUS else None,
            "mover": mover,
            "moves": list(self.notation),
            "movers": [game.to_move(before) for before in history.states[:-1]],
            "status": self.status(),
            "standing": game.standing(state),
            "captured": captured(history),
            "placed": stone_numbers(history),
            "over": history.over,
            "payoffs": [float(history.utility(n)) for n in range(game.players)] if history.over else None,
            "full": len(history.actions) >= MOST_MOVES,
            "prompt": game.prompt,
            "position": self._position(),
        }

    def _choices(self) -> list[list[dict[str, Any]]]:
        """What each player may choose, where all choose at once, with the cells to click."""
        game, state = self.game, self.state
        return [
            [
                {
                    "move": game.choice_notation(state, player, choice),
                    "squares": list(game.choice_squares(state, player, choice)),
                }
                for choice in game.choices(state, player)
            ]
            for player in range(game.players)
        ]

    def _picture(self) -> str:
        history = self.history
        last = (history.states[-2], history.actions[-1]) if history.actions else None
        return str(board(self.game, self.state, last=last))

    def _position(self) -> str:
        try:
            return self.game.position(self.state)
        except PliesError:  # a game without position strings
            return ""

    def status(self) -> str:
        """Whose turn it is, or how the game ended, in a sentence."""
        if self.history.over:
            return result(self.history)
        mover = self.game.to_move(self.state)
        if mover == CHANCE:
            return "Chance to move."
        name = self.game.player_name(mover)
        return f"{_capital(name)} to move."

    def outcome(self, generator: random.Random) -> str:
        """A random outcome of the chance node, in notation."""
        if self.mover != CHANCE:
            raise PliesError("this is not a chance node")
        actions, weights = zip(*outcomes_in(self.game, self.state), strict=True)
        return self.game.notation(self.state, generator.choices(actions, weights)[0])

    def record(self, form: str, tree: Tree, headers: Mapping[str, str], result: str) -> str:
        """The record of the game in a format, a picture of the position, or a page that replays the game."""
        if form == "svg":
            return self._picture()
        if form == "html":
            return replay(self.history).html
        start = self.spec.position.strip()
        return records.write(self.history, form, start, tree=tree, headers=headers, result=result)


def _start(spec: PositionSpec) -> tuple[Any, ...]:
    return spec.game, spec.parameters, spec.position


def cells_in_words(game: Game, state: State, without: Sequence[str] = ()) -> dict[str, str]:
    """What is on each cell of the picture, in words, without pieces of some looks."""
    scene = game.scene(state)
    if scene is None:
        return {}
    pieces = [piece for piece in scene.pieces if piece.look not in without]
    return {
        cell.name: ", ".join(_described(game, piece) for piece in pieces if _stands(piece, cell))
        for cell in scene.cells
    }


def _described(game: Game, piece: Piece) -> str:
    what = piece.text or {"disc": "piece"}.get(piece.look, piece.look)
    return what if piece.player is None else f"{game.player_name(piece.player)} {what}"


def _stands(piece: Piece, cell: Cell) -> bool:
    return abs(piece.x - cell.x) * 2 < cell.width and abs(piece.y - cell.y) * 2 < cell.height


def result(history: History) -> str:
    """How a game that is over ended, in a sentence."""
    game, state = history.game, history.state
    count = sum(game.to_move(before) != CHANCE for before in history.states[:-1])
    after = f"after {count} move{'' if count == 1 else 's'}"
    terminal = game.is_terminal(state)
    ending, counted = (game.ending(state), game.standing(state)) if terminal else ("", "")
    how = f"{_capital(ending)}. " if ending else ""
    because = f"; {history.reason}" if history.reason else ""
    payoffs = [history.utility(player) for player in range(game.players)]
    each = counted or ", ".join(f"{game.player_name(n)} gets {payoff:g}" for n, payoff in enumerate(payoffs))
    if not game.constant_sum or game.players == 1:
        return f"{how}The game is over {after}: {each}{because}."
    numbers = "" if set(payoffs) <= {-1, 0, 1} and not counted else f" ({each})"
    winners = [game.player_name(n) for n, payoff in enumerate(payoffs) if payoff == max(payoffs)]
    if len(winners) == game.players:
        return f"{how}Draw {after}{numbers}{because}."
    win = "wins" if len(winners) == 1 else "win"
    return f"{how}{_capital(' and '.join(winners))} {win} {after}{numbers}{because}."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
