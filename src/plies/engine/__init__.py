"""The engine: search that plays for real, as machine code where a game compiles."""

from plies.engine.ask import search
from plies.engine.engine import Engine
from plies.engine.found import Found
from plies.engine.limit import Limit
from plies.engine.options import Options
from plies.engine.value import Value

__all__ = ["Engine", "Found", "Limit", "Options", "Value", "search"]
