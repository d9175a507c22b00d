"""Small rulesets made of little but secrets: open and hidden attributes, cards in hand, rules that go by all of them.

In rulesets drawn from the whole grammar hidden things seldom decide about anything; here they always do.
"""

from __future__ import annotations

import random
from typing import Any

import yaml

Section = dict[str, Any]
Scope = dict[str, str]  # locals -> player, number or card
Lines = list[str]

BASE = """
game: {id: veiled, title: Veiled, version: "1.0", text: Veiled., players: 2}
kinds:
  player:
    things: [ann, ben]
    has:
      one: {type: 0..9, capped: true}
      two: {type: 0..9 = 2, capped: true}
      coins: {type: 0..9 = 4, capped: true}
      used: {type: 0..9, capped: true, resets: turn}
      memo: {type: 0..9, sees: false, capped: true}
      lucky: {type: flag, sees: viewer is self}
      secret: {type: 0..9, sees: viewer is self, capped: true}
      idol: {type: player or none, sees: viewer is self}
  card:
    facts: {suit: 1..2}
    has: {marks: {type: 0..9, capped: true}}
    things: {ace: {suit: 1}, duo: {suit: 2}, hex: {suit: 1}, ten: {suit: 2}}
  chip: {pool: 30, has: {worth: {type: 0..9 = 1, capped: true}}}
places:
  box: {of: {keeper: player}, holds: card, sees: viewer is keeper, starts: "{c in [ace] where keeper is ann}"}
  heap: {holds: card, ordered: true, sees: false, starts: "[hex, duo]"}
  table: {holds: card, starts: "[ten]"}
endings: {over: {text: Over.}}
"""
# What only ann knows; the order of the heap is the same in all, for cards that are turned up from it are seen in order.
WORLDS: tuple[Section, ...] = (
    {"ann.lucky": True}, {"ann.lucky": False}, {"ann.secret": 9}, {"ann.secret": 1},
    {"ann.idol": "ann"}, {"ann.idol": "ben"}, {"ann.box": ["duo"], "heap": ["hex", "ace"]},
    {"ann.box": ["duo"], "heap": ["hex", "ace"], "ann.lucky": True, "ann.secret": 3},
)  # fmt: skip
NUMBERS = ("one", "two", "coins", "used", "memo", "secret")
TAKES = {"see": {"c": "card"}, "hear": {"k": "number"}, "noop": {"p": "player"}, "touch": {"p": "player"}}
CALLS = {"see": [], "hear": ["see"], "noop": ["hear", "see"], "touch": ["noop", "hear"]}  # no circles


class Veiled:
    """Writes one ruleset."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._count = 0

    def ruleset(self) -> Section:
        rules: Section = yaml.safe_load(BASE)
        rules["formulas"] = {
            "f": {
                "takes": {"p": "player"},
                "open": True,
                "is": self._pick("p.one", "p.coins + 1", "p.secret"),
            }
        }
        rules["events"] = {name: self._event(name) for name in TAKES}
        rules["flow"] = [self._turn()]
        rules["windows"] = {"answer": {"text": "Answer.", "window": self._pick("maybe", "many")}}
        rules["actions"] = {"wait": {"during": "turn", "do": "finish over"}, **self._actions()}
        found = {self._fresh("rule_"): self._rule() for _ in range(self._rng.randrange(4))}
        if found:
            rules["rules"] = found
        self._carried(rules["kinds"])
        return rules

    # --- chance ---

    def _pick(self, *ways: Any) -> Any:
        return self._rng.choice(ways)

    def _often(self, percent: int) -> bool:
        return self._rng.randrange(100) < percent

    def _fresh(self, word: str) -> str:
        self._count += 1
        return f"{word}{self._count}"

    def _local(self, scope: Scope, type: str) -> Lines:
        return [name for name, of in scope.items() if of == type]

    # --- values ---

    def _player(self, scope: Scope) -> str:
        if self._often(8):
            return f"(ann if {self._test(scope)} else ben)"
        return str(self._pick("ann", "ben", *self._local(scope, "player") * 3))

    def _number(self, scope: Scope, depth: int = 1) -> str:
        who = self._player(scope) if depth else self._pick("ann", "ben")
        if depth and self._often(15):
            return f"count(c in {who}.box where c.suit is {self._pick(1, 2)})"
        if depth and self._often(15):
            return f"({self._number(scope, 0)} if {self._test(scope, 0)} else {self._number(scope, 0)})"
        read = [f"{who}.{name}" for name in NUMBERS]
        counts = [f"f({who})", f"count(c in {who}.box)", "count(c in table)", "count(h in chips)"]
        return str(self._pick(str(self._rng.randrange(7)), *read, *counts, *self._local(scope, "number") * 3))

    def _test(self, scope: Scope, depth: int = 1) -> str:
        who = self._player(scope) if depth else self._pick("ann", "ben")
        ways = [f"{who}.lucky", f"{who}.lucky", f"{who}.idol is {self._pick('ann', 'ben')}", "ten in table"]
        ways += [f"{who}.{name} > {self._rng.randrange(5)}" for name in NUMBERS]
        ways += [f"any(c in {who}.box where c.suit is 1)", "ace in table", "ace.marks > 0"]
        ways += ["any(c in cards where c.suit is 1 and c.marks > 0)"]
        ways += [f"{name} > {self._rng.randrange(5)}" for name in self._local(scope, "number")] * 2
        for card in self._local(scope, "card"):
            ways += [f"{card}.suit is 1", f"{card} in {who}.box", f"{card}.marks > 0"]
        if depth and self._often(15):
            return f"({self._test(scope, 0)} {self._pick('and', 'or')} {self._test(scope, 0)})"
        return ("not " if self._often(15) else "") + str(self._pick(*ways))

    # --- what is done ---

    def _text(self, scope: Scope, calls: Lines, depth: int = 1) -> str:
        return "\n".join(self._lines(dict(scope), calls, depth))

    def _asking(self, scope: Scope) -> str:
        """With questions that come whatever is hidden: else being asked would tell."""
        scope, found = dict(scope), Lines()
        for _ in range(self._rng.randrange(1, 4)):
            way = self._question if self._often(15) else self._statement
            found += way(scope, [*TAKES], 2)
        return "\n".join(found)

    def _lines(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        return [
            line for _ in range(self._rng.randrange(1, 4)) for line in self._statement(scope, calls, depth)
        ]

    def _suite(self, scope: Scope, calls: Lines, depth: int, **more: str) -> Lines:
        return ["  " + line for line in self._lines({**scope, **more}, calls, depth - 1)]

    def _statement(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        ways = [self._assign] * 3 + [self._call] * 3 + [self._with_card, self._let, self._small]
        if depth > 0:
            ways += [self._if, self._if, self._if, self._for, self._repeat, self._together]
        return self._pick(*ways)(scope, calls, depth)  # type: ignore[no-any-return]

    def _assign(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        if self._often(10):
            return [f"{self._player(scope)}.lucky = {self._test(scope)}"]
        sign = self._pick("=", "+=", "-=")
        return [f"{self._player(scope)}.{self._pick(*NUMBERS)} {sign} {self._number(scope)}"]

    def _call(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        if not calls:
            return ["skip"]
        name = self._pick(*calls)
        given = {
            "card": lambda: self._pick("ten", "ace", *self._local(scope, "card")),
            "number": lambda: self._number(scope),
            "player": lambda: self._player(scope),
        }
        return [f"{name}({', '.join(given[type]() for type in TAKES[name].values())})"]

    def _with_card(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        card, who = self._fresh("c"), self._player(scope)
        inner = {**scope, card: "card"}
        do = self._pick(
            f"move {card} to {self._pick('heap', 'heap at top', 'table', f'{who}.box')}",
            self._call(inner, calls, depth)[0],
            f"{card}.marks += 1",
        )
        return [f"for {self._pick('one ', '')}{card} in {self._pick(f'{who}.box', 'heap', 'table')}: {do}"]

    def _let(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        name, value = self._fresh("v"), self._number(scope)
        scope[name] = "number"
        return [f"let {name} = {value}"]

    def _small(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        chip = self._fresh("h")
        made = f"for one {chip} in chips: {self._pick(f'remove {chip}', f'{chip}.worth += 1')}"
        return [self._pick("shuffle heap", f"let {chip} = new chip()", made)]

    def _if(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        found = [f"if {self._test(scope)}:", *self._suite(scope, calls, depth)]
        return [*found, "else:", *self._suite(scope, calls, depth)] if self._often(40) else found

    def _for(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        who = self._fresh("q")
        inner = {**scope, who: "player"}
        which = self._pick("", f" where {self._test(inner)}", f" by {self._number(inner)}")
        return [f"for {who} in players{which}:", *self._suite(inner, calls, depth)]

    def _repeat(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        return [f"repeat min({self._number(scope)}, 3):", *self._suite(scope, calls, depth)]

    def _together(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        return ["together:", *self._suite(scope, calls, depth)]

    def _question(self, scope: Scope, calls: Lines, depth: int) -> Lines:
        who, one = self._pick("ann", "ben", *self._local(scope, "player")), self._fresh("x")
        match self._pick("picks", "chooses", "secretly", "offer"):
            case "offer":
                return [f"offer answer() to {self._pick('ann', 'ben')}"]
            case "picks":
                left = ["  " + line for line in self._suite(scope, calls, depth)]
                return [f"{who} picks:", "  left:", *left, "  right: skip"]
            case "chooses":
                which = self._pick("table", "heap", f"{who}.box", f"{who}.box where {one}.suit is 1")
                suite = self._suite(scope, calls, depth, **{one: "card"})
                return [f"{who} {self._pick('chooses', 'may choose')} {one} in {which}:", *suite]
        bids = self._suite(scope, calls, depth, **{one: "player", f"{one}_bid": "number"})
        return [f"each {one} in players secretly chooses {one}_bid in 0..2:", *bids]

    # --- sections ---

    def _event(self, name: str) -> Section:
        takes = TAKES[name]
        types = {"number": "-99..99"}
        event: Section = {"takes": {p: types.get(of, of) for p, of in takes.items()}, "open": True}
        event["do"] = self._text(takes, CALLS[name] if self._often(30) else []) if self._often(60) else "skip"
        if self._often(20):
            event["needs"] = self._test(takes)
        if self._often(10):
            event["together"] = True
        return event

    def _turn(self) -> Section:
        turn: Section = {"phase": "turn", "repeat": True, "each": "me in players", "window": "one"}
        for key in ("do", "end"):
            if self._often(30):
                turn[key] = self._asking({"me": "player"})
        if self._often(15):
            turn["sees"] = "viewer is me"
        if self._often(25):
            which = self._pick(
                {"when": self._test({})}, {"each": f"q in players where {self._test({'q': 'player'})}"}
            )
            turn["steps"] = [{"phase": "extra", **which, "do": self._text({}, [*TAKES])}]
        return turn

    def _actions(self) -> Section:
        found = {name: self._action({"me": "player"}) for name in ("act", "bet")}
        found["reply"] = {**self._action({"me": "player"}), "during": "answer"}
        if self._often(40):
            card = self._pick("in me.box", "in table", "in cards where c in me.box", "in heap")
            found["use"] = {**self._action({"me": "player", "c": "card"}), "choose": {"c": card}}
        return found

    def _action(self, scope: Scope) -> Section:
        action: Section = {"during": "turn", "do": self._asking(scope)}
        if self._often(15):
            action["sees"] = "viewer is me"
        if "c" in scope and self._often(25):
            action["needs"] = self._test({"me": "player"})
        if "c" in scope and self._often(20):
            action["cost"] = self._pick("me.coins -= 1", "me.secret -= 1")
        return action

    def _carried(self, kinds: Section) -> None:
        """Rules that are printed on a card, wherever it lies, and the order in which rules of players act."""
        if self._often(20):
            kinds["player"]["trigger_order"] = self._pick("self.secret", "self.one")
        if self._often(25):
            head = self._pick({"after": "noop(p)"}, {"instead of": "touch(p)"}, {"after": "move self"})
            works = self._pick(
                "true", "self in ann.box", "self in table", "any(q in players where self in q.box)"
            )
            rule = {**head, "works": works, "do": self._text({}, ["hear"])}
            kinds["card"]["things"]["ace"]["rules"] = {"own": rule}

    # --- rules ---

    def _rule(self) -> Section:
        return self._pick(self._trigger, self._trigger, self._replacement, self._standing, self._other)()  # type: ignore[no-any-return]

    def _pattern(self) -> tuple[str, Scope, Lines]:
        name = self._pick(*TAKES)
        return f"{name}({', '.join(TAKES[name])})", dict(TAKES[name]), CALLS[name]

    def _trigger(self) -> Section:
        pattern, scope, calls = self._pattern()
        if self._often(50):
            column = self._pick("coins", "secret", "memo")
            pattern, scope = self._pick(
                (f"set player.{column}", {"it": "player", "old": "number", "new": "number"}),
                (f"move card to {self._pick('heap', 'table')}", {"it": "card"}),
                (f"{self._pick('start', 'end')} of turn", {}),
            )
            calls = ["noop", "touch"]
        rule: Section = {"after": pattern}
        if self._often(15):
            rule["before"] = {"was": self._number(scope)}
            scope = {**scope, "was": "number"}
        if self._often(50):
            rule["when"] = self._test(scope)
        elif self._often(40):  # others wait behind it
            return {**rule, "do": "\n".join(self._question(scope, calls, 1))}
        return {**rule, "do": self._text(scope, calls)}

    def _replacement(self) -> Section:
        pattern, scope, calls = self._pattern()
        do = self._pick("skip", "proceed", self._text(scope, calls) + "\nproceed")
        if self._often(30):
            pattern, scope = f"move card to {self._pick('heap', 'table')}", {"it": "card"}
            do = self._pick("skip", "proceed")
        return {"instead of": pattern, "when": self._test(scope), "do": do}

    def _standing(self) -> Section:
        """It looks for one value and leaves another, so that it comes to rest."""
        column, (value, other) = self._pick("one", "coins", "two"), self._rng.sample(range(8), 2)
        more = f" and {self._test({'p': 'player'})}" if self._often(50) else ""
        then = self._pick("", "; hear(p.one)", "; noop(p)", "; p.memo += 1")
        return {
            "always": f"p in players where p.{column} is {value}{more}",
            "do": f"p.{column} = {other}{then}",
        }

    def _other(self) -> Section:
        pattern, scope, _ = self._pattern()
        if self._often(50):
            return {"forbid": pattern, "when": self._test(scope)}
        scope = {"p": "player"}
        return {"modify": "f(p)", "add": self._pick("1", "p.secret"), "when": self._test(scope)}
