"""A grader for students' files: what is wrong with a search, in words, and the smallest tree that shows it."""
