"""The shared context of lowering: the program under construction and the meaning of locals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from ruleforge.analysis.effects.closure import Closure, Effects
from ruleforge.analysis.infoflow.control import ControlDependence
from ruleforge.analysis.infoflow.flow import InfoFlow
from ruleforge.analysis.infoflow.questions import Questions
from ruleforge.compiler import ir
from ruleforge.compiler.layout import RowLayout
from ruleforge.compiler.trace_marks import NO_MARKS, Marks
from ruleforge.compiler.visit import placed
from ruleforge.compiler.written_slots import Written
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.sizes import Spreads
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

TOO_LONG = 2000  # nodes of a formula with the formulas in it: it is called, never put in place


@dataclass(frozen=True)
class Lazy:
    """A set argument of an inlined formula: an expression that is evaluated at its uses."""

    source: t.Expr
    env: Env


@dataclass(frozen=True)
class Words:
    """A set in locals: bit i of word j is thing 31 * j + i + 1."""

    words: tuple[ir.Expr, ...]


BoundValue = ir.Expr | Lazy | Words


class Mode(Enum):
    """Real execution, or speculative execution on a copy, which asks no player and takes the first way."""

    REAL = ""
    TRIED = "tried "
    OWED = "owed "  # a cost that is tried: at any depth events must be able to happen and choices to be made

    def own(self, name: str) -> str:
        """The name of a function of effects; what is only tried out has functions of its own."""
        return self.value + name


@dataclass(frozen=True)
class Env:
    """The meaning of each local at one place of the program, and the mode of effects there."""

    values: dict[t.Variable, BoundValue] = field(default_factory=dict)
    mode: Mode = Mode.REAL
    marks: Mapping[t.Expr, str] = field(default_factory=dict)  # sets made before a loop: array by thing

    owes: tuple[t.Statement, ...] | None = None  # in a cost of several ways: what is owed behind this place

    def bind(self, variable: t.Variable, value: BoundValue) -> Env:
        return Env({**self.values, variable: value}, self.mode, owes=self.owes)

    def bind_all(self, bound: Mapping[t.Variable, BoundValue]) -> Env:
        return Env({**self.values, **bound}, self.mode, owes=self.owes)

    def within(self, mode: Mode) -> Env:
        """The same locals, for effects of another mode."""
        return Env(self.values, mode)

    def owing(self, owes: tuple[t.Statement, ...] | None) -> Env:
        """The same place with this owed behind it."""
        return self if owes == self.owes else Env(self.values, self.mode, self.marks, owes)

    def expr(self, variable: t.Variable) -> ir.Expr:
        value = self.values[variable]
        assert not isinstance(value, Lazy | Words), variable.name
        return value

    def words(self, variable: t.Variable) -> tuple[ir.Expr, ...]:
        """A local as integers: a set as its words."""
        value = self.values[variable]
        assert not isinstance(value, Lazy), variable.name
        return value.words if isinstance(value, Words) else (value,)

    def renamed(self, names: Mapping[str, str]) -> Env:
        """The same, held in other locals."""

        def own(bound: BoundValue) -> BoundValue:
            match bound:
                case ir.Local(name=name):
                    return ir.Local(names[name])
                case Words(words=words):
                    return Words(tuple(ir.Local(names[w.name]) for w in words if isinstance(w, ir.Local)))
            return bound

        return Env({variable: own(bound) for variable, bound in self.values.items()}, self.mode)


@dataclass
class Hooks:
    """The active rules by their subjects."""

    after: dict[object, list[t.Rule]] = field(default_factory=dict)
    instead: dict[object, list[t.Rule]] = field(default_factory=dict)
    forbid: dict[object, list[t.Rule]] = field(default_factory=dict)
    modify: dict[object, list[t.Rule]] = field(default_factory=dict)
    always: list[t.Rule] = field(default_factory=list)
    moves: dict[t.Kind, bool] = field(default_factory=dict)
    queue_slot: int = 0
    queue_length: int = 0
    entry: int = 3  # words of a waiting rule: its number, its carrier, its place in the order, its values
    queued: dict[t.Rule, int] = field(default_factory=dict)  # rules that may wait, numbered from 1
    chosen: bool = False  # does a player choose among waiting rules?
    trying: int = 0  # the word that is 1 in a trial, if rules act in trials
    answers_of: dict[t.Rule, int] = field(
        default_factory=dict
    )  # where optional standing rules keep what they asked

    def of(self, form: str, subject: object) -> Sequence[t.Rule]:
        """The rules of a form (after, instead, forbid, modify) with this subject."""
        found: dict[object, list[t.Rule]] = getattr(self, form)
        return found.get(subject, ())

    def on(self, subject: object) -> bool:
        return subject in self.after or subject in self.instead or subject in self.forbid


class Begin(NamedTuple):
    """The start of a game at another phase; player 0 is the first player of the phase."""

    phase: str
    player: int
    word: str  # what is chosen when the set-up is over


@dataclass
class ContractState:
    """Cells of the state vector that the contract needs, and its distinguishable breaches."""

    shares: dict[t.Share, int] = field(default_factory=dict)
    windows: dict[t.Rest, int] = field(default_factory=dict)  # how many were opened, for each player
    denied: dict[t.Rest, int] = field(
        default_factory=dict
    )  # the latest that was denied, for each of two players
    dirty: dict[t.Stand, int] = field(default_factory=dict)
    inside: dict[t.Event, int] = field(default_factory=dict)
    breaches: list[ir.BreachInfo] = field(default_factory=list)


Inner = Callable[[Env], ir.Body]


@dataclass(frozen=True)
class Target:
    """The target of an assignment: one attribute of one thing."""

    column: t.Column
    of: ir.Expr
    index: tuple[ir.Expr, ...] = ()


@dataclass(frozen=True)
class Above:
    """The interface of a layer to the layers above it, because the language is recursive.

    A value can count a set, a set can depend on an effect, an effect can be a decision. Rules act between its
    steps.
    """

    words: Callable[[Lowering, t.Expr, Env], tuple[ir.Expr, ...]]
    contains: Callable[[Lowering, t.Expr, ir.Expr, bool, Env], ir.Expr]
    aggregate: Callable[[Lowering, t.Aggregate, Env], ir.Expr]
    linked: Callable[[Lowering, t.Linked, Env], ir.Expr]
    open_formula: Callable[[Lowering, t.Formula, tuple[ir.Expr, ...]], ir.Expr]
    can: Callable[[Lowering, t.Event, tuple[ir.Expr, ...]], ir.Expr]
    would: Callable[[Lowering, t.Would, Env], ir.Expr]
    can_act: Callable[[Lowering, t.CanAct, Env], ir.Expr]
    repeats: Callable[[Lowering, t.Repeats], ir.Expr]
    decision: Callable[[Lowering, t.Statement, Env], tuple[ir.Body, Env]]
    optional: Callable[[Lowering, t.Rule, Env, ir.Body], ir.Body]
    settled: Callable[[Lowering, t.Statement, Env], ir.Body]
    listens: Callable[[Lowering, Sequence[object]], bool]


@dataclass(frozen=True)
class Inquiry:
    """A question with its context, for explanations of impossible answers.

    `free` are the locals of `env` that its enumerator takes, in this order. `put` is the question in the
    terms of its layer.
    """

    site: ir.Site
    free: tuple[t.Variable, ...]
    env: Env
    put: object


@dataclass
class Lowering:
    """The program under construction, for one number of players, one set of options and one form of chance."""

    rules: t.Checked
    layout: RowLayout
    options: dict[str, int]
    chance: bool
    written: Written
    above: Above
    functions: dict[str, ir.Function] = field(default_factory=dict)
    tables: dict[tuple[int, ...], int] = field(default_factory=dict)
    relations: dict[tuple[tuple[object, ...], ...], int] = field(default_factory=dict)
    sites: list[ir.Site] = field(default_factory=lambda: [ir.Site(0, "", "", "", ())])
    faults: dict[ir.Fault, int] = field(default_factory=dict)
    notes: dict[ir.NoteInfo, int] = field(default_factory=dict)
    indexed: dict[int, None] = field(default_factory=dict)
    spreads: Spreads = field(default_factory=Spreads)
    dear: dict[t.Formula, bool] = field(default_factory=dict)  # sets that are made before a loop asks
    meeting: dict[object, bool] = field(default_factory=dict)  # directions of a board that meet again
    tabulated: dict[object, tuple[tuple[int, ...], ...] | None] = field(
        default_factory=dict
    )  # members of sets, for each case
    secret_action: int = 0  # the slot that says what is done in secret now
    secret_audiences: dict[str, int] = field(
        default_factory=dict
    )  # the visibility functions, numbered from 1
    phases: list[str] = field(default_factory=list)  # numbered from 1 for LEAVE
    leaves: bool = False  # does any effect leave a phase?
    begin: Begin | None = None  # where the flow begins, if not at its beginning
    hooks: Hooks = field(default_factory=lambda: Hooks())
    reads_of: dict[object, frozenset[object]] = field(default_factory=dict)
    unsettled: dict[tuple[str, ...], str] = field(default_factory=dict)
    holding: dict[t.Expr, str] = field(default_factory=dict)  # what must hold after a choice -> who says so
    marks: Marks = NO_MARKS  # conditions and formulas whose values are observed
    contract_state: ContractState | None = None  # of the contract, where packs touch what it speaks of
    watched: dict[str, str] = field(
        default_factory=dict
    )  # formulas that packs must not drive too far -> who looks
    inquiries: list[Inquiry] = field(default_factory=list)  # the questions that effects put, as they were put
    proceeding: list[Callable[[tuple[ir.Expr, ...]], ir.Perform]] = field(default_factory=list)
    _names: dict[str, int] = field(default_factory=dict)
    _actions: dict[t.Action, int] = field(default_factory=dict)

    @property
    def observes(self) -> bool:
        """Whether breaches of the contract are only recorded, not prevented."""
        return self.rules.gate is not None and self.rules.gate.observe

    @cached_property
    def infoflow(self) -> InfoFlow:
        """The information flow of the rules."""
        return InfoFlow(self.rules)

    @cached_property
    def _closure(self) -> Closure:
        return Closure(self.rules, self.hooks.of)

    @cached_property
    def questions(self) -> Questions:
        """The questions that depend on private information."""
        return Questions(self.infoflow)

    @cached_property
    def control(self) -> ControlDependence:
        """The hidden information that controls statements, rules and phases."""
        return ControlDependence(self.infoflow)

    # --- names and constants ---

    def fresh(self, name: str) -> str:
        """A name not used before in this program."""
        count = self._names[name] = self._names.get(name, 0) + 1
        return f"{name}_{count}"

    def table(self, values: tuple[int, ...]) -> int:
        return self.tables.setdefault(values, len(self.tables))

    def relation(self, rows: tuple[tuple[object, ...], ...]) -> int:
        return self.relations.setdefault(rows, len(self.relations))

    def fault(self, code: str, message: str, span: Span, clauses: tuple[str, ...] = ()) -> int:
        fault = ir.Fault(code, message, span, clauses)
        return self.faults.setdefault(fault, len(self.faults))

    def note(self, info: ir.NoteInfo, *arguments: ir.Expr) -> ir.Note:
        return ir.Note(self.notes.setdefault(info, len(self.notes)), arguments)

    def action_number(self, action: t.Action) -> int:
        """The place of an action among all actions."""
        if not self._actions:
            self._actions = {action: number for number, action in enumerate(self.rules.actions.values())}
        return self._actions[action]

    def effects(self, *nodes: object) -> Effects:
        """The reads and effects of typed nodes."""
        return self._closure.of(*nodes)

    def cap(self, formula: t.Formula) -> t.Cap | None:
        """The contract limit on additions of packs to a formula, if it must be enforced in play."""
        cap = self.rules.gate.caps.get(formula) if self.rules.gate is not None else None
        return cap if cap is not None and cap.cuts and not self.observes else None

    def is_modified(self, formula: t.Formula) -> bool:
        return formula in self.hooks.modify

    def stands_alone(self, formula: t.Formula) -> bool:
        """A function of its own in any case: rules modify it, it holds a set, or it would be too long in place."""
        return formula.holds or self.is_modified(formula) or self.spreads.of(formula) > TOO_LONG

    # --- sizes ---

    def kind(self, name: str) -> t.Kind:
        return self.rules.kinds[name]

    def size(self, kind: t.Kind) -> int:
        return self.layout.size(kind)

    # --- functions ---

    def reserve(self, name: str, parameters: tuple[str, ...]) -> str:
        """A function that may be called while its body is still being made; it keeps its place in the order."""
        self.functions[name] = ir.Function(name, parameters, ())
        return name

    def define(self, name: str, parameters: tuple[str, ...], body: ir.Body, span: Span) -> str:
        """A function for what is written at a span, which is also the place of all that has none of its own."""
        place = self.written.number(span)
        self.functions[name] = ir.Function(name, parameters, placed(body, place), place)
        return name

    def placed(self, body: ir.Body, span: Span) -> ir.Body:
        """The body as what is written at a span, but for the parts that know better."""
        return placed(body, self.written.number(span))

    def seen(self, node: t.Expr, value: ir.Expr) -> ir.Expr:
        """The value of an expression. A marked expression passes through a function of its own, so that
        observers see it.

        A value that is known at compile time is not computed in play. An uncalled function records it.
        """
        for kind in self.marks.of(node):
            fixed = value.value if isinstance(value, ir.Const) else None
            name = self.marks.name(kind, node.span, fixed)
            if name not in self.functions:
                self.define(name, ("value",), (ir.Return(ir.Local("value")),), node.span)
            value = value if fixed is not None else ir.CallExpr(name, (value,))
        return value

    def applied(self, rule: t.Rule) -> ir.Body:
        """A call that shows that a marked rule applies."""
        if rule.span not in self.marks.modifiers:
            return ()
        name = self.marks.name("modifier", rule.span)
        return (ir.Perform(self.define(name, (), (ir.Return(),), rule.span), ()),)

    def helper(
        self, name: str, free: tuple[t.Variable, ...], env: Env, span: Span, make: Inner
    ) -> ir.CallExpr:
        """A function of its own for a part of an expression; what it takes from outside becomes parameters.

        Sets still unread (Lazy) stay readable inside, with what *they* take from outside as parameters too.
        """
        inner, taken = self.inside(free, env)
        function = self.fresh(name)
        self.reserve(function, ())
        body = make(inner)
        self.define(function, tuple(taken.values()), body, span)
        return ir.CallExpr(function, tuple(taken))

    def inside(self, free: tuple[t.Variable, ...], env: Env) -> tuple[Env, dict[ir.Expr, str]]:
        """The locals inside a function that takes them as parameters."""
        taken: dict[ir.Expr, str] = {}
        return Env({v: self._inside(env.values[v], taken) for v in free}, env.mode), taken

    def _inside(self, value: BoundValue, taken: dict[ir.Expr, str]) -> BoundValue:
        if isinstance(value, Lazy):
            return Lazy(value.source, Env({v: self._inside(x, taken) for v, x in value.env.values.items()}))
        if isinstance(value, Words):
            return Words(tuple(self._inside(w, taken) for w in value.words))  # type: ignore[misc]
        if isinstance(value, ir.Const):
            return value
        if value not in taken:
            taken[value] = value.name if isinstance(value, ir.Local) else self.fresh("given")
        return ir.Local(taken[value])


def clamped(value: ir.Expr, limits: tuple[int, int] | None) -> ir.Expr:
    """A value cut to its limits."""
    if limits is None:
        return value
    return ir.Binary("max", ir.Binary("min", value, ir.Const(limits[1])), ir.Const(limits[0]))


def both(*tests: ir.Expr) -> ir.Expr:
    """`and` of several tests, constants folded away."""
    parts = [
        p
        for test in tests
        for p in (test.parts if isinstance(test, ir.Logic) and test.op == "and" else (test,))
    ]
    parts = [p for p in parts if p != ir.Const(1)]
    if ir.Const(0) in parts:
        return ir.Const(0)
    if not parts:
        return ir.Const(1)
    return parts[0] if len(parts) == 1 else ir.Logic("and", tuple(parts))


def add(left: ir.Expr, right: ir.Expr | int) -> ir.Expr:
    """A sum with constants folded; used for slots and codes, which never overflow."""
    if isinstance(right, int):
        right = ir.Const(right)
    match left, right:
        case ir.Const(value=a), ir.Const(value=b):
            return ir.Const(a + b)
        case _, ir.Const(value=0):
            return left
        case ir.Const(value=0), _:
            return right
        case ir.Binary(op="+", left=inner, right=ir.Const(value=a)), ir.Const(value=b):
            return add(inner, a + b)
        case ir.Const(), _:
            return add(right, left)
    return ir.Binary("+", left, right)


def times(left: ir.Expr, factor: int) -> ir.Expr:
    match left:
        case ir.Const(value=value):
            return ir.Const(value * factor)
        case _ if factor == 1:
            return left
        case ir.Binary(op="+", left=inner, right=ir.Const(value=a)):
            return add(times(inner, factor), a * factor)
    return ir.Binary("*", left, ir.Const(factor))


def digits(values: tuple[ir.Expr, ...], sizes: tuple[int, ...]) -> ir.Expr:
    """A mixed radix number of values that count from 1, last fastest: 1..product."""
    code: ir.Expr = ir.Const(1)
    for value, size in zip(values, sizes, strict=True):
        code = add(times(add(code, -1), size), value)
    return code


def load(base: int, index: ir.Expr) -> ir.Load:
    """Slot base + index, with a constant part of the index moved into the base."""
    match index:
        case ir.Const(value=number):
            return ir.Load(base + number)
        case ir.Binary(op="+", left=inner, right=ir.Const(value=number)):
            return ir.Load(base + number, inner)
    return ir.Load(base, index)


def store(base: int, index: ir.Expr, what: ir.Expr) -> ir.Store:
    slot = load(base, index)
    return ir.Store(slot.base, slot.index, what)
