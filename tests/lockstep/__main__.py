"""`python -m tests.lockstep [GAME]... [--games N] [--seed N]`: random games beside OpenSpiel, with figures."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from tests.differential.chess_positions import FAMOUS, position
from tests.differential.positions import perft
from tests.lockstep.peers import PEERS
from tests.lockstep.playing import Tally, in_step


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lockstep", description=__doc__)
    parser.add_argument("game", nargs="*", help="only these games")
    parser.add_argument("--games", type=int, default=200, help="random games of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backend", default="native", choices=["native", "python", "reference"])
    parser.add_argument(
        "--note", type=Path, help="a file of figures that is brought up to date: benchmarks/games.json"
    )
    given = parser.parse_args()
    print(
        f"{'game':24}{'games':>7}{'decisions':>11}{'stopped':>9}{'again':>9}{'differences':>13}{'seconds':>9}"
    )
    found = 0
    for name in given.game or PEERS:
        began = time.perf_counter()
        tally = in_step(name, PEERS[name], given.games, given.seed, given.backend)
        took = time.perf_counter() - began
        counts = (
            f"{tally.games:7}{tally.decisions:11}{tally.stopped:9}{tally.again:9}{len(tally.differences):13}"
        )
        print(f"{name:24}{counts}{took:9.1f}", flush=True)
        for difference in tally.differences[:3]:
            print(difference)
        if given.note:
            _note(given.note, name, tally)
        found += len(tally.differences)
    if not given.game or "chess" in given.game:
        found += _lines_of_play(given.backend, given.note)
    return 1 if found else 0


def _note(file: Path, name: str, tally: Tally) -> None:
    figure = {
        "peer": PEERS[name].game,
        "games": tally.games,
        "decisions": tally.decisions,
        "differences": len(tally.differences),
        "knows": bool(PEERS[name].knows),
    }
    _write(file, "agreement", name, figure)


def _write(file: Path, section: str, name: str, figure: object) -> None:
    figures = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    figures.setdefault(section, {})[name] = figure
    file.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", "utf-8")


def _lines_of_play(backend: str, note: Path | None) -> int:
    """How many counts of lines of play in chess are not those of the literature."""
    wrong, deepest = 0, []
    for fen, counts in FAMOUS.items():
        for depth, wanted in enumerate(counts, 1):
            found = perft(position(fen, backend), depth)
            wrong += found != wanted
        print(f"{found:12} lines of {depth} moves, {wanted} in the literature: {fen}", flush=True)
        deepest.append(found)
    if note and not wrong:
        _write(note, "lines", "chess", deepest)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
