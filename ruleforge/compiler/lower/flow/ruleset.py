"""Lower checked rules to all functions of a program, with the meaning of its numbers."""

from __future__ import annotations

from typing import NamedTuple

from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import close_effects
from ruleforge.compiler.layout import RowLayout, layout_of, value_type
from ruleforge.compiler.lower.context import Above, Begin, Env, Lowering
from ruleforge.compiler.lower.decisions import costs, decision_statements, windows
from ruleforge.compiler.lower.effects import contract_gate, event_gates, positions, queue, statements
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.flow import phases, settlement, standing_rules
from ruleforge.compiler.lower.pack_observation import observed
from ruleforge.compiler.lower.sets import aggregates, connection, masks, membership, modifiers
from ruleforge.compiler.observation_program import action_sees, formula_sees, visibilities
from ruleforge.compiler.passes.implied_tests import implied
from ruleforge.compiler.passes.loop_invariants import hoisted
from ruleforge.compiler.passes.loop_unswitch import unswitched
from ruleforge.compiler.passes.trial_elision import unasked, untried
from ruleforge.compiler.step_budget import MOST, with_step_budget
from ruleforge.compiler.trace_marks import NO_MARKS, Marks
from ruleforge.compiler.written_slots import written
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumbersT, NumberT, SetT, ThingT
from ruleforge.support.diagnostics import NOWHERE

ABOVE = Above(
    words=masks.words,
    contains=membership.contains,
    aggregate=aggregates.aggregate,
    linked=connection.linked,
    open_formula=modifiers.number_formula,
    can=event_gates.can,
    would=event_gates.would,
    can_act=windows.can_act,
    repeats=positions.repeats,
    decision=decision_statements.decision,
    optional=costs.optional,
    settled=settlement.settled,
    listens=settlement.listens,
)


def begin(
    rules: t.Checked,
    players: int,
    options: dict[str, int],
    chance: bool = False,
    marks: Marks = NO_MARKS,
    first: Begin | None = None,
) -> Lowering:
    """Start a program: lay out its row and sort the rules by their triggers."""
    layout = layout_of(rules, players)
    low = Lowering(rules, layout, options, chance, written(rules), ABOVE, marks=marks, begin=first)
    low.fault("RF811", "a number would leave the 32-bit range", NOWHERE)
    low.fault("RF812", "a chain of effects does not end", NOWHERE, _chain_clauses(rules))
    low.fault("RF813", "effects are nested too deep; see `limits: stack`", NOWHERE)
    _hang(low)
    phases.number(low)
    queue.reserve(low)
    standing_rules.reserve(low)
    contract_gate.reserve(low)
    return low


def _chain_clauses(rules: t.Checked) -> tuple[str, ...]:
    """The clauses by which a chain of effects with packs is cut off."""
    return rules.gate.chain if rules.gate is not None and rules.gate.longest_chain is not None else ()


class _About(NamedTuple):
    """The queries about positions of a game."""

    score: str | None = None
    heuristic: str | None = None
    invariants: tuple[ir.InvariantInfo, ...] = ()
    formulas: tuple[ir.FormulaInfo, ...] = ()
    modifiers: tuple[ir.ModifierInfo, ...] = ()


def lower(low: Lowering) -> ir.Lowered:
    """Lower everything else that a game needs."""
    main = phases.MAIN if phases.MAIN in low.functions else phases.main(low)
    score = _of_player(low, "score", low.rules.score) or statements.score(low)
    heuristic = _of_player(low, "heuristic", low.rules.heuristic)
    _visibility(low)
    return _lowered(
        low, main, _About(score, heuristic, _invariants(low), _formulas(low), modifiers.explained(low))
    )


def lower_reachable(low: Lowering) -> ir.Lowered:
    """Lower only the functions that are already called: a program without a game."""
    return _lowered(low, low.reserve(phases.MAIN, ()), _About())


def _lowered(low: Lowering, main: str, about: _About) -> ir.Lowered:
    rules, layout = low.rules, low.layout
    layout.start[ir.ACTIVE] = 1
    lowered = ir.Lowered(
        name=rules.name,
        own=tuple(layout.start),
        functions=close_effects(observed(low.functions, main, low.watched)),
        main=main,
        tables=tuple(low.tables),
        relations=tuple(low.relations),
        sites=tuple(low.sites),
        kinds=tuple(_kind(layout, k) for k in layout.kinds),
        columns=tuple(layout.columns.values()),
        places=tuple(layout.places.values()),
        actions=tuple(
            ir.ActionInfo(a.name, a.title, a.text, a.span, a.clauses, action_sees(a))
            for a in rules.actions.values()
        ),
        endings=tuple(
            ir.EndingInfo(e.name, e.text, e.span, e.clauses, e.lost) for e in rules.endings.values()
        ),
        faults=tuple(low.faults),
        notes=tuple(low.notes),
        score=about.score,
        heuristic=about.heuristic,
        chain=min(rules.limits.get("chain", rules.ceilings.chain), rules.ceilings.chain),
        work=min(rules.ceilings.work, MOST),
        limit=rules.limits.get("stack"),
        invariants=about.invariants,
        modifiers=about.modifiers,
        formulas=about.formulas,
        secret_action=low.secret_action,
        secret_audiences=tuple(low.secret_audiences),
        indexed=tuple(low.indexed),
        queue=queue.queue_info(low),
        positions=tuple(ir.PositionInfo(p.name, base + 1, p.keeps) for p, base in layout.positions.items()),
        breaches=tuple(low.contract_state.breaches) if low.contract_state else (),
        written=tuple(low.written.places),
    )
    tried = untried(lowered)
    if not low.marks:  # else what is tried is watched
        tried = unasked(tried)
    return with_step_budget(implied(unswitched(hoisted(tried))))


def lower_check(low: Lowering, check: t.Check) -> str:
    """The function of one check of the printed material."""
    name = f"check {check.name}"
    if check.binder is None:
        return low.define(name, (), (ir.Return(values.value(low, check.test, Env())),), check.span)
    variable = check.binder.variable
    env = Env({variable: ir.Local("thing")})
    concerned = membership.contains(low, check.binder.source, ir.Local("thing"), False, env)
    where = values.value(low, check.binder.where, env) if check.binder.where else ir.Const(1)
    failed = ir.Logic("and", (concerned, where, values.negated(values.value(low, check.test, env))))
    return low.define(
        name, ("thing",), (ir.If(failed, (ir.Return(ir.Const(0)),)), ir.Return(ir.Const(1))), check.span
    )


def _hang(low: Lowering) -> None:
    """Sort the loaded rules by their subjects."""
    for rule in low.rules.rules:
        if rule.form == "always":
            low.hooks.always.append(rule)
        elif rule.pattern is not None:
            getattr(low.hooks, rule.form).setdefault(rule.pattern.subject, []).append(rule)


def _formulas(low: Lowering) -> tuple[ir.FormulaInfo, ...]:
    """Every formula about things and numbers, with a function for its value."""
    found = []
    for formula in low.rules.formulas.values():
        kinds = [_path_kind(low, p) for p in formula.parameters]
        if isinstance(formula.result, SetT | NumbersT) or formula.body is None or -1 in kinds:
            continue
        names, env = modifiers.parameters_of(low, formula.parameters)
        uses = tuple(t.Use(formula.span, p.type, p) for p in formula.parameters)
        value = values.value(low, t.CallFormula(formula.span, formula.result, formula, uses), env)
        function = low.define(f"ask {formula.name}", names, (ir.Return(value),), formula.span)
        sees = formula_sees(formula)
        if sees is not None and formula.sees is not None:
            _sees(low, sees, formula.sees)
        info = value_type(low.layout, formula.result)
        base = None
        if low.is_modified(formula):
            plain = ir.Return(values.value(low, formula.body, env))
            base = low.define(f"base {formula.name}", names, (plain,), formula.span)
        hidden = bool(low.control.reader.read(formula))
        found.append(
            ir.FormulaInfo(
                formula.name,
                tuple(kinds),
                function,
                sees,
                info,
                formula.text,
                hidden,
                base,
                formula.each,
                formula.sum,
                formula.clamp,
                _caps(low, formula),
            )
        )
    return tuple(found)


def _caps(low: Lowering, formula: t.Formula) -> tuple[ir.CapInfo, ...]:
    """The contract limits on the additions of packs to a formula."""
    cap = low.rules.gate.caps.get(formula) if low.rules.gate is not None else None
    if cap is None:
        return ()
    ends = (("sum", cap.sum), ("result", cap.result), ("final", cap.final))
    return tuple(ir.CapInfo(of, found, cap.clauses, cap.span) for of, found in ends if found is not None)


def _path_kind(low: Lowering, parameter: t.Variable) -> int | None:
    """The kind of a parameter, None for a number; -1 if it cannot be written in a path."""
    match parameter.type:
        case ThingT(kind=kind):
            return low.layout.number(low.kind(kind))
        case NumberT():
            return None
    return -1


def _invariants(low: Lowering) -> tuple[ir.InvariantInfo, ...]:
    """The invariants. The absence of contract breaches by observed packs comes first."""
    found = []
    for breach in low.contract_state.breaches if low.contract_state else ():
        name = f"none of {breach.slot}"
        none = ir.Binary("==", ir.Load(breach.slot), ir.Const(0))
        low.define(name, (), (ir.Return(none),), breach.span)
        found.append(ir.InvariantInfo(breach.name, name, "", breach.span, breach.clauses))
    for invariant in low.rules.invariants:
        name = f"invariant {invariant.name}"
        low.define(name, (), (ir.Return(values.value(low, invariant.test, Env())),), invariant.span)
        found.append(
            ir.InvariantInfo(invariant.name, name, invariant.text, invariant.span, invariant.clauses)
        )
    return tuple(found)


def _kind(layout: RowLayout, kind: t.Kind) -> ir.KindInfo:
    things = ("none", *kind.things[: layout.size(kind)])
    exists = next((i.base for c, i in layout.columns.items() if c.kind is kind and c.name == "exists"), None)
    return ir.KindInfo(kind.name, kind.plural, things, exists if kind.pool else None)


def _of_player(low: Lowering, name: str, number: tuple[t.Variable, t.Expr] | None) -> str | None:
    """A function that gives a number for each player."""
    if number is None:
        return None
    player, value = number
    env = Env({player: ir.Local("p")})
    return low.define(name, ("p",), (ir.Return(values.value(low, value, env)),), value.span)


def _visibility(low: Lowering) -> None:
    """Define a visibility function for everything that may be hidden: it takes (viewer, thing, indices...)."""
    for name, condition in visibilities(low.rules):
        _sees(low, name, condition)


def _sees(low: Lowering, name: str, rule: t.Visibility) -> None:
    variables = (rule.viewer, rule.thing, *rule.index)
    names = tuple(f"{v.name}_{i}" for i, v in enumerate(variables))
    env = Env({v: ir.Local(x) for v, x in zip(variables, names, strict=True)})
    low.define(name, names, (ir.Return(values.value(low, rule.test, env)),), rule.test.span)
