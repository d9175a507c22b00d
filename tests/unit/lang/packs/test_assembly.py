"""A core and packs -> one ruleset: additions, origins, an order that never matters, and every clash with both places."""

from itertools import permutations

import pytest

from ruleforge.lang.model.from_source import ruleset_from_source
from ruleforge.lang.model.pack import pack_from_source
from ruleforge.lang.packs.assembly import assemble
from ruleforge.lang.schema.validate import validate_file
from ruleforge.lang.source import SourceTree, read_yaml
from ruleforge.support.diagnostics import Report

CORE = """
game: {id: marsh, title: Marsh, version: "1.2", players: 2..3}
options: {size: {values: [small, large], default: small}}
numbers: {flies: 3}
kinds:
  player: {things: [ann, ben, cat]}
  card:
    facts: {cost: 0..9}
    has: {marked: flag}
    things: {newt: {cost: 1}, frog: {cost: 2, copies: 2}}
  ring: {rings: [4, 8]}
  token: {count: 3}
  site: {graph: {links: {a: [b], b: [c]}}}
events:
  croak: {takes: {c: card}, do: skip}
  gap: {placeholder: true, do: skip}
setup: skip
flow:
  - phase: turn
    each: me in players
    steps:
      - {phase: draw, do: skip}
      - {phase: act, window: one}
actions:
  go: {during: act, do: skip}
endings: {over: {text: Done.}}
"""


def tree_of(text, file):
    report = Report()
    read = read_yaml(text, file, report)
    assert read is not None and not report.has_errors, [str(d) for d in report]
    return SourceTree(file, (read,))


def core():
    report = Report()
    tree = tree_of(CORE, "core.yaml")
    validate_file(tree.files[0], "ruleset", report)
    ruleset = ruleset_from_source(tree, report)
    assert not report.has_errors, [d.message for d in report]
    return ruleset


def pack(name, text="", head="", versions='"1.x"', game="marsh"):
    target = f"for: {{core: {game}, versions: {versions}}}"
    manifest = f'pack: {{id: {name}, title: The {name}, version: "1.0", {target}{head}}}'
    tree = tree_of(f"{manifest}\n{text}", f"{name}.yaml")
    report = Report()
    validate_file(tree.files[0], "pack", report)
    found = pack_from_source(tree, report)
    assert found is not None and not report.has_errors, [d.message for d in report]
    return found


def assembled(*packs):
    report = Report()
    found = assemble(core(), packs, report)
    assert not report.has_errors, [d.message for d in report]
    return found.whole


def diagnostics(*packs):
    report = Report()
    assemble(core(), packs, report)
    return [(d.code, d.span.file, [note[1].file for note in d.notes]) for d in report]


def kind(whole, name):
    return next(k for k in whole.kinds if k.id == name)


def names(definitions):
    return [d.id for d in definitions]


def test_without_packs_the_whole_is_the_core():
    alone = core()
    assert assemble(alone, (), Report()).whole is alone


def test_things_facts_and_attributes_are_added_to_a_kind():
    whole = assembled(
        pack("moss", "kinds: {card: {things: {toad: {cost: 3}}, has: {wet: flag}, facts: {age: 0..9}}}")
    )
    card = kind(whole, "card")
    assert names(card.things) == ["newt", "frog", "toad"]
    assert names(card.has) == ["marked", "wet"]
    assert names(card.facts) == ["cost", "age"]
    assert [thing.origin for thing in card.things] == ["", "", "moss"]


def test_boards_and_counted_things_grow():
    whole = assembled(
        pack("wide", "kinds: {ring: {rings: [16]}, token: {count: 2}, site: {graph: {links: {c: [d]}}}}")
    )
    assert kind(whole, "ring").rings == (4, 8, 16)
    assert kind(whole, "token").count == 5
    assert [name for name, _ in kind(whole, "site").graph.links] == ["a", "b", "c"]


def test_definitions_of_a_pack_know_it():
    whole = assembled(
        pack("reeds", "rules: {hush: {after: croak(c), do: skip}}\nkinds: {bug: {things: [fly]}}")
    )
    assert [(rule.id, rule.origin) for rule in whole.rules] == [("hush", "reeds")]
    assert kind(whole, "bug").origin == "reeds"
    assert kind(whole, "bug").things[0].origin == "reeds"
    assert all(not event.origin for event in whole.events)


@pytest.mark.parametrize(
    ("side", "flow", "inside"),
    [
        ("before turn", ["dawn", "turn"], ["draw", "act"]),
        ("after turn", ["turn", "dawn"], ["draw", "act"]),
        ("before act", ["turn"], ["draw", "dawn", "act"]),
        ("first in turn", ["turn"], ["dawn", "draw", "act"]),
        ("last in turn", ["turn"], ["draw", "act", "dawn"]),
    ],
)
def test_phases_hang_where_they_say(side, flow, inside):
    whole = assembled(pack("sun", f"flow: [{{at: {side}, phases: [{{phase: dawn, do: skip}}]}}]"))
    assert names(whole.flow) == flow
    assert names(next(p for p in whole.flow if p.id == "turn").steps) == inside


def test_a_phase_can_hang_at_a_phase_of_a_needed_pack():
    sun = pack("sun", "flow: [{at: after turn, phases: [{phase: dawn, do: skip}]}]")
    bird = pack("bird", "flow: [{at: before dawn, phases: [{phase: song, do: skip}]}]", ", needs: [sun]")
    assert names(assembled(bird, sun).flow) == ["turn", "song", "dawn"]


def test_placeholders_options_conditions_and_players():
    whole = assembled(
        pack(
            "deep",
            "fills: {gap: {do: skip}}\nchooses: {size: large}\nholds: {calm: {of: act, that: 'true'}}\nsetup: skip",
            ", players: 4",
        )
    )
    gap = next(e for e in whole.events if e.id == "gap")
    assert gap.filled_by == "deep"
    assert (whole.options[0].default.text, whole.options[0].settled_by) == ("large", "deep")
    assert [text.text for text in whole.flow[0].steps[1].holds] == ["true"]
    assert len(whole.setup) == 2
    assert whole.players == (2, 4)


def test_a_pack_settles_a_number_and_the_game_without_it_is_as_it_was():
    whole = assembled(pack("swarm", "chooses: {flies: 9}"))
    assert [(n.id, n.value.text, n.settled_by) for n in whole.numbers] == [("flies", "9", "swarm")]
    assert core().numbers[0].value.text == "3"


def test_the_order_of_packs_never_matters():
    packs = (
        pack(
            "ant",
            "kinds: {card: {things: {mite: {cost: 1}}}}\nflow: [{at: after turn, phases: [{phase: dusk, do: skip}]}]",
        ),
        pack(
            "bee",
            "kinds: {card: {things: {drone: {cost: 1}}}}\nflow: [{at: after turn, phases: [{phase: noon, do: skip}]}]",
        ),
        pack("cow", "setup: skip", ", needs: [ant]"),
    )
    assert len({repr(assembled(*order)) for order in permutations(packs)}) == 1
    assert names(assembled(*packs).flow) == ["turn", "dusk", "noon"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("events: {croak: {do: skip}}", "RF333"),
        ("kinds: {card: {things: {newt: {cost: 2}}}}", "RF333"),
        ("kinds: {card: {facts: {cost: 0..3}}}", "RF333"),
        ("kinds: {card: {plural: pack_of_cards}}", "RF333"),
        ("kinds: {ring: {things: [x]}}", "RF333"),
        ("kinds: {player: {count: 2}}", "RF333"),
        ("fills: {croak: {do: skip}}", "RF339"),
        ("fills: {grap: {do: skip}}", "RF340"),
        ("chooses: {sice: large}", "RF340"),
        ("holds: {calm: {of: tern, that: 'true'}}", "RF340"),
        ("flow: [{at: after tern, phases: [{phase: x, do: skip}]}]", "RF340"),
    ],
)
def test_a_pack_that_says_anew_what_the_game_says_is_refused_with_both_places(text, code):
    assert diagnostics(pack("bad", text)) == [(code, "bad.yaml", ["core.yaml"])]


@pytest.mark.parametrize(
    ("packs", "code"),
    [
        ([pack("a", game="moor")], "RF330"),
        ([pack("a", versions='"2.x"')], "RF331"),
        (
            [
                pack("a", "places: {pond: {holds: card}}", ", needs: [b]"),
                pack("b", "places: {pond: {holds: card}}"),
            ],
            "RF334",
        ),
        ([pack("a", "fills: {gap: {do: skip}}"), pack("b", "fills: {gap: {do: skip}}")], "RF335"),
        ([pack("a", "chooses: {size: large}"), pack("b", "chooses: {size: small}")], "RF335"),
        ([pack("a", "chooses: {flies: 4}"), pack("b", "chooses: {flies: 5}")], "RF335"),
        ([pack("a", "", ", needs: [b]")], "RF336"),
        ([pack("a", "", ", excludes: [b]"), pack("b")], "RF337"),
        ([pack("a", "", ", needs: [b]"), pack("b", "", ", needs: [a]")], "RF338"),
    ],
)
def test_packs_that_do_not_go_together(packs, code):
    assert [found for found, _, _ in diagnostics(*packs)] == [code]
    assert [found for found, _, _ in diagnostics(*reversed(packs))] == [code]


def test_two_packs_may_settle_an_option_alike():
    assert assembled(pack("a", "chooses: {size: large}"), pack("b", "chooses: {size: large}"))
