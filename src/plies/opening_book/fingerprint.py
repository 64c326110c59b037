"""The fingerprint of the rules that an opening book depends on: a book made by other rules is stale."""

from __future__ import annotations

from plies.compiled.dependencies import dependencies_of
from plies.compiled.source_fingerprint import VALUES, source_fingerprint
from plies.game import Game
from plies.retrograde.fingerprint import rules_fingerprint

_known: dict[tuple[str, str], str] = {}


def book_fingerprint(game: Game) -> str:
    """A digest of the source of the rules of a game, the same under every version of Python."""
    now = dependencies_of(game, VALUES).name, rules_fingerprint(game)  # which notice a rule that was patched
    if now not in _known:
        _known[now] = source_fingerprint(game, VALUES)
    return _known[now]
