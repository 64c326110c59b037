"""Games from files on the page: rules that loop, die or never come to an end cost their own client only."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import PATIENCE, Client, Site, wait_for
from plies.errors import PliesError
from plies.web import processes as web_processes
from plies.web import server
from plies.web.messages import PROTOCOL
from plies.web.processes import Processes, request_for
from plies.web.protocol import Message, PositionSpec

pytestmark = pytest.mark.plain

TRAP = '''
import os, sys, time
import plies

class Trap(plies.Game):
    """Count to eight by one or two; the first player may also fall into a trap."""
    compiled = False
    def __init__(self, deep: int = 0, fatal: bool = False, slow: bool = False, spins: bool = False) -> None:
        self.deep, self.fatal, self.slow, self.spins = deep, fatal, slow, spins
    def loop(self):
        while True:
            if not self.spins:  # it takes as long, but not the whole processor
                time.sleep(0.001)
    def initial(self):
        return 0
    def to_move(self, state):
        return state % 2
    def actions(self, state):
        yield 1
        yield 2
        if state == 0 and not self.deep and not self.slow:
            yield 107
            yield 108
        while state == 108:
            yield 1
    def result(self, state, action):
        if self.slow:
            time.sleep(0.01)
        if self.deep and state + action >= self.deep:
            self.loop()
        if action == 107 and self.fatal:
            os.kill(os.getpid(), 11)
        print("a word on the output", file=sys.stdout)
        return state + action
    def is_terminal(self, state):
        if state == 107:
            self.loop()
        return 8 <= state < 100
    def utility(self, state, player):
        return 1.0 if player == state % 2 else -1.0
'''


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("trap") / "trap.py"
    path.write_text(TRAP)
    return f"{path}:Trap"


@pytest.fixture
def trapped(trap: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server with a game whose rules loop, and little patience."""
    monkeypatch.setattr(web_processes, "DEADLINES", {**web_processes.DEADLINES, "answer": 2.0, "search": 1.0})
    monkeypatch.setattr(web_processes, "SHORT_DEADLINE", 1.0)
    site = Site(games=(trap,))
    yield site
    site.stop()


def children() -> list[int]:
    """The processes that this one has started for the game of traps and that are still there."""
    found = subprocess.run(
        ["ps", "-ww", "-o", "pid=,stat=,args=", "--ppid", str(os.getpid())],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split(None, 2) for line in found.stdout.splitlines()]
    return [int(pid) for pid, state, args in rows if "trap.py" in args and state[0] != "Z"]


# -- Rules that loop.


def test_rules_that_loop_are_stopped_and_that_is_said(trapped: Site) -> None:
    with trapped.client() as client:
        assert client.view("trap", "1")["mover"] == 1
        error = client.error("view", game="trap", parameters={"spins": "yes"}, moves=["107"])
        assert error == (
            "the rules of trap gave no answer within 2 seconds and were stopped: "
            "look for an endless loop in its rules"
        )
        assert client.view("trap", "1", "2")["mover"] == 1  # and the next answer comes


@pytest.mark.long
@pytest.mark.parametrize("type_", ["game", "chance", "write_record"])
def test_whatever_is_asked_of_rules_that_loop_is_answered(trapped: Site, type_: str) -> None:
    more = {"format": "json"} if type_ == "write_record" else {}
    with trapped.client() as client:
        assert "were stopped" in client.error(type_, game="trap", moves=["107", "1"], **more)


def test_actions_without_end_are_refused(trapped: Site) -> None:
    with trapped.client() as client:
        assert "too many for the page" in client.error("view", game="trap", moves=["108"])


@pytest.mark.parametrize(
    ("algorithm", "deep"),
    [
        ("", "1"),
        pytest.param("", "3", marks=pytest.mark.long),
        pytest.param("mcts", "3", marks=pytest.mark.long),
        pytest.param("book:minimax", "3", marks=pytest.mark.long),
    ],
)
def test_a_search_of_rules_that_loop_is_stopped_and_that_is_said(
    trapped: Site, algorithm: str, deep: str
) -> None:
    with trapped.client() as client:
        place = {"game": "trap", "parameters": {"deep": deep, "spins": "yes" if deep == "1" else "no"}}
        error = client.error("analyse", **place, algorithm=algorithm, seconds=0.5)
        assert "look for an endless loop" in error
        assert client.move(
            "trap",
            "random",
            moves=["1"],
        ) in ("1", "2")


@pytest.mark.long
def test_rules_that_loop_keep_nobody_else_waiting(trapped: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many of them as there are processes and more; others are served before they are stopped."""
    monkeypatch.setattr(
        web_processes, "DEADLINES", {**web_processes.DEADLINES, "answer": 60.0, "search": 60.0}
    )
    monkeypatch.setattr(web_processes, "SHORT_DEADLINE", 60.0)
    loopers = [trapped.client() for _ in range(server.ANSWER_PROCESSES)]
    heard: list[dict[str, Any]] = []
    with trapped.client() as client:
        for looper in loopers:
            looper.send("analyse", game="trap", parameters={"deep": "2"}, seconds=1)
            looper.send("view", game="trap", moves=["107"])
        wait_for(lambda: len(children()) == server.ANSWER_PROCESSES + trapped.server.searches.workers)
        assert client.view("nim")["mover"] == 0
        move = client.move("tic-tac-toe", "engine", moves=["1"], level="4")
        assert move == "5"
        for looper in loopers:
            with contextlib.suppress(TimeoutError):
                while True:
                    heard.append(json.loads(looper.socket.recv(timeout=0)))
        assert not any("error" in reply for reply in heard)
        monkeypatch.setattr(
            web_processes, "SHORT_DEADLINE", 1.0
        )  # who asks for the same game has to wait for that long
        assert client.view("trap", "1")["mover"] == 1
        assert client.ask("analyse", game="trap", moves=["1", "2"], seconds=0.3)
    for looper in loopers:
        looper.__exit__()
    wait_for(lambda: trapped.server.file_searches.load == (0, 0))


def test_a_process_ends_with_the_search_of_a_client_that_leaves(trapped: Site) -> None:
    with trapped.client() as client:
        client.send("analyse", game="trap", parameters={"deep": "3"}, seconds=60)
        while "info" not in client.hear():
            pass
        time.sleep(0.5)  # by then it is caught in the loop
    wait_for(lambda: trapped.server.file_searches.load == (0, 0))
    wait_for(lambda: not children())


def test_a_process_that_dies_is_a_sentence(trapped: Site) -> None:
    with trapped.client() as client:
        place = {"game": "trap", "parameters": {"fatal": "yes"}}
        sentence = "the process that worked on trap ended by SIGSEGV"
        assert client.error("view", **place, moves=["107"]) == sentence
        assert client.error("analyse", **place, seconds=1) == sentence
        assert client.view("trap", "1")["mover"] == 1


def test_no_process_outlives_its_server(trap: str) -> None:
    site = Site(games=(trap,))
    with site.client() as client:
        client.view("trap")
        client.send("analyse", game="trap", parameters={"deep": "3"}, seconds=60)
        wait_for(lambda: len(children()) == 2)
    site.stop()
    wait_for(lambda: not children())


def test_a_process_ends_itself_when_its_server_is_gone(trap: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "plies.web.child", trap],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(PATIENCE) == 0


# -- Long records.


def test_a_long_record_is_read_elsewhere(site: Site, client: Client) -> None:
    moves = ["Nf3", "Nf6", "Ng1", "Ng8", "e4", "e5"]
    text = " ".join(moves) + " {" + "a word " * 1000 + "} *"
    assert client.ask("read_record", text=text)["moves"] == moves
    assert "is not a legal move" in client.error("read_record", text=text.replace("e5", "Ke5"))


def test_a_record_that_takes_long_is_given_up(
    site: Site, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_processes, "DEADLINES", {**web_processes.DEADLINES, "read": 0.5})
    text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0\n\n" * 700
    error = client.error("read_record", text=text)
    assert error == "the record could not be read within 0.5 seconds: give a shorter one, of one game"
    assert client.view("nim")["mover"] == 0


# -- The same as in threads.


@pytest.mark.long
def test_slices_are_shared_and_what_was_found_is_kept(trapped: Site) -> None:
    clients = [trapped.client() for _ in range(4)]
    for number, client in enumerate(clients):
        client.send(
            "analyse",
            game="trap",
            moves=["1"] * (number % 2),
            parameters={"slow": "yes"},
            lines=3,
            seconds=6,
        )
    for client in clients:
        while "result" not in (reply := client.hear()):
            assert "error" not in reply
        assert reply["result"]["value"]["proved"]
        client.__exit__()


def test_low_levels_and_simple_players_move(trapped: Site) -> None:
    with trapped.client() as client:
        kinds = client.ask("game", game="trap")["details"]["kinds"]
        assert {"engine", "random", "reflex", "mcts"} <= {kind["name"] for kind in kinds}
        for kind in ("engine", "random", "reflex"):
            level = "3" if kind == "engine" else ""
            move = client.move("trap", kind, moves=["1", "1"], level=level)
            assert move in ("1", "2")
        assert "has no level" in client.error("move", game="trap", moves=["1"], algorithm="engine", level="9")
        error = client.error("analyse", game="trap", moves=["1"], algorithm="random")
        assert "does not evaluate positions" in error


@pytest.mark.long
def test_a_file_that_has_changed_for_the_worse_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "trap.py"
    path.write_text(TRAP)
    site = Site(games=(f"{path}:Trap",))
    path.write_text("this is no Python")
    with site.client() as client:
        for _ in range(2):
            assert "could not be run: SyntaxError" in client.error("view", game="trap")
        assert client.view("nim")["mover"] == 0
    site.stop()


# -- The processes themselves.


def view(*moves: str, **parameters: str) -> dict[str, Any]:
    place = PositionSpec("trap", tuple(parameters.items()), "", moves)
    return request_for(Message(1, PROTOCOL.types["view"], place, {}), seed=1, client=1)


def test_a_process_is_used_again_and_replaced_when_it_was_killed(
    trap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_processes, "DEADLINES", {**web_processes.DEADLINES, "answer": 0.5})
    processes = Processes([trap], 1)
    pids = []
    for moves in ((), ("1",), ("107",), ("1",)):
        if moves == ("107",):
            with pytest.raises(PliesError, match=r"within 0\.5 seconds"):
                list(processes.talk(view(*moves), key="x"))
        else:
            replies = list(processes.talk(view(*moves), key="x"))
            assert replies[0]["answer"]["moves"] == list(moves)
        pids.append(children())
    assert pids[0] == pids[1]
    assert pids[2] == []
    assert len(pids[3]) == 1
    processes.close()
    assert children() == []
    with pytest.raises(PliesError, match="shutting down"):
        next(iter(processes.talk(view(), key="x")))


def test_a_process_whose_replies_nobody_wants_is_ended(trap: str) -> None:
    processes = Processes([trap], 1)
    replies = processes.talk(view(), key="x")
    assert "answer" in next(replies)
    replies.close()
    assert children() == []
    processes.close()


def test_that_no_process_can_be_started_is_a_sentence(trap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    processes = Processes([trap], 1)
    with monkeypatch.context() as patched:
        patched.setattr(web_processes.sys, "executable", "/no/such/python")
        with pytest.raises(PliesError, match="no process could be started"):
            list(processes.talk(view(), key="x"))
    assert list(processes.talk(view(), key="x"))  # nothing is left behind by the failure
    processes.close()


# -- The past.

AGAIN = '''
import plies

class Again(plies.Game):
    """Whoever brings back a position loses; 1 goes from one position to the other, 2 ends the game."""
    cycles = True
    repetitions = 2
    def initial(self):
        return 1
    def to_move(self, state):
        return state % 2
    def actions(self, state):
        yield 1
        yield 2
    def result(self, state, action):
        return 1 - state if action == 1 else 2 + state
    def is_terminal(self, state):
        return state > 1
    def utility(self, state, player):
        return 0.0 if state == 2 else 1.0 if player == 0 else -1.0
    def repetition_value(self, state, player):
        return 1.0 if player == state else -1.0
    def position(self, state):
        return str(state)
    def parse_position(self, text):
        return int(text)
'''


def test_a_search_knows_the_positions_that_the_game_has_been_through(tmp_path: Path) -> None:
    (tmp_path / "again.py").write_text(AGAIN)
    site = Site(games=(f"{tmp_path / 'again.py'}:Again",), workers=1)
    with site.client() as client:
        for _ in range(2):  # whatever the engine has found before
            for place, best in (({"moves": ["1"]}, ("2", 0)), ({"position": "0"}, ("1", 1))):
                found = client.ask("analyse", game="again", **place, lines=2, depth=6)
                assert (found["move"], found["value"]["utility"]) == best
                assert [score["move"] for score in found["scores"]] == [
                    best[0],
                    {"1": "2", "2": "1"}[best[0]],
                ]
    site.stop()
