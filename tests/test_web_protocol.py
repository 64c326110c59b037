"""The protocol of the page: one entry and one handler a message, and one place that sends it."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from browser import Client, Site
from documents import ROOT
from plies.errors import PliesError
from plies.web import messages, shared_messages
from plies.web.fields import BadMessage, boolean, text
from plies.web.messages import PROTOCOL
from plies.web.protocol import POSITION_FIELDS, Protocol

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

STATIC = ROOT / "src" / "plies" / "web" / "static"
SENDS = re.compile(r"""(?:\bask|\.search)\(\s*["'`](\w*)""")


# -- The table.


def test_every_message_has_a_handler_and_every_handler_is_a_message() -> None:
    handlers = {
        name: function
        for module in (messages, shared_messages)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert handlers == {name: type_.handler for name, type_ in PROTOCOL.types.items()}
    assert {name for name, type_ in PROTOCOL.types.items() if type_.shared} == {
        name for name, handler in handlers.items() if handler.__module__ == shared_messages.__name__
    }


def test_a_handler_must_take_the_fields_of_its_message() -> None:
    protocol = Protocol()

    def greet(context: Any, name: str, loud: bool) -> str:
        return name.upper() if loud else name

    for fields in ({}, {"name": text(9)}, {"nome": text(9), "loud": boolean()}):
        with pytest.raises(TypeError, match="the handler of greet takes"):
            protocol.message(fields)(greet)
    assert protocol.types == {}
    protocol.message({"name": text(9), "loud": boolean()})(greet)
    with pytest.raises(TypeError, match="greet has two handlers"):
        protocol.message({"name": text(9), "loud": boolean()})(greet)


def test_every_message_is_sent_from_one_place_and_no_other_is_sent() -> None:
    sent = [name for path in sorted(STATIC.glob("*.js")) for name in SENDS.findall(path.read_text("utf-8"))]
    assert not set(PROTOCOL.types) - set(sent), "a message that no JavaScript file sends"
    assert not set(sent) - set(PROTOCOL.types), "a message that has no handler in messages.py"
    assert len(sent) == len(set(sent)), "a message that is sent from two places"


def test_every_message_says_what_it_answers() -> None:
    for name, type_ in PROTOCOL.types.items():
        assert type_.handler.__doc__, f"the handler of {name} needs a docstring that says what the result is"


@pytest.mark.parametrize("name", PROTOCOL.types)
def test_every_field_is_checked(name: str) -> None:
    type_ = PROTOCOL.types[name]
    for field, one in {**POSITION_FIELDS, **type_.fields}.items():
        with pytest.raises(PliesError):
            one.take(field, {field: [None]})
    with pytest.raises(BadMessage, match=r"the field '\w+' is missing|has no field 'nonsense'") as error:
        read(type=name, nonsense=1)
    assert error.value.id == 7


def read(**message: Any) -> Any:
    return PROTOCOL.read(json.dumps({"id": 7, **message}))


def test_null_is_as_good_as_nothing_where_there_is_a_default() -> None:
    one = read(type="analyse", game="nim", depth=None, lines=None, moves=None)
    assert one == read(type="analyse", game="nim")
    assert (one.fields["depth"], one.fields["lines"], one.position.moves) == (None, 1, ())


# -- Moves.


@pytest.mark.parametrize(
    ("game", "algorithm"), [("tic-tac-toe", "engine"), ("nim", "random"), ("echo", "mcts")]
)
def test_a_move_is_answered_by_the_view_after_it(client: Client, game: str, algorithm: str) -> None:
    """Whether it was searched for or not, here or in another process."""
    before = client.view(game)
    number = client.send("move", game=game, algorithm=algorithm, level="")
    while "note" in (reply := client.hear()):
        pass
    assert reply.keys() == {"id", "result"}
    assert reply["id"] == number
    view = reply["result"]
    view.pop("expects", None)
    assert view == client.view(game, *view["moves"])
    assert view["moves"][0] in [one["move"] for one in before["legal"]]


def test_nobody_hears_of_a_move_after_it_was_stopped(client: Client) -> None:
    number = client.send("move", game="connect-four", algorithm="engine", level="5")
    stopped = client.send("stop")
    assert client.hear() == {"id": stopped, "result": True}
    assert client.view("connect-four")["moves"] == []
    while True:
        try:
            reply = json.loads(client.socket.recv(timeout=1.5))
        except TimeoutError:
            break
        assert reply["id"] != number


def test_an_analysis_is_of_the_position_that_it_was_asked_for(client: Client) -> None:
    """Though the client looks at another meanwhile."""
    replies = {one["move"] for one in client.view("chess", "e4")["legal"]}
    number = client.send("analyse", game="chess", moves=["e4"], lines=2)
    for moves in (["e4", "e5"], [], ["e4", "e5", "Nf3"]):
        client.send("view", game="chess", moves=moves)
    found = []
    while len(found) < 4:
        reply = client.hear()
        if reply["id"] == number and "info" in reply:
            found.append(reply["info"])
    for info in found:
        assert {score["move"] for score in info["scores"]} <= replies
        assert info["move"] in replies
    client.ask("stop")


def test_a_game_that_is_as_long_as_it_may_be_takes_no_move(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plies.web.position.MOST_MOVES", 3)
    assert client.view("go", "A1", "B1", "C1")["full"]
    place = {"game": "go", "moves": ["A1", "B1", "C1"]}
    for algorithm in ("random", "mcts"):
        assert "at most 3 moves" in client.error("move", **place, algorithm=algorithm)


def test_a_move_and_its_answer_are_two_messages(open_page: Callable[..., Page], site: Site) -> None:
    page = open_page("learn")
    page.wait_for_selector("#stage svg")
    sent: list[dict[str, Any]] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(json.loads(data))))
    page.goto(f"{site.address}#game=tic-tac-toe")
    page.wait_for_selector("#board svg")
    assert [message["type"] for message in sent] == ["games", "game"]
    page.fill("#move", "5")  # a pointer that hovers a moment over the board asks for a preview
    page.press("#move", "Enter")
    page.wait_for_function("() => document.querySelectorAll('#moves button').length === 2")
    assert [message["type"] for message in sent] == ["games", "game", "view", "move"]
