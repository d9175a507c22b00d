"""A refusal inside a window with values of its own still gets an answer."""

from __future__ import annotations

from pathlib import Path

import ruleforge

GAME = """\
game: {id: occasion, title: Occasion, version: "1", text: Windows., players: 2}
kinds:
  player: {things: [ann, ben]}
  card: {facts: {rank: 1..9}, things: {ace: {rank: 1}, king: {rank: 9}}}
  bell: {count: 5}
windows:
  beating: {takes: {rung: bell, than: card}, window: one}
actions:
  beat: {during: beating, choose: {c: in cards where c.rank > than.rank}, do: finish over}
flow:
  - {phase: only, do: "offer beating(bell_5, ace) to ann"}
endings: {over: {text: It is over.}}
"""


def test_what_a_window_refuses_has_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "occasion.yaml"
    path.write_text(GAME, "utf-8")
    state = ruleforge.load(path).start()
    assert [str(c) for c in state.choices] == ["beat king"]
    (reason,) = state.why_not("beat ace")
    assert reason.code == "RF801"
