"""`explain` shows how a formula gets its value: its base, what each rule adds or sets, and the limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import CapInfo, ModifierInfo
from ruleforge.engine.errors import ExpressionError, PathError
from ruleforge.engine.evaluate import evaluate
from ruleforge.engine.paths import FormulaPath, plain_value, value_text
from ruleforge.engine.presentation.observation import Value
from ruleforge.engine.visibility.conditions import EVERYTHING, Visibility
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

Limits = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Contribution:
    """The contribution of one rule to the value now; `op` is `add` or `set`."""

    rule: str
    op: str
    amount: Value
    text: str
    clauses: tuple[str, ...]
    span: Span
    pack: str = ""  # the title of the pack whose rule it is

    @property
    def in_words(self) -> str:
        """`Rust Weather adds 2`."""
        who = self.pack or self.rule
        if self.op != "add" or not isinstance(self.amount, int):
            return f"{who} makes it {value_text(self.amount)}"
        return f"{who} adds {self.amount}" if self.amount >= 0 else f"{who} takes {-self.amount} off"

    def __str__(self) -> str:
        amount = (
            f"{self.amount:+d}" if self.op == "add" and isinstance(self.amount, int) else f"= {self.amount}"
        )
        cites = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        says = f": {self.text}" if self.text else ""
        pack = f" ({self.pack})" if self.pack else ""
        return f"{amount} {self.rule}{pack}{says}{cites} at {self.span.file}:{self.span.line}"


@dataclass(frozen=True, slots=True)
class Cut:
    """A limit that cut contributions: the uncut value, the limit, and its clauses."""

    added: bool  # of what is added; else of the value
    by_packs: bool
    value: int
    limit: int
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        who = "all packs together would add" if self.by_packs else "all together would add"
        what = f"{who} {self.value}" if self.added else f"it would be {self.value}"
        limited = "capped at" if self.value > self.limit else "raised to"
        by = f" by {', '.join(self.clauses)}" if self.clauses else ""
        return f"{what}; {limited} {self.limit}{by}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """`base`, then all that rules contribute, the sum cut to `sum_limits`, the whole to `limits`: `result`.

    `caps` are what the contract of the core lets packs do to it.
    """

    path: str
    base: Value
    contributions: tuple[Contribution, ...]
    result: Value
    text: str = ""
    each_limits: Limits = None
    sum_limits: Limits = None
    limits: Limits = None
    caps: tuple[CapInfo, ...] = ()

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The limits that cut the sum of contributions, in the order in which they apply."""
        values = (self.base, *(c.amount for c in self.contributions))
        return tuple(_cuts(self)) if all(type(value) is int for value in values) else ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The explanation for people, line by line."""
        head = f"{self.path} is {value_text(self.result)}" + (f": {self.text}" if self.text else "")
        found = [head]
        if self.contributions:
            found += [f"it starts at {value_text(self.base)}", *(str(c) for c in self.contributions)]
        for name, limits in (
            ("each change", self.each_limits),
            ("all changes together", self.sum_limits),
            ("the value", self.limits),
        ):
            if limits is not None:
                found.append(f"{name} within {limits[0]}..{limits[1]}")
        return (*found, *map(str, self.cuts))

    def __str__(self) -> str:
        return "\n".join(self.lines)


def _cuts(explanation: Explanation) -> Iterator[Cut]:
    amounts = [(c.op, _number(c.amount), bool(c.pack)) for c in explanation.contributions]
    added = [sum(n for op, n, pack in amounts if op == "add" and pack is ours) for ours in (False, True)]
    value = ([_number(explanation.base)] + [n for op, n, _ in amounts if op == "set"])[-1]
    plain = ([_number(explanation.base)] + [n for op, n, pack in amounts if op == "set" and not pack])[
        -1
    ] + added[0]
    caps = {cap.of: cap for cap in explanation.caps}

    def limited(number: int, cap: CapInfo | None, own: Limits, of: tuple[bool, bool], free: int) -> int:
        """The number within the contract's ends (where it was without packs is fine) or the formula's own."""
        ends = cap.ends if cap is not None else own
        if ends is None:
            return number
        low, high = (min(ends[0], free), max(ends[1], free)) if cap is not None else ends
        limit = max(low, min(number, high))
        if limit != number:
            found.append(Cut(*of, number, limit, cap.clauses if cap is not None else ()))
        return limit

    found: list[Cut] = []
    brought = limited(added[1], caps.get("sum"), None, (True, True), 0)
    value += limited(added[0] + brought, None, explanation.sum_limits, (True, False), 0)
    value = limited(value, caps.get("result"), None, (False, False), plain)
    value = limited(value, None, explanation.limits, (False, False), 0)
    limited(value, caps.get("final"), None, (False, False), plain)
    yield from found


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value


def explain(variant: Variant, row: Row, text: str, viewer: int) -> Explanation:
    """The explanation of a formula's value; for a viewer only of what they may know."""
    try:
        path = variant.paths.find(text)
    except PathError as unknown:
        return _of_expression(variant, row, text, viewer, unknown)
    everything = viewer == EVERYTHING
    if not everything and not isinstance(path, FormulaPath):
        raise PathError("RF830", f"`{text}` is not computed by a formula")
    counted = variant.scratch(row)
    if not isinstance(path, FormulaPath):
        value = variant.value(counted, path)
        raise PathError("RF830", f"`{text}` is not computed by a formula; it is {value_text(value)}")
    info, program = path.info, variant.program
    open_to_all = not info.hidden
    if not everything:
        _must_see(variant, row, path, viewer)
    result = variant.value(counted, path)
    if info.base is None or not (everything or open_to_all):
        return Explanation(path.path, result, (), result, info.text)
    query = _Query(variant, counted, path)
    base = plain_value(program, info.type, query.call(info.base))
    rules = (rule for rule in program.modifiers if rule.formula == info.name)
    found = [query.contribution(rule) for rule in rules if query.matters(rule)]
    found.sort(key=lambda c: c.op == "add")  # what is set counts before what is added
    limits = (info.each, info.sum, info.clamp)
    return Explanation(path.path, base, tuple(found), result, info.text, *limits, info.caps)


def _of_expression(variant: Variant, row: Row, text: str, viewer: int, unknown: PathError) -> Explanation:
    """The value of an expression without a path, such as a formula that gives a set."""
    try:
        value = evaluate(variant, row, text, viewer)
    except ExpressionError:
        raise unknown from None
    return Explanation(text, value, (), value)


def changes_by_packs(variant: Variant, row: Row, formula: str, arguments: tuple[int, ...]) -> list[str]:
    """In words what rules of packs do to a formula now; nothing where that hangs on what is hidden."""
    program = variant.program
    info = next((i for i in program.formulas if i.name == formula), None)
    if info is None or info.hidden:
        return []
    query = _Query(variant, variant.scratch(row), FormulaPath(formula, info, arguments))
    found = [
        query.contribution(rule)
        for rule in program.modifiers
        if rule.formula == formula and variant.info.pack_of(rule.span) and query.matters(rule)
    ]
    return [change.in_words for change in found]


def _must_see(variant: Variant, row: Row, path: FormulaPath, viewer: int) -> None:
    sight = Visibility(variant, row)
    named = all(sight.thing(viewer, k, t) for k, t in zip(_kinds(path), path.indices, strict=True) if k >= 0)
    shown = sight.formula(viewer, path.info, path.indices)
    if not named or (path.info.hidden and not shown):
        raise PathError("RF830", f"`{path.path}` depends on hidden information")
    if not shown:
        evaluate(
            variant, row, path.path, viewer
        )  # refuses what hangs on attributes of things that lie hidden


def _kinds(path: FormulaPath) -> tuple[int, ...]:
    return tuple(-1 if kind is None else kind for kind in path.info.kinds)


@dataclass(frozen=True, slots=True)
class _Query:
    """A query about the value of a formula, on one row."""

    variant: Variant
    row: Row
    path: FormulaPath

    def call(self, function: str) -> int:
        question = f"`{self.path.path}` cannot be explained"
        return self.variant.ask(function, self.row, self.path.indices, question)

    def matters(self, rule: ModifierInfo) -> bool:
        return bool(self.call(rule.function if rule.applies is None else rule.applies))

    def contribution(self, rule: ModifierInfo) -> Contribution:
        word = self.call(rule.function)
        program = self.variant.program
        amount = word if rule.op == "add" else plain_value(program, self.path.info.type, word)
        pack = self.variant.info.pack_of(rule.span)
        title = pack.title if pack else ""
        return Contribution(rule.rule, rule.op, amount, rule.text, rule.clauses, rule.span, title)
