"""What is proved, in how many nodes, against an earlier checkout: python -m bench.proofs EARLIER_CHECKOUT.

The same positions are searched by both, each with a new engine. Of what the earlier one proved and is true,
it prints how much is still proved, and the nodes that takes in parts of those it took. Goals: 95 %, 1.1.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ORACLES = Path(os.environ.get("PLIES_ORACLES", ROOT.parent / "shared" / "oracles"))

MOST_NODES = 50_000
"""What a search may take. Both run interpreted: the nodes are the same, and nothing has to be compiled."""

Position = tuple[str, Any, Any, int, float | None]
"""A subject, a game, a state, a depth, and what the state is worth to the player to move; None: not known."""


def positions() -> Iterator[Position]:
    """All that is searched, the same with any checkout."""
    yield from _graphs()
    yield from _endings()
    yield from _small_boards()


def _graphs() -> Iterator[Position]:
    """Random graphs with cycles, under each worth of a repetition."""
    import graphs

    chance = random.Random("proofs")
    for _ in range(200):
        game = graphs.random_graph(graphs.Cycle, chance, 8, graphs.PLAIN)
        game.places = game.places * 0 + range(len(game.places))  # an earlier checkout knows no others
        game.mirror = game.mirror * 0 + range(len(game.mirror))
        truth = graphs.reference(game)
        for node in range(len(game.movers)):
            state = graphs.Spot(node, 0)
            if not game.is_terminal(state):
                yield "cyclic graphs", game, state, 12, truth(state, ())[0][game.to_move(state)]


def _endings() -> Iterator[Position]:
    """Mates in up to three moves, with few pieces."""
    import plies

    chess = plies.Chess()
    with (ORACLES / "chess" / "mates_checked.csv").open() as file:
        for row in csv.DictReader(file):
            pieces = sum(letter.isalpha() for letter in row["fen"].split()[0])
            mate = row["stockfish_mate"]
            if row["legal_position"] == "True" and mate in ("1", "2", "3") and pieces <= 14:
                yield "chess endings", chess, chess.parse_position(row["fen"]), 2 * int(mate) - 1, 1.0


def _small_boards() -> Iterator[Position]:
    """Positions of awari and go after some random moves, on small boards."""
    import graphs
    import plies

    chance = random.Random("boards")
    boards = [(plies.Awari(houses=2, seeds=1), 20, True)]
    boards += [(plies.Awari(houses=2, seeds=2, repetition=worth), 12, False) for worth in ("keep", "split")]
    boards += [(plies.Awari(houses=3, seeds=2), 10, False)]
    for komi in (-1, 0, 0.5):
        for columns, rows in ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2)):
            game = plies.Go(size=columns, rows=rows, komi=komi, margin=komi != 0)
            boards.append((game, 8, columns * rows < 3))
    for game, depth, is_known in boards:
        truth = graphs.reference(game)
        met = set()
        for _ in range(40):
            state = game.initial()
            for _ in range(chance.randrange(12)):
                after = game.result(state, chance.choice(list(game.actions(state))))
                state = state if game.is_terminal(after) else after
            if str(state) not in met:
                met.add(str(state))
                value = truth(state, ())[0][game.to_move(state)] if is_known else None
                yield f"{game.name} positions", game, state, depth, value


def alpha_beta() -> Any:
    """Alpha-beta of the library that is imported here, by its name before commit c730720 if it is older."""
    import plies.engine

    if hasattr(plies.engine, "AlphaBeta"):
        return plies.engine.AlphaBeta
    import graphs

    for old, new in (("repeated", "repetition_value"), ("quiet", "is_quiet"), ("skipped", "null_move")):
        setattr(graphs.Cycle, old, getattr(graphs.Cycle, new))
    plies.Game.repetition_value = lambda game, state, player: game.repeated(state, player)
    return plies.engine.Engine


def measure() -> list[dict[str, Any]]:
    """What the engine that is imported here proves of all positions."""
    from plies.engine import Limit

    engine = alpha_beta()
    found = []
    for subject, game, state, depth, truth in positions():
        result = engine(game, memory=1).search(state, Limit(depth=depth, nodes=MOST_NODES))
        value = result.value
        proved = value.proved and value.bound == "="
        one = {"subject": subject, "proved": proved, "truth": truth, "nodes": result.nodes}
        found.append({**one, "utility": value.utility, "position": f"{game!r} {state}"})
    return found


def is_true(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether what one checkout proved is so: by brute force, or unless the other proved something else.

    Earlier ones round utilities.
    """
    truth = one["truth"]
    if truth is None:
        truth = other["utility"] if other["proved"] else one["utility"]
    return bool(abs(one["utility"] - truth) < 1e-6)


def searched_by(source: Path) -> list[dict[str, Any]]:
    """What the library in a folder proves."""
    with tempfile.TemporaryDirectory() as cache:
        folders = [str(source), str(ROOT), str(ROOT / "tests")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders), "PLIES_CACHE_DIR": cache}
        environment["NUMBA_DISABLE_JIT"] = "1"
        command = [sys.executable, "-m", "bench.proofs", "--measure"]
        done = subprocess.run(command, cwd=cache, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"searching with {source} failed:\n{done.stderr}")
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found


def main() -> None:
    """Search with both, and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("earlier", nargs="?", type=Path, help="an earlier checkout")
    parser.add_argument("--measure", action="store_true", help="print what is proved here, as JSON")
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measure()))
        return
    if asked.earlier is None:
        parser.error("say where an earlier checkout is")
    before, now = searched_by(asked.earlier / "src"), searched_by(ROOT / "src")
    for subject in [*dict.fromkeys(one["subject"] for one in before), ""]:
        pairs = [pair for pair in zip(before, now, strict=True) if subject in ("", pair[0]["subject"])]
        true = [pair for pair in pairs if pair[0]["proved"] and is_true(*pair)]
        kept = [pair for pair in true if pair[1]["proved"]]
        false = [
            sum(pair[i]["proved"] and not is_true(pair[i], pair[1 - i]) for pair in pairs) for i in (0, 1)
        ]
        nodes = [sum(pair[i]["nodes"] for pair in kept) for i in (0, 1)]
        print(
            f"{subject or 'all':18} {len(pairs):5} searched, proved and true {len(true):5}, still proved "
            f"{len(kept) / max(len(true), 1):7.1%}, nodes {nodes[1] / max(nodes[0], 1):5.2f} times, "
            f"false proofs {false[0]} before, {false[1]} now, proved now {sum(p[1]['proved'] for p in pairs)}"
        )


if __name__ == "__main__":
    main()
