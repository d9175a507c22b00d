"""Whole rulesets, drawn by Hypothesis: every section and every form of a rule, mostly of the right types."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import strategies as st

from tests.fuzz.expressions import Scope
from tests.fuzz.statements import Around, Statements
from tests.fuzz.world import FLAG, Kind, Place, Type, World, maybe, number, set_of, thing, written

Section = dict[str, Any]
FUSE = 2000  # an endless chain is no mistake, and should cost little time
ME: Scope = {"me": thing("player")}


@st.composite
def rulesets(draw: st.DrawFn) -> str:
    """The text of a game in one file."""
    return as_yaml(Author(draw).ruleset())


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    if "\n" in text:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text + "\n", style="|")
    plain = text.replace("_", "").isalnum() and not text.isdigit()
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain else '"')


_Dumper.add_representer(str, _text)


def as_yaml(rules: Section) -> str:
    return str(yaml.dump(rules, Dumper=_Dumper, sort_keys=False, width=10000, allow_unicode=True))


class Author:
    """Writes one ruleset, section by section; what is declared first can be used by what comes later."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.world = World(endings=["over", "won"])
        self.say = Statements(draw, self.world)
        self._started: set[str] = set()  # places that things begin in
        self._named: dict[str, tuple[dict[str, Type], bool]] = {}  # formulas: parameters, and whether open
        self._event_names: dict[str, dict[str, Type]] = {}
        self._window: dict[str, Type] = {}

    def ruleset(self) -> Section:
        say, world = self.say, self.world
        rules: Section = {"game": self._game()}
        self._options(rules)
        self._numbers(rules)
        kinds = rules["kinds"] = self._kinds()
        self._places(rules)
        self._formulas(rules)
        self._declare_windows(rules)
        world.phases = ["round", "turn"]
        self._events(rules)
        self._rules(rules, "rules", {})
        self._keywords(rules)
        self._printed(kinds["card"])
        if say.often(50):
            rules["setup"] = say.block({}, self._around(asks=say.often(50)))
        rules["flow"] = self._flow()
        rules["actions"] = self._actions()
        rules["endings"] = self._endings()
        self._judged(rules)
        return rules

    # --- declarations ---

    def _game(self) -> Section:
        head = {"id": "made", "title": "Made up", "version": "1.0", "text": "A made-up game.", "players": 2}
        return {**head, "limits": {"chain": FUSE}}

    def _options(self, rules: Section) -> None:
        if self.say.often(15):
            rules["options"] = {"size": {"type": "1..5", "default": 1 + self.say.upto(4)}}
            self.world.options.append("size")

    def _numbers(self, rules: Section) -> None:
        if self.say.often(20):
            rules["numbers"] = {"few": 1 + self.say.upto(3)}
            self.world.numbers.append("few")

    def _kinds(self) -> Section:
        say, kinds = self.say, self.world.kinds
        kinds["player"] = Kind("player", ["ann", "ben"])
        kinds["gem"] = Kind("gem", ["opal", "jade", "agate"][: 1 + say.upto(2)])
        kinds["card"] = Kind("card", ["ace", "king", "jack"][: 1 + say.upto(2)])
        if say.often(40):
            kinds["cell"] = Kind("cell", ["a1", "b1", "a2", "b2"], grid=True)
            if say.often(50):
                kinds["wall"] = Kind("wall", ["a1_b1", "a1_a2", "b1_b2", "a2_b2"], edges=True)
        if say.often(40):
            kinds["token"] = Kind("token", [], pool=True)
        if say.often(50):
            kinds["game"] = Kind("game", ["game"])
        made: Section = {}
        for kind in list(kinds.values()):
            made[kind.name] = self._kind(kind)
        return made

    def _kind(self, kind: Kind) -> Section:
        made: Section = {}
        if kind.grid:
            made["grid"] = {"shape": self.say.pick(["square", "hex"]), "columns": 2, "rows": 2}
        elif kind.edges:
            made["edges"] = {"of": "cell", "rim": self.say.often(30)}
        elif kind.pool:
            made["pool"] = 1 + self.say.upto(3)
            if self.say.often(30):
                made["lasts"] = self.say.pick(["end of turn", "end of round", "start of round"])
        elif kind.name == "card":
            made["things"] = self._cards(kind, made)
        elif kind.name != "game":
            made["things"] = list(kind.things)
        has = self._attributes(kind)
        if has:
            made["has"] = has
        return made

    def _cards(self, kind: Kind, made: Section) -> Section:
        say = self.say
        types = {"rank": number(0, 5), "hue": maybe("gem"), "mark": FLAG, "hues": set_of("gem")}
        for name, type in types.items():
            if say.often(40):
                kind.facts[name] = type
        if kind.facts:
            made["facts"] = {name: written(type) for name, type in kind.facts.items()}
        values: dict[str, Any] = {"rank": say.upto(5), "hue": "opal", "mark": True, "hues": ["opal"]}
        cards = {card: {name: values[name] for name in kind.facts if say.often(70)} for card in kind.things}
        if say.often(25):
            kind.made = "imp"
            cards["imp"] = {"pool": 1 + say.upto(2)}
        return cards

    def _attributes(self, kind: Kind) -> Section:
        say, has = self.say, {}
        types: dict[str, Type] = {
            "strength": number(0, 9), "ready": FLAG, "friend": maybe("player"), "bag": set_of("gem"),
            "owner": thing("player"), "wide": number(-20, 99),
        }  # fmt: skip
        for name, type in types.items():
            if not say.often(35 if kind.name != "card" or name != "owner" else 60):
                continue
            per = "gem" if type[0] in ("number", "flag") and say.often(15) and kind.name != "game" else None
            kind.has[name] = (type, per)
            has[name] = self._attribute(type, per)
        return has

    def _attribute(self, type: Type, per: str | None) -> Section | str:
        say = self.say
        text = written(type) + (f" per {per}" if per else "")
        if type[0] == "number" and say.often(50):
            text += f" = {say.upto(9)}"
        made: Section = {"type": text}
        if say.often(20):
            made["sees"] = say.pick([False, "viewer is ann", "true"])
        if type[0] == "number" and say.often(30):
            made["capped"] = True
        if say.often(15):
            made["resets"] = say.pick(["turn", "round"])
        return made if len(made) > 1 else text

    def _places(self, rules: Section) -> None:
        say, made = self.say, {}
        for name, holds in (
            ("deck", "card"),
            ("hand", "card"),
            ("slot", "card"),
            ("heap", "gem"),
            ("yard", "token"),
        ):
            if holds not in self.world.kinds or not say.often(45):
                continue
            place = Place(name, holds, ordered=say.often(50))
            place.of = (
                say.pick(["player", *(["cell"] if "cell" in self.world.kinds else [])])
                if say.often(60)
                else None
            )
            made[name] = self._place(place)
            self.world.places[name] = place
        if made:
            rules["places"] = made

    def _place(self, place: Place) -> Section:
        say = self.say
        made: Section = {"holds": place.holds}
        if place.of:
            made["of"] = {f"{place.name}_of": place.of}
        if say.often(25):
            made["max"] = 1 + say.upto(2)
            place.single = made["max"] == 1
            place.ordered = place.ordered and not place.single
        if place.ordered:
            made["ordered"] = True
        if say.often(40):
            made["sees"] = f"viewer is {place.name}_of" if place.of == "player" else False
        if not place.of and "max" not in made and place.holds != "token" and say.often(50):
            taken = [other.holds for other in self.world.places.values() if other.name in self._started]
            if place.holds not in taken:
                made["starts"] = f"{place.holds}s"
                self._started.add(place.name)
        return made

    def _formulas(self, rules: Section) -> None:
        say, made = self.say, {}
        for n in range(say.upto(3)):
            takes = {say.fresh("p"): say.parameter() for _ in range(say.upto(2))}
            gives = say.pick([number(-99, 99), FLAG, set_of("gem")])
            text = say.of(gives, dict(takes), 3)
            formula: Section = {"takes": _types(takes)} if takes else {}
            formula["is"] = text
            if gives[0] == "number" and say.often(50):
                formula["open"] = True
                for key in ("each", "sum", "clamp"):
                    if say.often(30):
                        formula[key] = say.pick(["-3..3", "0..9", "-9..0"])
            if takes and all(t[0] == "thing" for t in takes.values()) and say.often(30):
                formula["sees"] = say.pick(["true", "viewer is ann"])
            made[f"f{n}"] = formula
            self.world.formulas[f"f{n}"] = (list(takes.values()), gives)
            self._named[f"f{n}"] = (takes, "open" in formula)
        if made:
            rules["formulas"] = made

    def _declare_windows(self, rules: Section) -> None:
        if self.say.often(30):
            takes = {"asker": thing("player"), "much": number(0, 9)} if self.say.often(60) else {}
            window: Section = {"text": "A window.", "window": self.say.pick(["maybe", "one", "many"])}
            if takes:
                window["takes"] = _types(takes)
            rules["windows"] = {"answer": window}
            self.world.windows["answer"] = list(takes.values())
            self._window = takes

    def _around(self, **more: Any) -> Around:
        return Around(events=tuple(sorted(self.world.events)), **more)

    def _events(self, rules: Section) -> None:
        say, made = self.say, {}
        for n in range(say.upto(3)):
            takes = {say.fresh("p"): say.parameter() for _ in range(say.upto(2))}
            event: Section = {"takes": _types(takes)} if takes else {}
            if say.often(30):
                event["needs"] = say.flag(dict(takes), 2)
            if say.often(20):
                event["together"] = True
            event["do"] = say.block(dict(takes), self._around(asks=say.often(60)))
            self.world.events[f"e{n}"] = list(takes.values())
            self._event_names[f"e{n}"] = takes
            made[f"e{n}"] = event
        if made:
            rules["events"] = made

    # --- rules ---

    def _rules(self, into: Section, key: str, scope: Scope, most: int = 3) -> None:
        made = {}
        for _ in range(self.say.upto(most)):
            rule = self._rule(scope)
            if rule is not None:
                made[self.say.fresh("rule_")] = rule
        if made:
            into[key] = made

    def _rule(self, scope: Scope) -> Section | None:
        head = self.say.pick(["after", "instead of", "always", "modify", "forbid"])
        if head == "modify":
            return self._modifier(scope)
        if head == "always":
            binder, inner = self.say.binder(scope, 2)
            return self._finished({head: binder}, inner, self._around(asks=self.say.often(40)), head)
        found = self._pattern(scope, events=head != "after")
        if found is None:
            return None
        pattern, inner, proceeds = found
        if head == "forbid":
            rule: Section = {head: pattern}
            if self.say.often(70):
                rule["when"] = self.say.flag(inner, 2)
            return rule
        around = self._around(proceeds=proceeds if head == "instead of" else None)
        return self._finished({head: pattern}, inner, around, head)

    def _finished(self, rule: Section, scope: Scope, around: Around, head: str) -> Section:
        say = self.say
        if head != "always" and say.often(40):
            rule["when"] = say.flag(scope, 2)
        if head == "after" and say.often(20):
            name = say.fresh("was")
            rule["before"] = {name: say.number(scope, 2)}
            scope = {**scope, name: number(-99, 99)}
        if head == "after" and say.often(20):
            rule["may"] = True
            rule["who"] = say.thing("player", scope, 1)
        if head == "after" and say.often(20):
            rule["limit"] = say.pick(["once per turn", "2 per game", "once per round"])
        if head == "after" and say.often(15):
            rule["cost"] = say.block(scope, self._around(asks=False), 0)
        rule["do"] = say.block(scope, around)
        return rule

    def _pattern(self, scope: Scope, events: bool) -> tuple[str, Scope, tuple[str, ...]] | None:
        say = self.say
        ways = ["event"] if events else ["event", "set", "move", "phase"]
        match say.pick(ways):
            case "event" if self._event_names:
                name = say.pick(sorted(self._event_names))
                takes = {f"q{n}": type for n, type in enumerate(self._event_names[name].values())}
                return f"{name}({', '.join(takes)})", {**scope, **takes}, tuple(self._event_names[name])
            case "set":
                found = [
                    (k.name, a, t)
                    for k in self.world.kinds.values()
                    for a, (t, per) in k.has.items()
                    if not per
                ]
                if not found:
                    return None
                kind, name, type = say.pick(found)
                it: Scope = {} if kind == "game" else {"it": thing(kind)}
                return f"set {kind}.{name}", {**scope, **it, "old": type, "new": type}, ()
            case "move" if self.world.places:
                place = self.world.places[say.pick(sorted(self.world.places))]
                way = say.pick([f" to {place.name}", f" from {place.name}", ""])
                return f"move {place.holds}{way}", {**scope, "it": thing(place.holds)}, ()
            case "phase":
                return say.pick(["start of turn", "end of turn", "start of round", "end of round"]), scope, ()
        return None

    def _modifier(self, scope: Scope) -> Section | None:
        say = self.say
        openly = [name for name, (_, is_open) in self._named.items() if is_open]
        if not openly:
            return None
        name = say.pick(openly)
        takes = {f"q{n}": type for n, type in enumerate(self._named[name][0].values())}
        inner = {**scope, **takes}
        rule: Section = {"modify": f"{name}({', '.join(takes)})"}
        if say.often(50):
            rule["when"] = say.flag(inner, 2)
        rule[say.pick(["add", "set"])] = say.number(inner, 2)
        return rule

    def _keywords(self, rules: Section) -> None:
        if not self.say.often(30):
            return
        keyword: Section = {"text": "A keyword.", "kind": "card"}
        self._rules(keyword, "rules", self._printed_scope(), 2)
        rules["keywords"] = {"swift": keyword}
        self.world.keywords.append("swift")

    def _printed_scope(self) -> Scope:
        owned = "owner" in self.world.kinds["card"].has
        return {"self": thing("card"), **(ME if owned else {})}

    def _printed(self, card: Section) -> None:
        """What is printed on cards: rules, actions and keywords."""
        say, scope = self.say, self._printed_scope()
        for name, facts in card["things"].items():
            if self.world.keywords and say.often(50):
                facts["keywords"] = ["swift"]
            if say.often(30):
                self._rules(facts, "rules", scope, 2)
            if "me" in scope and say.often(20):
                facts["actions"] = {f"use_{name}": self._action(scope, ["turn"])}
        if say.often(30):
            self._rules(card, "rules", scope, 2)
        if say.often(20):
            card["works"] = say.flag({"self": thing("card")}, 2)

    # --- play ---

    def _flow(self) -> list[Section]:
        say = self.say
        turn: Section = {"phase": "turn", "each": "me in players"}
        if say.often(30):
            turn["each"] = f"me in players where {say.flag(ME, 1)}"
        if say.often(20):
            turn["do"] = say.block(ME, self._around(leaves=("turn",)))
        turn["window"] = say.pick(["one", "maybe", "many"])
        if turn["window"] == "one":
            turn["stuck"] = "finish over"
        if say.often(15):
            turn["holds"] = say.flag(ME, 2)
        if say.often(15):
            turn["sees"] = say.pick(["viewer is me", "true"])
        if say.often(20):
            turn["end"] = say.block(ME, self._around(leaves=("round",)))
        around: Section = {"phase": "round", "repeat": say.pick([True, say.flag({}, 2)]), "steps": [turn]}
        if say.often(30):
            around["do"] = say.block({}, self._around(leaves=("round",)))
        if say.often(30):
            around["end"] = say.block({}, self._around(leaves=("round",)))
        return [around, {"phase": "closing", "do": "finish over"}]

    def _actions(self) -> Section:
        made: Section = {f"act_{n}": self._action(ME, ["turn"]) for n in range(self.say.upto(3))}
        made["wait"] = {"during": "turn", "do": "skip"}
        if self.world.windows:
            made["answer_it"] = self._action({**ME, **self._window}, ["answer"])
        return made

    def _action(self, scope: Scope, during: list[str]) -> Section:
        say = self.say
        action: Section = {"during": during[0]}
        scope = dict(scope)
        if say.often(60):
            action["choose"] = choose = {}
            for _ in range(1 + say.upto(1)):
                name, text, type = self._choice(scope)
                choose[name] = text
                scope[name] = type
        if say.often(30):
            action["needs"] = say.flag(scope, 2)
        if say.often(30):
            action["joined"] = True
        if say.often(20):
            action["limit"] = say.pick(["once per turn", "2 per game", "3 per round"])
        if say.often(25):
            action["cost"] = say.block(scope, self._around(asks=say.often(20)), 1)
        if say.often(20):
            action["holds"] = say.flag(scope, 2)
        if say.often(15):
            action["sees"] = say.pick(["viewer is me", False])
        action["do"] = say.block(scope, self._around(leaves=("turn", "round")), 3)
        return action

    def _choice(self, scope: Scope) -> tuple[str, str, Type]:
        say = self.say
        if say.often(30):
            return say.fresh("n_"), f"in {say.range(scope, 1)}", number(0, 9)
        name = say.fresh("c_")
        if say.often(20):
            kind = say.pick(["card", "gem"])
            many = say.pick(["up to 2", "exactly 1", "any number"])
            text = say.binder(scope, 1, kind, name=name)[0].removeprefix(name)
            return name, f"{many}{text}", set_of(kind)
        text, inner = say.binder(scope, 2, name=name)
        return name, text.removeprefix(name + " "), inner[name]

    def _endings(self) -> Section:
        say = self.say
        won: Section = {"text": "Won."}
        if say.often(30):
            won["when"] = say.flag({}, 3)
            if say.often(50):
                won["winners"] = say.pick([say.thing("player", {}, 1), say.set("player", {}, 1)])
            if say.often(40):
                won["at"] = say.pick(["end of turn", "end of round"])
        return {"over": {"text": "Over."}, "won": won}

    def _judged(self, rules: Section) -> None:
        say = self.say
        if say.often(20):
            rules["scores"] = say.number({"p": thing("player")}, 2)
        if say.often(15):
            rules["invariants"] = {"kept": {"text": "Kept.", "that": say.flag({}, 2)}}
        if say.often(15):
            rules["checks"] = {"printed": {"text": "Printed.", "each": "c in cards", "that": "true"}}


def _types(takes: dict[str, Type]) -> dict[str, str]:
    return {name: written(type) for name, type in takes.items()}
