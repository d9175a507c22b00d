"""`python -m tests.soak [--decisions N] [--minutes N] [--seed N]`: random decisions over everything that ships."""

from __future__ import annotations

import argparse
import sys
import time

from tests.soak.soaking import Soaked, soak, tables, until

GROWTH = 64 << 20  # bytes that a long run may take more than one round of all tables


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found, began, told, said = Soaked(), time.monotonic(), time.monotonic(), 0
    for _ in soak(found, tables(), given.seed, until(60 * given.minutes, given.decisions, found)):
        for trouble in found.troubles[said:]:
            print(trouble, flush=True)
        said = len(found.troubles)
        if time.monotonic() - told > 30:
            told = time.monotonic()
            print(f"{found.decisions:,} decisions, {len(found.troubles)} troubles", flush=True)
    seconds, grown = time.monotonic() - began, found.memory_after - found.memory_before
    print(
        f"{found.decisions:,} decisions in {found.games:,} games at {len(found.by_table)} tables, {found.looks:,} close "
        f"looks, {found.refusals} refusals, {len(found.troubles)} troubles; memory {found.memory_before >> 20} MB, "
        f"then {found.memory_after >> 20} MB; {seconds / 60:.1f} minutes"
    )
    return 1 if found.troubles or grown > GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
