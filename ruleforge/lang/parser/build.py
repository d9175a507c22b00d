"""Builds nodes from rules of the grammar: one method for each rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.lines import Word
from ruleforge.lang.parser.syntax_problem import Problem
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

MAX_NUMBER = 2**31 - 1
MAX_DICE = 1000

# The input from the parser: words, nodes, and the small parts below. Each has a span.
Parts = list[Any]


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a larger construct: its leading word, and the rest of it."""

    word: str
    items: tuple[Any, ...]
    span: Span


def _span(parts: Parts) -> Span:
    """From the first to the last part that has letters: line ends and indentation have none."""
    seen = [p for p in parts if not (isinstance(p, Word) and p.type in ("NEWLINE", "INDENT", "DEDENT"))]
    first: Span = seen[0].span
    last: Span = seen[-1].span
    return first.to(last)


def _nodes(parts: Parts) -> Parts:
    return [p for p in parts if isinstance(p, n.Node)]


def _clause(parts: Parts, word: str) -> Clause | None:
    return next((p for p in parts if isinstance(p, Clause) and p.word == word), None)


def _openly(parts: Parts) -> bool:
    """Whether a question says that others may know if there was something to choose."""
    return any(isinstance(part, Word) and part.type == "OPENLY" for part in parts)


def _question(parts: Parts) -> str:
    """The words in which something is asked for, without their quotes; empty if there are none."""
    word = next((part for part in parts if isinstance(part, Word) and part.type == "TEXT"), None)
    if word is None:
        return ""
    type_name = word.text[1:-1].strip()
    if not type_name or "{" in type_name or "}" in type_name:
        code, message = (
            ("RF402", "a question is plain text") if type_name else ("RF411", "this question is empty")
        )
        raise Problem(code, message, word.span, 'write it as in "Which card do you keep?"')
    return type_name


def _one(parts: Parts, word: str) -> Any:
    clause = _clause(parts, word)
    return clause.items[0] if clause else None


class Builder:
    """The method of a rule gets its parts in order, every word included."""

    # --- blocks

    def block(self, parts: Parts) -> n.Block:
        return n.Block(_span(parts), _statements(parts))

    def line(self, parts: Parts) -> Clause:
        return Clause("line", tuple(_nodes(parts)), _span(parts))

    def suite(self, parts: Parts) -> n.Block:
        return n.Block(_span(parts), _statements(parts))

    def let(self, parts: Parts) -> n.Let:
        return n.Let(_span(parts), parts[1].text, parts[-1], parts[3] if len(parts) > 4 else None)

    def assign(self, parts: Parts) -> n.Assign:
        target, op, value = parts
        if not isinstance(target, n.Name | n.Attribute):
            _refuse_target(target, op)
        return n.Assign(_span(parts), target, op.text, value)

    def do(self, parts: Parts) -> n.Do:
        (call,) = parts
        if not isinstance(call, n.Call):
            _refuse_statement(call)
        return n.Do(call.span, call)

    def move(self, parts: Parts) -> n.Move:
        at = parts[5].text if len(parts) > 4 else None
        return n.Move(_span(parts), parts[1], parts[3], at)

    def shuffle(self, parts: Parts) -> n.Shuffle:
        return n.Shuffle(_span(parts), parts[1])

    def finish(self, parts: Parts) -> n.Finish:
        return n.Finish(_span(parts), parts[1].text, parts[3] if len(parts) > 2 else None)

    def return_(self, parts: Parts) -> n.Return:
        return n.Return(_span(parts), parts[1] if len(parts) > 1 else None)

    def remember(self, parts: Parts) -> n.Remember:
        return n.Remember(_span(parts), parts[1].text)

    def forget(self, parts: Parts) -> n.Forget:
        return n.Forget(_span(parts), parts[1].text)

    def leave(self, parts: Parts) -> n.Leave:
        return n.Leave(_span(parts), parts[1].text)

    def skip(self, parts: Parts) -> n.Skip:
        return n.Skip(_span(parts))

    def if_statement(self, parts: Parts) -> n.If:
        branches = tuple(p.items for p in parts if p.word == "if")
        return n.If(_span(parts), branches, _one(parts, "else"))

    def if_branch(self, parts: Parts) -> Clause:
        return Clause("if", (parts[1], parts[3]), _span(parts))

    def else_branch(self, parts: Parts) -> Clause:
        return Clause("else", (parts[2],), _span(parts))

    def for_statement(self, parts: Parts) -> n.For:
        return n.For(_span(parts), parts[1], parts[3])

    def for_one(self, parts: Parts) -> n.For:
        return n.For(_span(parts), parts[2], parts[4], one=True)

    def for_random(self, parts: Parts) -> n.For:
        return n.For(_span(parts), parts[2], parts[4], random=True)

    def repeat_statement(self, parts: Parts) -> n.Repeat:
        return n.Repeat(_span(parts), parts[1], _one(parts, "while"), parts[-1])

    def while_clause(self, parts: Parts) -> Clause:
        return Clause("while", (parts[1],), _span(parts))

    def choose_statement(self, parts: Parts) -> n.Choose:
        return self._choose(parts, optional=False)

    def may_statement(self, parts: Parts) -> n.Choose:
        return self._choose(parts, optional=True)

    def _choose(self, parts: Parts, optional: bool) -> n.Choose:
        binders = _clause(parts, "binders")
        assert binders is not None
        who, body = _nodes(parts)
        return n.Choose(_span(parts), who, optional, binders.items, body, _one(parts, "else"), _openly(parts))

    def binders(self, parts: Parts) -> Clause:
        return Clause("binders", tuple(_nodes(parts)), _span(parts))

    def picks_statement(self, parts: Parts) -> n.Picks:
        who, *options = _nodes(parts)
        return n.Picks(_span(parts), who, tuple(options), _openly(parts), _question(parts))

    def option(self, parts: Parts) -> n.PickOption:
        condition = parts[2] if parts[1].type == "IF" else None
        return n.PickOption(_span(parts), parts[0].text, condition, parts[-1])

    def several(self, parts: Parts) -> n.Several:
        *number, binder = _nodes(parts)
        how = " ".join(part.text for part in parts if isinstance(part, Word))
        return n.Several(_span(parts), how, number[0] if number else None, binder, _one(parts, "such"))

    def worded(self, parts: Parts) -> n.Binder | n.Several:
        choice: n.Binder | n.Several = replace(parts[0], span=_span(parts), question=_question(parts))
        return choice

    def sealed_statement(self, parts: Parts) -> n.Sealed:
        return n.Sealed(_span(parts), parts[1], parts[4].items, parts[6])

    def together_statement(self, parts: Parts) -> n.Together:
        return n.Together(_span(parts), parts[2])

    def pay(self, parts: Parts) -> n.Pay:
        amount, *pools = _nodes(parts)
        return n.Pay(_span(parts), amount, tuple(pools))

    def proceed(self, parts: Parts) -> n.Proceed:
        return n.Proceed(_span(parts), _given(parts))

    def remove(self, parts: Parts) -> n.Remove:
        return n.Remove(_span(parts), parts[1])

    def show(self, parts: Parts) -> n.Show:
        return n.Show(_span(parts), parts[1], parts[3])

    def offer(self, parts: Parts) -> n.Offer:
        return n.Offer(_span(parts), parts[1], parts[3])

    def new(self, parts: Parts) -> n.New:
        return n.New(_span(parts), parts[1].text, _given(parts))

    def given(self, parts: Parts) -> Clause:
        return Clause("given", (parts[0].text, parts[2]), _span(parts))

    # --- chance

    def roll_dice(self, parts: Parts) -> n.RollDice:
        number, _, sides = parts[1].text.partition("d")
        for digits in (number, sides):
            if len(digits) > 4 or not 1 <= int(digits) <= MAX_DICE:
                raise Problem(
                    "RF410",
                    f"`{parts[1].text}` cannot be rolled",
                    parts[1].span,
                    f"the number of dice and of their sides lie between 1 and {MAX_DICE}",
                )
        return n.RollDice(_span(parts), int(number), int(sides))

    def roll_range(self, parts: Parts) -> n.RollRange:
        return n.RollRange(_span(parts), parts[1])

    def random_pick(self, parts: Parts) -> n.RandomPick:
        return n.RandomPick(_span(parts), parts[2])

    # --- binders

    def binder(self, parts: Parts) -> n.Binder:
        return self._binder(parts[0].text, parts[2], parts)

    def picked(self, parts: Parts) -> n.Binder:
        """A pick; its name is the key above the text, which the caller of the parser adds."""
        return replace(self._binder("", parts[1], parts), question=_question(parts))

    def picked_several(self, parts: Parts) -> n.Several:
        at = next(i for i, p in enumerate(parts) if isinstance(p, Word) and p.text == "in")
        how = " ".join(p.text for p in parts[:at] if isinstance(p, Word))
        number = next(iter(_nodes(parts[:at])), None)
        binder = self._binder("", parts[at + 1], parts[at:])
        how = "any number of" if number is None else how
        return n.Several(_span(parts), how, number, binder, _one(parts, "such"), _question(parts))

    def _binder(self, name: str, source: n.Expr, parts: Parts) -> n.Binder:
        by = _clause(parts, "by")
        until, where = _one(parts, "until"), _one(parts, "where")
        keys = by.items if by else ()
        return n.Binder(_span(parts), name, source, until, where, keys, _one(parts, "usually"))

    def usual_binder(self, parts: Parts) -> n.Binder:
        binder: n.Binder = replace(parts[0], span=_span(parts), usual=_one(parts, "usually"))
        return binder

    def usually(self, parts: Parts) -> Clause:
        return Clause("usually", (parts[1],), _span(parts))

    def range(self, parts: Parts) -> n.Range:
        return n.Range(_span(parts), parts[0], parts[2])

    def such(self, parts: Parts) -> Clause:
        return Clause("such", (parts[2],), _span(parts))

    def until(self, parts: Parts) -> Clause:
        return Clause("until", (parts[1],), _span(parts))

    def where(self, parts: Parts) -> Clause:
        return Clause("where", (parts[1],), _span(parts))

    def by(self, parts: Parts) -> Clause:
        return Clause("by", tuple(_nodes(parts)), _span(parts))

    # --- expressions

    def conditional(self, parts: Parts) -> n.Conditional:
        return n.Conditional(_span(parts), parts[0], parts[2], parts[4])

    def or_(self, parts: Parts) -> n.Or:
        return n.Or(_span(parts), tuple(_nodes(parts)))

    def and_(self, parts: Parts) -> n.And:
        return n.And(_span(parts), tuple(_nodes(parts)))

    def not_(self, parts: Parts) -> n.Not:
        return n.Not(_span(parts), parts[1])

    def compare(self, parts: Parts) -> n.Comparison:
        rest = zip((op.items[0] for op in parts[1::2]), parts[2::2], strict=True)
        return n.Comparison(_span(parts), parts[0], tuple(rest))

    def comparator(self, parts: Parts) -> Clause:
        return Clause("comparator", (" ".join(w.text for w in parts),), _span(parts))

    def arithmetic(self, parts: Parts) -> n.Arithmetic:
        left, op, right = parts
        return n.Arithmetic(_span(parts), op.text, left, right)

    def negative(self, parts: Parts) -> n.Negative:
        return n.Negative(_span(parts), parts[1])

    def attribute(self, parts: Parts) -> n.Attribute:
        return n.Attribute(_span(parts), parts[0], parts[2].text, ())

    def indexed(self, parts: Parts) -> n.Attribute | n.Nth:
        of, *index = _nodes(parts)
        if isinstance(of, n.Attribute) and not of.index:
            return n.Attribute(_span(parts), of.of, of.name, tuple(index))
        if len(index) > 1:
            span = index[1].span
            help = "the third is `cells[3]`; what belongs to two things is `one.place[other]`"
            raise Problem("RF401", "a thing has one number", span, help)
        return n.Nth(_span(parts), of, index[0])

    def across(self, parts: Parts) -> n.Binder:
        return parts[1]  # type: ignore[no-any-return]

    def number(self, parts: Parts) -> n.Number:
        (word,) = parts
        digits = word.text.lstrip("0") or "0"
        if len(digits) > 10 or int(digits) > MAX_NUMBER:
            raise Problem(
                "RF410", "this number is too large", word.span, f"the largest number is {MAX_NUMBER}"
            )
        return n.Number(word.span, int(digits))

    def true(self, parts: Parts) -> n.Bool:
        return n.Bool(_span(parts), True)

    def false(self, parts: Parts) -> n.Bool:
        return n.Bool(_span(parts), False)

    def none(self, parts: Parts) -> n.NoneLiteral:
        return n.NoneLiteral(_span(parts))

    def variable(self, parts: Parts) -> n.Name:
        return n.Name(_span(parts), parts[0].text)

    def call(self, parts: Parts) -> n.Call:
        return n.Call(_span(parts), parts[0].text, tuple(_nodes(parts)))

    def group(self, parts: Parts) -> n.Node:
        """Brackets leave no node, but they belong to the span of what they hold."""
        inner: n.Node = parts[1]
        return replace(inner, span=_span(parts))

    def set_literal(self, parts: Parts) -> n.SetLiteral:
        return n.SetLiteral(_span(parts), tuple(_nodes(parts)))

    def entry(self, parts: Parts) -> n.Entry:
        return n.Entry(_span(parts), n.Name(parts[0].span, parts[0].text), parts[2])

    def table(self, parts: Parts) -> n.Table:
        return n.Table(_span(parts), tuple(_nodes(parts)))

    def selection(self, parts: Parts) -> n.Selection:
        return n.Selection(_span(parts), parts[1])

    def gathering(self, parts: Parts) -> n.Gathering:
        return n.Gathering(_span(parts), parts[1], parts[3])

    def aggregate(self, parts: Parts) -> n.Aggregate:
        return n.Aggregate(_span(parts), parts[0].text, parts[2])

    def aggregate_value(self, parts: Parts) -> n.Aggregate:
        return n.Aggregate(_span(parts), parts[0].text, parts[4], parts[2])

    def reached(self, parts: Parts) -> n.Reached:
        return n.Reached(_span(parts), *_nodes(parts))

    def linked(self, parts: Parts) -> n.Linked:
        return n.Linked(_span(parts), *_nodes(parts))

    def can(self, parts: Parts) -> n.Can:
        return n.Can(_span(parts), parts[2])

    def would(self, parts: Parts) -> n.Would:
        return n.Would(_span(parts), parts[2], parts[4])

    # --- types

    def column(self, parts: Parts) -> n.ColumnType:
        per = tuple(p.items[0] for p in parts if isinstance(p, Clause) and p.word == "per")
        return n.ColumnType(_span(parts), parts[0], per, _one(parts, "="))

    def per(self, parts: Parts) -> Clause:
        return Clause("per", (parts[1].text,), _span(parts))

    def start_value(self, parts: Parts) -> Clause:
        return Clause("=", (parts[1],), _span(parts))

    def number_type(self, parts: Parts) -> n.NumberType:
        (limits,) = parts
        return n.NumberType(limits.span, limits.low, limits.high)

    def flag_type(self, parts: Parts) -> n.FlagType:
        return n.FlagType(_span(parts))

    def kind_type(self, parts: Parts) -> n.KindType:
        return n.KindType(_span(parts), parts[0].text, len(parts) > 1)

    def set_type(self, parts: Parts) -> n.SetType:
        return n.SetType(_span(parts), parts[2].text)

    # --- patterns

    def event_pattern(self, parts: Parts) -> n.EventPattern:
        return n.EventPattern(_span(parts), parts[0])

    def change_pattern(self, parts: Parts) -> n.ChangePattern:
        target = parts[1]
        if not isinstance(target, n.Attribute):
            help = "write `set thing.attribute`"
            raise Problem("RF408", "only the change of an attribute can trigger a rule", target.span, help)
        return n.ChangePattern(_span(parts), target)

    def move_pattern(self, parts: Parts) -> n.MovePattern:
        ends = {word.type: place for word, place in zip(parts[2::2], parts[3::2], strict=True)}
        return n.MovePattern(_span(parts), parts[1].text, ends.get("FROM"), ends.get("TO"))

    def phase_pattern(self, parts: Parts) -> n.PhasePattern:
        return n.PhasePattern(_span(parts), parts[0].text, parts[2].text)


def _given(parts: Parts) -> tuple[tuple[str, n.Expr], ...]:
    return tuple(p.items for p in parts if isinstance(p, Clause) and p.word == "given")


def _statements(parts: Parts) -> tuple[n.Statement, ...]:
    """Lines hold several statements; everything else is one."""
    found: list[n.Statement] = []
    for part in parts:
        if isinstance(part, Clause):
            found.extend(part.items)
        elif not isinstance(part, Word):
            found.append(part)
    return tuple(found)


def _refuse_target(target: n.Node, op: Word) -> NoReturn:
    raise Problem(
        "RF408",
        f"`{op.text}` cannot change this",
        target.span,
        "only an attribute (`thing.attribute`) or a name made by `let` can be changed",
    )


def _refuse_statement(value: n.Node) -> NoReturn:
    if isinstance(value, n.Comparison) and len(value.rest) == 1 and value.rest[0][0] == "is":
        help = "`is` only compares; to change a value write `=`"
    elif isinstance(value, n.Arithmetic) and value.op in "+-" and isinstance(value.left, n.Attribute):
        help = f"`{value.op}` only computes; to change the value write `{value.op}=`"
    elif isinstance(value, n.Name):
        help = f"to run an event write `{value.id}()`; to do nothing write `skip`"
    else:
        help = "use the value: `let name = ...`, `thing.attribute = ...`, or a call of an event"
    raise Problem("RF408", "this computes a value and does nothing with it", value.span, help)
