"""How strong Monte Carlo tree search plays go: a match against GNU Go over the Go Text Protocol.

`python -m bench.go_strength`; `--help` tells the options. Sides alternate; area scoring; when both have
passed, GNU Go says who has won, since it knows which stones are dead. A game ends before that when the search
has given itself next to no chance for three moves in a row, or next to every chance and GNU Go's estimate of
the score agrees.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from types import TracebackType
from typing import Any

import plies
from plies.history import History

GNU_GO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")

CLEAR = 0.9
"""The value from which a search counts as won, or with a minus as lost: a chance of nineteen in twenty."""

LONGEST = 300
"""The moves after which a game is ended as it stands."""


def main() -> None:
    """Read what is asked for, and play."""
    parser = argparse.ArgumentParser(prog="python -m bench.go_strength", description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--level", type=int, default=10, help="of GNU Go, 1 to 10")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--seconds", type=float, default=5.0, help="a move")
    parser.add_argument("--simulations", type=int, help="a move, in place of seconds")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", type=float, default=512, help="megabytes of the trees")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=NUMBER", help="of the simulations")
    given = parser.parse_args()
    if GNU_GO is None:
        sys.exit("bench: GNU Go is not installed (the Debian package gnugo)")
    game = plies.Go(size=given.size, komi=given.komi)
    changes = {name: float(value) for name, value in (option.split("=") for option in given.options)}
    options = plies.MctsOptions(**{**game.mcts_options, "early": True, **changes})
    engine = plies.MonteCarlo(
        game, memory=given.memory, threads=given.threads, seed=given.seed, options=options
    )
    limit = plies.Limit(time=None if given.simulations else given.seconds, nodes=given.simulations)
    won = 0
    for number in range(given.games):
        engine.clear()
        with GnuGo(given.level, given.size, given.komi, given.seed + number) as opponent:
            mine = number % 2
            winner, how = play(game, engine, opponent, mine, limit)
        won += winner == mine
        colour = game.player_name(mine)
        print(
            f"game {number + 1}: {'won' if winner == mine else 'lost'} as {colour} ({how}); "
            f"{won} of {number + 1} against level {given.level}",
            flush=True,
        )


class GnuGo:
    """GNU Go, which is spoken to in the Go Text Protocol."""

    def __init__(self, level: int, size: int, komi: float, seed: int) -> None:
        assert GNU_GO is not None
        command = [GNU_GO, "--mode", "gtp", "--chinese-rules", "--level", str(level), "--seed", str(seed)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.ask(f"boardsize {size}")
        self.ask("clear_board")
        self.ask(f"komi {komi}")

    def ask(self, command: str) -> str:
        """The answer to a command."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        lines: list[str] = []
        while not lines or lines[-1].strip():
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"bench: GNU Go ended at {command!r}")
            lines.append(line)
        answer = "".join(lines).strip()
        if not answer.startswith("="):
            sys.exit(f"bench: GNU Go refused {command!r}: {answer}")
        return answer[1:].strip()

    def __enter__(self) -> GnuGo:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()


def play(
    game: plies.Go, engine: plies.MonteCarlo, opponent: GnuGo, mine: int, limit: plies.Limit
) -> tuple[int, str]:
    """One game: who has won, and how."""
    history = History(game)
    hopeless = hopeful = 0
    while not history.over and len(history.actions) < LONGEST:
        player = game.to_move(history.state)
        colour = game.player_name(player)
        if player == mine:
            found = engine.search(history.state, limit, previous=history.previous)
            hopeless = hopeless + 1 if found.value.utility < -CLEAR else 0
            hopeful = hopeful + 1 if found.value.utility > CLEAR else 0
            if hopeless == 3:
                return 1 - mine, f"resigned after {len(history.actions)} moves"
            if hopeful >= 3 and (estimate := opponent.ask("estimate_score")).startswith(colour[0].upper()):
                return mine, f"GNU Go sees {estimate.split()[0]}, after {len(history.actions)} moves"
            action: Any = found.action
            opponent.ask(f"play {colour} {game.notation(history.state, action)}")
        else:
            move = opponent.ask(f"genmove {colour}")
            if move.lower() == "resign":
                return mine, f"GNU Go resigned after {len(history.actions)} moves"
            action = game.parse_action(history.state, move)
        history.play(action)
    score = opponent.ask("final_score")
    return (0 if score.startswith("B") else 1), f"{score} after {len(history.actions)} moves"


if __name__ == "__main__":
    main()
