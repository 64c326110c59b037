"""The look of all pictures: one stylesheet, with colours for light and dark pages.

A page changes a colour by setting its property, such as `--plies-accent`, on anything around a picture, and
chooses light or dark by `data-theme`; notebooks have marks of their own for that. Otherwise a picture follows
the reader's preference.
"""

from __future__ import annotations

COLOURS: dict[str, tuple[str, str]] = {
    "ground": ("#ffffff", "#16191d"),
    "ink": ("#1d2329", "#e8e6e1"),
    "quiet": ("#5d6670", "#a7afb8"),
    "edge": ("#8d8375", "#8b8378"),
    "plain": ("#f6f1e7", "#2b3036"),
    "light": ("#f1e3c8", "#b39b76"),
    "dark": ("#b78b5e", "#7a5a3a"),
    "wood": ("#e3bd80", "#a9854f"),
    "grid": ("#5c4423", "#2e2110"),
    "felt": ("#4f9a6b", "#2f6b48"),
    "seam": ("#33704b", "#1d4630"),
    "brick": ("#3d5a94", "#3a568c"),
    "frame": ("#3f6aa8", "#33557f"),
    "hole": ("#e9eff7", "#151a21"),
    "pit": ("#c79a5c", "#7d5d33"),
    "seed": ("#5a3a1a", "#f0dcb4"),
    "number": ("#3d2410", "#fdfcf9"),
    "wall": ("#6b3f1d", "#ffe3b8"),
    "accent": ("#c2185b", "#ff6f9f"),
    "legal": ("#0b7a4b", "#5fd39a"),
    "good": ("#12633f", "#7fe0b0"),
    "bad": ("#a3242f", "#ff9a9f"),
    "black": ("#22262b", "#0d0f12"),
    "white": ("#fdfcf9", "#f2efe8"),
    "blue": ("#2f6fbf", "#5a9be6"),
    "orange": ("#e07b1a", "#f2a152"),
    "green": ("#2f8f5b", "#55b981"),
    "purple": ("#8450b0", "#b088d8"),
    "red": ("#cf3a34", "#e8625b"),
    "yellow": ("#f4c430", "#f2cd55"),
}
"""Every colour by name: for a light page and for a dark one. Not tuned."""


def colour(name: str, what: str = "fill") -> str:
    """The declaration of a colour; the plain one is for programs without custom properties."""
    return f"{what}:{COLOURS[name][0]};{what}:var(--p-{name})"


def _variables(which: int) -> str:
    return "".join(f"--p-{name}:var(--plies-{name},{pair[which]});" for name, pair in COLOURS.items())


def _people() -> str:
    """Rules by which text and marks on a piece contrast with its colour."""
    rules = []
    for name in ("black", "white", "blue", "orange", "green", "purple", "red", "yellow"):
        over = "black" if name in ("white", "yellow", "orange") else "white"
        rules.append(f".plies .{name} .body{{{colour(name)}}}")
        rules.append(f".plies .{name} .stroke{{{colour(name, 'stroke')}}}")
        rules.append(f".plies .{name} .mark{{{colour(over, 'stroke')}}}")
        rules.append(f".plies .{name} .word{{{colour(over)}}}")
        rules.append(f".plies .{name}.sign:not(.figure) text{{{colour(name)}}}")
    rules.append(f".plies .sign.black .body{{{colour('white', 'stroke')}}}")
    rules.append(f".plies .sign.white .body{{{colour('black', 'stroke')}}}")
    return "".join(rules)


STYLE = (
    f"svg.plies{{{_variables(0)}}}"
    f"@media(prefers-color-scheme:dark){{svg.plies{{{_variables(1)}}}}}"
    f':is([data-theme="light"],[data-jp-theme-light="true"],.vscode-light) svg.plies{{{_variables(0)}}}'
    f':is([data-theme="dark"],[data-jp-theme-light="false"],.vscode-dark) svg.plies{{{_variables(1)}}}'
    ".plies{font-family:system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif}"
    ".plies text{text-anchor:middle;user-select:none}"
    ".plies .piece,.plies line,.plies text,.plies .marks{pointer-events:none}"
    f".plies .ground{{{colour('ground')}}}"
    f".plies text{{{colour('ink')}}}"
    f".plies text.label{{{colour('quiet')}}}"
    f".plies text.beside{{{colour('ground', 'stroke')};stroke-width:9;paint-order:stroke}}"
    f".plies text.inside{{{colour('number')};font-weight:600}}"
    ".plies text.prose{text-anchor:start;white-space:pre;"
    "font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}"
    # Squares and other places.
    ".plies .hit,.plies .slot>.shape,.plies .point>.shape,.plies .star>.shape{fill:transparent;stroke:none}"
    f".plies .shape{{{colour('edge', 'stroke')};stroke-width:2}}"
    f".plies .plain>.shape{{{colour('plain')}}}"
    f".plies .light>.shape{{{colour('light')};stroke:none}}"
    f".plies .dark>.shape{{{colour('dark')};stroke:none}}"
    f".plies .tile>.shape{{{colour('dark')};stroke:none}}"
    f".plies .felt>.shape{{{colour('felt')};{colour('seam', 'stroke')};stroke-width:3}}"
    f".plies .wall>.shape{{{colour('brick')};{colour('brick', 'stroke')};stroke-width:1}}"
    f".plies .hole>.shape{{{colour('hole')};{colour('edge', 'stroke')}}}"
    f".plies .pit>.shape{{{colour('pit')}}}"
    f".plies .frame{{{colour('frame')}}}"
    f".plies .wood{{{colour('wood')}}}"
    f".plies circle.star{{{colour('grid')}}}"
    f".plies .slot:hover>.shape{{{colour('legal')};opacity:.35}}"
    # Lines.
    ".plies line{stroke-linecap:round}"
    f".plies line.grid{{{colour('edge', 'stroke')};stroke-width:3}}"
    f".plies .wood~line.grid{{{colour('grid', 'stroke')}}}"
    f".plies line.wall{{{colour('wall', 'stroke')};stroke-width:15}}"
    f".plies line.row{{{colour('accent', 'stroke')};stroke-width:12;opacity:.8}}"
    # Pieces.
    f".plies .body{{{colour('plain')};{colour('ink', 'stroke')};stroke-width:3;stroke-linejoin:round}}"
    ".plies .stroke,.plies .mark{fill:none;stroke-linecap:round;stroke-linejoin:round}"
    f".plies .stroke{{{colour('ink', 'stroke')};stroke-width:13}}"
    f".plies .solid,.plies .piece .word{{{colour('ink')}}}"
    f".plies .mark{{{colour('ink', 'stroke')};stroke-width:4}}"
    ".plies .disc .mark,.plies .king .mark{stroke-width:8;opacity:.6}"
    ".plies .disc .ring,.plies .king .ring{stroke-width:3}"
    f".plies .alarm{{{colour('bad')};opacity:.6}}"
    f".plies .seed{{{colour('seed')}}}"
    f".plies text.count{{font-weight:700;{colour('pit', 'stroke')};stroke-width:6;paint-order:stroke}}"
    + _people()
    # What is said about a position.
    + f".plies .last{{fill:none;{colour('accent', 'stroke')};stroke-width:7}}"
    ".plies .last.from{stroke-dasharray:12 12;stroke-width:5}"
    f".plies .legal{{{colour('legal')};{colour('ground', 'stroke')};stroke-width:2}}"
    f".plies .legal.open,.plies .legal.from{{fill:none;{colour('legal', 'stroke')};stroke-width:5}}"
    f".plies .arrow path,.plies .arrow .ring{{fill:none;{colour('accent', 'stroke')};stroke-width:10;"
    "stroke-linecap:round;stroke-linejoin:round;opacity:.8}"
    f".plies .score rect,.plies .arrow rect{{{colour('ground')};{colour('quiet', 'stroke')};stroke-width:2}}"
    f".plies .score.good rect{{{colour('good', 'stroke')}}}"
    f".plies .score.bad rect{{{colour('bad', 'stroke')}}}"
    f".plies .score.good text{{{colour('good')}}}"
    f".plies .score.bad text{{{colour('bad')}}}"
    f".plies .score.proved rect{{{colour('quiet')}}}"
    f".plies .score.proved.good rect{{{colour('good')}}}"
    f".plies .score.proved.bad rect{{{colour('bad')}}}"
    f".plies .score.proved text{{{colour('ground')};font-weight:700}}"
    ".plies .score:not(.proved) rect{stroke-dasharray:9 5}"
    f".plies .score.best rect{{{colour('ink', 'stroke')};stroke-width:7}}"
    ".plies .score.best text{font-weight:700}"
)
"""The stylesheet that every picture carries."""
