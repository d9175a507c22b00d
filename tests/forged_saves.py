"""Saved games with words of their rows changed and the digest made right, and what becomes of them."""

from __future__ import annotations

import hashlib
import json
import random
import struct
from collections.abc import Mapping

import ruleforge

PLAYED = 50  # decisions


def forged(saved: str, words: Mapping[int, int]) -> str:
    """The saved game with these words of its row instead."""
    data = json.loads(saved)
    for at, value in words.items():
        data["row"][at] = value
    heading = {key: data[key] for key in data if key not in ("digest", "row")}
    sum_ = hashlib.blake2b(json.dumps(heading, sort_keys=True).encode(), digest_size=16)
    sum_.update(struct.pack(f"<{len(data['row'])}i", *data["row"]))
    return json.dumps({**data, "digest": sum_.hexdigest()})


def plays_or_is_refused(game: ruleforge.Game, saved: str, rng: random.Random) -> None:
    """Anything else is an exception."""
    try:
        again = game.restore(saved)
    except ruleforge.RestoreError:
        return
    for number in range(PLAYED):
        if not again.choices:
            return
        if number % 10 == 0:
            [again.view(player) for player in again.players]
        try:
            again.apply(rng.choice(again.choices))
        except ruleforge.IllegalChoice:
            return
