"""Other programs as players: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

PROGRAMS = "tests/test_external_players.py"

OF_PROGRAMS = [
    plant(
        "protocols/player.py",
        "ExternalPlayer._ask",
        "if action not in legal_actions(game, state, previous):",
        "if False:",
        PROGRAMS,
    ),
    plant("protocols/player.py", "_Idle.get", " and clients[0].program.alive", "", PROGRAMS),
    plant(
        "protocols/player.py",
        "line_through",
        "history.states != list(states[: len(history.states)])",
        "False",
        PROGRAMS,
    ),
    plant("protocols/process.py", "Program.answer", "if gone:", "if False:", PROGRAMS),
    plant("protocols/process.py", "printable", "if sign.isprintable() else", "if sign else", PROGRAMS),
    plant("protocols/process.py", "Program._split", "if len(partial) > LONGEST_LINE:", "if False:", PROGRAMS),
    plant("protocols/gtp_client.py", "GtpClient._follow", "!= self._told", "== ()", PROGRAMS),
    plant(
        "protocols/uci_client.py",
        "UciClient._set",
        "if expected := _expected(option, value):",
        "if expected := '':",
        PROGRAMS,
    ),
    plant("protocols/words.py", "parse_external", "while len(parts) > 1 and", "while parts and", PROGRAMS),
    plant("web/levels.py", "kinds", "if program.serves(game):", "if program:", PROGRAMS),
    plant("history.py", "History.previous", "self._before + self.states[:-1]", "self._before[:]", PROGRAMS),
]
