"""Real clients of `plies engine`: python-chess, XBoard with Polyglot, and Sabaki's own library for GTP."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pytest

from programs import NODE, PROGRAM, UNTRACED, npm_package

CHESS = [*PROGRAM, "engine", "chess"]
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
XBOARD, POLYGLOT, XVFB = (shutil.which(name, path=PATH) for name in ("xboard", "polyglot", "Xvfb"))


# -- python-chess.


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(CHESS, timeout=120, env=UNTRACED) as found:
        yield found


@pytest.mark.costly
@pytest.mark.parametrize("start", ["4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1", "4k3/qq6/8/8/8/8/8/4K3 b - - 0 1"])
def test_python_chess_plays_whole_games_both_ways_with_a_clock(
    engine: chess.engine.SimpleEngine, start: str
) -> None:
    board = chess.Board(start)
    clocks = [3.0, 3.0]
    while not board.is_game_over():
        limit = chess.engine.Limit(white_clock=clocks[0], black_clock=clocks[1], white_inc=0.1, black_inc=0.1)
        result = engine.play(board, limit, info=chess.engine.INFO_ALL, game=start)
        assert result.move in board.legal_moves
        clocks[not board.turn] -= result.info.get("time", 0) - 0.1
        assert min(clocks) > 0
        board.push(result.move)
    assert board.is_checkmate()
    assert len(board.move_stack) < 20


@pytest.mark.costly
def test_python_chess_analyses_several_lines(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1")
    infos = engine.analyse(board, chess.engine.Limit(depth=3), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert infos[0]["pv"] == [chess.Move.from_uci("a1a8")]
    assert infos[0]["score"].white() == chess.engine.Mate(1)
    assert len({info["pv"][0] for info in infos}) == 3


@pytest.mark.costly
def test_python_chess_restricts_and_stops_a_search(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1")
    only = [chess.Move.from_uci("e1e2"), chess.Move.from_uci("h1h2")]
    assert engine.play(board, chess.engine.Limit(depth=2), root_moves=only).move in only
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 2:
                break
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves


@pytest.mark.costly
def test_python_chess_sees_the_options(engine: chess.engine.SimpleEngine) -> None:
    assert {"Hash", "Threads", "MultiPV", "Ponder", "UCI_ShowWDL"} <= set(engine.options)
    engine.configure({"Hash": 8, "UCI_ShowWDL": True})
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=2))
    assert sum(info["wdl"].white()) == 1000
    assert engine.id["name"].startswith("Plies")


# -- XBoard.


@pytest.mark.plain
@pytest.mark.skipif(not (XBOARD and POLYGLOT and XVFB), reason="needs xboard, polyglot and Xvfb")
def test_xboard_plays_a_match_by_way_of_polyglot(tmp_path: Path) -> None:
    assert XBOARD
    assert POLYGLOT
    assert XVFB
    wrapper = tmp_path / "plies-chess"
    words = " ".join(f"'{word}'" for word in CHESS)
    wrapper.write_text(f"#!/bin/sh\nexec {words}\n")
    wrapper.chmod(0o755)
    (tmp_path / "start.epd").write_text("4k3/8/8/8/8/8/QQ6/4K3 w - -\n")
    settings = tmp_path / "polyglot.ini"
    settings.write_text(
        f"[PolyGlot]\nEngineName = Plies\nEngineDir = {tmp_path}\nEngineCommand = ./plies-chess\n"
        f"Log = true\nLogFile = {tmp_path / 'polyglot.log'}\n[Engine]\nHash = 4\n"
    )
    record, display = tmp_path / "games.pgn", f":{200 + os.getpid() % 1000}"
    environment = {**UNTRACED, "NUMBA_DISABLE_JIT": "1", "HOME": str(tmp_path), "DISPLAY": display}
    screen = subprocess.Popen(
        [XVFB, display, "-screen", "0", "1024x768x8"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    command = f"{POLYGLOT} {settings}"
    try:
        done = subprocess.run(
            [
                *(XBOARD, "-fcp", command, "-scp", command, "-fd", str(tmp_path), "-sd", str(tmp_path)),
                *(
                    "-mg",
                    "1",
                    "-tc",
                    "0:05",
                    "-inc",
                    "1",
                    "-xponder",
                    "-noGUI",
                    "-lpf",
                    str(tmp_path / "start.epd"),
                ),
                *("-sgf", str(record), "-xexit", "-popupExitMessage", "false", "-popupMoveErrors", "false"),
            ],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            timeout=240,
        )
        log = (tmp_path / "polyglot.log").read_text(errors="replace")
        assert record.exists(), (done, log[-2000:])
        with record.open() as file:
            game = chess.pgn.read_game(file)
        assert game is not None
        assert game.headers["Result"] == "1-0", (game, log[-2000:])
        assert game.end().board().is_checkmate()
    finally:
        screen.terminate()
        screen.wait()


# -- Sabaki.

SABAKI = """
const {Controller} = require('@sabaki/gtp');
const [program, ...words] = process.argv.slice(2);
(async () => {
  const engine = new Controller(program, words);
  engine.start();
  const say = async (name, args = []) => {
    const {content, error} = await engine.sendCommand({name, args});
    console.log(`${name} ${args.join(' ')}: ${error ? '?' : '='} ${content.trim().split('\\n')[0]}`);
    return content;
  };
  await say('name');
  await say('boardsize', ['5']);
  await say('komi', ['0.5']);
  await say('play', ['B', 'C3']);
  for (const colour of ['W', 'B', 'W']) await say('genmove', [colour]);
  await say('play', ['B', 'Z1']);
  await say('undo');
  await engine.stop();
  console.log('stopped');
})();
"""


@pytest.fixture(scope="session")
def sabaki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with @sabaki/gtp in it."""
    folder = tmp_path_factory.mktemp("sabaki")
    npm_package(folder, "@sabaki/gtp@3")
    (folder / "client.js").write_text(SABAKI)
    return folder


@pytest.mark.plain
def test_sabaki_speaks_gtp_with_it(sabaki: Path) -> None:
    assert NODE
    words = [sys.executable, "-m", "plies", "engine", "go", "size=5", "--time", "0.2"]
    done = subprocess.run(
        [NODE, "client.js", *words],
        cwd=sabaki,
        env={**UNTRACED, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        timeout=120,
        check=True,
    )
    told = [line.rstrip() for line in done.stdout.decode().splitlines()]
    assert told[:4] == ["name : = Plies", "boardsize 5: =", "komi 0.5: =", "play B C3: ="]
    assert sum(line.startswith("genmove") and ": = " in line for line in told) == 3
    assert "play B Z1: ? illegal move" in told
    assert told[-1] == "stopped"
