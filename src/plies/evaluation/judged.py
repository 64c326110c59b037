"""How good an evaluation is: rank correlation and calibration by proved or deeper values, and its cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from plies.benchmark import evaluation_cost, short_time
from plies.book import Evaluation, evaluation_of
from plies.engine import Limit, algorithm_for, engine_for
from plies.engine.interrupts import Interrupts, noticing_interrupts
from plies.engine.root import blamed
from plies.errors import BadParameter, PliesError
from plies.evaluation.correlation import Correlation, kendall, spearman
from plies.evaluation.positions import Met, positions
from plies.evaluation.tables import as_html, as_text
from plies.game import Game, State
from plies.intervals import wilson
from plies.validation import refuse_simultaneous

NODES = 20_000
"""The nodes of each search for a reference value, by default: some milliseconds, compiled. Not tuned."""

PLIES = 60
"""The longest random game that is sampled, by default. Not tuned."""

MOST_POSITIONS = 20_000
"""Kendall's tau compares every pair, which takes a few seconds for this many. Not tuned."""

BUCKETS = 10
"""The most buckets of the calibration. Not tuned."""

COST_SECONDS = 0.1
"""The seconds for each figure of the cost. Not tuned."""


class Sample(NamedTuple):
    """A position on which an evaluation was judged; values are to the player to move."""

    position: str
    ply: int
    evaluation: float
    value: float
    """Of the reference."""
    proved: bool
    """Whether that is the value of the game, and not only of a deeper search."""
    depth: int


class Bucket(NamedTuple):
    """Positions of about the same evaluation."""

    positions: int
    evaluation: float
    """The mean evaluation."""
    value: float
    """The mean value, which in a calibrated evaluation is the same."""
    score: float | None
    """The share of games won, a draw as half a win, by the reference; None where nobody wins or loses."""
    interval: tuple[float, float] | None
    """Where the true share lies with 95 % certainty (Wilson's interval)."""


class Cost(NamedTuple):
    """What a call of an evaluation takes."""

    seconds: float
    rule_seconds: float
    """What a position takes that the rules make: actions(), result() and is_terminal()."""

    @property
    def ratio(self) -> float | None:
        """Calls in positions made; None if those are too quick to measure."""
        return self.seconds / self.rule_seconds if self.rule_seconds > 0 else None


@dataclass
class Judgement:
    """How good an evaluation is, on the positions so far; a table as text and in a notebook."""

    game: Game
    planned: int
    seed: int
    by: str
    """Who played the games that the positions are from."""
    samples: list[Sample] = field(default_factory=list)
    costs: dict[str, Cost] = field(default_factory=dict)
    """The cost of a call, "compiled" and "interpreted"."""
    stopped: bool = False
    """Whether Ctrl-C ended it."""

    @property
    def spearman(self) -> Correlation | None:
        """The rank correlation of evaluation and value (Spearman's rho); None if either is all the same."""
        return spearman(*self._pairs())

    @property
    def kendall(self) -> Correlation | None:
        """The rank correlation by pairs of positions (Kendall's tau-b); None as for `spearman`."""
        return kendall(*self._pairs())

    @property
    def proved(self) -> int:
        """How many of the values are proved."""
        return sum(sample.proved for sample in self.samples)

    @property
    def buckets(self) -> list[Bucket]:
        """Up to ten groups of about as many positions, by rising evaluation; equals are together."""
        estimates, _ = map(np.array, self._pairs())
        if not self.samples:
            return []
        edges = np.unique(np.quantile(estimates, np.linspace(0, 1, BUCKETS + 1)[1:-1], method="lower"))
        places = np.searchsorted(edges, estimates, side="right")
        groups = [
            [sample for sample, its in zip(self.samples, places, strict=True) if its == place]
            for place in range(len(edges) + 1)
        ]
        return [_bucket(self.game, group) for group in groups if group]

    @property
    def calibration_error(self) -> float:
        """The mean distance of evaluation and value by bucket, as a share of the range of utilities."""
        low, high = self.game.bounds
        wrong = sum(bucket.positions * abs(bucket.evaluation - bucket.value) for bucket in self.buckets)
        return wrong / len(self.samples) / (high - low) if self.samples and high > low else 0.0

    def _pairs(self) -> tuple[list[float], list[float]]:
        return [sample.evaluation for sample in self.samples], [sample.value for sample in self.samples]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "game": repr(self.game),
            "positions": len(self.samples),
            "planned": self.planned,
            "seed": self.seed,
            "by": self.by,
            "stopped": self.stopped,
            "proved": self.proved,
            "spearman": self.spearman and self.spearman._asdict(),
            "kendall": self.kendall and self.kendall._asdict(),
            "calibration_error": self.calibration_error,
            "buckets": [bucket._asdict() for bucket in self.buckets],
            "costs": {form: {**cost._asdict(), "ratio": cost.ratio} for form, cost in self.costs.items()},
            "samples": [sample._asdict() for sample in self.samples],
        }

    def __str__(self) -> str:
        lines = [self._title(), "", *self._facts()]
        if self.samples:
            lines += ["", *as_text(*self._table())]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return as_html(self._title(), *self._table(), self._facts())

    def _title(self) -> str:
        of = f" of {self.planned:,}" if len(self.samples) < self.planned else ""
        games = "random games" if self.by == "random" else f"games by {self.by}"
        return f"{self.game.name}: EVAL on {len(self.samples):,}{of} positions of {games}, seed {self.seed}"

    def _facts(self) -> list[str]:
        lines = ["stopped by Ctrl-C"] if self.stopped else []
        if self.samples:
            searched = [sample.depth for sample in self.samples if not sample.proved]
            deeper = f", {len(searched):,} searched" if searched else ""
            deeper += f" {sum(searched) / len(searched):.1f} plies deep on average" if any(searched) else ""
            lines.append(f"compared with  {self.proved:,} proved values{deeper}")
            lines.append(f"Spearman       {self.spearman or 'unknown: all values are equal'}")
            lines.append(f"Kendall        {self.kendall or 'unknown: all values are equal'}")
            lines.append(f"calibration    off by {self.calibration_error:.1%} of the range of utilities")
        for form, cost in self.costs.items():
            ratio = ""
            if cost.ratio is not None:
                times = f"{cost.ratio:,.0f}" if cost.ratio >= 10 else f"{cost.ratio:.2g}"
                ratio = f", {times} times a position made by the rules"
            lines.append(f"a call         {short_time(cost.seconds)} {form}{ratio}")
        return lines

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        buckets = self.buckets
        headings: tuple[str, ...] = ("mean EVAL", "mean value", "positions")
        rows = [(f"{one.evaluation:+.4g}", f"{one.value:+.4g}", f"{one.positions:,}") for one in buckets]
        if any(bucket.score is None for bucket in buckets):
            return headings, list(rows)
        shares = [
            (f"{one.score:.0%}", f"{one.interval[0]:.0%} to {one.interval[1]:.0%}")  # type: ignore[index]
            for one in buckets
        ]
        return (*headings, "won", "95 % interval"), [
            (*row, *share) for row, share in zip(rows, shares, strict=True)
        ]


def judge_evaluation(
    game: Game,
    state: State | None = None,
    *,
    positions: int = 100,
    seed: int = 0,
    evaluate: Evaluation | str | None = None,
    by: str = "random",
    plies: int = PLIES,
    depth: int | None = None,
    nodes: int | None = None,
    tell: Callable[[Judgement], None] | None = None,
) -> Judgement:
    """How good the evaluation of a game is, or another (`evaluate`): a function, or a name like "rollouts".

    It is compared with the values of searches, to a `depth` or of some `nodes`, on positions of games by a
    player, random by default, that go on for up to `plies` from `state`. A value is proved where the search
    sees the end of the game; another rests on the game's own evaluation, further on. `tell` is called after
    each position. Ctrl-C ends it with those so far.
    """
    refuse_simultaneous(game, "judging an evaluation")
    for name, number, most in (("positions", positions, MOST_POSITIONS), ("plies", plies, 10_000)):
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
            raise BadParameter(f"{name} must be between 1 and {most:,}, not {number!r}")
    if evaluate is None and not game.has("evaluate"):
        raise PliesError(f"{game.name} has no evaluation to judge: define evaluate(), or give another")
    valued = evaluation_of(game, evaluate)
    limit = Limit(depth=depth, nodes=NODES if depth is None and nodes is None else nodes)
    result = Judgement(game, positions, seed, by)
    start = game.initial() if state is None else state
    with noticing_interrupts() as interrupts, blamed(game, start):
        try:
            met = _judge(result, valued, start, plies, limit, interrupts, tell)
            if met:
                result.costs = _costs(game, start, met, None if evaluate is None else valued)
        except KeyboardInterrupt:
            result.stopped = True
    return result


def _judge(
    result: Judgement,
    valued: Evaluation,
    start: State,
    plies: int,
    limit: Limit,
    interrupts: Interrupts,
    tell: Callable[[Judgement], None] | None,
) -> list[Met]:
    """Add the samples; returns the positions."""
    game = result.game
    engine = engine_for(game, algorithm_for(game, limit))
    found = []
    for met in islice(positions(game, start, by=result.by, seed=result.seed, plies=plies), result.planned):
        searched = engine.search(met.state, limit, previous=met.previous)
        if interrupts.noticed:  # the search ended early, without an error
            raise KeyboardInterrupt
        estimate = float(valued(met.state, game.to_move(met.state)))
        if estimate != estimate:
            raise PliesError(f"the evaluation of {game.position(met.state)!r} is not a number")
        found.append(met)
        result.samples.append(
            Sample(
                game.position(met.state),
                met.ply,
                estimate,
                float(searched.value),
                searched.value.proved,
                searched.depth,
            )
        )
        if tell:
            tell(result)
    return found


def _bucket(game: Game, samples: Sequence[Sample]) -> Bucket:
    count = len(samples)
    score = interval = None
    if game.constant_sum and game.players > 1:
        draw = game.draw_value
        score = sum((sample.value > draw) + (sample.value >= draw) for sample in samples) / 2 / count
        interval = wilson(score, count)
    evaluation = sum(sample.evaluation for sample in samples) / count
    return Bucket(count, evaluation, sum(sample.value for sample in samples) / count, score, interval)


def _costs(game: Game, start: State, met: Sequence[Met], valued: Evaluation | None) -> dict[str, Cost]:
    """The cost of a call: of the game's own evaluation, or of another, which is interpreted."""
    measured = evaluation_cost(game, start, COST_SECONDS)
    if valued is None:
        return {form: Cost(one["evaluate"].seconds, one["rules"].seconds) for form, one in measured.items()}
    calls, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < COST_SECONDS:
        one = met[calls % len(met)].state
        valued(one, game.to_move(one))
        calls += 1
    return {"interpreted": Cost(spent / calls, measured["interpreted"]["rules"].seconds)}
