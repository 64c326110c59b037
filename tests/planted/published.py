"""Published numbers and suites: faults to be planted."""

from __future__ import annotations

from planted.mutant import plant

REPRODUCE, SUITES = "tests/test_reproduce.py", "tests/test_suites.py"

OF_PUBLISHED_NUMBERS = [
    plant("reproduce/run.py", "Outcome.agrees", "self.found == self.expected", "True", REPRODUCE),
    plant("reproduce/run.py", "reproduce", " if outcome.agrees", "", REPRODUCE),
    plant("reproduce/run.py", "_is_known", "known[entry.name].expected == entry.expected", "True", REPRODUCE),
    plant("reproduce/run.py", "read", "if made_by != version(", "if False and version(", REPRODUCE),
    plant("reproduce/table.py", "find", "{plain} & names or ", "", REPRODUCE),
    plant("reproduce/units.py", "Numbers.do", "if interrupts.noticed:", "if False:", REPRODUCE),
    plant(
        "terminal/reproduce.py", "ReproduceRun._keep", "if outcome.name not in names", "if False", REPRODUCE
    ),
    plant("terminal/reproduce.py", "ReproduceRun._summary", "return 1", "return 0", REPRODUCE),
    plant("terminal/suite.py", "SuiteRun.run", "if interrupts.noticed:", "if False:", SUITES),
    plant("suites/run.py", "_is_right", "action not in problem.avoid", "True", SUITES),
    plant("suites/run.py", "_proved", "found == problem.score and ", "", SUITES),
    plant("suites/pons.py", "score", "cells + 2 - stones", "cells + 1 - stones", SUITES),
]
