"""The games of Plies: a file for each, or several whose names begin with that of the game."""
