"""A page for each game, from what its class says about itself; docs/games/NAME.md adds what it does not."""

from __future__ import annotations

import inspect
import re

import plies
from docs.pages.written import DOCS, merged, sections, table
from plies.engine import algorithm_for
from plies.game import CHANCE, Game
from plies.registry import game_class
from plies.rules import RULES

MOVES_SHOWN = 12


def title(name: str) -> str:
    """The name of a game as a heading: that of its page, or as connect-four becomes Connect Four."""
    if named := re.match(r"# (.*)", sections(DOCS / "games" / f"{name}.md")[""]):
        return named[1]
    return " ".join(word if word in ("to",) else word.capitalize() for word in name.split("-"))


def page(name: str) -> str:
    """The page of a game, in Markdown."""
    cls, game = game_class(name), plies.game(name)
    path = DOCS / "games" / f"{name}.md"
    public = getattr(plies, cls.__name__, None) is cls
    facts = {
        "": f"{_summary(cls)}\n\n![{title(name)}]({name}.svg)",
        "Rules": cls.rules or "The game does not state its rules in words.",
        "Parameters": _parameters(cls),
        "Moves and positions": _moves(game),
        "Play": f"```sh\nplies play {name}\n```\n\nOr choose it on [the page](../page.md).",
        "Search": _search(game),
        "In Python": _class(cls) if public else "",
        "Background": f"Source: {source(cls)}.",
    }
    written = sections(path)
    if "In Python" not in written:
        facts["In Python"] += f"\n\n{_example(name, game)}"
    return merged(title(name), facts, path)


def picture(name: str) -> str:
    """A picture of a position of a game, as SVG: of the one that its page names, or of the first."""
    game = plies.game(name)
    path = DOCS / "games" / f"{name}.md"
    named = re.search(r"<!-- position: (.*) -->", sections(path)[""])
    return str(plies.draw.board(game, game.parse_position(named[1]) if named else game.initial()))


def index() -> str:
    """The page that lists all games."""
    rows = [
        (f"[{title(name)}]({name}.md)", _players(plies.game(name)), _summary(game_class(name)))
        for name in plies.game_names()
    ]
    return "\n\n".join(
        (
            "# Games",
            "These come with Plies. `plies games NAME` prints the rules of one.",
            table(("game", "players", "what it is"), rows),
            "[Write your own game](../write-your-own-game.md) shows how to add one.\n",
        )
    )


def source(thing: object) -> str:
    """The file that a class or function is written in, as a path of the repository."""
    return f"`src/{(inspect.getmodule(thing) or plies).__name__.replace('.', '/')}.py`"


def _summary(cls: type[Game]) -> str:
    """What a game is, in a sentence: the first of its module."""
    text = inspect.getdoc(inspect.getmodule(cls)) or inspect.getdoc(cls) or ""
    return text.split("\n\n")[0].replace("\n", " ")


def _players(game: Game) -> str:
    return (
        f"{game.players}" + (", dice" if game.stochastic else "") + (", at once" if game.simultaneous else "")
    )


def _parameters(cls: type[Game]) -> str:
    found = inspect.signature(cls).parameters.values()
    rows = [(f"`{one.name}`", f"`{one.annotation}`", f"`{one.default!r}`") for one in found]
    lines = [table(("parameter", "type", "default"), rows) if rows else "It has none."]
    if cls.__init__.__doc__ and "__init__" in vars(cls):
        lines.append(inspect.cleandoc(cls.__init__.__doc__))
    if any(one.name == "weights" for one in found):
        lines.append("`weights` replaces those of the evaluation's features, in their order (see below).")
    return "\n\n".join(lines)


def _moves(game: Game) -> str:
    state = game.initial()
    lines = []
    if not game.is_terminal(state):
        if game.to_move(state) == CHANCE:
            state = game.result(state, next(iter(game.actions(state))))
        if game.to_move(state) != CHANCE:
            names = [game.notation(state, action) for action in game.actions(state)]
            more = " …" if len(names) > MOVES_SHOWN else ""
            lines.append(f"Moves at the start: {' '.join(f'`{one}`' for one in names[:MOVES_SHOWN])}{more}")
    if game.has("position"):
        lines.append(f"Position at the start: `{game.position(game.initial())}`")
    else:
        lines.append("A position is written as the moves that lead to it.")
    if formats := [one.name.upper() for one in type(game).record_formats()]:
        lines.append(f"Records: JSON, {', '.join(formats)}")
    return "\n\n".join(lines)


def _search(game: Game) -> str:
    algorithm = algorithm_for(game)
    optional = [rule.name for rule in RULES if rule.optional and game.has(rule.name)]
    total = "differs" if game.total is None else f"{game.total:g}"
    rows = [
        ("players", f"{', '.join(game.player_name(player) for player in range(game.players))}"),
        ("chance", "yes" if game.stochastic else "no"),
        ("sum of all utilities", total),
        ("utility", f"{game.bounds[0]:g} to {game.bounds[1]:g}"),
        ("positions can repeat", "yes" if game.cycles else "no"),
        ("algorithm", f"[{algorithm}](../algorithms/{algorithm.removeprefix('book:')}.md)"),
        ("optional rules", " ".join(f"`{rule}`" for rule in optional) or "none"),
    ]
    if game.refinements:
        rows.append(("options", ", ".join(f"`{key}={value!r}`" for key, value in game.refinements.items())))
    if game.mcts_options:
        given = ", ".join(f"`{key}={value!r}`" for key, value in game.mcts_options.items())
        rows.append(("options of Monte Carlo tree search", given))
    if game.feature_names:
        rows.append(("features of the evaluation", ", ".join(game.feature_names)))
    return table(("fact", "here"), rows)


def _class(cls: type[Game]) -> str:
    return f"::: plies.{cls.__name__}\n    options:\n      heading_level: 3\n      members: false"


def _example(name: str, game: Game) -> str:
    """An example for a game that has none of its own: how it is made, and what it looks like."""
    shown = game.text(game.initial()).rstrip("\n")
    program = f"import plies\n\ngame = plies.game({name!r})\nprint(game.text(game.initial()))"
    return f"```python\n{program}\n```\n\n```text\n{shown}\n```".replace("'", '"')
