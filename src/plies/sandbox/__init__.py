"""Students' files in processes of their own, with limits. It is no place for hostile code."""
