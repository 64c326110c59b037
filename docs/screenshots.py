"""The pictures of the page in README and documents: `make screenshots` takes them anew, with Chromium."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from typing import TYPE_CHECKING
from urllib.parse import quote

from docs.pages.site import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = ROOT / "docs"
TREE = '{"tree": [[3, 12, 8], [2, 4, 6], [14, 5, 2]], "mode": "practice"}'
ANSWERS, CUT = ("3", "3", "4"), ("c2", "d3")
"""What the picture of Learn has, node by node, and the branches that are cut: some of it right."""

DEEP = "() => Number(/depth\\s*(\\d+)/.exec(document.getElementById('readout').innerText)?.[1]) >= 9"
WIDE = {"width": 1180, "height": 960}
PHONE = {"width": 390, "height": 844}


def analysis(page: Page, address: str) -> None:
    """Chess, analysed for some seconds."""
    page.goto(f"{address}#game=chess&moves=e4;e5;Nf3;Nc6;Bb5;a6&mode=analyse")
    page.wait_for_function(DEEP, timeout=90_000)  # if compiling takes longer, the next time it is done


def phone(page: Page, address: str) -> None:
    """Connect Four on a phone, in the dark."""
    page.goto(f"{address}#game=connect-four&moves=4;4;4;4;4;2;2;3;3&mode=analyse")
    page.wait_for_selector("#board .badge")
    page.wait_for_timeout(5_000)


def learn(page: Page, address: str) -> None:
    """Practice on the Learn page, after a few answers were checked."""
    page.goto(f"{address}learn#{quote(TREE)}")
    page.wait_for_selector("#stage input")
    for field, answer in zip(page.locator("#stage input[type=text]").all(), ANSWERS, strict=False):
        field.fill(answer)
    for branch in CUT:
        page.get_by_role("button", name=f"cut {branch}").press(" ")
    page.click("#stage .main")
    page.wait_for_timeout(1_000)


PICTURES = {
    "page-analyse": (analysis, WIDE, "light"),
    "page-phone": (phone, PHONE, "dark"),
    "learn": (learn, {"width": 1200, "height": 880}, "light"),
}


def take(names: list[str]) -> int:
    """Take the pictures of these names, or all, from a server on a free port."""
    from playwright.sync_api import sync_playwright

    from plies.web.serve import prepare
    from plies.worksheet.page import CHROMIUM

    server, socket = prepare(port=0)
    address = f"http://127.0.0.1:{socket.getsockname()[1]}/"
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    with sync_playwright() as playwright:
        program = next(filter(None, map(shutil.which, CHROMIUM)), None)
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name in names or PICTURES:
            pose, viewport, scheme = PICTURES[name]
            page = chromium.new_page(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
            pose(page, address)
            page.screenshot(path=FOLDER / f"{name}.png")
            page.close()
            print(f"docs: {FOLDER / name}.png")
        chromium.close()
    server.should_exit = True
    thread.join()
    return 0


if __name__ == "__main__":
    sys.exit(take(sys.argv[1:]))
