# ruff: noqa: E501 (lines of the programs)
"""Wrong programs: right ones of `right/` with one mistake each, and the bug that a grader should name.

They were written before the grader was, but for those that are said to be further ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

RIGHT = Path(__file__).parent / "right"


class Mutation(NamedTuple):
    """A wrong program."""

    base: str
    """The right program that it is made of."""
    bug: str
    """The key of the bug."""
    function: str
    """The function in which it is."""
    changes: tuple[tuple[str, str], ...]
    """Texts, and what they become; each is there once."""

    @property
    def source(self) -> str:
        """The program."""
        text = (RIGHT / f"{self.base}.py").read_text(encoding="utf-8")
        for old, new in self.changes:
            assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {self.base}"
            text = text.replace(old, new)
        return text


def wrong(base: str, bug: str, function: str, *changes: tuple[str, str]) -> Mutation:
    return Mutation(base, bug, function, changes)


MAX_LOOP = "value = max(value, alpha_beta(game, game.result(state, action), depth - 1, alpha, beta))"
MIN_LOOP = "value = min(value, alpha_beta(game, game.result(state, action), depth - 1, alpha, beta))"

MUTATIONS = [
    # -- Minimax, book style.
    wrong(
        "book_plain",
        "swapped",
        "minimax",
        ("value = max(value, minimax(", "value = MIN(value, minimax("),
        ("value = min(value, minimax(", "value = max(value, minimax("),
        ("value = MIN(value, minimax(game", "value = min(value, minimax(game"),
        (
            "        value = -inf\n        for action in game.actions(state):\n            value = min(value, minimax",
            "        value = +inf\n        for action in game.actions(state):\n            value = min(value, minimax",
        ),
        (
            "        value = inf\n        for action in game.actions(state):\n            value = max(value, minimax",
            "        value = -inf\n        for action in game.actions(state):\n            value = max(value, minimax",
        ),
    ),
    wrong(
        "book_lists",
        "swapped",
        "minimax",
        (
            "max(values) if game.to_move(state) == 0 else min(values))]\n\n\ndef expectiminimax",
            "min(values) if game.to_move(state) == 0 else max(values))]\n\n\ndef expectiminimax",
        ),
    ),
    wrong(
        "book_iterative",
        "all-max",
        "minimax",
        ("max(values) if game.to_move(here) == 0 else min(values)", "max(values)"),
    ),
    wrong(
        "book_classes",
        "one-min-layer",
        "minimax",
        ("    def value(self, state, left):", "    def value(self, state, left, maximizing=True):"),
        ("self.value(child, left - 1) for", "self.value(child, left - 1, not maximizing) for"),
        (
            "return max(values) if self.game.to_move(state) == 0 else min(values)",
            "return max(values) if maximizing else min(values)",
        ),
    ),
    wrong(
        "book_split",
        "depth-too-deep",
        "minimax",
        (
            "            return game.utility(s, 0)\n        if ply == depth:\n            return game.evaluate(s, 0)\n"
            "        return max_value(s, ply) if",
            "            return game.utility(s, 0)\n        if ply - 1 == depth:\n            return game.evaluate(s, 0)\n"
            "        return max_value(s, ply) if",
        ),
    ),
    wrong(
        "book_lists",
        "depth-too-shallow",
        "minimax",
        (
            "    if depth == 0:\n        return game.evaluate(state, 0), None\n    pairs = [(minimax(",
            "    if depth == 1:\n        return game.evaluate(state, 0), None\n    pairs = [(minimax(",
        ),
    ),
    wrong(
        "book_plain",
        "depth-not-counted",
        "minimax",
        (
            "value = max(value, minimax(game, game.result(state, action), depth - 1))",
            "value = max(value, minimax(game, game.result(state, action), depth))",
        ),
        (
            "value = min(value, minimax(game, game.result(state, action), depth - 1))",
            "value = min(value, minimax(game, game.result(state, action), depth))",
        ),
    ),
    wrong(
        "book_split",
        "max-starts-at-zero",
        "minimax",
        (
            "        v = -math.inf\n        for a in game.actions(s):\n            v = max(v, value(game.result(s, a), ply",
            "        v = 0\n        for a in game.actions(s):\n            v = max(v, value(game.result(s, a), ply",
        ),
    ),
    wrong(
        "book_plain",
        "last-child",
        "minimax",
        (
            "value = max(value, minimax(game, game.result(state, action), depth - 1))",
            "value = minimax(game, game.result(state, action), depth - 1)",
        ),
        (
            "value = min(value, minimax(game, game.result(state, action), depth - 1))",
            "value = minimax(game, game.result(state, action), depth - 1)",
        ),
    ),
    wrong(
        "book_split",
        "first-child",
        "minimax",
        (
            "            v = max(v, value(game.result(s, a), ply + 1))\n        return v",
            "            v = max(v, value(game.result(s, a), ply + 1))\n            return v",
        ),
        (
            "            v = min(v, value(game.result(s, a), ply + 1))\n        return v",
            "            v = min(v, value(game.result(s, a), ply + 1))\n            return v",
        ),
    ),
    wrong(
        "book_negamax",
        "no-negation",
        "minimax",
        (
            "            v = -negamax(game.result(s, a), left - 1, -colour)",
            "            v = negamax(game.result(s, a), left - 1, -colour)",
        ),
    ),
    wrong(
        "book_plain",
        "view-of-the-mover",
        "minimax",
        (
            "def minimax(game, state, depth=inf):\n    if game.is_terminal(state):\n        return game.utility(state, 0)",
            "def minimax(game, state, depth=inf):\n    if game.is_terminal(state):\n"
            "        return game.utility(state, game.to_move(state))",
        ),
    ),
    # -- Alpha-beta, book style.
    wrong("book_plain", "alpha-not-raised", "alpha_beta", ("            alpha = max(alpha, value)\n", "")),
    wrong("book_split", "beta-not-lowered", "alpha_beta", ("            high = min(high, v)\n", "")),
    wrong(
        "book_plain",
        "window-not-handed-on",
        "alpha_beta",
        (MAX_LOOP, MAX_LOOP.replace(", alpha, beta)", ")")),
        (MIN_LOOP, MIN_LOOP.replace(", alpha, beta)", ")")),
    ),
    wrong(
        "book_plain",
        "alpha-not-handed-on",
        "alpha_beta",
        (MAX_LOOP, MAX_LOOP.replace("alpha, beta)", "-inf, beta)")),
        (MIN_LOOP, MIN_LOOP.replace("alpha, beta)", "-inf, beta)")),
    ),
    wrong("book_plain", "max-cuts-at-alpha", "alpha_beta", ("if value >= beta:", "if value >= alpha:")),
    wrong("book_split", "min-cuts-at-beta", "alpha_beta", ("if v <= low:", "if v <= high:")),
    wrong(
        "book_plain",
        "bounds-exchanged",
        "alpha_beta",
        ("if value >= beta:", "if value >= alpha:"),
        ("if value <= alpha:", "if value <= beta:"),
    ),
    wrong(
        "book_split",
        "strict",
        "alpha_beta",
        ("if v >= high:", "if v > high:"),
        ("if v <= low:", "if v < low:"),
    ),
    wrong("book_plain", "strict-max", "alpha_beta", ("if value >= beta:", "if value > beta:")),
    wrong("book_classes", "strict", "alpha_beta", ("if alpha >= beta:", "if alpha > beta:")),
    wrong("book_negamax", "strict", "alpha_beta", ("if low >= high:", "if low > high:")),
    wrong(
        "book_negamax",
        "window-not-turned",
        "alpha_beta",
        (
            "            v = -negamax(game.result(s, a), left - 1, -high, -low, -colour)",
            "            v = -negamax(game.result(s, a), left - 1, low, high, -colour)",
        ),
    ),
    wrong(
        "book_split",
        "min-never-cuts",
        "alpha_beta",
        ("            if v <= low:\n                return v\n", ""),
    ),
    wrong(
        "book_classes",
        "never-cuts",
        "alpha_beta",
        ("            if alpha >= beta:\n                break\n", ""),
    ),
    wrong(
        "book_fail_hard",
        "window-reversed",
        "alpha_beta",
        (
            "            _, value = alpha_beta(game, game.result(state, action), depth - 1, alpha, beta)\n"
            "            if value > alpha:",
            "            _, value = alpha_beta(game, game.result(state, action), depth - 1, beta, alpha)\n"
            "            if value > alpha:",
        ),
        (
            "        _, value = alpha_beta(game, game.result(state, action), depth - 1, alpha, beta)\n"
            "        if value < beta:",
            "        _, value = alpha_beta(game, game.result(state, action), depth - 1, beta, alpha)\n"
            "        if value < beta:",
        ),
    ),
    wrong(
        "book_table",
        "depth-too-shallow",
        "alpha_beta",
        ("elif depth == 0:\n        best", "elif depth == 1:\n        best"),
    ),
    wrong(
        "book_split",
        "min-starts-at-zero",
        "alpha_beta",
        (
            "        v = math.inf\n        for a in game.actions(s):\n            v = min(v, value(game.result(s, a), low",
            "        v = 0\n        for a in game.actions(s):\n            v = min(v, value(game.result(s, a), low",
        ),
    ),
    # -- Chance.
    wrong(
        "book_split",
        "chance-not-weighted",
        "expectiminimax",
        (
            "total += probability * value(game.result(s, outcome), ply + 1)",
            "total += value(game.result(s, outcome), ply + 1) / len(list(game.chance(s)))",
        ),
    ),
    wrong(
        "book_split", "chance-summed", "expectiminimax", ("total += probability * value(", "total += value(")
    ),
    wrong(
        "book_lists",
        "chance-as-min",
        "expectiminimax",
        (
            "        return sum(\n            p * expectiminimax(",
            "        return min(\n            expectiminimax(",
        ),
    ),
    wrong(
        "book_lists",
        "chance-as-max",
        "expectiminimax",
        (
            "        return sum(\n            p * expectiminimax(",
            "        return max(\n            expectiminimax(",
        ),
    ),
    # -- Lab style.
    wrong(
        "lab_import",
        "depth-sign",
        "minimax",
        ("return 10 - depth", "return 10 + depth"),
        ("return depth - 10", "return -10 - depth"),
    ),
    wrong("lab_import", "depth-sign-of-min", "minimax", ("return depth - 10", "return -10 - depth")),
    wrong(
        "lab_import",
        "undo",
        "minimax",
        (
            '                best = max(best, self.minimax(node, depth + 1, "O"))\n                node.makeMove(move, " ")\n',
            '                best = max(best, self.minimax(node, depth + 1, "O"))\n',
        ),
        (
            '            best = min(best, self.minimax(node, depth + 1, "X"))\n            node.makeMove(move, " ")\n',
            '            best = min(best, self.minimax(node, depth + 1, "X"))\n',
        ),
    ),
    wrong("lab_alpha_beta", "undo", "minimax", ('            node.board[move] = "-"\n', "")),
    wrong(
        "lab_countdown",
        "swapped",
        "minimax",
        (
            '        if player == "X":\n            value = -100',
            '        if player == "O":\n            value = -100',
        ),
    ),
    wrong(
        "lab_functions",
        "swapped",
        "minimax",
        (
            '    return max(values) if player == "X" else min(values)\n',
            '    return min(values) if player == "X" else max(values)\n',
        ),
    ),
    wrong(
        "lab_countdown",
        "player-not-changed",
        "minimax",
        (
            "value = max(value, self.minimax(node, depth - 1, changePlayer(player)))",
            "value = max(value, self.minimax(node, depth - 1, player))",
        ),
        (
            "value = min(value, self.minimax(node, depth - 1, changePlayer(player)))",
            "value = min(value, self.minimax(node, depth - 1, player))",
        ),
    ),
    wrong(
        "lab_countdown",
        "depth-too-shallow",
        "minimax",
        ("if depth == 0 or node.gameOver():", "if depth == 1 or node.gameOver():"),
    ),
    wrong("lab_countdown", "line-missing", "checkWin", (", [0, 4, 8], [2, 4, 6]", ", [0, 4, 8]")),
    wrong(
        "lab_functions",
        "max-starts-at-zero",
        "minimax",
        (
            '    return max(values) if player == "X" else min(values)\n',
            '    return max([0, *values]) if player == "X" else min(values)\n',
        ),
    ),
    wrong(
        "lab_alpha_beta",
        "bounds-exchanged",
        "minimax",
        (
            "            if beta <= alpha:\n",
            '            if best >= alpha if player == "X" else best <= beta:\n',
        ),
    ),
    wrong(
        "lab_functions",
        "always-max",
        "make_best_move",
        (
            '    return (max if player == "X" else min)(values, key=values.get)',
            "    return max(values, key=values.get)",
        ),
    ),
    # -- Further ones, of those that one change of an operator or one deletion makes.
    wrong("lab_countdown", "ends", "minimax", ("                return -1\n", "                return 1\n")),
    wrong(
        "lab_import",
        "ends",
        "minimax",
        ('            if winner == "O":\n                return depth - 10\n', ""),
    ),
    wrong(
        "book_plain",
        "alpha-lowered",
        "alpha_beta",
        ("alpha = max(alpha, value)", "alpha = min(alpha, value)"),
    ),
    wrong("book_plain", "beta-raised", "alpha_beta", ("beta = min(beta, value)", "beta = max(beta, value)")),
    wrong(
        "book_negamax",
        "no-leaves",
        "minimax",
        (
            "    def negamax(s, left, colour):\n        if game.is_terminal(s):\n            return colour * game.utility(s, 0)\n",
            "    def negamax(s, left, colour):\n",
        ),
    ),
    wrong("lab_rows", "prompt", "prompt", ("You are X: Choose number from 1-9: ", "Your move? ")),
]
