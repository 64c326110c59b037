"""Plies as an engine: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

RESTRICTED, MOVES = "tests/test_searchmoves.py", "tests/test_protocol_moves.py"
UCI, GTP = "tests/test_engine_uci.py", "tests/test_engine_gtp.py"

OF_PROTOCOLS = [
    plant(
        "engine/driver.py", "Search._unrestricted", "value.utility >= self.game.bounds[1]", "True", RESTRICTED
    ),
    plant("engine/driver.py", "Search._unrestricted", "plies=None", "plies=value.plies", RESTRICTED),
    plant("engine/driver.py", "Search._restrict", "len(left) < len(job.actions)", "False", RESTRICTED),
    plant("engine/time_manager.py", "time_for_move", "else LARGEST_SHARE", "else 1.5", MOVES),
    plant(
        "engine/time_manager.py", "time_for_move", "clock.remaining - overhead)", "clock.remaining)", MOVES
    ),
    plant("protocols/moves.py", "Played.move_to", "self.history.undo()", "pass", MOVES),
    plant("protocols/moves.py", "Played.move_to", "start == self._start and ", "", MOVES),
    plant("protocols/moves.py", "played_on", "not history.reason", "history.reason", UCI),
    plant("protocols/info.py", "score_text", "(plies + 1) // 2", "plies // 2", UCI),
    plant("protocols/connection.py", "split_lines", "skipping or ", "", UCI),
    plant("protocols/gtp.py", "Engine._undo", "range(self.groups.pop())", "range(1)", GTP),
    plant("protocols/thinking.py", "Thought.run", "self._hit.wait()", "pass", UCI),
]
