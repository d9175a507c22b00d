"""`python -m tests.kills --kills 200`: end `play` and `repl` by force at random moments, and go on."""

from __future__ import annotations

import argparse
import sys
import time

from tests.kills.killing import faults

GAMES = ("tic-tac-toe", "nim", "primordial-orbs", "splicers")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="GAME")
    arguments = parser.parse_args()
    began = time.monotonic()
    found = faults(arguments.kills, arguments.seed, tuple(arguments.games))
    print("\n".join(found))
    print(f"{arguments.kills} kills in {time.monotonic() - began:.0f} s: {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
