"""The Learn page: what its server answers and refuses, and what it does in a real browser."""

from __future__ import annotations

import contextlib
import json
import random
import re
from typing import Any
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import PliesError, book
from plies.web import processes
from plies.web.catalogue import Catalogue
from plies.web.learn import ALGORITHMS
from plies.web.messages import PROTOCOL
from plies.web.session import Session
from plies.web.tree_json import MOST_NODES, plain, read
from strategies import chance_trees, payoff_trees, trees

pytestmark = pytest.mark.plain

SLIDE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
EQUALITY = [[4, 6, 5], [4, 2, 7], [8, 4, 3]]
"""A tree whose second family is cut after its first leaf only if equality cuts."""


def result(**message: Any) -> Any:
    """The result of a message, without a server."""
    steps = Session(Catalogue()).answer(PROTOCOL.read(json.dumps({"id": 1, **message})), random.Random(1))
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


def ask(type_: str, **fields: Any) -> dict[str, Any]:
    return json.loads(json.dumps(result(type=type_, **fields)))


def check(tree: Any, values: dict[str, str], cuts: list[int], algorithm="alpha-beta", **options: str) -> dict:
    return ask("check_practice", tree=tree, algorithm=algorithm, options=options, values=values, cuts=cuts)


# -- What is answered.


def test_examples_can_be_shown_and_searched():
    found = ask("lessons")
    assert len(found["examples"]) >= 5
    for example in found["examples"]:
        subject, algorithm = example["subject"], example["algorithm"]
        assert algorithm in ask("draw_tree", **subject)["suited"]
        steps = ask("search_steps", **subject, algorithm=algorithm)
        assert steps["steps"][-1]["say"].startswith("All branches")
    used = {example["algorithm"] for example in found["examples"]}
    assert used == {"minimax", "alpha-beta", "expectiminimax", "max-n", "star1"}


def test_steps_of_the_slides_example():
    steps = ask("search_steps", tree=SLIDE, algorithm="alpha-beta")
    assert (steps["value"], steps["line"], steps["nodes"], steps["leaves"]) == ("3", ["a1", "b1"], 11, 7)
    assert steps["cuts"] == {"alpha": 1}
    assert len(steps["steps"]) == 22
    assert "<style" not in steps["svg"]
    assert steps["svg"].startswith("<svg")


def test_equality_is_a_switch():
    on, off = (
        ask("search_steps", tree=EQUALITY, algorithm="alpha-beta", options={"cut_on_equal": equal})
        for equal in ("yes", "no")
    )
    assert (on["value"], off["value"]) == ("4", "4")
    assert on["nodes"] < off["nodes"]


def test_a_tree_by_lot():
    wanted = {"seed": 3, "branching": 2, "depth": 3, "levels": ["max", "chance", "min"]}
    grown = ask("random_tree", **wanted)
    assert grown == ask("random_tree", **wanted)
    assert grown["tree"] != ask("random_tree", **{**wanted, "seed": 4})["tree"]
    assert len(grown["paths"]) == 15
    assert {"expectiminimax", "max-n"} <= {*grown["suited"]} <= {*ALGORITHMS} - {"minimax", "alpha-beta"}
    suited = {*ask("draw_tree", tree=SLIDE)["suited"]}
    assert {"minimax", "alpha-beta", "expectiminimax", "max-n"} <= suited <= {*ALGORITHMS} - {"paranoid"}
    three = ask("random_tree", seed=0, branching=2, depth=2, levels=[0, 1, 2])
    assert three["players"] == 3
    assert {"max-n", "opponents", "paranoid"} <= {*three["suited"]} <= {*ALGORITHMS} - {"expectiminimax"}
    assert len(three["tree"]["tree"]["children"][0]["children"][0]["value"]) == 3


def test_paths_lead_to_the_nodes():
    shown = ask("draw_tree", tree=SLIDE)
    leaves = {tuple(path): value for path, value in zip(shown["paths"], values(shown["svg"]), strict=True)}
    assert leaves[1, 2] == "6"
    assert leaves[2, 0] == "14"


def values(svg: str) -> list[str]:
    nodes = re.findall(r'<g class="node [^>]*data-node="(\d+)".*?class="value"[^>]*>([^<]*)<', svg)
    return [value for _, value in sorted(nodes, key=lambda pair: int(pair[0]))]


def test_comparison():
    found = ask("compare_searches", tree=SLIDE, first=["minimax", {}], second=["alpha-beta", {}])
    assert found["same"]
    assert [side["nodes"] for side in found["both"]] == [13, 11]
    assert [side["cuts"] for side in found["both"]] == [{}, {"alpha": 1}]
    pay = {"levels": [0, 1, 2], "tree": [[[{"value": [1, 2, 6]}]], [[{"value": [4, 2, 3]}]]]}
    assert ask("compare_searches", tree=pay, first=["max-n", {}], second=["paranoid", {}])["same"]


@given(st.one_of(trees(max_depth=3), chance_trees(max_depth=3), payoff_trees(3, max_depth=3)))
def test_a_tree_comes_back_as_it_went(tree):
    kept = json.loads(json.dumps(plain(tree)))
    again = read(kept)
    assert again.node_names == tree.node_names
    assert list(again.mover) == list(tree.mover)
    assert list(again.payoffs) == list(tree.payoffs)
    assert list(again.probability) == pytest.approx(list(tree.probability))
    assert json.loads(json.dumps(plain(again))) == kept


def test_names_are_kept_where_they_were_given():
    named = {"name": "Start", "children": {"left": 1, "right": [2, 3]}}
    kept = plain(read(named))
    assert kept["tree"]["name"] == "Start"
    assert kept["tree"]["actions"] == ["left", "right"]
    assert plain(read(kept)) == kept
    assert "actions" not in plain(read(SLIDE))["tree"]


# -- Practice.


def test_practice_all_right():
    found = check(SLIDE, {"0": "3", "1": "3", "5": "<= 2", "9": "2"}, [7, 8])
    assert found["summary"] == "All 6 correct. Well done!"
    assert (found["right"], found["all"]) == (6, 6)
    assert all(mark["right"] for mark in [*found["values"], *found["cuts"]])


def test_practice_wrong_and_why():
    found = check(SLIDE, {"0": "3", "1": "12", "5": "", "9": "two"}, [7, 12, 3, 1])
    marks = {mark["node"]: mark for mark in found["values"]}
    assert marks[1]["why"] == "B is not 12. All branches of B are searched: B is worth 3."
    assert marks[5]["why"].startswith("C has no answer. C is worth at most 2")
    assert marks[5]["expected"] == "≤ 2"
    assert marks[9]["why"].startswith("'two' at D is not a number.")
    cuts = {mark["node"]: mark for mark in found["cuts"]}
    assert {number: mark["right"] for number, mark in cuts.items()} == {
        1: False,
        3: False,
        7: True,
        8: False,
        12: False,
    }
    assert cuts[8]["why"].startswith("c3 is cut. Actions c2 and c3 are cut: C is worth at most 2")
    assert cuts[12]["why"] == "d3 is not cut. D has 5 by then, still above alpha (3): it may matter."
    assert cuts[1]["why"] == "a1 is not cut. The first branch of a node is always searched."
    assert found["summary"] == "2 of 9 correct."


def test_practice_with_and_without_equality():
    given_on = check(EQUALITY, {}, [7, 8])
    assert [mark["right"] for mark in given_on["cuts"] if mark["node"] in (7, 8)] == [True, True]
    given_off = check(EQUALITY, {}, [7, 8], cut_on_equal="no")
    why = {mark["node"]: mark for mark in given_off["cuts"]}
    assert not why[7]["right"]
    assert why[7]["why"] == "c2 is not cut. C has 4, which equals alpha; cutting on equality is off."
    assert why[8]["right"]  # behind c2, which is worth 2, c3 is cut all the same


def test_practice_marks_by_the_variant_chosen():
    """The slide of fail-hard alpha-beta: B, C and D are all worth 3; by fail-soft, C is 2 at most and D 2."""
    hard = check(SLIDE, {"0": "3", "1": "3", "5": "3", "9": "3"}, [7, 8], fail_hard="yes")
    assert hard["summary"] == "All 6 correct. Well done!"
    soft = check(SLIDE, {"5": "3", "9": "3"}, [7, 8])
    why = {mark["node"]: mark["why"] for mark in soft["values"]}
    assert why[5].startswith("3 is the value of C by fail-hard, which is not chosen here. C is worth at most")
    other = check(SLIDE, {"9": "2"}, [7, 8, 12], fail_hard="yes")
    assert "2 is the value of D by fail-soft" in next(m["why"] for m in other["values"] if m["node"] == 9)
    assert "D has 5 by then, still above alpha (3)" in other["cuts"][-1]["why"]


def test_a_branch_that_fail_hard_searches_without_a_value_yet():
    tree = [[9, 9], [12, 15, 20]]  # MIN on the right has nothing below beta before its second branch
    found = check(tree, {}, [6], fail_hard="yes", beta="10")
    (mark,) = [mark for mark in found["cuts"] if mark["node"] == 6]
    assert mark["why"] == "c2 is not cut. C has 10 by then, still above alpha (9): it may matter."


def test_practice_of_what_is_never_visited():
    tree = [[[5, 6], [7, 4]], [[3, 4], [6, 2]]]  # the second branch of MIN on the right is cut
    full = ask("draw_tree", tree=tree)
    number = full["paths"].index([1, 1])
    (blank,) = [m for m in check(tree, {}, [number])["values"] if m["node"] == number]
    assert blank["right"]
    (typed,) = [m for m in check(tree, {str(number): "6"}, [number])["values"] if m["node"] == number]
    assert typed["why"] == "G is never visited: a branch above it is cut."


def test_practice_of_chance_and_of_players():
    dice = {"player": "max", "children": [{"player": "chance", "children": [1, 2, 6]}, 2]}
    for text in ("3", "3.0", "9/3"):
        assert check(dice, {"0": text, "1": text}, [], "expectiminimax")["summary"].startswith(
            "All 2 correct"
        )
    three = {"levels": [0, 1, 2], "tree": [[[{"value": [1, 2, 6]}]], [[{"value": [4, 2, 3]}]]]}
    for text in ("(4, 2, 3)", "4 2 3", "4;2;3"):
        (root,) = [m for m in check(three, {"0": text}, [], "max-n")["values"] if m["node"] == 0]
        assert root["right"]
    (root,) = [m for m in check(three, {"0": "four"}, [], "max-n")["values"] if m["node"] == 0]
    assert "a number for each player, such as (1, 2, 6)" in root["why"]


DECIMAL = {"levels": ["max", "chance"], "tree": [[1, 2.5], [6, -3]]}


@pytest.mark.parametrize("text", ["1.75", "1,75", "7/4", "7 / 4", "1 3/4", " 1,75 ", "= 1,75"])
def test_answers_are_read_as_people_write_them(text):
    (left,) = [m for m in check(DECIMAL, {"1": text}, [], "expectiminimax")["values"] if m["node"] == 1]
    assert left["right"]


@pytest.mark.parametrize("text", ["1,7", "1,75,0", "1.7.5", "3 1/4", "7/0", "1 75"])
def test_other_answers_are_still_wrong(text):
    (left,) = [m for m in check(DECIMAL, {"1": text}, [], "expectiminimax")["values"] if m["node"] == 1]
    assert not left["right"]


def test_several_numbers_may_have_decimal_commas_between_semicolons():
    three = {"levels": [0, 1, 2], "tree": [{"value": [1.5, 2, 6]}, {"value": [1, 2, 3]}]}
    for text in ("1,5; 2; 6", "(1.5, 2, 6)"):
        (root,) = check(three, {"0": text}, [], "max-n")["values"]
        assert root["right"]


def test_the_whole_tree_is_there_before_the_first_step():
    """The leaves with their values, and those below branches that will be cut, which keep their numbers."""
    found = ask("search_steps", tree=SLIDE, algorithm="alpha-beta")
    assert sorted(map(int, found["leaf_values"].values())) == sorted(
        leaf for family in SLIDE for leaf in family
    )
    (cut,) = [step for step in found["steps"] if step.get("skipped")]
    assert [found["leaf_values"][str(number)] for number in cut["skipped"]] == ["4", "6"]
    assert cut["reason"] == "2 ≤ α 3"
    assert found["nodes"] == 11  # of which the search visits fewer
    whole = ask("search_steps", tree=SLIDE, algorithm="minimax")
    assert [step["node"] for step in whole["steps"]] != []
    assert len(whole["leaf_values"]) == 9
    deep = ask("search_steps", tree=[[[1, 2], [3, 4]], [[0, 9], [8, 7]]], algorithm="alpha-beta")
    (below,) = [step for step in deep["steps"] if step.get("skipped")]
    assert len(deep["leaf_values"]) == 8  # two of them a level below the branch that is cut
    assert len(below["skipped"]) == 1


def test_any_position_is_searched_as_deep_as_can_be_shown():
    for game in ("connect-four", "tic-tac-toe"):
        found = ask("search_steps", game=game, algorithm="minimax")
        assert found["depth"] >= 3
        assert found["nodes"] > MOST_NODES  # more than are drawn
        assert found["svg"].count('class="node') + found["svg"].count("more") < MOST_NODES
    end = ask("search_steps", game="tic-tac-toe", position="1 2 3 4 5 6", algorithm="minimax")
    assert end["depth"] is None  # to the end


def test_a_large_tree_is_opened_where_it_is_only_counted():
    fields = {"game": "tic-tac-toe", "depth": 3, "algorithm": "minimax"}
    few = ask("search_steps", **fields)
    above = [int(number) for number in re.findall(r'class="more"[^>]*data-parent="(\d+)"', few["svg"])]
    more = ask("search_steps", **fields, opened=above[:1])
    assert len(more["steps"]) > len(few["steps"])
    drawn = {int(number) for number in more["parents"]}
    assert {int(number) for number in few["parents"]} < drawn
    assert any(parent == above[0] for parent in more["parents"].values())
    assert ask("search_steps", **fields, opened=[4999]) == few  # nothing that is drawn is above it


def test_practice_in_a_large_tree_is_about_what_is_drawn():
    fields = {"game": "tic-tac-toe", "depth": 3, "algorithm": "minimax"}
    task = ask("practice_tree", **fields)
    named = [number for number, name in enumerate(task["names"]) if name]
    assert 0 < len(named) < MOST_NODES < len(task["names"])
    marks = ask("check_practice", **fields, values={}, cuts=[])
    assert {mark["node"] for mark in marks["values"]} <= set(named)


def test_few_algorithms_are_offered_at_first():
    found = ask("draw_tree", game="tic-tac-toe")
    assert set(found["first"]) == {"minimax", "alpha-beta", "mcts"} < set(found["suited"])
    assert "max-n" in ask("draw_tree", tree=PAY)["first"]
    assert "expectiminimax" in ask("draw_tree", tree=DICE)["first"]


def test_practice_of_a_search_for_a_goal_is_on_its_own_tree():
    task = ask("practice_tree", tree=SLIDE, algorithm="and-or")
    assert (task["names"][:2], task["cuts"], task["hint"]) == (["A", "B"], False, "An answer is yes or no.")
    found = check(SLIDE, {"0": "Yes", "1": "no"}, [], "and-or")
    assert [mark["right"] for mark in found["values"]] == [True, False]
    assert check(SLIDE, {"0": "3"}, [], "and-or")["values"][0]["why"].startswith("'3' at A is not yes or no.")
    assert not ask("compare_searches", tree=[1, 2], first=["max-n", {}], second=["and-or", {}])["same"]


def test_an_exact_value_where_the_search_stops_before():
    tree = [[3], [2, 1]]  # the second MIN is worth 1, but 2 is enough to know
    (mark,) = [m for m in check(tree, {"3": "1"}, [5])["values"] if m["node"] == 3]
    assert not mark["right"]
    assert mark["why"].startswith("1 is the exact value of C, but the search stops earlier.")


@given(trees(max_depth=4), st.booleans(), st.booleans())
def test_the_right_answers_are_right(tree, equal, hard):
    """Whatever the tree, what the search does is marked as right, and its opposite as wrong."""
    sent = plain(tree)
    trace = book.trace(tree, player=0, cut_on_equal=equal, fail_hard=hard)
    numbers = {node.entered.state: node.entered.node for node in book.trace(tree, algorithm="max-n").tree}
    values = {str(numbers[n.entered.state]): str(n.value) for n in trace.tree if n.children}
    cuts = [
        numbers[tree.result(n.entered.state, tree.parse_action(n.entered.state, name))]
        for n in trace.tree
        if n.cut
        for name in n.cut.skipped
    ]
    options = {"cut_on_equal": "yes" if equal else "no", "fail_hard": "yes" if hard else "no"}
    found = check(sent, values, cuts, **options)
    assert found["right"] == found["all"], found
    wrong = check(sent, {number: str(float(value) + 1) for number, value in values.items()}, [], **options)
    assert not any(mark["right"] for mark in wrong["values"] if str(mark["node"]) in values)
    assert not any(mark["right"] for mark in wrong["cuts"])


DICE = {"levels": ["max", "chance"], "tree": [[1, 2], [6, -3]]}
ALONE = {"levels": ["max"], "tree": [[0, 2], [1, -1]]}
PAY = {"levels": [0, 1, 2], "tree": [[[{"value": [1, 2, 6]}]], [[{"value": [4, 2, 3]}]]]}


@pytest.mark.parametrize(
    "subject",
    [{"tree": SLIDE}, {"tree": DICE}, {"tree": ALONE}, {"tree": PAY}, {"game": "goofspiel", "depth": 1}],
    ids=["two", "dice", "alone", "three", "at once"],
)
def test_the_answers_of_every_algorithm_are_marked_right(subject):
    practised = {name for name, one in ask("lessons")["algorithms"].items() if one["practice"]}
    assert set(ALGORITHMS) - practised == {"mcts"}  # which plays at random
    for algorithm in ask("draw_tree", **subject)["suited"]:
        request = {**subject, "algorithm": algorithm}
        assert ask("search_steps", **request)["steps"], algorithm
        if algorithm not in practised:
            continue
        told = ask("check_practice", **request, values={}, cuts=[])
        values = {str(mark["node"]): mark["expected"] for mark in told["values"]}
        cuts = [mark["node"] for mark in told["cuts"]]
        again = ask("check_practice", **request, values=values, cuts=cuts)
        assert again["right"] == again["all"] > 0, (algorithm, again)
    assert "last iteration" in ask("practice_tree", tree=SLIDE, algorithm="iterative-deepening")["hint"]


# -- Positions of games.

END = {"game": "tic-tac-toe", "position": "..X/XXO/OO."}
"""Three moves before the end: X must take the square 2, and it is a draw."""


def test_a_position_is_searched_with_boards_in_its_nodes():
    found = ask("search_steps", **END, algorithm="minimax")
    assert (found["value"], found["nodes"], found["line"]) == ("0", 14, ["9", "1", "2"])  # 1 + 3 + 6 + 4
    assert found["svg"].count('class="thumbnail"') == found["nodes"]
    bound = ask("search_steps", **END, depth=1, algorithm="minimax")
    assert bound["nodes"] == 4
    assert "the depth bound, where the position is evaluated" in bound["steps"][1]["say"]
    nim = {"game": "nim", "parameters": {"heaps": "1,2"}, "moves": ["1:1"]}
    assert ask("search_steps", **nim, algorithm="alpha-beta")["value"] == "−1"  # MIN takes both


def test_boards_that_are_too_many_are_left_out():
    found = ask("search_steps", game="gomoku", depth=1, algorithm="alpha-beta")
    assert found["nodes"] == 226
    assert "thumbnail" not in found["svg"]


def test_practice_and_comparison_of_a_position():
    task = ask("practice_tree", **END, algorithm="alpha-beta")
    assert task["cuts"]
    assert task["names"][:2] == ["the root", "the node after 1"]
    trace = book.trace(plies.game("tic-tac-toe"), plies.game("tic-tac-toe").parse_position(END["position"]))
    full = task["names"]
    values, at = {}, {0: "the root"}
    for node in trace.tree:
        by = node.entered
        above = at.get(by.parent, "")
        at[by.node] = (
            at[0] if by.parent is None else f"{above.replace('the root', 'the node after')} {by.action}"
        )
        if node.children:
            values[str(full.index(at[by.node]))] = str(node.value)
    marks = ask("check_practice", **END, algorithm="alpha-beta", values=values, cuts=[])
    assert all(mark["right"] for mark in marks["values"])
    both = ask("compare_searches", **END, first=["minimax", {}], second=["alpha-beta", {"fail_hard": "yes"}])
    assert both["same"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "no-such-game"}, "there is no game 'no-such-game'"),
        ({"game": "/etc/passwd"}, "there is no game"),
        ({"game": "tree", "parameters": {"tree": "/etc/passwd"}}, "must be JSON on the page"),
        ({"game": "tic-tac-toe", "position": "XXXXXXXXX"}, ""),
        ({"game": "tic-tac-toe", "moves": ["1", "1"]}, ""),
        ({"game": "nim", "parameters": {"heaps": "1000000"}}, "at most 100,000 on the page"),
        ({"game": "tic-tac-toe", "depth": 6}, "minimax visits more than 5,000 nodes here: give less depth"),
        ({"game": "goofspiel"}, "minimax"),
        ({"game": "tic-tac-toe", "depth": 10**9}, "depth must be a whole number from 1 to 20"),
    ],
)
def test_positions_that_cannot_be_searched_are_refused_in_a_sentence(client, fields, words):
    """Over the socket, where a process of its own works on them."""
    said = client.error("search_steps", **fields, algorithm="minimax")
    assert words in said
    assert "Error" not in said


# -- What is refused.

BIG = [[1] * 8 for _ in range(8)]
STEPS = {"type": "search_steps", "tree": [1, 2], "algorithm": "alpha-beta"}


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({}, "type must be one of games, game"),
        ({"type": ["draw_tree"]}, "type must be one of"),
        ({"type": "draw_tree"}, "a tree or a position of a game: give one of them"),
        ({"type": "draw_tree", "tree": [1], "game": "nim"}, "give one of them"),
        ({"type": "draw_tree", "game": ["nim"]}, "game must be text"),
        ({"type": "draw_tree", "game": "nim", "depth": 0}, "depth must be a whole number from 1 to 20"),
        ({"type": "draw_tree", "game": "nim", "depth": "2"}, "depth must be a whole number"),
        ({"type": "draw_tree", "game": "nim", "position": 3}, "position must be text"),
        ({"type": "draw_tree", "tree": 1, "file": "x"}, "draw_tree has no field 'file'"),
        ({"type": "draw_tree", "tree": "/etc/passwd"}, "a leaf must be a number"),
        ({"type": "draw_tree", "tree": {"tree": "/etc/passwd"}}, "a leaf must be a number"),
        ({"type": "draw_tree", "tree": {"tree": [1], "levels": "max"}}, "levels must be a list"),
        ({"type": "draw_tree", "tree": {"tree": [1], "levels": ["max", 9]}}, "a player is 'max'"),
        ({"type": "draw_tree", "tree": {"tree": [1], "more": 1}}, "besides 'tree'"),
        ({"type": "draw_tree", "tree": [BIG, BIG, BIG, BIG]}, f"at most {MOST_NODES} nodes"),
        ({"type": "draw_tree", "tree": [[[[[[[[[[[[1]]]]]]]]]]]]}, "at most 10 levels"),
        ({"type": "draw_tree", "tree": {"children": [1] * 9}}, "1 to 8 children"),
        ({"type": "draw_tree", "tree": [1] * 9}, "1 to 8 children"),
        ({"type": "draw_tree", "tree": [1e9]}, "a leaf must be a number from"),
        ({"type": "draw_tree", "tree": [True]}, "a leaf must be a number"),
        ({"type": "draw_tree", "tree": [None]}, "not null"),
        ({"type": "draw_tree", "tree": {"value": [1, 2, 3, 4, 5]}}, "at most 4 players"),
        ({"type": "draw_tree", "tree": {"name": "x" * 40, "children": [1]}}, "1 to 16 characters"),
        ({"type": "draw_tree", "tree": {"children": [1, 2], "actions": ["a", "a"]}}, "a different name"),
        ({"type": "draw_tree", "tree": {"player": "dice", "children": [1]}}, "a player is"),
        ({"type": "draw_tree", "tree": {"children": [1], "probabilities": [2]}}, "sum to 1"),
        ({"type": "draw_tree", "tree": {"children": []}}, "1 to 8 children"),
        ({**STEPS, "algorithm": "eval"}, "algorithm must be one of"),
        ({**STEPS, "options": [1]}, "options must be an object"),
        ({**STEPS, "options": {"fail_hard": True}}, "fail_hard must be text"),
        ({**STEPS, "options": {"fail_hard": "maybe"}}, "fail_hard must be yes or no, not 'maybe'"),
        ({**STEPS, "options": {"evaluate": "os.py:system"}}, "alpha-beta has no option 'evaluate'"),
        ({**STEPS, "options": {"depth": "3"}}, "alpha-beta has no option 'depth'"),
        ({**STEPS, "options": {"alpha": "1e9"}}, "alpha must be from -1,000,000 to 1,000,000"),
        ({**STEPS, "options": {"alpha": "nan"}}, "alpha must be a number"),
        ({**STEPS, "options": {"alpha": "3", "beta": "2"}}, "alpha must be below beta"),
        (
            {**STEPS, "algorithm": "sampled", "options": {"width": "9" * 50}},
            "width must be from -1,000 to 1,000",
        ),
        ({**STEPS, "cut_on_equal": True}, "search_steps has no field 'cut_on_equal'"),
        ({"type": "random_tree", "seed": -1, "branching": 2, "depth": 2, "levels": ["max"]}, "seed must be"),
        (
            {"type": "random_tree", "seed": 1, "branching": 8, "depth": 8, "levels": ["max"]},
            "more than 250 nodes",
        ),
        (
            {"type": "random_tree", "seed": 1, "branching": 2, "depth": 2, "levels": []},
            "levels must be a list",
        ),
        (
            {"type": "random_tree", "seed": 1, "branching": 2.5, "depth": 2, "levels": ["max"]},
            "branching must be",
        ),
        (
            {"type": "compare_searches", "tree": [1], "first": "minimax", "second": 1},
            "first must be a list of two",
        ),
    ],
)
def test_what_is_refused(request_, words):
    with pytest.raises(PliesError, match=re.escape(words)):
        result(**request_)


def test_algorithms_that_do_not_suit_a_tree_refuse_it():
    dice = {"player": "chance", "children": [1, 2]}
    with pytest.raises(PliesError, match="alpha-beta is for games without chance"):
        ask("search_steps", tree=dice, algorithm="alpha-beta")


@pytest.mark.parametrize(
    "wrong",
    [
        {"values": {"x": "1"}},
        {"values": {"99": "1"}},
        {"values": {"0": 1}},
        {"cuts": [99]},
        {"cuts": ["1"]},
        {"cuts": {}},
    ],
)
def test_predictions_of_another_kind_are_refused(wrong):
    request = {"tree": [1], "algorithm": "minimax", "values": {}, "cuts": []}
    with pytest.raises(PliesError):
        ask("check_practice", **{**request, **wrong})


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["tree", "levels", "children", "value", "player", "probabilities", "name"]), inner
        )
    ),
    max_leaves=12,
)


LESSONS = ("draw_tree", "search_steps", "practice_tree", "check_practice", "compare_searches")
FIELDS = ["tree", "depth", "algorithm", "options", "values", "cuts", "first", "second", "seed", "branching"]


@given(st.sampled_from([*LESSONS, "random_tree"]), st.data())
def test_nonsense_is_refused_in_a_sentence(word, data):
    request = {field: data.draw(ANYTHING) for field in [*FIELDS, "levels"] if data.draw(st.booleans())}
    if data.draw(st.booleans()):
        request |= {"algorithm": data.draw(st.sampled_from(list(ALGORITHMS))), "options": {}}
    with contextlib.suppress(PliesError):
        assert result(type=word, **request)


def test_over_the_socket(client):
    found = client.ask("search_steps", tree=SLIDE, algorithm="alpha-beta")
    assert found["value"] == "3"
    assert "a leaf must be a number" in client.error("draw_tree", tree="/etc/passwd")
    for options in ({"evaluate": "os.py:system"}, {"width": "3"}, {"alpha": "1e300"}, {"": ""}, {"=": "="}):
        said = client.error("search_steps", tree=SLIDE, algorithm="alpha-beta", options=options)
        assert "option" in said or "alpha must be from" in said
    found = client.ask("check_practice", **END, algorithm="alpha-beta", values={"0": "0"}, cuts=[])
    assert found["values"][0]["right"]
    echo = client.ask("draw_tree", game="echo")  # a game from a file
    assert client.ask("search_steps", game="echo", depth=2, algorithm=echo["suited"][0])["nodes"] > 1


def test_a_search_that_takes_long_is_given_up(client, monkeypatch):
    monkeypatch.setattr(processes, "DEADLINES", {**processes.DEADLINES, "lesson": 0.01})
    said = client.error("search_steps", game="chess", depth=2, algorithm="alpha-beta")
    assert said == "the search of chess took more than 0.01 seconds and was stopped: give less to search"


# -- In a browser.


def opened(open_page, path="learn", **settings):
    page = open_page(path, **settings)
    page.wait_for_selector("#stage svg")
    return page


def until(page, condition: str) -> None:
    """Wait until something is so in the page."""
    page.wait_for_function(f"() => {condition}")


def say(page) -> str:
    return page.inner_text(".steps-say")


def held(page) -> dict[str, Any]:
    """What the link holds, once it is written."""
    until(page, "document.getElementById('permalink').value === location.href")
    return json.loads(unquote(page.evaluate("location.hash").removeprefix("#")))


def test_stepping_by_keyboard_and_slider(open_page):
    page = opened(open_page)
    assert say(page).startswith("The search has not begun.")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    assert say(page).startswith("Actions c2 and c3 are cut: C is worth at most 2")
    assert page.locator(".steps-bounds dd").all_inner_texts() == ["3", "2"]
    assert page.locator(".cut:not(.unseen)").count() == 2
    page.keyboard.press("ArrowLeft")
    assert page.locator(".cut:not(.unseen)").count() == 0
    page.get_by_role("slider", name="step").fill("22")
    assert "The search is over: best is a1, then b1." in say(page)
    page.keyboard.press("Home")
    assert page.inner_text(".steps-count") == "0 / 22"
    page.select_option("#algorithm", "minimax")
    until(page, "document.querySelector('.steps-count').textContent === '0 / 23'")
    assert page.locator("#algorithm-cut_on_equal").count() == 0


@pytest.mark.long
def test_a_link_leads_back(open_page):
    page = opened(open_page)
    page.evaluate("document.querySelector('#stage svg').id = 'before'")
    page.keyboard.press("e")
    page.wait_for_selector("#stage svg:not(#before)")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    state = held(page)
    assert (state["options"], state["step"], state["mode"]) == ({"cut_on_equal": "no"}, 2, "step")
    again = opened(open_page, "learn" + page.evaluate("location.hash"))
    assert again.inner_text(".steps-count") == "2 / 22"
    assert not again.is_checked("#algorithm-cut_on_equal")
    own = quote(json.dumps({"tree": [[7, 8], [9, 10]], "algorithm": "minimax", "mode": "compare"}))
    third = opened(open_page, f"learn#{own}")
    third.wait_for_selector(".facts")
    assert third.inner_text(".score") == "Both find 9; both visit 7 nodes."


def test_a_link_that_leads_nowhere_says_so(open_page):
    page = opened(open_page, "learn#" + quote(json.dumps({"tree": "/etc/passwd"})))
    page.wait_for_selector("#problem:not([hidden])")
    assert page.inner_text("#problem").startswith("This link cannot be opened: A leaf must be a number")
    assert page.locator(".node").count() == 13  # two of them below branches that are cut


def practise(page) -> None:
    page.keyboard.press("2")
    page.wait_for_selector(".practising")


def test_practice_wrong_then_right(open_page):
    page = opened(open_page)
    practise(page)
    assert page.locator(".practising .inner > .value:visible").count() == 0
    for name, value in {"A": "3", "B": "12", "C": "2", "D": "2"}.items():
        page.get_by_label(f"value of {name}", exact=True).fill(value)
    page.get_by_role("button", name="cut c2").click()
    page.get_by_role("button", name="cut d3").click()
    page.get_by_role("button", name="Check").click()
    page.wait_for_selector(".marks li")
    assert page.inner_text(".score") == "4 of 7 correct."
    wrong = page.locator(".marks .wrong").all_inner_texts()
    assert len(wrong) == 3
    assert "B is not 12. All branches of B are searched: B is worth 3." in wrong[0]
    assert "c3 is cut." in wrong[1]
    assert "d3 is not cut." in wrong[2]
    assert page.get_by_label("value of B", exact=True).get_attribute("aria-invalid") == "true"
    page.get_by_role("button", name="cut d3").press(" ")  # by keyboard
    page.get_by_role("button", name="cut c3").press("Enter")
    field = page.get_by_label("value of B", exact=True)
    field.fill("3")
    field.press("Enter")
    until(page, "document.querySelector('.score').textContent.startsWith('All')")
    assert page.inner_text(".score") == "All 6 correct. Well done!"
    assert page.locator(".marks .wrong").count() == 0


@pytest.mark.long
def test_practice_with_the_switch_for_equality(open_page):
    page = opened(open_page)
    page.select_option("#example", label="Cuts on equality")
    until(page, "[...document.querySelectorAll('.leaf > .value')].some((one) => one.textContent === '7')")
    practise(page)

    def cut(names: list[str]) -> None:
        for name in names:
            page.get_by_role("button", name=f"cut {name}").click()
        page.get_by_role("button", name="Check").click()
        page.wait_for_selector(".marks li")

    cut(["c2", "c3", "d3"])
    assert page.locator(".mark-right").count() == 3
    page.uncheck("#algorithm-cut_on_equal")
    until(page, "!document.querySelector('.marks li')")
    assert page.locator("[aria-pressed=true]").count() == 3  # answers are kept, to be checked once more
    cut([])
    marked = page.locator(".marks li").all_inner_texts()
    assert any("C has 4, which equals alpha; cutting on equality is off." in words for words in marked)
    assert page.locator(".mark-wrong").count() == 2
    page.get_by_role("button", name="Show answers").click()
    until(page, "document.querySelector('.score').textContent.startsWith('The answers')")
    assert page.locator(".mark-wrong").count() == 0
    assert page.get_by_label("value of A", exact=True).input_value() == "4"
    page.get_by_role("button", name="Reset").click()
    assert page.get_by_label("value of A", exact=True).input_value() == ""
    assert page.locator("[aria-pressed=true]").count() == 0


@pytest.mark.long
def test_arguments_are_controls_and_kept_in_the_link(open_page):
    page = opened(open_page)
    page.check("#algorithm-fail_hard")
    page.fill("#algorithm-alpha", "-5")
    page.keyboard.press("Tab")
    until(
        page, "document.activeElement.id === 'algorithm-beta'"
    )  # what was drawn anew did not take the focus
    until(page, "decodeURIComponent(location.hash).includes('alpha\":\"-5')")
    assert held(page)["options"] == {"fail_hard": "yes", "alpha": "-5"}
    page.locator("#tab-step").press("f")
    until(page, "!decodeURIComponent(location.hash).includes('fail_hard')")
    page.select_option("#algorithm", "minimax")
    page.wait_for_selector("#algorithm-quick")
    assert page.locator("#algorithm-alpha").count() == 0
    page.select_option("#algorithm", "")  # more of them
    page.select_option("#algorithm", "sampled")
    page.fill("#algorithm-width", "0")
    page.keyboard.press("Enter")
    page.wait_for_selector("#problem:not([hidden])")
    assert page.inner_text("#problem").startswith("Width must be")


@pytest.mark.long
def test_a_position_of_a_game_from_the_form_and_by_link(open_page):
    page = opened(open_page)
    page.click("#position-panel summary")
    page.select_option("#game", "nim")
    page.fill("#p-heaps", "1,2")
    page.fill("#plies", "")
    page.get_by_role("button", name="Search this position").click()
    page.wait_for_selector("#stage .thumbnail")
    state = held(page)
    assert (state["game"], state["parameters"], state["depth"]) == ("nim", {"heaps": "1,2"}, None)
    assert page.locator("#tab-edit").is_disabled()
    page.locator("#tab-step").press("ArrowLeft")  # which leaves it out
    until(page, "document.activeElement.id === 'tab-compare'")
    again = opened(open_page, "learn#" + quote(json.dumps({**END, "mode": "practice"})))
    assert again.input_value("#position") == END["position"]
    again.get_by_label("value of the node after 1", exact=True).fill("-1")
    again.get_by_role("button", name="Check").click()
    again.wait_for_selector(".marks li")
    assert (
        again.get_by_label("value of the node after 1", exact=True).get_attribute("aria-invalid") == "false"
    )
    again.fill("#plies", "9")
    again.fill("#position", "")
    again.get_by_role("button", name="Search this position").click()
    again.wait_for_selector("#problem:not([hidden])")
    assert "nodes here: give less depth." in again.inner_text("#problem")


def test_a_link_from_the_game_that_is_played(open_page):
    page = open_page("#game=tic-tac-toe&moves=5")
    until(page, "document.querySelector('#on-learn').href.includes('tic-tac-toe')")
    link = page.get_attribute("#on-learn", "href")
    lesson = json.loads(unquote(link.partition("#")[2]))
    assert lesson["game"] == "tic-tac-toe"
    assert ask("draw_tree", **lesson)["suited"]


def test_an_assignment_is_made_answered_and_checked_by_links(open_page):
    page = opened(open_page, "learn#" + quote(json.dumps({"tree": SLIDE, "mode": "practice"})))
    page.get_by_role("button", name="Make an assignment").click()
    link = page.input_value("[aria-label='Link to the assignment']")
    student = opened(open_page, link[link.index("learn#") :])
    student.wait_for_selector(".practising")
    assert student.locator("button:visible").all_text_contents()[-2:] == ["Reset", "Hand in"]
    assert student.is_hidden("#tab-step")
    for name, value in {"A": "3", "B": "3", "C": "2", "D": "5"}.items():
        student.get_by_label(f"value of {name}", exact=True).fill(value)
    student.get_by_role("button", name="cut c2").click()
    student.get_by_role("button", name="cut c3").click()
    student.fill("[aria-label='Your name']", "Ada <b>")
    student.get_by_role("button", name="Hand in").click()
    answers = student.input_value("[aria-label='Link to your answers']")
    teacher = opened(open_page, answers[answers.index("learn#") :])
    teacher.wait_for_selector(".marks li")
    assert teacher.inner_text("#stage h2") == "Answers of Ada <b>"
    assert teacher.inner_text(".score") == "5 of 6 correct."
    assert teacher.input_value("[aria-label='value of D']") == "5"


@pytest.mark.long
def test_a_large_tree_is_opened_by_a_click_and_by_key(open_page):
    page = opened(open_page, "learn#" + quote(json.dumps({"game": "tic-tac-toe", "algorithm": "minimax"})))
    page.wait_for_selector(".more[role=button]")
    assert "plies deep" in page.inner_text("#stage > .note")
    nodes = page.locator(".node").count()
    page.locator(".more[role=button]").first.click()
    until(page, f"document.querySelectorAll('.node').length > {nodes}")
    assert len(held(page)["opened"]) == 1
    nodes = page.locator(".node").count()
    page.locator(".more[role=button]").first.press("Enter")
    until(page, f"document.querySelectorAll('.node').length > {nodes}")
    menu = page.locator("#algorithm option").all_text_contents()
    assert menu[-1].endswith("more …")
    page.select_option("#algorithm", label=menu[-1])
    assert page.locator("#algorithm option").count() > len(menu)


@pytest.mark.long
def test_presenting_by_clicker_and_printing_on_one_page(open_page):
    page = opened(open_page, "learn#" + quote(json.dumps({"tree": SLIDE, "present": True})))
    for key, step in [("PageDown", 1), (" ", 2), ("ArrowRight", 3), ("ArrowDown", 4), ("PageUp", 3)]:
        page.keyboard.press(key)
        until(page, f"document.querySelector('.steps-count').textContent === '{step} / 22'")
    assert page.locator("button:visible").all_text_contents() == ["✕"]
    assert page.evaluate("document.documentElement.scrollHeight") <= 800
    assert held(page)["present"]
    page.keyboard.press("Escape")
    page.wait_for_selector("#present:visible")
    assert not held(page)["present"]
    page.keyboard.press("p")
    page.wait_for_selector("#leave:visible")
    for leave in (False, True):  # it is the same on paper
        if leave:
            page.click("#leave")
            page.wait_for_selector("#present:visible")
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.emulate_media(media="print")
    assert page.locator("button:visible, select:visible, input:visible").count() == 0
    assert page.locator(".steps-say").is_visible()


def test_comparison_side_by_side(open_page):
    page = opened(open_page)
    page.keyboard.press("3")
    page.wait_for_selector(".facts")
    assert page.inner_text(".score") == "Both find 3; alpha-beta visits 11 nodes instead of 13."
    rows = [row.split("\t") for row in page.inner_text(".facts tbody").splitlines()]
    assert rows == [
        ["value", "3", "3"],
        ["line", "a1 b1", "a1 b1"],
        ["nodes", "13", "11"],
        ["leaves", "9", "7"],
        ["cut-offs", "0", "1"],
    ]
    left, right = (page.locator(".versus section").nth(i) for i in (0, 1))
    left.get_by_role("button", name="back").click()
    assert left.locator(".steps-count").inner_text() == "22 / 23"
    assert right.locator(".steps-count").inner_text() == "22 / 22"
    page.uncheck("#second-cut_on_equal")
    page.wait_for_selector("th:has-text('alpha-beta (no cut on equal)')")


def test_editing_leaves_in_place(open_page):
    page = opened(open_page)
    page.keyboard.press("4")
    page.wait_for_selector(".editing")
    page.locator(".node.leaf").first.click()
    page.keyboard.type("20")
    page.keyboard.press("Tab")
    until(page, "document.activeElement.value === '12'")
    page.keyboard.type("1/4")
    page.keyboard.press("Enter")
    until(page, "decodeURIComponent(location.hash).includes('[20,0.25,8]')")
    assert page.locator(".node.leaf .value").all_text_contents()[:3] == ["20", "0.25", "8"]
    page.keyboard.press("Enter")
    page.keyboard.type("nothing")
    page.keyboard.press("Enter")
    page.wait_for_selector("#problem:not([hidden])")
    assert page.text_content("#problem") == "A leaf must be a number, not “nothing”."
    assert page.locator(".node.leaf .value").all_text_contents()[1] == "0.25"


@pytest.mark.long
def test_editing_branches_and_who_moves_by_keyboard(open_page):
    page = opened(open_page)
    page.keyboard.press("4")
    page.wait_for_selector(".editing")
    page.locator(".node").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("+")
    until(page, "document.querySelectorAll('.node').length === 14")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Delete")
    until(page, "document.querySelectorAll('.node').length === 13")
    assert held(page)["tree"]["tree"]["children"][0] == {"player": "min", "children": [12, 8, 0]}
    page.keyboard.press("u")
    until(page, "document.querySelectorAll('.node').length === 14")
    page.get_by_role("button", name="Redo").click()
    until(page, "document.querySelectorAll('.node').length === 13")
    page.locator(".node").nth(1).click()
    page.select_option("#edit-player", "chance")
    page.wait_for_selector("#edit-probabilities")
    page.fill("#edit-probabilities", "1, 1, 2")
    page.keyboard.press("Enter")
    until(page, "decodeURIComponent(location.hash).includes('[0.25,0.25,0.5]')")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Step").click()
    page.wait_for_selector(".steps-say")
    assert page.input_value("#algorithm") == "expectiminimax"
    page.get_by_role("slider", name="step").fill("4")
    assert "Outcome b1 has probability 0.25: 0.25 × 12" in say(page)


@pytest.mark.long
def test_trees_by_lot_and_pasted(open_page):
    page = opened(open_page)
    page.select_option("#levels", "0,1,2")
    page.fill("#depth", "3")
    page.fill("#branching", "2")
    page.get_by_role("button", name="Generate").click()
    until(page, "document.querySelectorAll('.node.player').length === 7")
    assert page.input_value("#algorithm") == "max-n"
    before = page.input_value("#json")
    page.locator("body").press("n")
    until(page, "document.getElementById('seed').value === '2'")
    until(page, f"document.getElementById('json').value !== {json.dumps(before)}")  # else it comes later
    page.click("#record-panel summary")
    page.fill("#json", '{"children": {"left": 1, "right": [5, 6]}}')
    page.get_by_role("button", name="Use this tree").click()
    page.wait_for_selector(".action:has-text('left')")
    assert page.locator(".edge .action").all_text_contents()[:2] == ["left", "right"]
    page.fill("#json", "[[1, 2]")
    page.get_by_role("button", name="Use this tree").click()
    page.wait_for_selector("#problem:not([hidden])")
    assert "Invalid JSON" in page.inner_text("#problem")
    page.fill("#json", "[[1, 1e9]]")
    page.get_by_role("button", name="Use this tree").click()
    until(page, "document.getElementById('problem').textContent.includes('1,000,000')")


def test_help_and_tabs_by_keyboard(open_page):
    page = opened(open_page)
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Help").is_visible()
    page.keyboard.press("Escape")
    page.locator("#tab-step").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".practising")
    assert page.evaluate("document.activeElement.id") == "tab-practice"
    assert page.get_attribute("#tab-practice", "aria-selected") == "true"


MODES = {"step": ".steps-say", "practice": ".practising", "compare": ".facts", "edit": ".edit-panel"}
"""The modes of the page, and what each shows."""


@pytest.mark.parametrize(
    ("scheme", "modes"),
    [("light", MODES), pytest.param("dark", ["practice", "edit"], marks=pytest.mark.long)],
)
@pytest.mark.long
def test_on_a_phone_and_without_faults(open_page, scheme, modes):
    from axe_playwright_python.sync_playwright import Axe

    page = opened(open_page, viewport={"width": 390, "height": 844}, color_scheme=scheme, has_touch=True)
    page.click("#record-panel summary")
    page.click("#position-panel summary")
    for mode in modes:
        page.tap(f"#tab-{mode}")
        page.wait_for_selector(MODES[mode])
        if mode == "practice":
            page.tap("[aria-label='cut c2']")
            page.tap("text=Check")
            page.wait_for_selector(".marks li")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, mode
        found = Axe().run(page).response["violations"]
        assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == [], mode
    page.locator("body").press("p")
    page.wait_for_selector("#leave:visible")
    found = Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == [], "presenting"
