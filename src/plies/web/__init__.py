"""The page: a server for one's own machine, which plays, analyses and teaches in a browser."""
