"""`plies cache`: where compiled code is kept, how large it is, and how to clear it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from plies.cli.arguments import Json
from plies.cli.program import command
from plies.errors import PliesError


@command
def cache(
    clear: Annotated[
        bool, typer.Option("--clear", help="Delete all compiled code, and source text that came with jobs.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show where compiled code is kept, or delete it.

    The environment variable PLIES_CACHE_DIR chooses another folder.
    """
    from plies.compiled import disk_cache

    folder, trouble, before = disk_cache.folder(), disk_cache.trouble(), disk_cache.contents()
    if clear:
        left = disk_cache.clear()
        if left:
            raise PliesError(
                f"{left} of the files in {folder} could not be deleted: delete them as their owner, "
                "or with the rights to write to that folder"
            )
    now = disk_cache.contents()
    if as_json:
        facts = {
            "folder": None if folder is None else str(folder),
            "entries": now.entries,
            "bytes": now.size,
            "deleted": before.entries - now.entries if clear else 0,
            "trouble": trouble,
        }
        print(json.dumps(facts, indent=2))
    elif clear:
        print(
            f"{before.entries} {'entry' if before.entries == 1 else 'entries'} deleted ({_size(before.size)})"
        )
    else:
        print(f"folder   {folder or 'none'}")
        print(f"entries  {now.entries}")
        print(f"size     {_size(now.size)}")
        if trouble:
            print(f"not used: {trouble}; PLIES_CACHE_DIR can name another folder")


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"
