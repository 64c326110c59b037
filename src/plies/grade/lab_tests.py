"""The tests of a file in lab style: the functions of the hand-out, minimax, the best move, the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import isclose
from typing import Any

from plies.grade.book_tests import Outcome, Test, board
from plies.grade.bugs import BUGS
from plies.grade.child.tables import LINES, moves, positions, winner
from plies.grade.diagnosis import Finding
from plies.grade.lab_best import judge_best
from plies.grade.lab_calls import judge_calls
from plies.grade.lab_variants import (
    END_CASES,
    LabProgram,
    Linear,
    depth_at,
    exact,
    lab_cases,
    measured,
    nodes,
    programs,
    right_ends,
)
from plies.grade.session import Session
from plies.grade.truth import POSITIONS
from plies.grade.variants import RIGHT
from plies.sandbox.process import Ended

FUNCTIONS = {
    "show": 1,
    "clearBoard": 1,
    "availableMoves": 1,
    "getMoves": 1,
    "makeMove": 1,
    "checkWin": 2,
    "whoWon": 1,
    "gameOver": 1,
    "changePlayer": 1,
}
"""The functions that are compared in every position, with their points."""

PROMPT = ("you are x", "choose number from 1-9")
"""What the prompt of the hand-out says."""

COUNTED = "XO..X...."
"""Where calls are counted: with six empty cells, in the middle of the game."""


class LabTests:
    """The tests of a file in lab style."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._functions: dict[str, Any] | Ended | None = None
        self._run: dict[str, Any] | Ended | None = None
        """What was seen when the file was run as a program."""
        self.answers: list[dict[str, Any]] = []
        """The answers to the cases of `lab_variants`."""
        self.ends: dict[str, Linear] = {}
        """What the file says that ends are worth."""
        self.program: LabProgram | None = None
        """The program that minimax was recognised as."""
        self.found: list[Finding] = []

    def tests(self) -> Iterator[Test]:
        """All tests, in the order of the skeleton."""
        for name, points in FUNCTIONS.items():
            yield Test(name, points, partial(self._function, name))
        yield Test("minimax: positions near the end", 4, self._minimax)
        yield Test("minimax: the board afterwards", 2, self._undo)
        yield Test("minimax: quick wins and slow losses", 2, self._depth)
        yield Test("minimax: calls", 1, self._calls)
        yield Test("minimax: all positions", 4, self._sweep)
        yield Test("make_best_move", 4, self._best)
        yield Test("prompt", 1, self._prompt)
        yield Test("a game against the program", 2, self._game)

    def findings(self) -> Iterator[Finding]:
        """What is wrong."""
        yield from self.found

    # -- The functions of the hand-out.

    def _compared(self) -> dict[str, Any]:
        if self._functions is None:
            try:
                self._functions = self.session.ask("lab_functions")
            except Ended as error:
                self._functions = error
        if isinstance(self._functions, Ended):
            raise self._functions
        assert self._functions is not None
        return self._functions

    def _function(self, name: str) -> Outcome:
        found = self._compared()
        if name in found["missing"]:
            return Outcome(0, f"there is no {name}")
        if name not in found["wrong"]:
            return Outcome(1, "right")
        count, position, given, right = found["wrong"][name]
        where = position if len(position) == 1 else board(position)
        words = f"wrong {count:,} times, first for {where}: {given}, not {right}"
        if name == "checkWin":
            words += self._missing_line(position, given)
        return Outcome(1 - min(count, POSITIONS) / POSITIONS if count > 9 else 0, words)

    def _missing_line(self, position: str, given: str) -> str:
        """Which line checkWin does not know, if the first position where it is wrong has such a line."""
        full = [line for line in LINES if winner(_only(position, line))]
        if not full or given not in ("''", "None", "False"):
            return ""
        cells = "-".join(str(cell + 1) for cell in full[0])
        self.found.append(
            Finding("checkWin", (BUGS["line-missing"],), position=position, words=f"It is the line {cells}.")
        )
        return f": the line {cells} is missing"

    # -- Minimax.

    def _observe(self) -> list[dict[str, Any]]:
        """The answers to all cases, and what they say about the program."""
        if self.answers:
            return self.answers
        ends = self.session.ask("lab_minimax", cases=END_CASES)
        for one in ends:
            if "error" in one:
                raise Ended(one["error"])
        self.answers = self.session.ask("lab_minimax", cases=[list(case) for case in lab_cases()])
        self.ends = measured(ends)
        self._recognise(self.ends)
        return self.answers

    def _recognise(self, ends: dict[str, Any]) -> None:
        """Find the program, right or wrong, that gives all the answers."""
        if self.answers[0]["touched"] < 4 and "error" not in self.answers[0]:
            self._note("no-search", *lab_cases()[-1])
            return
        turned = ends["X"][0] < ends["O"][0]
        if turned:  # O maximises: the same program, with all signs turned, is to be right
            ends = {who: (-constant, -by_ply) for who, (constant, by_ply) in ends.items()}
        observed = [
            (position, depth, one, -one["value"] if turned and "value" in one else one.get("value"))
            for (position, depth), one in zip(lab_cases(), self.answers, strict=True)
        ]
        if not ends["X"][0] > ends[""][0] > ends["O"][0]:
            self.program = LabProgram(1, ends)
            win, draw, loss = (self.ends[who][0] for who in ("X", "", "O"))
            words = f"A win of X is worth {win:g}, a draw {draw:g}, a win of O {loss:g}."
            self.found.append(Finding("minimax", (BUGS["ends"],), words=words))
            return
        first = next(((p, d, one) for p, d, one, _ in observed if "error" in one), None)
        if first:
            self._note("error", first[0], first[1], words=first[2]["error"])
            return
        left = next(((p, d) for p, d, one, _ in observed if one["after"] != p), None)
        if left:
            self.program = LabProgram(1, ends, undoes=False)
            self._note("undo", *left)
            return
        for bug, program in programs(ends, observed[0][2]["prunes"]):
            if all(_near(program.value(position, depth), value) for position, depth, _, value in observed):
                self.program = program
                if bug is not None:
                    right = self._right(program)
                    shown = next((p, d) for p, d, _, value in observed if not _near(right.value(p, d), value))
                    self._note(bug.key, *shown)
                break
        else:
            guess = LabProgram(1, ends)
            shown = next((p, d) for p, d, _, value in observed if not _near(guess.value(p, d), value))
            self.program = guess
            self._note("", *shown)
        if turned:
            self._note("roles", *lab_cases()[0])

    def _note(self, key: str, position: str, depth: int, words: str = "") -> None:
        self.found.append(
            Finding(
                "minimax",
                (BUGS[key],) if key else (),
                position=position,
                depth=depth,
                words=words or self._both(position, depth),
                program=self.program,
            )
        )

    def _both(self, position: str, depth: int) -> str:
        """What the file answers in a position, and what is right, in words."""
        asked = [
            one for case, one in zip(lab_cases(), self.answers, strict=True) if case == (position, depth)
        ]
        if self.program is None or not asked or "value" not in asked[0]:
            return ""
        right = self._right(self.program).value(position, depth)
        given = float(asked[0]["value"])
        words = f"In {board(position)} at depth {depth} it answers {given:g}; right is {right:g}."
        if asked[0]["after"] != position:
            words += f" Afterwards the board is {board(asked[0]['after'])}."
        return words

    def _right(self, program: LabProgram) -> LabProgram:
        """The program without its bug."""
        return replace(program, variant=RIGHT, undoes=True, changes_player=True)

    def _has(self, key: str) -> bool:
        return any(bug.key == key for finding in self.found for bug in finding.bugs)

    def _is_right(self) -> bool:
        """Whether minimax was recognised as a right program, whatever it does with depth and window."""
        return self.program is not None and not any(
            finding.function == "minimax" and not finding.prunes for finding in self.found
        )

    def _minimax(self) -> Outcome:
        answers = self._observe()
        names = [finding.title for finding in self.found if finding.function == "minimax"]
        if self._is_right():
            return Outcome(1, f"{len(answers)} of {len(answers)} right")
        right = 0
        if self.program is not None and not self._has("ends"):
            truth = self._right(self.program)
            right = sum(
                _near(truth.value(position, depth), one.get("value"))
                for (position, depth), one in zip(lab_cases(), answers, strict=True)
            )
        return Outcome(
            right / len(answers), f"{right} of {len(answers)} right: {names[0] if names else 'wrong'}"
        )

    def _undo(self) -> Outcome:
        answers = self._observe()
        left = sum(one["after"] != position for (position, _), one in zip(lab_cases(), answers, strict=True))
        if not left:
            return Outcome(1, "as it was")
        return Outcome(1 - left / len(answers), f"changed in {left} of {len(answers)} searches")

    def _depth(self) -> Outcome:
        """Whether the sign of the depth is right: both players like quick wins and slow losses."""
        self._observe()
        if self.program is None:
            return Outcome(0, "minimax is not what it should be")
        way = self.program.direction or 1
        by_ply = {who: self.program.ends[who][1] * way for who in "XO"}
        if by_ply["X"] == by_ply["O"] == 0:
            return Outcome(
                1, "a win is a win: the depth does not count (10 - depth would prefer the quick one)"
            )
        bad = [who for who, sign in (("X", 1), ("O", -1)) if by_ply[who] * sign > 0]
        if not bad:
            return Outcome(1, "a quick win is worth more")
        key = "depth-sign" if len(bad) == 2 else f"depth-sign-of-{'max' if bad == ['X'] else 'min'}"
        self._note(key, self._slow(bad[0]), depth_at("." * 9, self.program.direction))
        return Outcome(0 if len(bad) == 2 else 0.5, BUGS[key].name)

    def _calls(self) -> Outcome:
        """How many positions are searched: at most all that are below one in the middle of the game."""
        self._observe()
        if self.program is None:
            return Outcome(0, "minimax is not what it should be")
        depth = 9 if self.program.direction < 0 else 0
        (found,) = self.session.ask("lab_minimax", cases=[[COUNTED, depth]])
        if "error" in found:
            return Outcome(0, found["error"])
        most, calls = nodes(COUNTED), found["calls"]
        if not calls:
            return Outcome(1, "not counted: no function of the file that can be seen calls itself")
        if self._is_right() and self.answers[0]["prunes"]:
            outcome, finding = judge_calls(self.program, self.session)
            if finding is not None:
                self.found.append(finding)
            return outcome
        return Outcome(float(calls <= most), f"{calls:,} calls for the {most:,} nodes below {board(COUNTED)}")

    def _slow(self, mark: str) -> str:
        """The position with most marks in which a player would choose the slower win."""
        assert self.program is not None
        ours, theirs = exact(replace(self.program, ends=right_ends(self.program))), exact(self.program)
        choose = max if mark == "X" else min
        for position in reversed(positions()):
            below = [child for _, child in moves(position)]
            if below and "XO"[(9 - position.count(".")) % 2] == mark:
                chosen = choose(theirs[child] for child in below)
                best = choose(ours[child] for child in below)
                if not any(theirs[child] == chosen and ours[child] == best for child in below):
                    return position
        return "." * 9

    def _swept(self) -> dict[str, Any]:
        self._observe()
        if self.program is None or self._has("ends"):
            raise Ended("minimax is wrong near the end of the game already")
        if not hasattr(self, "_sweep_answer"):
            self._sweep_answer = self.session.ask("lab_sweep", direction=self.program.direction)
        return self._sweep_answer  # type: ignore[no-any-return]

    def _sweep(self) -> Outcome:
        found = self._swept()
        assert self.program is not None
        turn = -1 if self._has("roles") else 1
        right = exact(self.program)
        wrong = [
            (position, value)
            for position, value in zip(positions(), found["values"], strict=True)
            if not _near(right[position], turn * value)
        ]
        if not wrong:
            return Outcome(1, f"right in all {POSITIONS:,}")
        position, value = wrong[-1]
        words = (
            f"wrong in {len(wrong):,}, such as {board(position)}: {value:g}, not {turn * right[position]:g}"
        )
        return Outcome(1 - len(wrong) / POSITIONS, words)

    # -- The best move, and the game.

    def _best(self) -> Outcome:
        found = self._swept()
        if not found["has_best"]:
            return Outcome(0, "there is no make_best_move")
        assert self.program is not None
        outcome, finding = judge_best(self.program, found["best"], self._is_right())
        if finding is not None:
            self.found.append(finding)
        return outcome

    def _prompts(self) -> dict[str, Any]:
        """What was asked when the file was loaded, or else when it is run."""
        if self.session.loaded["prompts"]:
            return self.session.loaded
        if self._run is None:
            try:
                self._run = self.session.load("__main__")
            except Ended as error:
                self._run = error
            self.session.end()
        if isinstance(self._run, Ended):
            raise self._run
        return self._run

    def _prompt(self) -> Outcome:
        prompts = self._prompts()["prompts"]
        if not prompts:
            return Outcome(0, "it asks nothing, imported or run")
        said = [" ".join(prompt.lower().replace("–", "-").split()) for prompt in prompts]  # noqa: RUF001
        if any(all(part in prompt for part in PROMPT) for prompt in said):
            return Outcome(1, "as in the hand-out")
        self.found.append(Finding("prompt", (BUGS["prompt"],), words=f"It asks: {prompts[0]!r}."))
        return Outcome(0, f"it asks {prompts[0]!r}")

    def _game(self) -> Outcome:
        played = self._prompts()
        if played["error"]:
            return Outcome(0, played["error"])
        if not played["asked"]:
            return Outcome(0, "no game is played, imported or run")
        return Outcome(1, f"played to the end; {questions(played['asked'])} answered")


def questions(count: int) -> str:
    """How many questions were, in words."""
    return "1 question was" if count == 1 else f"{count} questions were"


def _only(position: str, line: tuple[int, ...]) -> str:
    return "".join(mark if i in line else "." for i, mark in enumerate(position))


def _near(one: float, other: float | str | None) -> bool:
    return isinstance(other, float | int) and isclose(one, other, abs_tol=1e-9)
