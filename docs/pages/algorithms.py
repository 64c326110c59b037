"""A page for each algorithm, from the registry and the book; docs/algorithms/NAME.md adds to it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import plies
from docs.pages.games import source, title
from docs.pages.written import DOCS, merged, table
from plies.book.algorithms import ALGORITHMS as BOOK
from plies.book.algorithms import about, needs_of
from plies.engine.algorithms import ALGORITHMS
from plies.game import Game
from plies.needs import Needs

BOOK_PREFIX = "book:"
SOLVERS = {plies.ProofNumberSearch.algorithm: plies.ProofNumberSearch}
"""Algorithms that prove a value by `plies solve` and choose no action, which the registry leaves out."""

THREE = [[[(4, 2, 3), (1, 6, 2)], [(3, 4, 2), (2, 5, 5)]], [[(5, 3, 1), (6, 1, 2)], [(0, 0, 9), (1, 1, 1)]]]
COIN = {"children": [{"player": "chance", "children": leaves} for leaves in ([4, 5], [1, 7])]}
EXAMPLES: tuple[Game, ...] = (
    plies.Tree(),
    plies.Tree(COIN, ("max", "min")),
    plies.Tree(THREE, (0, 1, 2)),
    plies.Tree([[-1, -1], [-1, 1]], (0,)),
    plies.Goofspiel(cards=2),
)
"""Small games, of which the first that suits an algorithm shows its steps."""


class Captures(plies.Tree):
    """A tree in which actions that begin with "x" are captures."""

    compiled = False

    def noisy(self, state: int) -> Iterator[int]:
        for action in self.actions(state):
            if self.notation(state, action).startswith("x"):
                yield action


ESTIMATED = plies.Tree(
    {
        "children": [
            {"evaluate": estimate, "children": leaves}
            for estimate, leaves in ((6, [3, 12, 8]), (1, [2, 4, 6]), (9, [14, 5, 2]))
        ]
    }
)
HORIZON = {
    "children": {
        "xp": {"evaluate": 1, "children": {"xQ": {"evaluate": -8, "children": {"e": -8}}, "a": 1}},
        "b": {"evaluate": 0, "children": {"c": 0, "d": 0}},
    }
}
DICE = plies.Tree(
    {
        "children": [
            {"player": "chance", "children": [{"player": "min", "children": leaves} for leaves in outcomes]}
            for outcomes in (([6, 9], [5, 8]), ([1, 7], [2, 10], [9, 9]), ([4, 0], [3, 2]))
        ]
    }
)
WON_OR_LOST = plies.Tree([[[1, -1], [-1, 1, 1]], [[1], [-1, [1, -1]]]])
SHOWN: dict[str, tuple[Game, dict[str, Any]]] = {
    **dict.fromkeys(("move-ordering", "beam", "iterative-deepening"), (ESTIMATED, {})),
    "transposition-table": (plies.Nim(heaps=(1, 2)), {}),
    "quiescence": (Captures(HORIZON), {"depth": 1}),
    **dict.fromkeys(("star1", "star2"), (DICE, {})),
    "mcts": (plies.Tree(), {"simulations": 30}),
    "proof-number": (WON_OR_LOST, {}),
}
"""What else shows the steps of an algorithm, and the options with which it does."""


class Version(NamedTuple):
    """One way to run an algorithm."""

    name: str
    needs: Needs
    summary: str
    limits: tuple[str, ...] = ()
    exact: bool = True
    options: tuple[str, ...] = ()


def names() -> list[str]:
    """The names of all algorithms, without saying whose."""
    every = (name.removeprefix(BOOK_PREFIX) for name in (*ALGORITHMS, *BOOK, *SOLVERS))
    return list(dict.fromkeys(every))


def versions(name: str) -> list[Version]:
    """The engine's version of an algorithm and the book's, as far as there are."""
    found = []
    for key in (name, BOOK_PREFIX + name):
        if key in ALGORITHMS:
            one = ALGORITHMS[key]
            found.append(Version(key, one.needs, one.summary, one.limits, one.exact, one.takes))
    if name in SOLVERS:
        solver = SOLVERS[name]
        found.append(Version(name, solver.needs, _first(solver), ("time", "nodes"), True, ("memory",)))
    if name in BOOK and BOOK_PREFIX + name not in ALGORITHMS:
        limits = ("depth", about(name).budget) if about(name).budget else ("depth",)
        found.append(Version(BOOK_PREFIX + name, needs_of(name), _first(BOOK[name]), limits))
    return found


def page(name: str) -> str:
    """The page of an algorithm, in Markdown."""
    path = DOCS / "algorithms" / f"{name}.md"
    facts = {
        "": versions(name)[0].summary,
        "How it works": "" if path.exists() else _described(name),
        "Games it serves": _games(name),
        "Run it": _commands(name),
        "By the book": _source(name),
        "Step by step": _steps(name),
        "Source and references": f"Source: {', '.join(source(one) for one in _code(name))}.",
    }
    return merged(label(name), facts, path)


def picture(name: str) -> str | None:
    """The tree that the book's version of an algorithm walks on its page, as SVG, if there is one."""
    trace = _trace(name)
    return None if trace is None else str(plies.draw.tree(trace))


def label(name: str) -> str:
    """What people call an algorithm."""
    if name in ALGORITHMS:
        return ALGORITHMS[name].label
    return SOLVERS[name].label if name in SOLVERS else name.replace("-", " ").capitalize()


def index() -> str:
    """The page that lists all algorithms."""
    rows = [
        (
            f"[{label(name)}]({name}.md)",
            " ".join(f"`{one.name}`" for one in versions(name)),
            str(versions(name)[0].needs),
            "yes" if versions(name)[0].exact else "no",
        )
        for name in names()
    ]
    return "\n\n".join(
        (
            "# Algorithms",
            "`alpha-beta` is the engine's version of an algorithm, which runs compiled and plays for real; "
            "`book:alpha-beta` is the textbook's, which runs interpreted and shows every step. `engine` "
            "stands for whichever of the engine's suits a game.",
            table(("algorithm", "names", "games it serves", "proves values"), rows) + "\n",
        )
    )


def _code(name: str) -> list[Callable[..., object]]:
    """The engine's class and the book's function of an algorithm, as far as there are."""
    classes = [one.make for one in ALGORITHMS.values() if one.name == name] + [
        solver for one, solver in SOLVERS.items() if one == name
    ]
    return [*classes, *([inspect.unwrap(BOOK[name])] if name in BOOK else [])]


def _described(name: str) -> str:
    return inspect.getdoc(_code(name)[0]) or ""


def _first(thing: object) -> str:
    return (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")


def _games(name: str) -> str:
    rows = [
        (
            f"`{one.name}`",
            str(one.needs),
            ", ".join(one.limits),
            "yes" if one.exact else "no",
            " ".join(f"`{option}`" for option in one.options) or "none",
        )
        for one in versions(name)
    ]
    served = [one for one in plies.game_names() if versions(name)[0].needs.serve(plies.game(one))]
    links = ", ".join(f"[{title(one)}](../games/{one}.md)" for one in served)
    facts = table(("name", "games", "limited by", "proves values", "options"), rows)
    return f"{facts}\n\nOf the games that come with Plies: {links}."


def _commands(name: str) -> str:
    served = [one for one in DEMONSTRATED if versions(name)[0].needs.serve(plies.game(one))]
    game = served[0]
    if name in SOLVERS:
        lines = [f"plies solve {game} --algorithm {name}"]
    else:
        lines = [
            f"plies best {game} --algorithm {one.name} "
            + ("--depth 3" if "depth" in one.limits else "--nodes 300")
            for one in versions(name)
            if one.name in ALGORITHMS
        ]
    if name in BOOK:
        budget = about(name).budget
        bound = f"--option {budget}=20" if budget else "--depth 2"
        lines.append(f"plies trace {game} --algorithm {name} {bound}")
    return "```sh\n" + "\n".join(lines) + "\n```"


DEMONSTRATED = ("tic-tac-toe", "pig", "pirates", "peg-solitaire", "goofspiel")
"""Games of all kinds, of which the first that suits an algorithm is shown in its commands."""


def _source(name: str) -> str:
    if name not in BOOK:
        return "The book has no version of it."
    module = inspect.getmodule(inspect.unwrap(BOOK[name]))
    assert module is not None
    _, _, code = inspect.getsource(module).partition("\n@")
    return f"```python\n@{code}```"


def _trace(name: str) -> plies.book.Trace | None:
    if name not in BOOK:
        return None
    usual = next(one for one in EXAMPLES if needs_of(name).serve(one))
    game, options = SHOWN.get(name, (usual, {}))
    return plies.trace(game, algorithm=name, **options)


def _steps(name: str) -> str:
    trace = _trace(name)
    if trace is None:
        return "Only algorithms of the book can be traced."
    return f"![{label(name)} on a small tree]({name}.svg)\n\n```text\n{trace}\n```"
