"""Games of the frozen rulesets, as digests: what was asked, what could be answered, and how it ended.

`python -m tests.frozen.plays` records them anew. That is only right before a release.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import ruleforge

HOME = Path(__file__).parent
DIGESTS = "plays.json"
DECISIONS = 150
SEEDS = (1, 2)


def rulesets(version: Path) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
    """Each ruleset by itself, and with its packs."""
    for folder in sorted(path for path in version.iterdir() if path.is_dir()):
        yield folder.name, folder, ()
        packs = tuple(sorted(pack.name for pack in folder.glob("expansions/*")))
        if packs:
            yield f"{folder.name} with {', '.join(packs)}", folder, packs


def digest_of_play(folder: Path, packs: tuple[str, ...]) -> str:
    """Nothing of how a state is stored counts, so that only a change of meaning is noticed."""
    game = ruleforge.load(folder, packs)
    digest = hashlib.sha256()
    for seed in SEEDS:
        for line in _played(game, seed):
            digest.update(line.encode() + b"\n")
    return digest.hexdigest()[:24]


def _played(game: ruleforge.Game, seed: int) -> Iterator[str]:
    state, number = game.start(seed=seed), seed
    for _ in range(DECISIONS):
        if state.decision is None:
            break
        number = (number * 1103515245 + 12345) % 2**31  # of our own, so that no library decides
        choices = [str(choice) for choice in state.choices]
        taken = choices[(number >> 16) % len(choices)]
        yield f"{state.decision.player}: {taken} of {' | '.join(choices)}"
        state.apply(taken)
    yield str(state.outcome)


def digests(version: Path) -> dict[str, str]:
    return {name: digest_of_play(folder, packs) for name, folder, packs in rulesets(version)}


if __name__ == "__main__":
    for version in sorted(HOME.glob("language-*")):
        (version / DIGESTS).write_text(json.dumps(digests(version), indent=1) + "\n", "utf-8")
