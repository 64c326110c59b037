"""Published numbers, each with its source, and the runs that reproduce them: `plies reproduce`.

`table.py` has the list of files, one for each kind of number; a new entry goes into the `ENTRIES` of one.
"""

from plies.reproduce.entry import Entry
from plies.reproduce.run import Outcome, reproduce
from plies.reproduce.table import all_entries, find

__all__ = ["Entry", "Outcome", "all_entries", "find", "reproduce"]
