"""Being asked is information: where hidden things decide whether there is something to choose, one is asked anyway."""

from __future__ import annotations

import pytest

import ruleforge

GAME = """\
game: {id: lake, title: Lake, version: "1.0", text: Fishing., players: 2}
kinds:
  player:
    things: [ann, ben]
    has:
      fished: 0..9
      mood: {type: 0..9, sees: viewer is self}
  colour: {things: [red, blue]}
  fish:
    facts: {colour: colour, size: 1..9}
    has: {marked: {type: flag, sees: viewer is self.holder}}
    things:
      carp: {colour: red, size: 5}
      tench: {colour: red, size: 2}
      pike: {colour: blue, size: 3}
      roach: {colour: blue, size: 4}
places:
  pond: {holds: fish, ordered: true, sees: false, starts: fishs}
  hand: {of: {holder: player}, holds: fish, sees: viewer is holder}
  bank: {holds: fish}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
  - {phase: last, do: finish over}
windows:
  bite: {text: A fish may be laid down., window: maybe}
  regular_bite: {text: Everybody is asked., window: maybe, ask: always}
  open_bite: {text: Who has no fish is not asked., window: maybe, ask: when there is a choice}
actions:
  lay: {during: [bite, regular_bite, open_bite], choose: {f: in me.hand where f.colour is red}, do: move f to bank}
endings: {over: {text: Evening.}}
"""
QUESTIONS: dict[
    str, tuple[list[str], list[str], list[str]]
] = {  # what ben is asked: with something to choose, with nothing, and with nothing as all can see
    "p may choose f in p.hand where f.colour is red: move f to bank": (["carp", "decline"], ["decline"], []),
    "p may openly choose f in p.hand where f.colour is red: move f to bank": (["carp", "decline"], [], []),
    "p may choose any number of f in p.hand such that sum(x.size for x in f) > 4: p.mood += 1": (
        ["carp", "decline"],
        ["decline"],
        [],
    ),
    "p chooses any number of f in p.hand where f.colour is red: p.mood += 1": (
        ["carp", "done"],
        ["done"],
        [],
    ),
    "p may choose up to 2 f in p.hand where f.colour is red: p.mood += 1": (
        ["carp", "done", "decline"],
        ["done", "decline"],
        [],
    ),
    "offer bite() to p": (["lay carp", "done"], ["done"], []),
    "offer regular_bite() to p": (["lay carp", "done"], ["done"], ["done"]),
    "offer open_bite() to p": (["lay carp", "done"], [], []),
    "p chooses f in p.hand where f.colour is red: move f to bank": (["carp"], [], []),
    "p chooses f in p.hand where f.colour is red: f.marked = true": (["carp"], ["nothing"], []),
    "p openly chooses f in p.hand where f.colour is red: f.marked = true": (["carp"], [], []),
    "p picks: {mark if any(f in p.hand where f.colour is red): p.mood += 1}": (["mark"], ["nothing"], []),
    "p openly picks: {mark if any(f in p.hand where f.colour is red): p.mood += 1}": (["mark"], [], []),
    "each q in players secretly chooses f in q.hand where f.colour is red: move f to bank": (
        ["carp"],
        ["nothing"],
        [],
    ),
}
HANDS: tuple[list[str], ...] = (["carp"], ["pike"], [])


def text() -> str:
    actions, events = ["actions:"], ["events:"]
    for number, question in enumerate(QUESTIONS):
        body = question.replace(": {", ":\n        ").replace("}", "")
        actions.append(f"  act{number}: {{during: turn, do: ask{number}(opponent)}}")
        events.append(
            f"  ask{number}:\n    takes: {{p: player}}\n    do: |\n      {body}\n      p.fished += 1"
        )
    return GAME.replace("actions:", "\n".join((*events, *actions)))


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_asked_if_there_could_be_something_for_all_that_others_know(tmp_path, backend):
    (tmp_path / "game.yaml").write_text(text(), "utf-8")
    start = ruleforge.load(tmp_path, backend=backend).start(seed=1)
    for number, (question, answers) in enumerate(QUESTIONS.items()):
        for hand, wanted in zip(HANDS, answers, strict=True):
            pond = [fish for fish in ("carp", "tench", "pike", "roach") if fish not in hand]
            state = start.patched({"ben.hand": hand, "ann.hand": [], "pond": pond})
            state.apply(f"act{number}")
            decision = state.decision
            assert decision is not None
            asked = decision.player == "ben" and decision.kind != "turn"
            assert ([choice.text for choice in state.choices] if asked else []) == wanted, (question, hand)
            if asked:
                before, last = state.copy(), state.choices[-1]
                state.apply(last)
                if last.text == "nothing":
                    assert before.tell(last, state, "ann") == "?"
            assert state["ben.fished"] == (state["decision.kind"] == "turn")
