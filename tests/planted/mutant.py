"""What a planted fault is, and tests that many of them name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A fault: in a function of a file, a text that is there once, and what it is replaced by."""

    file: str
    """From src/plies on."""
    function: str
    """A name, or "Class.method"; "" for the whole file."""
    text: str
    replacement: str
    tests: tuple[str, ...]
    """What to run, from the root on; the quickest to notice first."""
    compiled: bool = False
    """Whether the tests are of machine code; else they run interpreted."""
    why: str = ""
    """Why nothing can notice it."""

    def __str__(self) -> str:
        return f"{self.file}, {self.function}: {self.text!r} -> {self.replacement!r}"


def proofs(*cases: str) -> tuple[str, ...]:
    """The tests of proofs on graphs, of some cases only."""
    return tuple(f"tests/test_proofs.py::test_nothing_proved_is_false[{case}]" for case in cases)


PROOFS = (
    "tests/test_kernel_proofs.py",
    "tests/test_trust.py",
    *proofs(
        *(
            "alpha_beta-Loop",
            "alpha_beta-Clock",
            "alpha_beta-Cycle",
            "alpha_beta-ClockCycle",
            "alpha_beta-Superko",
            "alpha_beta-Thrice",
        ),
        *("alpha_beta-Graph", "alpha_beta-Wide", "alpha_beta-Share", "alpha_beta-ShareCycle"),
        *("solver-Graph", "solver-Wide", "solver-Share", "solver-Clock"),
        *("alpha_beta-Bounded", "alpha_beta-BoundedShare", "solver-Bounded", "solver-BoundedShare"),
    ),
)
EXPECTED = proofs("expectiminimax-Dice", "expectiminimax-ShareDice", "expectiminimax-CycleDice")
SHARED = proofs("max_n-Three", "max_n-ShareThree", "max_n-CycleThree")
ALONE = proofs("puzzle-Puzzle", "puzzle-CyclePuzzle")
PROVED = proofs("prover-Graph", "prover-Share", "prover-Clock")
GROWN = proofs("monte_carlo-Cycle", "monte_carlo-Superko", "monte_carlo-Thrice", "monte_carlo-Share")
BOOK = ("tests/test_book_alpha_beta.py",)
REFINED, STARS = "tests/test_book_refinements.py", "tests/test_book_star.py"
CHANCE = ("tests/test_book_chance_and_players.py",)
GOOFSPIEL, AT_ONCE = "tests/test_games_goofspiel.py", "tests/test_simultaneous.py"
PAGE_AT_ONCE = "tests/test_web_simultaneous.py"
ENGINE = ("tests/test_engine_properties.py", "tests/test_engine.py")
DICE = ("tests/test_engine_chance.py", "tests/test_chance_proofs.py")
TREE = ("tests/test_engine_monte_carlo.py",)
LEARN = ("tests/test_survivors.py", "tests/test_learn.py")
SOLVE = ("tests/test_solve.py",)


def plant(
    file: str, function: str, text: str, replacement: str, *tests: str, compiled: bool = False, why: str = ""
) -> Mutant:
    return Mutant(file, function, text, replacement, tests, compiled, why)
