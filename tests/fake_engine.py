"""A program that plays Tic-Tac-Toe by UGI and gomoku by GTP, and misbehaves as its arguments say.

    python fake_engine.py FOLDER [HOW]

It writes its process number to FOLDER/pids, and what it is told to FOLDER/told. It takes the first free cell.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

FOLDER, HOW = Path(sys.argv[1]), (sys.argv[2:] or ["fair"])[0]
COLUMNS = "ABCDEFGHJ"


def note(file: str, line: object) -> None:
    with (FOLDER / file).open("a") as notes:
        notes.write(f"{line}\n")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def misbehave(move: str) -> str:
    """What is done in place of a move, or the move that is played."""
    if HOW == "die":
        sys.stderr.write("this is fine\nout of \x1b[31mmemory\n")
        sys.exit(3)
    if HOW == "die once" and not (FOLDER / "died").exists():
        note("died", "yes")
        sys.exit(4)
    if HOW == "kill itself":
        os.kill(os.getpid(), signal.SIGKILL)
    if HOW == "hang":
        time.sleep(600)
    if HOW == "close":
        os.close(1)
        time.sleep(600)
    if HOW == "late":
        time.sleep(3)
    if HOW == "endless":
        while True:
            sys.stdout.write("x" * 1000)
    if HOW == "flood":
        while True:
            sys.stdout.write("info string again and again\n")
    if HOW == "noise":
        rng = random.Random(1)
        for _ in range(500):
            os.write(1, rng.randbytes(80) + b"\n")
        time.sleep(600)
    if HOW.startswith("play "):
        return HOW.removeprefix("play ")
    return {
        "cheat": "1",
        "control": "\x1b[2J\x1b]0;owned\x07",
        "none": "(none)",
        "long": "9" * 50_000,
        "nothing": "",
        "resign": "resign",
    }.get(HOW, move)


def play_ugi() -> None:
    taken: list[str] = []
    for line in sys.stdin:
        note("told", line.strip())
        word, *rest = line.split() or [""]
        if word == "ugi" and HOW != "silent":
            say("id name Fake\noption name Skill Level type spin default 5 min 0 max 20")
            say("option name Style type combo default calm var calm var very wild")
            say("option name Book type check default true\noption name Path type string default <empty>")
            say("ugiok")
        elif word == "isready":
            say("readyok")
        elif word == "position":
            taken = rest[rest.index("moves") + 1 :] if "moves" in rest else []
        elif word == "go":
            if "infinite" not in rest and HOW == "until stop":
                continue
            move = next(str(cell) for cell in range(1, 10) if str(cell) not in taken)
            for _ in range(2 if HOW == "twice" else 1):
                say(f"info depth 1 score cp 3 pv {move}\nbestmove {misbehave(move)}")
        elif word == "stop" and HOW == "until stop":
            say("bestmove 9")
        elif word == "quit" and HOW != "deaf":
            return
    if HOW == "deaf":
        time.sleep(600)


def play_gtp() -> None:
    taken: list[str] = []
    for line in sys.stdin:
        note("told", line.strip())
        word, *rest = line.split() or [""]
        answer = ""
        if word == "list_commands":
            answer = "play\ngenmove\ntime_settings\ntime_left\nboardsize\nclear_board"
        elif word == "boardsize" and HOW == "small":
            say("? unacceptable size\n")
            continue
        elif word == "clear_board":
            taken = []
        elif word == "play":
            taken.append(rest[1])
        elif word == "genmove":
            points = (f"{column}{row}" for row in range(1, 10) for column in COLUMNS)
            answer = misbehave(next(point for point in points if point not in taken))
            taken.append(answer)
        say(f"= {answer}\n")
        if word == "genmove" and HOW == "twice":
            say(f"= {answer}\n")
        if word == "quit":
            return


def main() -> None:
    note("pids", os.getpid())
    if HOW == "not at all":
        sys.exit("usage: fake_engine.py --help")
    if HOW == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if HOW == "fork":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        note("pids", child.pid)
    (play_gtp if "gtp" in sys.argv else play_ugi)()


main()
