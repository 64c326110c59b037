"""A class tournament: students' files play each other, each in a process of its own, as files change.

It begins in `ladder.py`. Nothing is imported here, since each player's process does.
"""
