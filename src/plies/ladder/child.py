"""The other end of a `Child`: loads a student's file and asks it for moves, in a process of its own.

An agent is a function `choose(game, state)` or a class `Agent` with that method. What it prints goes nowhere,
and there is no input.
"""

from __future__ import annotations

import json
import os
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


class Player:
    """A game in progress, and the agent that plays it."""

    def __init__(self, file: str, game: str, words: list[str], position: str = "") -> None:
        self.file = file
        self.game: Game = make_game(game, **parse_parameters(game_class(game), words))
        self.state = self.game.parse_position(position) if position else self.game.initial()
        self.choose = self._agent()

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

    def play(self, numbers: list[int]) -> None:
        """Play moves, each by its number among the legal ones."""
        for number in numbers:
            self.state = self.game.result(self.state, choices(self.game, self.state)[number])

    def answer(self) -> dict[str, Any]:
        """The number of the agent's move among the legal ones, or what is wrong with it."""
        legal = choices(self.game, self.state)
        try:
            action = self.choose(self.game, self.state)
        except (Exception, SystemExit) as error:
            return {"error": self._described(error)}
        if action not in legal:
            return {"illegal": str(action)[:LONGEST]}
        return {"move": legal.index(action)}

    def _described(self, error: BaseException) -> str:
        """A mistake in a sentence, with the line of the file that it comes from."""
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == self.file]
        where = f" in line {lines[-1]}" if lines else ""
        said = f": {error}" if str(error) else ""
        return f"{type(error).__name__}{where}{said}"[:LONGEST]


def choices(game: Game, state: Any) -> list[Any]:
    """The legal actions, or the outcomes of chance, in the order of the game."""
    if game.to_move(state) == CHANCE:
        return [outcome for outcome, _ in game.chance(state)]
    return list(game.actions(state))


def main() -> None:
    """Answer messages, a JSON line each, until there are no more."""
    incoming = os.fdopen(os.dup(0), encoding="utf-8")
    outgoing = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # what the file reads and prints is not part of the dialogue
        os.dup2(nothing, number)
    player: Player | None = None
    for line in incoming:
        message = json.loads(line)
        if player is None:
            try:
                player = Player(
                    message["file"], message["game"], message["words"], message.get("position", "")
                )
                reply: dict[str, Any] = {"ready": True}
            except PliesError as error:
                reply = {"error": str(error).replace(message["file"], Path(message["file"]).name)[:LONGEST]}
            except (Exception, SystemExit) as error:
                reply = {"error": f"{type(error).__name__}: {error}"[:LONGEST]}
        else:
            player.play(message["moves"])
            reply = player.answer()
        print(json.dumps(reply), file=outgoing, flush=True)


if __name__ == "__main__":
    main()
