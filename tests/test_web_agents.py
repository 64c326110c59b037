"""A file with `choose(game, state)` as a player on the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import plies
from browser import Client, Site, wait_for
from plies.web.agents import Agent, read_agents

pytestmark = pytest.mark.plain

FILES = {
    "last": "def choose(game, state):\n    return list(game.actions(state))[-1]\n",
    "typo": "def choose(game, state):\n    return nothing\n",
    "loop": "def choose(game, state):\n    while True: pass\n",
    "none": "x = 1\n",
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text)
    return {name: str(tmp_path / f"{name}.py") for name in FILES}


@pytest.fixture
def agents(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr("plies.web.agents.SECONDS", 0.3)
    site = Site(games=(), agents=tuple(files.values()))
    with site.client() as client:
        yield client
    site.stop()


def test_an_agent_plays_and_its_mistakes_are_told(agents: Client) -> None:
    details = agents.ask("game", game="tic-tac-toe")["details"]
    assert {"program:last", "program:typo"} <= {kind["name"] for kind in details["kinds"]}
    assert agents.move("tic-tac-toe", "program:last") == "9"
    assert agents.move("tic-tac-toe", "program:last", moves=["9", "5"]) == "8"
    assert agents.move("tic-tac-toe", "program:last", moves=["9", "5", "8", "1"]) == "7"
    assert agents.move("tic-tac-toe", "program:last", position="X..O...OX") == "7"
    assert agents.move("connect-four", "program:last", parameters={"width": "5"}, moves=["1"]) == "5"
    error = agents.error("move", game="tic-tac-toe", algorithm="program:typo")
    assert error == "typo crashes at move 1: NameError in line 2: name 'nothing' is not defined"
    error = agents.error("move", game="tic-tac-toe", algorithm="program:loop")
    assert error == "loop takes longer than 0.3 s for move 1"
    error = agents.error("move", game="tic-tac-toe", algorithm="program:none")
    assert "has no function choose(game, state)" in error
    kinds = {kind["name"] for kind in agents.ask("game", game="goofspiel")["details"]["kinds"]}
    assert not {name for name in kinds if name.startswith("program:")}


def test_its_process_ends_with_it(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    game = plies.TicTacToe()
    agent = Agent(Path(files["last"]))
    states = [game.initial()]
    for action, reply in ((9, 5), (8, 1)):  # it is told only what is new
        assert agent.choose(game, states[-1], states[:-1]) == action
        states.append(game.result(states[-1], action))
        states.append(game.result(states[-1], reply))
    assert agent.choose(game, states[-1], states[:-1]) == 7
    assert agent._seat is not None
    assert agent._seat.process is not None
    process = agent._seat.process._process
    assert process.poll() is None
    del agent
    wait_for(lambda: process.poll() is not None)


def test_files_that_are_no_agents(files: dict[str, str]) -> None:
    with pytest.raises(plies.PliesError, match="is not a file"):
        read_agents(["no-such.py"])
    with pytest.raises(plies.PliesError, match="two agents are called last"):
        read_agents([files["last"], files["last"]])
