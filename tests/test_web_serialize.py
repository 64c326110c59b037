"""What the page is told of a search: its own action first, bounds, errors, and what is proved."""

from __future__ import annotations

from typing import Any

import pytest

import plies
from browser import Client, Site
from plies.engine import Limit, SearchResult, Value, engine_for
from plies.game import Action, State
from plies.web import serialize
from plies.web.levels import kind_named
from plies.web.searches import Job

pytestmark = pytest.mark.plain

GAME = plies.TicTacToe()


def found(**more: Any) -> SearchResult:
    scores = {1: Value(0.9), 5: Value(0.4), 9: Value(0.6)}
    visits = {1: 3, 5: 500, 9: 20}
    given = {
        "action": 5,
        "value": Value(0.4, error=0.02),
        "line": [5],
        "depth": 3,
        "nodes": 523,
        "seconds": 1.0,
    }
    lines = [[1, 2], [5, 1], [9, 1]]
    return SearchResult(
        **{**given, "scores": scores, "visits": visits, "lines": lines, "algorithm": "mcts", **more}
    )


def test_board_list_lines_and_verdict_name_the_action_of_the_search() -> None:
    """Though a child with few visits has a better mean."""
    shown = serialize.search_info(GAME, GAME.initial(), found(), (523, 1.0))
    assert shown["move"] == "5"
    assert [score["move"] for score in shown["scores"]] == ["5", "9", "1"]
    assert [line[0] for line in shown["lines"]] == ["5", "1", "9"]


def test_without_visits_the_rest_goes_by_worth() -> None:
    scores = {1: Value(0.5), 5: Value(0.5), 9: Value(0.6, bound="<="), 3: Value(-0.5)}
    shown = serialize.search_info(GAME, GAME.initial(), found(visits={}, scores=scores), (1, 1.0))
    assert [score["move"] for score in shown["scores"]] == ["5", "9", "1", "3"]
    assert [score["value"]["bound"] for score in shown["scores"]] == ["=", "<=", "=", "="]


def test_an_estimate_has_its_error_in_the_unit_of_the_game() -> None:
    chess = plies.Chess()
    shown = serialize.value_info(chess, Value(250.0, error=25.0))
    assert (shown["utility"], shown["error"]) == (250 / chess.unit, 25 / chess.unit)
    assert "±" in shown["text"]
    assert "error" not in serialize.value_info(chess, Value(250.0))


class Lecture(plies.TicTacToe):
    """Win 1, draw a half, loss 0."""

    total = 1.0
    bounds = (0.0, 1.0)

    def utility(self, state: State, player: int) -> float:
        return (1 + super().utility(state, player)) / 2


def test_a_game_of_constant_sum_is_won_drawn_and_lost() -> None:
    game = Lecture()
    worths = [(1.0, "win", 1.0), (0.5, "draw", 0.5), (0.0, "loss", 0.0)]
    for utility, word, chance in worths:
        shown = serialize.value_info(game, Value.of(game, utility, proved=True))
        assert (shown["text"], shown["chance"], shown["lead"]) == (word, chance, utility - 0.5)
    assert serialize.value_info(game, Value.of(game, 0.5))["chance"] == 0.5
    assert serialize.value_info(game, Value.of(game, 0.9))["chance"] > 0.8


# -- What is proved.


def test_what_is_proved_against_random_players_is_an_estimate() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("1 2 4 5")  # whoever is to move wins at once
    searcher = kind_named(game, "expectimax").make(game)
    *_, last = searcher.analyse(state, Limit(5.0, 4))
    assert not last.value.proved
    assert last.scores
    assert not any(value.proved for value in last.scores.values())


class Shuffle(plies.Game):
    """Two positions and an end: 0 to 1 and back, or from 1 to a loss of who is to move there."""

    cycles = True

    def initial(self) -> State:
        return 0

    def to_move(self, state: State) -> int:
        return int(state == 1)

    def actions(self, state: State) -> Any:
        yield 1

    def result(self, state: State, action: Action) -> State:
        return state + 1

    def is_terminal(self, state: State) -> bool:
        return state == 2

    def utility(self, state: State, player: int) -> float:
        return 1.0 if player == 0 else -1.0


def test_the_book_proves_nothing_where_positions_may_come_up_again() -> None:
    """It does not look back, and the position that it goes to may have stood before."""
    *_, last = engine_for(Shuffle(), "book:alpha-beta").analyse(0, Limit(5.0), previous=[1])
    assert not last.value.proved
    *_, last = engine_for(GAME, "book:alpha-beta").analyse(GAME.parse_position("1 2 4 5"), Limit(5.0))
    assert last.value.proved


def test_one_against_all_others_is_a_bound() -> None:
    game = plies.game(
        "tree", tree='{"levels": [0, 1, 2], "tree": [[{"value": [1, 2, 3]}], [{"value": [4, 0, 1]}]]}'
    )
    *_, last = engine_for(game, "book:paranoid").analyse(None, Limit(5.0))
    assert (last.value.proved, last.value.bound) == (True, ">=")


@pytest.mark.long
def test_every_search_knows_the_past(site: Site, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Job] = []
    submit = site.server.searches.submit
    monkeypatch.setattr(site.server.searches, "submit", lambda job: (asked.append(job), submit(job)))
    moves = ["A1", "B1", "A2", "B2"]
    small = {"game": "go", "parameters": {"size": "2", "rows": "3"}}
    for kind in client.ask("game", **small)["details"]["kinds"]:
        level = kind["levels"][0]["name"]
        while not asked:  # a low level may slip, which is no search
            after = client.ask("move", **small, moves=moves, algorithm=kind["name"], level=level)
            assert after["moves"][:4] == moves
        assert len(asked.pop().previous) == len(moves), kind["name"]
        asked.clear()
