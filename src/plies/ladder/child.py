"""The ladder's end of the process of a student's file: loads it, and asks it for moves.

An agent is a function `choose(game, state)` or a class `Agent` with that method. What it prints goes nowhere,
and there is no input.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from typing import Any

from plies.errors import PliesError
from plies.game import CHANCE, Game
from plies.registry import game as make_game
from plies.registry import game_class, load_file, parse_parameters

LONGEST = 200
"""The most characters of a sentence about a mistake. Not tuned."""


class Program:
    """A game in progress, and the agent that plays it."""

    def __init__(self, path: str, game: str, words: list[str]) -> None:
        self.file = path
        self.game: Game = make_game(game, **parse_parameters(game_class(game), words))
        self.state = self.game.initial()
        self.choose: Callable[..., Any] | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Load the file, or play the moves since the last one and choose the next."""
        if self.choose is not None:
            return self._move(request["moves"])
        try:
            if position := request.get("position"):
                self.state = self.game.parse_position(position)
            self.choose = self._agent()
        except PliesError as error:
            return {"error": str(error).replace(self.file, request["name"])[:LONGEST]}
        except BaseException as error:
            return {"error": self._described(error)}
        return {"ready": True}

    def _agent(self) -> Callable[..., Any]:
        module = load_file(Path(self.file))
        if isinstance(agent := getattr(module, "Agent", None), type):
            agent = agent()
            if not callable(getattr(agent, "choose", None)):
                raise PliesError("its class Agent has no method choose(self, game, state)")
            return agent.choose  # type: ignore[no-any-return]
        if callable(choose := getattr(module, "choose", None)):
            return choose  # type: ignore[no-any-return]
        raise PliesError("it has no function choose(game, state) and no class Agent")

    def _move(self, numbers: list[int]) -> dict[str, Any]:
        """Play moves, each by its number among the legal ones; then the number of the agent's, or what is
        wrong with it."""
        assert self.choose is not None
        for number in numbers:
            self.state = self.game.result(self.state, choices(self.game, self.state)[number])
        legal = choices(self.game, self.state)
        try:
            action = self.choose(self.game, self.state)
            if action not in legal:
                return {"illegal": str(action)[:LONGEST]}
            return {"move": legal.index(action)}
        except BaseException as error:
            return {"error": self._described(error)}

    def _described(self, error: BaseException) -> str:
        """A mistake in a sentence, with the line of the file that it comes from."""
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == self.file]
        where = f" in line {lines[-1]}" if lines else ""
        try:
            said = str(error)
        except Exception:  # the error's own words are in error
            said = ""
        return f"{type(error).__name__}{where}{': ' if said else ''}{said}"[:LONGEST]


def choices(game: Game, state: Any) -> list[Any]:
    """The legal actions, or the outcomes of chance, in the order of the game."""
    if game.to_move(state) == CHANCE:
        return [outcome for outcome, _ in game.chance(state)]
    return list(game.actions(state))
