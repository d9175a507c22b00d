"""`secrecy` finds packs that reveal hidden information, or let a player choose or act by it.

`analysis.infoflow` computes the values that depend on hidden information. This module finds the parts of a
pack with visible results, the players who may know each value, and the things that become visible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ruleforge.analysis.effects.summary import ME, EffectSummary
from ruleforge.analysis.effects.values import Known, same, written_out
from ruleforge.analysis.infoflow.bindings import Inflow
from ruleforge.analysis.infoflow.disclosure import Opened
from ruleforge.analysis.infoflow.flow import InfoFlow
from ruleforge.analysis.infoflow.labels import Label, Labels
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Secrecy
from ruleforge.contracts.permissions import Permissions
from ruleforge.contracts.trial import Trial, broken, label, subject
from ruleforge.contracts.visible_effects import VisibleEffect, is_one_of, visible_effects
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.lang.checker.walk import all_nodes, nodes, parts, replaced
from ruleforge.support.diagnostics import Span


def breaches(trial: Trial, secrecy: Secrecy) -> Iterator[Fault]:
    return _Leaks(trial, trial.once(_flow_of), secrecy).faults()


def _flow_of(trial: Trial) -> InfoFlow:
    """The information flow of the rules, also into events of packs and into what their triggers bind."""
    flow = InfoFlow(trial.rules)
    bindings = flow.context.bindings
    for node in nodes(trial.rules):
        match node:
            case t.Perform(event=event, arguments=arguments) if trial.owner(event.span):
                for parameter, argument in zip(event.parameters, arguments, strict=False):
                    bindings.add(parameter, Inflow((argument,)))
            case t.RandomPick(variable=variable, binder=binder):
                bindings.sources.setdefault(variable, binder.source)
    for rule in trial.rules.rules:
        if trial.owner(rule.span):
            for variable, value in rule.before:
                bindings.add(variable, Inflow((value,)))
        if trial.owner(rule.span) and rule.form == "after":
            for variable, place in _arriving(rule.pattern):
                source = t.Family(variable.span, SetT(place.holds.name), place)
                bindings.sources.setdefault(variable, source)
    return flow


def _arriving(pattern: t.Pattern | None) -> Iterator[tuple[t.Variable, t.Place]]:
    """The things that a trigger tells of, and where they lie then."""
    match pattern:
        case t.Pattern(subject=t.Event(body=t.Block() as body, parameters=inside), parameters=outside):
            names = dict(zip(inside, outside, strict=False))
            for node in all_nodes(body):
                match node:
                    case t.Move(thing=t.Use(variable=moved), place=place) if place.hidden and moved in names:
                        yield names[moved], place
        case t.Pattern(subject=t.Kind(name=kind), parameters=parameters, tests=tests):
            things = [variable for variable in parameters if variable.type == ThingT(kind)]
            for test in tests:
                match test:
                    case t.AtPlace(
                        number=t.Use(variable=number), place=t.Content(place=place) | t.Family(place=place)
                    ):
                        yield from ((variable, place) for variable in things[:1] if number.name == "to_")


class _Leaks:
    """The faults of one section of secrecy."""

    def __init__(self, trial: Trial, flow: InfoFlow, secrecy: Secrecy) -> None:
        self.trial, self.flow, self.secrecy = trial, flow, secrecy
        modifiers = [rule for rule in trial.rules.rules if rule.form == "modify"]
        self._modifiers = {span: rule for rule in modifiers for span in _spans_in(rule)}
        self._judged: t.Rule | None = None

    def faults(self) -> Iterator[Fault]:
        for effect in self.trial.summaries.effects:
            yield from self._of(effect)
        yield from self._shown_formulas()

    def _of(self, effect: EffectSummary) -> Iterator[Fault]:
        looks = self.trial.once(Permissions).looks
        for change in effect.changes:
            allowed = change.span in looks or any(name in self.secrecy.allowed for name in change.path)
            if change.kind == "look" and any(n in self.secrecy.keep for n in change.names) and not allowed:
                yield self._fault(effect, change.span, f"shows what lies in `{change.name}`")
        self._judged = effect.rule
        for sink, opened in visible_effects(self.trial, effect):
            verb = "lets somebody act" if sink.asks else "acts"
            for span, hidden in self._disclosures(sink, sink.what, opened):
                yield self._fault(effect, span, f"{verb} by what is hidden in `{hidden}`")
        overheard = self._overheard(effect)
        if overheard is not None:
            what = f"acts when the hidden `{overheard}` changes"
            yield self._fault(effect, effect.place, what, "listen to something that all players can see")

    def _shown_formulas(self) -> Iterator[Fault]:
        """Formulas of packs that are shown to players, and read what is hidden from them."""
        for formula in self.trial.rules.formulas.values():
            pack = self.trial.owner(formula.span)
            if not pack or formula.sees is None or formula.body is None:
                continue
            for span, hidden in self._disclosures(
                VisibleEffect(formula.body, frozenset()), formula.body, frozenset()
            ):
                why = f"the formula `{formula.name}` shows what is hidden in `{hidden}`"
                core, cites = ((label(self.secrecy), self.secrecy.span),), self.secrecy.cites
                named, spans, repair = (formula.name,), (span,), "delete `sees`"
                yield Fault("broken", "RF915", pack, named, spans, why, cites, core, repair)
                break

    def _overheard(self, effect: EffectSummary) -> str | None:
        """The hidden attribute for which a rule waits to do something that others see; one's own is no secret.

        A rule that asks for what the attribute is hidden by is taken to wait until it is open.
        """
        column = (
            effect.rule.pattern.subject
            if effect.rule is not None and effect.rule.pattern is not None
            else None
        )
        if not isinstance(column, t.Column) or _name(column) not in self.secrecy.keep or _is_own(effect):
            return None
        sight = self.trial.rules.sight
        if column not in sight or all(_is_hidden(sight.get(w.column)) for w in effect.writes):
            return None
        opened = {n.column for n in all_nodes(sight[column].test) if isinstance(n, t.Read)}
        columns = {n.column for test in effect.conditions for n in all_nodes(test) if isinstance(n, t.Read)}
        return None if opened & columns else _name(column)

    # --- what a part of the rules tells ---

    def _disclosures(
        self, sink: VisibleEffect, node: t.Expr | t.Binder, opened: Opened
    ) -> Iterator[tuple[Span, str]]:
        """The smallest parts that depend on what is kept hidden, and what that is."""
        found = [label for label in self._labels(node, sink) if self._counts(label, sink, opened)]
        if not found:
            return
        inner = [leak for part in parts(node) for leak in self._inside(sink, part, opened)]
        if inner:
            yield from inner
        else:
            yield node.span, min(_name(label.what) for label in found)

    def _inside(self, sink: VisibleEffect, part: object, opened: Opened) -> Iterator[tuple[Span, str]]:
        if isinstance(part, t.Expr | t.Binder):
            yield from self._disclosures(replace(sink, asks=False), part, opened)

    def _labels(self, node: t.Expr | t.Binder, sink: VisibleEffect) -> Labels:
        if isinstance(node, t.Binder):
            if sink.asks:
                self.flow.context.bindings.bind(node)
                return self.flow.reader.inside(replace(node, usual=None))
            by = (_open_disclosures(value, sink.about) for value in node.by)
            where = None if node.where is None else _open_disclosures(node.where, sink.about)
            return self.flow.reader.members(replace(node, where=where)) | self.flow.labels(*by)
        return self.flow.labels(_open_disclosures(node, sink.about))

    def _counts(self, label: Label, sink: VisibleEffect, opened: Opened) -> bool:
        """Whether the value is hidden from the viewer, and the pack itself reads it."""
        if not isinstance(label.what, t.Column | t.Place) or _name(label.what) not in self.secrecy.keep:
            return False
        if label.indirect and not self.trial.owner(label.span):
            return False
        if sink.always and not self._is_fixed(label.what):
            return False
        if self._modifiers.get(label.span, self._judged) is not self._judged:
            return False  # another modifier reads it, and answers for it
        if any(self._is_opened(label, what) for what in opened):
            return False
        return bool(self.flow.hidden_from(sink.is_viewer, [label]))

    def _is_opened(self, label: Label, opened: t.Variable | t.Content) -> bool:
        if isinstance(opened, t.Content):
            return label.what is opened.place and same(label.whose, opened.index)
        return label in self.flow.reader.of(t.Use(opened.span, opened.type, opened))

    def _is_fixed(self, what: t.Column | t.Place) -> bool:
        """Whether its visibility never changes in play."""
        columns = [n for n in all_nodes(self.trial.rules.sight[what].test) if isinstance(n, _CHANGING)]
        return all(isinstance(n, t.Read) and n.column.constant for n in columns)

    def _fault(self, effect: EffectSummary, span: Span, what: str, repair: str = "") -> Fault:
        repair = repair or "count the hidden things, or use the events of the core that show them"
        return broken("RF915", effect, self.secrecy, f"{subject(effect)} {what}", repair, span)


_CHANGING = (t.Read, t.CallFormula, t.Aggregate)


def _spans_in(rule: t.Rule) -> frozenset[Span]:
    roots = [part for part in (rule.amount, *rule.conditions) if part is not None]
    nodes_of = (node for root in roots for node in all_nodes(root))
    return frozenset(node.span for node in nodes_of if isinstance(node, t.Expr))


# --- public knowledge ---


def _open_disclosures(
    expression: t.Expr, about: frozenset[t.Variable], formulas: frozenset[t.Formula] = frozenset()
) -> t.Expr:
    """An expression without what is known of a hidden thing: that there is one, whose it is, where the own one lies."""

    def open_part(node: t.Expr) -> t.Expr | None:
        match node:
            case t.AtPlace() | t.Compare(op="==" | "!=", left=t.Use(), right=t.Constant(value=0)):
                pass
            case t.Whereabouts(of=t.Use(variable=thing)) if thing in about:
                pass
            case t.Read() | t.CallFormula() | t.Whereabouts() if _is_player(node) and _is_of_things(node):
                pass
            case t.CallFormula(formula=formula) if _is_about(node, about) and formula not in formulas:
                meaning = written_out(node)
                return (
                    _open_disclosures(meaning, about, formulas | {formula}) if meaning is not node else None
                )
            case _:
                return None
        return t.Constant(node.span, node.type, 0)

    return replaced(expression, open_part)


def _is_about(node: t.CallFormula, about: frozenset[t.Variable]) -> bool:
    return any(is_one_of(argument, about) for argument in node.arguments)


def _is_of_things(node: t.Expr) -> bool:
    given = [part for part in parts(node) if isinstance(part, t.Expr)]
    return bool(given) and all(isinstance(part, t.Use) and not _is_player(part) for part in given)


def _is_player(node: t.Expr) -> bool:
    return isinstance(node.type, ThingT) and node.type.kind == "player"


def _is_hidden(seen: t.Visibility | None) -> bool:
    """Whether it is hidden from some player; `sees: true` hides nothing."""
    return seen is not None and not (isinstance(seen.test, t.Constant) and bool(seen.test.value))


def _is_own(effect: EffectSummary) -> bool:
    """Whether a condition restricts the rule to its own player."""
    me = effect.carrier.me if effect.carrier is not None else None
    known = effect.environment.get(me) if me is not None else None
    if me is None or not isinstance(known, Known) or known.who != ME:
        return False
    tests = [test for test in effect.conditions if isinstance(test, t.Compare) and test.op == "=="]
    sides = [side for test in tests for side in (test.left, test.right)]
    return any(is_one_of(side, frozenset([me])) for side in sides)


def _name(hidden: object) -> str:
    if isinstance(hidden, t.Column):
        return f"{hidden.kind.name}.{hidden.name}"
    return hidden.name if isinstance(hidden, t.Place) else ""
