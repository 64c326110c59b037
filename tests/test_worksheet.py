"""Work sheets: their answers are found again from their own trees; they are different and equally hard."""

from __future__ import annotations

import base64
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import plies
from plies.book import ALGORITHMS
from plies.book.algorithms import about
from plies.cli import run
from plies.worksheet import Settings, Sheet, sheets
from plies.worksheet.moodle import blank, moodle
from plies.worksheet.page import CHROMIUM, html, write_pdf
from plies.worksheet.problems import Problem, Question

pytestmark = pytest.mark.plain

IDS = ("anna", "ben", "chris")
BY_HAND = [
    name
    for name in ALGORITHMS
    if about(name).predictable and "seed" not in about(name).takes and name != "backward-induction"
]


class Read(HTMLParser):
    """The trees, positions and tables of a sheet, as a browser finds them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.given: list[dict[str, str | None]] = []
        self.rows: list[dict[str, str]] = []
        self._cells: list[str] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self.given.append(dict(attrs))
            self.rows.append({})
        if tag == "tr":
            self._cells = []
        if tag == "td" and self._cells is not None:
            self._cells.append("")

    def handle_data(self, data: str) -> None:
        if self._cells:
            self._cells[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr" and self._cells is not None:
            label, answer = self._cells
            self.rows[-1][label] = answer
            self._cells = None


def made(algorithm: str = "alpha-beta", seed: int = 1, ids: Any = IDS, **settings: Any) -> list[Sheet]:
    return list(sheets(Settings(algorithm, seed, **settings), ids))


# -- The key is right: by a search that is not the book's, and by the book from the sheet's own trees.


def alpha_beta(tree: Any, leaves: list[Any], alpha: float, beta: float, is_max: bool) -> float:
    """Fail-soft alpha-beta of nested lists, which notes the leaves that it visits."""
    if not isinstance(tree, list):
        leaves.append(tree)
        return float(tree)
    best = float("-inf") if is_max else float("inf")
    for child in tree:
        value = alpha_beta(child, leaves, alpha, beta, not is_max)
        best = max(best, value) if is_max else min(best, value)
        if is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def nested(node: Any) -> Any:
    return [nested(child) for child in node["children"].values()] if isinstance(node, dict) else node


def test_the_key_is_what_another_search_finds():
    for sheet in made(depth=3, branching=2, count=3):
        read = Read(html(sheet, key=True))
        assert len(read.given) == 3
        for given, rows in zip(read.given, read.rows, strict=True):
            tree = nested(json.loads(given["data-tree"] or "")["tree"])
            leaves: list[Any] = []
            value = alpha_beta(tree, leaves, float("-inf"), float("inf"), True)
            assert float(rows["Value of A"]) == value
            assert int(rows["Leaves visited"]) == len(leaves)


def answers_by_the_book(tree: plies.Tree, algorithm: str, **options: Any) -> dict[str, Any]:
    """What a trace as text says of each node that has a name."""
    usual = {"player": 0} if "player" in about(algorithm).takes else {}
    trace = plies.trace(tree, algorithm=algorithm, **usual, **options).last_iteration
    names = ((tree.node_names[node.entered.state], node.value) for node in trace.tree)
    values = {name: value for name, value in names if name}
    return {"values": values, "leaves": trace.leaves, "action": trace.action}


def number(text: str) -> Any:
    if text in ("yes", "no"):
        return text == "yes"
    numbers = [
        float(word.replace("−", "-").replace("∞", "inf")) for word in re.findall(r"[-−]?[\d.]+|∞", text)
    ]
    return numbers[0] if len(numbers) == 1 else tuple(numbers)


@pytest.mark.parametrize("algorithm", BY_HAND)
def test_the_answers_are_found_again_from_the_sheets_own_trees(algorithm):
    sheet = made(algorithm, ids=["anna"], count=2)[0]
    blanks, key = Read(html(sheet)), Read(html(sheet, key=True))
    assert blanks.given == key.given
    assert all(answer == "" for rows in blanks.rows for answer in rows.values())
    for given, rows in zip(key.given, key.rows, strict=True):
        tree = plies.Tree(given["data-tree"])
        found = answers_by_the_book(tree, algorithm)
        inner = [name for name, count in zip(tree.node_names, tree.child_count, strict=True) if count]
        for name in inner:
            answer = next(text for label, text in rows.items() if label.startswith(f"Value of {name}"))
            expected = found["values"].get(name)
            if expected is None:
                assert answer == "-"
            else:
                assert number(answer) == pytest.approx(expected)
        assert int(rows["Leaves visited"]) == found["leaves"]
        if "Best action (of equal ones, the first)" in rows:
            assert rows["Best action (of equal ones, the first)"] == found["action"]


def test_a_variant_has_the_key_of_the_variant():
    """Fail-hard and fail-soft sheets of one seed differ in values only where a bound does."""
    soft, hard = (made(options={"fail_hard": on}, ids=["anna"], count=4)[0] for on in (False, True))
    assert "fail-hard" in html(hard)
    for problem in hard.problems:
        again = answers_by_the_book(plies.Tree(problem.game.to_json()), "alpha-beta", fail_hard=True)
        values = {
            q.label.removeprefix("Value of "): q.number for q in problem.questions if q.number is not None
        }
        assert again["values"].items() <= values.items()
    assert [p.questions for p in soft.problems] != [p.questions for p in hard.problems]


def test_the_positions_of_a_game_are_searched_again():
    game = plies.TicTacToe()
    for sheet in made(game=game, plies=5, depth=4, count=2):
        key = Read(html(sheet, key=True))
        for given, rows in zip(key.given, key.rows, strict=True):
            state = game.parse_position(given["data-position"] or "")
            assert sum(cell in "XO" for cell in game.position(state)) == 5
            trace = plies.trace(game, state, algorithm="alpha-beta", depth=4)
            assert (
                float(rows["Value of the position"]) == trace.value == plies.book.minimax(game, state).value
            )
            assert int(rows["Leaves visited"]) == trace.leaves
            assert rows["Best action (of equal ones, the first)"] == trace.action


def test_a_sheet_of_positions_says_all_that_a_search_needs():
    game = plies.TicTacToe()
    (sheet,) = sheets(Settings("alpha-beta", 3, count=1, game=game, plies=5, depth=2), ["anna"])
    text = html(sheet)
    assert "MAX is whoever is to move." in text
    assert "a position is worth EVAL, to X 0.1 × open lines. The lines open to X less those" in text
    state = sheet.problems[0].state
    order = " ".join(str(cell) for cell in game.actions(state))
    assert f"1. Position: O to move, in the order {order}<" in text
    assert f"O to move, in the order {order}." in moodle([sheet])
    (ended,) = sheets(Settings("alpha-beta", 3, count=1, game=game, plies=5, depth=4), ["anna"])
    assert "EVAL" not in html(ended)


# -- Different, equally hard, and the same again.


def test_sheets_are_different_and_equally_hard():
    found = made(ids=[f"s{i}" for i in range(8)])
    for number_, problems in enumerate(zip(*(sheet.problems for sheet in found), strict=True)):
        assert len({problem.game.to_json() for problem in problems}) == len(problems), number_
        counts = set()
        for problem in problems:
            leaves: list[Any] = []
            alpha_beta(nested(json.loads(problem.game.to_json())["tree"]), leaves, -1e9, 1e9, True)
            counts.add(len(leaves))
        assert len(counts) == 1, "each student visits as many leaves"
        assert counts != {9}, "and has something to cut"


def test_the_same_seed_and_id_make_the_same_sheet_again():
    anna, ben, _ = made()
    alone = made(ids=["anna"])[0]
    assert html(alone, key=True) == html(anna, key=True)
    assert alone.code == anna.code != ben.code
    assert made(seed=2, ids=["anna"])[0].code != anna.code


def test_a_sheet_does_not_give_its_answers_away():
    sheet = made("minimax", ids=["anna"], count=1)[0]
    page = html(sheet)
    picture = page[page.index("<svg") : page.index("</svg>")]
    assert " chosen" not in re.sub("<style>.*?</style>", "", picture, flags=re.DOTALL)
    values = re.findall(
        r'<g class="node (?:max|min)[^>]*>.*?<text class="value"[^>]*?(?:/>|>([^<]*)<)', picture
    )
    assert len(values) == 4
    assert not any(values)


# -- Moodle.


def questions(text: str, kind: str) -> list[ElementTree.Element]:
    return [one for one in ElementTree.fromstring(text) if one.get("type") == kind]


@pytest.fixture(scope="module")
def several() -> str:
    """Questions of many kinds in one file each, joined: numbers, yes and no, numbers for each player."""
    return moodle(made(count=2))


def test_a_schema_accepts_it(several):
    schema = pytest.importorskip("xmlschema").XMLSchema(Path(__file__).with_name("moodle.xsd"))
    schema.validate(several)
    for algorithm in ("and-or", "max-n", "expectiminimax"):
        schema.validate(moodle(made(algorithm, count=1, ids=["a"])))
    assert not schema.is_valid(several.replace("<penalty>0.3333333", "<penalty>much"))
    assert not schema.is_valid(several.replace("<name>", "<title>").replace("</name>", "</title>"))


def test_every_blank_of_moodle_takes_the_books_answer(several):
    found = made(count=2)
    cloze = questions(several, "cloze")
    assert len(questions(several, "category")) == 2
    assert len(cloze) == len(questions(several, "numerical")) == 2 * len(IDS)
    problems = [sheet.problems[i] for i in range(2) for sheet in found]
    for question, problem in zip(cloze, problems, strict=True):
        text = question.findtext("questiontext/text") or ""
        blanks = re.findall(r"\{1:(NUMERICAL|SHORTANSWER):=((?:\\.|[^}\\])*)\}", text)
        assert text.count("{") == len(blanks) == len(problem.questions)
        again = answers_by_the_book(plies.Tree(problem.game.to_json()), "alpha-beta")
        assert blanks[0] == ("NUMERICAL", f"{again['values']['A']:g}:0")
        assert ("NUMERICAL", f"{again['leaves']}:0") in blanks
        assert ("SHORTANSWER", again["action"]) in blanks
        picture = question.find("questiontext/file")
        assert picture is not None
        assert f"@@PLUGINFILE@@/{picture.get('name')}" in text
        assert base64.b64decode(picture.text or "").startswith(b"<svg")
    for question, problem in zip(questions(several, "numerical"), problems, strict=True):
        again = answers_by_the_book(plies.Tree(problem.game.to_json()), "alpha-beta")
        assert float(question.findtext("answer/text") or "nan") == again["values"]["A"]


def test_blanks_are_what_moodle_reads(several):
    """The grammar of the importer: question/type/multianswer/questiontype.php of Moodle."""
    number = r"-?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?"
    word = r"(?:=|%-?[0-9]+%)?.+?(?<![\\&])(?=[~#}])(?:#.*?(?<!\\)(?=[~}]))?"
    for question in questions(several, "cloze"):
        text = question.findtext("questiontext/text") or ""
        read = re.findall(rf"\{{[0-9]*:(NUMERICAL|SHORTANSWER):({word}(?:~{word})*)\}}", text)
        assert len(read) == text.count("{")
        for kind, told in read:
            assert kind == "SHORTANSWER" or re.fullmatch(f"=({number})(:{number})?", told)


def test_blanks_are_escaped():
    assert blank(Question("Best", 'a/b}~#"')) == r"{1:SHORTANSWER:=a\/b\}\~\#\"}"
    assert blank(Question("Value", "0.5", 0.5)) == "{1:NUMERICAL:=0.5:0.01}"
    assert blank(Question("Cut", "c2 c3")) == "{1:SHORTANSWER:=c2 c3~=c2, c3}"
    assert blank(Question("Value of C", "-")) == "{1:SHORTANSWER:=-~=x~=never}"


# -- The program.


def test_the_program_writes_sheets_keys_and_moodle(tmp_path, capsys):
    (tmp_path / "ids.txt").write_text("anna\n\nben\n")
    words = ["worksheet", "--ids", str(tmp_path / "ids.txt"), "--seed", "1", "--count", "2"]
    assert run([*words, "--moodle", "-o", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.startswith("2 sheets with their keys of 2 problems in ")
    names = ["anna-key.html", "anna.html", "ben-key.html", "ben.html", "moodle.xml"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    again = tmp_path / "again"
    assert run(["worksheet", "--id", "ben", "--seed", "1", "--count", "2", "--key", "-o", str(again)]) == 0
    assert [path.name for path in again.iterdir()] == ["ben-key.html"]
    assert (again / "ben-key.html").read_text() == (tmp_path / "out" / "ben-key.html").read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--algorithm", "mcts"], "mcts plays at random"),
        (["--algorithm", "alphabeta"], "there is no algorithm 'alphabeta'"),
        (["--algorithm", "backward-induction"], "cannot search trees"),
        (["--id", "../x"], "an id is up to 60 letters"),
        (["--id", "a", "--id", "a"], "the id 'a' is given twice"),
        (["--branching", "5", "--depth", "3"], "make 125 leaves"),
        (["--count", "0"], "count must be between 1 and 20"),
        (["--levels", "max,chance"], "alpha-beta cannot search trees of max, chance"),
        (["connect-four", "--depth", "6"], "no position after 4 moves can be searched by hand"),
        (["--option", "width=3"], "width"),
        (["--ids", "nowhere.txt"], "the ids cannot be read from 'nowhere.txt'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["worksheet", *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_without_chromium_no_pdf(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(plies.PliesError, match="not installed"):
        write_pdf("<p>sheet</p>", tmp_path / "sheet.pdf")


@pytest.mark.skipif(
    not any(map(shutil.which, CHROMIUM)), reason="needs Chromium, which is not installed here"
)
@pytest.mark.long
def test_a_sheet_is_printed_as_pdf(tmp_path):
    write_pdf(html(made(ids=["anna"], count=1)[0]), tmp_path / "anna.pdf")
    assert (tmp_path / "anna.pdf").read_bytes().startswith(b"%PDF-")


def test_a_problem_says_what_it_is():
    problem = made(ids=["anna"], count=1)[0].problems[0]
    assert isinstance(problem, Problem)
    assert problem.words.startswith("A (MAX)")
