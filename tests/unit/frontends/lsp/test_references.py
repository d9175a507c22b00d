"""A name is found wherever it is spoken of, by whatever words: in scenarios, contracts, packs and what is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from ruleforge.frontends.lsp.completion import complete
from ruleforge.frontends.lsp.rename import renamed
from ruleforge.frontends.lsp.workspace import View, Workspace
from ruleforge.lang.source.tree import MappingNode, SequenceNode
from ruleforge.support.diagnostics import Edit
from ruleforge.support.diagnostics.diagnostic import apply_edits
from ruleforge.support.resources import shipped_games
from ruleforge.tools.project_files.scenario_names import SPECIAL
from tests.unit.frontends.lsp.client import GAMES
from tests.unit.frontends.lsp.test_lookup import view_of

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


FILES = {
    "game.yaml": GAME,
    "scenarios/brewing.yaml": SCENARIO,
    "expansions/milk/pack.yaml": PACK,
    "scenarios/milk.yaml": WITH_PACK,
}


def laid(folder: Path, files: Mapping[str, str]) -> Workspace:
    """A game and its pack, all of it looked at."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    workspace = Workspace().edited(folder / "game.yaml", files["game.yaml"])
    return workspace.looked_at(*workspace.roots)


@pytest.fixture
def tea(tmp_path: Path) -> Workspace:
    return laid(tmp_path, FILES)


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
        path: apply_edits(tea.text_of(path), changes[0][0].file, [Edit(*change) for change in changes])
        for path, changes in edits.items()
    }
    after = tea.with_texts(texts).looked_at(*tea.roots)
    assert _said(after) == _said(tea)


# Names and words in all that an author writes beside effects; with the names of the others they are halved one by one.
MORE = {
    "more.yaml": """\
layout:
  boxes: [leaf]
  kinds:
    player: {shows: [coins, wealth], of: {coins: price}}
    leaf: {symbols: {sage: [S, s]}}
  quiet: [player.gems]
formulas:
  wealth: {takes: {p: player}, is: "sum(n for n in 1..price) + (p.coins if not p.coins is 0 else 1)", sees: true}
  strong: {takes: {l: leaf, all_of: set of leaf}, is: l in pot and l in all_of and not false}
rules:
  cold: {after: steep(brew), do: "new mark(kept = brew)"}
  late: {after: end of serving, do: skip}
  sparing: {forbid: move leaf from pot to tin, text: It stays.}
manners: {gently: {during: serving}}
actions:
  wait: {manner: gently, limit: once per serving, hint: "{me.coins} coins, {price} a cup", do: skip}
""",
    "contract.yaml": """\
locked: "1.0"
default: open
otherwise: [T-1]
guards:
  - {of: [player.coins, leaf from tin into pot, brew, brew.price, wealth], cites: [T-1]}
holds: [{that: "all(p.coins >= 0 for p in players)", cites: [T-1]}]
""",
    "rulebook.yaml": """\
game: tea
title: Tea
summary: Tea.
players: [2, 2]
clauses: [{id: T-1, section: One, kind: win, rule: Somebody wins.}]
""",
}


def test_every_name_is_offered_where_it_stands_half_written(tmp_path: Path):
    """In rules, layout, contract, scenarios, pack, and in the holes of what is told."""
    tea = laid(tmp_path, {**FILES, **MORE})
    found, missed = 0, []
    for view in tea.views.values():
        files = [path for path in view.contents if view.root.pack is None or view.root.pack in path.parents]
        for path in files:
            for line, column, word in _named(view, path):
                found += 1
                if word not in _offered(tea, path, line, column, word):
                    missed.append((path.name, line, column, word))
    assert found > 120
    assert missed == []


def _named(view: View, path: Path) -> Iterator[tuple[int, int, str]]:
    """Every place of a file that names something, or has a word of the language in an effect."""
    lines = view.contents[path].split("\n")
    for symbol, span in view.index.everywhere(path):
        if span != symbol.span and span.line == span.end_line:
            yield span.line, span.column, lines[span.line - 1][span.column - 1 : span.end_column - 1]
    for number, line in enumerate(lines, 1):
        for word in _WORDS.finditer(line):
            yield number, word.start() + 1, word[0]


_WORDS = re.compile(r"(?<![\w{])(?:and|not|else|sum|false|gently)(?!\w)|(?<=per )serving|(?<=set )of")


def _offered(workspace: Workspace, path: Path, line: int, column: int, word: str) -> set[str]:
    """What may be written behind the first half of a word."""
    lines = workspace.text_of(path).split("\n")
    text, kept = lines[line - 1], (len(word) + 1) // 2
    lines[line - 1] = text[: column - 1 + kept] + text[column - 1 + len(word) :]
    after = workspace.edited(path, "\n".join(lines))
    root = after.homes[path]
    assert root is not None
    found = complete(after.looked_at(root).views[root], path, (line, column + kept))
    return {part for s in found for part in (s.word, s.word.rpartition(".")[2])}


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
