"""The tests of a file in book style: rules, evaluation, searches and an agent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf, isclose
from typing import Any, NamedTuple, Protocol

from plies.grade.agents import Chosen, choices, diagnose_agent
from plies.grade.child.book import RULES
from plies.grade.diagnosis import Finding, Observed, agrees, diagnose
from plies.grade.trees import (
    MIN,
    Answer,
    Case,
    TestTree,
    answer_of,
    chance_cases,
    depth_cases,
    ghost_cases,
    min_cases,
    min_window_cases,
    plain_cases,
    window_cases,
)
from plies.grade.truth import ALPHA_BETA_LEAVES, MINIMAX_LEAVES, POSITIONS, values
from plies.grade.variants import RIGHT, STRICT
from plies.sandbox.process import Ended

SEARCHES = {
    "minimax": ("minimax", "minimax_value", "minimax_decision"),
    "alpha_beta": ("alpha_beta", "alphabeta", "alphaBeta", "alpha_beta_search"),
    "expectiminimax": ("expectiminimax", "expectimax"),
    "best_action": ("best_action", "agent", "choose_action"),
}
"""The functions of a file, and other names that they may have."""


class Asked(Protocol):
    """A student's code that can be asked."""

    loaded: dict[str, Any]

    def ask(self, operation: str, **request: Any) -> Any: ...


class Outcome(NamedTuple):
    """What came of a test: the share of its points, and words."""

    share: float
    words: str = ""


class Test(NamedTuple):
    """A test: its name, its points, and how it is run."""

    name: str
    points: float
    run: Callable[[], Outcome]


class BookTests:
    """The tests of a file in book style."""

    def __init__(self, session: Asked, strict: bool = False) -> None:
        self.session = session
        self.right = STRICT if strict else RIGHT
        self.names = {
            name: next((one for one in others if one in session.loaded["names"]), "")
            for name, others in SEARCHES.items()
        }
        self.observed: dict[str, list[Observed]] = {}
        self.chosen: list[Chosen] = []
        """What the agent chose."""
        self.takes: dict[str, list[str]] = {}
        self.unseen: set[str] = set()
        """The searches whose way through a tree is not seen, so that only their values count."""

    def tests(self) -> Iterator[Test]:
        """All tests, in the order of the skeleton."""
        yield Test("rules", 3, self._rules)
        yield Test("evaluation", 1, self._evaluation)
        yield from self._searches("minimax", False)
        yield from self._searches("alpha_beta", True)
        yield Test("alpha_beta: windows", 2, self._windows)
        yield Test("alpha_beta: leaves on the empty board", 1, self._count)
        yield Test("expectiminimax: chance", 3, partial(self._trees, "expectiminimax", "", chance_cases()))
        plain = [case for case in plain_cases() if isinstance(case.tree.root, list)]
        yield Test("best_action: trees", 1, partial(self._agent, "", [*plain, *min_cases()]))
        yield Test("best_action: depth bound", 1, partial(self._agent, "depth", depth_cases()))

    def _searches(self, function: str, prunes: bool) -> Iterator[Test]:
        """The tests of minimax and alpha-beta alike."""
        yield Test(f"{function}: trees", 3, partial(self._trees, function, "", plain_cases()))
        if prunes:
            yield Test(f"{function}: cut-offs", 2, partial(self._cuts, function))
        yield Test(f"{function}: two ghosts", 1, partial(self._trees, function, "", ghost_cases()))
        yield Test(f"{function}: depth bound", 2, partial(self._trees, function, "depth", depth_cases()))
        yield Test(f"{function}: all positions of Tic-Tac-Toe", 2, partial(self._sweep, function))

    def findings(self) -> Iterator[Finding]:
        """What is wrong with the searches, by all that was observed."""
        found = [
            finding
            for function, observed in self.observed.items()
            if (finding := diagnose(function, observed, self._prunes(function), self.right))
        ]
        yield from found
        agent = diagnose_agent("best_action", self.chosen, found)
        if agent is not None:
            yield agent

    def _prunes(self, function: str) -> bool:
        return function == "alpha_beta" and function not in self.unseen

    # -- The game.

    def _rules(self) -> Outcome:
        if not self.session.loaded["rules"]:
            return Outcome(0, f"there is no class with the six rules {', '.join(RULES)}")
        found = self.session.ask("rules")
        wrong: dict[str, list[Any]] = found["wrong"]
        if not wrong and found["positions"] == POSITIONS:
            return Outcome(1, f"right in all {POSITIONS:,} positions")
        words = [
            f"{rule}() is wrong in {_many(count)}, first in {board(position)}: {given}, not {right}"
            for rule, (count, position, given, right) in wrong.items()
        ]
        if not wrong:
            words = [f"only {found['positions']:,} of {POSITIONS:,} positions are reached"]
        return Outcome(max(0.0, 1 - (len(wrong) or 3) / len(RULES)), "; ".join(words))

    def _evaluation(self) -> Outcome:
        if not self.session.loaded["rules"]:
            return Outcome(0, "there is no game to evaluate")
        wrong: dict[str, list[Any]] = self.session.ask("evaluation")["wrong"]
        if not wrong:
            return Outcome(1, "opposite for the players, and less than a win")
        told = {
            "finite": "it is not finite in {}: {}",
            "opposite": "it should be opposite for the two players, but in {} it is {} and {}",
            "less than a win": "in {} it is {}, and a win only {}",
        }
        words = [told[name].format(*rest) for name, (_, *rest) in wrong.items()]
        return Outcome(1 - len(wrong) / 3, "; ".join(words))

    # -- Searches.

    def _ready(self, function: str, wanted: str = "") -> str:
        """The name of a function in the file; `Ended` if there is none, or it takes less than is wanted."""
        name = self.names[function]
        if not name:
            raise Ended(f"there is no function {function}")
        if function not in self.takes:
            self.takes[function] = self.session.ask("takes", function=name)
        missing = {"depth": ["depth"], "windows": ["alpha", "beta"]}.get(wanted, [])
        if any(one not in self.takes[function] for one in missing):
            raise Ended(f"{name} takes no {' and '.join(missing)}")
        return name

    def _trees(self, function: str, wanted: str, cases: Sequence[Case]) -> Outcome:
        name = self._ready(function, wanted)
        observed = self._observe(name, cases)
        self.observed.setdefault(function, []).extend(observed)
        judge = _in_window if wanted == "windows" else _value_is_right
        return _share([judge(one) for one in observed], observed)

    def _windows(self) -> Outcome:
        """Windows, with MIN at the root as well where values are those of MAX there, too."""
        name = self._ready("alpha_beta", "windows")
        cases = (*window_cases(), *min_window_cases()) if self._view(name) == "max" else window_cases()
        return self._trees("alpha_beta", "windows", cases)

    def _view(self, name: str) -> str:
        """Whose value a search returns: that of "max", or of the "mover"."""
        (one,) = self._observe(name, [Case(TestTree([5], (MIN,)))])
        return "mover" if one.answer.value == -5 else "max"

    def _observe(self, name: str, cases: Sequence[Case]) -> list[Observed]:
        asked = [
            (i, case.depth, case.alpha if case.alpha > -inf else None, case.beta if case.beta < inf else None)
            for i, case in enumerate(cases)
        ]
        trees = [case.tree.tables for case in cases]
        found = self.session.ask("search", function=name, trees=trees, cases=asked)
        return [
            Observed(case, Answer(_number(one), tuple(dict.fromkeys(one["leaves"])), one.get("error", "")))
            for case, one in zip(cases, found, strict=True)
        ]

    def _cuts(self, function: str) -> Outcome:
        """Whether the leaves are those that alpha-beta looks at, on the trees that were searched already."""
        cases = set(plain_cases())
        self._ready(function)
        observed = [one for one in self.observed.get(function, ()) if one.case in cases]
        if not observed:
            observed = self._observe(self._ready(function), plain_cases())
            self.observed.setdefault(function, []).extend(observed)
        judged = [agrees(one, True, self.right) for one in observed]
        extra = sum(
            max(0, len(one.answer.leaves) - len(answer_of(one.case, self.right, True).leaves))
            for one in observed
        )
        outcome = _share(judged, observed)
        if outcome.share < 1 and extra:
            return Outcome(outcome.share, f"{outcome.words}; {extra} leaves more than need be")
        return outcome

    def _sweep(self, function: str) -> Outcome:
        name = self._ready(function)
        found = self.session.ask("sweep", function=name, view=self._view(name))
        exact = list(values().items())
        wrong = [
            (position, mine, right)
            for mine, (position, right) in zip(found, exact, strict=True)
            if not isinstance(mine, float | int) or not isclose(mine, right, abs_tol=1e-9)
        ]
        if not wrong:
            return Outcome(1, f"right in all {POSITIONS:,}")
        position, mine, right = wrong[-1]  # that with most marks
        words = f"wrong in {len(wrong):,}, such as {board(position)}: {float(mine):g}, not {right}"
        return Outcome(1 - len(wrong) / POSITIONS, words)

    def _count(self) -> Outcome:
        found = self.session.ask("count", function=self._ready("alpha_beta"), position="." * 9)
        leaves = found["leaves"]
        if found["value"] != 0:
            return Outcome(0, f"the value is {float(found['value']):g}, not 0")
        if not leaves:
            return Outcome(0, "it looked at no leaf")
        limit = ALPHA_BETA_LEAVES if self.right is RIGHT else inf
        words = f"{leaves:,} leaves; alpha-beta looks at {ALPHA_BETA_LEAVES:,}, minimax at {MINIMAX_LEAVES:,}"
        return Outcome(1 if leaves <= limit else 0.5 if leaves < 100_000 else 0, words)

    def _agent(self, wanted: str, cases: Sequence[Case]) -> Outcome:
        name = self._ready("best_action", wanted)
        trees, depths = [case.tree.tables for case in cases], [case.depth for case in cases]
        found = self.session.ask("agent", function=name, trees=trees, depths=depths)
        right = [one.get("action") in choices(case, RIGHT) for case, one in zip(cases, found, strict=True)]
        errors = [one["error"] for one in found if "error" in one]
        if not errors:
            self.chosen += [Chosen(case, one["action"]) for case, one in zip(cases, found, strict=True)]
        words = f"the best action in {sum(right)} of {len(right)} trees"
        return Outcome(sum(right) / len(right), f"{words}; {errors[0]}" if errors else words)


def _number(found: dict[str, Any]) -> float | None:
    return float(found["value"]) if "value" in found else None


def _value_is_right(one: Observed) -> bool:
    """Whether a value is right, and was found by a look at the game."""
    if not one.answer.leaves:
        return False
    return one.answer.agrees(answer_of(one.case, RIGHT, False), leaves=False)


def _in_window(one: Observed) -> bool:
    """Whether a value is right for a window: exact inside, and outside a bound of the exact value."""
    found, exact = one.answer.value, answer_of(Case(one.case.tree), RIGHT, False).value
    if found is None or exact is None:
        return False
    if found <= one.case.alpha:
        return exact <= found
    return exact >= found if found >= one.case.beta else exact == found


def _share(judged: Sequence[bool], observed: Sequence[Observed]) -> Outcome:
    right = sum(judged)
    if right == len(judged):
        return Outcome(1, f"{right} of {len(judged)} right")
    errors = [one.answer.error for one in observed if one.answer.error]
    words = f"{right} of {len(judged)} right"
    return Outcome(right / len(judged), f"{words}; {errors[0]}" if errors else words)


def board(position: str) -> str:
    """A position as it is written elsewhere: "X../.O./..."."""
    return f"{position[:3]}/{position[3:6]}/{position[6:]}"


def _many(count: int) -> str:
    return "1 position" if count == 1 else f"{count:,} positions"
