"""The report as a page: points, bugs, and the steps of the two programs side by side."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files

from plies import draw
from plies.games.tic_tac_toe import TicTacToe
from plies.grade.diagnosis import Finding
from plies.grade.drawing import drawn, traces
from plies.grade.report import Report, finding_lines

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1d2329; background: #fff; }}
main {{ max-width: 90rem; margin: 0 auto; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: 0.2rem 0.75rem 0.2rem 0; vertical-align: top; }}
td:nth-child(2), td:nth-child(3) {{ text-align: right; white-space: nowrap; }}
.missed td:first-child {{ font-weight: 600; }}
.two {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1.5rem; }}
pre {{ overflow: auto; }}
@media (prefers-color-scheme: dark) {{ body {{ color: #e8e6e1; background: #101316; }} }}
{css}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{notes}
<table>
<thead><tr><th>Test</th><th>Points</th><th>Time</th><th>Result</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
{findings}
</main>
<script type="module">
{script}
for (const [id, data] of Object.entries({data})) showSteps(document.getElementById(id), data);
</script>
</body>
</html>
"""

UNKNOWN = "No usual bug gives all its answers, so its steps are not known."

LONGEST = 300
"""The most nodes of a picture; of a longer search the rest is counted."""


def page(report: Report) -> str:
    """The page of a report, which needs nothing else."""
    steps: dict[str, object] = {}
    findings = "\n".join(
        _finding(number, finding, steps) for number, finding in enumerate(report.findings, 1)
    )
    rows = [
        f'<tr class="{"passed" if test.passed else "missed"}"><td>{escape(test.name)}</td>'
        f"<td>{test.points:g} of {test.most:g}</td><td>{test.seconds:.2f} s</td>"
        f"<td>{escape(test.words)}</td></tr>"
        for test in report.tests
    ]
    notes = [*report.notes]
    if report.missing:
        notes.append(f"The machine that graded it has not: {', '.join(report.missing)}.")
    return PAGE.format(
        title=escape(f"{report.file}: {report.points:g} of {report.most:g} points"),
        css=files("plies.draw").joinpath("steps.css").read_text(encoding="utf-8"),
        notes="\n".join(f"<p>{escape(note)}</p>" for note in notes),
        rows="\n".join(rows),
        findings=findings,
        script=files("plies.draw").joinpath("steps.js").read_text(encoding="utf-8"),
        data=json.dumps(steps, ensure_ascii=False).replace("<", "\\u003c"),
    )


def _finding(number: int, finding: Finding, steps: dict[str, object]) -> str:
    """A finding as a section; its steps join those of the page."""
    picture = drawn(finding)
    words = finding_lines(finding)[1:]
    said = "\n".join(f"<p>{escape(line)}</p>" for line in words[: len(words) - len(picture)])
    parts = [f"<section><h2>{escape(finding.function)}: {escape(finding.title)}</h2>", said]
    if picture:
        parts.append(f"<pre>{escape(chr(10).join(picture))}</pre>")
    both = traces(finding)
    if both is not None:
        board = TicTacToe() if finding.position else None
        columns = []
        for who, trace in zip(("Yours", "Ours"), both, strict=True):
            if trace is None:
                columns.append(f"<div><h3>{who}</h3><p>{UNKNOWN}</p></div>")
                continue
            key = f"steps-{number}-{who.lower()}"
            steps[key] = draw.steps(trace, boards=board, limit=LONGEST).data
            columns.append(f'<div><h3>{who}</h3><div id="{key}"></div></div>')
        parts.append(f'<div class="two">{"".join(columns)}</div>')
    return "\n".join([*parts, "</section>"])
