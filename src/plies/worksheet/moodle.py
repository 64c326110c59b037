"""Work sheets as Moodle XML: for each problem a cloze question with all its blanks, and a numerical one.

The problems of the same number are in one category, since they are equally hard: a quiz takes a random
question of each. The format is that of Moodle's documentation, "Moodle XML format" and "Embedded Answers
(Cloze) question type".
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from html import escape
from xml.etree import ElementTree

from plies.worksheet.page import heading, heading_of, task
from plies.worksheet.problems import NEVER, Problem, Question
from plies.worksheet.sheet import Sheet

PICTURE = "tree.svg"


def moodle(sheets: Sequence[Sheet]) -> str:
    """The questions of sheets with the same settings, as a file that Moodle imports."""
    quiz = ElementTree.Element("quiz")
    for number in range(len(sheets[0].problems)):
        group = _question(quiz, "category")
        title = f"Plies, {heading(sheets[0])}, {number + 1}".replace("/", "-")  # "/" is for subcategories
        _text(ElementTree.SubElement(group, "category"), f"$course$/top/{title}")
        for sheet in sheets:
            problem = sheet.problems[number]
            name = f"{heading(sheet)} {number + 1}, {sheet.id}"
            _cloze(quiz, name, task(sheet), problem)
            root = problem.questions[0]
            if root.number is not None:
                _numerical(quiz, f"{name}, value", task(sheet), problem, root)
    ElementTree.indent(quiz)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(quiz, encoding="unicode") + "\n"


def blank(question: Question) -> str:
    """A blank in the syntax of cloze questions."""
    if question.number is not None:
        whole = question.number.is_integer()
        return f"{{1:NUMERICAL:={question.number:g}:{0 if whole else 0.01}}}"
    right = [NEVER, "x", "never"] if question.answer == NEVER else [question.answer]
    if "," not in question.answer and " " in question.answer:  # a list may have commas
        right.append(question.answer.replace(" ", ", "))
    return f"{{1:SHORTANSWER:{'~'.join(f'={_escaped(text)}' for text in dict.fromkeys(right))}}}"


def _escaped(text: str) -> str:
    return re.sub(r'([}#~/"\\])', r"\\\1", text)


def _question(quiz: ElementTree.Element, kind: str) -> ElementTree.Element:
    return ElementTree.SubElement(quiz, "question", type=kind)


def _cloze(quiz: ElementTree.Element, name: str, words: str, problem: Problem) -> None:
    rows = "".join(f"<li>{escape(one.label)}: {blank(one)}</li>" for one in problem.questions)
    question = _question(quiz, "cloze")
    _head(question, name, f"{_told(words, problem)}<ul>{rows}</ul>", problem)
    _tail(question)


def _numerical(quiz: ElementTree.Element, name: str, words: str, problem: Problem, asked: Question) -> None:
    question = _question(quiz, "numerical")
    _head(question, name, f"{_told(words, problem)}<p>{escape(asked.label)}?</p>", problem)
    ElementTree.SubElement(question, "defaultgrade").text = "1"
    _tail(question)
    answer = ElementTree.SubElement(question, "answer", fraction="100", format="moodle_auto_format")
    assert asked.number is not None
    _text(answer, f"{asked.number:g}")
    _text(ElementTree.SubElement(answer, "feedback", format="html"), "")
    ElementTree.SubElement(answer, "tolerance").text = "0" if asked.number.is_integer() else "0.01"


def _told(words: str, problem: Problem) -> str:
    """What is to be done, and the picture."""
    more = "" if problem.is_tree else f" {heading_of(problem)}."
    return f"<p>{escape(words + more).replace('{', '(')}</p>{_picture(problem)}"


def _picture(problem: Problem) -> str:
    return f'<p><img src="@@PLUGINFILE@@/{PICTURE}" alt="{escape(problem.words).replace("{", "(")}"></p>'


def _head(question: ElementTree.Element, name: str, text: str, problem: Problem) -> None:
    _text(ElementTree.SubElement(question, "name"), name)
    asked = ElementTree.SubElement(question, "questiontext", format="html")
    _text(asked, text)
    picture = ElementTree.SubElement(asked, "file", name=PICTURE, path="/", encoding="base64")
    picture.text = base64.b64encode(problem.picture().encode()).decode()
    _text(ElementTree.SubElement(question, "generalfeedback", format="html"), "")


def _tail(question: ElementTree.Element) -> None:
    ElementTree.SubElement(question, "penalty").text = "0.3333333"
    ElementTree.SubElement(question, "hidden").text = "0"


def _text(parent: ElementTree.Element, text: str) -> None:
    ElementTree.SubElement(parent, "text").text = text
