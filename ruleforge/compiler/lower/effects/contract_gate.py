"""Runtime checks of a contract: shared limits of packs, void denials, and guarantees.

A program contains these checks only if packs touch parts that the contract covers; see `t.Gate`. If packs are
only observed, nothing is prevented. Words of the row count the breaches, and records log them.
"""

from __future__ import annotations

from ruleforge.analysis.effects.definitions import blocks_of
from ruleforge.analysis.effects.foresight import ASKS, CHANCE
from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes, pack_observation
from ruleforge.compiler.lower.context import ContractState, Env, Lowering, add, both, load, store, times
from ruleforge.compiler.lower.expressions import values
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.diagnostics import Span

ZERO, ONE = ir.Const(0), ir.Const(1)
# Statements of a pack with a direct effect. Calls are the business of the core.
_DIRECT = (t.Store, t.Pay, t.Move, t.Shuffle, t.New, t.Remove)


def reserve(low: Lowering) -> None:
    """Reserve words in the row."""
    gate = low.rules.gate
    if gate is None:
        return
    state = low.contract_state = ContractState()
    players = low.layout.players
    for share in gate.shares:
        state.shares[share] = low.layout.reserve(1) + 1
    for rest in gate.rests:
        state.windows[rest] = low.layout.reserve(players)
        state.denied[rest] = low.layout.reserve(players * (players + 1))
    for stand in gate.stands:
        if stand.at != "change" and any(_disturbs(low, stand, node) for node in _statements(low.rules, gate)):
            state.dirty[stand] = low.layout.reserve(1) + 1
    if gate.observe:
        for event in gate.sure:
            state.inside[event] = low.layout.reserve(1) + 1


def _statements(rules: t.Checked, gate: t.Gate) -> list[t.Statement]:
    """The statements of packs that change something by themselves."""
    nodes = (node for block in blocks_of(rules) for node in all_nodes(block))
    return [node for node in nodes if isinstance(node, _DIRECT) and gate.is_of_pack(node.span)]


# --- shares ---


def _claimed(low: Lowering, claim: t.Event | t.Action | t.Rule) -> list[tuple[t.Share, int]]:
    return (
        [(share, slot) for share, slot in low.contract_state.shares.items() if claim in share.claims]
        if low.contract_state
        else []
    )


def free(low: Lowering, claim: t.Event | t.Action | t.Rule) -> ir.Expr:
    """Whether a share is left for one more use."""
    if low.observes:
        return ONE
    return both(
        *(ir.Binary("<", ir.Load(slot), ir.Const(share.most)) for share, slot in _claimed(low, claim))
    )


def claimed(low: Lowering, claim: t.Event | t.Action | t.Rule) -> ir.Body:
    """Count one more use."""
    body: list[ir.Statement] = []
    for share, slot in _claimed(low, claim):
        body.append(ir.Store(slot, None, add(ir.Load(slot), 1)))
        if low.observes:
            found = pack_observation.found(
                low, f"share {claim.name}", share.clauses, claim.span, ir.Load(slot), ir.Const(share.most)
            )
            body.append(ir.If(ir.Binary(">", ir.Load(slot), ir.Const(share.most)), found))
    return tuple(body)


def before(low: Lowering, event: t.Event, given: tuple[ir.Expr, ...]) -> ir.Body:
    """The checks before an event: it is prevented, void, or counted."""
    state = (*_excluded(low, event, given), *_voided(low, event, given))
    return (*state, *anew(low, event), *claimed(low, event), *entered(low, event, 1))


def _excluded(low: Lowering, event: t.Event, given: tuple[ir.Expr, ...]) -> ir.Body:
    """Prevent an event without a share left, and log it."""
    test = free(low, event)
    if test == ONE:
        return ()
    (share, _), *_ = _claimed(low, event)
    note = low.note(notes.void(low, event, share.clauses, share.span), *given)
    return (ir.If(values.negated(test), (note, ir.Return(ZERO))),)


def anew(low: Lowering, moment: t.Event | str) -> ir.Body:
    """An event happens, or a phase begins, for which shares are counted."""
    shares = low.contract_state.shares.items() if low.contract_state else ()
    return tuple(ir.Store(slot, None, ZERO) for share, slot in shares if share.per == moment)


# --- denials ---


def opened(low: Lowering, window: str, who: ir.Expr) -> ir.Body:
    """Count the opening of a window for a player, if packs may deny the window."""
    found = low.contract_state.windows.items() if low.contract_state else ()
    return tuple(store(base, who, add(load(base, who), 1)) for rest, base in found if rest.window == window)


def _voided(low: Lowering, event: t.Event, given: tuple[ir.Expr, ...]) -> ir.Body:
    """A denial of the next window is void where one of the last few was denied by the same player; else it counts."""
    rests = low.contract_state.denied.items() if low.contract_state else ()
    return tuple(s for rest, base in rests if rest.event is event for s in _denied(low, rest, base, given))


def _denied(low: Lowering, rest: t.Rest, base: int, given: tuple[ir.Expr, ...]) -> ir.Body:
    assert low.contract_state is not None
    victim, by = given[rest.victim], ZERO if rest.by is None else given[rest.by]
    at = add(times(by, low.layout.players), victim)
    latest, coming, ago = load(base, at), low.fresh("coming"), low.fresh("ago")
    windows = load(low.contract_state.windows[rest], victim)
    counted = (ir.Set(coming, add(windows, 1)), ir.Set(ago, ir.Binary("-", ir.Local(coming), latest)))
    since, gap = ir.Local(ago), ir.Const(rest.gap)
    some = ir.Binary(">", latest, ZERO)
    lately = ir.Logic("and", (some, ir.Binary(">", since, ZERO), ir.Binary("<=", since, gap)))
    if low.observes:
        void = pack_observation.found(
            low, f"denial {rest.event.name}", rest.clauses, rest.event.span, since, gap
        )
    else:
        void = (low.note(notes.void(low, rest.event, rest.clauses, rest.span), *given), ir.Return(ZERO))
    return (*counted, ir.If(lately, void), store(base, at, ir.Local(coming)))


# --- what must hold ---


def upheld(low: Lowering, node: t.Statement) -> ir.Body:
    """The checks after a statement of a pack: guarantees still hold, or are tested later."""
    gate = low.rules.gate
    if gate is None or not isinstance(node, _DIRECT) or not gate.is_of_pack(node.span):
        return ()
    body: list[ir.Statement] = [*_made(low, gate, node)]
    for stand in gate.stands:
        if _disturbs(low, stand, node):
            slot = low.contract_state.dirty.get(stand) if low.contract_state else None
            body += _tested(low, stand, node.span) if slot is None else (ir.Store(slot, None, ONE),)
    return tuple(body)


def looked_at(low: Lowering, at: str) -> ir.Body:
    """A moment at which things must hold that packs may have disturbed."""
    body: list[ir.Statement] = []
    for stand, slot in low.contract_state.dirty.items() if low.contract_state else ():
        if stand.at == at:
            test = (ir.Store(slot, None, ZERO), *_tested(low, stand, stand.span))
            body.append(ir.If(ir.Load(slot), test))
    return tuple(body)


def _disturbs(low: Lowering, stand: t.Stand, node: t.Statement) -> bool:
    return low.effects(node).disturbs(low.effects(stand.test).reads)


def _tested(low: Lowering, stand: t.Stand, span: Span) -> ir.Body:
    broken = values.negated(values.value(low, stand.test, Env()))
    if low.observes:
        return (
            ir.If(
                broken, pack_observation.found(low, f"holds {stand.text}", stand.clauses, span, proved=True)
            ),
        )
    message = f"this guarantee would be broken: {stand.text}"
    return (ir.If(broken, (ir.Trap(low.fault("RF836", message, span, stand.clauses)),)),)


# --- what was proved before play: only observed ---


def _made(low: Lowering, gate: t.Gate, node: t.Statement) -> ir.Body:
    """A thing of a kind that stays as many as it is."""
    match node:
        case t.New(kind=kind) if low.observes and kind.name in gate.conserved:
            return pack_observation.found(
                low, f"conserve {kind.name}", gate.conserved[kind.name], node.span, proved=True
            )
    return ()


def chanced(low: Lowering, node: t.Statement) -> ir.Body:
    """Record a breach if a pack uses chance or a question inside a core event that forbids it."""
    gate = low.rules.gate
    if gate is None or not low.observes or not isinstance(node, (*ASKS, *CHANCE)):
        return ()
    if not gate.is_of_pack(node.span):
        return ()
    return tuple(
        ir.If(
            ir.Load(slot),
            pack_observation.found(low, f"chance {event.name}", gate.sure[event], node.span, proved=True),
        )
        for event, slot in (low.contract_state.inside.items() if low.contract_state else ())
    )


def entered(low: Lowering, event: t.Event, by: int) -> ir.Body:
    """Mark the begin or end of an event without chance inside."""
    slot = low.contract_state.inside.get(event) if low.contract_state else None
    return () if slot is None else (ir.Store(slot, None, add(ir.Load(slot), by)),)


def chain(low: Lowering) -> ir.Body:
    """The choice is done: was the chain of effects longer than the contract lets it be?"""
    gate = low.rules.gate
    if gate is None or not low.observes or gate.longest_chain is None:
        return ()
    links = ir.Load(ir.CHAIN_LENGTH)
    found = pack_observation.found(
        low, "chain", gate.chain, low.rules.flow[-1].span, links, ir.Const(gate.longest_chain), proved=True
    )
    return (ir.If(ir.Binary(">", links, ir.Const(gate.longest_chain)), found),)
