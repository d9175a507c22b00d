"""Shipped games -> pictures of their browser tables: `python -m tests.pictures` writes docs/pictures anew.

It needs Chromium. The tables are the pages of `ruleforge serve`, after some random choices.
"""

from __future__ import annotations

import argparse
import base64
import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from rich.console import Console
from rich.text import Text

import ruleforge
from ruleforge.frontends.web.table import WebTable
from ruleforge.play.journal import SavedGame
from ruleforge.play.seats.seat_plan import HUMAN, SeatPlan
from ruleforge.play.session import Session
from ruleforge.support.resources import shipped_games
from tests.unit.frontends.web.chromium import Browser, Tab
from tests.unit.frontends.web.tables import nowhere, served

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
TABLES = {"chess": (1160, 760), "orbit-simulator": (1160, 900)}
THUMBNAIL = (560, 420)
CHOICES = 12  # random choices before the picture is taken
MISTAKE = ("game.total += amount", "game.totl += amount")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__)
    parser.add_argument("game", nargs="*", help="only the thumbnails of these games")
    given = parser.parse_args()
    (PICTURES / "games").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        browser = Browser(Path(home))
        try:
            for name in given.game or sorted(shipped_games()):
                _write(PICTURES / "games" / f"{name}.webp", photograph(browser, name, *THUMBNAIL, board=True))
            for name, size in {} if given.game else TABLES.items():
                _write(PICTURES / f"{name}.webp", photograph(browser, name, *size))
        finally:
            browser.close()
    if not given.game:
        _write(PICTURES / "message.svg", message().encode())
    return 0


def _write(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    print(f"wrote docs/pictures/{file.relative_to(PICTURES)}: {len(content):,} bytes", flush=True)


def photograph(browser: Browser, name: str, width: int, height: int, *, board: bool = False) -> bytes:
    """The page of the player who decides, or only the table on it."""
    rng, state = Random(name), ruleforge.load(name, backend="python").start(seed=1)
    for _ in range(CHOICES):
        after = state.copy()
        after.apply(rng.choice(after.choices))
        if after.decision is None:
            break
        state = after
    seats = SeatPlan(dict.fromkeys(state.players, HUMAN), 1)
    room = WebTable(Session(state), seats, SavedGame(nowhere), print)
    decision = state.decision
    assert decision is not None
    with served(room) as (server, [places]):
        key = next(place.key for place in places if place.seat == decision.player)
        tab = browser.tab(f"{server.address}/table/{key}")
        return taken(browser, tab, width, height, "#table" if board else "body")


def taken(browser: Browser, tab: Tab, width: int, height: int, selector: str) -> bytes:
    screen = {"width": 1160, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.ask("Emulation.setDeviceMetricsOverride", tab._session, **screen)
    tab.until("document.querySelector('#table').children.length > 0")
    box = tab.says(
        f"(e => {{const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]}})"
        f"(document.querySelector({selector!r}))"
    )
    shown = [box[0], box[1], min(box[2], width), min(box[3], height)]
    clip = dict(zip(("x", "y", "width", "height"), shown, strict=True)) | {"scale": 1}
    shot = browser.ask("Page.captureScreenshot", tab._session, format="webp", quality=80, clip=clip)
    return base64.b64decode(shot["data"])


def message() -> str:
    """The terminal after a mistake: the game of the README with one word misspelt, as SVG."""
    from tests.documents import ROOT, blocks_of

    rules = next(block.text for block in blocks_of(ROOT / "README.md") if block.file == "race.yaml")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "race.yaml").write_text(rules.replace(*MISTAKE), encoding="utf-8")
        program = shutil.which("ruleforge", path=str(Path(sys.executable).parent))
        assert program is not None
        ended = subprocess.run([program, "validate", "race.yaml"], cwd=folder, capture_output=True, text=True)
    console = Console(record=True, width=84, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi("$ ruleforge validate race.yaml\n" + (ended.stdout + ended.stderr).rstrip()))
    drawn = console.export_svg(title="RuleForge")
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)  # fonts that it would fetch


if __name__ == "__main__":
    sys.exit(main())
