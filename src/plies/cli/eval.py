"""`plies eval`: the evaluation of a position, feature by feature, and how good it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from plies.cli.arguments import GameName, Json, NetworkFile, Plain, Words, game_and_state
from plies.cli.program import Command, app
from plies.errors import BadParameter
from plies.game import Game, State


@app.command("eval", cls=Command)
def evaluate(
    name: GameName,
    words: Words = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME|NUMBER", help="For whom, counted from 1 (default: the player to move)."),
    ] = None,
    actions: Annotated[
        bool,
        typer.Option("--actions", help="Evaluate every action, too, as a reflex player does."),
    ] = False,
    evaluation: Annotated[
        str | None,
        typer.Option(
            "--evaluate",
            metavar="rollouts[:PLAYOUTS]|FILE.npz|FILE.py:FUNCTION",
            help="Another evaluation: random playouts, what plies train saved, or a function of your own.",
        ),
    ] = None,
    network: NetworkFile = None,
    judge: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Judge it on this many positions, by searches from each."),
    ] = None,
    by: Annotated[
        str, typer.Option(metavar="PLAYER", help="With --judge: who plays the games they are sampled from.")
    ] = "random",
    depth: Annotated[
        int | None, typer.Option(metavar="PLIES", help="With --judge: depth limit of each search.")
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="With --judge: node limit of each search (default: 20,000)."),
    ] = None,
    seed: Annotated[int, typer.Option(help="With --judge or --network: seed of the sample.")] = 0,
    as_json: Json = False,
    plain: Plain = False,
) -> None:
    """Show the evaluation of a position: features, weights and shares.

    With --network, say what the position, and each kind of piece, is worth to it.
    With --judge, say how good the evaluation is: its rank correlation with proved
    or deeper values, its calibration, and what a call costs. Ctrl-C ends that with
    the positions so far.
    """
    from plies.book import Evaluation
    from plies.book.arguments import ARGUMENTS
    from plies.evaluation import Judgement, explain_evaluation, judge_evaluation, load_evaluation
    from plies.registry import function
    from plies.terminal.screen import Screen

    game, state = game_and_state(name, words or [])
    if network is not None and judge is None:
        _show_network(game, state, network, seed, as_json)
        return
    given: Evaluation | str | None = None
    if network is not None or (evaluation or "").endswith(".npz"):
        game, given = load_evaluation(game, network or Path(str(evaluation)))
    elif evaluation is not None:
        given = ARGUMENTS["evaluate"].read(evaluation, function)
    if judge is None:
        whom = None if player is None else _player(player, [game.player_name(n) for n in range(game.players)])
        shown = explain_evaluation(game, state, player=whom, evaluate=given, actions=actions)
        print(json.dumps(shown.to_dict()) if as_json else shown)
        return
    if player is not None or actions:
        raise BadParameter("--judge is for whoever is to move: leave out --player and --actions")
    screen = Screen(plain or as_json)

    def tell(result: Judgement) -> None:
        share = len(result.samples) / result.planned
        screen.passing(f"{screen.bar(share)} {len(result.samples):,} of {result.planned:,} (Ctrl-C stops)")

    try:
        given_too: dict[str, Any] = {"depth": depth, "nodes": nodes, "by": by, "tell": tell}
        result = judge_evaluation(game, state, positions=judge, seed=seed, evaluate=given, **given_too)
    finally:
        screen.passing()
    print(json.dumps(result.to_dict()) if as_json else result)


def _show_network(game: Game, state: State, file: Path, seed: int, as_json: bool) -> None:
    """Print the value of a position by a network, and what the bits of its planes are worth to it."""
    from plies.evaluation.network_worth import worth_to_network
    from plies.network import load_network

    shown = worth_to_network(game, load_network(file), state, seed=seed)
    print(json.dumps(shown.to_dict()) if as_json else shown)


def _player(text: str, names: list[str]) -> int:
    """The number of a player, from 0, by name or by number from 1."""
    folded = [name.casefold() for name in names]
    if text.strip().casefold() in folded:
        return folded.index(text.strip().casefold())
    if text.strip().isdecimal() and 1 <= int(text) <= len(names):
        return int(text) - 1
    raise BadParameter(f"--player must be 1 to {len(names)} or one of {', '.join(names)}, not {text[:40]!r}")
