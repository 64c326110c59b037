"""Go games in the Smart Game Format (SGF, FF[4]), in and out, with variations and comments."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from plies.errors import BadPosition, IllegalMove, PliesError
from plies.games.go import Go
from plies.games.go_board import NOWHERE, State
from plies.games.wide_bitboard import either, holds, nothing, single, without
from plies.history import History
from plies.record_format import AnnotatedGame, Annotations, RecordFormat
from plies.variations import DEEPEST, Play, Tree, settled

LETTERS = "abcdefghijklmnopqrs"
LONGEST = 1 << 20
"""The most characters that are read at once. Not tuned."""

Node = dict[str, list[str]]
"""The properties of a node, in order."""

Sequence_ = tuple[list[Node], list["Sequence_"]]
"""Nodes one after the other, and the sequences that follow, the main line first."""

OWN = ("GM", "FF", "CA", "AP", "SZ", "KM", "RU", "AB", "AW", "AE", "PL", "RE", "ST")
"""Properties of the root node that say what the game says itself."""

_MARKUP = ("AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW", "VW")
"""Properties that mark points of the position."""

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,64})\s*|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_SET_UP = ("AB", "AW", "AE")


def read_sgf(text: str, cls: type[Go] = Go) -> History:
    """The main line of a record, each move checked; raises `BadPosition` for what cannot be read or played.

    Size, komi and set-up stones are read. Where a player moves twice in a row, as in old handicap games, the
    other has passed.
    """
    return read_annotated_sgf(text, cls).history


def read_annotated_sgf(text: str, cls: type[Go] = Go) -> AnnotatedGame:
    """The first game of a record with its variations, comments and properties."""
    nodes, children = _parsed(text)
    root = {name: values for name, values in nodes[0].items() if values} if nodes else {}
    game = _game(root, cls)
    start = _set_up(game, root)
    first = next((name for node in _main_nodes((nodes, children)) for name in "BW" if node.get(name)), "")
    if first and "PL" not in root:
        start = start._replace(player="BW".index(first))
    history, left_out = History(game, start), list[str]()
    headers = {name: values[0] for name, values in root.items() if _is_header(name, values)}
    about = {name: values for name, values in root.items() if name not in (*OWN, *headers)}
    raw = _Conversion(left_out).tree([about, *nodes[1:]], children, start.player, main=True)
    tree = settled(raw, history.state, _player(history), left_out)
    return AnnotatedGame(history, tree, headers, root.get("RE", [""])[0].strip(), tuple(left_out))


def _is_header(name: str, values: list[str]) -> bool:
    """Whether a property of the root node is about the game, not the position."""
    return name not in (*OWN, "B", "W", "C") and len(values) == 1 and name not in _MARKUP


def _main_nodes(sequence: Sequence_) -> Iterator[Node]:
    nodes, children = sequence
    while True:
        yield from nodes
        if not children:
            return
        nodes, children = children[0]


class _Conversion:
    """Makes a tree of the nodes of a record; a move in it is its value and the number of its node."""

    def __init__(self, left_out: list[str]) -> None:
        self.left_out = left_out
        self.number = 0

    def tree(
        self, nodes: list[Node], children: list[Sequence_], player: int, *, main: bool = False, depth: int = 0
    ) -> Tree:
        """The tree of a sequence of nodes, and of those that follow; `player` moves first."""
        found: Tree = []
        waiting: list[tuple[Sequence_, int]] = []  # variations of the next move
        while True:
            for node in nodes:
                self.number += 1
                if any(name in node for name in _SET_UP):
                    if main:
                        raise BadPosition(f"node {self.number} sets up stones; only the first node may")
                    self.left_out.append(f"a variation is cut short: node {self.number} sets up stones")
                    return found
                before, moved = player, False
                for name, mover in (("B", 0), ("W", 1)):
                    for value in node.get(name, []):
                        if mover != player:
                            found.append(("", self.number))
                        found.append((value, self.number))
                        player, moved = 1 - mover, True
                _add_note(found, node)
                if moved:
                    found += self._variations(waiting, before, depth)
                    waiting = []
            if not children:
                break
            (nodes, children), *others = children
            waiting += [(other, player) for other in others]
        if waiting:
            self.left_out.append("a variation is left out: it stands beside no move")
        return found

    def _variations(self, waiting: list[tuple[Sequence_, int]], player: int, depth: int) -> Iterator[Tree]:
        for (nodes, children), _ in waiting:
            if depth >= DEEPEST:
                raise BadPosition(f"variations are read at most {DEEPEST} deep")
            number = self.number
            variation = self.tree(nodes, children, player, depth=depth + 1)
            self.number = number
            if any(isinstance(item, tuple) for item in variation):
                yield variation
            else:
                self.left_out.append("a variation is left out: it has no move")


def _add_note(found: Tree, node: Node) -> None:
    """Say what a node says besides its moves, about the last move."""
    rest = {name: values for name, values in node.items() if name not in ("B", "W", "C")}
    comment = "\n".join(node.get("C", []))
    if not (rest or comment):
        return
    last = next((item for item in reversed(found) if not isinstance(item, list)), None)
    if not isinstance(last, dict):
        last = {}
        found.append(last)
    if comment:
        last["comment"] = f"{last['comment']}\n{comment}" if last.get("comment") else comment
    for name, values in rest.items():
        last.setdefault("properties", {}).setdefault(name, []).extend(values)


def _player(history: History) -> Play:
    """Plays moves of a record, those of the main line in a history, too."""
    game: Go = history.game  # type: ignore[assignment]

    def play(state: State, given: tuple[str, int]) -> tuple[str, State]:
        value, number = given
        action, main = _cell(game, value), state is history.state
        try:
            if game.is_terminal(state) or (main and history.over):
                raise IllegalMove("the game is over")
            if main:
                history.play(action)
                return game.notation(state, action), history.state
            return game.notation(state, action), game.play(state, action)
        except IllegalMove as error:
            raise BadPosition(f"the move {value!r} of node {number} cannot be played: {error}") from None

    return play


def _game(root: Node, cls: type[Go]) -> Go:
    """The game that the root node of a record describes."""
    if root.get("GM", ["1"])[0].strip() != "1":
        raise BadPosition(f"GM must be 1, for Go, not {root['GM'][0].strip()!r}")
    sides = re.fullmatch(r"\s*([0-9]{1,2})(?::([0-9]{1,2}))?\s*", root.get("SZ", ["19"])[0], re.ASCII)
    komi = re.fullmatch(r"\s*([-+]?[0-9]{0,3}(?:\.[0-9]{0,9})?)\s*", root.get("KM", ["0"])[0], re.ASCII)
    if sides is None:
        raise BadPosition(
            f"the size must be a number or columns:rows, such as 19 or 9:7, not {root['SZ'][0]!r}"
        )
    if komi is None or not re.search("[0-9]", komi[1]):
        raise BadPosition(f"komi must be a number, not {root['KM'][0]!r}")
    rules = root.get("RU", [""])[0].strip().casefold()
    try:
        return cls(
            int(sides[1]),
            komi=float(komi[1]),
            suicide=rules in ("nz", "goe", "tromp-taylor"),
            rows=int(sides[2]) if sides[2] and sides[2] != sides[1] else None,
        )
    except PliesError as error:
        raise BadPosition(str(error)) from None


def _set_up(game: Go, root: Node) -> State:
    """The position that the set-up properties of the root node describe."""
    black = white = nothing()
    for name in _SET_UP:
        for value in root.get(name, []):
            for cell in _rectangle(game, value):
                stone = single(cell)
                black, white = without(black, stone), without(white, stone)
                black = either(black, stone) if name == "AB" else black
                white = either(white, stone) if name == "AW" else white
    wanted = root.get("PL", ["W" if root.get("AB") and not root.get("AW") else "B"])[0].strip().upper()
    if wanted not in ("B", "W", "BLACK", "WHITE"):
        raise BadPosition(f"the player to move must be B or W, not {wanted!r}")
    player = 0 if wanted.startswith("B") else 1
    state = State(black, white, nothing(), NOWHERE, 0, player)
    return game.parse_position(game.position(state))


def _rectangle(game: Go, value: str) -> list[int]:
    """The cells of a point, or of a rectangle of points from one corner to another."""
    first, _, last = value.strip().partition(":")
    one, other = _cell(game, first), _cell(game, last or first)
    if game.passing in (one, other):
        raise BadPosition(f"{value!r} is not a point to set up a stone at")
    rows, columns = zip(divmod(one, game.size), divmod(other, game.size), strict=True)
    return [
        row * game.size + column
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
    ]


def _cell(game: Go, value: str) -> int:
    """The cell, or the pass, of a value: letters for column and row, from the upper left corner."""
    value = value.strip()
    if value == "" or value == "tt":
        return game.passing
    if not re.fullmatch("[a-s]{2}", value):
        raise BadPosition(f"{value!r} is not a point: SGF has two letters from a to s")
    column, row = LETTERS.index(value[0]), game.height - 1 - LETTERS.index(value[1])
    if column >= game.size or row < 0:
        raise BadPosition(f"{value!r} is not on this board of {game.size}x{game.height}")
    return row * game.size + column


def _parsed(text: str) -> Sequence_:
    """The nodes of the first game in a text."""
    if len(text) > LONGEST:
        raise BadPosition(f"SGF is read up to {LONGEST:,} characters at once, not {len(text):,}")
    open_: list[Sequence_] = []
    values: list[str] | None = None  # of the property being read
    place = 0
    end = len(text.rstrip())
    while place < end:
        token = _TOKEN.match(text, place)
        if token is None:
            raise BadPosition(f"the record cannot be read from {text[place : place + 20].strip()!r} on")
        place = token.end()
        sign, name, value = token.groups()
        if not open_ and sign != "(":
            raise BadPosition(f"the record must begin with '(;', not {token[0].strip()!r}")
        if sign == "(":
            begun: Sequence_ = ([], [])
            if open_:
                open_[-1][1].append(begun)
            open_.append(begun)
        elif sign == ")":
            ended = open_.pop()
            values = None
            if not open_:
                return ended
        elif sign == ";":
            open_[-1][0].append({})
            values = None
        elif not open_[-1][0]:
            raise BadPosition(f"{token[0].strip()!r} stands before the first node, which begins with ';'")
        elif name is not None:
            values = open_[-1][0][-1].setdefault("".join(filter(str.isupper, name)), [])
        elif values is None:
            raise BadPosition(f"the value {token[0].strip()!r} belongs to no property")
        else:
            values.append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
    raise BadPosition("the record ends before its last ')'" if open_ else "the record is empty")


def write_sgf(
    history: History,
    properties: Mapping[str, str] | None = None,
    notes: Sequence[Mapping[str, str]] = (),
    tree: Tree | None = None,
) -> str:
    """The record of a game; `properties` such as PB, PW, DT or EV are added to its root node, `notes` to its
    moves. A `tree` of moves has variations, too."""
    game: Go = history.game  # type: ignore[assignment]
    start: State = history.states[0]
    size = str(game.size) if game.size == game.height else f"{game.size}:{game.height}"
    root = {"GM": "1", "FF": "4", "CA": "UTF-8", "AP": "Plies", "SZ": size, "KM": f"{game.komi:g}"}
    root["RU"] = "NZ" if game.suicide else "Chinese"
    if history.over:
        root["RE"] = _outcome(game.score(history.state))
    root |= {name.upper(): value for name, value in (properties or {}).items()}
    written = [f"{name}[{_escaped(value)}]" for name, value in root.items()]
    for name, stones in (("AB", start.black), ("AW", start.white)):
        cells = [cell for cell in range(game.cells) if holds(stones, cell)]
        if cells:
            written.append(name + "".join(f"[{_sgf(game, cell)}]" for cell in cells))
    if start.player == 1 or start.black != start.white:
        written.append(f"PL[{'BW'[start.player]}]")
    if tree is not None:
        return f"(;{''.join(written)}{_written_tree(game, start, tree)})\n"
    moves = [
        f";{'BW'[state.player]}[{_sgf(game, action)}]"
        for state, action in zip(history.states, history.actions, strict=False)
    ]
    for number, note in enumerate(notes):
        moves[number] += "".join(f"{name}[{_escaped(value)}]" for name, value in note.items())
    lines = ["".join(moves[i : i + 10]) for i in range(0, len(moves), 10)]
    return "\n".join([f"(;{''.join(written)}", *lines]) + ")\n"


def write_annotated_sgf(history: History, about: Annotations) -> str:
    """The record of a game with evaluations and times, as C (comment), and BL and WL (time left)."""
    root = {"PB": about.players[0], "PW": about.players[1], "EV": about.event, "RO": about.round}
    if about.time_control:
        root["OT"] = about.time_control
    if not history.over:
        how = {"time forfeit": "T", "abandoned": "F", "normal": "R"}.get(about.termination, "")
        root["RE"] = "0" if about.score == 0.5 else f"{'B' if about.score else 'W'}+{how}"
    notes: list[dict[str, str]] = []
    for state, note in zip(history.states, about.notes, strict=False):
        left = {} if note.clock is None else {"BW"[state.player] + "L": f"{note.clock:.3f}"}
        notes.append(left | ({"C": str(note)} if str(note) else {}))
    if about.reason and notes:
        notes[-1]["C"] = f"{notes[-1].get('C', '')} {about.reason}".strip()
    return write_sgf(history, root, notes)


def _written_tree(game: Go, state: State, tree: Tree) -> str:
    """A tree of moves: where it branches, the main line and each variation stand in brackets."""
    parts: list[str] = []
    closing: list[str] = []
    before = state
    for number, item in enumerate(tree):
        if isinstance(item, list):
            closing[-1] += f"\n({_written_tree(game, before, item)})"
        elif isinstance(item, dict):
            comment = {"C": [item["comment"]]} if item.get("comment") else {}
            marks = (
                {"C": [" ".join([*item["marks"], *comment.get("C", [])])]} if item.get("marks") else comment
            )
            for name, values in {**item.get("properties", {}), **marks}.items():
                parts.append(name + "".join(f"[{_escaped(value)}]" for value in values))
        else:
            rest = itertools.takewhile(lambda one: not isinstance(one, str), tree[number + 1 :])
            if any(isinstance(one, list) for one in rest):
                parts.append("\n(")
                closing.append(")")
            action = game.parse_action(state, item)
            parts.append(f";{'BW'[state.player]}[{_sgf(game, action)}]")
            before, state = state, game.play(state, action)
    return "".join([*parts, *reversed(closing)])


def _write_tree(game: AnnotatedGame) -> str:
    result = {"RE": game.result} if game.result else {}
    return write_sgf(game.history, {**game.headers, **result}, tree=game.tree)


def _agreed(winner: int | None, how: str) -> str:
    """The result of a game that ended otherwise than by its rules."""
    return "0" if winner is None else f"{'BW'[winner]}+{'T' if how == 'time' else 'R'}"


def _outcome(lead: float) -> str:
    """The result as the property RE has it."""
    if lead == 0:
        return "0"
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


def _sgf(game: Go, action: int) -> str:
    """A move as a value: the inverse of `_cell`."""
    if action == game.passing:
        return ""
    return LETTERS[action % game.size] + LETTERS[game.height - 1 - action // game.size]


SGF = RecordFormat(
    "sgf",
    write_sgf,
    lambda text, cls: [read_sgf(text, cls)],
    lambda text: text.startswith("("),
    write_annotated_sgf,
    lambda text, cls: [read_annotated_sgf(text, cls)],
    _write_tree,
    _agreed,
)
"""Smart Game Format."""
