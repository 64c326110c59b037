"""Game trees as JSON, as the page sends and keeps them: data only, never the name of a file, and small."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plies.errors import BadParameter
from plies.game import CHANCE
from plies.games.tree import Tree

MOST_NODES, MOST_LEVELS, MOST_PLAYERS, MOST_BRANCHES = 250, 10, 4, 8
"""The limits of a tree on the page, which is to be read as a picture. Not tuned."""

LARGEST = 1_000_000
"""The largest number of a leaf. Not tuned."""

LONGEST_NAME = 16
"""The most characters of the name of an action. Not tuned."""


@dataclass(frozen=True)
class TreeData:
    """A tree that has been checked, in the form of `Tree`."""

    nodes: Any
    levels: list[str | int] | None

    def build(self) -> Tree:
        """Build the tree, which takes ten times as long as to check it."""
        game = Tree(self.nodes, self.levels)
        if game.players > MOST_PLAYERS:
            raise BadParameter(f"a tree may have at most {MOST_PLAYERS} players, not {game.players}")
        return game


def read(tree: Any) -> Tree:
    """Read a tree, or raise `PliesError`."""
    return check(tree).build()


def check(tree: Any) -> TreeData:
    """Check that a tree is well-formed and small, or raise `PliesError`."""
    levels = None
    if isinstance(tree, Mapping) and "tree" in tree:
        levels = tree.get("levels")
        if tree.keys() - {"tree", "levels"}:
            raise BadParameter("besides 'tree' there may only be 'levels'")
        tree = tree["tree"]
    if levels is not None and (not isinstance(levels, list) or not 1 <= len(levels) <= MOST_LEVELS):
        raise BadParameter(f"levels must be a list of 1 to {MOST_LEVELS} words, such as 'max' and 'min'")
    return TreeData(_checked(tree), None if levels is None else [mover(level) for level in levels])


def _checked(root: Any) -> Any:
    """A node and all below it in the form of `Tree`, checked to be few and small."""
    count = 0

    def checked(node: Any, level: int) -> Any:
        nonlocal count
        count += 1
        if count > MOST_NODES:
            raise BadParameter(f"a tree may have at most {MOST_NODES} nodes")
        if level > MOST_LEVELS:
            raise BadParameter(f"a tree may have at most {MOST_LEVELS} levels of moves")
        if isinstance(node, list):
            node = {"children": node}
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
            inner["player"] = mover(inner["player"])
        return inner

    return checked(root, 0)


def _children(node: dict[str, Any], checked: Callable[[Any], Any]) -> Any:
    """The children of a node; the page keeps the names of the actions as `actions`."""
    children, names = node["children"], node.pop("actions", None)
    if isinstance(children, Mapping):
        children, names = list(children.values()), list(children)
    if not isinstance(children, list) or not 1 <= len(children) <= MOST_BRANCHES:
        raise BadParameter(f"an inner node must have a list of 1 to {MOST_BRANCHES} children")
    below = [checked(child) for child in children]
    if names is None:
        return below
    if not isinstance(names, list) or len(names) != len(below) or len(set(map(str, names))) < len(names):
        raise BadParameter("every action of a node must have a different name")
    return {_word(name): child for name, child in zip(names, below, strict=True)}


def plain(game: Tree) -> Any:
    """A tree as the page keeps it: a leaf is its value, an inner node says who moves.

    Names are kept only where they differ from the default ones.
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


def mover(value: Any) -> str | int:
    """Read who moves."""
    if value in ("max", "min", "chance") or (
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_PLAYERS
    ):
        return value  # type: ignore[no-any-return]
    raise BadParameter(
        f"a player is 'max', 'min', 'chance' or a number from 0 to {MOST_PLAYERS - 1}, not {_brief(value)}"
    )


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise BadParameter(f"a leaf must be a number from -{LARGEST:,} to {LARGEST:,}, not {_brief(value)}")
    return value


def _word(value: Any) -> str:
    if not isinstance(value, str) or not 1 <= len(value.strip()) <= LONGEST_NAME or not value.isprintable():
        raise BadParameter(f"a name must have 1 to {LONGEST_NAME} characters, unlike {_brief(value)}")
    return value


def _tidy(value: float) -> float:
    return int(value) if value == int(value) else round(value, 12)


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
