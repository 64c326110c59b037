"""The page in Firefox. Playwright drives only a build of its own; Puppeteer drives any, by WebDriver BiDi."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from browser import Site
from programs import npm_package

pytestmark = [pytest.mark.plain, pytest.mark.long]

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
RUN = Path(__file__).with_name("firefox.mjs")
PARTS = 7


def test_a_shorter_run_in_firefox(site: Site, pytestconfig: pytest.Config) -> None:
    """The front door, three games by mouse and keyboard, analysis, Learn; no error in the console."""
    if not FIREFOX:
        pytest.skip("needs Firefox, which is not installed here (on Debian: apt install firefox-esr)")
    assert pytestconfig.cache is not None
    folder = pytestconfig.cache.mkdir("puppeteer")
    node = npm_package(folder, "puppeteer-core@24")  # 25 needs a later node than Debian has
    done = subprocess.run(
        [node, str(RUN), str(folder), FIREFOX, site.address], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == PARTS
