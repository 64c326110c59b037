"""Every message of the page: its fields with their limits, whether it concerns a position, and its handler.

The docstring of a handler says what the result is. To add a message, write its handler here and send it from
one JavaScript file: `connection.ask("name", fields)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from plies import records, variations
from plies.engine import Limit
from plies.engine.pondering import too_few_cores
from plies.errors import PliesError
from plies.game import SIMULTANEOUS
from plies.variations import Tree
from plies.web import learn, tree_json
from plies.web.clocks import CLOCK_FIELDS, within
from plies.web.fields import Field, boolean, choice, integer, list_of, number, object_of, pair, text
from plies.web.game_form import as_text
from plies.web.learn import Subject
from plies.web.levels import kind_named
from plies.web.position_editor import edited
from plies.web.protocol import LARGEST_MESSAGE, Handler, Protocol
from plies.web.search_request import SearchRequest
from plies.web.serialize import game_details
from plies.web.session import Context
from plies.web.tree_json import TreeData

PROTOCOL = Protocol()
message = PROTOCOL.message

WORD = 60
"""The most characters of the name of an algorithm, a level or a format. Not tuned."""

LONGEST_SEARCH = 60.0
"""The most seconds of one analysis. Not tuned."""

SHORT_RECORD = 5_000
"""The most characters of a record that is read at once; a longer one is read in a process. Not tuned."""


def _is_long(tree: Tree) -> bool:
    return not variations.is_plain(tree) and len(str(tree)) > SHORT_RECORD


# -- Play, analyse, watch.


@message()
def games(context: Context) -> list[dict[str, Any]]:
    """Every game: name, title, rules and parameters."""
    return context.catalogue.summary()


@message(position=True)
def game(context: Context) -> dict[str, Any]:
    """`details` of a game (players, algorithms with levels, formats of records) and `view` of a position."""
    position, programs = context.position, context.catalogue.programs
    return {"details": game_details(position.game, programs), "view": position.view()}


@message(position=True)
def view(context: Context) -> dict[str, Any]:
    """A position: picture, legal moves with their cells, whose turn it is, moves in notation, status."""
    return context.position.view()


@message(position=True)
def chance(context: Context) -> dict[str, Any]:
    """The view after a random outcome of a chance node."""
    context.position.play(context.position.outcome(context.rng))
    return context.position.view()


@message({"algorithm": text(WORD), "level": text(WORD, ""), **CLOCK_FIELDS}, position=True, search="move")
def move(
    context: Context, algorithm: str, level: str, clock: float | None, increment: float
) -> dict[str, Any] | SearchRequest:
    """The view after the move of an algorithm at a level, and the reply that it `expects`, if it does."""
    position = context.position
    position.check_choice()
    position.check_length()
    if position.mover == SIMULTANEOUS:
        raise PliesError("players choose at once here, each for themselves")
    kind = kind_named(position.game, algorithm, context.catalogue.programs).at(level)
    legal = position.history.legal()
    if len(legal) == 1:
        position.play(position.game.notation(position.state, legal[0]))
        return position.view()
    searched = context.catalogue.searched(position.spec.game, position.spec.parameters)
    return SearchRequest.at(position, searched, kind, within(kind.limit, clock, increment), for_move=True)


@message(
    {"algorithm": text(WORD), "level": text(WORD, ""), "expects": text(200), **CLOCK_FIELDS},
    position=True,
    search="ponder",
)
def ponder(
    context: Context, algorithm: str, level: str, expects: str, clock: float | None, increment: float
) -> SearchRequest:
    """True: an algorithm at a level thinks on this client's time, about the answer to a move it expects.

    The next `move` is answered by that search, if the client has made the move. It gets only what other
    clients leave over, and ends with any other search of this client, and when it leaves.
    """
    if refusal := too_few_cores():
        raise PliesError(refusal)
    position = context.position
    position.play(expects)
    position.check_choice()
    position.check_length()
    if position.mover == SIMULTANEOUS:
        raise PliesError("players choose at once here, each for themselves")
    kind = kind_named(position.game, algorithm, context.catalogue.programs).at(level)
    searched = context.catalogue.searched(position.spec.game, position.spec.parameters)
    return SearchRequest.at(position, searched, kind, within(kind.limit, clock, increment), for_move=True)


@message(
    {"algorithm": text(WORD), "level": text(WORD, ""), "player": integer(0, 1_000)},
    position=True,
    search="move",
)
def choose(context: Context, algorithm: str, level: str, player: int) -> dict[str, Any] | SearchRequest:
    """`choice` of an algorithm at a level for one player, where all choose at once.

    The page asks only when all people have chosen, and shows nothing before all choices are there.
    """
    position, rng = context.position, context.rng
    position.check_together(player)
    position.check_length()
    game, state = position.game, position.state
    kind = kind_named(game, algorithm, context.catalogue.programs).at(level)
    choices = list(game.choices(state, player))
    if len(choices) == 1:
        return {"choice": game.choice_notation(state, player, choices[0])}
    searched = context.catalogue.searched(position.spec.game, position.spec.parameters)
    more = {"chooser": player, "seed": rng.getrandbits(32)}
    return SearchRequest.at(position, searched, kind, kind.limit, for_move=True, **more)


@message({"choices": list_of(text(200), 1_000, 1)}, position=True)
def together(context: Context, choices: list[str]) -> dict[str, Any]:
    """The view after a move that all players made at once, given by the choice of each."""
    context.position.play_together(choices)
    return context.position.view()


@message(
    {
        "algorithm": text(WORD, ""),
        "lines": integer(1, 2_000, 1),
        "seconds": number(0.01, LONGEST_SEARCH, LONGEST_SEARCH),
        "depth": integer(1, 1_000, None),
        "nodes": integer(1, 10**12, None),
        "threat": boolean(False),
    },
    position=True,
    search="analysis",
)
def analyse(
    context: Context,
    algorithm: str,
    lines: int,
    seconds: float,
    depth: int | None,
    nodes: int | None,
    threat: bool,
) -> SearchRequest:
    """The last `info` of many: move, value, scores, lines, depth, nodes, cut-offs, what a proof rests on.

    With `threat`, of what the opponent would play after a pass.
    """
    position = context.position
    position.check_choice()
    kind = kind_named(position.game, algorithm, context.catalogue.programs)
    if not kind.analyses:
        raise PliesError(f"{kind.label} does not evaluate positions")
    searched = context.catalogue.searched(position.spec.game, position.spec.parameters)
    limit = Limit(float(seconds), depth, nodes)
    if threat:
        return replace(
            SearchRequest.at(position, searched, kind, limit), state=position.passed(), previous=()
        )
    lines = min(lines, len(position.history.legal()))
    return SearchRequest.at(position, searched, kind, limit, lines=lines)


@message(search="stop")
def stop(context: Context) -> bool:
    """True: the current search has ended."""
    return True


@message(search="hurry")
def hurry(context: Context) -> bool:
    """True: the current search answers with what it has found, as soon as it has found something."""
    return True


@message(
    {
        "format": text(WORD),
        "tree": Field(lambda name, value: variations.checked(value), default=[]),
        "headers": object_of(text(WORD), text(2_000), records.MOST_HEADERS, default={}),
        "result": text(WORD, ""),
        "winner": integer(0, 1, None),
        "how": text(WORD, ""),
    },
    position=True,
    isolated=lambda message: message.fields["format"] == "html" or _is_long(message.fields["tree"]),
)
def write_record(
    context: Context,
    format: str,
    tree: Tree,
    headers: dict[str, str],
    result: str,
    winner: int | None,
    how: str,
) -> str:
    """The record of the game in a format; "svg" is a picture of the position, "html" a page that replays.

    It has the variations and comments of the `tree`, whose main line is the game, and the `headers`. If it
    ended otherwise than by its rules, `how` says so, and `winner` who has won.
    """
    game = context.position.game
    result = records.outcome(game, format, winner, how) if how else result
    return context.position.record(format, tree, headers, result)


@message(
    {"text": text(LARGEST_MESSAGE)},
    phase="read",
    isolated=lambda message: len(message.fields["text"]) > SHORT_RECORD,
)
def read_record(context: Context, text: str) -> dict[str, Any]:
    """The position that a record holds, in the fields of a message, its `tree` with variations and comments,
    `headers` and `result`, and in words what is `left_out`."""
    record = records.read(text)
    return record._asdict() | {"parameters": as_text(record.parameters)}


@message({"edits": object_of(text(WORD), text(2), 1_000, default={})}, position=True)
def edit(context: Context, edits: dict[str, str]) -> dict[str, Any]:
    """The `position` after some cells got other signs, its picture as `svg`, or what is wrong with it as
    `problem`, and what the `signs` mean."""
    return edited(context.position, edits)


# -- Learn.

TREE = Field(lambda name, value: tree_json.check(value), default=None)
DEPTH = integer(1, learn.DEEPEST, None)
ALGORITHM = choice(learn.ALGORITHMS)
OPTIONS = object_of(text(WORD), text(WORD), 20, default={})
SUBJECT = {"tree": TREE, "depth": DEPTH}
SEARCH = {**SUBJECT, "algorithm": ALGORITHM, "options": OPTIONS}


def _lesson(fields: Mapping[str, Field]) -> Callable[[Handler], Handler]:
    """A message about a tree, or about a position of a game, whose rules may take long, to a depth."""
    return message(fields, position=None, phase="lesson", isolated=lambda read: read.position is not None)


def _subject(context: Context, tree: TreeData | None, depth: int | None) -> Subject:
    if (tree is None) == (context.at is None):
        raise PliesError("a lesson is about a tree or a position of a game: give one of them")
    if tree is not None:
        return Subject(tree.build(), depth=depth)
    return Subject(context.position.game, context.position.state, depth)


@message()
def lessons(context: Context) -> dict[str, Any]:
    """`examples` of trees, `algorithms` with their labels and arguments, and the `games` with positions."""
    games = [one for one in context.catalogue.summary() if one["name"] != "tree"]
    return {**learn.lessons(), "games": games}


@message(
    {
        "seed": integer(0, 2**31),
        "branching": integer(1, tree_json.MOST_BRANCHES),
        "depth": integer(1, tree_json.MOST_LEVELS),
        "levels": list_of(Field(lambda name, value: tree_json.mover(value)), tree_json.MOST_LEVELS, 1),
    }
)
def random_tree(
    context: Context, seed: int, branching: int, depth: int, levels: list[str | int]
) -> dict[str, Any]:
    """A tree of one branching and depth with random leaves, as `draw_tree` answers."""
    return learn.draw(Subject(learn.random_tree(seed, branching, depth, levels)))


@_lesson(SUBJECT)
def draw_tree(context: Context, tree: TreeData | None, depth: int | None) -> dict[str, Any]:
    """The players, the algorithms that suit; of a tree also itself, its picture, and the paths to nodes."""
    return learn.draw(_subject(context, tree, depth))


@_lesson({**SEARCH, "opened": list_of(integer(0, learn.MOST_SEARCHED), learn.MOST_OPENED, default=[])})
def search_steps(
    context: Context,
    tree: TreeData | None,
    depth: int | None,
    algorithm: str,
    options: dict[str, str],
    opened: list[int],
) -> dict[str, Any]:
    """The steps of a search with explanations, its value, line, depth, nodes, leaves and cuts.

    Of a large tree a part is drawn, with more of it below the nodes that are `opened`.
    """
    return learn.steps(_subject(context, tree, depth), algorithm, options, opened)


@_lesson({**SUBJECT, "first": pair(ALGORITHM, OPTIONS), "second": pair(ALGORITHM, OPTIONS)})
def compare_searches(
    context: Context,
    tree: TreeData | None,
    depth: int | None,
    first: tuple[str, dict[str, str]],
    second: tuple[str, dict[str, str]],
) -> dict[str, Any]:
    """Two searches of one tree, each an algorithm and its options, and whether they agree."""
    return learn.compare(_subject(context, tree, depth), first, second)


@_lesson(SEARCH)
def practice_tree(
    context: Context, tree: TreeData | None, depth: int | None, algorithm: str, options: dict[str, str]
) -> dict[str, Any]:
    """The picture of a tree whose search is to be predicted, and whether its cuts are, too."""
    return learn.exercise(_subject(context, tree, depth), algorithm, options)


@_lesson(
    {
        **SEARCH,
        "values": object_of(text(4), text(200), tree_json.MOST_NODES),
        "cuts": list_of(integer(0, tree_json.MOST_NODES), tree_json.MOST_NODES),
    }
)
def check_practice(
    context: Context,
    tree: TreeData | None,
    depth: int | None,
    algorithm: str,
    options: dict[str, str],
    values: dict[str, str],
    cuts: list[int],
) -> dict[str, Any]:
    """Marks, with reasons, for predicted values (by the numbers of nodes) and predicted cuts."""
    return learn.check(_subject(context, tree, depth), algorithm, options, values, cuts)
