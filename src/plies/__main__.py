"""`python -m plies` is `plies`."""

from plies.cli import main

main()
