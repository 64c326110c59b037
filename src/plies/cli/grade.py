"""`plies grade`: what is wrong with a student's search, in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import Json, Plain, check_folder
from plies.cli.program import command
from plies.errors import BadParameter, PliesError


@command
def grade(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE|FOLDER", help="A student's file, or a folder of them.")
    ] = None,
    style: Annotated[
        str | None,
        typer.Option(metavar="lab|book", help="The style of the file (default: as its names show)."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Only the tests whose names begin with this; may be repeated."),
    ] = None,
    time: Annotated[float, typer.Option(metavar="SECONDS", help="Time limit of a test.")] = 20.0,
    strict: Annotated[
        bool, typer.Option("--strict", help="Alpha-beta may go on where a value equals a bound, as in CS188.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Write a page: each bug, your steps and ours side by side."),
    ] = None,
    gradescope: Annotated[
        Path | None, typer.Option(metavar="results.json", help="Write the results as Gradescope reads them.")
    ] = None,
    skeleton: Annotated[
        str | None, typer.Option(metavar="lab|book", help="Print a skeleton for students instead.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the skeleton to this file.")] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Grade a student's search, and name the bug.

    Lab style has the functions of the Tic-Tac-Toe hand-out, book style the six
    rules, minimax, alpha_beta, expectiminimax and best_action. A folder gives a
    report on the class, without names. The file runs in a process of its own,
    with limits: that is no protection against hostile code. The exit code is 1 if
    points are missing.
    """
    if skeleton is not None:
        _write_skeleton(skeleton, out)
        return
    if file is None:
        raise BadParameter("give a student's file, a folder of them, or --skeleton lab")
    if out is not None:
        raise BadParameter("--out is for a skeleton; a report goes to --html or --gradescope")
    if not 0 < time <= 3600:
        raise BadParameter(f"--time must be more than 0 and at most 3,600 seconds, not {time:g}")
    for wanted in (html, gradescope):
        if wanted is not None:
            check_folder(wanted)
    if file.is_dir():
        _grade_class(file, style, only or [], time, strict, html or gradescope, as_json, plain)
        return
    from plies.grade.grading import grade as run
    from plies.terminal.screen import Screen

    screen = Screen(plain or as_json)
    try:
        report = run(
            file,
            style=style,
            only=only or [],
            seconds=time,
            strict=strict,
            progress=lambda name: screen.passing(f"{name} … (Ctrl-C stops)"),
        )
    finally:
        screen.passing()
    if html is not None:
        from plies.grade.page import page

        _write(html, page(report))
    if gradescope is not None:
        _write(gradescope, json.dumps(report.gradescope(), indent=1, ensure_ascii=False))
    print(json.dumps(report.to_dict(), ensure_ascii=False) if as_json else report.text())
    if report.points < report.most:
        raise typer.Exit(1)


def _grade_class(
    folder: Path,
    style: str | None,
    only: list[str],
    seconds: float,
    strict: bool,
    page: Path | None,
    as_json: bool,
    plain: bool,
) -> None:
    """Grade all files of a folder, and report on them together."""
    from plies.grade.class_report import ClassReport
    from plies.grade.grading import grade as run
    from plies.sandbox.process import Unreadable
    from plies.terminal.screen import Screen

    if page is not None:
        raise BadParameter("--html and --gradescope are for one file, not for a folder")
    files = sorted(path for path in folder.iterdir() if path.suffix == ".py" and not path.is_dir())
    if not files:
        raise PliesError(f"there is no file NAME.py in {str(folder)!r}")
    screen = Screen(plain or as_json)
    reports = ClassReport()
    try:
        for number, path in enumerate(files, 1):
            screen.passing(
                f"{screen.bar((number - 1) / len(files))} file {number} of {len(files)} (Ctrl-C stops)"
            )
            try:
                reports.add(run(path, style=style, only=only, seconds=seconds, strict=strict))
            except Unreadable:
                reports.unreadable += 1
    except KeyboardInterrupt:
        reports.stopped = True
    screen.passing()
    print(json.dumps(reports.to_dict(), ensure_ascii=False) if as_json else reports.text(len(files)))


def _write_skeleton(style: str, out: Path | None) -> None:
    from plies.grade.skeletons import skeleton

    text = skeleton(style)
    if out is None:
        print(text, end="")
        return
    check_folder(out)
    if out.exists():
        raise PliesError(f"{str(out)!r} exists already, and may be somebody's work: give another name")
    _write(out, text)
    print(f"wrote {out}")


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PliesError(f"{str(file)!r} cannot be written: {error.strerror}") from None
