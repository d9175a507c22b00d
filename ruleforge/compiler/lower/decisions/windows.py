"""Windows: the occasions for actions, in the flow and inside effects."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.analysis.effects.foresight import unforeseen
from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches, notes
from ruleforge.compiler.lower.context import Env, Lowering, Mode, both
from ruleforge.compiler.lower.decisions import choices, choose_statements, costs, postconditions, ways
from ruleforge.compiler.lower.decisions.answers import Answer, usual_binders
from ruleforge.compiler.lower.decisions.choices import taken_apart
from ruleforge.compiler.lower.decisions.parts import Joint, bind, bound_by, digits_of, joint, values_of
from ruleforge.compiler.lower.decisions.possibility import anything, possible
from ruleforge.compiler.lower.decisions.postconditions import needs_of
from ruleforge.compiler.lower.decisions.question import Binders, Question, QuestionSpec
from ruleforge.compiler.lower.effects import contract_gate, event_gates, occasions, statements
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import carriers, modifiers
from ruleforge.compiler.observation_program import action_sees, phase_sees
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.ask_key import ALWAYS
from ruleforge.lang.checker.offered_choices import Offered, offered
from ruleforge.lang.checker.walk import phases_of
from ruleforge.support.records import dataclass

ZERO, ONE = ir.Const(0), ir.Const(1)


def offer(low: Lowering, node: t.Offer, env: Env) -> ir.Body:
    """An effect opens a window to a player; its parameters are known to the actions in it."""
    who = low.fresh("who")
    window = node.window
    names, inner = modifiers.parameters_of(low, window.parameters)
    given = zip(names, values.flat(low, node.arguments, env), strict=True)
    own = {name: low.fresh(name) for name in names}
    prelude = [ir.Set(who, values.value(low, node.to, env)), *(ir.Set(own[n], v) for n, v in given)]
    inner = inner.renamed(own)
    spec = QuestionSpec(
        who=ir.Local(who),
        kind=window.name,
        prompt=window.title,
        span=window.span,
        clauses=window.clauses,
        given=tuple(own.values()),
        bound=choose_statements.locals_of(window.parameters, inner),
        openly=window.openly,
        always=window.ask == ALWAYS,
    )
    counted = contract_gate.opened(low, window.name, ir.Local(who))
    opened = open_window(low, Occasion(spec, window.mode), inner)
    return (*prelude, *counted, *occasions.within(low, window.name, opened))


@dataclass(frozen=True)
class Occasion:
    """An open window: its question (of the window's kind), how often it is asked, and its conditions.

    `one`: an action must be taken; `maybe`: one or none; `many`: until done or no action is possible.
    """

    spec: QuestionSpec
    mode: str
    stuck: ir.Body = ()  # what is done if there is nothing to choose
    holds: tuple[t.Expr, ...] = ()  # what must hold after every action, with `acting` for who acts
    acting: t.Variable | None = None
    staying: ir.Expr = ONE  # false when the phase around it is being left


def open_window(low: Lowering, occasion: Occasion, env: Env) -> ir.Body:
    """Ask for an action and perform it, as often as the occasion allows."""
    spec, mode = occasion.spec, occasion.mode
    actions = [a for a in low.rules.actions.values() if spec.kind in a.during]
    if not actions:
        return occasion.stuck
    answers = tuple(_answer(low, a, occasion.holds, occasion.acting) for a in actions)
    inner = env.bind_all({action.me: spec.who for action in actions})
    if occasion.acting is not None:
        inner = inner.bind(occasion.acting, spec.who)
    words = () if mode == "one" else ("done",)
    spec = replace(spec, words=words, sees=secrecy(low, None, (spec.kind,)))
    question = choices.question(low, spec, answers, inner)
    into = low.fresh("answer")
    act = _dispatch(low, question, actions, occasion, env, ir.Local(into))
    ask = question.ask(into)
    nothing = ir.Binary("<", ir.Local(into), ZERO)
    if mode == "one":
        return (ask, ir.If(nothing, _passed_over(occasion), act))
    last = question.site.options[-1].first
    is_action = both(ir.Binary(">=", ir.Local(into), ZERO), ir.Binary("<", ir.Local(into), ir.Const(last)))
    # the next log entries must not reveal `done` to players who do not see the answer
    closed = (low.note(notes.closed(spec.span)),) if spec.sees is not None else ()
    if mode == "maybe":
        return (ask, ir.If(is_action, act, (ir.If(nothing, (ir.Link(idle=True),), closed),)))
    going = low.fresh("going")
    step = (ask, ir.If(is_action, act, (ir.Set(going, ZERO), *closed)))
    again = both(ir.Binary("==", ir.Local(going), ONE), occasion.staying)
    return (ir.Link(idle=True), ir.Set(going, ONE), ir.While(again, step, asks=True))


def _passed_over(occasion: Occasion) -> ir.Body:
    """There is nothing to choose: what is done then may come back to the same window, unless it ends the game."""
    ends = any(isinstance(s, ir.Finish) for s in occasion.stuck)
    return occasion.stuck if ends else (ir.Link(idle=True), *occasion.stuck)


def _dispatch(
    low: Lowering,
    question: Question,
    actions: list[t.Action],
    occasion: Occasion,
    env: Env,
    answer: ir.Expr,
) -> ir.Body:
    """Run the action that the answer's code belongs to."""
    cases: list[tuple[int, ir.Body]] = []
    for number, action in enumerate(actions):
        option = question.site.options[number]
        given = (word for g in action.given for word in env.words(g))
        chosen = taken_apart(option, answer)
        handed = _handed(low, _first(action), chosen)
        function = _action_function(low, action, occasion)
        run: ir.Body = (ir.Perform(function, (question.who, *given, *handed)),)
        if option.usual:
            answer_words = notes.usual(question.site, number)
            run = (*_usual(low, action, answer_words, chosen, question.who, env), *run)
        cases.append((option.first + option.count, run))
    return branches.by_number(answer, cases)


def _handed(low: Lowering, binders: tuple[Joint, ...], chosen: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """The arguments of an action from the parts of an answer."""
    found: list[ir.Expr] = []
    for binder in binders:
        width = len(digits_of(binder))
        found += values_of(low, binder, chosen[:width])
        chosen = chosen[width:]
    return tuple(found)


def _usual(
    low: Lowering,
    action: t.Action,
    answer_words: ir.NoteInfo,
    chosen: tuple[ir.Expr, ...],
    who: ir.Expr,
    env: Env,
) -> ir.Body:
    """Record the default choices: for the last part left out, then for the last two, and so on."""
    binders = _first(action)
    silent = usual_binders(binders)
    found: list[ir.Statement] = []
    for left_out in range(1, len(silent) + 1):
        inner, digits, rest = env.bind(action.me, who), list[ir.Expr](), chosen
        for binder in binders:
            own, rest = rest[: len(digits_of(binder))], rest[len(digits_of(binder)) :]
            if binder in silent[-left_out:]:
                assert isinstance(binder, t.Binder) and binder.usual is not None
                own = (values.value(low, binder.usual, with_given(low, action, inner)),)
            inner = bind(low, binder, own, inner)
            digits += own
        found.append(low.note(answer_words, who, *digits))
    return tuple(found)


def can_act(low: Lowering, node: t.CanAct, env: Env) -> ir.Expr:
    """Whether a player has a choice: the requirements of the offers, with an exit at the first success."""
    name = f"can act {node.name}"
    offers = tuple(offered(low.rules, node))
    me = t.Variable("me", node.who.type, node.span)
    given = next((action.given for action, _ in offers if action.given), ())
    if name not in low.functions:
        parameters, inner = modifiers.parameters_of(low, (me, *given))
        low.reserve(name, parameters)
        tests = [_open_to(low, offer, inner.expr(me), inner) for offer in offers]
        low.define(name, parameters, (ir.Return(values.either(tests)),), node.span)
    handed = values.flat(low, node.arguments, env) if given else ()
    return ir.CallExpr(name, (values.value(low, node.who, env), *handed))


def _open_to(low: Lowering, offer: Offered, who: ir.Expr, env: Env) -> ir.Expr:
    """Whether this player can take an action at its offer."""
    action, phase = offer
    holds, acting = (phase.holds, phase.me) if phase is not None else ((), None)
    env = env.bind(action.me, who)
    env = env if acting is None else env.bind(acting, who)
    return anything(low, _answer(low, action, holds, acting), env)


# --- actions ---


def binders_of(action: t.Action) -> Binders:
    """The binders of an action. For a printed action the carrier is first."""
    if action.carrier is None:
        return action.binders
    own = () if action.carrier.me is None else (carriers.controlled_by(action.carrier, action.me),)
    return (carriers.binder_of(action.carrier, *own), *action.binders)


def _first(action: t.Action) -> tuple[Joint, ...]:
    """The binders that are answered together with the action itself: up to a set whose size is open."""
    binders = binders_of(action)
    if not action.joined:
        return tuple(b for b in binders[:1] if isinstance(b, t.Binder))
    found = tuple(joint(b) for b in binders)
    return tuple(b for b in found[: (*found, None).index(None)] if b is not None)


def in_steps(action: t.Action) -> tuple[tuple[Joint, ...], Binders]:
    """The binders that are answered with the action itself, and those that are asked after it."""
    now = _first(action)
    return now, binders_of(action)[len(now) :]


def known_by_name(action: t.Action) -> tuple[Joint, ...]:
    """The choices that can be given by names. Sets that are taken one by one cannot."""
    sets = _first(action)
    return (*sets, *(b for b in binders_of(action)[len(sets) :] if isinstance(b, t.Binder)))


def _answer(low: Lowering, action: t.Action, holds: tuple[t.Expr, ...], acting: t.Variable | None) -> Answer:
    """An action is offered if it can be completed, paid for, is within its limit, and leaves things in order."""
    now, later = in_steps(action)
    number = low.action_number(action)
    limited = bool(action.limit) or contract_gate.free(low, action) != ONE
    guarded = limited or action.cost or action.holds or holds
    test = (lambda e: _allowed(low, action, holds, acting, later, e)) if guarded else None
    more = _used(action, holds) if guarded else ()
    word = action.name.rsplit(".", 1)[-1]
    dear = bool(action.holds or holds)
    limit = (lambda e: _within(low, action, e)) if limited else None
    return Answer(word, now, later, needs_of(low, action), number, action.span, test, more, dear, limit)


def _within(low: Lowering, action: t.Action, env: Env) -> ir.Expr:
    return both(
        contract_gate.free(low, action),
        costs.within(low, action.limit, action.carrier, env.expr(action.me), env),
    )


def _allowed(
    low: Lowering,
    action: t.Action,
    holds: tuple[t.Expr, ...],
    acting: t.Variable | None,
    later: Binders,
    env: Env,
) -> ir.Expr:
    test = _within(low, action, env)
    env = with_given(low, action, env)
    if later:
        return both(test, later_allowed(low, action, later, env, holds, acting))
    test = both(test, costs.affordable(low, action.cost, env))
    if not action.holds and not holds:
        return test
    return both(test, keeps(low, action, (*action.holds, *holds), acting, env))


def later_allowed(
    low: Lowering,
    action: t.Action,
    later: Binders,
    env: Env,
    holds: tuple[t.Expr, ...] = (),
    acting: t.Variable | None = None,
) -> ir.Expr:
    """Whether the later choices have answers that can be paid and keep the postconditions."""
    uses = _used(action, holds)
    single = tuple(b for b in later if isinstance(b, t.Binder))
    if len(single) < len(later):

        def allowed(to_come: Binders, e: Env) -> ir.Expr:
            return _allowed(low, action, holds, acting, to_come, e)

        return possible(low, later, needs_of(low, action), env, allowed, uses)
    answer = Answer(
        "", single, (), needs_of(low, action), None, action.span,
        lambda e: _allowed(low, action, holds, acting, (), e), uses,
    )  # fmt: skip
    return anything(low, answer, env)


def _used(action: t.Action, holds: tuple[t.Expr, ...]) -> tuple[object, ...]:
    """The nodes that decide whether an action can be paid for and keeps its postconditions."""
    use = t.Use(action.span, action.me.type, action.me)
    return tuple(u for u in (action.cost, action.body, *action.holds, *holds, use) if u is not None)


def with_given(low: Lowering, action: t.Action, env: Env) -> Env:
    if action.carrier is None:
        return env
    if action.carrier.me is not None:
        env = env.bind(action.carrier.me, env.expr(action.me))
    for variable, fact in action.carrier.given:
        env = env.bind(variable, values.value(low, fact, env))
    return env


def keeps(
    low: Lowering, action: t.Action, holds: tuple[t.Expr, ...], acting: t.Variable | None, env: Env
) -> ir.Expr:
    """Whether the postconditions still hold after the action.

    Conditions that it cannot change are evaluated now, the others in a trial.
    """
    tried = [x for x in (action.cost, action.body) if x is not None]
    if acting is not None:
        env = env.bind(acting, env.expr(action.me))
    # A trial is dear. What the action cannot touch needs none.
    now = tuple(h for h in holds if postconditions.stays(low, h, tried, env))
    call = done(low, action, tuple(h for h in holds if h not in now), env)
    trial = ir.Binary("==", ir.Trial(call.function, call.arguments), ONE)
    return both(*(postconditions.ask_condition(low, h, env) for h in now), trial)


def done(low: Lowering, action: t.Action, later: tuple[t.Expr, ...], env: Env) -> ir.CallExpr:
    """The action itself, to be tried; then whether all this holds."""
    tried = [x for x in (action.cost, action.body) if x is not None]

    def body(e: Env) -> ir.Body:
        paid = statements.block(low, action.cost, e.within(Mode.OWED))
        acted = (*paid, *statements.block(low, action.body, e.within(Mode.TRIED)))
        return (*event_gates.trying(low, acted, tried), ir.Return(postconditions.unless_over(low, later, e)))

    use = t.Use(action.span, action.me.type, action.me)
    free = tuple(dict.fromkeys((*values.captured(env, *tried, *later, use), action.me)))
    return low.helper("keeps", free, env, action.span, body)


def _heeds(action: t.Action, occasion: Occasion) -> bool:
    """Whether the later choices must keep the postconditions of the phase."""
    return bool(occasion.holds and in_steps(action)[1])


def _action_function(low: Lowering, action: t.Action, occasion: Occasion) -> str:
    """The rest of an action once its first choice is known: the other choices, the cost, what it does."""
    heeds = _heeds(action, occasion)
    name = f"action {action.name} during {occasion.spec.kind}" if heeds else f"action {action.name}"
    if name in low.functions:
        return name
    now = _first(action)
    variables = (action.me, *action.given, *(bound_by(b) for b in now))
    parameters, env = modifiers.parameters_of(low, variables)
    low.reserve(name, parameters)
    env = with_given(low, action, env)
    sees = secrecy(low, action, action.during)
    spec = _later_question(low, action, occasion if heeds else None, sees, env)
    spec = replace(spec, bound=choose_statements.locals_of(variables[1:], env))
    later = binders_of(action)[len(now) :]
    body = choose_statements.steps(low, spec, later, env, lambda e: _acted(low, action, sees, env, e))
    body = (*body, *contract_gate.chain(low), *contract_gate.looked_at(low, "commit"))
    if sees is not None:
        secret = _in_secret(low, action, sees, env.expr(action.me), body)
        body = (*secret, low.note(notes.ended(low, action)))
    return low.define(name, parameters, body, action.span)


def _acted(low: Lowering, action: t.Action, sees: str | None, begun: Env, env: Env) -> ir.Body:
    """The effect of an action after its choice. `begun` are the locals of the function."""
    chosen = (action.me, *action.given, *(bound_by(b) for b in binders_of(action)))
    answer_words = (word for variable in chosen for word in env.words(variable))
    note = low.note(notes.began(low, action, chosen, sees), *answer_words)
    me = begun.expr(action.me)
    used = (*contract_gate.claimed(low, action), *costs.counted(low, action.limit, action.carrier, me, env))
    paid = statements.block(low, action.cost, ways.owing(action.cost, env))
    return (note, *used, *paid, *statements.block(low, action.body, env))


def _later_question(
    low: Lowering, action: t.Action, occasion: Occasion | None, sees: str | None, env: Env
) -> QuestionSpec:
    """The question of an action for its later choices, with the postconditions of the occasion."""
    holds, acting = (occasion.holds, occasion.acting) if occasion is not None else ((), None)
    spec = QuestionSpec(
        who=env.expr(action.me),
        kind=action.name,
        prompt=f"{action.title}: {{}}",
        span=action.span,
        clauses=action.clauses,
        sees=sees,
        needs=needs_of(low, action),
        action=low.action_number(action),
    )
    if not action.cost and not action.holds and not holds:
        return spec
    return replace(
        spec,
        allowed=lambda to_come, e: _allowed(low, action, holds, acting, to_come, e),
        uses=_used(action, holds),
    )


def _in_secret(low: Lowering, action: t.Action, sees: str, me: ir.Expr, body: ir.Body) -> ir.Body:
    """Make all questions of a secret action secret, at any depth."""
    if unforeseen(action.cost, action.body) is None:
        return body
    if not low.secret_action:
        low.secret_action = low.layout.reserve(2) + 1
    number = low.secret_audiences.setdefault(sees, len(low.secret_audiences) + 1)
    # Actions may be nested, so what was secret before is kept in locals and put back.
    slots = (low.secret_action, low.secret_action + 1)
    names = tuple(low.fresh("outer") for _ in slots)
    stored = tuple(ir.Set(n, ir.Load(slot)) for n, slot in zip(names, slots, strict=True))
    begin = (ir.Store(slots[0], None, ir.Const(number)), ir.Store(slots[1], None, me))
    end = tuple(ir.Store(slot, None, ir.Local(n)) for n, slot in zip(names, slots, strict=True))
    return (*stored, *begin, *body, *end)


def secrecy(low: Lowering, action: t.Action | None, during: tuple[str, ...]) -> str | None:
    """The visibility function of an action: its own, or that of its phase."""
    if action is not None and action.sees is not None:
        return action_sees(action)
    secret = (p for p in phases_of(low.rules.flow) if p.sees is not None and p.name in during)
    return next((phase_sees(phase) for phase in secret), None)
