"""Rule files that grow in one way each -> how long `validate` takes for 1,000 to 10,000: at most n log n.

python -m benchmarks.large_files
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import ruleforge
from ruleforge.tools.validation import validated

SIZES = (1_000, 2_000, 5_000, 10_000)
GAME = """\
game: {id: large, title: Large, version: "1.0", text: Large., players: 2}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  act: {during: turn, do: game.total = 1}
"""
KINDS = """\
kinds:
  player: {things: [ann, ben]}
  game:
    has:
      total: 0..9
"""


def _each(count: int, line: str) -> str:
    return "".join(line.replace("@", str(number)) + "\n" for number in range(count))


def unknown_keys(count: int) -> str:
    return GAME + KINDS + _each(count, "key_@: 1")


def unknown_names(count: int) -> str:
    """As many misspelt names as names that they may be."""
    names = _each(count, "      attr@: 0..9")
    return GAME + KINDS + names + "events:\n" + _each(count, "  e@: {do: game.atr@ = 1}")


def cards(count: int) -> str:
    """Things with a fact and a rule of their own."""
    rule = "{r: {after: start of turn, when: game.total > 3, do: game.total = 1}}"
    things = _each(count, f"      card_@: {{worth: 3, rules: {rule}}}")
    return GAME + KINDS + "  card:\n    facts: {worth: 0..9}\n    things:\n" + things


def statements(count: int) -> str:
    lines = _each(count, "      if game.total > 3: game.total = 1")
    return GAME + KINDS + "events:\n  e:\n    do: |\n" + lines


def definitions(count: int) -> str:
    return GAME + KINDS + "formulas:\n" + _each(count, "  f@: {is: game.total + 1}")


SHAPES: dict[str, Callable[[int], str]] = {
    "unknown keys": unknown_keys,
    "unknown names": unknown_names,
    "cards": cards,
    "statements": statements,
    "definitions": definitions,
}


def seconds(path: Path) -> float:
    began = time.process_time()
    validated(ruleforge.analyse(path))
    return time.process_time() - began


def main() -> None:
    print("seconds of the processor".ljust(28) + "".join(f"{size:>9,}" for size in SIZES))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.yaml"
        for name, shape in SHAPES.items():
            path.write_text(shape(10))
            seconds(path)  # reads the grammar
            found = []
            for size in SIZES:
                path.write_text(shape(size))
                found.append(seconds(path))
            print(name.ljust(28) + "".join(f"{one:>9.2f}" for one in found))


if __name__ == "__main__":
    main()
