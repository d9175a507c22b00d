"""How long people wait for a command to begin, in seconds of CPU, the best of several: `python -m benchmarks.start`.

Cold is a new process that keeps nothing of the game; unchanged is another one right after it. In both the modules of
Python are compiled and the tables of the grammar kept, as they are on every machine after the first command. An edit is
what the language server does between a keystroke and its complaints.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

from ruleforge.frontends.lsp.workspace import Workspace
from ruleforge.support.resources import shipped_games

RULESETS = ("orbit-simulator", "primordial-orbs", "primordial-soup", "soul-gems", "splicers")
RUNS = 5
CALL = "from ruleforge.frontends.cli.main import main; main()"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="how often each is measured; the best counts")
    runs = parser.parse_args(arguments).runs
    with tempfile.TemporaryDirectory() as kept:
        _spent("validate", "nim", kept=kept)  # the tables of the grammar, and compiled modules
        print(f"an empty Python    {min(_spent(kept=kept) for _ in range(runs)):5.2f}")
        print(f"ruleforge --help   {min(_spent('--help', kept=kept) for _ in range(runs)):5.2f}")
        print("validate           cold  unchanged  an edit in the server")
        for game in RULESETS:
            cold, again = zip(*(_validated(game, kept) for _ in range(runs)), strict=True)
            print(f"{game:17} {min(cold):5.2f}  {min(again):9.2f}  {min(_edits(game, runs)):9.2f}")


def _validated(game: str, kept: str) -> tuple[float, float]:
    for file in Path(kept).glob("*.complaints"):
        file.unlink()
    return _spent("validate", game, kept=kept), _spent("validate", game, kept=kept)


def _spent(*arguments: str, kept: str) -> float:
    """The CPU time of a process of its own, its start and end included."""
    before = os.times()
    environment = {**os.environ, "RULEFORGE_CACHE": kept, "PYTHONDONTWRITEBYTECODE": ""}
    call = CALL if arguments else "pass"
    command = [sys.executable, "-c", call, *arguments]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _edits(game: str, runs: int) -> list[float]:
    """A line more in the middle of the largest file of rules, which is open, then one less."""
    folder = shipped_games()[game]
    path = max(folder.glob("*.yaml"), key=lambda f: (f.stem != "rulebook", f.stat().st_size)).absolute()
    text = path.read_text("utf-8")
    middle = text.index("\n", len(text) // 2)
    workspace = Workspace().edited(path, text)
    found = []
    for number in range(2 * runs):
        changed = text if number % 2 else f"{text[:middle]}\n# {number}{text[middle:]}"
        begin = process_time()
        workspace = workspace.edited(path, changed)
        home = workspace.homes[path]
        assert home is not None
        workspace = workspace.looked_at(home)
        found.append(process_time() - begin)
    return found[1:]  # before the first there is nothing to go on from


if __name__ == "__main__":
    main()
