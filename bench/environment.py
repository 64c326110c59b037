"""The peers' own environment: what is measured against is installed and run there, apart from Plies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.common import progress

HERE = Path(__file__).parent
ENVIRONMENT = HERE / ".venv-peers"


def install(peer: str) -> str:
    """Install a peer in the environment of the peers unless it is there; why that failed, or nothing."""
    python = _python()
    try:
        if not python.exists():
            progress("making an environment for the peers")
            subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True, capture_output=True)
        look = [str(python), "-c", f"from importlib.metadata import version; version({peer!r})"]
        if subprocess.run(look, capture_output=True).returncode:
            progress(f"installing {peer} there, once")
            pip = [str(python), "-m", "pip", "install", "--quiet", "--retries", "1", "--no-input", peer]
            subprocess.run(pip, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return "does not install on this machine"
    return ""


def ask(program: str, asked: dict[str, Any]) -> dict[str, Any]:
    """What a program of the peers, run_PROGRAM.py, answers."""
    path = HERE / "peers" / f"run_{program}.py"
    done = subprocess.run(
        [str(_python()), str(path)], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def why_not(error: subprocess.CalledProcessError) -> str:
    """What a program that failed said last."""
    return f"does not run: {error.stderr.strip().splitlines()[-1:]}"


def _python() -> Path:
    windows = sys.platform == "win32"
    return ENVIRONMENT / ("Scripts/python.exe" if windows else "bin/python")
