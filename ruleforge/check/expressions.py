"""Expressions: a syntax tree and the names in sight -> a typed tree, or complaints."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.check import typed as t
from ruleforge.check.arithmetic import interval, surely_overflows
from ruleforge.check.builtins import BUILTINS, IN_CHECKS, check_builtin
from ruleforge.check.gathering import gathered
from ruleforge.check.holders import complain_taken
from ruleforge.check.lying import where_all_lie
from ruleforge.check.names import first_word, last_word
from ruleforge.check.numbered import is_number_behind, nth, numbered, without_number
from ruleforge.check.order_of_values import in_order
from ruleforge.check.scope import Scope, present_if_false, present_if_true
from ruleforge.check.symbols import Symbols
from ruleforge.check.teams import members
from ruleforge.check.types import (
    EMPTY,
    ERROR,
    FLAG,
    NONE,
    ErrorT,
    NoneT,
    NumbersT,
    NumberT,
    SetT,
    ThingT,
    Type,
    comparable,
    element_of,
    fits,
    joined,
)
from ruleforge.diagnostics import Edit, Fix, Span
from ruleforge.dsl import nodes as n
from ruleforge.dsl.elsewhere import MEMBERS
from ruleforge.names import counted, is_or_are, listed, nearest


class Expressions:
    """Checks expressions against one table of symbols."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self._types: dict[int, Type] = {}
        # A form may look at a part twice: without this, parts in parts would be looked at times without number.
        # What the numbers in a key stand for is held, so that nothing else gets them.
        self._known: dict[tuple[int, int, Type | None], tuple[n.Expr, Scope, t.Expr]] = {}

    # --- entry points ---

    def check(self, node: n.Expr, scope: Scope, expect: Type | None = None) -> t.Expr:
        """Type an expression; `expect` helps to tell things of the same name apart."""
        key = (id(node), id(scope), expect)
        known = self._known.get(key)
        if known is not None:
            return known[2]
        self.symbols.uses.scope(node.span, scope.variables)
        result = self._dispatch(node, scope, expect)
        if isinstance(result.type, ThingT) and result.type.optional and node in scope.present:
            sure = ThingT(result.type.kind)
            result = t.Sure(node.span, sure, result) if node in scope.looped else replace(result, type=sure)
        self._types[id(node)] = result.type
        self._known[key] = (node, scope, result)
        return result

    def known_type(self, node: n.Expr) -> Type | None:
        """The type of an expression that was checked already."""
        return self._types.get(id(node))

    def wanted(self, node: n.Expr, scope: Scope, target: Type, what: str) -> t.Expr:
        """An expression that must fit a type; the complaint names what it is wanted for."""
        return self.fitting(node, self.check(node, scope, target), target, what, scope)

    def fitting(self, node: n.Expr, value: t.Expr, target: Type, what: str, scope: Scope) -> t.Expr:
        """The value of an expression if it fits a type."""
        if isinstance(value.type, NoneT) and fits(value.type, target):
            value = replace(value, type=target)
        if fits(value.type, target):
            return value
        if isinstance(value.type, ThingT) and isinstance(target, ThingT) and value.type.kind == target.kind:
            return self.may_be_none(node, scope)
        message = f"{what} wants {target}, this is {value.type}"
        if target == FLAG and isinstance(value.type, ThingT) and value.type.optional:
            fix = (Edit(_behind(node.span), " is not none"),)
            return self.symbols.error("RF502", message, node.span, "write `is not none` behind it", fix)
        help = None
        if target == FLAG and isinstance(node, n.Name) and isinstance(value.type, ThingT):
            help = f"say what is compared with it: `... is {node.id}`"
        return self.symbols.error("RF502", message, node.span, help)

    def kept(self, node: n.Expr, scope: Scope, target: Type | None = None) -> t.Expr:
        """A value to be remembered; ranges and sets of numbers can only be looked through where they stand."""
        value = self.check(node, scope) if target is None else self.wanted(node, scope, target, "this")
        if isinstance(value.type, NumbersT):
            return self.symbols.error("RF502", f"{value.type} cannot be kept", node.span, "keep one of them")
        return value

    def condition(self, node: n.Expr, scope: Scope) -> t.Expr:
        return self.wanted(node, scope, FLAG, "a condition")

    def players(self, node: n.Expr, scope: Scope, what: str) -> t.Expr:
        """A player, a set of players, or a team, which is its players; `none` and `[]` are nobody."""
        value = self.check(node, scope, SetT("player"))
        if isinstance(value.type, NoneT):
            return replace(value, type=SetT("player"))
        if value.type == ThingT("player", True):
            return self.may_be_none(node, scope)
        if fits(value.type, SetT("player")) or fits(value.type, ThingT("player")):
            return value
        if (team := members(value, self.symbols.columns)) is not None:
            return team
        return self.symbols.error("RF502", f"{what}, this is {value.type}", node.span)

    def thing(self, node: n.Expr, scope: Scope, expect: Type | None = None) -> t.Expr:
        """An expression that must be a thing for sure."""
        value = self.check(node, scope, expect)
        if isinstance(value.type, ThingT) and value.type.optional:
            return self.may_be_none(node, scope)
        return value

    def may_be_none(self, node: n.Expr, scope: Scope) -> t.Expr:
        """Complains; where it was known before that there is something, it says what may have changed that."""
        text, help = _printed(node), f"test it first: `{_printed(node)} is not none`"
        notes: tuple[tuple[str, Span], ...] = ()
        if node in scope.forgotten:
            notes = (("that it is not none was known until something changed", scope.forgotten[node]),)
            help = f"keep it in a local before that, or test it again: `{text} is not none`"
        self.symbols.report.add("RF503", f"`{text}` may be none here", node.span, help, notes)
        return t.Constant(node.span, ERROR, 0)

    def when_true(self, test: n.Expr, scope: Scope) -> Scope:
        return scope.knowing(present_if_true(test, self._sure))

    def when_false(self, test: n.Expr, scope: Scope) -> Scope:
        return scope.knowing(present_if_false(test, self._sure))

    def _sure(self, node: n.Expr) -> bool | None:
        known = self._types.get(id(node))
        return None if isinstance(known, ErrorT) else isinstance(known, ThingT) and not known.optional

    def variable(self, name: str, type: Type, node: n.Node) -> t.Variable:
        """A new local; its name must not hide anything else that has one."""
        if name != "me" and self.symbols.taken(name):
            complain_taken(self.symbols, name, node.span)
        return t.Variable(name, type, node.span)

    # --- one case per form ---

    def _dispatch(self, node: n.Expr, scope: Scope, expect: Type | None) -> t.Expr:
        span = node.span
        match node:
            case n.Number(value=value):
                return t.Constant(span, NumberT(value, value), value)
            case n.Bool(value=value):
                return t.Constant(span, FLAG, int(value))
            case n.NoneLiteral():
                return t.Constant(span, NONE, 0)
            case n.Name():
                return self._name(node, scope, expect)
            case n.Attribute():
                return self._attribute(node, scope)
            case n.Call():
                return self._call(node, scope, expect)
            case n.Negative(value=inner):
                number = self.wanted(inner, scope, NumberT(0, 0), "`-`")
                bounds = number.type if isinstance(number.type, NumberT) else NumberT(0, 0)
                return t.Negative(span, self.computed("-", NumberT(0, 0), bounds, span), number)
            case n.Arithmetic():
                return self._arithmetic(node, scope, expect)
            case n.Comparison():
                return self._comparison(node, scope)
            case n.Not(value=inner):
                return t.Not(span, FLAG, self.condition(inner, scope))
            case n.And(parts=parts):
                return t.Logic(span, FLAG, "and", self._parts(parts, scope, self.when_true))
            case n.Or(parts=parts):
                return t.Logic(span, FLAG, "or", self._parts(parts, scope, self.when_false))
            case n.Conditional(then=then, test=test, other=other):
                return self._conditional(node, scope, expect, then, test, other)
            case n.SetLiteral():
                return self._set(node, scope, expect)
            case n.Table():
                help = (
                    "a set is written `{x in THINGS}` or `[a, b]`; a table is for facts declared `per` a kind"
                )
                return self.symbols.error("RF509", "a single value is wanted here", span, help)
            case n.Range(low=low, high=high):
                return self._range(node, low, high, scope)
            case n.Selection(binder=binder):
                bound, _ = self.binder(binder, scope)
                return t.Selection(span, _set_type(bound.variable.type), bound)
            case n.Gathering():
                return gathered(self, node, scope)
            case n.Aggregate():
                return self._aggregate(node, scope)
            case n.Nth():
                return numbered(self, node, scope)
            case n.Linked():
                return self._linked(node, scope)
            case n.Reached():
                return self._reached(node, scope)
            case n.Can(call=call):
                event, arguments = self.event_call(call, scope)
                return t.Can(span, FLAG, event, arguments) if event else t.Constant(span, ERROR, 0)
            case n.Would(call=call, value=after):
                return self._would(node, call, after, scope, expect)

    def _name(self, node: n.Name, scope: Scope, expect: Type | None) -> t.Expr:
        name, span, symbols = node.id, node.span, self.symbols
        if name in scope.variables:
            variable = scope.variables[name]
            return t.Use(span, variable.type, variable)
        if name == "opponent" and "me" in scope.variables:
            me = scope.variables["me"]
            if not symbols.two_players:
                return symbols.error("RF506", "`opponent` exists only in games for exactly two players", span)
            return t.Opponent(span, ThingT("player"), t.Use(span, me.type, me))
        if name == "active":
            return t.Active(span, ThingT("player"))
        if name in symbols.numbers:
            value = symbols.numbers[name]
            symbols.uses.name("number", name, span)
            return t.Constant(span, NumberT(value, value), value)
        if name in symbols.plurals:
            kind = symbols.plurals[name]
            symbols.uses.name("kind", kind.name, span)
            return t.All(span, SetT(kind.name), kind)
        if name in symbols.places:
            return self._place(node, symbols.places[name])
        if name in symbols.things:
            return self._thing_named(node, expect)
        return self._unknown_name(node, scope, expect)

    def _place(self, node: n.Name, place: t.Place) -> t.Expr:
        kind = place.holds.name
        self.symbols.uses.name("place", place.name, node.span)
        if place.of:
            return t.Family(node.span, SetT(kind), place)
        type: Type = ThingT(kind, True) if place.single else SetT(kind)
        return t.Content(node.span, type, place, ())

    def _thing_named(self, node: n.Name, expect: Type | None) -> t.Expr:
        meanings = self.symbols.things[node.id]
        if len(meanings) > 1 and isinstance(expect, ErrorT):
            return t.Constant(node.span, ERROR, 0)
        if len(meanings) > 1 and isinstance(expect, ThingT | SetT):
            meanings = [m for m in meanings if m[0].name == expect.kind] or meanings
        kind, number = meanings[0]
        if len(meanings) > 1:
            kinds = " and a ".join(f"`{k.name}`" for k, _ in meanings)
            return self.symbols.error("RF505", f"`{node.id}` is the name of a {kinds}", node.span)
        self.symbols.uses.name("thing", node.id, node.span, kind.name)
        return t.Constant(node.span, ThingT(kind.name), number)

    def _unknown_name(self, node: n.Name, scope: Scope, expect: Type | None) -> t.Expr:
        symbols = self.symbols
        if node.id == "me":
            help = f"known here: {listed(scope.variables, 'and')}" if scope.variables else None
            return symbols.error("RF501", "there is no `me` here: nobody is acting", node.span, help)
        if node.id in symbols.kinds:
            return self._kind_for_value(node, scope, expect)
        if node.id in symbols.formula_heads or node.id in symbols.event_heads:
            head = symbols.formula_heads.get(node.id) or symbols.event_heads[node.id]
            call = f"{node.id}({', '.join(p.name for p in head.parameters)})"
            fix: Fix = () if head.parameters else (Edit(node.span, call),)
            return symbols.error("RF501", f"`{node.id}` must be called", node.span, f"write `{call}`", fix)
        known = [*scope.variables, *symbols.names()]
        return symbols.unknown("name", node.id, node.span, known, here=[*scope.variables])

    def _kind_for_value(self, node: n.Name, scope: Scope, expect: Type | None) -> t.Expr:
        """A kind stands for all its things where many are wanted, and for the one at hand where one is."""
        message, plural = f"`{node.id}` is a kind, not a value", self.symbols.kinds[node.id].plural
        alike = [v.name for v in scope.variables.values() if v.type == ThingT(node.id)]
        if not isinstance(expect, ThingT):
            help, instead = f"the set of all is `{plural}`", plural
        elif len(alike) == 1:
            help, instead = f"write `{alike[0]}`", alike[0]
        else:
            return self.symbols.error("RF501", message, node.span, f"name one; the set of all is `{plural}`")
        return self.symbols.error("RF501", message, node.span, help, (Edit(node.span, instead),))

    def _attribute(self, node: n.Attribute, scope: Scope) -> t.Expr:
        symbols = self.symbols
        if isinstance(node.of, n.Name) and node.of.id == "option" and "option" not in scope.variables:
            option = symbols.options.get(node.name)
            if option is None:
                return symbols.unknown(
                    "option", node.name, last_word(node.span, node.name), list(symbols.options)
                )
            symbols.uses.name("option", node.name, last_word(node.span, node.name))
            return t.OptionValue(node.span, option.type, option)
        of = self.check(node.of, scope)
        if isinstance(of.type, ErrorT):
            return of
        if not isinstance(of.type, ThingT):
            help = MEMBERS.get(node.name) if isinstance(of.type, SetT) else None
            return symbols.error("RF502", f"{of.type} has no `.{node.name}`", node.span, help)
        member = self._member(node, of, scope)
        if of.type.optional and not isinstance(member.type, ErrorT):
            return self.may_be_none(node.of, scope)
        return member

    def _member(self, node: n.Attribute, of: t.Expr, scope: Scope) -> t.Expr:
        """What `.name` means for a thing: a column, what lies in its place, or where it lies."""
        assert isinstance(of.type, ThingT)
        kind, symbols = of.type.kind, self.symbols
        column = symbols.column(kind, node.name)
        here = _after_dot(node)
        if column is not None:
            symbols.uses.name("fact" if column.constant else "attribute", node.name, here, kind)
            if is_number_behind(node, column.per, column.type):
                return nth(self, node, self._member(without_number(node), of, scope), scope)
            index = self._index(node, column.per, scope)
            return t.Read(node.span, column.type, column, of, index)
        place = symbols.places_indexed_by(kind, node.name)
        if place is not None:
            symbols.uses.name("place", place.name, here)
            others = tuple(k for _, k in place.of[1:])
            type: Type = ThingT(place.holds.name, True) if place.single else SetT(place.holds.name)
            if is_number_behind(node, others, type):
                return nth(self, node, self._member(without_number(node), of, scope), scope)
            index = self._index(node, others, scope)
            return t.Content(node.span, type, place, (of, *index))
        inverse = symbols.inverse(kind, node.name)
        if inverse:
            return self._whereabouts(node, of, inverse)
        return symbols.unknown(f"attribute of `{kind}`", node.name, here, symbols.members(kind), kind)

    def _whereabouts(
        self, node: n.Attribute, of: t.Expr, found: tuple[tuple[t.Place, t.Kind], ...]
    ) -> t.Expr:
        """Where a thing lies, by an index that is of one kind in all places that have it."""
        here, (first, target) = _after_dot(node), found[0]
        for place, kind in found:
            self.symbols.uses.name("place", place.name, here)
            if kind is not target:
                said = f"a `{target.name}` in `{first.name}` and a `{kind.name}` in `{place.name}`"
                help = f"call the `{node.name}` of one of the places something else"
                return self.symbols.error("RF502", f"`.{node.name}` would be {said}", here, help)
        places = tuple(place for place, _ in found)
        return t.Whereabouts(node.span, ThingT(target.name, True), places, node.name, of)

    def _index(self, node: n.Attribute, kinds: tuple[t.Kind, ...], scope: Scope) -> tuple[t.Expr, ...]:
        if len(node.index) != len(kinds):
            form = f"`.{node.name}[{', '.join(k.name for k in kinds)}]`" if kinds else ""
            message = (
                f"`.{node.name}` takes {listed([k.name for k in kinds], 'and') or 'nothing'} in brackets"
            )
            self.symbols.error("RF504", message, node.span, f"write {form}" if form else "take them away")
            return tuple(t.Constant(node.span, ERROR, 1) for _ in kinds)
        return tuple(
            self.wanted(i, scope, ThingT(k.name), f"the index of `.{node.name}`")
            for i, k in zip(node.index, kinds, strict=True)
        )

    def _call(self, node: n.Call, scope: Scope, expect: Type | None) -> t.Expr:
        symbols = self.symbols
        if node.name in symbols.formula_heads:
            symbols.uses.name("formula", node.name, first_word(node.span, node.name))
            arguments = self.arguments(node, symbols.formula_heads[node.name].parameters, scope)
            formula = symbols.formulas.get(node.name)  # none of a circle, which was complained about
            if formula is None:
                return t.Constant(node.span, ERROR, 0)
            return t.CallFormula(node.span, formula.result, formula, arguments)
        if node.name == "keywords" and symbols.keywords:
            return self._keywords(node, scope)
        if node.name in symbols.event_heads:
            return symbols.error(
                "RF506", f"`{node.name}` is an event; an expression can only ask formulas", node.span
            )
        if node.name in BUILTINS or node.name in symbols.geometry:
            symbols.uses.name("kind", node.name, first_word(node.span, node.name))
            return check_builtin(self, node, scope)
        if node.name in scope.functions:
            return scope.functions[node.name](self, node, scope)
        if node.name in IN_CHECKS:
            return symbols.error("RF506", f"`{node.name}` can be asked in `checks` only", node.span)
        known = [*symbols.formula_heads, *BUILTINS, *symbols.geometry, *scope.functions]
        fitting = [n for n in known if self._takes(n) in (None, len(node.arguments))]
        wanted = fitting if nearest(node.name, fitting) else known
        return symbols.unknown("formula", node.name, first_word(node.span, node.name), wanted)

    def _takes(self, name: str) -> int | None:
        """How many values a formula takes; None if it is not one of the game's."""
        head = self.symbols.formula_heads.get(name)
        return len(head.parameters) if head else None

    def arguments(self, node: n.Call, parameters: tuple[t.Variable, ...], scope: Scope) -> tuple[t.Expr, ...]:
        if len(node.arguments) != len(parameters):
            names = ", ".join(p.name for p in parameters)
            self.symbols.error(
                "RF504",
                f"`{node.name}` takes {counted(len(parameters), 'value')}, here {is_or_are(len(node.arguments))}",
                node.span,
                f"it is declared as `{node.name}({names})`",
            )
            return tuple(t.Constant(node.span, ERROR, 0) for _ in parameters)
        if right := in_order(node, parameters, scope):
            self.symbols.error("RF502", "two values stand in the wrong order", node.span, f"write `{right}`")
            return tuple(t.Constant(node.span, ERROR, 0) for _ in parameters)
        return tuple(
            self._argument(a, p, node.name, scope) for a, p in zip(node.arguments, parameters, strict=True)
        )

    def _argument(self, node: n.Expr, parameter: t.Variable, name: str, scope: Scope) -> t.Expr:
        value = self.wanted(node, scope, parameter.type, f"`{parameter.name}` of `{name}`")
        if isinstance(value.type, NumberT) and isinstance(parameter.type, NumberT):
            low, high = parameter.type.low, parameter.type.high
            if value.type.high < low or value.type.low > high:
                self.symbols.error(
                    "RF508",
                    f"`{parameter.name}` of `{name}` is {low}..{high}, this is {value.type}",
                    node.span,
                )
        return value

    def _arithmetic(self, node: n.Arithmetic, scope: Scope, expect: Type | None) -> t.Expr:
        left = self.check(node.left, scope, expect)
        if node.op in ("|", "&") or (node.op == "-" and isinstance(left.type, SetT | NoneT)):
            right = self.wanted(node.right, scope, left.type, f"`{node.op}`")
            if not isinstance(left.type, SetT | ErrorT):
                return self.symbols.error(
                    "RF502", f"`{node.op}` joins sets, this is {left.type}", node.left.span
                )
            return t.Arithmetic(node.span, left.type, node.op, left, right)
        if isinstance(left.type, SetT):
            return self.symbols.error(
                "RF502",
                f"`{node.op}` wants numbers, this is {left.type}",
                node.left.span,
                "sets are joined with `|`, `&` and `-`",
            )
        left = self.fitting(node.left, left, NumberT(0, 0), f"`{node.op}`", scope)
        right = self.wanted(node.right, scope, NumberT(0, 0), f"`{node.op}`")
        if not isinstance(left.type, NumberT) or not isinstance(right.type, NumberT):
            return t.Constant(node.span, ERROR, 0)
        if node.op in ("//", "%") and right.type.low == right.type.high == 0:
            return self.symbols.error("RF508", "division by zero", node.span)
        type = self.computed(node.op, left.type, right.type, node.span)
        return t.Arithmetic(node.span, type, node.op, left, right)

    def computed(self, op: str, left: NumberT, right: NumberT, span: Span) -> NumberT:
        """The range of a result; a complaint if all of it lies beyond 32 bits."""
        if surely_overflows(op, left, right):
            self.symbols.error("RF508", "this number needs more than 32 bits", span)
        return interval(op, left, right)

    def _comparison(self, node: n.Comparison, scope: Scope) -> t.Expr:
        tests = []
        left = node.first
        for op, right in node.rest:
            tests.append(self._compare(op, left, right, scope))
            left = right
        return tests[0] if len(tests) == 1 else t.Logic(node.span, FLAG, "and", tuple(tests))

    def _compare(self, op: str, left: n.Expr, right: n.Expr, scope: Scope) -> t.Expr:
        span = left.span.to(right.span)
        if op in ("<", "<=", ">", ">="):
            a = self.wanted(left, scope, NumberT(0, 0), f"`{op}`")
            b = self.wanted(right, scope, NumberT(0, 0), f"`{op}`")
            return t.Compare(span, FLAG, op, a, b)
        if op == "has":
            of = self.thing(left, scope)
            return t.In(span, FLAG, self._keyword(right), t.KeywordsOf(span, SetT("keyword"), of))
        if op in ("in", "not in"):
            test = self._in(span, left, right, scope)
            return test if op == "in" else t.Not(span, FLAG, test)
        a, b = self._pair(left, right, scope)
        if isinstance(b.type, NoneT) and left in scope.present:  # to test it once more is no mistake
            a = self.check(left, scope.doubting(left))
        if not comparable(a.type, b.type):
            return self._never_equal(span, a, b)
        return t.Compare(span, FLAG, "==" if op == "is" else "!=", a, b)

    def _pair(self, left: n.Expr, right: n.Expr, scope: Scope) -> tuple[t.Expr, t.Expr]:
        """Both sides of `is`; each side's type helps to read a name on the other."""
        several = isinstance(left, n.Name) and len(self.symbols.things.get(left.id, [])) > 1
        if several or (isinstance(left, n.SetLiteral) and not left.members):
            b = self.check(right, scope)
            return self.check(left, scope, b.type), b
        a = self.check(left, scope)
        return a, self.check(right, scope, a.type)

    def _never_equal(self, span: Span, a: t.Expr, b: t.Expr) -> t.Expr:
        if isinstance(b.type, NoneT) and isinstance(a.type, ThingT):
            return self.symbols.error("RF502", f"this is {a.type}, it is never none", span)
        if isinstance(b.type, SetT) and isinstance(a.type, ThingT):
            return self.symbols.error("RF502", f"{a.type} is compared with {b.type}", span, "write `in`")
        return self.symbols.error("RF502", f"{a.type} can never be {b.type}", span)

    def _in(self, span: Span, left: n.Expr, right: n.Expr, scope: Scope) -> t.Expr:
        if isinstance(left, n.Name) and len(self.symbols.things.get(left.id, [])) > 1:
            source = self.check(right, scope)  # the set tells which of the things of this name is meant
            element = self.check(left, scope, source.type)
        else:
            element = self.check(left, scope)
            kind = element.type.kind if isinstance(element.type, ThingT) else None
            source = self.check(right, scope, SetT(kind) if kind else None)
        inner = element_of(source.type)
        if isinstance(source.type, NoneT):
            inner = ERROR if source.type.empty else None
        if inner is None:
            help = (
                "write `is none`, or `[]` for a set without things"
                if isinstance(source.type, NoneT)
                else None
            )
            return self.symbols.error("RF502", f"`in` wants a set, this is {source.type}", right.span, help)
        if isinstance(element.type, NoneT | SetT) or not comparable(element.type, inner):
            return self.symbols.error("RF502", f"{element.type} can never be in {source.type}", span)
        return t.In(span, FLAG, element, source)

    def _parts(self, parts: tuple[n.Expr, ...], scope: Scope, learn) -> tuple[t.Expr, ...]:  # type: ignore[no-untyped-def]
        """Each part may rely on what the parts before it have settled."""
        checked = []
        for part in parts:
            checked.append(self.condition(part, scope))
            scope = learn(part, scope)
        return tuple(checked)

    # --- keywords, and events asked about ---

    def _keyword(self, node: n.Expr) -> t.Expr:
        if isinstance(node, n.Name) and node.id in self.symbols.keywords:
            number = self.symbols.keywords[node.id].number
            self.symbols.uses.name("keyword", node.id, node.span)
            return t.Constant(node.span, ThingT("keyword"), number)
        if isinstance(node, n.Name):
            return self.symbols.unknown("keyword", node.id, node.span, list(self.symbols.keywords))
        return self.symbols.error("RF502", "`has` wants the name of a keyword", node.span)

    def _keywords(self, node: n.Call, scope: Scope) -> t.Expr:
        if len(node.arguments) != 1:
            return self.symbols.error("RF504", "`keywords` takes one thing", node.span)
        return t.KeywordsOf(node.span, SetT("keyword"), self.thing(node.arguments[0], scope))

    def event_call(self, call: n.Call, scope: Scope) -> tuple[t.Event | None, tuple[t.Expr, ...]]:
        """An event and what it is called with; none if there is no such event, or it is part of a circle."""
        head = self.symbols.event_heads.get(call.name)
        if head is None:
            self.symbols.unknown(
                "event", call.name, first_word(call.span, call.name), list(self.symbols.event_heads)
            )
            return None, ()
        self.symbols.uses.name("event", call.name, first_word(call.span, call.name))
        return self.symbols.events.get(call.name), self.arguments(call, head.parameters, scope)

    def _would(self, node: n.Would, call: n.Call, after: n.Expr, scope: Scope, expect: Type | None) -> t.Expr:
        event, arguments = self.event_call(call, scope)
        value = self.check(after, scope.after_change(), expect)
        if isinstance(value.type, SetT | NumbersT):
            return self.symbols.error("RF502", "`would` asks for one value, not for a set", after.span)
        if event is None:
            return t.Constant(node.span, ERROR, 0)
        return t.Would(node.span, _perhaps(value.type), event, arguments, value)

    def _conditional(
        self,
        node: n.Conditional,
        scope: Scope,
        expect: Type | None,
        then: n.Expr,
        test: n.Expr,
        other: n.Expr,
    ) -> t.Expr:
        condition = self.condition(test, scope)
        a = self.check(then, self.when_true(test, scope), expect)
        b = self.check(other, self.when_false(test, scope), expect)
        type = joined(a.type, b.type)
        if type is None:
            return self.symbols.error("RF502", f"one side is {a.type}, the other {b.type}", node.span)
        return t.Conditional(node.span, type, condition, a, b)

    def _set(self, node: n.SetLiteral, scope: Scope, expect: Type | None) -> t.Expr:
        inner = element_of(expect) if expect else None
        members = tuple(self.check(m, scope, inner) for m in node.members)
        if not members:
            return t.SetOf(node.span, expect if isinstance(expect, SetT) else EMPTY, ())
        nothing = next((member for member in members if isinstance(member.type, NoneT)), None)
        if nothing is not None:
            return self.symbols.error("RF502", f"{nothing.type} is in no set", nothing.span, "leave it out")
        type: Type | None = members[0].type
        for member in members[1:]:
            type = joined(type, member.type) if type else None
        match type:
            case ThingT(kind=kind):
                return t.SetOf(node.span, SetT(kind), members)
            case NumberT(low=low, high=high):
                return t.SetOf(node.span, NumbersT(low, high), members)
            case ErrorT():
                return t.Constant(node.span, ERROR, 0)
        return self.symbols.error("RF502", "the members of a set must be of one type", node.span)

    def _range(self, node: n.Range, low: n.Expr, high: n.Expr, scope: Scope) -> t.Expr:
        a = self.wanted(low, scope, NumberT(0, 0), "a range")
        b = self.wanted(high, scope, NumberT(0, 0), "a range")
        if not isinstance(a.type, NumberT) or not isinstance(b.type, NumberT):
            return t.Constant(node.span, ERROR, 0)
        return t.Interval(node.span, NumbersT(a.type.low, max(a.type.low, b.type.high)), a, b)

    def binder(self, node: n.Binder, scope: Scope) -> tuple[t.Binder, Scope]:
        """A binder and the scope behind it, in which its variable is known and its `where` holds."""
        source = self.check(node.source, scope)
        element = element_of(source.type)
        if element is None:
            source = self.symbols.error("RF502", f"`in` wants a set, this is {source.type}", node.source.span)
            element = ERROR
        variable = self.variable(node.name, element, node)
        inner = scope.bind(variable).knowing(where_all_lie(source, node.name, node.span))
        until = self.condition(node.until, inner) if node.until else None
        where = self.condition(node.where, inner) if node.where else None
        if node.where:
            inner = self.when_true(node.where, inner)
        by = tuple(self.wanted(k, inner, NumberT(0, 0), "`by`") for k in node.by)
        return t.Binder(node.span, variable, source, until, where, by), inner

    def _aggregate(self, node: n.Aggregate, scope: Scope) -> t.Expr:
        binder, inner = self.binder(node.binder, scope)
        if node.op == "best" and isinstance(binder.variable.type, NumberT):
            return self.symbols.error("RF502", "`best` finds things, these are numbers", node.span)
        value: t.Expr | None = None
        if node.value is not None:
            wanted = FLAG if node.op == "all" else NumberT(0, 0)
            value = self.wanted(node.value, inner, wanted, f"`{node.op}`")
        return t.Aggregate(node.span, self._aggregate_type(node, binder, value), node.op, binder, value)

    def _aggregate_type(self, node: n.Aggregate, binder: t.Binder, value: t.Expr | None) -> Type:
        most = self.most(binder.source)
        match node.op:
            case "any" | "all":
                return FLAG
            case "count":
                return NumberT(0, most)
            case "first":
                return or_none(binder.variable.type)
            case "best":
                return _set_type(binder.variable.type)
        bounds = value.type if value and isinstance(value.type, NumberT) else NumberT(0, 0)
        if node.op == "sum":
            return interval("*", NumberT(0, most), bounds)
        return NumberT(min(0, bounds.low), max(0, bounds.high))

    def most(self, source: t.Expr) -> int:
        """An upper bound for the number of members of a source."""
        match source.type:
            case SetT(kind=kind) if kind in self.symbols.kinds:
                return self.symbols.kinds[kind].size
            case NumbersT(low=low, high=high):
                return max(0, high - low + 1)
        return 1

    def _linked(self, node: n.Linked, scope: Scope) -> t.Expr:
        binder, kind = self._over_board(node, "linked", scope)
        across = self._across(node.across, kind, scope)
        if kind is None:
            return t.Constant(node.span, ERROR, 0)
        start = self.wanted(node.start, scope, SetT(kind), "the start of `linked`")
        goal = self.wanted(node.goal, scope, SetT(kind), "the goal of `linked`")
        return t.Linked(node.span, FLAG, start, binder, across, goal)

    def _reached(self, node: n.Reached, scope: Scope) -> t.Expr:
        binder, kind = self._over_board(node, "reached", scope)
        across = self._across(node.across, kind, scope)
        if kind is None:
            return t.Constant(node.span, ERROR, 0)
        start = self.wanted(node.start, scope, SetT(kind), "the start of `reached`")
        return t.Reached(node.span, SetT(kind), start, binder, across)

    def _over_board(self, node: n.Linked | n.Reached, word: str, scope: Scope) -> tuple[t.Binder, str | None]:
        """The cells that a path may lead over, and of which board they are; none if that is not known."""
        binder, _ = self.binder(node.binder, scope)
        self._without_order(node.binder)
        kind = binder.variable.type
        if isinstance(kind, ThingT) and kind.kind in self.symbols.geometry:
            return binder, kind.kind
        if not isinstance(kind, ErrorT):
            self.symbols.error("RF502", f"`{word}` walks over the cells of a board", node.binder.span)
        return binder, None

    def _without_order(self, node: n.Binder) -> None:
        for part in (node.until, *node.by):
            if part is not None:
                word = "until" if part is node.until else "by"
                help = f"take `{word}` away; `where` says over what it may lead"
                self.symbols.error(
                    "RF502", f"a path has no order: `{word}` means nothing here", part.span, help
                )

    def _across(self, node: n.Binder | None, board: str | None, scope: Scope) -> t.Binder | None:
        """The edges that a path may cross: they must be those of the board it leads over."""
        if node is None:
            return None
        binder, _ = self.binder(node, scope)
        self._without_order(node)
        type = binder.variable.type
        edges = self.symbols.geometry.get(type.kind) if isinstance(type, ThingT) else None
        if edges is not None and _is_edge_of(edges, board or ""):
            return binder
        if board is not None and not isinstance(type, ErrorT):
            known = [g.kind.plural for g in self.symbols.geometry.values() if _is_edge_of(g, board)]
            help = f"write `across {node.name} in {known[0]}`" if known else f"give a kind `edges: {board}`"
            self.symbols.error(
                "RF502", f"a path leads across edges of `{board}`, this is {type}", node.span, help
            )
        return None


def _is_edge_of(geometry: t.Geometry, board: str) -> bool:
    return geometry.shape == "edges" and geometry.border is not None and geometry.border.board.name == board


def _printed(node: n.Expr) -> str:
    from ruleforge.dsl.printer import print_expr  # needed for complaints only

    return print_expr(node)


def _behind(span: Span) -> Span:
    return span._replace(line=span.end_line, column=span.end_column)


def _after_dot(node: n.Attribute) -> Span:
    """Where the name of an attribute stands."""
    if not node.index:
        return last_word(node.span, node.name)
    end = node.of.span
    return Span(end.file, end.end_line, end.end_column + 1, end.end_line, end.end_column + 1 + len(node.name))


def _perhaps(value: Type) -> Type:
    """The type of a value that may not come about: a trial that the rules stop gives -1, or no thing."""
    match value:
        case NumberT(low=low, high=high):
            return NumberT(min(low, -1), high)
        case ThingT(kind=kind):
            return ThingT(kind, optional=True)
    return value


def _set_type(element: Type) -> Type:
    match element:
        case ThingT(kind=kind):
            return SetT(kind)
        case NumberT(low=low, high=high):
            return NumbersT(low, high)
    return ERROR


def or_none(element: Type) -> Type:
    """One of the members of a source, or none; of numbers 0 if there is none."""
    match element:
        case ThingT(kind=kind):
            return ThingT(kind, True)
        case NumberT(low=low, high=high):
            return NumberT(min(0, low), max(0, high))
    return element
