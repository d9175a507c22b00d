"""Position counts as deep as the published table goes; minutes. `python -m benchmarks.perft [GAME]...`"""

from __future__ import annotations

import sys
from time import perf_counter

import ruleforge
from tests.differential.positions import PERFT, perft


def main(names: list[str]) -> int:
    wrong = 0
    for name in names or list(PERFT):
        state = ruleforge.load(name).start()
        for depth, expected in enumerate(PERFT[name], start=1):
            begin = perf_counter()
            found = perft(state, depth)
            spent = perf_counter() - begin
            wrong += found != expected
            verdict = "ok" if found == expected else f"WRONG, expected {expected}"
            print(f"{name:14} depth {depth}  {found:>10}  {spent:7.2f} s  {verdict}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
