"""Words that nobody declares: what is said of those of the language and of boards, and what may follow them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleforge.frontends.lsp.completion import complete
from ruleforge.frontends.lsp.hover import hover
from ruleforge.frontends.lsp.workspace import View, Workspace
from ruleforge.support.resources import data_root

HERE = "¦"
BORDERS, TRACKS = "tests/rulesets/borders/game.yaml", "tests/rulesets/tracks/game.yaml"
SPELLS, HINTS, TEAMS = (
    "examples/spell-duel/game.yaml",
    "examples/fireworks/game.yaml",
    "examples/euchre/game.yaml",
)


def opened(file: str, old: str, new: str) -> tuple[View, Path, tuple[int, int]]:
    """A file with a text in place of another, and the place in it that is marked."""
    path = data_root() / file
    whole = path.read_text("utf-8")
    assert old in whole
    marked = whole.replace(old, new, 1)
    before = marked.partition(HERE)[0]
    workspace = Workspace().edited(path, marked.replace(HERE, ""))
    root = workspace.homes[path]
    assert root is not None
    place = before.count("\n") + 1, len(before) - before.rfind("\n")
    return workspace.looked_at(root).views[root], path, place


HOVERED = [
    (BORDERS, "¦across w in walls", "crosses matching edges alone"),
    (BORDERS, "¦linked([a], [b], r", "true if a path"),
    (BORDERS, "¦reached([a], r in", "the set of all matching cells"),
    (BORDERS, "¦wall(a, b) where", "the edge between two"),
    (BORDERS, "¦wall(a, b) where", "edges of `room`"),
    (BORDERS, "¦post(r, d)", "corners of `room`"),
    (BORDERS, "¦cube(4 - c.column", "cube(column, row, level)"),
    (BORDERS, "w.¦side in", "on which side of its first cell"),
    (BORDERS, "sum(f.yields for f in c.¦fields)", "camp.fields: set of field"),
    (BORDERS, "c.¦level + 1", "how high it lies"),
    (BORDERS, "ray(c, ¦up)", "a direction"),
    (BORDERS, "¦edges: {of: room", "edges between the cells"),
    (BORDERS, "¦corners: room", "corners of the cells"),
    (BORDERS, "¦levels: 3", "above one another"),
    (TRACKS, "step(s, ¦ahead", "a direction"),
    (TRACKS, "¦track:\n", "in a row"),
    (TRACKS, 'is: "p.¦row[k]"', "row of keeper: player"),
    (SPELLS, "¦twins(", "copies of one printed thing"),
    (HINTS, "¦show ", "a part of a thing alone"),
]


@pytest.mark.parametrize(("file", "marked", "said"), HOVERED, ids=[case[1].strip() for case in HOVERED])
def test_a_word_is_explained_where_it_stands(file: str, marked: str, said: str):
    found = hover(*_asked(*opened(file, marked.replace(HERE, ""), marked)))
    assert found is not None and said in found[0]


def _asked(view: View, path: Path, place: tuple[int, int]) -> tuple[View, list[View], Path, tuple[int, int]]:
    return view, [], path, place


def test_words_of_the_language_are_only_in_effects():
    """In the words for people they are words like others."""
    for marked in ("text: Into a room beside one's own with ¦no wall between.", "  text: Walls ¦part rooms"):
        assert hover(*_asked(*opened(BORDERS, marked.replace(HERE, ""), marked))) is None


ASKING, DECIDING, MAKING = (
    f"tests/rulesets/{name}/game.yaml" for name in ("asking", "decisions", "components")
)
FOLLOWING = [
    (BORDERS, "across w in walls where not w.built", "across w in ¦", {"walls", "streets"}),
    (BORDERS, "is: c.jump", "is: c.¦", {"jump", "north", "level", "trios"}),
    (BORDERS, "is: w.posts", "is: w.¦", {"posts", "rooms", "side", "built"}),
    (BORDERS, "is: w.posts", "is: w¦", {"wall", "post", "cube"}),
    (BORDERS, "r in rooms across w", "r in rooms ¦ w", {"across", "where", "until"}),
    (TRACKS, "p.row[k]", "p.row[k].¦", {"sound"}),
    (TRACKS, "step(s, p.home)", "step(s, ¦)", {"ahead", "back", "shed"}),
    (ASKING, "during(help)", "during(¦)", {"climb", "descent", "help"}),
    (ASKING, "can_act(opponent, climb)", "can_act(opponent, ¦)", {"climb", "help", "leap"}),
    (ASKING, "leave climb", "leave ¦", {"climb", "descent"}),
    (DECIDING, "offer dodge", "offer ¦", {"dodge"}),
    (MAKING, "let f = new rag", "let f = new ¦", {"rag"}),
    ("tests/rulesets/history/game.yaml", "remember painting", "remember ¦", {"painting"}),
    ("tests/rulesets/teams/game.yaml", "finish landed for me.team", "finish landed for me.¦", {"team"}),
]


@pytest.mark.parametrize(("file", "old", "new", "some"), FOLLOWING, ids=[case[2] for case in FOLLOWING])
def test_what_may_follow(file: str, old: str, new: str, some: set[str]):
    assert some <= {s.word for s in complete(*opened(file, old, new))}


@pytest.mark.parametrize("name", ["kinds", "thing"])
def test_keys_of_boards_and_of_things_made_in_play(name: str):
    keys = {"kinds": {"edges", "corners", "track", "graph", "rings", "pool"}, "thing": {"pool", "copies"}}
    places = {
        "kinds": (BORDERS, "  post: {corners: room}", "  post:\n    ¦\n"),
        "thing": (MAKING, "    things:\n", "    things:\n      odd:\n        ¦\n"),
    }
    assert keys[name] <= {s.word for s in complete(*opened(*places[name]))}
