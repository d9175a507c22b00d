"""Compute the effect summaries of packs and of the rules of the core.

A pack has summaries for rules, actions, fillings, steps and set-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ruleforge.analysis.effects.blocks import most_proceeds
from ruleforge.analysis.effects.circumstances import Env, Found, Where
from ruleforge.analysis.effects.definitions import blocks_of
from ruleforge.analysis.effects.deltas import is_at_most
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.relations import Verb, relations_in
from ruleforge.analysis.effects.summary import ME, Change, EffectSummary, Key, Who
from ruleforge.analysis.effects.things import ACTIVE
from ruleforge.analysis.effects.values import NOTHING, Known, conjuncts
from ruleforge.analysis.effects.walk import Walk
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, phases_of
from ruleforge.support.diagnostics import Span

_CHANGING = {"modify": "modify", "forbid": "forbid", "instead": "instead", "after": "listen"}


class Summarizer:
    """Summarises the definitions of one set of packs. `owner` gives the pack of a place in the files."""

    def __init__(self, rules: t.Checked, ranges: Ranges, owner: Callable[[Span], str]) -> None:
        self.rules, self.ranges, self.owner = rules, ranges, owner
        self.walk = Walk(rules, ranges, owner)

    def all(self) -> Iterator[EffectSummary]:
        yield from (self.rule(rule) for rule in self.rules.rules)
        yield from (self.action(action) for action in self.rules.actions.values())
        yield from self._events()
        yield from self._phases(self.rules.flow)
        yield from self._setup()

    # --- rules ---

    def rule(self, rule: t.Rule) -> EffectSummary:
        env: Env = {}
        self._carry(rule.carrier, env)
        subjects = self._trigger(rule, env)
        if rule.binder is not None:
            env = self.ranges.bound(rule.binder, env)
        for variable, value in rule.before:
            env[variable] = self.ranges.known(value, env)
        tests = conjuncts(*(rule.pattern.tests if rule.pattern else ()), rule.when)
        self._learn(tests, env)
        known = self._narrowed(rule.pattern, tests, env)
        origin = self.owner(rule.span)
        where = Where(sealed="" if origin else rule.name, path=self._via(rule), holds=tests)
        found = Found()
        self.walk.block(rule.cost, known, replace(where, paid=True), found)
        self.walk.block(rule.body, known, where, found)
        hung = rule.pattern or rule.binder
        head = hung.span if hung else rule.span
        hanging = self._hanging(rule, known, head) if origin else []
        effect = EffectSummary(
            rule.name,
            self._title(rule.carrier, rule.name),
            rule.form,
            rule.span,
            origin,
            rule.carrier,
            rule,
            listens=key_of(rule.pattern) if rule.form != "modify" else None,
            subjects=subjects,
            conditions=tests,
            limit=rule.limit,
            proceeds=most_proceeds(rule.body),
            head=head,
            environment=dict(env),
        )
        return found.noted_in(effect, hanging)

    def _carry(self, carrier: t.Carrier | None, env: Env) -> None:
        if carrier is None:
            return
        env[carrier.this] = Known(things=frozenset(carrier.things) if carrier.things is not None else None)
        if carrier.me is not None:
            env[carrier.me] = Known(who=ME)
        for variable, value in carrier.given:
            env[variable] = self.ranges.known(value, env)

    def _trigger(self, rule: t.Rule, env: Env) -> tuple[t.Variable, ...]:
        """The players that a trigger binds, each a base of its own."""
        pattern = rule.pattern
        if pattern is None:
            return ()
        if isinstance(pattern.subject, tuple):
            env[ACTIVE] = Known(who=Who(0))
            return (ACTIVE,)
        players = [v for v in pattern.parameters if isinstance(v.type, ThingT) and v.type.kind == "player"]
        if isinstance(pattern.subject, t.Column):
            players = players[:1] if pattern.subject.kind.name == "player" else []
        if isinstance(pattern.subject, t.Kind):
            players = []
        for number, variable in enumerate(players):
            env[variable] = Known(who=Who(number))
        return tuple(players)

    def _learn(self, tests: tuple[t.Expr, ...], env: Env) -> None:
        """A test such as `p is me` or `c is self` says what a variable is."""
        for test in tests:
            if not isinstance(test, t.Compare) or test.op != "==":
                continue
            for one, other in ((test.left, test.right), (test.right, test.left)):
                if isinstance(one, t.Use):
                    self._learn_of(one.variable, other, env)

    def _narrowed(self, pattern: t.Pattern | None, tests: tuple[t.Expr, ...], env: Env) -> Env:
        """The known values where the conditions hold.

        Conditions on printed facts restrict the possible things.
        """
        inner = dict(env)
        for variable in pattern.parameters if pattern else ():
            known = env.get(variable, NOTHING)
            if isinstance(variable.type, ThingT) and known.things is None:
                things = self.ranges.fitting(variable, tests)
                if things is not None:
                    inner[variable] = replace(known, things=things)
        return inner

    def _learn_of(self, variable: t.Variable, other: t.Expr, env: Env) -> None:
        known = env.get(variable, NOTHING)
        things, who = self.ranges.things(other, env), self.ranges.who(other, env)
        if who is not None and who.base == "me":
            env[variable] = Known(known.range, known.things, known.places, who)
        elif things is not None and known.things is None:
            env[variable] = Known(known.range, things, known.places, known.who)

    def _via(self, rule: t.Rule) -> tuple[str, ...]:
        subject = rule.pattern.subject if rule.pattern else None
        return (subject.name,) if isinstance(subject, t.Event) else ()

    def _hanging(self, rule: t.Rule, env: Env, head: Span) -> list[Change]:
        """The change that hanging on something is."""
        kind = _CHANGING.get(rule.form)
        if kind is None or rule.pattern is None:
            return []
        names, span = self._hung_on(rule.pattern), self._owner_of(rule.pattern.subject)
        if span is not None and self.owner(span):
            return []
        if kind == "modify":
            amount = self.ranges.of(rule.amount, env) if rule.amount is not None else None
            formula = rule.pattern.subject if isinstance(rule.pattern.subject, t.Formula) else None
            amount_span = rule.amount.span if rule.amount is not None else None
            return [
                Change(
                    kind,
                    names,
                    head,
                    rule.op,
                    amount,
                    value=rule.amount,
                    amount_span=amount_span,
                    subject=formula,
                )
            ]
        acts = self._acts(rule, env) if kind == "instead" else ""
        return [Change(kind, names, head, acts=acts)]

    def _hung_on(self, pattern: t.Pattern) -> tuple[str, ...]:
        match pattern.subject:
            case t.Event(name=name) | t.Formula(name=name):
                return (name,)
            case t.Column(name=name, kind=kind):
                return (f"{kind.name}.{name}", kind.name)
            case t.Kind(name=name) if len(pattern.parameters) == 1:
                return ("keywords", "keyword", name)
            case t.Kind(name=name):
                return (*_ways(name, pattern), name)
            case (_, phase):
                return (phase, "flow")
        raise AssertionError(pattern.subject)

    def _owner_of(self, subject: object) -> Span | None:
        if isinstance(subject, tuple):
            return next((p.span for p in phases_of(self.rules.flow) if p.name == subject[1]), None)
        return getattr(subject, "span", None)

    def _acts(self, rule: t.Rule, env: Env) -> str:
        """The effect of a replacement on the event that it replaces, in the worst case."""
        most = most_proceeds(rule.body)
        if most > 1:
            return "other"
        parameters = rule.pattern.parameters if rule.pattern else ()
        proceeds = [node for node in all_nodes(rule.body) if isinstance(node, t.Proceed)] if most else []
        handed = [(a, p) for node in proceeds for p, a in zip(parameters, node.arguments, strict=False)]
        if not proceeds:
            return "none"
        if not all(is_at_most(a, p, self.ranges, env) for a, p in handed):
            return "other"
        return "same" if handed and all(_is(a, p) for a, p in handed) else "less"

    # --- actions, fillings, steps, set-up ---

    def action(self, action: t.Action) -> EffectSummary:
        env: Env = {action.me: Known(who=ME)}
        self._carry(action.carrier, env)
        if action.carrier is not None and action.carrier.me is not None:
            env[action.carrier.me] = Known(who=ME)
        env = self.walk.binders(action.binders, env)
        wheres = [b.where for b in action.binders if isinstance(b, t.Binder)]
        tests = conjuncts(*action.needs, *wheres)
        self._learn(tests, env)
        found, sealed = Found(), "" if self.owner(action.span) else action.name
        self.walk.block(action.cost, env, Where(sealed, paid=True, holds=tests), found)
        self.walk.block(action.body, env, Where(sealed, holds=tests), found)
        acts = [Change("act", (w, "new"), action.span, windows=(w,)) for w in action.during]
        effect = EffectSummary(
            action.name,
            self._title(action.carrier, action.title or action.name),
            "action",
            action.span,
            self.owner(action.span),
            action.carrier,
            action=action,
            conditions=tests,
            windows=action.during,
            limit=action.limit,
            environment=dict(env),
        )
        return found.noted_in(effect, acts if not sealed else [])

    def _events(self) -> Iterator[EffectSummary]:
        """Fillings of placeholders, and events that nothing of a pack calls."""
        called = {
            what for verb, what in relations_in(self.rules, *blocks_of(self.rules)) if verb is Verb.PERFORM
        }
        for event in self.rules.events.values():
            if event.body is None or not self.owner(event.body.span):
                continue
            fills = not self.owner(event.span)
            if fills or event not in called:
                form = "fill" if fills else "event"
                listens = ("event", event.name) if fills else None
                yield self._plain(event.name, form, event.body, Where(path=(event.name,)), listens)

    def _phases(self, flow: tuple[t.Phase, ...]) -> Iterator[EffectSummary]:
        for phase in phases_of(flow):
            env: Env = {phase.me: Known(who=ME)} if phase.me else {}
            blocks = [b for b in (phase.body, phase.stuck, phase.end) if b is not None]
            whole = t.Block(phase.span, tuple(s for b in blocks for s in b.statements))
            sealed = "" if self.owner(phase.span) else phase.name
            yield self._plain(phase.name, "step", whole, Where(sealed), None, env)

    def _setup(self) -> Iterator[EffectSummary]:
        setup = self.rules.setup
        for pack in dict.fromkeys(self.owner(s.span) for s in setup.statements) if setup else ():
            if pack and setup:
                own = tuple(s for s in setup.statements if self.owner(s.span) == pack)
                yield self._plain("setup", "setup", t.Block(own[0].span, own), Where(beginning=True))

    def _plain(
        self,
        name: str,
        form: str,
        block: t.Block,
        where: Where,
        listens: Key | None = None,
        env: Env | None = None,
    ) -> EffectSummary:
        found = Found()
        self.walk.block(block, env or {}, where, found)
        effect = EffectSummary(name, name, form, block.span, self.owner(block.span), listens=listens)
        return found.noted_in(effect)

    def _title(self, carrier: t.Carrier | None, name: str) -> str:
        """The title of the thing that carries a rule, if it is one thing."""
        if carrier is not None and carrier.things and len(carrier.things) == 1:
            thing = carrier.kind.things[carrier.things[0] - 1]
            return carrier.kind.titles.get(thing, thing)
        return name


def _is(argument: t.Expr, parameter: t.Variable) -> bool:
    return isinstance(argument, t.Use) and argument.variable is parameter


def key_of(pattern: t.Pattern | None) -> Key | None:
    """The key of the trigger of a rule, in the form of emissions."""
    match pattern.subject if pattern else None:
        case t.Event(name=name):
            return ("event", name)
        case t.Column(name=name, kind=kind):
            return ("set", kind.name, name)
        case t.Kind(name=name):
            return ("move", name)
        case (edge, phase):
            return ("phase", str(edge), str(phase))
    return None


def _ways(kind: str, pattern: t.Pattern) -> list[str]:
    """The moves that a pattern waits for: `card from hand`, `card into deck`."""
    words = {"source_": "from", "to_": "into"}
    return [
        f"{kind} {words[test.number.variable.name]} {test.place.place.name}"
        for test in pattern.tests
        if isinstance(test, t.AtPlace)
        and isinstance(test.number, t.Use)
        and isinstance(test.place, t.Content | t.Family)
    ]
