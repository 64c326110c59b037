"""Notebooks: what shows itself in IPython, how, and that nothing is loaded where there is none."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

import plies
from plies import notebook
from plies.arena import Match, MatchGame
from plies.engine import SearchResult
from plies.engine.value import Value

pytestmark = pytest.mark.plain

interactive = pytest.importorskip("IPython.core.interactiveshell")


@pytest.fixture(autouse=True)
def no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython keeps nothing in anybody's home."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))


@pytest.fixture
def shell(no_home: None) -> Iterator[Any]:
    """IPython, as a notebook runs it, with Plies imported."""
    shell = interactive.InteractiveShell.instance()
    notebook.register(shell)
    shell.run_cell("import plies")
    yield shell
    interactive.InteractiveShell.clear_instance()


def shown(shell: Any, cell: str) -> str | None:
    """What the value of a cell looks like in a notebook; None where it is plain text alone."""
    result = shell.run_cell(cell)
    result.raise_error()
    data, _ = shell.display_formatter.format(result.result)
    assert "text/plain" in data
    return data.get("text/html")


def boards(html: str) -> list[ElementTree.Element]:
    """The pictures in a piece of HTML."""
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


def test_importing_plies_in_a_notebook_is_enough() -> None:
    program = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import plies; game = plies.TicTacToe()", silent=True).raise_error()
import sys
print("plies.draw" in sys.modules)
print("<svg" in shell.display_formatter.format(shell.user_ns["game"].initial())[0]["text/html"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["False", "True"], done.stderr


def test_without_a_notebook_nothing_is_loaded() -> None:
    program = "import sys, plies; print({'IPython', 'plies.notebook', 'plies.draw'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_ipython_imported_but_not_running_is_no_notebook() -> None:
    program = "import IPython, sys, plies; print('plies.notebook' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# -- Positions.


def test_a_state_is_drawn_by_the_game_that_has_such_states(shell: Any) -> None:
    shell.run_cell("nim = plies.Nim(); game = plies.Othello(size=4); chess = plies.Chess()")
    html = shown(shell, "game.initial()")
    assert html is not None
    (board,) = boards(html)
    assert board.find("{*}title").text == "othello, Black to move"  # type: ignore[union-attr]
    assert html.count("data-cell") == 16
    assert f">{plies.Othello(size=4).position(plies.Othello(size=4).initial())}</figcaption>" in html


def test_the_newest_game_counts(shell: Any) -> None:
    shell.run_cell("large = plies.ConnectFour(); small = plies.ConnectFour(width=4, height=3)")
    html = shown(shell, "small.initial()")
    assert html is not None
    assert html.count('"cell hole"') == 12


def test_what_is_no_state_stays_as_it_is(shell: Any) -> None:
    shell.run_cell("game = plies.Othello()")
    for cell in ("(1, 2)", "plies.TicTacToe().initial()", "[game.initial()]", "plies.Game"):
        assert shown(shell, cell) is None


class Odd(NamedTuple):
    number: int


class Broken(plies.Game):
    """A game that cannot be drawn."""

    def initial(self) -> Odd:
        return Odd(1)

    def scene(self, state: Odd) -> Any:
        raise ValueError("no")


class Unborn(Broken):
    """A game that cannot even begin."""

    def initial(self) -> Odd:
        raise RuntimeError("no")


def test_a_game_that_raises_spoils_nothing(shell: Any) -> None:
    shell.run_cell("ttt = plies.TicTacToe()")
    shell.user_ns.update(game=Broken(), worse=Unborn(), odd=Odd(1))
    with pytest.warns(UserWarning, match="this cannot be drawn: ValueError: no"):
        assert shown(shell, "odd") is None
    assert shown(shell, "ttt.initial()")


# -- Games.


def test_a_history_has_a_slider_through_its_positions(shell: Any) -> None:
    cell = "history = plies.History(plies.TicTacToe()); [history.play(i) for i in (1, 5, 2)]; history"
    html = shown(shell, cell)
    assert html is not None
    found = boards(html)
    assert len(found) == 4
    assert html.count('class="position" hidden') == 3
    assert html.index('class="position">') > html.rindex('class="position" hidden')  # the last is shown
    assert 'type="range" min="0" max="3" value="3"' in html
    captions = re.findall(r"<figcaption[^>]*>(.*?)</figcaption>", html)
    assert captions == ["the start", "1. X: 1", "2. O: 5", "3. X: 2"]
    marked = [[one for one in board.iter() if one.get("class") == "last"] for board in found]
    assert [len(marks) for marks in marked] == [0, 1, 1, 1]
    assert html.count("prefers-color-scheme") == 1  # one stylesheet for all


def test_the_start_of_a_game_needs_no_slider(shell: Any) -> None:
    html = shown(shell, "plies.History(plies.Nim())")
    assert html is not None
    assert "disabled" in html


def test_a_history_that_is_over_says_so(shell: Any) -> None:
    html = shown(shell, "over = plies.History(plies.SumToTwo()); [over.play(1) for _ in range(3)]; over")
    assert html is not None
    assert "go through the game; it is over." in html


# -- Searches, traces, matches.


def test_a_search_shows_board_line_scores_and_effort(shell: Any) -> None:
    html = shown(shell, "ttt = plies.TicTacToe(); plies.search(ttt, ttt.parse_position('1 2 5'), lines=9)")
    assert html is not None
    (board,) = boards(html)
    scores = [one for one in board.iter() if (one.get("class") or "").startswith("score")]
    assert len(scores) == 6
    assert all("proved" in (score.get("class") or "") for score in scores)
    for words in ("to move</th><td", ">O</td>", "loss in 4", ">depth<", ">nodes<", "a second", "alpha-beta"):
        assert words in html, words


def test_estimates_are_told_apart_from_proofs(shell: Any) -> None:
    html = shown(shell, "plies.search(plies.ConnectFour(width=5, height=4), depth=3)")
    assert html is not None
    assert "(estimate)" in html
    assert "proved" not in "".join(score for score in re.findall(r'class="(score[^"]*)"', html))


def test_simulations_are_counted(shell: Any) -> None:
    html = shown(shell, "plies.search(plies.TicTacToe(), algorithm='flat', simulations=50, seed=1)")
    assert html is not None
    assert html.count("simulations") == 2
    assert "50 in" in html


def test_a_search_that_does_not_know_its_game(shell: Any) -> None:
    shell.user_ns["found"] = SearchResult("<b>", Value(0.5), ["<b>"], 3, 10, 0.5)
    html = shown(shell, "found")
    assert html is not None
    assert "&lt;b&gt;" in html
    assert "<svg" not in html


def test_every_engine_says_what_it_searched() -> None:
    for game, algorithm in (
        (plies.TicTacToe(), "alpha-beta"),
        (plies.TicTacToe(), "mcts"),
        (plies.SumToTwo(), "max-n"),
        (plies.TicTacToe(), "paranoid"),
        (plies.Pig(target=10), "expectiminimax"),
        (plies.PegSolitaire("triangle"), "depth-first"),
    ):
        found = plies.search(game, algorithm=algorithm, nodes=30)
        assert found.game is game, algorithm
        assert found.state == game.initial()


def test_a_solution_shows_what_is_proved(shell: Any) -> None:
    shell.run_cell("ttt = plies.TicTacToe()")
    html = shown(shell, "plies.solve(ttt, ttt.parse_position('1 2 5'))")
    assert html is not None
    assert "loss, proved" in html
    assert len(boards(html)) == 1
    html = shown(shell, "plies.solve(ttt, nodes=5)")
    assert html is not None
    assert "from loss to win; " in html


def test_a_game_shows_its_start_and_its_rules(shell: Any) -> None:
    html = shown(shell, "plies.Nim((1, 2))")
    assert html is not None
    assert len(boards(html)) == 1
    assert "Nim(heaps=(1, 2), misere=False)" in html
    assert "takes" in html


def test_a_trace_shows_its_tree(shell: Any) -> None:
    html = shown(shell, "plies.trace(plies.Tree())")
    assert html is not None
    (tree,) = boards(html)
    assert "tree" in tree.get("class", "")


def test_a_match_shows_both_players_and_its_interval(shell: Any) -> None:
    games = [MatchGame(i, i % 2, score, 0, []) for i, score in enumerate((1, 1, 0.5, 0))]
    shell.user_ns["match"] = Match(("<first>", "second"), 0, 10, games)
    html = shown(shell, "match")
    assert html is not None
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", html)
    assert cells[5:] == ["&lt;first&gt;", "2", "1", "1", "62.5%", "second", "1", "1", "2", "37.5%"]
    low, high = Match(("a", "b"), 0, 10, games).interval
    assert f"4 of 10 games. &lt;first&gt; scores 62.5%, 95 % interval {low:.1%} to {high:.1%}: " in html
    shell.user_ns["match"] = Match(("a", "b"), 0, 10, games[:1])
    assert "+∞ Elo" in (shown(shell, "match") or "")


def test_a_search_can_be_watched(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    class Shown:
        def update(self, found: SearchResult) -> None:
            seen.append(found)

    def display(found: SearchResult, display_id: bool) -> Shown:
        assert display_id
        seen.append(found)
        return Shown()

    monkeypatch.setattr("IPython.display.display", display)
    found = notebook.live(plies.TicTacToe(), depth=4)
    assert len(seen) > 1
    assert seen[-1] is found
    assert found.depth == 4
    assert len(notebook.live(plies.TicTacToe(), depth=2, lines=3).lines) == 3
    with pytest.raises(plies.PliesError, match="the game is over"):
        notebook.live(plies.SumToTwo(), plies.SumToTwo().parse_position("1 1 0"))


# -- Matrix games.


def test_a_matrix_game_is_a_table_and_with_two_rows_a_picture(shell: Any) -> None:
    html = shown(shell, "plies.matrix_game('2 3 11; 7 5 2', row_names='a<b,c')")
    assert html is not None
    assert "a&lt;b" in html
    assert "49/11" in html
    assert len(boards(html)) == 1
    square = shown(shell, "plies.matrix_game('0 -1 1; 1 0 -1; -1 1 0')")
    assert square is not None
    assert "1/3" in square
    assert boards(square) == []
    for cell in (
        "plies.book.normal_form(plies.SumToTwo())",
        "plies.book.fictitious_play('1 0; 0 1', rounds=9)",
    ):
        table = shown(shell, cell)
        assert table is not None
        assert table.startswith("<pre>")
    large = shown(shell, "plies.matrix_game([[i - j for j in range(13)] for i in range(2)])")
    assert large is not None
    assert large.startswith("<pre>")
