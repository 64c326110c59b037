"""The program `plies`: play, analyse and check games from the command line."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from traceback import extract_tb
from typing import Annotated, Any

import typer

from plies.errors import BadParameter, PliesError
from plies.game import Game, State
from plies.registry import game as make_game
from plies.registry import game_class, game_names, parse_parameters

# What searches, traces and plays is imported by the commands that do: help and lists should be quick.

ABOUT = """\
Plies: games as search problems.

  plies games                           the games there are
  plies games nim                       the rules of one of them
  plies play tic-tac-toe                play against the machine
  plies play connect-four width=5       on a board of your own
  plies play nim --players human,minimax:6
  plies watch pacman --players reflex,random,random
  plies serve                           play and analyse in a browser
  plies best connect-four 4453          the best move in a position
  plies solve kalah houses=3 seeds=3    what a position is worth, proved
  plies compare tic-tac-toe --depth 6   the same value, with how many nodes
  plies match nim minimax:2 random      who is stronger, and by how much
  plies train othello                   learn to evaluate by self-play
  plies trace tree --algorithm minimax  every step of a search, as a tree
  plies trace tree --html steps.html    the same to go through in a browser
  plies draw chess --legal -o b.svg     a picture of a position
  plies check my_game.py:MyGame         are the rules of my game sound?

A game of your own, path/to/file.py:ClassName, works wherever the name of a
game does. plies COMMAND --help tells more about a command.
"""

app = typer.Typer(
    name="plies",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game's name, or path/to/file.py:ClassName.", show_default=False),
]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION|PARAM=VALUE",
        help="The position (the start, unless given) and the game's parameters.",
        show_default=False,
    ),
]
Parameters = Annotated[
    list[str] | None,
    typer.Argument(metavar="PARAM=VALUE", help="The game's parameters.", show_default=False),
]
Plain = Annotated[
    bool, typer.Option("--plain", help="No colour, boxes or moving lines. So it is, too, in a pipe.")
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]
Position = Annotated[str, typer.Option(metavar="POSITION", help="Where to begin.", show_default=False)]
PlotFile = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE.svg",
        help="Draw it as a plot (needs Matplotlib: pip install 'plies[plots]').",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None, typer.Option(help="Make dice and random players repeatable.", show_default=False)
]


@app.callback(invoke_without_command=True)
def plies(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Games as search problems: play, analyse and check them."""
    if show_version:
        print(f"plies {version('plies')}")
    elif context.invoked_subcommand is None:
        print(ABOUT, end="")


@app.command()
def games(
    name: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game to tell about.", show_default=False)
    ] = None,
    plain: Plain = False,
) -> None:
    """List the games, or tell the rules and parameters of one."""
    from plies.terminal.catalogue import show_game, show_games
    from plies.terminal.screen import Screen

    if name is None:
        show_games(Screen(plain))
    else:
        show_game(Screen(plain), _known(name))


@app.command()
def play(
    name: GameName,
    parameters: Parameters = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER,...",
            help="Who plays, the first player first: human, random[:seed], reflex[:seed], "
            "engine[:seconds], engine:depth=PLIES, engine:nodes=NUMBER, expectimax:ROUNDS[:POLICY], a policy "
            "such as greedy, or an algorithm with its depth, such as minimax:4 or alpha-beta:6. Seats left "
            "over go to the engine. Unless given: you against the engine; without a keyboard, the engine "
            "alone.",
            show_default=False,
        ),
    ] = None,
    position: Position = "",
    seed: Seed = None,
    plain: Plain = False,
) -> None:
    """Play a game: people, the engine and algorithms on any side."""
    from plies.players import parse_players
    from plies.terminal.screen import Screen
    from plies.terminal.session import Session

    if players is None:
        players = "human" if sys.stdin.isatty() else "engine"
    game = _game(name, parameters or [])
    game.parse_position(position) if position else game.initial()  # refused before anybody is asked
    Session(game, parse_players(players, game, seed), Screen(plain), position=position, seed=seed).run()


@app.command()
def watch(
    name: GameName,
    parameters: Parameters = None,
    players: Annotated[
        str,
        typer.Option(
            metavar="PLAYER,...",
            help="Who plays, the first player first, as in plies play, but nobody human. Seats left over "
            "go to the engine.",
        ),
    ] = "engine",
    delay: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long each position is shown at least.")
    ] = 0.3,
    position: Position = "",
    seed: Seed = None,
    plain: Plain = False,
) -> None:
    """Watch a game between players, as an animation.

    In a pipe, and with --plain, the positions follow each other at once.
    """
    from plies.players import parse_players
    from plies.terminal.screen import Screen
    from plies.terminal.watch import Watch

    game = _game(name, parameters or [])
    game.parse_position(position) if position else game.initial()  # refused before anybody thinks
    seated = parse_players(players, game, seed)
    Watch(game, seated, Screen(plain), delay=delay, position=position, seed=seed).run()


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; other machines reach 0.0.0.0.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="NUMBER", help="The port; 0 is any that is free.", min=0, max=65535)
    ] = 8000,
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE.py:CLASS",
            help="A game of your own; may be given several times.",
            show_default=False,
        ),
    ] = None,
    show: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open",
            help="Open a browser: so it is at a terminal, unless told.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = None,
) -> None:
    """Play, analyse, watch and learn in a browser, on a page of your own.

    Nothing leaves this machine. Ctrl-C ends it.
    """
    try:
        from plies.web.serve import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "websockets", "anyio"):
            raise
        raise PliesError("the page needs Starlette and uvicorn: pip install 'plies[web]'") from None
    show = sys.stdout.isatty() if show is None else show
    run(host, port, game or [], show=show, say=lambda words: print(words, flush=True), seed=seed)


@app.command()
def best(
    name: GameName,
    words: Words = None,
    time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="How long to search: 1, if nothing else limits it.", show_default=False
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(metavar="PLIES", help="How deep to search.", show_default=False)
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="How many nodes to search; for mcts, simulations.", show_default=False
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="alpha-beta, expectiminimax, max-n, paranoid, depth-first, mcts or flat. Unless given: what "
            "suits the game.",
            show_default=False,
        ),
    ] = None,
    plot: PlotFile = None,
    as_json: Json = False,
) -> None:
    """Find the best move in a position, and what it is worth.

    A plot shows value, nodes and effective branching factor by depth.
    """
    from plies.engine import search
    from plies.terminal.findings import found_json, found_text

    if time is not None:
        _thought(time)
    game, state = _game_and_state(name, words or [])
    limits: dict[str, Any] = {"algorithm": algorithm, "time": time, "depth": depth, "nodes": nodes}
    if plot is None:
        found = search(game, state, **limits)
    else:
        from plies.draw import plots
        from plies.engine.ask import infos

        plots.checked(plot)
        told = list(infos(game, state, **limits))
        found = told[-1]
        plots.depths(told).save(plot)
    print(json.dumps(found_json(game, state, found)) if as_json else found_text(game, state, found))


@app.command()
def compare(
    name: GameName,
    words: Words = None,
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="PLIES", help="How deep to search; unless given, to the end.", show_default=False
        ),
    ] = None,
    algorithms: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Those of plies trace, and engine. Unless given: what suits the game.",
            show_default=False,
        ),
    ] = "",
    limit: Annotated[
        int, typer.Option(metavar="NODES", help="After how many nodes an algorithm gives up.")
    ] = 1_000_000,
    as_json: Json = False,
) -> None:
    """Compare algorithms on a position: do they say the same, and what does it take them?

    Those of the book run interpreted; the engine as machine code, if the game
    compiles.
    """
    from plies.comparison import compare as run

    game, state = _game_and_state(name, words or [])
    chosen = [word.strip() for word in algorithms.split(",") if word.strip()]
    result = run(game, state, depth=depth, algorithms=chosen, limit=limit)
    print(json.dumps(result.data()) if as_json else result)


@app.command()
def solve(
    name: GameName,
    words: Words = None,
    distance: Annotated[
        bool, typer.Option("--distance", help="Prove, too, how soon the game ends if both play their best.")
    ] = False,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long to search.", show_default=False)
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="How many nodes to search.", show_default=False)
    ] = None,
    memory: Annotated[float, typer.Option(metavar="MB", help="The size of the table in megabytes.")] = 256,
    strategy: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a strategy for the player to move, an answer to every reply.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove what a position is worth, to the end of the game.

    If a limit or Ctrl-C ends it early, bounds of the value are what is known.
    """
    from plies.engine.solve import solve as run
    from plies.terminal.findings import solution_json, solution_text

    if strategy is not None and not strategy.parent.is_dir():  # before anybody waits for it
        raise PliesError(f"{str(strategy)!r} cannot be written: there is no folder {str(strategy.parent)!r}")
    game, state = _game_and_state(name, words or [])
    solution = run(game, state, distance=distance, time=time, nodes=nodes, memory=memory)
    print(json.dumps(solution_json(game, solution)) if as_json else solution_text(game, solution), flush=True)
    if strategy is not None:
        solution.strategy().save(strategy)


@app.command()
def match(
    name: GameName,
    first: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER",
            help="random, engine:SECONDS, engine:depth=PLIES, engine:nodes=NUMBER, mcts:SECONDS, "
            "mcts:simulations=NUMBER, or an algorithm with its depth, such as minimax:4.",
            show_default=False,
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="Against whom.", show_default=False)],
    parameters: Parameters = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="How many games to play.")] = 20,
    openings: Annotated[
        int, typer.Option(metavar="MOVES", help="How many random moves a game begins with.")
    ] = 4,
    seed: Annotated[int, typer.Option(help="Which openings, dice and random players.")] = 0,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write each game to a file, as a line of JSON, once it is over.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the match in the file to save to.")
    ] = False,
    plot: PlotFile = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Let two players play a match, and tell who is stronger and by how much.

    They exchange sides after each game; each opening is played twice. Ctrl-C
    ends the match with the games played so far.
    """
    from plies.arena import match as run
    from plies.terminal.results import Progress, match_json, match_text
    from plies.terminal.screen import Screen

    game = _game(name, parameters or [])
    if plot is not None:
        from plies.draw import plots

        plots.checked(plot)  # refused before anybody plays
    progress = Progress(Screen(plain or as_json))
    result = run(
        game,
        first,
        second,
        games=games,
        openings=openings,
        seed=seed,
        save=save,
        resume=resume,
        tell=progress,
    )
    progress.end()
    described = match_json if as_json else match_text
    text = described(game, result, openings)
    print(json.dumps(text) if as_json else text, flush=True)
    if plot is not None:
        plots.matches(result, game.name).save(plot)


@app.command()
def train(
    name: GameName,
    parameters: Parameters = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="How many games to play in all.")] = 10_000,
    hidden: Annotated[
        int | None,
        typer.Option(
            metavar="UNITS",
            help="Learn a network with so many hidden units; unless given, weights of the game's features.",
            show_default=False,
        ),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="The network to begin with.", show_default=False),
    ] = None,
    depth: Annotated[
        int, typer.Option(metavar="PLIES", help="How deep to search, where weights are learned (TD-leaf).")
    ] = 1,
    rate: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help="How fast to learn, at first: 0.1 for a network, else 0.01.",
            show_default=False,
        ),
    ] = None,
    lambda_: Annotated[
        float, typer.Option("--lambda", metavar="NUMBER", help="How far back a surprise reaches, 0 to 1.")
    ] = 0.7,
    random_moves: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help="How often to try a random move, 0 to 1: unless given, 0 with dice, else 0.05.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Which games.")] = 0,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz", help="Write checkpoints here, and in the end the result.", show_default=False
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in the file to save to.")
    ] = False,
    curve: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg",
            help="Draw how the strength grew (needs Matplotlib: pip install 'plies[plots]').",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Learn by self-play what positions are worth, by temporal differences.

    A run that was killed or stopped goes on with --resume and ends as if it
    had not been.
    """
    from plies.terminal.screen import Screen
    from plies.terminal.training import Lesson

    game = _game(name, parameters or [])
    lesson = Lesson(Screen(plain or as_json), save, curve)
    lesson.prepare(
        game,
        resume,
        games=games,
        hidden=hidden,
        start=start,
        depth=depth,
        rate=rate,
        lambda_=lambda_,
        random_moves=random_moves,
        seed=seed,
    )
    print(lesson.run(as_json))


@app.command()
def trace(
    name: GameName,
    words: Words = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="minimax, alpha-beta, sampled, expectiminimax, max-n, opponents, paranoid, and-or or "
            "depth-first. Unless given: what suits the game.",
            show_default=False,
        ),
    ] = None,
    depth: Annotated[int, typer.Option(metavar="PLIES", help="How deep to search.")] = 3,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="ALPHA,BETA", help="The window at the root, for alpha-beta.", show_default=False
        ),
    ] = None,
    cut_on_equal: Annotated[
        bool | None,
        typer.Option(
            help="Whether alpha-beta cuts when a value equals the bound, as it does unless told.",
            show_default=False,
        ),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="How many actions of each position sampled draws: 2, unless given.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Which actions sampled draws: 0, unless given.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(metavar="NODES", help="How many nodes a trace may have.")] = 10_000,
    as_json: Json = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write to.", show_default=False)
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="Draw the tree in a picture.", show_default=False),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html", help="Write a page that goes through the steps.", show_default=False
        ),
    ] = None,
    frames: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Draw each step in a picture of its own.", show_default=False),
    ] = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw boards in the nodes of pictures.")] = False,
) -> None:
    """Show every step of a search as a tree.

    It has values, windows, the branches cut and why, and counters. A tree of your
    own is a JSON file: plies trace tree tree=my.json
    """
    from plies.book import trace as run
    from plies.players import suited_algorithm

    game, state = _game_and_state(name, words or [])
    given = {"cut_on_equal": cut_on_equal, "width": width, "seed": seed}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if window is not None:
        options["alpha"], options["beta"] = _window(window)
    algorithm = algorithm.strip().lower() if algorithm else suited_algorithm(game)
    if algorithm in ("minimax", "alpha-beta", "sampled", "expectiminimax"):
        options["player"] = 0  # MAX is the first player wherever a search begins, as on the slides
    steps = run(game, state, algorithm=algorithm, depth=depth, limit=limit, **options)
    drawn = svg or html or frames
    if boards and not drawn:
        raise BadParameter("--boards is for pictures: give --svg, --html or --frames as well")
    if drawn:
        from plies.terminal.pictures import write_pictures

        told = list(write_pictures(steps, svg, html, frames, game if boards else None))
        if output is None and not as_json:
            print("\n".join(told))
            return
    text = steps.to_json() if as_json else str(steps)
    if output is None:
        print(text)
        return
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise PliesError(f"{str(output)!r} cannot be written: {getattr(error, 'strerror', error)}") from None


@app.command()
def draw(
    name: GameName,
    words: Words = None,
    last: Annotated[
        str | None,
        typer.Option(metavar="MOVE", help="Make this move, and mark it as the last.", show_default=False),
    ] = None,
    legal: Annotated[bool, typer.Option("--legal", help="Mark the legal moves.")] = False,
    arrows: Annotated[
        list[str] | None,
        typer.Option(
            "--arrow",
            metavar="MOVE",
            help="Draw an arrow for a move; any number of times.",
            show_default=False,
        ),
    ] = None,
    scores: Annotated[
        bool, typer.Option("--scores", help="Search, and write on every move what it is worth.")
    ] = False,
    time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="How long to search for scores: 1.", show_default=False),
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(metavar="PIXELS", help="How long the longer side is: 400.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.svg", help="The file to write to.", show_default=False),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the game in a record: JSON, PGN, SGF or PDN.", show_default=False
        ),
    ] = None,
) -> None:
    """Draw a position as a picture in SVG.

    In scores, W5 is a win in 5 plies, L a loss and D a draw, all proved; numbers
    are estimates. With --record, where that game has come to is drawn, or all of
    it, if the file to write to ends in .html.
    """
    from plies.draw import replay
    from plies.history import History
    from plies.terminal.boards import check_output, draw_position, read_history

    if time is not None and not scores:
        raise BadParameter("--time is for the search for scores: give --scores as well")
    if record is not None and any("=" not in word for word in words or []):
        raise BadParameter("give either a position or --record, not both")
    if output is not None:
        check_output(output, whole=record is not None)
    seconds = _thought(1 if time is None else time) if scores else None
    game, state = _game_and_state(name, words or [])
    history = read_history(record, game) if record is not None else History(game, state)
    if output is not None and output.suffix.lower() == ".html":
        replay(history, size=size).save(output)
        return
    picture = draw_position(history, move=last, arrows=arrows or (), legal=legal, seconds=seconds, size=size)
    if output is None:
        print(picture)
    else:
        picture.save(output)


@app.command()
def check(
    name: GameName,
    parameters: Parameters = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="How many random games to play.")] = 50,
    seed: Annotated[int, typer.Option(help="Which random games.")] = 0,
) -> None:
    """Play random games, and report broken rules.

    The exit code is 1 if there are any.
    """
    from plies.check import check_game

    report = check_game(_game(name, parameters or []), games=games, seed=seed)
    print(report)
    if report.problems:
        raise typer.Exit(1)


# -- Games and positions as people type them.


def _known(name: str) -> str:
    """The name of a game as the registry knows it: case, spaces, - and _ are forgiven."""
    name = name.strip()
    if re.search(r"\.py(:|$)", name):
        return name
    wanted = re.sub(r"[\s_-]+", "", name).casefold()
    return next((known for known in game_names() if known.replace("-", "") == wanted), name)


def _game(name: str, words: list[str]) -> Game:
    name = _known(name)
    parameters = parse_parameters(game_class(name), [word.strip() for word in words])
    return make_game(name, **parameters)


def _game_and_state(name: str, words: list[str]) -> tuple[Game, State]:
    """The game and the position in words that are either the game's parameters or part of the position."""
    game = _game(name, [word for word in words if "=" in word])
    position = " ".join(word for word in words if "=" not in word).strip()
    return game, game.parse_position(position) if position else game.initial()


def _thought(seconds: float) -> float:
    """How long to search, if that can be."""
    from plies.players import LONGEST_THOUGHT

    if not 0 < seconds <= LONGEST_THOUGHT:
        raise BadParameter(f"--time is more than 0 and up to {LONGEST_THOUGHT:,.0f} seconds, not {seconds:g}")
    return seconds


def _window(text: str) -> tuple[float, float]:
    try:
        alpha, beta = (float(word) for word in text.split(","))
    except ValueError:
        raise BadParameter(f"--window is two numbers, such as -1,1 or -inf,0, not {text!r}") from None
    return alpha, beta


# -- Beginning and end.


def main() -> None:
    """Run the program; whatever goes wrong is one sentence and an exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure:  # what cannot be read or written in this encoding is no reason to stop
            reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run the program with these arguments; returns its exit code."""
    try:
        return int(app(arguments, prog_name="plies", standalone_mode=False) or 0)
    except BrokenPipeError:
        raise
    except SystemExit:  # how Typer ends when whoever read our output has had enough
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except PliesError as error:
        return _refuse(str(error))
    except Exception as error:
        message = getattr(error, "format_message", None)  # Typer's errors: words that are not understood
        return _refuse(f"{message().rstrip('.')}; try plies --help" if message else _described(error))


def _described(error: Exception) -> str:
    """An error that nobody foresaw, such as one in the rules of a user's game, and the line it comes from."""
    frames = extract_tb(error.__traceback__)
    here = str(Path(__file__).parent)
    frame = next((frame for frame in reversed(frames) if not frame.filename.startswith(here)), frames[-1])
    return f"{type(error).__name__}: {error} ({frame.filename}, line {frame.lineno})"


def _refuse(sentence: str) -> int:
    print(f"plies: {' '.join(sentence.split())}", file=sys.stderr)
    return 2
