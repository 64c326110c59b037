"""A grader of students' files: what is wrong, in words, and the smallest tree that shows it."""
