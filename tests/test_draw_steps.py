"""Steps: sentences that are true, pictures and pages of them, and the page in a real browser."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import PliesError, book, draw
from plies.book import Cut
from plies.cli import run
from plies.games.tree import Tree, random_tree
from strategies import chance_trees, payoff_trees, trees

pytestmark = pytest.mark.plain


def test_fail_hard_in_sentences() -> None:
    told = draw.explain(book.trace(Tree([[3], [[2, 1], 9], [2, 9], [4, 2]]), fail_hard=True))
    for sentence in (
        "Action f1 leads to a leaf worth 2. MAX already has 3 elsewhere: nothing changes.",
        "All branches of F are searched: F is worth at most 3, for fail-hard returns alpha.",
        "C is worth at most 3, and that is enough to know. MAX has 3 at A already: nothing changes.",
        "D is worth at most 3, for fail-hard returns alpha in place of 2, and that is enough to know. "
        "MAX has 3 at A already: nothing changes.",
        "All branches of E are searched: E is worth at most 3, for fail-hard returns alpha in place of 2. "
        "MAX has 3 at A already: nothing changes.",
    ):
        assert sentence in told
    told = draw.explain(book.trace(Tree([[3, [7, 1]]]), fail_hard=True))
    assert (
        "C is worth at least 3, for fail-hard returns beta in place of 7, and that is enough to know. "
        "MIN has 3 at B already: nothing changes."
    ) in told


FIGURE_5_2 = """\
The search begins at A, where MAX moves. Alpha is −∞ and beta +∞: nothing is known yet.
Action a1 leads to B, where MIN moves. Alpha is −∞ and beta +∞.
Action b1 leads to a leaf worth 3.
MIN has 3 at B by b1, so B is worth at most 3. Beta falls to 3.
Action b2 leads to a leaf worth 12. MIN has 3 at B already: nothing changes.
Action b3 leads to a leaf worth 8. MIN has 3 at B already: nothing changes.
All branches of B are searched: B is worth 3.
MAX has 3 at A by a1, so A is worth at least 3. Alpha rises to 3.
Action a2 leads to C, where MIN moves. Alpha is 3 and beta +∞: MAX already has 3 elsewhere.
Action c1 leads to a leaf worth 2.
MIN has 2 at C by c1, so C is worth at most 2. Beta falls to 2.
Actions c2 and c3 are cut: C is worth at most 2, and MAX already has 3 elsewhere (alpha), so MAX has \
no reason to come here, whatever they hold.
C is worth at most 2, and that is enough to know. MAX has 3 at A already: nothing changes.
Action a3 leads to D, where MIN moves. Alpha is 3 and beta +∞: MAX already has 3 elsewhere.
Action d1 leads to a leaf worth 14.
MIN has 14 at D by d1, so D is worth at most 14. Beta falls to 14.
Action d2 leads to a leaf worth 5.
MIN has 5 at D by d2, better than 14, so D is worth at most 5. Beta falls to 5.
Action d3 leads to a leaf worth 2.
MIN has 2 at D by d3, better than 5, so D is worth at most 2. Beta falls to 2.
All branches of D are searched: D is worth 2. MAX has 3 at A already: nothing changes.
All branches of A are searched: A is worth 3. The search is over: best is a1, then b1.
"""
"""The lecture's values: B is 3, C at most 2 with two of its leaves left out, D is 2, and the root 3."""


def test_the_sentences_of_figure_5_2():
    assert draw.explain(book.trace(Tree())) == FIGURE_5_2.splitlines()


def test_the_sentences_of_other_searches():
    beta = draw.explain(book.trace(Tree([[3, [7, 1]]])))
    assert (
        "Action c2 is cut: C is worth at least 7, and MIN already has 3 elsewhere (beta), so MIN has no "
        "reason to come here, whatever it holds." in beta
    )
    dice = Tree({"children": {"roll": {"probabilities": [0.75, 0.25], "children": [1, 2.5]}, "stop": 1}})
    told = draw.explain(book.trace(dice, algorithm="expectiminimax"))
    assert "Action roll leads to B, where chance decides." in told
    assert "Outcome b1 leads to a leaf worth 1." in told
    assert (
        "Outcome b2 has probability 0.25: 0.25 × 2.5 is added to 0.75, and B stands at 1.375 so far." in told
    )
    three = draw.explain(book.trace(Tree([[[(1, 2, 6)]], [[(4, 2, 3)]]]), algorithm="max-n"))
    assert "By a2 player 1 gets 4, more than 1: A stands at (4, 2, 3) so far." in three
    plan = draw.explain(book.trace(Tree([[1, [2, -1]], 3]), algorithm="and-or"))
    assert "Action b1 leads to the goal." in plan
    assert "Action a2 is cut: one action that works is enough." in plan
    assert plan[-1].startswith("From A the goal is reached whatever happens, and that is enough to know.")
    lot = draw.explain(book.trace(Tree(), algorithm="sampled"))
    assert "Action c3 is not sampled." in lot
    deep = draw.explain(book.trace(Tree([{"evaluate": 5, "children": [1]}]), depth=1))
    assert "Action a1 leads to the depth bound, where the position is evaluated as 5." in deep
    test = draw.explain(book.trace(Tree([{"evaluate": 5, "children": [1]}]), cutoff=lambda _, ply: ply == 1))
    assert test[1] == "Action a1 leads to the cut-off test, where the position is evaluated as 5."
    many = draw.explain(book.trace(Tree([[3], [1] * 9])))
    assert any(sentence.startswith("Actions c2, c3, c4 and 5 more are cut: ") for sentence in many)


def test_positions_without_a_short_name_are_told_by_their_action():
    told = draw.explain(book.trace(plies.TicTacToe(), depth=2))
    assert told[0].startswith("The search begins at the root, where MAX moves.")
    assert told[1].startswith("Action 1 leads to a position where MIN moves.")
    assert any("at the node after 1 by 2" in sentence for sentence in told)


ANY = st.one_of(
    st.tuples(st.sampled_from(["minimax", "alpha-beta", "sampled", "max-n", "opponents", "and-or"]), trees()),
    st.tuples(st.sampled_from(["expectiminimax", "and-or"]), chance_trees()),
    st.tuples(st.sampled_from(["max-n", "paranoid", "and-or"]), payoff_trees(3)),
)


@given(ANY)
def test_every_event_has_its_sentence(case):
    algorithm, tree = case
    trace = book.trace(tree, algorithm=algorithm)
    told = draw.explain(trace)
    assert len(told) == len(trace.events)
    for event, sentence in zip(trace.events, told, strict=True):
        assert re.fullmatch(r"[A-Z][^\n]*\.", sentence)
        assert not re.search(r"nan|None|inf\b|  |\{|\}", sentence)
        if isinstance(event, Cut):
            assert "cut" in sentence or "not sampled" in sentence


@given(trees())
def test_sentences_about_the_window_agree_with_the_trace(tree):
    trace = book.trace(tree, player=0)
    for event, sentence in zip(trace.events, draw.explain(trace), strict=True):
        if moved := re.search(r"(Alpha rises|Beta falls) to (\S+)\.", sentence):
            bound = event.window[0 if moved[1].startswith("Alpha") else 1]
            assert float(moved[2].replace("−", "-")) == bound


# -- Files.


def test_the_page_needs_nothing_else():
    page = draw.steps(book.trace(Tree())).html
    assert not re.search(r"""(src|href)\s*=|url\(|@import|fetch\(|\bimport\b""", page)
    assert set(re.findall(r"https?://[\w./]+", page)) == {"http://www.w3.org/2000/svg"}
    assert '<html lang="en">' in page
    assert "setInterval" not in page
    assert "setTimeout" not in page  # nothing plays by itself
    for sentence in FIGURE_5_2.splitlines():
        assert page.count(sentence) == 2  # as data, and for those without JavaScript


def test_large_type_is_for_the_words_as_well():
    trace = book.trace(Tree())
    with draw.large_type():
        assert "font-size: 24px;" in draw.steps(trace).html
    assert "font-size: 16px;" in draw.steps(trace).html


def test_names_cannot_leave_the_script():
    tree = Tree({"children": {"<script>alert(1)<!--": 1, "</script>".replace("/", "\\"): 2}})
    page = draw.steps(book.trace(tree)).html
    assert page.count("<script") == 1
    assert "<!--" not in page


def test_data_of_the_page():
    steps = draw.steps(book.trace(Tree()))
    data = json.loads(json.dumps(steps.data))
    assert [step["say"] for step in data["steps"]] == FIGURE_5_2.splitlines() == steps.sentences
    assert data["steps"][11] | {"say": ""} == {
        "node": 5,
        "value": "≤ 2",
        "window": ["3", "2"],
        "open": True,
        "cut": "alpha",
        "say": "",
    }
    assert data["parents"]["5"] == 0


def test_frames():
    trace = book.trace(Tree([[3, 5], [2, 4]]))
    frames = draw.steps(trace).frames()
    assert len(frames) == len(trace.events) + 1 == len(set(map(str, frames)))
    assert str(frames[-1]) == str(draw.tree(trace))
    for frame in frames:
        ElementTree.fromstring(str(frame))


def test_steps_at_nodes_that_are_not_drawn_are_left_out():
    trace = book.trace(random_tree(1, branching=4, depth=4), algorithm="minimax")
    steps = draw.steps(trace, limit=30)
    left_out = len(trace.events) - len(steps.sentences)
    assert len(steps.drawing.nodes) <= 30
    assert left_out > 100
    assert f"{left_out:,} steps at nodes that are not drawn are left out" in steps.data["intro"]
    assert len(steps.frames()) == len(steps.sentences) + 1


def test_a_notebook_shows_the_page_in_a_frame():
    shown = draw.steps(book.trace(Tree()))._repr_html_()
    assert shown.startswith('<iframe srcdoc="')
    assert 'sandbox="allow-scripts"' in shown
    assert "<script" not in shown


def test_files_are_written(tmp_path):
    steps = draw.steps(book.trace(Tree([1, 2])))
    steps.save(tmp_path / "steps.html")
    assert (tmp_path / "steps.html").read_text(encoding="utf-8") == steps.html
    with pytest.raises(PliesError, match=r"ends in \.html, not to '.*steps\.svg'"):
        steps.save(tmp_path / "steps.svg")
    with pytest.raises(PliesError, match="cannot be written: No such file"):
        steps.save(tmp_path / "nowhere" / "steps.html")
    assert steps.save_frames(tmp_path / "new" / "frames") == len(steps.sentences) + 1
    names = sorted(path.name for path in (tmp_path / "new" / "frames").iterdir())
    assert names[0] == "step-000.svg"
    assert len(names) == len(steps.sentences) + 1
    with pytest.raises(PliesError, match=r"the folder .* cannot be made"):
        steps.save_frames(tmp_path / "steps.html")


def test_the_program_writes_pictures(tmp_path, capsys):
    svg, html, frames = tmp_path / "tree.svg", tmp_path / "steps.html", tmp_path / "frames"
    pictures = ["--svg", str(svg), "--html", str(html), "--frames", str(frames)]
    assert run(["trace", "tree", *pictures]) == 0
    out = capsys.readouterr().out
    assert out == f"{svg}: the tree\n{html}: 22 steps\n{frames}: 23 pictures\n"
    assert svg.read_text(encoding="utf-8") == str(draw.tree(book.trace(Tree())))
    assert len(list(frames.iterdir())) == 23
    assert run(["trace", "tic-tac-toe", "--depth", "1", "--boards", "--svg", str(svg)]) == 0
    assert "thumbnail" in svg.read_text(encoding="utf-8")
    capsys.readouterr()
    assert run(["trace", "tree", "--svg", str(svg), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 3
    assert run(["trace", "tree", "--boards"]) == 2
    assert "give --svg, --html or --frames" in capsys.readouterr().err
    assert run(["trace", "tree", "--svg", str(tmp_path / "tree.png")]) == 2
    assert "ends in .svg" in capsys.readouterr().err


# -- In a browser.


@pytest.fixture
def page(browser, tmp_path):
    """The page of the slides' example, opened as a file."""
    draw.steps(book.trace(Tree())).save(tmp_path / "steps.html")
    page = browser.new_page(viewport={"width": 1000, "height": 800}, reduced_motion="reduce")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or errors.append(request.url))
    page.goto((tmp_path / "steps.html").as_uri())
    yield page
    page.close()
    assert errors == []


def said(page) -> str:
    return page.locator(".steps-say").inner_text()


def values(page) -> list[str]:
    return page.locator(".node > .value").evaluate_all("all => all.map(e => e.textContent)")


def test_stepping_by_keyboard(page):
    assert said(page).startswith("The search has not begun.")
    assert values(page) == [""] * 11
    sentences = FIGURE_5_2.splitlines()
    for sentence in sentences[:12]:
        page.keyboard.press("ArrowRight")
        assert said(page) == sentence
    assert page.locator(".steps-bounds dd").all_inner_texts() == ["3", "2"]
    assert page.locator(".cut.unseen").count() == 0
    assert page.locator(".node.current").get_attribute("data-node") == "5"
    assert values(page) == ["≥ 3", "3", "3", "12", "8", "≤ 2", "2", "", "", "", ""]
    page.keyboard.press("ArrowLeft")
    assert said(page) == sentences[10]
    assert page.locator(".cut.unseen").count() == 2
    page.keyboard.press("End")
    assert said(page) == sentences[-1]
    assert values(page) == ["3", "3", "3", "12", "8", "≤ 2", "2", "2", "14", "5", "2"]
    assert page.locator(".done").count() == 1
    page.keyboard.press("Home")
    assert values(page) == [""] * 11
    page.keyboard.press("ArrowLeft")
    assert page.locator(".steps-count").inner_text() == "0 / 22"
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    assert page.locator(".steps-count").inner_text() == "1 / 22"


def test_branches_that_will_be_cut_do_not_give_it_away(page):
    cut, cross = page.locator(".cut .action").first, page.locator(".cut .cross").first
    assert (cut.is_visible(), cross.is_visible()) == (True, False)
    page.keyboard.press("End")
    assert (cut.is_visible(), cross.is_visible()) == (True, True)


def test_stepping_by_slider_and_buttons(page):
    slider = page.get_by_role("slider", name="step")
    slider.fill("8")
    assert said(page).startswith("MAX has 3 at A by a1")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".steps-count").inner_text() == "9 / 22"
    assert slider.get_attribute("aria-valuetext") == "step 9 of 22"
    page.get_by_role("button", name="back").click()
    assert slider.input_value() == "8"
    page.get_by_role("button", name="last step").click()
    assert page.get_by_role("button", name="forward").is_disabled()
    page.get_by_role("button", name="first step").click()
    assert page.get_by_role("button", name="back").is_disabled()


def test_frames_and_page_show_the_same(page):
    """What JavaScript shows of a step is what Python draws of it."""
    for step, frame in enumerate(draw.steps(book.trace(Tree())).frames()):
        page.get_by_role("slider").fill(str(step))
        root = ElementTree.fromstring(str(frame))
        for kind in ("node", "edge", "cut", "reason"):
            drawn = [
                (sorted(e.get("class").split()), [child.text for child in e if child.text])
                for e in root.iter()
                if kind in e.get("class", "").split()
            ]
            found = page.locator(f".{kind}").evaluate_all(
                "all => all.map(e => [[...e.classList].sort(),"
                " [...e.children].map(c => c.textContent).filter(Boolean)])"
            )
            assert [tuple(item) for item in found] == drawn, (step, kind)


@pytest.mark.long
def test_on_a_phone_and_without_faults(browser, tmp_path):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    draw.steps(book.trace(random_tree(3, branching=3, depth=3))).save(tmp_path / "steps.html")
    for scheme in ("light", "dark"):
        page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
        page.goto((tmp_path / "steps.html").as_uri())
        page.keyboard.press("End")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        found = axe.Axe().run(page).response["violations"]
        assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []
        page.close()
