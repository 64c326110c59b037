"""What the experiments measure: shares with their intervals, by depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from plies.intervals import wilson


class Share(NamedTuple):
    """How often something happened, of how many times."""

    times: int
    of: int

    @property
    def rate(self) -> float:
        """The share."""
        return self.times / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % certainty (Wilson's interval)."""
        return wilson(self.rate, self.of)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:6.1%}  {low:5.1%} to {high:5.1%}"


@dataclass(frozen=True)
class ErrorsByDepth:
    """How many decisions were wrong, by the depth of the search that made them; a table as text."""

    title: str
    errors: dict[int, Share]
    """The share of wrong decisions at each depth, in plies."""

    @property
    def worse(self) -> list[int]:
        """The depths at which decisions are surely worse than at a smaller one: the intervals are apart."""
        return [
            depth
            for depth, share in self.errors.items()
            if any(
                less < depth and other.interval[1] < share.interval[0] for less, other in self.errors.items()
            )
        ]

    @property
    def pathological(self) -> bool:
        """Whether somewhere a deeper search decides worse than a shallower one."""
        return bool(self.worse)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "title": self.title,
            "errors": [
                {
                    "depth": depth,
                    "wrong": share.times,
                    "decisions": share.of,
                    "interval": list(share.interval),
                }
                for depth, share in self.errors.items()
            ],
            "worse": self.worse,
        }

    def __str__(self) -> str:
        lines = [f"{depth:5}  {share}" for depth, share in self.errors.items()]
        return "\n".join([self.title, "", "depth   wrong  95 % interval", *lines])
