"""Reading a matrix game: rows of numbers, text such as "1 -1; -1 1", or a file of CSV or JSON."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from plies.errors import BadParameter
from plies.matrix.game import MOST_EXACT, MatrixGame
from plies.matrix.numbers import brief, payoff
from plies.matrix.simplex import saddle_point

MOST_ENTRIES = 250_000
"""The most entries of a matrix: HiGHS takes seconds for 500 × 500."""

LARGEST = 1 << 26
"""The most bytes of a file that are read. Not tuned: far more than the largest matrix needs."""

KEYS = ("rows", "row_names", "column_names")

Names = Sequence[str] | str | None


def matrix_game(
    rows: Any, *, row_names: Names = None, column_names: Names = None, exact: bool | None = None
) -> MatrixGame:
    """The zero-sum game in which Row picks a row, Column picks a column, and Column pays Row the entry there.

    `rows` is a list of rows of numbers, a NumPy array, what `MatrixGame.to_dict` gives, text such as "1 -1;
    -1 1", or the path of a file: CSV, with or without names, or JSON. Names are a list, or text with commas
    between them. A number may be written as a fraction, "1/3". The solution is exact up to 1,600 entries, and
    beyond if there is a saddle point; `exact` decides otherwise.
    """
    if isinstance(rows, MatrixGame):
        if row_names is None and column_names is None and exact is None:
            return rows
        rows = {"rows": rows.rows, "row_names": rows.row_names, "column_names": rows.column_names}
    if isinstance(rows, str | Path):
        rows = _from_text(rows)
    if isinstance(rows, Mapping):
        if "rows" not in rows:
            raise BadParameter(f"a matrix game in JSON has {', '.join(KEYS)}; 'rows' is missing")
        row_names = row_names or rows.get("row_names")
        column_names = column_names or rows.get("column_names")
        rows = rows["rows"]
    table = _table(rows)
    if exact is None:
        exact = len(table) * len(table[0]) <= MOST_EXACT or saddle_point(table) is not None
    names = _names(row_names, len(table), "row", "r"), _names(column_names, len(table[0]), "column", "c")
    return MatrixGame(table, *names, exact)


def _table(rows: Any) -> tuple[tuple[Fraction, ...], ...]:
    """The entries, checked: at least one, all of them finite numbers, and every row as long as the first."""
    rows = rows.tolist() if hasattr(rows, "tolist") else rows
    if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
        raise BadParameter(f"a matrix is a list of rows, such as [[1, -1], [-1, 1]], not {brief(rows)}")
    if not rows:
        raise BadParameter("a matrix must have a row and a column at least; this one is empty")
    rows = [row.tolist() if hasattr(row, "tolist") else row for row in rows]
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Sequence) or isinstance(row, str | bytes):
            raise BadParameter(f"row {number} of a matrix must be a list of numbers, not {brief(row)}")
        if not row:
            raise BadParameter(f"a matrix must have a row and a column at least; row {number} is empty")
        if len(row) != len(rows[0]):
            raise BadParameter(
                "the rows of a matrix must be equally long; "
                f"row 1 has {len(rows[0])} entries, row {number} {len(row)}"
            )
    if len(rows) * len(rows[0]) > MOST_ENTRIES:
        raise BadParameter(
            f"a matrix may have {MOST_ENTRIES:,} entries; this one has {len(rows)} × {len(rows[0])}"
        )
    return tuple(
        tuple(payoff(entry, f"row {i}, column {j} of a matrix") for j, entry in enumerate(row, start=1))
        for i, row in enumerate(rows, start=1)
    )


def _names(given: Any, count: int, what: str, letter: str) -> tuple[str, ...]:
    if given is None:
        return tuple(f"{letter}{i}" for i in range(1, count + 1))
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise BadParameter(f"names of {what}s must be text, not {brief(given)}")
    stripped = tuple(" ".join(name.split()) for name in names)
    if len(stripped) != count:
        raise BadParameter(f"there must be {count} names of {what}s, not {len(stripped)}")
    if len(set(stripped)) != count or not all(stripped):
        raise BadParameter(f"names of {what}s must be distinct and not empty, not {brief(list(stripped))}")
    return stripped


# -- Text and files.


def _from_text(source: str | Path) -> Any:
    """Rows, or a mapping with names, from a path or from text."""
    text = str(source)
    if isinstance(source, str) and (re.match(r"\s*[\[{]", text)):
        return _json(text, "the matrix")
    if isinstance(source, Path) or re.search(r"\.(csv|json|txt)$", text.strip(), re.IGNORECASE):
        return _from_file(Path(text.strip()))
    rows = [re.split(r"[\s,]+", line.strip(" \t,")) for line in re.split(r"[;\n]+", text) if line.strip()]
    if not rows:
        raise BadParameter("a matrix must have a row and a column at least; this one is empty")
    return rows


def _from_file(path: Path) -> Any:
    try:
        if path.stat().st_size > LARGEST:
            raise BadParameter(f"{str(path)!r} is too large for a matrix")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        if isinstance(error, BadParameter):
            raise
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise BadParameter(f"{str(path)!r} cannot be read: {reason}") from None
    return _json(text, repr(str(path))) if path.suffix.lower() == ".json" else _csv(text, str(path))


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadParameter(f"{what} is not JSON: {error}") from None


def _csv(text: str, path: str) -> dict[str, Any]:
    """The rows of a table, and its names: a first line or a first column in which something is no number."""
    separator = next((sign for sign in ("\t", ";", ",") if sign in text), " ")
    try:
        lines = [
            line for line in csv.reader(text.splitlines(), delimiter=separator) if any(map(str.strip, line))
        ]
    except csv.Error as error:
        raise BadParameter(f"{path!r} is not CSV: {error}") from None
    if separator == " ":
        lines = [[word for word in line if word] for line in lines]
    if not lines:
        raise BadParameter("a matrix must have a row and a column at least; this one is empty")
    body = lines[1:] if len(lines) > 1 and any(_is_name(cell) for cell in lines[0][1:]) else lines
    heading = lines[0] if len(body) < len(lines) else None
    named = all(_is_name(line[0]) for line in body)
    row_names = [line[0] for line in body] if named else None
    rows = [line[1:] for line in body] if named else body
    if heading is not None and len(heading) == len(rows[0]) + 1:
        heading = heading[1:]  # the corner belongs to neither
    return {"rows": rows, "row_names": row_names, "column_names": heading}


def _is_name(cell: str) -> bool:
    """Whether a cell of a table is no number, and so a name."""
    try:
        payoff(cell, "")
    except BadParameter:
        return True
    return False
