"""Tournaments: the plan, ratings by maximum likelihood, pages and records."""

from __future__ import annotations

import json
import math
import random
import re
from itertools import combinations
from pathlib import Path

import chess.pgn
import pytest

import plies
from plies.arena import match
from plies.arena.ratings import ELO, rated
from plies.arena.statistics import student
from plies.arena.tournament import Tournament, plan, tournament
from plies.arena.units import pair_seed
from plies.games.go_sgf import read_sgf
from plies.work.run import Where
from test_cli import program

pytestmark = pytest.mark.plain

GAME = plies.TicTacToe()

TENNIS = {
    (0, 1): (9, 6), (0, 2): (14, 3), (0, 3): (9, 2), (0, 4): (4, 3), (1, 2): (5, 0), (1, 3): (5, 1),
    (1, 4): (7, 2), (2, 3): (2, 4), (2, 4): (2, 2), (3, 4): (4, 3),
}  # fmt: skip
"""Matches of Djokovic, Federer, Murray, Nadal and Wawrinka, 2014 to 2018: Agresti, An Introduction to
Categorical Data Analysis, 3rd edition, table 8.8."""


def singles(results: dict[tuple[int, int], tuple[int, int]]) -> dict[tuple[int, int], list[list[float]]]:
    return {pair: [[1.0]] * won + [[0.0]] * lost for pair, (won, lost) in results.items()}


def test_a_published_example() -> None:
    """Data of Agresti's table 8.8, Wawrinka being at 0; strengths and standard errors by SciPy's BFGS."""
    found = rated(singles(TENNIS), 5, anchor=(4, 0.0))
    assert [elo / ELO for elo in found.elo] == pytest.approx([1.1761, 1.1358, -0.5685, -0.0618, 0], abs=2e-4)
    errors = [margin / ELO / student(2) for margin in found.margins]
    assert errors == pytest.approx([0.4995, 0.5109, 0.5683, 0.5149, 0], abs=2e-3)
    assert not found.prior
    assert found.superiority[0][2] > 0.99 > found.superiority[0][1] > 0.5
    assert found.superiority[0][1] + found.superiority[1][0] == pytest.approx(1)


def test_an_anchor_moves_all_alike() -> None:
    free, fixed = rated(singles(TENNIS), 5), rated(singles(TENNIS), 5, anchor=(1, 2400.0))
    assert sum(free.elo) == pytest.approx(0)
    assert fixed.elo[1] == 2400
    assert fixed.margins[1] == 0 < min(fixed.margins[2:])
    assert {round(one - other, 6) for one, other in zip(fixed.elo, free.elo, strict=True)} == {
        round(2400 - free.elo[1], 6)
    }


def minorised(scores: dict[tuple[int, int], list[list[float]]], players: int) -> list[float]:
    """Strengths by another algorithm: Hunter, MM Algorithms for Generalized Bradley-Terry Models, 2004."""
    strength = [1.0] * players
    for _ in range(20_000):
        new = []
        for one in range(players):
            points = weight = 0.0
            for (first, second), pairs in scores.items():
                games = [score for pair in pairs for score in pair]
                if one in (first, second):
                    points += sum(games) if one == first else len(games) - sum(games)
                    weight += len(games) / (strength[first] + strength[second])
            new.append(points / weight)
        mean = math.exp(sum(map(math.log, new)) / players)
        new = [number / mean for number in new]
        if max(abs(a - b) for a, b in zip(new, strength, strict=True)) < 1e-13:
            break
        strength = new
    return [ELO * math.log(number) for number in strength]


def test_another_algorithm_finds_the_same_with_draws() -> None:
    chance = random.Random(1)
    scores = {
        pair: [[chance.choice((0.0, 0.5, 1.0)), chance.choice((0.0, 0.5, 0.5, 1.0))] for _ in range(5)]
        for pair in combinations(range(4), 2)
        if pair != (1, 3)
    }
    assert rated(scores, 4).elo == pytest.approx(minorised(scores, 4), abs=1e-3)


def test_two_players_have_the_difference_of_their_match() -> None:
    played = match(GAME, "random", "book:minimax:2", games=20, seed=2)
    found = tournament(GAME, ["random", "book:minimax:2"], games=20, seed=2)
    assert [one.game for one in found.games] == played.games
    assert played.score != 0.5
    assert found.points(0) == (20 * played.score, 20)
    assert found.points(1, 0) == (20 - 20 * played.score, 20)
    assert found.results(1) == (played.losses, played.draws, played.wins)
    first, second = found.ratings.elo
    assert first - second == pytest.approx(played.elo[0])
    assert found.ratings.superiority[0][1] == pytest.approx(played.superiority, abs=0.02)


def test_who_has_all_points_gets_a_rating() -> None:
    found = rated({(0, 1): [[1.0, 1.0]] * 5, (0, 2): [[1.0, 1.0]] * 5, (1, 2): [[1.0, 0.5]] * 5}, 3)
    assert found.prior
    assert 1000 > found.elo[0] > found.elo[1] > found.elo[2] > -1000
    assert not rated({(0, 1): [[1.0, 0.5]] * 5}, 2).prior  # a draw is half a loss


def test_intervals_hold_what_they_promise() -> None:
    """Of games by known strengths, with draws and a first seat that matters: about 95 % of the intervals."""
    chance = random.Random(3)
    true = [120.0, 0.0, -120.0]
    held = 0
    for _ in range(150):
        scores = {}
        for one, other in combinations(range(3), 2):
            scores[one, other] = [
                [_drawn(chance, true[one] - true[other] + side) for side in (150, -150)] for _ in range(15)
            ]
        found = rated(scores, 3)
        # The seats flatten what differences are seen: what is estimated is the mean of both.
        flat = [_flat(elo) for elo in true]
        held += sum(
            abs(one - two) <= margin for one, two, margin in zip(found.elo, flat, found.margins, strict=True)
        )
    assert 0.91 <= held / 450 <= 0.995


def _drawn(chance: random.Random, difference: float) -> float:
    score = 1 / (1 + 10 ** (-difference / 400))
    draw = 0.4 * min(score, 1 - score)
    return chance.choices((1.0, 0.5, 0.0), (score - draw / 2, draw, 1 - score - draw / 2))[0]


def _flat(elo: float) -> float:
    mean = sum(1 / (1 + 10 ** (-(elo + side) / 400)) for side in (150, -150)) / 2
    return 400 * math.log10(mean / (1 - mean))


def test_the_plan() -> None:
    pairs = list(combinations(range(3), 2))
    units = list(plan(pairs, 5))
    assert len(units) == 15
    assert len({unit.number for unit in units}) == len({unit.key for unit in units}) == 15
    assert units == list(plan(pairs, 8))[:12] + [one for one in plan(pairs, 8) if one.data[2] == 4]
    assert [unit.data for unit in units[:4]] == [[0, 1, 0], [0, 1, 1], [0, 2, 0], [0, 2, 1]]
    assert len({pair_seed(0, *pair) for pair in combinations(range(4), 2)}) == 6


def test_a_gauntlet_goes_on_with_more_games(tmp_path: Path) -> None:
    players, save = ["book:minimax:2", "random", "reflex"], Where(units=tmp_path / "gauntlet.db")
    first = tournament(GAME, players, games=3, gauntlet=True, where=save)
    assert [one.players for one in first.games] == [(0, 1), (0, 1), (0, 2), (0, 2), (0, 1), (0, 2)]
    more = tournament(GAME, players, games=4, gauntlet=True, where=save)
    assert more == tournament(GAME, players, games=4, gauntlet=True)
    assert all(one in more.games for one in first.games)
    assert more.points(0)[1] == 8
    assert more.points(1, 2) == (0, 0)


@pytest.mark.parametrize(
    ("players", "settings", "sentence"),
    [
        (["random"], {}, "a tournament has 2 to 500 players, not 1"),
        (["random", "Random "], {}, "random is entered twice"),
        (["random", "reflex"], {"games": 0}, "a tournament has 1 to"),
        (["random", "reflex"], {"anchor": ("engine", 0.0)}, "the anchor must be one of the players"),
        (["random", "human"], {}, "players who are not human"),
    ],
)
def test_what_cannot_be(players: list[str], settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(plies.BadParameter, match=sentence):
        tournament(GAME, players, **settings)  # type: ignore[arg-type]


def test_the_page_has_every_game(tmp_path: Path) -> None:
    words = ["tournament", "tic-tac-toe", "random", "reflex", "book:minimax:2", "--games", "2"]
    done = program(*words, "--html", str(tmp_path / "page"), "--anchor", "random", "1000")
    assert done.code == 0, done.error
    assert re.search(r"^\d  random +1000    0 ", done.out, re.MULTILINE)
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'href="(games/\d+\.html)"', page))
    assert len(linked) == 6
    for game in linked:
        assert 'type="range"' in (tmp_path / "page" / game).read_text(encoding="utf-8")
    data = json.loads(program(*words, "--json").out)
    assert [row["player"] for row in data["players"]] == re.findall(r"<tr><td>\d</td><td>(.*?)</td>", page)
    assert sum(sum(one[0] for one in row["points"].values()) for row in data["players"]) == 6


def test_records_are_read_by_others(tmp_path: Path) -> None:
    pgn, sgf = tmp_path / "games.pgn", tmp_path / "games.sgf"
    words = ["--games", "2", "--plies", "12", "--record"]
    done = program("tournament", "chess", "random", "random:7", *words, str(pgn))
    assert done.code == 0, done.error
    with pgn.open() as file:
        read = [chess.pgn.read_game(file) for _ in range(2)]
        assert chess.pgn.read_game(file) is None
    assert [one.headers["White"] for one in read if one] == ["random", "random:7"]
    assert all(one and one.headers["Result"] == "1/2-1/2" and not one.errors for one in read)
    done = program("tournament", "go", "size=5", "random", "reflex", *words, str(sgf))
    assert done.code == 0, done.error
    text = sgf.read_text()
    assert text.count("(;") == 2
    assert len(read_sgf(text, plies.Go).actions) == 12
    done = program("tournament", "nim", "random", "reflex", "--record", str(pgn))
    assert (done.code, done.out) == (2, "")


def test_nothing_is_rated_before_the_first_game() -> None:
    assert Tournament(("random", "reflex"), 2, 0).ratings.elo == pytest.approx((0, 0))
