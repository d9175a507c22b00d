"""Nearest names."""

import pytest

from ruleforge.support.spelling import did_you_mean, is_id, listed, nearest, with_article


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("hnd", "hand"),
        ("dekc", "deck"),
        ("discards", "discard"),
        ("Hand", "hand"),
        ("zebra", None),
        ("x", None),
    ],
)
def test_nearest(word, found):
    assert nearest(word, ["hand", "deck", "discard"]) == found


def test_nearest_does_not_depend_on_the_order_of_the_candidates():
    assert nearest("car", ["cart", "card"]) == nearest("car", ["card", "cart"])


def test_sentences():
    assert did_you_mean("hnd", ["hand"]) == "did you mean `hand`?"
    assert did_you_mean("hnd", []) is None
    assert listed(["a"]) == "`a`"
    assert listed(["a", "b", "c"]) == "`a`, `b` or `c`"
    assert (with_article("orb"), with_article("card")) == ("an orb", "a card")


@pytest.mark.parametrize(
    "spoken",
    [
        *("a unit", "a unique card", "an uninvited guest", "an urn", "a use", "an hour", "a house"),
        *("a one_way street", "an only child", "a euro", "an `action`", "a `unit`", "an Orb"),
    ],
)
def test_the_article_goes_by_how_a_word_is_spoken(spoken):
    assert with_article(spoken.partition(" ")[2]) == spoken


@pytest.mark.parametrize(
    ("word", "good"), [("a1", True), ("_a", False), ("A", False), ("a\n", False), ("a-b", False)]
)
def test_ids(word, good):
    assert is_id(word) is good
