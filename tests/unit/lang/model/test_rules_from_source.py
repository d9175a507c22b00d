"""Rules, keywords, printed rules and actions, boards, windows, watched endings: from YAML to the model."""

import pytest

from ruleforge.lang.schema import validate_file
from ruleforge.lang.source import read_yaml
from ruleforge.support.diagnostics import Report
from tests.unit.lang.model.test_from_source import good, only, read


def text_of(source) -> str | None:
    return source.text if source is not None else None


def texts_of(sources) -> list[str]:
    return [source.text for source in sources]


def shaped(text: str) -> str:
    """The text, after the schema has found nothing wrong with it."""
    report = Report()
    file = read_yaml(text, "f.yaml", report)
    assert file is not None
    validate_file(file, "ruleset", report)
    assert list(report) == []
    return text


RULES = """
rules:
  fall:
    text: It falls.
    cites: [M-1]
    after: drop(c)
    when: c.up
    works: game.round > 1
    before: {was: c.place, owner: c.owner}
    may: true
    who: c.owner
    limit: once per turn
    cost: |
      pay 1 from me.gold
    do: |
      c.up = false
  shield: {instead of: "hurt(c, n)", do: skip}
  calm: {forbid: end of turn, when: game.round is 1}
  strong: {modify: power(c), add: 2}
  fixed: {modify: power(c), set: 0}
  mute: {modify: words(c), remove: [hunt, prowl]}
  gone: {always: c in cards where c.life < 1, do: drop(c)}
"""


def test_rules_of_every_form():
    rules = good(shaped(RULES)).rules
    fall, shield, calm, strong, fixed, mute, gone = rules
    assert (fall.text, fall.cites, fall.may) == ("It falls.", ("M-1",), True)
    assert [text_of(t) for t in (fall.after, fall.when, fall.works, fall.who, fall.limit)] == [
        "drop(c)",
        "c.up",
        "game.round > 1",
        "c.owner",
        "once per turn",
    ]
    assert [(name, value.text) for name, value in fall.before] == [("was", "c.place"), ("owner", "c.owner")]
    assert (text_of(fall.cost), text_of(fall.do)) == ("pay 1 from me.gold\n", "c.up = false\n")
    assert (text_of(shield.instead_of), text_of(shield.do), shield.may) == ("hurt(c, n)", "skip", False)
    assert (text_of(calm.forbid), text_of(calm.when)) == ("end of turn", "game.round is 1")
    assert (text_of(strong.modify), text_of(strong.add)) == ("power(c)", "2")
    assert (text_of(fixed.set), text_of(mute.remove)) == ("0", "[hunt, prowl]")
    assert (text_of(gone.always), text_of(gone.do)) == ("c in cards where c.life < 1", "drop(c)")


def test_a_place_inside_a_rule_is_kept():
    (rule,) = good("rules:\n  fall:\n    instead of: drop(c)\n    do: skip\n").rules
    assert rule.instead_of is not None
    assert str(rule.instead_of.span_at(1, 6, 1, 7)) == "f1.yaml:3:22"


def test_rules_of_several_files_are_joined_and_named_once():
    first, second = "rules: {a: {forbid: go()}}\n", "rules: {b: {forbid: go()}}\n"
    assert [rule.id for rule in good(first, second).rules] == ["a", "b"]
    d = only(first, first)
    assert (d.code, d.message) == ("RF302", "the rule `a` is declared twice")


@pytest.mark.parametrize(
    ("rule", "code", "message"),
    [
        ("{when: true}", "RF306", "the rule `r` does not say when it applies"),
        ("{after: go(), forbid: go(), do: skip}", "RF304", "the rule `r` has both `after` and `forbid`"),
        ("{after: go(), do: skip, add: 1}", "RF304", "`add` cannot stand in a rule with `after`"),
        ("{after: go(), do: skip, set: 1}", "RF304", "`set` cannot stand in a rule with `after`"),
        (
            "{always: x in cells, do: skip, remove: 1}",
            "RF304",
            "`remove` cannot stand in a rule with `always`",
        ),
        ("{forbid: go(), do: skip}", "RF304", "`do` cannot stand in a rule with `forbid`"),
        ("{modify: f(), add: 1, may: true}", "RF304", "`may` cannot stand in a rule with `modify`"),
        ("{instead of: go(), do: skip, before: {x: 1}}", "RF304", None),
        ("{modify: f(), set: 1, add: 2}", "RF304", "the rule `r` has both `set` and `add`"),
        ("{modify: f(), when: true}", "RF306", "the rule `r` does not say how it modifies"),
        ("{after: go()}", "RF203", "the rule `r` lacks the key `do`"),
        ("{instead of: go()}", "RF203", "the rule `r` lacks the key `do`"),
        ("{always: x in cells}", "RF203", "the rule `r` lacks the key `do`"),
    ],
)
@pytest.mark.parametrize(
    "place",
    [
        "rules: {r: RULE}\n",
        "kinds: {card: {count: 2, rules: {r: RULE}}}\n",
        "kinds: {card: {things: {ember: {rules: {r: RULE}}}}}\n",
        "keywords: {hunt: {text: Hunts., rules: {r: RULE}}}\n",
    ],
)
def test_a_rule_has_one_form_and_what_goes_with_it(place, rule, code, message):
    d = only(place.replace("RULE", rule))
    assert d.code == code
    assert d.help
    if message:
        assert d.message == message


def test_what_is_printed_on_kinds_and_things():
    ruleset = good(
        shaped("""
kinds:
  card:
    facts: {power: 0..9}
    has: {up: flag}
    controller: self.owner
    works: self.up
    trigger_order: self.power
    rules: {fade: {after: end of turn, do: skip}}
    actions: {flip: {during: turn, do: self.up = true}}
    things:
      ember:
        title: Ember
        power: 2
        copies: 3
        keywords: [hunt, armor(2)]
        rules: {glow: {modify: power(self), add: 1}}
        actions: {burn: {during: turn, limit: once per turn, do: skip}}
      ash: {power: 1}
""")
    )
    (card,) = ruleset.kinds
    assert [text_of(t) for t in (card.controller, card.works, card.trigger_order)] == [
        "self.owner",
        "self.up",
        "self.power",
    ]
    assert [rule.id for rule in card.rules] == ["fade"]
    assert [action.id for action in card.actions] == ["flip"]
    ember, ash = card.things
    assert (ember.title, ember.copies, texts_of(ember.keywords)) == ("Ember", 3, ["hunt", "armor(2)"])
    assert [(name, value.text) for name, value in ember.facts] == [("power", "2")]
    assert [text_of(rule.modify) for rule in ember.rules] == ["power(self)"]
    assert [text_of(action.limit) for action in ember.actions] == ["once per turn"]
    assert (ash.keywords, ash.rules, ash.actions) == ((), (), ())


def test_pools():
    (mark,) = good(shaped("kinds: {mark: {pool: 40, lasts: end of round}}\n")).kinds
    assert (text_of(mark.pool), text_of(mark.lasts), mark.count) == ("40", "end of round", None)
    (named,) = good(shaped("kinds: {mark: {pool: most_marks}}\n")).kinds
    assert text_of(named.pool) == "most_marks"


def test_leaps_and_rings():
    cell, orbit = good(
        shaped("""
kinds:
  cell: {grid: {shape: square, columns: 8, rows: 8, leaps: {jump_a: [1, 2], jump_b: [-2, 1]}}}
  orbit: {rings: [8, 16, 32]}
""")
    ).kinds
    assert cell.grid is not None
    assert [leap[:3] for leap in cell.grid.leaps] == [("jump_a", 1, 2), ("jump_b", -2, 1)]
    assert str(cell.grid.leaps[1][3]) == "f1.yaml:3:77"
    assert orbit.rings == (8, 16, 32)


def test_the_things_of_a_graph_are_its_names_keys_first():
    text = "kinds:\n  town: {graph: {links: {hill: [mill, lake], ford: [lake, hill, moor], isle: []}}}\n"
    (town,) = good(shaped(text)).kinds
    assert [thing.id for thing in town.things] == ["hill", "ford", "isle", "mill", "lake", "moor"]
    assert str(town.things[3].span) == "f1.yaml:2:33"
    assert town.graph is not None
    assert [(name, texts_of(to)) for name, to in town.graph.links] == [
        ("hill", ["mill", "lake"]),
        ("ford", ["lake", "hill", "moor"]),
        ("isle", []),
    ]
    assert not town.graph.one_way
    (river,) = good(shaped("kinds: {bank: {graph: {links: {a: [b]}, one_way: true}}}\n")).kinds
    assert river.graph is not None and river.graph.one_way


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("kinds: {a: {pool: 3, count: 3}}\n", "RF304", "the kind `a` has both `pool` and `count`"),
        ("kinds: {a: {rings: [3], count: 3}}\n", "RF304", "the kind `a` has both `rings` and `count`"),
        ("kinds: {a: {pool: 3, graph: {links: {b: [c]}}}}\n", "RF304", None),
        ("kinds: {a: {has: {up: flag}}}\n", "RF306", "the kind `a` has no things"),
        ("kinds: {a: {count: 3, lasts: end of turn}}\n", "RF306", None),
        ("kinds: {a: {graph: {links: {b: [where]}}}}\n", "RF303", "`where` is a word of the language"),
        ("kinds: {a: {graph: {links: {where: [b]}}}}\n", "RF303", "`where` is a word of the language"),
        ("formulas: {f: {is: 1, each: 0..3}}\n", "RF306", None),
        ("formulas: {f: {is: 1, sum: 0..3}}\n", "RF306", None),
        ("formulas: {f: {is: 1, clamp: 0..3}}\n", "RF306", None),
        ("endings: {e: {at: end of turn}}\n", "RF306", "only an ending with `when` can have this key"),
        ("endings: {e: {winners: players}}\n", "RF306", "only an ending with `when` can have this key"),
        ("windows: {if: {window: one}}\n", "RF303", "`if` is a word of the language"),
        ("keywords: {hunt: {kind: card}}\n", "RF701", "the keyword `hunt` has no text"),
    ],
)
def test_diagnostics(text, code, message):
    d = only(text)
    assert (d.code, bool(d.help)) == (code, True)
    if message:
        assert d.message == message


def test_a_keyword_without_a_text_is_only_a_warning():
    ruleset, (d,) = read("keywords: {hunt: {kind: card}}\n")
    assert d.severity == "warning"
    assert ruleset is not None and ruleset.keywords[0].id == "hunt"


def test_keywords():
    (hunt,) = good(
        shaped("""
keywords:
  hunt:
    text: It hunts.
    kind: card
    takes: {size: 0..9}
    includes: [prowl, armor(size)]
    works: self.up
    rules: {bite: {after: drop(self), do: skip}}
    actions: {leap: {during: turn, do: skip}}
""")
    ).keywords
    assert (hunt.text, text_of(hunt.kind), text_of(hunt.works)) == ("It hunts.", "card", "self.up")
    assert [(name, kind.text) for name, kind in hunt.takes] == [("size", "0..9")]
    assert texts_of(hunt.includes) == ["prowl", "armor(size)"]
    assert [rule.id for rule in hunt.rules] == ["bite"]
    assert [action.id for action in hunt.actions] == ["leap"]


def test_formulas_events_actions_windows_phases_endings_invariants():
    ruleset = good(
        shaped("""
formulas:
  power: {takes: {c: card}, is: c.printed, open: true, each: -5..5, sum: -9..9, clamp: 0..20}
  plain: {is: 1}
events:
  swap: {together: true, do: skip}
  go: {do: skip}
actions:
  hop: {during: [turn, reaction], limit: 2 per game, works: game.on, cost: pay 1 from me.gold, holds: [a, b]}
windows:
  reaction: {takes: {a: card}, window: many, text: React.}
  pause:
flow:
  - {phase: turn, window: many, holds: me.gold > 0}
endings:
  rich:
    text: Rich.
    when: any(p in players where p.rich)
    winners: "{p in players where p.rich}"
    at: end of turn
  over:
invariants:
  cubes: {that: cube_sum() is 20, text: No cube is lost., cites: [M-2]}
""")
    )
    power, plain = ruleset.formulas
    assert [text_of(t) for t in (power.each, power.sum, power.clamp)] == ["-5..5", "-9..9", "0..20"]
    assert (power.open, plain.open) == (True, False)
    assert [event.together for event in ruleset.events] == [True, False]
    (hop,) = ruleset.actions
    assert texts_of(hop.during) == ["turn", "reaction"]
    assert [text_of(t) for t in (hop.limit, hop.works, hop.cost)] == [
        "2 per game",
        "game.on",
        "pay 1 from me.gold",
    ]
    assert texts_of(hop.holds) == ["a", "b"]
    reaction, pause = ruleset.windows
    assert (reaction.window, reaction.text, pause.window) == ("many", "React.", "maybe")
    assert [(name, kind.text) for name, kind in reaction.takes] == [("a", "card")]
    assert texts_of(ruleset.flow[0].holds) == ["me.gold > 0"]
    rich, over = ruleset.endings
    assert [text_of(t) for t in (rich.when, rich.winners, rich.at)] == [
        "any(p in players where p.rich)",
        "{p in players where p.rich}",
        "end of turn",
    ]
    assert (over.when, over.winners, over.at) == (None, None, None)
    (cubes,) = ruleset.invariants
    assert (text_of(cubes.that), cubes.text, cubes.cites) == (
        "cube_sum() is 20",
        "No cube is lost.",
        ("M-2",),
    )


@pytest.mark.parametrize(
    "text",
    ["rules: 3\n", "rules: {a: 3}\n", "rules: {a: {before: 3, may: [1]}}\n", "keywords: {a: [1]}\n",
     "windows: [1]\n", "invariants: {a: }\n", "kinds: {a: {graph: 3}}\n",
     "kinds: {a: {graph: {links: [1]}}}\n",
     "kinds: {a: {graph: {links: {b: 3, c: [[1]]}}}}\n", "kinds: {a: {rings: {b: 1}, pool: [1]}}\n",
     "kinds: {a: {rules: 3, actions: [1], things: {b: {keywords: {c: 1}, rules: 3}}}}\n",
     "kinds: {a: {grid: {shape: square, columns: 1, rows: 1, leaps: {b: 1, c: [1], d: [x, y]}}}}\n"],
)  # fmt: skip
def test_wrong_shapes_never_raise(text):
    ruleset, _ = read(text)
    assert ruleset is not None
