"""Units of work, tournaments and ratings: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

WORK, TOURNAMENT = "tests/test_work.py", "tests/test_tournament.py"
FILES, SOURCES = "tests/test_work_files.py", "tests/test_work_sources.py"

OF_WORK = [
    plant("work/store.py", "Store.keep", "INSERT OR IGNORE", "INSERT OR REPLACE", WORK),
    plant("work/store.py", "merge", "known[0] != result", "False", WORK),
    plant(
        "work/store.py",
        "_refusing",
        "(ValueError, RecursionError)",
        "ValueError",
        f"{WORK}::test_a_result_is_kept_once",
    ),
    plant("work/store.py", "_connected", "number != APPLICATION", "False", WORK),
    plant("work/run.py", "done_in_order", "store.begin(job, where.another)", "{}", FILES),
    plant("work/run.py", "Where.share", "number - 1", "0", WORK),
    plant(
        "work/run.py",
        "in_order",
        "kept[future] = keep(running.pop(future), future.result())",
        "kept[future] = future.result(); keep(running.pop(future), kept[future])",
        FILES,
    ),
    plant("work/run.py", "in_order", "one.exception() is not None", "False", FILES),
    plant("work/store.py", "_note", "known and not another", "False", FILES),
    plant("work/store.py", "Store.begin", "_check(self._base, self.path)", "pass", FILES),
    plant("work/store.py", "_check_row", "checksum != _checksum(content)", "False", FILES),
    plant("work/store.py", "_check_format", "number != FORMAT", "False", FILES),
    plant("work/store.py", "merge", "_check_row(part, row)", "pass", FILES),
    plant("work/unit.py", "Job.settings", ", **digests", "", FILES),
    plant("work/unit.py", "Job.settings", 'if name != "extent"', "", FILES),
    plant("work/code.py", "rules_of", "source_fingerprint(game, PLAYED)", "game.name", FILES),
    plant("work/on_ray.py", "OnRay._watch", "if _unreachable(head) else 0", "if False else 0", FILES),
    plant("work/on_ray.py", "why_not", '"InvalidAuthToken" in said', "False", FILES),
    plant("arena/units.py", "name_of", "visible(words_of(player))", "words_of(player)", FILES),
    plant("terminal/tournament_page.py", "_check_own", "and words not in head", "and False", FILES),
    plant("work/unit.py", "Job.read", "_digest(text) != checksum", "False", WORK),
    plant("work/unit.py", "Job.read", 'data["plies"] != version("plies")', "False", WORK),
    plant(
        "work/processes.py",
        "Processes._done",
        "range(1, ATTEMPTS + 1)",
        "range(ATTEMPTS, ATTEMPTS + 1)",
        WORK,
    ),
    plant(
        "work/worker.py",
        "reply_to",
        "except (Exception, SystemExit) as error:",
        "except OSError as error:",
        f"{WORK}::test_a_slip_in_the_rules_is_a_sentence_wherever_it_shows",
    ),
    plant(
        "tune/samples.py", "Samples.do", "samples {unit.number}", "samples", f"{WORK}::test_units_are_pure"
    ),
    plant(
        "work/sources.py",
        "_folder",
        "disk_cache.SOURCES",
        "'source-'",
        f"{WORK}::test_code_of_a_users_file_travels",
    ),
    plant("work/sources.py", "Sources.add", "if (root / beside).is_file():", "if False:", SOURCES),
    plant("work/sources.py", "Sources.add", "self.places[name] != str(path)", "False", SOURCES),
    plant("work/sources.py", "Folder.of", "all(_is(", "not all(_is(", SOURCES),
    plant("work/sources.py", "_unpacked", '"..", ', "", SOURCES),
    plant(
        "work/worker.py",
        "_end_with_driver",
        "_leave()",
        "pass",
        f"{SOURCES}::test_a_worker_ends_with_its_driver",
    ),
    plant("work/sources.py", "_imported", "- node.level + 1]", "]", SOURCES),
    plant("learn/units.py", "SelfPlay.do", 'given["done"], given["part"]', 'given["done"], 0', WORK),
    plant("arena/ratings.py", "rated", "1 - score", "score", TOURNAMENT),
    plant("arena/ratings.py", "rated", "prior = not _connected(wins)", "prior = False", TOURNAMENT),
    plant("arena/ratings.py", "_dispersion", "/ freedom / INDEPENDENT", "/ freedom", TOURNAMENT),
    plant("arena/tournament.py", "_sides", "1 - game.game.score", "game.game.score", TOURNAMENT),
    plant("arena/tournament.py", "plan", "number * len(pairs)", "number", TOURNAMENT),
    plant("arena/units.py", "pair_seed", "{first} {second}", "{first}", TOURNAMENT),
]
