"""A name is found wherever it is spoken of, by whatever words: in scenarios, contracts, packs and what is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ruleforge.beside.known import SPECIAL
from ruleforge.diagnostics import Edit
from ruleforge.diagnostics.fix import mended
from ruleforge.frontends.editor.renaming import renamed
from ruleforge.frontends.editor.workspace import View, Workspace
from ruleforge.resources import shipped_games
from ruleforge.source.tree import MappingNode, SequenceNode
from tests.unit.frontends.editor.speaking import GAMES
from tests.unit.frontends.editor.test_names import view_of

GAME = """\
game: {id: tea, title: Tea, version: "1.0", players: 2}
options:
  rounds: {type: 1..9, default: 3, text: How long.}
kinds:
  player: {things: [ann, ben], has: {coins: 0..99 = 9, gems: 0..99 = 9}}
  leaf:
    plural: leaves
    things: {mint: {copies: 3, strength: 2}, sage: {strength: 1, keywords: [warm]}}
    facts: {strength: 0..9}
    has: {drunk: flag}
  cup: {count: 4, has: {full: flag}}
  mark: {pool: 5, has: {kept: leaf or none}}
setup: "for l in leaves: move l to tin"
places:
  tin: {holds: leaf}
  pot: {holds: leaf}
numbers: {price: 4}
formulas:
  taste: {takes: {l: leaf}, is: l.strength * 2}
events:
  steep:
    takes: {brew: leaf}
    tells: "{brew} is steeped, {then brew.drunk ? well : badly}."
    do: |
      rest()
      let luck = 0
      luck = roll 1d6
      if luck > 0: move brew to pot
  rest: {placeholder: true, do: skip}
keywords:
  warm: {kind: leaf, text: Warm.}
flow:
  - {phase: serving, each: me in players, repeat: true, window: one}
actions:
  brew:
    during: serving
    tells: "{me} brews {drop}."
    cost: pay price from me.coins or me.gems
    choose:
      drop: in tin where drop.strength > 0
    do: steep(drop)
  note: {during: serving, choose: {kept: in pot}, do: new mark(kept = kept)}
rules:
  drinking: {after: move leaf to pot, do: it.drunk = true}
  counting: {after: set leaf.drunk, do: "if count(l in pot) is 4: finish over for ann"}
endings:
  over: {text: Over.}
"""
SCENARIO = """\
scenario: brewing
start: {"{l in leaves where l.strength is 2}.drunk": true, cup_2.full: true}
dice: [3]
steps:
  - expect: {decision.kind: serving, sage.strength: 1, sage.keywords: [warm]}
  - expect: {"taste(sage) + taste(mint_1)": 6, "count(l in tin)": 4}
  - ann: brew mint_2 coins 3
  - refuse: {player: ben, choice: brew mint_9 coins 3, code: RF805}
"""

PACK = """\
pack:
  id: milk
  title: Milk
  version: "1.0"
  for: {core: tea, versions: "1.x"}
flow:
  - {at: after serving, phases: [{phase: cooling, do: skip}]}
fills: {rest: {do: skip}}
chooses: {rounds: 4, price: 5}
holds: {strong: {of: brew, that: me.coins >= 0}, stronger: {of: serving, that: me.gems >= 0}}
kinds:
  leaf: {things: {oat: {strength: 1}}}
"""
WITH_PACK = """\
scenario: with milk
with: [milk]
steps:
  - expect: {oat.strength: 1}
"""


@pytest.fixture
def tea(tmp_path: Path) -> Workspace:
    """A game and its pack, all of it looked at."""
    pack = Path("expansions", "milk")
    files = {Path("game.yaml"): GAME, Path("scenarios", "brewing.yaml"): SCENARIO, pack / "pack.yaml": PACK}
    for name, text in {**files, Path("scenarios", "milk.yaml"): WITH_PACK}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    workspace = Workspace().edited(tmp_path / "game.yaml", GAME)
    return workspace.looked_at(*workspace.roots)


RENAMED = [  # what, name, and at how many places; `mint_9` is none of the three
    ("thing", "mint", 3),
    ("thing", "sage", 4),
    ("thing", "oat", 2),
    ("kind", "cup", 2),
    ("kind", "mark", 2),
    ("fact", "strength", 9),
    ("attribute", "drunk", 5),
    ("attribute", "kept", 2),
    ("attribute", "coins", 5),
    ("keyword", "warm", 3),
    ("formula", "taste", 3),
    ("event", "rest", 3),
    ("option", "rounds", 2),
    ("number", "price", 3),
    ("phase", "serving", 6),
    ("action", "brew", 4),
    ("place", "tin", 4),
    ("local", "brew", 4),
    ("local", "luck", 3),
    ("local", "drop", 4),
    ("local", "kept", 2),
]


@pytest.mark.parametrize(("what", "name", "times"), RENAMED, ids=[f"{w}-{n}" for w, n, _ in RENAMED])
def test_a_name_is_changed_wherever_it_is_spoken_of(what: str, name: str, times: int, tea: Workspace):
    """Nothing refuses the new name: the game, its scenarios and its pack are as right as before."""
    assert not [d for view in tea.views.values() for d in view.diagnostics if d.severity == "error"]
    views = list(tea.views.values())
    symbols = [s for view in views for s in view.index.uses if (s.what, s.name) == (what, name)]
    edits = renamed(tea, views, symbols[0], "quite_new")
    assert sum(map(len, edits.values())) == times
    texts = {
        path: mended(tea.text_of(path), changes[0][0].file, [Edit(*change) for change in changes])
        for path, changes in edits.items()
    }
    after = tea.with_texts(texts).looked_at(*tea.roots)
    assert _said(after) == _said(tea)


def _said(workspace: Workspace) -> list[str]:
    return [d.code for view in workspace.views.values() for d in view.diagnostics]


def test_a_place_that_is_named_twice_in_a_target():
    view = view_of(shipped_games()["soul-gems"] / "contract.yaml")
    (gem,) = (symbol for symbol in view.index.uses if (symbol.what, symbol.name) == ("place", "gem"))
    lines = [span.line for span in view.index.uses[gem] if span.file.endswith("contract.yaml")]
    assert any(lines.count(line) == 2 for line in lines)


def test_what_is_built_in_is_no_place_to_go_to():
    view = view_of(shipped_games()["splicers"] / "game.yaml")
    spans = [
        span for known in (view.index.uses, view.index.hints) for found in known.values() for span in found
    ]
    assert all(Path(span.file).absolute() in view.contents for span in spans)


@pytest.mark.parametrize("name", GAMES)
def test_every_name_in_what_scenarios_ask_is_known(name: str):
    """Whatever a scenario puts or asks: a path, a formula, an expression with names of its own."""
    view = view_of(shipped_games()[name] / "game.yaml")
    checked = view.found.analysis.checked
    assert checked is not None
    sorts = ("fact", "attribute", "formula", "place")
    names = {declared.name for declared in checked.names.declared if declared.what in sorts}
    found = 0
    for path, line, column, text in _asked(view):
        for word in re.finditer(r"(?<=\.)[a-z]\w*|[a-z]\w*(?=\()", text):
            if word[0] in names and not text.startswith(SPECIAL):
                found += 1
                assert view.index.at(path, (line, column + word.start())), (path, line, text, word[0])
    assert found > 50


def _asked(view: View) -> Iterator[tuple[Path, int, int, str]]:
    """The texts that scenarios of a game alone ask for, each with its place."""
    for file in (file.source for file in view.found.beside.folders[0].scenarios):
        if file is None or file.root.get("with") is not None:
            continue
        steps = file.root.get("steps")
        items = steps.items if isinstance(steps, SequenceNode) else ()
        parts = (
            item.get(key) for item in items if isinstance(item, MappingNode) for key in ("expect", "given")
        )
        for entry in (entry for part in parts if isinstance(part, MappingNode) for entry in part):
            if entry.key.origin is not None:
                line, column = entry.key.origin.starts[0]
                yield Path(entry.key.span.file).absolute(), line, column, entry.name


@pytest.mark.parametrize("name", GAMES)
def test_one_file_alone_has_the_names_that_it_has_among_all(name: str):
    """What is asked at every keystroke is asked of one file; the answers are those of the whole game."""
    view = view_of(shipped_games()[name] / "game.yaml")
    for path in sorted(view.contents)[::9]:
        among_all = sorted(view.index.everywhere(path), key=repr)
        assert sorted(view.index_in(path).everywhere(path), key=repr) == among_all
