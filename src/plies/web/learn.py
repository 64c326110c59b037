"""The Learn page: searches of trees and of positions step by step, comparison and practice."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from plies.book import Trace
from plies.book import trace as search
from plies.book.algorithms import ALGORITHMS as BOOK
from plies.book.algorithms import about
from plies.book.arguments import TRACED, Argument, arguments_of, read_options, written
from plies.book.events import Leaf
from plies.book.tracing import TooManyNodes
from plies.draw.known import final, shown
from plies.draw.outline import ROOM
from plies.draw.steps import Steps
from plies.draw.tree import Drawing
from plies.errors import BadParameter, PliesError
from plies.gallery import EXAMPLES, Example
from plies.game import Game, State
from plies.games.tree import Tree
from plies.registry import game as make_game
from plies.web.game_form import as_text, without_style
from plies.web.practice import Exercise
from plies.web.tree_json import LARGEST, MOST_NODES, plain, read
from plies.web.whole_tree import Whole

ALGORITHMS = {name: about(name).label for name in BOOK}
"""The algorithms of the page, with their labels."""

FULL = ("minimax", "expectiminimax", "max-n")
"""The algorithms that visit every node; the first that suits does it."""

FIRST = (
    ("alpha-beta", "minimax", "mcts"),
    ("expectiminimax", "star1", "mcts"),
    ("max-n", "paranoid", "mcts"),
)
"""The algorithms that are offered at first: the first group whose first one suits. Others take a click."""

MOST_SEARCHED = 5_000
"""The most nodes of a search, of which a picture shows some: a second or two. Not tuned."""

MOST_OPENED = 20
"""The most nodes of a tree that are opened at a time. Not tuned."""

DEEPEST = 20
"""The greatest depth of a search of a position. Not tuned."""

ENOUGH = 2_000
"""The nodes beyond which a search without a depth goes no deeper: a fraction of a second. Not tuned."""

FEW_NODES = 60
"""The nodes that are drawn at first of a tree that is too large for a picture. Not tuned."""

MOST_CELLS = 10_000
"""The most cells of all boards in a picture, which then has some 2 MB and takes 2 seconds. Not tuned."""

LARGEST_COUNT = 1_000
"""The greatest whole number that an option may be. Not tuned."""


@dataclass(frozen=True)
class Subject:
    """What is searched: a game, by default from its start and to its end."""

    game: Game
    state: State | None = None
    depth: int | None = None

    def drawing(self, trace: Trace, opened: Collection[int] = ()) -> Drawing:
        """A search of it as a picture, with boards unless the game is itself a tree or they are too many.

        Of a large tree, the rest is counted; below nodes that are `opened`, more of it is shown.
        """
        scene = None if isinstance(self.game, Tree) else self.game.scene(trace.tree[0].entered.state)
        drawn = min(trace.nodes, MOST_NODES + ROOM * len(opened))
        fit = scene is not None and drawn * len(scene.cells) <= MOST_CELLS
        few = MOST_NODES if trace.nodes <= MOST_NODES else FEW_NODES
        return Drawing(trace, boards=self.game if fit else None, limit=few, opened=opened)


# -- Answers to the page's messages.


def lessons() -> dict[str, Any]:
    """The examples of the gallery, and the algorithms of the page with the arguments that it can set."""
    return {
        "examples": [
            {
                "name": one.name,
                "title": one.title,
                "lecture": one.lectures[0],
                "algorithm": one.algorithm,
                "subject": _subject(one),
            }
            for one in EXAMPLES.values()
        ],
        "algorithms": {
            name: {
                "label": label,
                "arguments": [_described(one) for one in arguments(name).values()],
                "practice": about(name).predictable,
            }
            for name, label in ALGORITHMS.items()
        },
    }


def _subject(example: Example) -> dict[str, Any]:
    """What an example is about, in the fields of a message."""
    game = make_game(example.game, **example.parameters)
    if isinstance(game, Tree):
        return {"tree": plain(game)}
    return {
        "game": example.game,
        "parameters": as_text(dict(example.parameters)),
        "position": example.position,
        "depth": None,
    }


def _described(argument: Argument) -> dict[str, Any]:
    return {
        "name": argument.name,
        "label": argument.name.replace("_", " "),
        "kind": argument.kind,
        "description": argument.description,
        "choices": argument.choices,
        "optional": argument.optional,
        "default": written(argument.default),
    }


def random_tree(seed: int, branching: int, depth: int, levels: list[str | int]) -> Tree:
    """A tree of one branching and depth, with random leaves."""
    if sum(branching**level for level in range(depth + 1)) > MOST_NODES:
        raise BadParameter(
            f"a tree with branching {branching} and depth {depth} would have more than {MOST_NODES} nodes"
        )
    players = Tree(0, levels).players
    rng = random.Random(seed)

    def leaf() -> Any:
        if players < 3:
            return rng.randint(-9, 9)
        return {"value": [rng.randint(0, 9) for _ in range(players)]}

    nodes: list[Any] = [leaf() for _ in range(branching**depth)]
    for _ in range(depth):
        nodes = [nodes[i : i + branching] for i in range(0, len(nodes), branching)]
    return read({"levels": levels, "tree": nodes[0]})


def draw(subject: Subject) -> dict[str, Any]:
    """The players and the algorithms that suit; of a tree also what the page keeps and its picture."""
    game = subject.game
    suited = [name for name in ALGORITHMS if _suits(game, name)]
    if not suited:
        raise PliesError(f"no algorithm of this page suits {game.name}")
    first = next((group for group in FIRST if group[0] in suited), suited)
    found: dict[str, Any] = {"players": game.players, "suited": suited}
    found["first"] = [name for name in suited if name in first]
    if isinstance(game, Tree):
        trace = full_search(subject)
        found |= {
            "tree": plain(game),
            "svg": without_style(str(subject.drawing(trace).picture())),
            "paths": [_path(game, node.entered.state) for node in trace.tree],
        }
    return found


def steps(
    subject: Subject, algorithm: str, options: Mapping[str, str], opened: Collection[int] = ()
) -> dict[str, Any]:
    """A search, step by step; of a large tree, with more of what is below the nodes that are `opened`."""
    values = read_values(algorithm, options)
    subject, trace = _deepest(subject, algorithm, values)
    return _steps(subject, trace, values, opened)


def compare(
    subject: Subject, first: tuple[str, Mapping[str, str]], second: tuple[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Two searches, each an algorithm and its options, and whether they agree."""
    subject, _ = _deepest(subject, first[0], read_values(*first))
    subject, _ = _deepest(subject, second[0], read_values(*second))  # which may not get as deep
    traces = [run(subject, *choice) for choice in (first, second)]
    return {"both": [_steps(subject, trace) for trace in traces], "same": _agree(*traces)}


def _agree(first: Trace, second: Trace) -> bool:
    """Whether two searches have the same value; of values for all players, the first player's counts."""
    a, b = (trace.value[0] if isinstance(trace.value, tuple) else trace.value for trace in (first, second))
    if a is None or b is None:  # undecided
        return a is b
    return isinstance(a, bool) == isinstance(b, bool) and math.isclose(a, b, abs_tol=1e-9)


def exercise(subject: Subject, algorithm: str, options: Mapping[str, str]) -> dict[str, Any]:
    """The tree to predict a search in: its picture, the names of its nodes, and whether to predict cuts."""
    task = _exercise(subject, algorithm, options)
    return {
        "svg": without_style(str(subject.drawing(task.full).picture())),
        "depth": task.depth,
        "names": [
            task.name(node) if task.drawn is None or node.entered.node in task.drawn else ""
            for node in task.full.tree
        ],
        "cuts": task.cuts,
        "hint": task.hint,
    }


def check(
    subject: Subject, algorithm: str, options: Mapping[str, str], values: Mapping[str, str], cuts: list[int]
) -> dict[str, Any]:
    """Marks for predictions about a search: right or wrong, and why."""
    task = _exercise(subject, algorithm, options)
    typed = {_node(number, task.full): text for number, text in values.items()}
    return task.marks(typed, {_node(number, task.full) for number in cuts})


# -- Searches.


def arguments(algorithm: str) -> dict[str, Argument]:
    """The arguments of an algorithm that the page can set: functions are given in Python only."""
    return {
        name: replace(one, default=TRACED.get(name, one.default))
        for name, one in arguments_of(algorithm).items()
        if one.kind != "function"
    }


def read_values(algorithm: str, options: Mapping[str, str]) -> dict[str, Any]:
    """The options of a search, checked to be ones of the algorithm and not too large."""
    words = [f"{name}={value}" for name, value in options.items()]
    values = read_options(words, arguments(algorithm), algorithm)
    for name, value in values.items():
        for number in value if isinstance(value, tuple) else (value,):
            most = LARGEST_COUNT if isinstance(number, int) else LARGEST
            most = MOST_NODES if name in TRACED else most
            if isinstance(number, int | float) and most < abs(number) < math.inf:
                raise BadParameter(f"{name} must be from -{most:,} to {most:,} on this page")
    return values


def run(subject: Subject, algorithm: str, options: Mapping[str, str]) -> Trace:
    """A search for the first player."""
    return _run(subject, algorithm, read_values(algorithm, options))


def full_search(subject: Subject, values: Mapping[str, Any] = {}) -> Trace:
    """A search that visits every node, with those of some values for options that it takes."""
    name = next(name for name in FULL if _suits(subject.game, name))
    return _run(subject, name, {key: value for key, value in values.items() if key in about(name).takes})


def _deepest(subject: Subject, algorithm: str, values: Mapping[str, Any]) -> tuple[Subject, Trace]:
    """A search to the depth given; without one, to the end or as deep as a few nodes allow."""
    if subject.depth is not None or isinstance(subject.game, Tree) or about(algorithm).budget:
        return subject, _run(subject, algorithm, values)
    found = None
    for depth in range(1, DEEPEST + 1):
        limited = replace(subject, depth=depth)
        try:
            trace = _run(limited, algorithm, values, MOST_SEARCHED if found is None else ENOUGH)
        except PliesError:
            if found is None:
                raise
            break
        if not any(isinstance(event, Leaf) and event.why == "depth" for event in trace.events):
            return subject, trace  # to the end
        found = limited, trace
    assert found is not None
    return found


def _run(subject: Subject, algorithm: str, values: Mapping[str, Any], limit: int = MOST_SEARCHED) -> Trace:
    game, state, depth = subject.game, subject.state, subject.depth
    usual: dict[str, Any] = {"player": 0} if "player" in about(algorithm).takes else {}
    if budget := about(algorithm).budget:
        usual[budget] = TRACED[budget]
    try:
        return search(game, state, algorithm=algorithm, depth=depth, limit=limit, **{**usual, **values})
    except TooManyNodes:
        less = f"fewer {budget}" if budget else f"{'a' if depth is None else 'less'} depth"
        raise PliesError(
            f"{ALGORITHMS[algorithm]} visits more than {limit:,} nodes here: give {less}"
        ) from None


def _exercise(subject: Subject, algorithm: str, options: Mapping[str, str]) -> Exercise:
    if not about(algorithm).predictable:
        raise PliesError(f"{ALGORITHMS[algorithm]} plays at random, and cannot be predicted: watch its steps")
    values = read_values(algorithm, options)
    subject, whole = _deepest(subject, algorithm, values)
    task = _task(subject, algorithm, values, whole)
    task.depth = subject.depth
    drawn = subject.drawing(task.full).nodes
    task.drawn = None if len(drawn) == len(task.full.tree) else {item.number for item in drawn}
    return task


def _task(subject: Subject, algorithm: str, values: Mapping[str, Any], whole: Trace) -> Exercise:
    """The search to predict, and the tree to predict it in."""
    trace = whole.last_iteration
    partial = about(algorithm).budget or not about(algorithm).exact
    if partial or not any(_suits(subject.game, name) for name in FULL):
        return Exercise(trace, trace)
    try:
        full = full_search(subject, values)
    except PliesError:  # too many nodes: what the search visits is the tree to practise on
        return Exercise(trace, trace)
    task = Exercise(trace, full, cut_on_equal=values.get("cut_on_equal", True))
    if not task.fits:  # beyond the depth, or more than once: so here
        return Exercise(trace, trace)
    task.again = trace is not whole
    if "fail_hard" in about(algorithm).takes:
        hard = values.get("fail_hard", False)
        other = _run(subject, algorithm, {**values, "fail_hard": not hard})
        task.other = "fail-soft" if hard else "fail-hard", other
    return task


def _suits(game: Game, algorithm: str) -> bool:
    """Whether an algorithm can search a game.

    One against all is not offered for two players, where it is minimax or alpha-beta.
    """
    needs = about(algorithm).needs
    return needs.serve(game) and not (needs.opponents and game.players < 3)


def _steps(
    subject: Subject, trace: Trace, values: Mapping[str, Any] | None = None, opened: Collection[int] = ()
) -> dict[str, Any]:
    """The steps of a search; with `values`, of a tree that fits in a picture with what the search cuts."""
    whole = None if values is None else _whole(subject, trace, values)
    if whole is None:
        drawing = subject.drawing(trace, opened)
        leaves = {item.number: final(item.node) for item in drawing.nodes if item.kind == "leaf"}
        data = {**Steps(drawing).data, "leaf_values": leaves if trace.nodes <= MOST_NODES else {}}
    else:
        data = whole.data(subject.drawing(whole.grown))
    return {
        "depth": subject.depth,
        **data,
        "svg": without_style(data["svg"]),
        "algorithm": trace.algorithm,
        "value": shown(trace.value),
        "line": list(trace.line),
        "nodes": trace.nodes,
        "leaves": trace.leaves,
        "cuts": dict(trace.cuts),
    }


def _whole(subject: Subject, trace: Trace, values: Mapping[str, Any]) -> Whole | None:
    """The tree with what a search cuts; None if it cuts nothing, or the tree is too large for a picture."""
    if not trace.cuts or trace.last_iteration is not trace or trace.nodes > MOST_NODES:
        return None
    if not any(_suits(subject.game, name) for name in FULL):
        return None
    try:
        full = full_search(subject, values)
    except PliesError:  # too many nodes
        return None
    fits = full.nodes <= MOST_NODES and Exercise(trace, full).fits
    return Whole.of(trace, full) if fits else None


def _path(game: Tree, state: int) -> list[int]:
    """The branches from the root to a node."""
    path = []
    while state:
        parent = int(game.parent[state])
        path.append(state - int(game.first_child[parent]))
        state = parent
    return path[::-1]


def _node(number: str | int, full: Trace) -> int:
    """The number of a node, as the page writes it."""
    if not str(number).isdecimal() or int(number) >= full.nodes:
        raise BadParameter(f"nodes are numbered from 0 to {full.nodes - 1}, not {number}")
    return int(number)
