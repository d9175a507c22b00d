"""`python -m tests.fuzz --minutes N [--seed N]`: searches the interfaces, for told secrets, for rulesets that fail."""

from __future__ import annotations

import argparse
import os
import resource
import sys

os.environ["RULEFORGE_CACHE"] = ""  # what is made up is compiled once

from tests.fuzz.hunt import (
    Tally,
    at_the_interfaces,
    for_secret_rulesets,
    for_secrets,
    minimised,
    search,
    until,
)

MEMORY = 3 << 30


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shrink", type=float, default=60, help="seconds to make one finding smaller")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))  # address space alone is no memory
    tally = Tally()
    for sort in (at_the_interfaces, for_secrets, for_secret_rulesets):
        for key in sort(tally, given.seed, until(12 * given.minutes)):
            print(f"\n=== {tally.findings[key][0].words}", flush=True)
    for key in search(tally, given.seed, until(24 * given.minutes)):
        finding = tally.findings[key][0]
        print(f"\n=== {finding.words}", flush=True)
        for name, text in minimised(tally, key, given.seed, given.shrink).items():
            print(f"--- {name}\n{text}", flush=True)
    print(
        f"{tally.sent} things sent to the interfaces; {tally.looked} positions looked at for secrets; "
        f"{tally.veiled} rulesets made of secrets; "
        f"{tally.tried} rulesets, {tally.fine} called fine, "
        f"{tally.decisions} decisions; {len(tally.findings)} findings"
    )
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
