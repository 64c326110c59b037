"""Evaluations looked at: EVAL by feature, weight and share, and how good it is."""

from plies.evaluation.explained import Explanation, Term, explain_evaluation
from plies.evaluation.judged import Bucket, Cost, Judgement, Sample, judge_evaluation
from plies.evaluation.learned import load_evaluation

__all__ = [
    "Bucket",
    "Cost",
    "Explanation",
    "Judgement",
    "Sample",
    "Term",
    "explain_evaluation",
    "judge_evaluation",
    "load_evaluation",
]
