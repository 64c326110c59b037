"""What the Learn page asks for: trees of one's own, a search of them step by step, practice, comparison.

Every request is looked at before anything is done about it: a tree comes as data, never as the name of a
file, and is small.
"""

from __future__ import annotations

import json
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
from plies.game import CHANCE
from plies.games.tree import FIGURE_5_2, Tree
from plies.web.practice import marked

MOST_NODES = 250
MOST_LEVELS = 10
MOST_PLAYERS = 4
MOST_BRANCHES = 8
LARGEST = 1_000_000
"""The largest number of a leaf."""

LONGEST_NAME = 16

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
    players = Tree(0, [_mover(level) for level in levels]).players
    lots = random.Random(seed)

    def leaf() -> Any:
        if players < 3:
            return lots.randint(-9, 9)
        return {"value": [lots.randint(0, 9) for _ in range(players)]}

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


# -- Trees.


def read(tree: Any) -> Tree:
    """The tree that a page sent: small enough, and as data alone."""
    levels = None
    if isinstance(tree, Mapping) and "tree" in tree:
        levels = tree.get("levels")
        if tree.keys() - {"tree", "levels"}:
            raise BadParameter("beside 'tree' there may be 'levels' alone")
        tree = tree["tree"]
    if levels is not None and (not isinstance(levels, list) or not 1 <= len(levels) <= MOST_LEVELS):
        raise BadParameter(f"levels is a list of 1 to {MOST_LEVELS} words, such as 'max' and 'min'")
    nodes = _checked(tree)
    game = Tree(nodes, None if levels is None else [_mover(level) for level in levels])
    if game.players > MOST_PLAYERS:
        raise BadParameter(f"a tree here has at most {MOST_PLAYERS} players, not {game.players}")
    return game


def _checked(root: Any) -> Any:
    """A node and all below it in the words of `Tree`, once it is known that they are few and small."""
    count = 0

    def checked(node: Any, level: int) -> Any:
        nonlocal count
        count += 1
        if count > MOST_NODES:
            raise BadParameter(f"a tree here has at most {MOST_NODES} nodes")
        if level > MOST_LEVELS:
            raise BadParameter(f"a tree here has at most {MOST_LEVELS} levels of moves")
        if isinstance(node, list):
            return [checked(child, level + 1) for child in node]
        if not isinstance(node, Mapping):
            return _number(node)
        inner = dict(node)
        if "value" in inner:
            value = inner["value"]
            inner["value"] = tuple(map(_number, value)) if isinstance(value, list) else _number(value)
        if "children" in inner:
            inner["children"] = _children(inner, lambda child: checked(child, level + 1))
        if "name" in inner:
            inner["name"] = _word(inner["name"])
        if "player" in inner:
            inner["player"] = _mover(inner["player"])
        return inner

    return checked(root, 0)


def _children(node: dict[str, Any], checked: Callable[[Any], Any]) -> Any:
    """The children of a node; the page keeps the names of actions beside them, as `actions`."""
    children, names = node["children"], node.pop("actions", None)
    if isinstance(children, Mapping):
        children, names = list(children.values()), list(children)
    if not isinstance(children, list) or not 1 <= len(children) <= MOST_BRANCHES:
        raise BadParameter(f"an inner node has a list of 1 to {MOST_BRANCHES} children")
    below = [checked(child) for child in children]
    if names is None:
        return below
    if not isinstance(names, list) or len(names) != len(below) or len(set(map(str, names))) < len(names):
        raise BadParameter("every action of a node has a name of its own")
    return {_word(name): child for name, child in zip(names, below, strict=True)}


def plain(game: Tree) -> Any:
    """A tree as the page keeps it: a leaf is its value, an inner node says who moves.

    Names are kept only if they are not the ones that the tree would have been given anyway.
    """

    def node(state: int, named: bool) -> Any:
        if game.is_terminal(state):
            payoffs = [_tidy(game.utility(state, player)) for player in range(game.players)]
            zero_sum = all(payoff == -payoffs[0] for payoff in payoffs[1:])
            return payoffs[0] if zero_sum else {"value": payoffs}
        mover = game.to_move(state)
        found: dict[str, Any] = {"player": _called(game, mover)}
        below = [game.result(state, action) for action in game.actions(state)]
        found["children"] = [node(child, named) for child in below]
        if mover == CHANCE:
            found["probabilities"] = [_tidy(chance) for _, chance in game.chance(state)]
        if named:
            found["name"] = game.node_names[state]
            found["actions"] = [game.action_names[child] for child in below]
        return found

    bare = {"levels": [_called(game, player) for player in range(game.players)], "tree": node(0, False)}
    again = Tree(_checked(bare["tree"]), bare["levels"])
    same = (again.node_names, again.action_names) == (game.node_names, game.action_names)
    return bare if same else {**bare, "tree": node(0, True)}


def _called(game: Tree, player: int) -> str | int:
    if player == CHANCE:
        return "chance"
    return player if game.players > 2 else ("max", "min")[player]


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
    """Whether an algorithm can search a tree; who refuses it does so before the first step."""
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


# -- Small things.


def _whole(what: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadParameter(f"{what} is a whole number from {least} to {most:,}")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise BadParameter(f"a leaf is a number from -{LARGEST:,} to {LARGEST:,}, not {_brief(value)}")
    return value


def _word(value: Any) -> str:
    if not isinstance(value, str) or not 1 <= len(value.strip()) <= LONGEST_NAME or not value.isprintable():
        raise BadParameter(f"a name has 1 to {LONGEST_NAME} characters, not {_brief(value)}")
    return value


def _mover(value: Any) -> str | int:
    if value in ("max", "min", "chance") or (
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_PLAYERS
    ):
        return value  # type: ignore[no-any-return]
    raise BadParameter(
        f"who moves is 'max', 'min', 'chance' or a player from 0 to {MOST_PLAYERS - 1}, not {_brief(value)}"
    )


def _node(number: Any, full: Trace) -> int:
    return _whole("the number of a node", number, 0, full.nodes - 1)


def _tidy(value: float) -> float:
    return int(value) if value == int(value) else round(value, 12)


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
