"""Run the program `plies` from a source folder: `python run_commit.py FOLDER ARGUMENT...`."""

import sys

if __name__ == "__main__":
    _, folder, *arguments = sys.argv
    sys.path[0] = folder
    from plies.cli import main

    sys.argv = ["plies", *arguments]
    main()
