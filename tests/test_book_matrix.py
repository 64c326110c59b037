"""Fictitious play and regret matching: by hand, within their bounds, and towards the value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plies import BadParameter, book, matrix_game
from test_matrix import SMALL, blotto, morra

pytestmark = pytest.mark.plain

GAMES = {
    "pennies": [[1, -1], [-1, 1]],
    "rock, paper, scissors, scissors dear": [[0, -1, 2], [1, 0, -1], [-2, 1, 0]],
    "morra": morra(3),
    "blotto": blotto(4, 3),
}

LEARNERS: dict[str, Any] = {
    "fictitious play": book.fictitious_play,
    "regret matching": book.regret_matching,
    "regret matching, drawn": lambda game, rounds: book.regret_matching(game, rounds=rounds, seed=1),
}


def test_fictitious_play_by_hand() -> None:
    """Matching pennies: both begin with heads; then each replies to what the other has shown more often."""
    play = book.fictitious_play(GAMES["pennies"], rounds=8)
    rows, columns = [list(map(np.argmax, plays)) for plays in (play.row_plays, play.column_plays)]
    assert rows == [0, 0, 0, 1, 1, 1, 1, 1]
    assert columns == [0, 1, 1, 1, 1, 1, 0, 0]
    assert play[2].row_average == (1, 0)
    assert play[2].column_average == (0.5, 0.5)
    assert (play[2].lower, play[2].upper) == (-1, 0)


def test_steps_show_by_what_each_player_chose() -> None:
    play = book.fictitious_play("3 -1; -2 1", rounds=4)
    assert [line.split() for line in play.steps().splitlines()[3:]] == [
        ["1", "0", "0", "r1", "0", "0", "c1", "-1.0000", "3.0000"],
        ["2", "3", "-2", "r1", "3", "-1", "c2", "-1.0000", "1.0000"],  # the best row, the cheapest column
        ["3", "2", "-1", "r1", "6", "-2", "c2", "-1.0000", "0.3333"],
        ["4", "1", "0", "r1", "9", "-3", "c2", "-1.0000", "0.2500"],
    ]
    regrets = book.regret_matching("3 -1; -2 1", rounds=2)
    assert [line.split() for line in regrets.steps(1).splitlines()[3:]] == [
        ["1", "0", "0", "0.50", "0.50", "0", "0", "0.50", "0.50", "0.0000", "1.0000"]
    ]
    # Row got 1/4; r1 would have got 1, and r2 -1/2. Column paid 1/4; c1 would have cost 1/2, and c2 0.
    assert regrets.row_scores[1].tolist() == [0.75, -0.75]
    assert regrets.column_scores[1].tolist() == [-0.25, 0.25]


def test_regret_matching_by_hand() -> None:
    """Against a column that always pays more for row 2, its regret alone is positive after one round."""
    play = book.regret_matching([[0], [1]], rounds=3)
    assert play.row_plays.tolist() == [[0.5, 0.5], [0, 1], [0, 1]]
    assert play.regret[:, 0] == pytest.approx([1 / 2, 1 / 4, 1 / 6])


@pytest.mark.long
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", GAMES)
def test_averages_close_in_on_the_value(learner: str, name: str) -> None:
    game = matrix_game(GAMES[name])
    value, spread = float(game.value), float(np.ptp(np.array(GAMES[name])))
    play = LEARNERS[learner](game, rounds=5000)
    assert (play.lower <= value + 1e-9).all()
    assert (play.upper >= value - 1e-9).all()
    assert play.exploitability[-1] < 0.05 * spread
    assert play.exploitability[-1] <= play.exploitability[49] / 3
    averages = play.row_average, play.column_average
    assert float(game.exploitability(*averages)) == pytest.approx(play.exploitability[-1], abs=1e-9)


@given(SMALL, st.integers(1, 300))
def test_regret_matching_keeps_to_its_bound_in_every_round(rows: list[list[int]], rounds: int) -> None:
    play = book.regret_matching(rows, rounds=rounds)
    spread = max(map(max, rows)) - min(map(min, rows))
    t = np.arange(1, rounds + 1)
    for player, actions in enumerate((len(rows), len(rows[0]))):
        assert (play.regret[:, player] <= spread * np.sqrt(actions / t) + 1e-9).all()


def test_drawn_regret_matching_keeps_to_its_bound_on_average() -> None:
    rows, rounds = GAMES["rock, paper, scissors, scissors dear"], 200
    squares = [
        np.maximum(book.regret_matching(rows, rounds=rounds, seed=seed).regret[-1], 0) ** 2
        for seed in range(40)
    ]
    assert (np.mean(squares, axis=0) <= 4**2 * 3 / rounds).all()


@given(SMALL, st.integers(1, 60), st.integers(0, 3))
def test_the_gap_is_the_sum_of_both_regrets(rows: list[list[int]], rounds: int, seed: int) -> None:
    for play in (
        book.fictitious_play(rows, rounds=rounds),
        book.regret_matching(rows, rounds=rounds),
        book.regret_matching(rows, rounds=rounds, seed=seed),
    ):
        assert play.exploitability == pytest.approx(play.regret.sum(axis=1), abs=1e-9)


def test_rounds_are_data_and_a_table() -> None:
    play = book.fictitious_play("1 -1; -1 1", rounds=25)
    assert len(play) == 25 == len(list(play))
    assert [line.split()[0] for line in str(play).splitlines()[2:]] == [
        *("round", "1", "2", "3", "4", "5", "6", "10", "20", "25"),
    ]
    same = [book.regret_matching("1 -1; -1 1", rounds=9, seed=4).row_plays.tolist() for _ in range(2)]
    assert same[0] == same[1]
    assert all(math.isclose(sum(one.row_average), 1) for one in play)


@pytest.mark.parametrize("rounds", [0, -1, 1.5, True, 10**7, "ten"])
@pytest.mark.parametrize("learner", [book.fictitious_play, book.regret_matching])
def test_bad_rounds_get_a_sentence(learner: Any, rounds: Any) -> None:
    with pytest.raises(BadParameter, match="rounds must be a whole number from 1 to 1,000,000"):
        learner("1", rounds=rounds)


def test_no_such_round() -> None:
    with pytest.raises(BadParameter, match="there are rounds 1 to 3, not 0"):
        book.fictitious_play("1", rounds=3)[0]
