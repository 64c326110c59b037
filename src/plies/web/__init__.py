"""Plies as a page: a server on this machine, and what a browser shows."""
