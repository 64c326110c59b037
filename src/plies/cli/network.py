"""`plies network`: what the file of a network knows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from plies.cli.arguments import Json, check_folder
from plies.cli.program import command
from plies.errors import PliesError


@command
def network(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE.npz", help="A network, as plies train saves them."),
    ],
    onnx: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.onnx", help="Write the network as ONNX, too (needs: pip install 'plies[onnx]')."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print what a network, or pattern tables, are: game, shape, and how they were made."""
    from plies.network import load_network

    found = load_network(file)
    if onnx is not None:
        from plies.interop.onnx import save_onnx
        from plies.network import Network

        if not isinstance(found, Network) or found.phases > 1:
            what = "a network of several phases" if isinstance(found, Network) else "pattern tables"
            raise PliesError(f"ONNX is for a single network, and this is {what}: leave out --onnx")
        check_folder(onnx)
        save_onnx(found, onnx)
    print(json.dumps(found.facts()) if as_json else found)
    if onnx is not None and not as_json:
        print(f"ONNX        {onnx}")
