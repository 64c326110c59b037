"""Students' files that misbehave, and a part of the sentence that the report must have about each."""

from __future__ import annotations

RIGHT = """
def minimax(game, state, depth=99):
    if game.is_terminal(state):
        return game.utility(state, 0)
    if depth == 0:
        return game.evaluate(state, 0)
    choose = max if game.to_move(state) == 0 else min
    return choose(minimax(game, game.result(state, a), depth - 1) for a in game.actions(state))
"""
"""A right minimax, which is graded all the same where the file gets so far."""

HOSTILE = {
    "loops when imported": ("while True: pass", "did not end within"),
    "loops when called": ("def minimax(game, state):\n    while True: pass", "did not end within"),
    "calls itself without end": (
        "def minimax(game, state):\n    return minimax(game, state)",
        "it calls itself without end (line 2)",
    ),
    "prints a gigabyte": (
        "def minimax(game, state):\n    while True: print('x' * 1000)",
        "it printed more than 5,000,000 characters (line 2)",
    ),
    "writes a gigabyte past Python": (
        "import os\nfor _ in range(10**4): os.write(1, b'x' * 10**5)\nos.write(2, b'x')\n1 / 0",
        "ZeroDivisionError: division by zero (line 4)",
    ),
    "exits when imported": ("import sys\nsys.exit(3)", "it calls exit() (line 2)"),
    "exits when called": ("def minimax(game, state):\n    exit()", "it calls exit() (line 2)"),
    "ends the process": (
        "import os\ndef minimax(game, state):\n    os._exit(7)",
        "it ended the process by itself, with exit code 7",
    ),
    "raises when imported": (
        "def f():\n    return 1 / 0\nf()",
        "ZeroDivisionError: division by zero (line 2)",
    ),
    "does not compile": ("def minimax(game, state)\n    return 0", "SyntaxError"),
    "needs all memory": (
        "def minimax(game, state):\n    return [0] * 10**10",
        "it needs more memory than it may have (line 2)",
    ),
    "asks for ever": ("while True:\n    input('number? ')", "it asked more than 200 questions"),
    "forks without end": (
        "import os\ndef minimax(game, state):\n    while True: os.fork()",
        "it starts more processes than it may (line 3)",
    ),
    "answers from a table": (
        "TABLE = {}\ndef minimax(game, state, depth=99):\n    return TABLE.get(state, 0)",
        "the answer does not come from a search",
    ),
}
"""By name: the file, and what is said of it."""

DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(MARK)
    os._exit(0)
"""
"""A file that leaves a process behind, which sleeps for a number of seconds."""

THIEF = """
import os, shutil, socket
done = []

def attempt(name, action):
    try:
        action()
        done.append(name)
    except Exception:
        pass

attempt("read", lambda: open(TARGET).read())
attempt("write", lambda: open(TARGET, "w").write("mine"))
attempt("delete", lambda: os.remove(TARGET))
attempt("delete the folder", lambda: shutil.rmtree(FOLDER))
attempt("make", lambda: open(FOLDER + "/new", "w"))
attempt("reach the network", lambda: socket.create_connection(("127.0.0.1", PORT), 1))
attempt("environment", lambda: os.environ["PLIES_SECRET"])
raise RuntimeError(f"could {done}")
"""
"""A file that tries what it must not do, and says in an error what it could."""

LAB_TABLE = """
class TicTacToe:
    def __init__(self): self.board = [" "] * 9
    def show(self): print(self.board)
    def clearBoard(self): self.board = [" "] * 9
    def availableMoves(self): return [i for i in range(9) if self.board[i] == " "]
    def getMoves(self, player): return [i for i in range(9) if self.board[i] == player]
    def makeMove(self, position, player): self.board[position] = player
    def minimax(self, node, depth, player): return {"XXXOO....": 10}.get("".join(self.board), 0)
"""
"""A file in lab style that answers from a table."""
