"""Levels, the terminal's boards and the Learn page: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

LEVELS, BOARD, LEARN = "tests/test_levels.py", "tests/test_terminal_board.py", "tests/test_web_learn.py"

OF_LEVELS = [
    plant("levels.py", "softmax", "/ temperature)", "* temperature)", LEVELS),
    plant("levels.py", "Level.takes_wins", "self.number > BLIND", "self.number >= BLIND", LEVELS),
    plant("levels.py", "levels_of", "if table.game == repr(game) else 0", "", LEVELS),
    plant("engine/level_search.py", "LevelSearch._explore", "search.clear()", "pass", LEVELS),
    plant("engine/level_search.py", "chosen", "level.takes_wins and ", "", LEVELS),
    plant("engine/level_search.py", "chance", "FADING**value.plies", "1.0", LEVELS),
    plant("engine/level_search.py", "chance", "seen - 0.5", "seen + 0.5", LEVELS),
    plant("tune/levels.py", "_next", "if not near < step < far:", "if False:", LEVELS),
    plant(
        "tune/levels.py",
        "LevelFitting.run",
        "self.place = _place(self.levels[-1])",
        "self.place += tried.step",
        LEVELS,
    ),
    plant("tune/levels.py", "LevelFitting._match", "resume=self.path is not None", "resume=False", LEVELS),
    plant("engine/level_search.py", "LevelSearch._explore", ", nodes=GLANCE", "", LEVELS),
    plant("terminal/board.py", "_marked", "return set(pieces) - ", "return set() and ", BOARD),
    plant("web/practice.py", "_numbers", 'if not several or ";" in text:', "if False:", LEARN),
    plant("web/whole_tree.py", "_grafted", "parent=above", "parent=parent", LEARN),
    plant("draw/outline.py", "outline", "for number in opened:", "for number in ():", LEARN),
]
