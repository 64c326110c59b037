"""Retrograde analysis: every state of a game solved, from the ends backwards, and kept in a database."""
