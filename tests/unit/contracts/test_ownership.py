"""Whose a thing is, in many spellings: own pieces may be called back, others may not."""

import pytest

import ruleforge

PACK = """pack: {id: recall, title: Recall, version: "1.0", kind: cards, for: {core: soul-gems, versions: "0.x"}}
formulas:
  of_mine: {takes: {who: player, p: piece}, is: owner(p) is who and p.form is not king}
actions:
  recall:
    during: main_two
    CHOOSE
    cost: activate(me)
    do: |
      EFFECT
"""
OWN = [
    ("choose: {p: in occupant where owner(p) is me and p.form is not king}", "move p to me.gem"),
    ("choose: {p: in occupant where p.colour.side is me and p.form is pawn}", "move p to owner(p).gem"),
    ("choose: {p: in occupant where not (owner(p) is not me) and p.form is pawn}", "move p to me.gem"),
    ("choose: {p: in occupant where me is owner(p) and p.form is rook}", "move p to me.gem"),
    ('choose: {p: "in occupant where of_mine(me, p)"}', "move p to me.gem"),
    ("", "for p in occupant where owner(p) is me and p.form is pawn: move p to me.gem"),
    ("", "for p in first(x in occupant where owner(x) is me and x.form is pawn): move p to me.gem"),
    (
        "",
        "let p = first(x in occupant where owner(x) is me and x.form is pawn)\n"
        "      if p is not none: move p to me.gem",
    ),
    ("", "me may choose p in occupant where owner(p) is me and p.form is pawn: move p to me.gem"),
    (
        "choose: {s: in squares where s.occupant is not none and owner(s.occupant) is me and s.occupant.form is pawn}",
        "move s.occupant to me.gem",
    ),
    (
        "",
        "for p in occupant where p.form is pawn:\n        if owner(p) is me: move p to me.gem",
    ),
]
OTHERS = [
    ("choose: {p: in occupant where p.form is pawn}", "move p to me.gem"),
    ("choose: {p: in occupant where owner(p) is not me and p.form is pawn}", "move p to me.gem"),
    ("choose: {p: in occupant where owner(p) is opponent and p.form is pawn}", "move p to me.gem"),
    ("choose: {p: in occupant where owner(p) is me and p.form is pawn}", "move p to opponent.gem"),
    ("choose: {p: in occupant where owner(p) is me or p.form is pawn}", "move p to me.gem"),
    ("", "for p in occupant where p.form is pawn: move p to owner(p).gem"),
    ("", "for p in first(x in occupant where x.form is pawn): move p to me.gem"),
    ("choose: {p: in opponent.gem where owner(p) is me}", "move p to me.gem"),
]


def verdict(tmp_path, choose, effect):
    folder = tmp_path / "recall"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK.replace("CHOOSE", choose).replace("EFFECT", effect))
    found = ruleforge.judge(folder)
    return found.verdict, [fault.why for fault in found.faults]


@pytest.mark.parametrize(("choose", "effect"), OWN)
def test_own_pieces_are_known_for_own(tmp_path, choose, effect):
    assert verdict(tmp_path, choose, effect) == ("accepted", [])


@pytest.mark.parametrize(("choose", "effect"), OTHERS)
def test_what_may_be_anothers_is_not_own(tmp_path, choose, effect):
    told, whys = verdict(tmp_path, choose, effect)
    assert (told, len(whys)) == ("rejected", 1), whys
