"""Thinking on a client's time: a search of the position that is expected, kept until the client has moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plies.web.protocol import Message
from plies.web.search_request import SearchRequest
from plies.web.searches import Job


@dataclass(eq=False)
class Pondered:
    """The search for the answer to a move that the client has not made yet.

    It is the very search that the client's next message would start, if it plays what is expected: with the
    same limit, so that no level gets stronger by it, only quicker.
    """

    request: SearchRequest
    job: Job
    outcome: tuple[str, Any] | None = None
    """What it reported last, "done" or "error" with what belongs to it, once it is over."""
    message: Message | None = None
    """The message that it answers, once the client has made the move."""

    def answers(self, request: SearchRequest) -> bool:
        """Whether this is the search that a client requests (a ponder hit), and has not failed."""
        mine = self.request
        failed = self.outcome is not None and self.outcome[0] == "error"
        return not failed and (mine.spec, mine.kind.name, mine.limit, mine.lines, mine.for_move) == (
            *(request.spec, request.kind.name, request.limit, request.lines, request.for_move),
        )
