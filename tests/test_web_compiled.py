"""The page and the compiler: nobody waits for it, whoever searches meanwhile is told how far it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import browser
from browser import Site
from plies.compiled import interpreting

pytestmark = pytest.mark.skipif(interpreting(), reason="needs the compiler")

COUNT = '''
import plies

class Count(plies.Game):
    """Count to {goal} by one or two."""
    def initial(self):
        return 0
    def to_move(self, state):
        return state % 2
    def actions(self, state):
        yield 1
        yield 2
    def result(self, state, action):
        return state + action
    def is_terminal(self, state):
        return state >= {goal}
    def utility(self, state, player):
        return 1.0 if player == state % 2 else -1.0
'''


def test_a_game_from_a_file_is_compiled_while_low_levels_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser, "PATIENCE", 120.0)
    (tmp_path / "count.py").write_text(COUNT.format(goal=41))
    site = Site(games=(f"{tmp_path / 'count.py'}:Count",), workers=1)
    with site.client() as client:
        client.send("move", game="count", algorithm="engine", level="3")
        notes = []
        while "result" not in (reply := client.hear()):
            notes.append(reply.get("note"))
        client.send("analyse", game="count", moves=reply["result"]["moves"], lines=2)
        while "result" not in (reply := client.hear()):
            assert "error" not in reply
            notes.append(reply.get("note"))
        assert all(
            note is None or re.match("compiling count: |preparing count|waiting", note) for note in notes
        )
        assert all(score["value"]["proved"] for score in reply["result"]["scores"])
    site.stop()
