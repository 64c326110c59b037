"""How far a search may go."""

from __future__ import annotations

from dataclasses import dataclass

from plies.errors import BadParameter


@dataclass(frozen=True)
class Limit:
    """How far a search may go: in seconds, in plies, in nodes; whichever is reached first ends it."""

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for name, given in (("time", self.time), ("depth", self.depth), ("nodes", self.nodes)):
            if given is not None and not given > 0:
                raise BadParameter(f"the limit {name} must be above 0, not {given}")


DEFAULT = Limit(time=1.0)
"""How far a search goes when nobody says."""
