"""What `validate` calls fine compiles, starts and plays, and means what it says."""

from __future__ import annotations

import random
import string

import pytest

import ruleforge
from tests.fuzz.trial import at_most
from tests.unit.small_games import rules_file

BACKENDS = ("python", "reference")

TABLE = string.Template("""\
game:
  id: $id
  title: A table
  version: "1.0"
  text: The least there is to play with.
  players: 2
kinds:
  player:
    things: [ann, ben]
    has: {total: 0..99, bag: set of gem, stock: 0..9 per good = 2}
  gem: {things: [agate, jade, opal]}
  good: {things: [wood, clay]}
  shop:
    facts: {gives: gem or none, sells: gem}
    things: {one: {gives: opal, sells: jade}, two: {sells: agate}}
  card:
    has: {owner: player, mark: 0..9}
    things:
      ace: {}
$more
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
actions:
  go:
    during: turn$choose
    do: |
      $do
  touch: {during: turn, choose: {c: in cards}, do: c.owner = me}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
""")


def table(id: str, do: str = "skip", more: str = "", choose: str = "") -> str:
    """The table with something else done by `go`."""
    asked = f"\n    joined: true\n    choose: {{{choose}}}" if choose else ""
    return TABLE.substitute(id=id, do=do.replace("\n", "\n      "), choose=asked, more=more)


def refused(text: str) -> bool:
    """Whether the rules are refused with diagnostics, each with a code and a place."""
    try:
        ruleforge.load(rules_file(text))
    except ruleforge.RulesetError as error:
        assert all(d.code.startswith("RF") and d.span.line > 0 for d in error.diagnostics)
        return True
    return False


def runs(text: str, decisions: int = 30) -> None:
    """Play at random on both backends, in agreement; every choice offered is possible."""
    lines = []
    for backend in BACKENDS:
        state = ruleforge.load(rules_file(text), backend=backend).start(seed=1)
        rng, line = random.Random(1), [state.digest]
        for _ in range(decisions):
            if not state.choices:
                break
            state.apply(state.choices[rng.randrange(len(state.choices))])
            line.append(state.digest)
            assert [state[path] for path in state.paths()]
            assert [state.view(player) for player in state.players]
            assert state.game.restore(state.save()) == state
        lines.append(line)
    assert lines[0] == lines[1]


BEFORE = """\
      king:
        rules:
          after_it: {after: strike(self), before: {was: self.mark}, do: self.mark = was}
events:
  strike: {takes: {c: card}, do: c.mark = 3}
"""

BIG = "numbers: {big: 99999 * 99999}"
ONCE = "for r in s.%s: me.total = number(r)"

BEFORE_ANY = """\
      king:
        rules:
          other: {after: strike(c), before: {was: self.mark + me.total}, when: was < 5, do: self.mark = was + 1}
events:
  strike: {takes: {c: card}, do: c.mark = 3}
"""

BEFORE_PHASE = """\
      king:
        rules:
          other: {after: end of turn, before: {was: self.mark}, when: was < 5, do: self.mark = was + 1}
"""

LARGE_BEFORE = """\
events: {e: {do: spot_1.lit = true}}
rules: {r: {after: e(), before: {x: "{s in spots where s.lit}"}, do: ann.total = count(y in x)}}
"""

WINDOW = "windows: {w: {takes: {x: set of spot}}}"


def spotted(id: str, do: str, more: str = "") -> str:
    """The table with a kind of more things than fit into one word, and an action in a window about some of them."""
    text = table(id, do, more)
    if more == WINDOW:
        lit = "  light: {during: w, needs: spot_40 in x, do: spot_40.lit = true}\n"
        text = text.replace("actions:\n", f"actions:\n{lit}")
    return text.replace("  good:", "  spot: {count: 40, has: {lit: flag}}\n  good:")


TEXTS = {
    "the table itself": table("plain"),
    "a value from before beside a pattern of the carrier": table(
        "before_self", "strike(c)", BEFORE, "c: in cards"
    ),
    "a value from before the end of a phase": table(
        "before_phase",
        "skip",
        "rules: {r: {after: end of turn, before: {was: ann.total}, do: ann.total = was}}",
    ),
    "a sorted selection as a source": table("sorted", "if any(x in {y in gems by 1}): me.total = 1"),
    "a sorted selection in a loop": table(
        "sorted_loop", "for x in {y in gems by 0 - number(y)}: me.total = 1"
    ),
    "a formula that is none": table("is_none", "if f() is none: finish over", "formulas: {f: {is: none}}"),
    "a formula that is none and not used": table("none_unused", more="formulas: {f: {is: none}}"),
    "a formula that is the empty set": table("empty", "me.bag = f()", 'formulas: {f: {is: "[]"}}'),
    "an empty set nobody asks for": table("empty_unused", more='formulas: {f: {is: "[]"}}'),
    "nobody wins by name": table("for_none", "finish over for none"),
    "a fact or none as a source": table("fact_or_none", ONCE % "gives", choose="s: in shops"),
    "a fact as a source": table("fact_source", ONCE % "sells", choose="s: in shops"),
    "a fact as a source of a choice": table(
        "fact_choice", "me.total = number(r)", choose="s: in shops, r: in s.gives"
    ),
    "a fact counted": table("fact_count", "me.total = count(g in one.gives) + count(g in two.gives)"),
    "a fact as a source of chance": table(
        "fact_random", "let g = random(x in one.gives)\nme.total = count(x in g)"
    ),
    "a shuffle of an unordered place": table(
        "shuffled", "shuffle heap", "places: {heap: {holds: gem, starts: gems}}"
    ),
    "a number beyond 32 bits as a value": table("wide", "let x = big\nif x > 3: me.total = 1", BIG),
    "a number beyond 32 bits as the range of an attribute": table("wide_range", "skip", BIG).replace(
        "total: 0..99,", "total: 0..big,"
    ),
    "a range up to the greatest number, rolled": table(
        "widest", "let x = roll 0..2147483647\nme.total = x % 7"
    ),
    "the least number": table("least", "me.total = abs(-2147483647 - 1) % 7"),
    "an integer of many digits": table("digits", "me.total = " + "9" * 5000),
    "an integer of many digits in YAML": table("yaml_digits", more="numbers: {big: " + "9" * 5000 + "}"),
    "a value from before of any carrier": table("before_any", "strike(c)", BEFORE_ANY, "c: in cards"),
    "a value from before of a carrier at a phase": table("before_carrier", "skip", BEFORE_PHASE),
    "a set of numbers kept": table("numbers_kept", "let x = [1, 2]\nme.total = count(y in x)"),
    "a set of numbers returned": table("numbers_back", "e()", "events: {e: {do: 'return [1, 2]'}}"),
    "numbers as a formula": table(
        "numbers_formula", "me.total = count(x in f())", "formulas: {f: {is: '[1, 2]'}}"
    ),
    "the best of numbers": table("best_numbers", "me.total = count(x in best(y in 1..5 by 0 - y))"),
    "none as an argument": table(
        "none_argument", "strike(none)", "events: {strike: {takes: {c: card}, do: c.mark = 3}}"
    ),
    "a thing shown to none": table("shown_none", "show ace to none"),
    "one thing up to itself": table("until_one", "me.total = count(g in one.gives until g is opal)"),
    "a large set returned": spotted(
        "large_back", "let x = e()\nme.total = count(y in x)", "events: {e: {do: 'return spots'}}"
    ),
    "a large set from before": spotted("large_before", "e()", LARGE_BEFORE),
    "a large set offered": spotted("large_offered", "offer w({s in spots where not s.lit}) to me", WINDOW),
}


@pytest.mark.parametrize("what", sorted(TEXTS))
def test_what_is_called_fine_runs(what):
    text = TEXTS[what]
    if not refused(text):
        runs(text)


def test_a_die_without_faces_stops_the_choice():
    state = ruleforge.load(rules_file(table("faceless", "let x = roll 5..me.total\nme.total = x"))).start()
    with pytest.raises(ruleforge.IllegalChoice) as refusal:
        state.apply("go")
    assert refusal.value.code == "RF828"


def test_the_winners_none_are_nobody_or_refused():
    text = table("for_none_too", "finish over for none")
    if not refused(text):
        state = ruleforge.load(rules_file(text)).start()
        state.apply("go")
        assert state.outcome is not None and state.outcome.winners == ()


def after_go(text: str, path: str, choice: str = "go") -> object:
    state = ruleforge.load(rules_file(text)).start()
    state.apply(choice)
    return state[path]


def test_a_fact_is_a_source_of_one_or_no_thing():
    text = TEXTS["a fact or none as a source"]
    assert after_go(text, "ann.total", "go one") == 3
    assert after_go(text, "ann.total", "go two") == 0
    assert after_go(TEXTS["a fact counted"], "ann.total") == 1


@pytest.mark.parametrize("sign", ["+", "*", "//", "%"])
def test_numbers_signs_are_refused_between_sets(sign):
    assert refused(table(f"sets_{ord(sign[0])}", f"me.bag = me.bag {sign} [opal]"))
    assert refused(table(f"gems_{ord(sign[0])}", f"me.bag = gems {sign} gems"))


def test_minus_before_a_set_is_refused():
    assert refused(table("minus_set", "me.bag = -me.bag"))


@pytest.mark.parametrize("sign", ["|", "&"])
def test_set_signs_are_refused_between_numbers(sign):
    assert refused(table(f"bits_{ord(sign)}", f"me.total = me.total {sign} 3"))


ORDERS = {
    "literal": "for x in first(g in [opal, agate]): me.total = number(x)",
    "let": "let pair = [opal, agate]\nfor x in first(g in pair): me.total = number(x)",
    "formula": "for x in first(g in both()): me.total = number(x)",
    "stored": "me.bag = [opal, agate]\nfor x in first(g in me.bag): me.total = number(x)",
    "union": "for x in first(g in [opal] | [agate]): me.total = number(x)",
}


@pytest.mark.parametrize("way", sorted(ORDERS))
def test_a_set_has_one_order_that_of_its_kind(way):
    text = table(f"order_{way}", ORDERS[way], 'formulas: {both: {is: "[opal, agate]"}}')
    assert after_go(text, "ann.total") == 1  # the agate


def test_a_loop_over_a_written_set_goes_in_the_order_of_the_kind():
    text = table("loop_order", "for x in [opal, agate, jade]: me.total = me.total * 4 + number(x)")
    assert after_go(text, "ann.total") == 1 * 16 + 2 * 4 + 3


PAY = table("pay", "pay 2 from me.stock[wood] or me.stock[clay]")


def test_a_payment_from_one_attribute_by_index_names_each_purse_once():
    state = ruleforge.load(rules_file(PAY)).start()
    state.apply("go")
    asked = []
    while state.decision is not None and state.decision.player == "ann":
        asked.append(tuple(choice.text for choice in state.choices))
        state.apply(state.choices[0])
    assert len(asked) <= 1, asked  # how much of the first; the rest follows
    assert sorted([state["ann.stock[wood]"], state["ann.stock[clay]"]], key=str) in ([0, 2], [1, 1])


def test_a_payment_says_which_purse_it_asks_about():
    state = ruleforge.load(rules_file(PAY)).start()
    state.apply("go")
    assert state.decision is not None
    assert "wood" in state.decision.prompt + " ".join(choice.text for choice in state.choices)


KNOWN = """\
game: {id: known, title: Known, version: "1.0", text: A name of the engine., players: 2}
kinds:
  player: {things: [ann, ben]}
  card:
    things: [jack, king]
    has: {COLUMN}
places:
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
setup: |
  move jack to ann.hand
  move king to ben.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  peek: {during: turn, do: EFFECT}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""
COLUMNS = ("known: flag = true", "known: 0..9 = 3", "known: {type: 0..9 = 1, sees: false}")


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("effect", ["skip", "show me.hand to me"])
def test_an_attribute_may_have_any_name_and_shows_no_hidden_card(column, effect):
    text = KNOWN.replace("COLUMN", column).replace("EFFECT", effect)
    if refused(text):
        return
    state = ruleforge.load(rules_file(text)).start()
    before = state["king.known"]
    state.apply("peek")
    assert state["king.known"] == before
    assert "king" not in str(state.view("ann")) and "jack" not in str(state.view("ben"))


def test_a_player_called_chance_is_no_die():
    text = table("dice").replace("[ann, ben]", "[chance, ben]")
    if not refused(text):
        state = ruleforge.load(rules_file(text)).start()
        assert state.decision is not None and not state.decision.is_chance
        assert state.decision.probabilities == ()


@pytest.mark.parametrize("id", ['"jade\\n"', '"ja de"', '"jade\\t"'])
def test_an_id_ends_where_its_letters_end(id):
    assert refused(table("newline").replace("[agate, jade, opal]", f"[agate, {id}, opal]"))


def test_an_id_of_a_definition_ends_where_its_letters_end():
    assert refused(table("newline_key", more='formulas: {"wealth\\n": {is: 1}}'))


NOBODY = """\
game: {id: nobody, title: Nobody, version: "1.0", text: Nobody is asked., players: 2, limits: {chain: 2000}}
kinds:
  player: {things: [ann, ben]}
flow:
  - phase: round
    repeat: true
    steps:
      - {phase: turn, each: me in players where ann is ben, window: one}
  - {phase: closing, do: finish over}
actions: {wait: {during: turn, do: skip}}
endings: {over: {text: Over.}}
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_phase_that_repeats_for_nobody_meets_the_chain_limit(backend):
    with at_most(5), pytest.raises((ruleforge.IllegalChoice, ruleforge.StartError, ruleforge.RulesetError)):
        ruleforge.load(rules_file(NOBODY), backend=backend).start()
