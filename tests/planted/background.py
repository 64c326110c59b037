"""Searches that begin interpreted, and the compiler behind them: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

READY = "tests/test_ready_at_once.py::test_"
BEHIND = "tests/test_compiled_in_background.py::test_"

EVERY = f"{READY}every_search_begins_interpreted_and_goes_on_compiled"
TIMED = f"{READY}with_a_time_as_well_it_does_not_wait_and_ends_at_its_depth"
CRASHED = f"{BEHIND}a_compiler_that_crashes_is_harmless_and_not_tried_again"

OF_THE_BACKGROUND = [
    plant(
        "engine/driver.py",
        "Driver._get_ready",
        "if exact or",
        "if",
        f"{READY}a_search_limited_by_depth_or_nodes_waits",
    ),
    plant("engine/driver.py", "Driver._get_ready", "job.limit.time is None and", "", TIMED),
    plant("engine/driver.py", "Driver._work", "reached > known", "reached >= known", EVERY),
    plant(
        "engine/driver.py",
        "Driver._stages",
        "if compilation is None or self._is_over(job):",
        "if compilation is None:",
        f"{READY}what_is_proved_before_the_code_is_there_ends_the_search",
    ),
    plant(
        "engine/driver.py",
        "Driver._stages",
        "not self._stopping.is_set() and not compilation.wait(MOMENT)",
        "not compilation.wait(MOMENT)",
        f"{READY}it_can_be_stopped_while_it_waits_for_the_compiler",
    ),
    plant(
        "engine/driver.py",
        "Driver._stages",
        "or not compilation.usable",
        "",
        f"{READY}a_search_ends_where_the_interpreter_does_if_the_game_does_not_compile",
    ),
    plant(
        "engine/driver.py",
        "Driver._stages",
        "        if self._stopping.is_set():\n            self._stop()\n",
        "",
        f"{READY}a_stop_just_when_the_code_is_there_is_not_forgotten",
    ),
    plant("engine/driver.py", "Driver._is_over", "return limited or", "return", TIMED),
    plant(
        "engine/driver.py",
        "_interrupt",
        "if _is_superseded(job):",
        "if False:",
        f"{READY}what_is_found_is_what_a_search_finds_that_waits",
    ),
    plant(
        "engine/runner.py",
        "Code.best_for",
        "self.wait or game.compiled or",
        "self.wait or",
        f"{READY}a_game_that_must_be_compiled_is_waited_for",
    ),
    plant(
        "engine/runner.py",
        "Runner.__init__",
        "self.game.compiled = False",
        "pass",
        f"{READY}gtp_answers_before_it_is_compiled",
    ),
    plant(
        "protocols/thinking.py",
        "Thinker.wait",
        "and not given_up()",
        "",
        f"{READY}an_engine_that_gets_ready_can_be_ended",
    ),
    plant(
        "players.py",
        "parse_players",
        "player.prepare_in_background(game)",
        "player.prepare(game)",
        f"{READY}players_at_a_terminal_do_not_wait_and_matches_do",
    ),
    plant(
        "players.py",
        "EnginePlayer.choose",
        "search.stop()",
        "raise PliesError from None",  # pytest itself would end at a KeyboardInterrupt
        "tests/test_players.py::test_an_engine_interrupted_while_it_tells_moves_now",
    ),
    plant("compiled/background.py", "begin", "elif code == 0:", "elif True:", CRASHED, compiled=True),
    plant("compiled/background.py", "begin", "compilation.crashed = True", "pass", CRASHED, compiled=True),
    plant(
        "compiled/fingerprint.py",
        "",
        '"__slotnames__",',
        "",
        f"{BEHIND}copies_have_the_same_code",
        compiled=True,
    ),
]
