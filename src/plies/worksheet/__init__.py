"""Work sheets: trees or positions to be searched by hand, different for each student and equally hard."""

from plies.worksheet.problems import Problem, Question
from plies.worksheet.sheet import Settings, Sheet, sheets

__all__ = ["Problem", "Question", "Settings", "Sheet", "sheets"]
