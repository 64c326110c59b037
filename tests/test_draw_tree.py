"""Trees as pictures: places that are tidy, signs that are right, nothing lost without a count."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from golden import SLIDE, slide, structure
from plies import BadParameter, book, draw
from plies.draw.layout import tidy
from plies.draw.outline import Drawn, More, outline
from plies.draw.tree import Drawing
from plies.games.tree import Tree, random_tree
from strategies import chance_trees, payoff_trees, trees

pytestmark = pytest.mark.plain

SVG = "{http://www.w3.org/2000/svg}"
GAP, FAMILY_GAP = 7.0, 11.0


def parsed(picture: draw.Picture) -> ElementTree.Element:
    return ElementTree.fromstring(str(picture))


def having(root: ElementTree.Element, *classes: str) -> list[ElementTree.Element]:
    """The elements that have all of these classes."""
    return [e for e in root.iter() if set(classes) <= set(e.get("class", "").split())]


def text(element: ElementTree.Element, name: str) -> str:
    (found,) = [e for e in element if name in e.get("class", "").split()]
    return found.text or ""


def node(root: ElementTree.Element, number: int) -> ElementTree.Element:
    (found,) = [e for e in having(root, "node") if e.get("data-node") == str(number)]
    return found


# -- The layout.


@st.composite
def shapes(draw_: st.DrawFn) -> tuple[list[list[int]], list[float]]:
    """Any tree, as the children of each node in order, and a width for each."""
    size = draw_(st.integers(1, 40))
    children: list[list[int]] = [[] for _ in range(size)]
    for i in range(1, size):
        children[draw_(st.integers(max(0, i - 12), i - 1))].append(i)
    return children, [draw_(st.sampled_from([4.0, 10.0, 31.5])) for _ in range(size)]


def levels(children: list[list[int]]) -> list[int]:
    """How far every node is from the root."""
    depths = [0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            depths[child] = depths[node] + 1
    return depths


def in_order(children: list[list[int]]) -> list[int]:
    order, stack = [], [0]
    while stack:
        order.append(stack.pop())
        stack += reversed(children[order[-1]])
    return order


@given(shapes())
def test_nodes_of_a_level_keep_their_order_and_their_distance(shape):
    children, widths = shape
    places, depths = tidy(children, widths, GAP, FAMILY_GAP), levels(children)
    parent = {child: node for node, below in enumerate(children) for child in below}
    rightmost: dict[int, int] = {}
    for i in in_order(children):
        before = rightmost.get(depths[i])
        if before is not None:
            least = GAP if parent[i] == parent[before] else FAMILY_GAP
            between = places[i] - widths[i] / 2 - (places[before] + widths[before] / 2)
            assert between >= least - 1e-6
        rightmost[depths[i]] = i
    assert min(place - width / 2 for place, width in zip(places, widths, strict=True)) == pytest.approx(0)


@given(shapes())
def test_parents_stand_in_the_middle_above_their_children(shape):
    children, widths = shape
    places = tidy(children, widths, GAP, FAMILY_GAP)
    for i, below in enumerate(children):
        if below:
            assert places[i] == pytest.approx((places[below[0]] + places[below[-1]]) / 2)


@given(shapes(), shapes())
def test_a_subtree_is_drawn_the_same_wherever_it_is(shape, other):
    """Below a root with any other tree on each side, as well as by itself."""
    children, widths = shape
    alone = tidy(children, widths, GAP, FAMILY_GAP)
    parts = [other, shape, other]
    joined: list[list[int]] = [[]]
    sizes = [10.0]
    for below, wide in parts:
        start = len(joined)
        joined[0].append(start)
        joined += [[child + start for child in family] for family in below]
        sizes += wide
    places = tidy(joined, sizes, GAP, FAMILY_GAP)
    start = joined[0][1]
    for i, place in enumerate(alone):
        assert places[start + i] - places[start] == pytest.approx(place - alone[0])


@given(shapes())
def test_the_mirror_image_is_drawn_as_the_mirror_image(shape):
    children, widths = shape
    places = tidy(children, widths, GAP, FAMILY_GAP)
    mirrored = tidy([below[::-1] for below in children], widths, GAP, FAMILY_GAP)
    for a, b in zip(places, mirrored, strict=True):
        assert a - places[0] == pytest.approx(mirrored[0] - b)


def test_the_layout_is_as_narrow_as_can_be_where_there_is_one_way():
    assert tidy([[1, 2, 3], [], [], []], [10, 10, 10, 10], 5, 20) == [20, 5, 20, 35]
    assert tidy([[1, 2], [3, 4], [5], [], [], []], [10] * 6, 5, 20) == [31.25, 12.5, 50, 5, 20, 50]


def test_a_deep_tree_is_no_problem():
    size = 5_000
    assert len(tidy([[i + 1] for i in range(size - 1)] + [[]], [1.0] * size, 1, 1)) == size


# -- The slides' example.


def test_figure_5_2_has_the_structure_that_was_looked_at():
    golden = ElementTree.fromstring(SLIDE.read_text(encoding="utf-8"))
    assert structure(parsed(slide())) == structure(golden)


def test_figure_5_2():
    root = parsed(slide())
    assert root.get("role") == "img"
    labels = root.get("aria-labelledby", "").split()
    assert [e.get("id") for e in (root[0], root[1])] == labels
    assert root[0].text == "alpha-beta on tree"
    assert "MIN C <= 2" in (root[1].text or "")
    assert len(having(root, "node")) == 11
    assert len(having(root, "node", "max")) == 1
    assert len(having(root, "node", "min")) == 3
    assert len(having(root, "node", "leaf")) == 7
    values = [text(e, "value") for e in having(root, "node")]
    assert values == ["3", "3", "3", "12", "8", "≤ 2", "2", "2", "14", "5", "2"]
    assert [text(node(root, i), "alpha") for i in (0, 1, 5)] == ["α 3", "α −∞", "α 3"]
    assert [text(node(root, i), "beta") for i in (0, 1, 5)] == ["β +∞", "β 3", "β 2"]
    assert [e.get("data-node") for e in having(root, "node", "chosen")] == ["0", "1", "2"]
    assert [e.get("data-node") for e in having(root, "edge", "chosen")] == ["1", "2"]
    assert [text(e, "action") for e in having(root, "edge")][:4] == ["a1", "b1", "b2", "b3"]
    cuts = having(root, "cut")
    assert [(e.get("data-parent"), e.get("data-index"), text(e, "action")) for e in cuts] == [
        ("5", "1", "c2"),
        ("5", "2", "c3"),
    ]
    assert "MAX already has 3 elsewhere" in (cuts[0][0].text or "")
    assert [e.text for e in having(root, "reason")] == ["2 ≤ α 3"]
    assert [e.text for e in having(root, "caption")] == ["MAX", "MIN"]


def test_kinds_of_nodes_have_forms_of_their_own():
    game = Tree({"children": {"roll": {"probabilities": [0.75, 0.25], "children": [1, 2.5]}, "stop": [1]}})
    root = parsed(draw.tree(book.trace(game, algorithm="expectiminimax")))
    forms = {
        kind: next(child for child in having(root, "node", kind)[0] if child.get("class") == "form")
        for kind in ("max", "min", "chance", "leaf")
    }
    assert forms["chance"].tag == f"{SVG}ellipse"
    assert forms["leaf"].tag == f"{SVG}rect"
    for kind, sign in (("max", -1), ("min", 1)):  # the corner that is alone points up or down
        assert forms[kind].tag == f"{SVG}polygon"
        heights = [float(point.split(",")[1]) for point in forms[kind].get("points", "").split()]
        (tip,) = [height for height in heights if heights.count(height) == 1]
        assert tip * sign > 0
    labels = [text(e, "action") for e in having(root, "edge")]
    assert labels == ["roll", "b1 (0.75)", "b2 (0.25)", "stop", "c1"]


def test_players_have_their_names_and_tuples():
    three = Tree([[[(1, 2, 6), (4, 3, 2)]], [[(5, 1, 1)]]])
    root = parsed(draw.tree(book.trace(three, algorithm="max-n")))
    assert [text(e, "whose") for e in having(root, "node", "player")][:3] == [
        "player 1",
        "player 2",
        "player 3",
    ]
    assert text(node(root, 0), "value") == "(5, 1, 1)"


def test_plans_and_lots():
    root = parsed(draw.tree(book.trace(Tree([[1, [2, -1]], 3]), algorithm="and-or")))
    assert [text(e, "value") for e in having(root, "node")][:2] == ["yes", "yes"]
    assert having(root, "node", "or")
    assert having(root, "node", "and")
    assert [e.text for e in having(root, "reason")] == ["one is enough"] * 2
    root = parsed(draw.tree(book.trace(Tree(), algorithm="sampled")))
    assert {e.text for e in having(root, "reason")} == {"not sampled"}


# -- Steps.


def test_a_step_shows_only_what_is_known_by_then():
    trace = book.trace(Tree())
    root = parsed(draw.tree(trace, step=0))
    assert len(having(root, "node", "unseen")) == 11
    assert {text(e, "value") for e in having(root, "node")} == {""}
    assert not having(root, "done")
    root = parsed(draw.tree(trace, step=8))
    assert [text(node(root, i), "value") for i in range(6)] == ["≥ 3", "3", "3", "12", "8", ""]
    assert [e.get("data-node") for e in having(root, "node", "open")] == ["0"]
    assert len(having(root, "cut", "unseen")) == 2
    root = parsed(draw.tree(trace, step=12))
    assert not having(root, "cut", "unseen")
    assert [e.get("data-node") for e in having(root, "node", "current")] == ["5"]
    assert [e.get("data-node") for e in having(root, "edge", "path")] == ["5"]
    root = parsed(draw.tree(trace, step=len(trace.events)))
    assert structure(root) == structure(parsed(slide()))


@given(trees(max_depth=3), st.data())
def test_steps_only_add(tree, data):
    """What is known stays known, and nothing has a value before it is visited."""
    drawing = Drawing(book.trace(tree, player=0))
    total = len(drawing.changes)
    step = data.draw(st.integers(0, total - 1))
    before, after = (parsed(drawing.picture(i)) for i in (step, step + 1))
    seen = [
        {e.get("data-node") for e in having(root, "node") if "unseen" not in e.get("class", "")}
        for root in (before, after)
    ]
    assert seen[0] <= seen[1]
    assert len(seen[1]) <= len(seen[0]) + 1
    for root in (before, after):
        for e in having(root, "node", "unseen"):
            assert text(e, "value") == ""
    assert {e.get("transform") for e in having(before, "node")} == {
        e.get("transform") for e in having(after, "node")
    }


@given(trees(), st.booleans(), st.booleans())
def test_bounds_that_are_shown_while_searching_hold(tree, cut_on_equal, fail_hard):
    trace = book.trace(tree, player=0, cut_on_equal=cut_on_equal, fail_hard=fail_hard)
    exact = [book.minimax(tree, node.entered.state, player=0).value for node in trace.tree]
    for change in Drawing(trace).changes:
        if change.value[:1] in ("≥", "≤"):
            bound = float(change.value[2:].replace("−", "-"))
            assert exact[change.node] >= bound if change.value[0] == "≥" else exact[change.node] <= bound


# -- Large trees.


@given(trees(), st.integers(1, 12))
def test_every_node_is_drawn_or_counted(tree, limit):
    trace = book.trace(tree, player=0)
    items = outline(trace, limit)
    drawn = [item for item in items if isinstance(item, Drawn)]
    assert len(drawn) + sum(item.count for item in items if isinstance(item, More)) == trace.nodes
    assert [item.node.entered.action for item in drawn if item.chosen] == [None, *trace.line]
    assert len(drawn) <= max(limit, len(trace.line) + 1)
    numbers = [item.number for item in drawn]
    assert numbers == sorted(numbers)


def test_a_large_tree_is_drawn_in_part_and_from_left_to_right():
    trace = book.trace(random_tree(5, branching=6, depth=4), algorithm="minimax")
    assert trace.nodes == 1555
    drawing = Drawing(trace)
    root = parsed(drawing.picture())
    counts = [int(e.text.split()[1].replace(",", "")) for e in having(root, "count")]
    assert sum(counts) == 1555 - len(having(root, "node"))
    assert 200 < len(having(root, "node")) <= 300
    assert len(having(root, "edge", "chosen")) == 4
    assert having(root, "across")
    width = float(root.get("width", "0"))
    assert width < 2_500
    assert [e.text for e in having(root, "caption")][:2] == ["MAX", "MIN"]


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_nothing_lies_upon_anything_else(across, seed):
    """Forms and words, taken as boxes, share no place."""
    trace = book.trace(random_tree(seed, branching=3, depth=3))
    boxes = []
    root = parsed(draw.tree(trace, across=across))
    for e in having(root, "node"):
        x, y = map(float, re.findall(r"-?[\d.]+", e.get("transform", "")))
        width, height = next(size(child) for child in e if child.get("class") == "form")
        boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    anchors = {"edge": "end" if across else "middle", "cut": "end" if across else "middle"}
    for kind, anchor in anchors.items():
        for e in having(root, kind):
            word = next(child for child in e if "action" in child.get("class", ""))
            x, y, wide = float(word.get("x", 0)), float(word.get("y", 0)), 7 * len(word.text or "")
            left = x - wide if anchor == "end" else x - wide / 2
            boxes.append((left, y - 9, left + wide, y + 1))
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1


def size(form: ElementTree.Element) -> tuple[float, float]:
    if form.tag == f"{SVG}rect":
        return float(form.get("width", 0)), float(form.get("height", 0))
    points = [tuple(map(float, point.split(","))) for point in form.get("points", "").split()]
    xs, ys = zip(*points, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def test_many_cut_branches_are_counted():
    root = parsed(draw.tree(book.trace(Tree([[3], [1] * 40]))))
    assert [text(e, "action") for e in having(root, "cut")] == ["c2", "c3", "c4", "… 36 more"]


# -- Boards.


def test_boards_in_the_nodes():
    game = plies.TicTacToe()
    trace = book.trace(game, depth=1)
    root = parsed(draw.tree(trace, boards=game))
    assert len(having(root, "thumbnail")) == 10
    assert len(having(node(root, 1), "cell")) == 9
    assert len(having(node(root, 1), "piece")) == 1
    lost = book.Trace.from_json(trace.to_json())
    assert not having(parsed(draw.tree(lost, boards=game)), "thumbnail")
    with pytest.raises(BadParameter, match="the trace is of tic-tac-toe, and nim"):
        draw.tree(trace, boards=plies.game("nim"))


def test_names_are_unique_in_a_picture_with_boards():
    game = plies.TicTacToe()
    root = parsed(draw.tree(book.trace(game, depth=1), boards=game))
    names = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(names) == len(set(names)) == 2


# -- Anything else.

ANY = st.one_of(
    st.tuples(st.sampled_from(["minimax", "alpha-beta", "sampled", "max-n", "opponents", "and-or"]), trees()),
    st.tuples(st.sampled_from(["expectiminimax", "and-or"]), chance_trees()),
    st.tuples(st.sampled_from(["max-n", "paranoid", "and-or"]), payoff_trees(3)),
)


@given(ANY, st.none() | st.integers(0, 3), st.integers(1, 30), st.booleans())
def test_any_trace_is_drawn(case, depth, limit, across):
    algorithm, tree = case
    trace = book.trace(tree, algorithm=algorithm, depth=depth)
    drawing = Drawing(trace, limit=limit, across=across)
    for step in {None, 0, len(trace.events) // 2}:
        root = parsed(drawing.picture(step))
        assert len(having(root, "node")) == len(drawing.nodes)
        assert "nan" not in str(drawing.picture(step)).replace("nano", "")


def test_names_of_any_kind_are_escaped():
    tree = Tree({"name": "<A>&", "children": {'<b a="">': 1, "]]>": {"children": {"<svg>": 2}}}})
    root = parsed(draw.tree(book.trace(tree)))
    assert text(node(root, 0), "name") == "<A>&"
    assert text(having(root, "edge")[0], "action") == '<b a="">'


def test_what_cannot_be_drawn_is_refused():
    trace = book.trace(Tree())
    for limit in (0, True, 2.5):
        with pytest.raises(BadParameter, match="limit must be 1 node or more"):
            draw.tree(trace, limit=limit)
    for step in (-1, 23, True):
        with pytest.raises(BadParameter, match="step must be between 0 and 22"):
            draw.tree(trace, step=step)


def test_a_single_leaf_is_a_tree():
    root = parsed(draw.tree(book.trace(Tree(5))))
    assert [text(e, "value") for e in having(root, "node")] == ["5"]
