"""Go games in the Smart Game Format (SGF, FF[4]), in and out; of variations, the main line alone is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from plies.errors import BadPosition, IllegalMove, PliesError
from plies.games.go import Go
from plies.games.go_board import NOWHERE, State
from plies.games.wide_bitboard import either, holds, nothing, single, without
from plies.history import History
from plies.record_format import Annotations, RecordFormat

LETTERS = "abcdefghijklmnopqrs"
LONGEST = 1 << 20
"""The most characters that are read at once. Not tuned."""

Node = dict[str, list[str]]
"""The properties of a node, in order."""

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,64})\s*|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_SET_UP = ("AB", "AW", "AE")


def read_sgf(text: str, cls: type[Go] = Go) -> History:
    """The main line of a record, each move checked; raises `BadPosition` for what cannot be read or played.

    Size, komi and set-up stones are read. Where a player moves twice in a row, as in old handicap games, the
    other has passed.
    """
    nodes = _main_line(text)
    root = {name: values for name, values in nodes[0].items() if values} if nodes else {}
    game = _game(root, cls)
    started, history = False, History(game, _set_up(game, root))
    for number, node in enumerate(nodes):
        if number > 0 and any(name in node for name in _SET_UP):
            raise BadPosition(f"node {number + 1} sets up stones; only the first node may")
        for name, player in (("B", 0), ("W", 1)):
            for value in node.get(name, []):
                if not started and "PL" not in root and history.state.player != player:
                    history = History(game, history.state._replace(player=player))
                started = True
                _play(history, player, value, number + 1)
    return history


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


def _play(history: History, player: int, value: str, number: int) -> None:
    """Play the move of a node, after a pass if it is not that player's turn."""
    game: Go = history.game  # type: ignore[assignment]
    action = _cell(game, value)
    try:
        if history.over:
            raise IllegalMove("the game is over")
        if history.state.player != player:
            history.play(game.passing)
        history.play(action)
    except IllegalMove as error:
        raise BadPosition(f"the move {value!r} of node {number} cannot be played: {error}") from None


def _main_line(text: str) -> list[Node]:
    """The nodes of the main line of the first game in a text."""
    if len(text) > LONGEST:
        raise BadPosition(f"SGF is read up to {LONGEST:,} characters at once, not {len(text):,}")
    nodes: list[Node] = []
    values: list[str] | None = None  # of the property being read
    depth = 0
    closed = False  # whether a variation has ended: what follows is not of the main line
    place = 0
    end = len(text.rstrip())
    while place < end:
        token = _TOKEN.match(text, place)
        if token is None:
            raise BadPosition(f"the record cannot be read from {text[place : place + 20].strip()!r} on")
        place = token.end()
        sign, name, value = token.groups()
        if depth == 0 and sign != "(":
            raise BadPosition(f"the record must begin with '(;', not {token[0].strip()!r}")
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            closed = True
            if depth == 0:
                return nodes
        elif closed:
            continue
        elif sign == ";":
            nodes.append({})
            values = None
        elif not nodes:
            raise BadPosition(f"{token[0].strip()!r} stands before the first node, which begins with ';'")
        elif name is not None:
            values = nodes[-1].setdefault("".join(filter(str.isupper, name)), [])
        elif values is None:
            raise BadPosition(f"the value {token[0].strip()!r} belongs to no property")
        else:
            values.append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
    raise BadPosition("the record ends before its last ')'" if depth else "the record is empty")


def write_sgf(
    history: History,
    properties: Mapping[str, str] | None = None,
    notes: Sequence[Mapping[str, str]] = (),
) -> str:
    """The record of a game; `properties` such as PB, PW, DT or EV are added to its root node, `notes` to its
    moves."""
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
)
"""Smart Game Format."""
