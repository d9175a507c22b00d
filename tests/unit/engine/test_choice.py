"""Choice texts are distinct in one list, stably."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ruleforge.compiler.ir import KindInfo, Option, Part, Site
from ruleforge.engine.choice import SMALL, Wording

KINDS = (
    KindInfo("player", "players", ("none", "ann", "ben")),
    KindInfo("card", "cards", ("none", "ann", "sun")),
)


def wording(*options: Option) -> Wording:
    program: Any = SimpleNamespace(kinds=KINDS, actions=())
    return Wording(program, Site(1, "turn", "turn", "list", options))


def texts(words: Wording) -> list[str]:
    codes = range(max(o.option.first + o.option.count for o in words.phrases))
    return [str(words.choices[code]) for code in codes]


def test_word_and_parts_in_mixed_radix():
    found = wording(Option(0, 6, "give", (Part(2, 0), Part(3, None, 5))))
    assert texts(found) == [f"give {who} {n}" for who in ("ann", "ben") for n in (5, 6, 7)]
    assert found.choices[4].arguments == ("ben", "6")


def test_things_of_the_same_name_are_told_apart_by_kind():
    found = wording(Option(0, 2, "pick", (Part(2, 0),)), Option(2, 2, "pick", (Part(2, 1),)))
    assert texts(found) == ["pick ann", "pick ben", "pick card.ann", "pick card.sun"]


def test_equal_words_are_numbered():
    found = wording(Option(0, 1, "pass", ()), Option(1, 1, "pass", ()), Option(2, 1, "pass", ()))
    assert texts(found) == ["pass", "pass#2", "pass#3"]


def test_options_that_cannot_meet_are_left_alone():
    found = wording(Option(0, 2, "pick", (Part(2, 0),)), Option(2, 3, "pick", (Part(3, None, 1),)))
    assert texts(found) == ["pick ann", "pick ben", "pick 1", "pick 2", "pick 3"]


def test_choices_of_large_sites_are_made_when_met_and_kept():
    found = wording(Option(0, SMALL * 10, "go", (Part(SMALL * 10, None, 0),)))
    assert found.choices[SMALL + 5].text == f"go {SMALL + 5}"
    assert found.choices[SMALL + 5] is found.choices[SMALL + 5]
    assert len(found.choices) == 1
