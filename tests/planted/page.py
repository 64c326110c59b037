"""Faults of the page: shared games, who is let in, records with variations, and the position editor."""

from __future__ import annotations

from planted.mutant import plant

SHARED, RECORDS, EDITOR = "tests/test_web_shared.py", "tests/test_variations.py", "tests/test_web_editor.py"

STONES = "tests/test_standing.py::test_stones_are_numbered_by_move"

OF_THE_PAGE = [
    plant("web/stone_numbers.py", "stone_numbers", "if name in after and", "if", STONES),
    plant("web/stone_numbers.py", "_pieces", " and cell.width == cell.height == 1", "", STONES),
    plant(
        "web/access.py",
        "SecurityMiddleware._is_token",
        "len(given) == 1 and",
        "len(given) == 0 or",
        f"{SHARED}::test_other_machines_need_the_token",
    ),
    plant(
        "web/sharing.py",
        "is_loopback",
        "(mapped or address).is_loopback",
        "(mapped or address).is_private",
        f"{SHARED}::test_only_loopback_is_this_machine",
    ),
    plant(
        "web/sharing.py",
        "Sharing.open",
        "time.monotonic() - oldest.used < ABANDONED",
        "False",
        f"{SHARED}::test_there_are_so_many_games_and_watchers",
    ),
    plant(
        "web/shared_game.py",
        "SharedGame.check_turn",
        "if number not in self.to_act():",
        "if not self.to_act():",
        f"{SHARED}::test_nobody_moves_for_another_or_out_of_turn",
    ),
    plant(
        "web/shared_game.py",
        "SharedGame.moved",
        "== 1 - number:",
        "is not None:",
        f"{SHARED}::test_a_game_with_offers_and_a_rematch",
    ),
    plant(
        "web/shared_game.py",
        "SharedGame.moved",
        "seat.remaining(when) + self.increment",
        "seat.remaining(time.monotonic()) + self.increment",
        f"{SHARED}::test_a_clock_counts_from_when_a_move_arrives",
    ),
    plant(
        "web/shared_game.py",
        "SharedGame._again",
        "self.seats.reverse()",
        "pass",
        f"{SHARED}::test_a_game_with_offers_and_a_rematch",
    ),
    plant(
        "variations.py",
        "settled",
        "settled(item, before, play",
        "settled(item, state, play",
        f"{RECORDS}::test_all_that_a_record_says_is_read_and_written",
    ),
    plant(
        "games/go_sgf.py",
        "_written_tree",
        "_written_tree(game, before, item)",
        "_written_tree(game, state, item)",
        f"{RECORDS}::test_all_that_a_record_says_is_read_and_written",
    ),
    plant(
        "variations.py",
        "TreeBuilder.note",
        "line.insert(at + 1, {})",
        "line.append({})",
        f"{RECORDS}::test_what_cannot_be_read_is_said",
    ),
    plant(
        "web/position_editor.py",
        "Grid.put",
        "self.cells.index(cell)",
        "self.cells.index(cell) - 1",
        f"{EDITOR}::test_a_sign_stands_where_it_was_put",
    ),
    plant(
        "web/position_editor.py",
        "Grid.put",
        "signs[len(row) :]",
        "signs[len(rows[0]) :]",
        f"{EDITOR}::test_a_sign_stands_where_it_was_put",
    ),
]
