"""Faults of what a class uses: work sheets, the ladder, Plies in the browser and without NumPy."""

from __future__ import annotations

from planted.mutant import plant

SHEETS, LADDER = "tests/test_worksheet.py", "tests/test_ladder.py"
BROWSER, WITHOUT = "tests/test_in_browser.py", "tests/test_without_numpy.py"

OF_THE_LAB = [
    plant(
        "worksheet/sheet.py",
        "Settings.as_hard",
        "if problem is None or problem.hardness != hardness:",
        "if problem is None:",
        f"{SHEETS}::test_sheets_are_different_and_equally_hard",
    ),
    plant(
        "worksheet/sheet.py",
        "sheets",
        'random.Random(f"{settings.seed} {one} {number}")',
        'random.Random(f"{settings.seed} {number}")',
        f"{SHEETS}::test_sheets_are_different_and_equally_hard",
    ),
    plant(
        "worksheet/problems.py",
        "Problem._nodes",
        "_value(label, paths[path]) if path in paths else Question(label, NEVER)",
        "_value(label, node)",
        f"{SHEETS}::test_the_answers_are_found_again_from_the_sheets_own_trees",
    ),
    plant(
        "worksheet/problems.py",
        "Problem.trace",
        "**self.options, ",
        "",
        f"{SHEETS}::test_a_variant_has_the_key_of_the_variant",
    ),
    plant(
        "worksheet/page.py",
        "_problem",
        "picture=problem.picture(solved=key)",
        "picture=problem.picture(solved=True)",
        f"{SHEETS}::test_a_sheet_does_not_give_its_answers_away",
    ),
    plant(
        "worksheet/moodle.py",
        "_escaped",
        r"""r'([}#~/"\\])'""",
        r"""r'([}#~"\\])'""",
        f"{SHEETS}::test_blanks_are_escaped",
    ),
    plant(
        "ladder/game.py",
        "play",
        "points[turn] = 0.0",
        "points[1 - turn] = 0.0",
        f"{LADDER}::test_loops_and_floods_take_too_long",
        LADDER,
    ),
    plant(
        "ladder/game.py",
        "FileSeat.choose",
        "not 0 <= move < len(options)",
        "not 0 <= move",
        f"{LADDER}::test_an_answer_that_is_none_is_refused",
    ),
    plant(
        "ladder/game.py",
        "play",
        "moves[seen[turn] :]",
        "moves",
        f"{LADDER}::test_the_file_sees_the_game_as_it_is",
    ),
    plant(
        "ladder/ladder.py",
        "Ladder.pairings",
        "code = [(name, players[name]) for name in pair]",
        "code = list(pair)",
        f"{LADDER}::test_only_games_of_changed_files_are_played",
    ),
    plant(
        "ladder/ladder.py",
        "Ladder.play",
        "if any(key == wanted for wanted, *_ in self.pairings()):",
        "if True:",
        f"{LADDER}::test_a_file_that_changes_while_it_plays_is_played_again",
    ),
    plant(
        "grade/pasted.py",
        "grade_pasted",
        "examiner.unseen = {",
        "_ = {",
        f"{BROWSER}::test_right_functions_pass",
    ),
    plant(
        "worksheet/problems.py",
        "Problem.estimates",
        'event.why == "depth"',
        'event.why == "terminal"',
        f"{SHEETS}::test_a_sheet_of_positions_says_all_that_a_search_needs",
    ),
    plant(
        "sandbox/process.py",
        "StudentProcess._left",
        "if left > 0 or before is None:",
        "if True:",
        f"{LADDER}::test_who_waits_does_not_compute",
    ),
    plant(
        "web/position.py",
        "result",
        "if terminal else",
        "if not terminal else",
        "tests/test_standing.py::test_an_ending_in_a_sentence",
    ),
    plant(
        "games/backgammon.py",
        "Backgammon.ending",
        "max(",
        "min(",
        "tests/test_standing.py::test_a_gammon_and_pips",
    ),
    plant(
        "web/agents.py",
        "Agent.choose",
        "_numbers(history)[self._told :]",
        "_numbers(history)",
        "tests/test_web_agents.py::test_its_process_ends_with_it",
    ),
    plant(
        "web/in_browser.py",
        "play",
        "!= you:",
        "== you:",
        f"{BROWSER}::test_dice_are_thrown_for_both",
    ),
    plant(
        "arrays.py",
        "",
        "NUMBERS: tuple[Any, ...] = (int, float)",
        "NUMBERS: tuple[Any, ...] = (int,)",
        f"{WITHOUT}::test_the_same_with_and_without",
    ),
]
