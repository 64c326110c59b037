"""Faults of the page: shared games, and who is let in."""

from __future__ import annotations

from planted.mutant import plant

SHARED = "tests/test_web_shared.py"

OF_THE_PAGE = [
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
]
