"""Boards as pictures: every game, what is marked, what is written, and what a hostile name cannot do."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import plies
from golden import BOARDS, board_outlines
from plies import draw
from plies.cli import run
from plies.draw import marks, theme
from plies.draw.figures import FIGURES
from plies.draw.svg import Markup, element, escape, number, text_width
from plies.engine.value import Value
from plies.game import CHANCE, Game
from plies.history import History
from plies.scene import Cell, Label, Line, Piece, Scene, squares, starred

pytestmark = pytest.mark.plain

LONGEST = 25
"""How many moves are made in a random game."""

SVG = "{http://www.w3.org/2000/svg}"

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in plies.game_names()),
    ("connect-four", {"width": 4, "height": 3}),
    ("go", {"size": 19}),
    ("go", {"size": 2}),
    ("gomoku", {"size": 6}),
    ("kalah", {"houses": 3, "seeds": 20}),
    ("nim", {"heaps": (1, 30)}),
    ("othello", {"size": 4}),
    ("pacman", {"layout": "medium"}),
    ("peg-solitaire", {"layout": "triangle"}),
    ("pig", {"target": 2}),
    ("pirates", {"pirates": 1, "coins": 3}),
    ("pirates", {"pirates": 15, "coins": 2}),
    ("quoridor", {"size": 3, "walls": 2}),
    ("tree", {"tree": {"player": "chance", "children": [1, [2, -3.25], 4]}}),
]


def parsed(picture: draw.Picture) -> ElementTree.Element:
    return ElementTree.fromstring(str(picture))


def classes(thing: ElementTree.Element) -> list[str]:
    return thing.get("class", "").split()


def having(root: ElementTree.Element, *names: str) -> list[ElementTree.Element]:
    """The elements that have all of these classes."""
    return [thing for thing in root.iter() if set(names) <= set(classes(thing))]


def words(root: ElementTree.Element, *names: str) -> list[str]:
    """The texts of elements that have all of these classes."""
    return ["".join(thing.itertext()) for thing in having(root, *names)]


def centre(thing: ElementTree.Element) -> tuple[float, float]:
    """The middle of a circle or a rectangle, in cells."""
    if thing.tag == f"{SVG}circle":
        return float(thing.attrib["cx"]) / 100, float(thing.attrib["cy"]) / 100
    x, y, width, height = (float(thing.attrib[name]) for name in ("x", "y", "width", "height"))
    return round(x + width / 2) / 100, round(y + height / 2) / 100


def positions(game: Game, count: int, seed: int) -> Iterator[tuple[History, int]]:
    """Positions of a random game, with their numbers: the first, the last, and some between."""
    generator, history, number = random.Random(seed), History(game), 0
    while True:
        legal = history.legal()
        if number < count or not legal or number == LONGEST:
            yield history, number
        if not legal or number == LONGEST:
            return
        history.play(generator.choice(legal[:500]))
        number += 1


def boxes(
    thing: ElementTree.Element, dx: float = 0, dy: float = 0, moved: bool = False
) -> Iterator[tuple[float, float, float, float]]:
    """Where everything in an element lies: left, top, right, bottom."""
    if found := re.match(r"translate\((\S+) (\S+)\)", thing.get("transform", "")):
        dx, dy, moved = dx + float(found[1]), dy + float(found[2]), True
    at = {key: float(value) for key, value in thing.items() if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value)}
    kind = thing.tag.removeprefix(SVG)
    if kind == "rect":
        yield at["x"] + dx, at["y"] + dy, at["x"] + at["width"] + dx, at["y"] + at["height"] + dy
    elif kind == "circle":
        yield at["cx"] - at["r"], at["cy"] - at["r"], at["cx"] + at["r"], at["cy"] + at["r"]
    elif kind == "line":
        xs, ys = sorted((at["x1"], at["x2"])), sorted((at["y1"], at["y2"]))
        yield xs[0], ys[0], xs[1], ys[1]
    elif kind == "path":
        if moved:  # a figure, which lies in a square around its place
            yield dx - 50, dy - 50, dx + 50, dy + 50
        else:
            places = [float(text) for text in re.findall(r"-?[\d.]+", thing.attrib["d"])]
            yield min(places[::2]), min(places[1::2]), max(places[::2]), max(places[1::2])
    elif kind == "text":
        half = text_width(thing.text or "", at["font-size"]) / 2
        begin = at["x"] + (half if "prose" in classes(thing) else 0)
        yield begin - half, at["y"] - at["font-size"], begin + half, at["y"] + 0.3 * at["font-size"]
    for child in thing:
        yield from boxes(child, dx, dy, moved)


# -- Every game.


@pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=str)
def test_every_game_is_drawn(name: str, parameters: dict[str, Any]) -> None:
    game = plies.game(name, **parameters)
    assert game.has("scene"), f"{name} has no scene(): a game that comes with Plies draws its positions"
    for history, count in positions(game, 4, seed=5):
        state = history.state
        last = (history.states[-2], history.actions[-1]) if count else None
        legal = history.legal()[:200]
        deciding = bool(legal) and game.to_move(state) != CHANCE
        scores = dict.fromkeys(legal, "+0.5") if deciding else None
        picture = draw.board(game, state, last=last, legal=True, scores=scores, arrows=legal[:1] * deciding)
        root = parsed(picture)
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert classes(root) == ["plies", "board"]
        _check_words(game, state, root)
        _check_cells(game, state, root)
        check_inside(root)


def check_inside(root: ElementTree.Element) -> None:
    """Nothing in a picture lies outside of it."""
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for box in boxes(root):
        assert box[0] >= left - 0.5, box
        assert box[1] >= top - 0.5, box
        assert box[2] <= left + width + 0.5, box
        assert box[3] <= top + height + 0.5, box


def _check_words(game: Game, state: Any, root: ElementTree.Element) -> None:
    """There is a title and the position in words, and the root points to both."""
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert root.attrib["aria-labelledby"].split() == [title.get("id"), desc.get("id")]
    assert (title.text or "").startswith(game.name)
    assert (desc.text or "").endswith(game.text(state))


def _check_cells(game: Game, state: Any, root: ElementTree.Element) -> None:
    """Every cell of the scene is drawn, with something to point to, and every move names only those."""
    scene = game.scene(state)
    if scene is None:
        assert words(root, "prose") == game.text(state).split("\n")
        return
    drawn = {cell.attrib["data-cell"]: cell for cell in having(root, "cell")}
    assert sorted(drawn) == sorted(cell.name for cell in scene.cells)
    assert len(having(root, "piece")) == len(scene.pieces)
    for cell in drawn.values():
        (*_, (left, top, right, bottom)) = [box for child in cell for box in boxes(child)][:1]
        assert (right - left) * (bottom - top) >= 1000  # a tenth of a square
    if not game.is_terminal(state):
        for action in list(game.actions(state))[:200]:
            assert set(game.move_squares(state, action)) <= set(drawn)


def test_boards_are_what_they_were() -> None:
    """Structure and places of one position of each game; if they should change, run make golden."""
    lines = list(board_outlines())
    assert len(set(lines)) > 200
    same = "\n".join(lines) + "\n" == BOARDS.read_text(encoding="utf-8")
    assert same, "boards are drawn otherwise, or a game is new: run make golden, and look at the difference"


@pytest.mark.long
def test_nothing_hangs_out_of_a_picture_in_a_browser(browser: Any) -> None:
    pictures = []
    for name, parameters in VARIANTS:
        game = plies.game(name, **parameters)
        for history, count in positions(game, 0, seed=6):
            last = (history.states[-2], history.actions[-1]) if count else None
            pictures.append(str(draw.board(game, history.state, last=last, legal=True)))
    page = browser.new_page()
    try:
        page.set_content("".join(pictures))
        hanging = page.evaluate(
            """() => [...document.querySelectorAll('svg.plies')].flatMap((svg) => {
              const whole = svg.getBoundingClientRect();
              return [...svg.querySelectorAll(':is(g, rect, circle, path, line, text)')].filter((one) => {
                const box = one.getBoundingClientRect();
                return box.left < whole.left - 0.6 || box.top < whole.top - 0.6
                  || box.right > whole.right + 0.6 || box.bottom > whole.bottom + 0.6;
              }).map((one) => [svg.querySelector('title').textContent, one.outerHTML.slice(0, 200)]);
            })"""
        )
        assert page.evaluate("() => document.querySelectorAll('svg.plies').length") == len(pictures)
        assert hanging == []
    finally:
        page.close()


# -- What is marked.


def test_the_last_move_is_framed_from_and_to() -> None:
    game = plies.Chess()
    start = game.initial()
    action = game.parse_action(start, "e4")
    root = parsed(draw.board(game, game.result(start, action), last=(start, action)))
    frames = {centre(frame): "from" in classes(frame) for frame in having(root, "last")}
    assert frames == {(4.5, 6.5): True, (4.5, 4.5): False}


def test_the_last_disc_of_connect_four_is_marked_where_it_fell() -> None:
    game = plies.ConnectFour()
    before = game.parse_position("44")
    root = parsed(draw.board(game, game.result(before, 3), last=(before, 3)))
    assert [centre(mark) for mark in having(root, "last")] == [(3.5, 3.5)]


def test_what_is_taken_and_walls_are_marked_too() -> None:
    nim = plies.Nim((3,))
    take_two = nim.parse_action(nim.initial(), "1:2")
    root = parsed(draw.board(nim, nim.result(nim.initial(), take_two), last=(nim.initial(), take_two)))
    assert [centre(mark) for mark in having(root, "last", "from")] == [(1.5, 0.5), (2.5, 0.5)]
    quoridor = plies.Quoridor(3, walls=2)
    wall = quoridor.parse_action(quoridor.initial(), "a1h")
    after = quoridor.result(quoridor.initial(), wall)
    root = parsed(draw.board(quoridor, after, last=(quoridor.initial(), wall)))
    (mark,) = having(root, "last")
    assert mark.tag == f"{SVG}line"


def test_a_pass_is_told_below_the_board() -> None:
    game = plies.Go(5)
    root = parsed(
        draw.board(game, game.result(game.initial(), game.passing), last=(game.initial(), game.passing))
    )
    assert not having(root, "last")
    assert "last move: pass" in words(root, "label")


def test_legal_moves_are_dots_rings_and_corners() -> None:
    game = plies.TicTacToe()
    root = parsed(draw.board(game, game.parse_position("1 5"), legal=True))
    places = {centre(mark) for mark in having(root, "legal")}
    assert places == {(x + 0.5, y + 0.5) for x in range(3) for y in range(3)} - {(0.5, 0.5), (1.5, 1.5)}
    chess = plies.Chess()
    state = chess.parse_position("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1")
    root = parsed(draw.board(chess, state, legal=True))
    assert len(having(root, "legal", "from")) == 1
    assert [centre(mark) for mark in having(root, "legal", "open")] == [(4.5, 6.5)]  # the pawn to be taken
    connect_four = plies.ConnectFour()
    root = parsed(draw.board(connect_four, connect_four.parse_position("111111"), legal=True))
    assert {centre(mark) for mark in having(root, "legal")} == {(x + 0.5, 5.5) for x in range(1, 7)}
    assert not having(parsed(draw.board(game, game.initial())), "legal")


def test_a_thousand_legal_moves_and_chance_are_no_trouble() -> None:
    pirates = plies.Pirates(4, 60)
    assert having(parsed(draw.board(pirates, pirates.initial(), legal=True)), "legal")
    backgammon = plies.Backgammon()
    assert not having(parsed(draw.board(backgammon, backgammon.initial(), legal=True)), "legal")


def test_scores_stand_where_moves_end() -> None:
    game = plies.ConnectFour()
    state = game.parse_position("44")
    scores = {3: Value(0.25), 0: Value(1, True, 5), 1: Value(-1, True, 4), 2: Value(0, True), 6: Value(-12.6)}
    root = parsed(draw.board(game, state, scores=scores))
    shown = {
        centre(plate): (words(mark, "word")[0], classes(mark)[1:])
        for mark in having(root, "score")
        for plate in mark.iter(f"{SVG}rect")
    }
    assert shown == {
        (0.5, 5.5): ("W5", ["good", "proved", "best"]),
        (3.5, 3.5): ("+0.25", ["good"]),
        (2.5, 5.5): ("D", ["proved"]),
        (1.5, 5.5): ("L4", ["bad", "proved"]),
        (6.5, 5.5): ("-13", ["bad"]),
    }


def test_of_several_moves_to_a_cell_the_best_is_shown() -> None:
    game = plies.Chess()
    state = game.initial()
    knight, pawn = game.parse_action(state, "Nf3"), game.parse_action(state, "f3")
    for scores in ({knight: "+1", pawn: "-1"}, {pawn: Value(-0.5), knight: Value(0.5)}):
        (mark,) = having(parsed(draw.board(game, state, scores=scores)), "score")
        assert words(mark, "word")[0].startswith("+")
        told = next(mark.iter(f"{SVG}title")).text or ""
        assert [line.split(":")[0] for line in told.split("\n")] == ["Nf3", "f3"]


@pytest.mark.parametrize(
    ("value", "text", "looks"),
    [
        (Value(0.5, bound="<="), "≤+0.50", ["good"]),
        (Value(3.14159), "+3.1", ["good"]),
        (Value(1, True), "W", ["good", "proved"]),
        (Value(0, True, 9), "D", ["proved"]),
        ("win in 3", "win in 3", ["good"]),
        ("loss", "loss", ["bad"]),
        ("\u22121", "\u22121", ["bad"]),
        ("", "", []),
        (7, "7", []),
    ],
)
def test_scores_are_brief(value: Any, text: str, looks: list[str]) -> None:
    assert marks.brief(value) == text
    assert marks.kinds(value) == looks


def test_estimates_are_counted_in_units_of_the_game() -> None:
    assert marks.brief(Value(-0.0152), 0.01) == "-1.5"
    assert marks.brief(Value(-1, True, 3), 0.01) == "L3"
    game = plies.Chess()
    scores = {game.parse_action(game.initial(), "e4"): Value(0.0031)}
    root = parsed(draw.board(game, game.initial(), scores=scores))
    assert words(root, "score") == ["e4: +0.31 (estimate)+0.31"]


def test_scores_of_a_pass_are_told_below_the_board() -> None:
    game = plies.Go(5)
    root = parsed(draw.board(game, game.initial(), scores={game.passing: Value(-0.5)}))
    assert "pass: -0.5 (estimate)" in words(root, "label")


def test_arrows() -> None:
    game = plies.Chess()
    state = game.initial()
    e4, d4 = game.parse_action(state, "e4"), game.parse_action(state, "d4")
    root = parsed(draw.board(game, state, arrows=[e4, (d4, "best")]))
    plain, told = having(root, "arrow")
    assert plain.find(f"{SVG}path").attrib["d"].startswith("M450 630L450 460")  # type: ignore[union-attr]
    assert words(told, "word") == ["best"]
    tic_tac_toe = plies.TicTacToe()
    root = parsed(draw.board(tic_tac_toe, tic_tac_toe.initial(), arrows=[5]))
    assert [centre(ring) for ring in having(root, "ring")] == [(1.5, 1.5)]


# -- Makers' own games.


class Mean(NamedTuple):
    moved: int


NASTY = "<script>alert('&')</script>\x00\ud800\"]]>"


class Nasty(Game):
    """A game whose names are meant to do harm."""

    players = 1
    player_names = (NASTY,)
    name = NASTY

    def initial(self) -> Mean:
        return Mean(0)

    def to_move(self, state: Mean) -> int:
        return 0

    def actions(self, state: Mean) -> Iterator[tuple[str, str]]:
        yield (NASTY, "a pair")

    def result(self, state: Mean, action: tuple[str, str]) -> Mean:
        return Mean(1)

    def is_terminal(self, state: Mean) -> bool:
        return state.moved == 1

    def utility(self, state: Mean, player: int) -> int:
        return 1

    def text(self, state: Mean) -> str:
        return f"{NASTY}\n\tindented"

    def move_squares(self, state: Mean, action: Any) -> tuple[str, ...]:
        return (NASTY, "b")

    def scene(self, state: Mean) -> Scene | None:
        cells = [Cell(NASTY, 0.5, 0.5, NASTY), Cell("b", 1.5, 0.5)]
        looks = ("disc", "king", "sign", "seeds", NASTY)
        pieces = [Piece(0.5, 0.5, 7, look, NASTY) for look in looks]
        return Scene(2, 1, cells, pieces, [Line(0, 0, 5, 5, NASTY)], [Label(1, 2, NASTY, NASTY)], (NASTY,))


class Sceneless(Nasty):
    """The same without scenes."""

    def scene(self, state: Mean) -> Scene | None:
        return None

    def move_squares(self, state: Mean, action: Any) -> tuple[str, ...]:
        return ()


@pytest.mark.parametrize("game", [Nasty(), Sceneless()], ids=["scene", "text"])
def test_names_do_no_harm(game: Game) -> None:
    (action,) = game.actions(game.initial())
    for scores in (None, {action: NASTY}):
        picture = draw.board(
            game, game.initial(), legal=True, arrows=[action, (action, NASTY)], scores=scores
        )
        root = parsed(picture)
        assert "<script" not in str(picture)
        assert {thing.tag.removeprefix(SVG) for thing in root.iter()} <= {
            *("svg", "title", "desc", "style", "g", "rect", "circle", "path", "line", "text")
        }
        assert not any(name.startswith("on") for thing in root.iter() for name in thing.attrib)
    after = game.result(game.initial(), action)
    parsed(draw.board(game, after, last=(game.initial(), action)))


def test_what_a_cell_is_called_can_be_read_back() -> None:
    game = Nasty()
    root = parsed(draw.board(game, game.initial()))
    assert having(root, "cell")[0].attrib["data-cell"] == escape_free(NASTY)


def escape_free(text: str) -> str:
    """A text as XML can hold it."""
    return text.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")


def test_a_game_without_scenes_is_shown_as_text() -> None:
    game = Sceneless()
    root = parsed(draw.board(game, game.initial(), scores={("a", "b"): Value(1, True, 3)}))
    lines = words(root, "prose")
    assert lines[1] == "        indented"
    assert lines[-1] == "('a', 'b'): win in 3"
    assert not having(root, "cell")


SHORT = st.text(max_size=6)
PLACE = st.floats(-20, 20)
SCENES = st.builds(
    Scene,
    st.floats(0.1, 30),
    st.floats(0.1, 30),
    st.lists(
        st.builds(
            Cell,
            SHORT,
            PLACE,
            PLACE,
            st.sampled_from(["plain", "hole", "pit", "point", "star", "slot", "wall"]) | SHORT,
            st.floats(0.5, 4),
            st.floats(0.5, 4),
            st.sampled_from(["", "up", "down"]) | SHORT,
        ),
        max_size=4,
        unique_by=lambda cell: cell.name,
    ),
    st.lists(
        st.builds(
            Piece,
            PLACE,
            PLACE,
            st.none() | st.integers(-1, 20),
            st.sampled_from(["disc", "king", "sign", "seeds"]) | SHORT,
            st.sampled_from(["X", "♔", "7", "⚅3"]) | SHORT,
        ),
        max_size=4,
    ),
    st.lists(
        st.builds(Line, PLACE, PLACE, PLACE, PLACE, st.sampled_from(["grid", "row"]) | SHORT), max_size=3
    ),
    st.lists(st.builds(Label, PLACE, PLACE, SHORT, st.sampled_from(["beside", "inside"])), max_size=3),
    st.lists(st.sampled_from(["black", "red"]) | SHORT, max_size=2),
)


@given(SCENES)
@example(Scene(1, 1, [], [Piece(0, 0, CHANCE)]))
def test_any_scene_is_drawn(scene: Scene) -> None:
    class Any(Nasty):
        def scene(self, state: Mean) -> Scene:
            return scene

        def move_squares(self, state: Mean, action: object) -> tuple[str, ...]:
            return tuple(cell.name for cell in scene.cells)

    game = Any()
    root = parsed(
        draw.board(game, game.initial(), legal=True, scores=dict.fromkeys(game.actions(Mean(0)), "1"))
    )
    assert len(having(root, "cell")) == len(scene.cells)
    check_inside(root)


def test_a_scene_without_end_is_refused() -> None:
    class Endless(Nasty):
        def scene(self, state: Mean) -> Scene:
            return Scene(1, 1, [Cell("a", float("inf"), 0)])

    with pytest.raises(plies.PliesError, match="coordinates that are not finite"):
        draw.board(Endless(), Mean(0))


# -- Looks.


def test_colours_of_players() -> None:
    def drawn(*colours: str) -> list[list[str]]:
        class Discs(Nasty):
            def scene(self, state: Mean) -> Scene:
                pieces = [Piece(0.5, 0.5, player) for player in (0, 1, 9)]
                return Scene(1, 1, [Cell("a", 0.5, 0.5)], pieces, colours=colours)

        game = Discs()
        return [classes(piece)[-2:] for piece in having(parsed(draw.board(game, game.initial())), "piece")]

    assert drawn() == [["player-0", "blue"], ["player-1", "orange"], ["player-9", "purple"]]
    assert drawn("black", "white")[:2] == [["player-0", "black"], ["player-1", "white"]]
    assert drawn("mauve")[0] == ["player-0", "blue"]


def test_players_are_told_apart_without_colours() -> None:
    """Of two discs, one has another mark: a ring, dashes, or a letter."""
    for name in ("connect-four", "go", "othello", "checkers", "backgammon", "quoridor"):
        game = plies.game(name)
        looks: dict[str, set[str]] = {}
        for history, _ in positions(game, 0, seed=2):
            for piece in having(parsed(draw.board(game, history.state)), "piece", "disc"):
                (player,) = (word for word in classes(piece) if word.startswith("player-"))
                inside = [thing for thing in piece.iter() if "mark" in classes(thing)]
                looks.setdefault(player, set()).add(
                    " ".join(thing.get("d") or thing.get("stroke-dasharray") or "ring" for thing in inside)
                )
        assert len(looks) == 2, name
        assert not (looks["player-0"] - {""}) & (looks["player-1"] - {""}), name


def test_stars() -> None:
    def count(size: int) -> int:
        letters = [chr(97 + i) for i in range(size)]
        cells = starred(squares(letters, [str(i) for i in range(size)], ("point",)), size, size)
        return sum(cell.look == "star" for cell in cells)

    assert [count(size) for size in (3, 5, 9, 13, 15, 19)] == [0, 1, 5, 5, 5, 9]


def test_every_chess_man_and_die_is_drawn() -> None:
    assert set("♔♕♖♗♘♙♚♛♜♝♞♟⚀⚁⚂⚃⚄⚅") <= set(FIGURES)
    assert [FIGURES[sign].dots.count("M") for sign in "⚀⚁⚂⚃⚄⚅"] == [1, 2, 3, 4, 5, 6]


def brightness(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("which", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "wanted"),
    [
        ("ink", "ground", 7),
        ("ink", "plain", 7),
        ("quiet", "ground", 4.5),
        ("good", "ground", 4.5),
        ("bad", "ground", 4.5),
        ("ground", "quiet", 4.5),
        ("legal", "ground", 3),
        ("accent", "ground", 3),
        ("black", "light", 3),
        ("black", "dark", 3),
        ("black", "felt", 3),
        ("white", "felt", 3),
        ("white", "black", 7),
        ("black", "wood", 3),
        ("ink", "pit", 3),
        ("grid", "wood", 3),
    ],
)
def test_colours_stand_out(front: str, back: str, wanted: float, which: int) -> None:
    first, second = (brightness(theme.COLOURS[name][which]) + 0.05 for name in (front, back))
    assert max(first, second) / min(first, second) >= wanted


def test_colours_can_be_overridden_and_have_a_plain_form() -> None:
    for name, (light, dark) in theme.COLOURS.items():
        for value in (light, dark):
            assert f"--p-{name}:var(--plies-{name},{value});" in theme.STYLE
    assert theme.STYLE.count("--p-ink:") == 4
    assert "fill:#1d2329;fill:var(--p-ink)" in theme.STYLE
    assert not set(theme.STYLE) & {"<", "&"}


# -- The picture itself.


def test_sizes() -> None:
    game = plies.TicTacToe()
    for size in (None, 200, 800):
        root = parsed(draw.board(game, game.initial(), size=size))
        assert max(int(root.attrib["width"]), int(root.attrib["height"])) == (size or 400)
    for wrong in (0, -1, 20_000, float("nan")):
        with pytest.raises(plies.PliesError, match="size must be above 0"):
            draw.board(game, game.initial(), size=wrong)


def test_the_same_position_gives_the_same_picture_and_another_one_other_names() -> None:
    game = plies.TicTacToe()
    first, again = (draw.board(game, game.initial()) for _ in range(2))
    assert first == again
    other = draw.board(game, game.parse_position("5"))
    assert not set(re.findall(r'id="([^"]+)"', str(first))) & set(re.findall(r'id="([^"]+)"', str(other)))


def test_pictures_are_saved(tmp_path: Path) -> None:
    picture = draw.board(plies.Nim(), plies.Nim().initial())
    picture.save(tmp_path / "nim.svg")
    assert (tmp_path / "nim.svg").read_text(encoding="utf-8") == str(picture) == picture._repr_svg_()
    with pytest.raises(plies.PliesError, match=r"ends in \.svg"):
        picture.save(tmp_path / "nim.png")
    with pytest.raises(plies.PliesError, match="cannot be written"):
        picture.save(tmp_path / "nowhere" / "nim.svg")


def test_elements_are_escaped() -> None:
    assert element("g", "a<b", Markup("<i/>"), data_x='"&', class_=None, x=0.12345) == (
        '<g data-x="&quot;&amp;" x="0.12">a&lt;b<i/></g>'
    )
    assert escape("\x01") == "\ufffd"
    assert [number(value) for value in (-0.001, 1.0, 2.5, 100)] == ["0", "1", "2.5", "100"]


# -- plies draw.


def test_plies_draw_prints_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["draw", "connect-four", "44", "width=5", "--last", "3", "--legal", "--size", "200"]) == 0
    root = ElementTree.fromstring(capsys.readouterr().out)
    assert root.get("height") == "200"
    assert len(having(root, "last")) == 1
    assert len(having(root, "legal")) == 5


def test_plies_draw_writes_scores_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.svg"
    words_given = ["draw", "tic-tac-toe", "1 5 2", "--scores", "--time", "5", "--arrow", "3", "-o", str(path)]
    assert run(words_given) == 0
    assert capsys.readouterr().out == ""
    root = ElementTree.parse(path).getroot()
    assert len(having(root, "score", "proved")) == 6
    assert words(root, "best", "word") == []
    assert len(having(root, "arrow")) == 1


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["nim", "-o", "x.png"], "the output file must end in .svg, not 'x.png'"),
        (
            ["nim", "-o", "x.html"],
            "an .html page shows a whole game: give --record FILE, or a file that ends in .svg",
        ),
        (["nim", "1:1", "--record", "x"], "give either a position or --record, not both"),
        (["nim", "--record", "nowhere"], "'nowhere' cannot be read: No such file or directory"),
        (["nim", "-o", "nowhere/x.svg"], "'nowhere/x.svg' cannot be written: there is no folder 'nowhere'"),
        (["nim", "--time", "1"], "--time is for the search for scores: give --scores as well"),
        (["nim", "--scores", "--time", "0"], "--time must be more than 0 and at most 86,400 seconds, not 0"),
        (["nim", "--last", "9-9"], "'9-9' is not a legal move"),
        (["nim", "--size", "0"], "size must be above 0 and up to 10,000 pixels, not 0"),
        (["pig", "0/0 1+0?", "--scores"], "there are no moves to score: chance is to move"),
        (["sum-to-two", "1 1 0", "--last", "1"], "'1' cannot be played: the game is over"),
    ],
)
def test_plies_draw_refuses_in_a_sentence(
    given: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["draw", *given]) == 2
    assert capsys.readouterr().err.startswith(f"plies: {sentence}")
