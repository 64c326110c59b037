"""Reading game trees given by hand, as nested lists or JSON, into flat arrays."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from plies.arrays import floats, integers
from plies.errors import BadParameter
from plies.game import CHANCE

Node = Any
"""A number, a tuple of payoffs, a list of nodes, or a mapping: see `plies.Tree`."""

KEYS = ("name", "player", "children", "probabilities", "value", "evaluate")
"""The keys of a node that is a mapping."""

MOVERS = {"max": 0, "min": 1, "chance": CHANCE}
"""The players by name."""

LIMIT = 2_000_000
"""The most nodes of a tree: a list that contains itself would be endless. Not tuned."""

LARGEST = 1 << 28
"""The most bytes of a file. Not tuned."""

GREATEST = 1e300
"""The greatest number in a tree, so that the sum over all players does not overflow."""

MOST_PAYOFFS = 4 * LIMIT
"""The most payoffs of a tree: nodes times players. Not tuned."""

Ints: TypeAlias = Any
Floats: TypeAlias = Any
"""Arrays: see `plies.arrays`."""


class Nodes(NamedTuple):
    """A tree as arrays in breadth-first order, so that the children of a node are adjacent."""

    players: int
    first_child: Ints
    child_count: Ints
    parent: Ints
    mover: Ints
    probability: Floats  # of coming here from a parent where chance moves
    payoffs: Floats  # of node i to player p: payoffs[i * players + p]
    estimates: Floats
    names: list[str]  # "" for a leaf without a name
    actions: list[str]  # the name of the action that leads to each node


def read_tree(tree: Node, levels: Sequence[str | int] | str | None) -> Nodes:
    """The nodes of a tree that was given as nested lists, mappings, JSON text or the path of a JSON file."""
    if isinstance(tree, str):
        tree = _load(tree)
    if isinstance(tree, Mapping) and "tree" in tree:
        if unknown := tree.keys() - {"tree", "levels"}:
            raise BadParameter(f"only 'levels' may stand beside 'tree', not {min(unknown, key=str)!r}")
        tree, levels = tree["tree"], levels or tree.get("levels")
    if isinstance(levels, str):
        levels = levels.split(",")
    if not isinstance(levels, list | tuple | None):
        raise BadParameter(f"levels must be a list of players such as ('max', 'min'), not {_brief(levels)}")
    return _Reader(tree, levels).read()


class _Item(NamedTuple):
    """A node on its way into the arrays."""

    node: Node
    parent: int
    depth: int
    action: str
    probability: float


class _Reader:
    """Reads nodes in breadth-first order, without recursion, so that a tree may be deep."""

    def __init__(self, root: Node, levels: Sequence[str | int] | None) -> None:
        self.levels = None if levels is None else [_mover(level, "a level") for level in levels]
        if self.levels == []:
            raise BadParameter("levels must name a player, such as ('max', 'min')")
        self.queue = [_Item(root, 0, 0, "", 1.0)]
        self.first_child: list[int] = []
        self.child_count: list[int] = []
        self.mover: list[int | None] = []  # None: whoever the level says
        self.values: list[tuple[float, ...] | float] = []
        self.estimates: list[tuple[float, ...] | float] = []
        self.names: list[str] = []

    def read(self) -> Nodes:
        for item in self.queue:  # grows while it is being read
            self._add(item)
        players = self._count_players()
        if players > 100 or players * len(self.queue) > MOST_PAYOFFS:
            raise BadParameter(
                f"a tree may have up to 100 players and {MOST_PAYOFFS:,} payoffs in all; this one has "
                f"{players:,} players and {len(self.queue):,} nodes"
            )
        levels = self.levels or list(range(players))
        movers = [
            levels[item.depth % len(levels)] if mover is None else mover
            for item, mover in zip(self.queue, self.mover, strict=True)
        ]
        names, actions = self._all_names()
        return Nodes(
            players,
            integers(self.first_child),
            integers(self.child_count),
            integers(item.parent for item in self.queue),
            integers(movers),
            floats(self._probabilities(movers)),
            floats(payoff for value in self.values for payoff in _vector(value, players)),
            floats(payoff for value in self.estimates for payoff in _vector(value, players)),
            names,
            actions,
        )

    def _add(self, item: _Item) -> None:
        node = item.node
        if not isinstance(node, Mapping):
            node = {"children": node} if isinstance(node, list) else {"value": node}
        if unknown := [key for key in node if key not in KEYS]:
            raise BadParameter(f"a node may have {', '.join(KEYS)}, not {unknown[0]!r}")
        if ("children" in node) == ("value" in node):
            raise BadParameter(f"a node must have either children or a value, unlike {_brief(node)}")
        name = node.get("name", "")
        self.names.append(_name(name, "a node") if name != "" else "")
        self.estimates.append(_numbers(node.get("evaluate", 0.0), "an estimate"))
        self.values.append(_numbers(node.get("value", 0.0), "a leaf"))
        self.mover.append(_mover(node["player"], "a node's player") if "player" in node else None)
        self.first_child.append(len(self.queue))
        self.child_count.append(self._add_children(node, item.depth) if "children" in node else 0)

    def _add_children(self, node: Mapping[str, Any], depth: int) -> int:
        children = node["children"]
        if not isinstance(children, list | Mapping) or not children:
            raise BadParameter(
                f"the children of a node must be a list or mapping of one or more, not {_brief(children)}"
            )
        named = isinstance(children, Mapping)
        actions = [_name(action, "an action") for action in children] if named else [""] * len(children)
        if named and len({"".join(action.split()).casefold() for action in actions}) < len(actions):
            raise BadParameter(f"two actions of one node have the same name: {', '.join(actions)}")
        chances: Sequence[float] = [math.nan] * len(actions)  # filled in once the mover is known
        if "probabilities" in node:
            if self.mover[-1] not in (None, CHANCE):
                raise BadParameter(f"only a chance node may have probabilities, unlike {_brief(node)}")
            self.mover[-1] = CHANCE
            chances = _probabilities(node["probabilities"], len(actions))
        if len(self.queue) + len(actions) > LIMIT:
            raise BadParameter(f"the tree has more than {LIMIT:,} nodes; does a list contain itself?")
        below = children.values() if isinstance(children, Mapping) else children
        parent = len(self.mover) - 1
        for child, action, chance in zip(below, actions, chances, strict=True):
            self.queue.append(_Item(child, parent, depth + 1, action, chance))
        return len(actions)

    def _count_players(self) -> int:
        """The number of payoffs or of movers, whichever is greater; two by default."""
        leaves = [value for value, n in zip(self.values, self.child_count, strict=True) if n == 0]
        payoffs = max((len(value) for value in leaves if isinstance(value, tuple)), default=0)
        named = max((mover for mover in self.mover if mover is not None), default=0) + 1
        levels = max(self.levels) + 1 if self.levels else payoffs or 2
        return max(payoffs, named, levels, 1)

    def _probabilities(self, movers: list[int]) -> list[float]:
        """The probability of each node, equal among siblings by default."""
        return [
            (1 / self.child_count[item.parent] if math.isnan(item.probability) else item.probability)
            if i and movers[item.parent] == CHANCE
            else 1.0
            for i, item in enumerate(self.queue)
        ]

    def _all_names(self) -> tuple[list[str], list[str]]:
        """The names of nodes and actions, with defaults where the tree has none."""
        given = [name for name in self.names if name]
        taken = set(given)
        if len(taken) < len(given):
            raise BadParameter(f"two nodes are called {Counter(given).most_common(1)[0][0]!r:.60}")
        letters = (name for name in _letters() if name not in taken)
        nodes = [
            name or (next(letters) if n else "") for name, n in zip(self.names, self.child_count, strict=True)
        ]
        actions = [
            item.action or f"{nodes[item.parent].lower()}{i - self.first_child[item.parent] + 1}" if i else ""
            for i, item in enumerate(self.queue)
        ]
        return nodes, actions


def _letters() -> Iterator[str]:
    """The default names: A to Z, AA to ZZ, and so on."""
    n = 0
    while True:
        n += 1
        name, rest = "", n
        while rest:
            rest, letter = divmod(rest - 1, 26)
            name = chr(ord("A") + letter) + name
        yield name


def _load(text: str) -> Any:
    """The content of JSON text, or of a JSON file."""
    if text.lstrip()[:1] not in ("[", "{"):
        try:
            text = _text(Path(text))
        except (OSError, ValueError) as error:
            raise BadParameter(
                f"{_brief(text)} is neither JSON nor a file that can be read: {error}"
            ) from None
    try:
        return json.loads(text)
    except ValueError as error:
        raise BadParameter(f"the tree is not JSON: {error}") from None
    except RecursionError:
        raise BadParameter("the tree is too deep to be read from JSON") from None


def _text(path: Path) -> str:
    """The text of a file, if it is one and not too large."""
    if path.exists() and not path.is_file():  # a pipe, or a device, may have no end
        raise ValueError("it is not a file")
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST:,} bytes")
    return data.decode("utf-8")


def _mover(player: object, what: str) -> int:
    if isinstance(player, str) and player.strip().isdigit():
        player = int(player)
    word = player.strip().lower() if isinstance(player, str) else ""
    if word in MOVERS:
        return MOVERS[word]
    if isinstance(player, int) and not isinstance(player, bool) and 0 <= player < 100:
        return player
    raise BadParameter(
        f"{what} must be 'max', 'min', 'chance' or a player from 0 to 99, not {_brief(player)}"
    )


def _name(name: object, what: str) -> str:
    if not isinstance(name, str) or not name.strip() or "/" in name:
        raise BadParameter(f"the name of {what} must be a word without '/', not {_brief(name)}")
    return name.strip()


def _numbers(value: object, what: str) -> tuple[float, ...] | float:
    """A number, or one for each player."""
    if not isinstance(value, tuple | list):
        return _number(value, what)
    if not value:
        raise BadParameter(f"{what} must have a payoff for each player, not none")
    return tuple(_number(item, what) for item in value)


def _number(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadParameter(f"{what} must be a number or a tuple of numbers, not {_brief(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise BadParameter(f"{what} must be a finite number, not {_brief(value)}")
    if abs(number) > GREATEST:
        raise BadParameter(f"{what} must be between {-GREATEST:g} and {GREATEST:g}, not {_brief(value)}")
    return number


def _vector(value: tuple[float, ...] | float, players: int) -> tuple[float, ...]:
    """A payoff for each player: a single number is player 0's, and its negative the others'."""
    if not isinstance(value, tuple):
        return (value,) + (0.0 - value,) * (players - 1)  # not -value, lest 0 become -0
    if len(value) != players:
        raise BadParameter(f"{value} has {len(value)} payoffs, but there are {players} players")
    return value


def _probabilities(given: object, children: int) -> list[float]:
    if not isinstance(given, list | tuple) or len(given) != children:
        raise BadParameter(
            f"a chance node must have a probability for each of its {children} children, not {_brief(given)}"
        )
    chances = [_number(p, "a probability") for p in given]
    if min(chances) < 0 or not math.isclose(math.fsum(chances), 1, abs_tol=1e-9):
        raise BadParameter(f"probabilities must not be negative and must sum to 1, unlike {_brief(given)}")
    return chances


def _brief(value: object) -> str:
    try:
        text = repr(value)
    except RecursionError:
        text = f"a {type(value).__name__} that is too deep"
    return text if len(text) <= 60 else f"{text[:57]}…"
