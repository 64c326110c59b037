"""Units of work: pure, seeded and small, done here, in other processes, on a Ray cluster, or in shards."""
