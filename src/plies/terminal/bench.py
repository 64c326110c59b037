"""A benchmark in words: a table of what each thing takes, and what each figure means."""

from __future__ import annotations

from plies.benchmark import MEANINGS, Benchmark, Rate, short_time


def bench_text(result: Benchmark) -> str:
    """The figures, compiled beside interpreted, and what was run for each."""
    forms = list(result.rates)
    lines = [f"{result.game!r}: one thread, wall time"]
    if result.why_not:
        lines.append(f"runs interpreted: {result.why_not}")
    lines += ["", " " * 20 + "".join(f"{form:>26}" for form in forms)]
    measured = [what for what in MEANINGS if any(what in rates for rates in result.rates.values())]
    for what in measured:
        cells = [_cell(result.rates[form].get(what)) for form in forms]
        lines.append(f"{what:<20}{''.join(cells)}".rstrip())
    lines.append("")
    for what in measured:
        lines.append(f"{what}: {MEANINGS[what]}")
        runs = [f"{form}, {rates[what].detail}" for form, rates in result.rates.items() if what in rates]
        lines.append(f"    {'; '.join(runs)}")
    if result.stopped:
        lines += ["", "Stopped before everything was measured."]
    return "\n".join(lines)


def _cell(rate: Rate | None) -> str:
    """The time of one, and how many a second."""
    if rate is None:
        return " " * 26
    if not rate.per_second:
        return f"{'too little to tell':>26}"
    return f"{short_time(rate.seconds):>10}{rate.per_second:>14,.0f}/s"
