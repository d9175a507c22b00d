"""Keywords that nobody gives or takes are printed on their bearers; the others are looked for in play."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleforge

GAME = """\
game: {{id: bearers, title: Bearers, version: "1", text: Keywords., players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  card:
    facts: {{printed: 0..9}}
    things:
      plain: {{printed: 1}}
      great: {{printed: 1, keywords: [big]}}
      teacher:
        printed: 1
        rules:
          teach: {{modify: keywords(c), when: c is plain and {taught}, {change}}}
places:
  table: {{holds: card, starts: cards}}
keywords:
  big:
    text: It is bigger.
    kind: card
    rules:
      bigger: {{modify: power(self), add: 3}}
  small:
    text: It is smaller.
    kind: card
    rules:
      smaller: {{modify: power(self), add: -1}}
formulas:
  power: {{takes: {{c: card}}, is: c.printed, open: true}}
flow:
  - phase: only
    do: finish over
endings: {{over: {{text: It is over.}}}}
"""


@pytest.mark.parametrize(
    ("taught", "change", "wanted"),
    [
        ("true", 'add: "[small]"', (0, 4, 1)),
        ("true", 'add: "[big]"', (4, 4, 1)),
        ("false", 'add: "[big]"', (1, 4, 1)),
        ("true", 'set: "[big, small]"', (3, 4, 1)),
    ],
)
def test_powers(taught: str, change: str, wanted: tuple[int, ...], tmp_path: Path) -> None:
    path = tmp_path / "bearers.yaml"
    path.write_text(GAME.format(taught=taught, change=change), "utf-8")
    for backend in ("python", "reference"):
        state = ruleforge.load(path, backend=backend).start()
        assert tuple(state[f"power({c})"] for c in ("plain", "great", "teacher")) == wanted


def test_a_keyword_that_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "bearers.yaml"
    text = GAME.format(taught="true", change='remove: "[big]"').replace("c is plain", "c is great")
    path.write_text(text, "utf-8")
    state = ruleforge.load(path).start()
    assert [state[f"power({c})"] for c in ("plain", "great", "teacher")] == [1, 1, 1]
