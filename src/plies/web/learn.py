"""What the Learn page asks for: trees of one's own, a search of them step by step, practice, comparison.

Every request is looked at before anything is done about it.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from plies.book import Trace
from plies.book import trace as search
from plies.draw.known import shown
from plies.draw.steps import Steps
from plies.draw.tree import Drawing
from plies.errors import BadParameter, PliesError
from plies.games.tree import FIGURE_5_2, Tree
from plies.web.practice import marked
from plies.web.tree_json import MOST_BRANCHES, MOST_LEVELS, MOST_NODES, mover, plain, read

ALGORITHMS = {
    "minimax": "minimax",
    "alpha-beta": "alpha-beta",
    "expectiminimax": "expectiminimax",
    "max-n": "max^n",
    "opponents": "all against MAX",
    "paranoid": "all against MAX, with pruning",
}
"""The algorithms of the page, and what they are called there."""

EQUALITY = ("alpha-beta", "paranoid")
"""Those that may cut on equality or not."""


def _min(*leaves: int) -> dict[str, Any]:
    return {"player": "min", "children": list(leaves)}


EXAMPLES: list[dict[str, Any]] = [
    {"title": "The slides' example (AIMA, figure 5.2)", "algorithm": "alpha-beta", "tree": FIGURE_5_2},
    {
        "title": "Three plies, cuts of both kinds",
        "algorithm": "alpha-beta",
        "tree": [[[5, 6], [7, 4, 5]], [[3, 4], [6, 2]], [[6, 9], [7, 2]]],
    },
    {
        "title": "Where equality decides",
        "algorithm": "alpha-beta",
        "tree": [[4, 6, 5], [4, 2, 7], [8, 4, 3]],
    },
    {
        "title": "A coin and a die",
        "algorithm": "expectiminimax",
        "tree": {
            "player": "max",
            "children": [
                {"player": "chance", "children": [_min(2, 7), _min(4, 9)]},
                {
                    "player": "chance",
                    "probabilities": [0.5, 0.25, 0.25],
                    "children": [_min(6, 3), _min(8, 1), _min(0, 5)],
                },
            ],
        },
    },
    {
        "title": "Three players (max^n)",
        "algorithm": "max-n",
        "tree": {
            "levels": [0, 1, 2],
            "tree": [
                [
                    [{"value": [1, 2, 6]}, {"value": [4, 2, 3]}],
                    [{"value": [6, 1, 2]}, {"value": [7, 4, 1]}],
                ],
                [
                    [{"value": [5, 1, 1]}, {"value": [1, 5, 2]}],
                    [{"value": [7, 7, 1]}, {"value": [5, 4, 5]}],
                ],
            ],
        },
    },
]


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request of the Learn page, which has the word `ask`, or raise `PliesError`."""
    ask = request.pop("ask", None)
    if not isinstance(ask, str) or ask not in REQUESTS:
        raise BadParameter(f"ask is one of {', '.join(REQUESTS)}")
    fields, act = REQUESTS[ask]
    if unknown := sorted(request.keys() - set(fields)):
        raise BadParameter(f"{ask} has no field {unknown[0][:40]!r}")
    if missing := [name for name in fields if name not in request]:
        raise BadParameter(f"{ask} needs the field {missing[0]!r}")
    return act(**{name: request[name] for name in fields})


# -- What can be asked.


def examples() -> dict[str, Any]:
    """Trees to begin with, and the algorithms there are."""
    given = [{**example, "tree": plain(read(example["tree"]))} for example in EXAMPLES]
    return {"examples": given, "algorithms": ALGORITHMS, "equality": EQUALITY}


def grow(seed: Any, branching: Any, depth: Any, levels: Any) -> dict[str, Any]:
    """A tree of the same branching and depth everywhere, whose leaves are drawn by lot."""
    seed = _whole("the seed", seed, 0, 2**31)
    branching = _whole("the branching", branching, 1, MOST_BRANCHES)
    depth = _whole("the depth", depth, 1, MOST_LEVELS)
    if sum(branching**level for level in range(depth + 1)) > MOST_NODES:
        raise BadParameter(
            f"a tree with branching {branching} and depth {depth} has more than {MOST_NODES} nodes"
        )
    if not isinstance(levels, list) or not 1 <= len(levels) <= MOST_LEVELS:
        raise BadParameter(f"levels is a list of 1 to {MOST_LEVELS} words, such as 'max' and 'min'")
    players = Tree(0, [mover(level) for level in levels]).players
    rng = random.Random(seed)

    def leaf() -> Any:
        if players < 3:
            return rng.randint(-9, 9)
        return {"value": [rng.randint(0, 9) for _ in range(players)]}

    nodes: list[Any] = [leaf() for _ in range(branching**depth)]
    for _ in range(depth):
        nodes = [nodes[i : i + branching] for i in range(0, len(nodes), branching)]
    return show({"levels": levels, "tree": nodes[0]})


def show(tree: Any) -> dict[str, Any]:
    """A tree as the page keeps it, drawn in full, with where each node is and which algorithms suit it."""
    game = read(tree)
    trace = whole(game)
    drawing = Drawing(trace, limit=MOST_NODES)
    return {
        "tree": plain(game),
        "svg": bare(str(drawing.picture())),
        "paths": [_path(game, node.entered.state) for node in trace.tree],
        "players": game.players,
        "suited": [name for name in ALGORITHMS if _suits(game, name)],
    }


def steps(tree: Any, algorithm: Any, equal: Any) -> dict[str, Any]:
    """A search of a tree, step by step."""
    return _steps(run(read(tree), algorithm, equal))


def compare(tree: Any, first: Any, second: Any) -> dict[str, Any]:
    """Two searches of one tree, each an algorithm and whether equality cuts, and whether they agree."""
    game = read(tree)
    traces = []
    for choice in (first, second):
        if not isinstance(choice, list) or len(choice) != 2:
            raise BadParameter("to compare, give two pairs of an algorithm and whether equality cuts")
        traces.append(run(game, *choice))
    values = [trace.value[0] if isinstance(trace.value, tuple) else trace.value for trace in traces]
    return {"both": [_steps(trace) for trace in traces], "same": math.isclose(*values, abs_tol=1e-9)}


def check(tree: Any, algorithm: Any, equal: Any, values: Any, cuts: Any) -> dict[str, Any]:
    """What a person predicted about a search: what was right, what was wrong, and why."""
    game = read(tree)
    full = whole(game)
    if not isinstance(values, Mapping) or len(values) > MOST_NODES:
        raise BadParameter("values is an object from the numbers of nodes to what was typed")
    typed: dict[int, str] = {}
    for number, text in values.items():
        if not re.fullmatch(r"[0-9]{1,4}", number) or not isinstance(text, str) or len(text) > 200:
            raise BadParameter("values is an object from the numbers of nodes to what was typed")
        typed[_node(int(number), full)] = text
    if not isinstance(cuts, list) or len(cuts) > MOST_NODES:
        raise BadParameter("cuts is a list of the numbers of nodes that are not reached")
    guessed = {_node(number, full) for number in cuts}
    return marked(run(game, algorithm, equal), full, typed, guessed, equal)


REQUESTS: dict[str, tuple[tuple[str, ...], Callable[..., dict[str, Any]]]] = {
    "examples": ((), examples),
    "grow": (("seed", "branching", "depth", "levels"), grow),
    "show": (("tree",), show),
    "steps": (("tree", "algorithm", "equal"), steps),
    "compare": (("tree", "first", "second"), compare),
    "check": (("tree", "algorithm", "equal", "values", "cuts"), check),
}
"""The requests there are, and the fields of each."""


# -- Searches.


def run(game: Tree, algorithm: Any, equal: Any) -> Trace:
    """A search of a tree, for its first player."""
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise BadParameter(f"the algorithm is one of {', '.join(ALGORITHMS)}")
    if not isinstance(equal, bool):
        raise BadParameter("equal says whether equality cuts: true or false")
    options: dict[str, Any] = {} if algorithm == "max-n" else {"player": 0}
    if algorithm in EQUALITY:
        options["cut_on_equal"] = equal
    return search(game, algorithm=algorithm, limit=MOST_NODES, **options)


def _suits(game: Tree, algorithm: str) -> bool:
    """Whether an algorithm can search a tree; who refuses it does so before the first step.

    Those of one against all are not offered for two players, where they are minimax and alpha-beta.
    """
    if algorithm in ("opponents", "paranoid") and game.players < 3:
        return False
    try:
        run(game, algorithm, True)
    except PliesError:
        return False
    return True


def _steps(trace: Trace) -> dict[str, Any]:
    data = Steps(Drawing(trace, limit=MOST_NODES)).data
    return {
        **data,
        "svg": bare(data["svg"]),
        "algorithm": trace.algorithm,
        "value": shown(trace.value),
        "line": list(trace.line),
        "nodes": trace.nodes,
        "leaves": trace.leaves,
        "cuts": dict(trace.cuts),
    }


def bare(svg: str) -> str:
    """A picture without its stylesheet, which the page has already."""
    return re.sub("<style>.*?</style>", "", svg, count=1, flags=re.DOTALL)


def whole(game: Tree) -> Trace:
    """A search that visits every node of a tree."""
    return run(
        game, next(name for name in ("minimax", "expectiminimax", "max-n") if _suits(game, name)), True
    )


def _path(game: Tree, state: int) -> list[int]:
    """Which branches lead from the root to a node."""
    path = []
    while state:
        parent = int(game.parent[state])
        path.append(state - int(game.first_child[parent]))
        state = parent
    return path[::-1]


def _whole(what: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadParameter(f"{what} is a whole number from {least} to {most:,}")
    return value


def _node(number: Any, full: Trace) -> int:
    return _whole("the number of a node", number, 0, full.nodes - 1)
