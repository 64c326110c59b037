"""Memory order: how a kernel hands data to another thread that runs a kernel on the same arrays."""

from __future__ import annotations


def fence() -> None:
    """Neither reads nor writes are moved across this, by the compiler or the processor.

    Who writes data, then a fence, then a word that says they are there; and reads that word, then a fence,
    then the data, reads them whole. Interpreted, one thread runs at a time, and this does nothing.
    """
