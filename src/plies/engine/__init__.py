"""The engine: search that plays for real, as machine code where a game compiles."""

from plies.engine.deepening import Found, search
from plies.engine.limit import Limit
from plies.engine.value import Value

__all__ = ["Found", "Limit", "Value", "search"]
