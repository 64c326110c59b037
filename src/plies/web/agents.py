"""Agents: files with a function `choose(game, state)`, players on the page in processes of their own."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from pathlib import Path

from plies.engine.limit import Limit
from plies.errors import BadParameter, Forfeit, Unsuitable
from plies.game import Action, Game, State, rule_parameters
from plies.history import History
from plies.ladder.child import choices
from plies.ladder.game import Fault, FileSeat
from plies.protocols.player import ExternalPlayer, line_through
from plies.sandbox.process import Limits
from plies.web.game_form import as_text

SECONDS = 5.0
"""The time of computing that a move may take; then the process is killed. Not tuned."""


class Agent(ExternalPlayer):
    """A file, as in `plies ladder`. Its process is killed if it is late or makes a mistake, and started anew
    for the next move."""

    def __init__(self, file: Path) -> None:
        super().__init__("agent", (str(file),), Limit(SECONDS))
        self.file = file
        self._seat: FileSeat | None = None
        self._told = 0
        """How many moves of the game it knows."""

    def check(self, game: Game) -> None:
        """Raise `Unsuitable` where all choose at once."""
        if game.simultaneous:
            raise Unsuitable(f"an agent moves in turn; in {game.name} all choose at once")

    def another(self) -> Agent:
        """The same file in another process."""
        return Agent(self.file)

    def prepare(self, game: Game) -> None:
        """Nothing: the process is started for the first move."""
        self.check(game)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The agent's move; raises `Forfeit` with its mistake in words."""
        history = line_through(game, [*previous, state], self._history)
        if history is not self._history or self._seat is None:
            self.close()
        self._history = history
        try:
            seat = self._seat or self._begun(game, history)
            news = _numbers(history)[self._told :]
            action = seat.choose(history, news, len(history.actions) + 1)
        except Fault as fault:
            self.close()
            raise Forfeit(f"{self.file.stem} {fault.words}") from None
        self._told = len(history.actions)
        return action

    def _begun(self, game: Game, history: History) -> FileSeat:
        words = [f"{name}={text}" for name, text in as_text(rule_parameters(game)).items()]
        seat = FileSeat(self.file, game.name, words, SECONDS, Limits())
        self._end_seat = weakref.finalize(self, seat.end)
        self._seat, self._told = seat, 0
        start = history.states[0]
        seat.begin("" if start == game.initial() else game.position(start))
        return seat

    def stop(self) -> None:
        """Kill the process."""
        if (seat := self._seat) is not None:
            seat.end()

    def close(self) -> None:
        """End the process."""
        if self._seat is not None:
            self._end_seat()
        self._seat = self._history = None


def _numbers(history: History) -> list[int]:
    """The moves of a game, each by its number among the legal ones."""
    pairs = zip(history.states, history.actions, strict=False)
    return [choices(history.game, state).index(action) for state, action in pairs]


def read_agents(files: Sequence[str]) -> dict[str, ExternalPlayer]:
    """Agents by the names of their files."""
    agents: dict[str, ExternalPlayer] = {}
    for word in files:
        file = Path(word)
        if not file.is_file():
            raise BadParameter(f"{word} is not a file: an agent is a Python file with choose(game, state)")
        if file.stem in agents:
            raise BadParameter(f"two agents are called {file.stem}: give their files different names")
        agents[file.stem] = Agent(file)
    return agents
