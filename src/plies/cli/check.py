"""`plies check`: do the rules of a game hold together?"""

from __future__ import annotations

from typing import Annotated

import typer

from plies.cli.arguments import GameName, Parameters, game_of
from plies.cli.program import command


@command
def check(
    name: GameName,
    parameters: Parameters = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="Number of random games.")] = 50,
    seed: Annotated[int, typer.Option(help="Seed for the random games.")] = 0,
) -> None:
    """Check the rules of a game by playing at random.

    Reports broken rules, rules that do not compile, statistics of the games, and
    which search suits the game. The exit code is 1 if a rule is broken.
    """
    from plies.check import check_game
    from plies.terminal.advice import advice_text
    from plies.terminal.screen import Screen

    screen = Screen()

    def show(played: int, games: int) -> None:
        screen.passing(f"{screen.bar(played / games)} {played} of {games} random games (Ctrl-C stops)")

    game = game_of(name, parameters or [])
    try:
        report = check_game(game, games=games, seed=seed, progress=show)
    finally:
        screen.passing()
    print(report)
    if report.problems:
        raise typer.Exit(1)
    for line in advice_text(game):
        print(f"  {line}")
