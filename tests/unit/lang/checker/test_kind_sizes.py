"""The plural of a kind, where a constant is wanted, is the number of its things; packs let it grow."""

import pytest

import ruleforge

RULES = """
game: {id: pond, title: Pond, version: "1.0", players: 2}
numbers: {twice: 2 * cards}
kinds:
  player: {things: [ann, ben], has: {score: 0..cards}}
  card: {things: {newt: {copies: 2}, frog: {}}}
  mark: {pool: cards, has: {of_card: card}}
  note: {pool: twice}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  add: {during: turn, choose: {c: in cards}, do: new mark(of_card = c); new note(); new note()}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""
PACK = """
pack: {id: toads, title: Toads, version: "1.0", for: {core: pond, versions: "1.x"}}
kinds: {card: {things: {toad: {copies: 2}}}}
"""


@pytest.fixture
def pond(tmp_path):
    (tmp_path / "pond" / "expansions" / "toads").mkdir(parents=True)
    (tmp_path / "pond" / "game.yaml").write_text(RULES)
    (tmp_path / "pond" / "expansions" / "toads" / "pack.yaml").write_text(PACK)
    return tmp_path / "pond"


def sizes(analysis):
    assert analysis.complete, [d.message for d in analysis.diagnostics]
    return {name: len(kind.things) for name, kind in analysis.checked.kinds.items()}


def test_a_pool_is_as_large_as_a_kind(pond):
    found = sizes(ruleforge.analyse(pond))
    assert (found["card"], found["mark"], found["note"]) == (3, 3, 6)


def test_it_grows_with_the_things_of_packs(pond):
    found = sizes(ruleforge.analyse(pond, ["toads"]))
    assert (found["card"], found["mark"], found["note"]) == (5, 5, 10)
    state = ruleforge.load(pond, ["toads"]).start()
    for _ in range(5):
        state.apply("add toad_1")
    assert "all 5 things of the pool" in str(state.why_not("add newt_1")[0])


def test_a_number_cannot_be_called_like_a_plural(pond):
    text = RULES.replace("twice:", "cards:").replace("pool: twice", "pool: 3")
    assert "RF505" in {d.code for d in ruleforge.analyse(pond, overlay={"game.yaml": text}).diagnostics}


def test_a_pool_cannot_measure_a_pool(pond):
    text = RULES.replace("pool: twice", "pool: marks")
    found = ruleforge.analyse(pond, overlay={"game.yaml": text}).diagnostics
    assert [d.code for d in found if d.severity == "error"] == ["RF501"]
