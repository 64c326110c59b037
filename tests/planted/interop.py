"""PettingZoo, Gymnasium and OpenSpiel: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

ENVIRONMENTS, SPIEL = "tests/test_interop_environments.py", "tests/test_interop_open_spiel.py"

OF_INTEROP = [
    plant("interop/indexed_play.py", "IndexedPlay._indexed", "index in found or", "", ENVIRONMENTS),
    plant(
        "interop/indexed_play.py",
        "IndexedPlay.let_chance_decide",
        "drawn < below",
        "drawn > below",
        ENVIRONMENTS,
    ),
    plant(
        "interop/indexed_play.py", "IndexedPlay.__deepcopy__", "self._history.copy()", "self._history", SPIEL
    ),
    plant("interop/observations.py", "Observer._unpacked", "reversed(planes)", "planes", ENVIRONMENTS),
    plant("interop/observations.py", "Observer._unpacked", "packed | self._top", "packed", ENVIRONMENTS),
    plant("interop/observations.py", "Observer._unpacked", "WORD * i", "(WORD + 1) * i", ENVIRONMENTS),
    plant(
        "interop/pettingzoo.py",
        "Environment.observe",
        "if agent == self.agent_selection else {}",
        "",
        ENVIRONMENTS,
    ),
    plant("interop/pettingzoo.py", "Environment.step", "self.game.bounds[0]", "0.0", ENVIRONMENTS),
    plant("interop/gymnasium.py", "Environment.step", "[self.player] if play", "[0] if play", ENVIRONMENTS),
    plant("interop/gymnasium.py", "Environment._opponents", "seat != self.player", "seat != 0", ENVIRONMENTS),
    plant("interop/open_spiel.py", "SpielState._legal_actions", "sorted(", "list(", SPIEL),
    plant("games/open_spiel.py", "OpenSpiel.parse_action", "name == wanted]", "False]", SPIEL),
    plant("games/open_spiel.py", "_reason", "IMPERFECT_INFORMATION", "ONE_SHOT", SPIEL),
    plant(
        "games/checkers_board.py",
        "_jumps",
        "left ^ over",
        "left",
        f"{ENVIRONMENTS}::test_every_play_of_backgammon_and_every_jump_of_checkers_has_an_index",
    ),
    plant(
        "games/backgammon_plays.py",
        "indices",
        "(3, 4)",
        "(4,)",
        f"{ENVIRONMENTS}::test_every_play_of_backgammon_and_every_jump_of_checkers_has_an_index",
    ),
    plant(
        "games/connect_four.py",
        "ConnectFour.action_index",
        "return column",
        "return 0",
        f"{ENVIRONMENTS}::test_gymnasium_makes_it_by_name",
    ),
    plant("check/learners.py", "check_indices", "< game.move_indices", "<= game.move_indices", ENVIRONMENTS),
]
