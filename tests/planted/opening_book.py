"""Opening books: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

TESTS = "tests/test_opening_book.py"
RIGHT = f"{TESTS}::test_every_entry_is_right"
PARTIAL = f"{TESTS}::test_a_partial_book_says_nothing_false"
SEARCHED = f"{TESTS}::test_searches_with_a_book_prove_what_is_true"

OF_OPENING_BOOKS = [
    plant(
        "engine/opening_book.py",
        "merged",
        " if line[0] in {action, *scores}",
        "",
        f"{TESTS}::test_no_line_without_a_score_beside_a_book",
    ),
    plant(
        "engine/root_search.py",
        "RootSearch.result",
        "root in others if root.score != -INFINITY)",
        "root in others)",
        f"{TESTS}::test_no_line_without_a_score_beside_a_book",
    ),
    plant(
        "opening_book/book.py",
        "backed_up",
        "not complete and utility < game.bounds[1]",
        "False",
        f"{PARTIAL}[True-tic-tac-toe]",
    ),
    plant(
        "opening_book/book.py",
        "backed_up",
        "not complete or utility == game.draw_value",
        "utility == game.draw_value",
        f"{PARTIAL}[True-tic-tac-toe]",
    ),
    plant(
        "opening_book/book.py",
        "backed_up",
        "min(counted) if utility > game.draw_value else max(counted)",
        "max(counted)",
        f"{TESTS}::test_backing_up",
    ),
    plant("opening_book/book.py", "turned", "entry.utility if same else", "", f"{RIGHT}[kalah]"),
    plant(
        "opening_book/file.py",
        "read_book",
        "header.game != game.name or header.rules != book_fingerprint(game)",
        "False",
        f"{TESTS}::test_a_book_by_other_rules_is_refused",
    ),
    plant(
        "opening_book/file.py",
        "_parts",
        "unpacking.decompress(packed, size + 1)",
        "unpacking.decompress(packed)[: size + 1]",
        f"{TESTS}::test_a_bomb_is_not_unpacked",
        why="it is refused all the same, after the memory was taken",
    ),
    plant(
        "opening_book/file.py",
        "_unpacked",
        "not _ascend(rows)",
        "False",
        f"{TESTS}::test_forged_contents_are_refused",
    ),
    plant(
        "opening_book/journal.py",
        "_content",
        "if int(check, 16) == zlib.crc32(text.encode()) else None",
        "",
        f"{TESTS}::test_a_journal_of_another_book_is_refused",
    ),
    plant(
        "engine/opening_book.py",
        "known_score",
        "or (run.prefer_quick and score and value.plies is None)",
        "",
        f"{SEARCHED}[1.0]",
    ),
    plant(
        "engine/opening_book.py",
        "_best",
        "if not settled:",
        "if False:",
        f"{TESTS}::test_what_is_only_estimated_beside_the_book_is_no_proof",
    ),
    plant(
        "engine/opening_book.py",
        "book_value",
        "entry.utility, book.proved,",
        "entry.utility, True,",
        f"{TESTS}::test_a_searched_book_is_never_a_proof",
    ),
    plant(
        "compiled/source_fingerprint.py",
        "_SourceWalk._from_source",
        'self.note("source", *words)',
        "pass",
        f"{TESTS}::test_the_fingerprint_changes_with_the_source_of_a_rule",
    ),
    plant(
        "engine/alpha_beta.py",
        "AlphaBeta._assist",
        "if self._root is None:",
        "if False:",
        "tests/test_opening_book.py::test_threads_have_nothing_to_do_where_a_book_settles_the_position",
    ),
]
