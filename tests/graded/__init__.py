"""Students' files for the grader: right, wrong and hostile ones."""
