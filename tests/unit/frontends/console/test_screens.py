"""What people see of the five games in a pseudo-terminal of three sizes, held against texts that were read through.

With RECORD_SCREENS in the environment the texts are written anew; then read the difference.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.property.lines import game_of
from tests.unit.frontends.terminal import Terminal

SCREENS = Path(__file__).resolve().parents[3] / "screens"
SIZES = ((80, 24), (100, 30), (120, 40))
SMALL = (60, 20)  # as wide as that; what is first in it may have gone up
GAMES = {  # each with the number of random decisions before somebody sits down
    "orbit-simulator": 70,
    "primordial-orbs": 50,
    "primordial-soup": 60,
    "soul-gems": 60,
    "splicers": 60,
}


def position(name: str) -> str:
    """A saved game in which the first player has more than one choice."""
    rng, state = random.Random(1), game_of(name).start(seed=3)
    made = 0
    while made < GAMES[name] or len(state.choices) < 2 or _decides(state) != state.players[0]:
        state.apply(rng.choice(state.choices))
        made += 1
    return str(state.save())


def _decides(state: object) -> str:
    decision = getattr(state, "decision", None)
    assert decision is not None
    return str(decision.player)


def screens(name: str, saved: Path) -> list[str]:
    """The table at each size, then what is to be seen after a choice, with all that happened."""
    terminal = Terminal("play", name, "--load", saved, "--no-color", "--seed", "1", size=SIZES[0])
    first = game_of(name).restore(saved.read_text("utf-8")).choices[0].text
    title = game_of(name).title.upper()
    try:
        terminal.until("▸")
        found = []
        for size in SIZES:
            terminal.resize(*size)
            terminal.say("look")
            terminal.until(title)
            found.append(title + terminal.until("▸"))
        terminal.resize(*SMALL)
        terminal.say("look")
        terminal.until(title)
        assert max(map(len, terminal.until("▸").splitlines())) <= SMALL[0]
        terminal.resize(*SIZES[0])
        terminal.say(first)
        terminal.until(title)
        found.append(title + terminal.until("▸"))
        return ["\n".join(line.rstrip() for line in text.splitlines()) for text in found]
    finally:
        terminal.say("quit")
        terminal.leave()


@pytest.mark.parametrize("name", GAMES)
def test_a_screen_fits_and_is_as_it_was_read(name, tmp_path):
    saved = tmp_path / "game.json"
    saved.write_text(position(name), encoding="utf-8")
    found = screens(name, saved)
    for (columns, lines), text in zip((*SIZES, SIZES[0]), found, strict=True):
        rows = text.splitlines()
        assert len(rows) <= lines, f"{len(rows)} lines at {columns}x{lines}\n{text}"
        assert max(map(len, rows)) <= columns, text
    heads = (*(f"=== {columns}x{lines}" for columns, lines in SIZES), "=== after the first choice")
    whole = "\n\n".join(f"{head}\n{text}" for head, text in zip(heads, found, strict=True)) + "\n"
    file = SCREENS / f"{name}.txt"
    if os.environ.get("RECORD_SCREENS"):
        file.write_text(whole, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == whole
