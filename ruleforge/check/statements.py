"""Statements: blocks of effect text -> typed statements, with what is known flowing from one to the next."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ruleforge.check import typed as t
from ruleforge.check.expressions import Expressions, or_none
from ruleforge.check.names import first_word, last_word
from ruleforge.check.parts_told import complaint_about, part_of, too_many
from ruleforge.check.scope import Scope
from ruleforge.check.types import (
    ERROR,
    INT_MAX,
    INT_MIN,
    NOTHING,
    WORD,
    ErrorT,
    NoneT,
    NumberT,
    SetT,
    ThingT,
    Type,
    fits,
    joined,
)
from ruleforge.check.walk import said_of
from ruleforge.dsl import nodes as n
from ruleforge.dsl.printer import print_expr
from ruleforge.names import listed
from ruleforge.quick import dataclass


@dataclass
class Frame:
    """What a block may do besides the usual: whether and what it may `return`, and what it did return."""

    returns: bool = False
    result: Type = NOTHING
    proceeds: tuple[t.Variable, ...] | None = None  # what a replaced event was called with
    reassigned: frozenset[str] = frozenset()


class Statements:
    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.symbols = expressions.symbols

    def block(self, node: n.Block, scope: Scope, frame: Frame | None = None) -> tuple[t.Block, Type]:
        """A whole effect text; the second value is the type of what it returns."""
        frame = frame or Frame()
        frame.reassigned = frozenset(reassigned(node))
        body, _ = self._block(node, scope, frame)
        return body, frame.result

    def _block(self, node: n.Block, scope: Scope, frame: Frame) -> tuple[t.Block, Scope]:
        statements: list[t.Statement] = []
        for statement in node.statements:
            if isinstance(statement, n.For) and statement.random:
                statements += self._for_random(statement, scope, frame)
                scope = scope.after_change()
                continue
            before = scope
            typed, scope = self._statement(statement, scope, frame)
            scope = scope.forgetting(before, statement.span)
            if typed is not None:
                statements.append(typed)
        return t.Block(node.span, tuple(statements)), scope

    def _statement(self, node: n.Statement, scope: Scope, frame: Frame) -> tuple[t.Statement | None, Scope]:
        self.symbols.uses.scope(node.span, scope.variables)
        match node:
            case n.Let():
                return self._let(node, scope, frame)
            case n.Assign():
                return self._assign(node, scope)
            case n.Do(call=call):
                return self._event(call, None, scope), scope.after_change()
            case n.Move():
                return self._move(node, scope), scope.after_change()
            case n.Shuffle(place=place):
                return self._shuffle(node, place, scope), scope.after_change()
            case n.Finish():
                return self._finish(node, scope), scope
            case n.Return():
                return self._return(node, scope, frame), scope
            case n.Leave(phase=phase):
                if phase not in self.symbols.phases:
                    here = last_word(node.span, phase)
                    self.symbols.unknown("phase", phase, here, list(self.symbols.phases), section="flow")
                self.symbols.uses.name("phase", phase, last_word(node.span, phase))
                return t.Leave(node.span, phase), scope
            case n.Remember(position=name) | n.Forget(position=name):
                position = self.symbols.position(name, last_word(node.span, name))
                made = t.Remember if isinstance(node, n.Remember) else t.Forget
                return made(node.span, position) if position else None, scope
            case n.Skip():
                return None, scope
            case n.If():
                return self._if(node, scope, frame)
            case n.For(binder=binder, body=body, one=one):
                bound, inner = self.expressions.binder(binder, scope)
                typed, _ = self._block(body, inner if one else inner.in_loop(scope), frame)
                if one:
                    bound = self._first(bound)
                return t.For(node.span, bound, typed), scope.after_change()
            case n.Repeat():
                return self._repeat(node, scope, frame), scope.after_change()
            case n.Choose():
                return self._choose(node, scope, frame), scope.after_change()
            case n.Picks():
                return self._picks(node, scope, frame), scope.after_change()
            case n.Sealed():
                return self._sealed(node, scope, frame), scope.after_change()
            case n.Together(body=body):
                typed, _ = self._block(body, scope, frame)
                return t.Together(node.span, typed), scope.after_change()
            case n.Pay():
                return self._pay(node, scope), scope.after_change()
            case n.Proceed():
                return self._proceed(node, scope, frame), scope.after_change()
            case n.New():
                return self._new(node, None, scope), scope.after_change()
            case n.Remove(thing=what):
                return self._remove(node, what, scope), scope.after_change()
            case n.Show(what=what, to=to):
                return self._show(node, what, to, scope), scope
            case n.Offer():
                return self._offer(node, scope), scope.after_change()

    def _for_random(self, node: n.For, scope: Scope, frame: Frame) -> tuple[t.Statement, ...]:
        """`for random x in ..:` is a draw, and what follows if there was something to draw."""
        self.symbols.uses.scope(node.span, scope.variables)
        name, span = node.binder.name, node.binder.span
        drawn, inner = self._let(n.Let(span, name, n.RandomPick(span, node.binder)), scope, frame)
        found = inner.variables[name].type
        if drawn is None or not isinstance(found, ThingT):
            if not isinstance(found, ErrorT):
                help = "write `let x = random(...)`, which is 0 if there is none"
                self.symbols.error("RF502", f"`for random` is about things, this is {found}", span, help)
            return ()
        there = n.Comparison(span, n.Name(span, name), (("is not", n.NoneLiteral(span)),))
        done, _ = self._if(n.If(node.span, ((there, node.body),)), inner, frame)
        return (drawn, done)

    def _first(self, binder: t.Binder) -> t.Binder:
        """`for one`: a loop over the first member, which may be none."""
        found = binder.variable
        if not isinstance(found.type, ThingT):
            if not isinstance(found.type, ErrorT):
                self.symbols.error("RF502", f"`for one` is about things, this is {found.type}", binder.span)
            return binder
        each = t.Variable(found.name, found.type, found.span)

        def of_each(test: t.Expr | None) -> t.Expr | None:
            return None if test is None else said_of(test, lambda use: _renamed(use, found, each))

        by = tuple(said_of(key, lambda use: _renamed(use, found, each)) for key in binder.by)
        members = replace(
            binder, variable=each, until=of_each(binder.until), where=of_each(binder.where), by=by
        )
        first = t.Aggregate(binder.span, replace(found.type, optional=True), "first", members)
        return t.Binder(binder.span, found, first, None, None)

    # --- locals ---

    def _let(self, node: n.Let, scope: Scope, frame: Frame) -> tuple[t.Statement | None, Scope]:
        if node.name in scope.variables:
            self.symbols.error(
                "RF505",
                f"`{node.name}` is already in use here",
                node.span,
                f"to change it write `{node.name} = ...`",
            )
        wanted = self.symbols.type_of(node.type) if node.type is not None else None
        statement, type = self._value_into(node.value, scope, wanted, node)
        if wanted is not None:
            self._fits_local(type, wanted, node)
            variable = self.expressions.variable(node.name, wanted, node)
            return statement(variable), scope.after_change().bind(variable)
        if isinstance(type, NoneT | type_of_nothing):
            help = "begin with a value that has one, such as `first(x in SET where ...)`, which may be none"
            self.symbols.error(
                "RF502", f"`{node.name}` gets {type}; its type cannot be told", node.span, help
            )
            type = ERROR
        if node.name in frame.reassigned and isinstance(type, NumberT):
            type = NumberT(INT_MIN, INT_MAX)
        found = isinstance(type, ThingT) and node.value in scope.present  # so it may be none some other time
        variable = self.expressions.variable(node.name, or_none(type) if found else type, node)
        behind = scope.after_change().bind(variable)
        known: frozenset[n.Expr] = frozenset([n.Name(node.span, node.name)] if found else ())
        return statement(variable), behind.knowing(known)

    def _fits_local(self, type: Type, wanted: Type, node: n.Let | n.Assign) -> None:
        """What chance, an event or a pool gives must be what the local holds; of expressions it is known by now."""
        if not isinstance(node.value, n.RandomPick | n.New | n.Call) or fits(type, wanted):
            return
        if not isinstance(type, ErrorT) and not isinstance(wanted, ErrorT):
            self.symbols.error("RF502", f"this wants {wanted}, and gets {type}", node.value.span)

    def _value_into(self, value: n.Value, scope: Scope, target: Type | None, node: n.Node):  # type: ignore[no-untyped-def]
        """What stands at the right of `let` or `=`: a function from the variable to the statement, and the type."""
        span = node.span
        match value:
            case n.RollDice(number=number, sides=sides):
                if not 1 <= number <= 100 or not 1 <= sides <= 1_000_000:
                    self.symbols.error("RF508", f"cannot roll {number}d{sides}", value.span)
                one = t.Constant(span, NumberT(1, 1), 1)
                top = t.Constant(span, NumberT(sides, sides), sides)
                return (lambda v: t.Roll(span, v, number, one, top)), NumberT(number, number * sides)
            case n.RollRange(range=r):
                typed = self.expressions.check(r, scope)
                if isinstance(typed, t.Interval) and isinstance(typed.low.type, NumberT):
                    assert isinstance(typed.high.type, NumberT)
                    bounds = self._faces(typed.low.type, typed.high.type, value)
                    return (lambda v: t.Roll(span, v, 1, typed.low, typed.high)), bounds
                return (lambda v: None), ERROR
            case n.RandomPick(binder=b):
                binder, _ = self.expressions.binder(b, scope)
                return (lambda v: t.RandomPick(span, v, binder)), or_none(binder.variable.type)
            case n.New():
                kind = self.symbols.kinds.get(value.kind) or self._made_of(value.kind)
                return (lambda v: self._new(value, v, scope)), ThingT(kind.name) if kind else ERROR
            case n.Call(name=name) if name in self.symbols.event_heads:
                event, arguments = self.expressions.event_call(value, scope)
                if event is None:
                    return (lambda v: None), ERROR
                if event.result == NOTHING:
                    self.symbols.error(
                        "RF502", f"`{name}` gives nothing back", value.span, "let it `return` something"
                    )
                return (lambda v: t.Perform(span, event, arguments, v)), event.result
        checked = self.expressions.kept(value, scope, target)
        return (lambda v: t.Assign(span, v, checked)), checked.type

    def _faces(self, low: NumberT, high: NumberT, node: n.Node) -> NumberT:
        """The numbers a die can show; there is one at least, and their count is a number, too."""
        if low.low > high.high:
            self.symbols.error("RF508", "this die has no faces", node.span)
            return low
        if high.low - low.high >= INT_MAX:
            self.symbols.error("RF508", f"a die has at most {INT_MAX} faces", node.span)
        return NumberT(low.low, high.high)

    # --- writing ---

    def _whose(self, target: n.Expr, scope: Scope) -> str | None:
        """Who has an attribute of this name, if that is what is meant."""
        name = target.id if isinstance(target, n.Name) else ""
        owners = [kind for kind, known in self.symbols.columns if known == name]
        local = next(
            (
                v.name
                for v in scope.variables.values()
                if isinstance(v.type, ThingT) and v.type.kind in owners
            ),
            None,
        )
        if local is not None:
            return f"write `{local}.{name}`"
        return f"it is one of {listed(owners)}: write whose" if owners else None

    def _assign(self, node: n.Assign, scope: Scope) -> tuple[t.Statement | None, Scope]:
        match node.target:
            case n.Name(id=name) if name in scope.variables:
                return self._assign_local(node, scope.variables[name], scope)
            case n.Attribute():
                return self._store(node, node.target, scope), scope.after_change()
        message = "only attributes and locals can be changed"
        help = self._whose(node.target, scope)
        if help is None and isinstance(node.target, n.Name) and node.target.id not in self.symbols.names():
            help = f"a new name is given by `let {node.target.id} = ...`"
        self.symbols.error("RF506", message, node.target.span, help)
        if isinstance(node.target, n.Name) and node.target.id in self.symbols.numbers:
            return t.Overwrite(node.span, (node.target.id,)), scope
        return None, scope

    def _assign_local(
        self, node: n.Assign, variable: t.Variable, scope: Scope
    ) -> tuple[t.Statement | None, Scope]:
        value = node.value
        if node.op != "=":
            value = n.Arithmetic(node.span, node.op[0], node.target, value)  # type: ignore[arg-type]
        statement, type = self._value_into(value, scope, variable.type, node)
        self._fits_local(type, variable.type, node)
        return statement(variable), scope.after_change(variable.name)

    def _store(self, node: n.Assign, target: n.Attribute, scope: Scope) -> t.Statement | None:
        place = self.expressions.check(target, scope)
        if isinstance(
            place, t.Sure
        ):  # that it holds something was found by a loop, and is not asked of what is written
            place = place.value
        if isinstance(place.type, ErrorT):
            return None
        if not isinstance(place, t.Read) or place.column.constant:
            what = "a fact, which never changes" if isinstance(place, t.Read) else "no attribute"
            help = "write `move THING to PLACE`" if isinstance(place, t.Content | t.Whereabouts) else None
            self.symbols.error("RF506", f"`.{target.name}` is {what}", target.span, help)
            return _overwriting(node, place) if isinstance(place, t.Read) else None
        value = node.value
        if isinstance(value, n.RollDice | n.RollRange | n.RandomPick | n.New):
            self.symbols.error("RF506", "roll into a local first", value.span, "write `let x = roll ...`")
            return None
        if node.op != "=":
            value = n.Arithmetic(node.span, node.op[0], target, value)
        checked = self.expressions.wanted(value, scope, place.column.type, f"`.{target.name}`")
        taken = node.op == "=" and isinstance(value, n.Negative)
        self._in_range(place.column, checked, "to take away from it write `-=`" if taken else None)
        return t.Store(node.span, place.column, place.of, place.index, checked)

    def _in_range(self, column: t.Column, value: t.Expr, help: str | None = None) -> None:
        if isinstance(column.type, NumberT) and isinstance(value.type, NumberT) and not column.capped:
            low, high = column.type.low, column.type.high
            if value.type.high < low or value.type.low > high:
                self.symbols.error(
                    "RF508", f"`{column.name}` is {low}..{high}, this is {value.type}", value.span, help
                )

    # --- things and places ---

    def _move(self, node: n.Move, scope: Scope) -> t.Statement | None:
        thing = self.expressions.thing(node.thing, scope)
        target = self._container(node.to, scope)
        if target is None or isinstance(thing.type, ErrorT):
            return None
        place, index = target
        if not fits(thing.type, ThingT(place.holds.name)):
            self.symbols.error(
                "RF502", f"`{place.name}` holds `{place.holds.name}`, this is {thing.type}", node.thing.span
            )
            return None
        if node.at:
            self._keeps_order(place, node)
        return t.Move(node.span, thing, place, index, node.at == "top")

    def _shuffle(self, node: n.Shuffle, of: n.Expr, scope: Scope) -> t.Statement | None:
        target = self._container(of, scope)
        if target is None:
            return None
        self._keeps_order(target[0], node)
        return t.Shuffle(node.span, *target)

    def _keeps_order(self, place: t.Place, node: n.Node) -> None:
        if not place.ordered:
            self.symbols.error(
                "RF506", f"`{place.name}` keeps no order", node.span, "declare it `ordered: true`"
            )

    def _container(self, node: n.Expr, scope: Scope) -> tuple[t.Place, tuple[t.Expr, ...]] | None:
        typed = self.expressions.check(node, scope)
        if isinstance(typed, t.Content):
            return typed.place, typed.index
        if isinstance(typed, t.Family):
            owner = typed.place.of[0][1].name
            self.symbols.error(
                "RF502", f"say whose: `{typed.place.name}` is one for each `{owner}`", node.span
            )
        elif not isinstance(typed.type, ErrorT):
            self.symbols.error(
                "RF502",
                f"a place is wanted here, this is {typed.type}",
                node.span,
                self._places_of(typed.type),
            )
        return None

    def _places_of(self, type_: Type) -> str | None:
        """The places that a thing has, of which one may be meant."""
        kind = type_.kind if isinstance(type_, ThingT) else None
        names = [p.name for p in self.symbols.places.values() if p.of and p.of[0][1].name == kind]
        return f"it has {listed([f'.{name}' for name in names], 'and')}" if names else None

    # --- control ---

    def _event(self, call: n.Call, into: t.Variable | None, scope: Scope) -> t.Statement | None:
        if call.name in self.symbols.formula_heads:
            self.symbols.error("RF506", f"`{call.name}` is a formula; it does nothing by itself", call.span)
            return None
        event, arguments = self.expressions.event_call(call, scope)
        return t.Perform(call.span, event, arguments, into) if event else None

    def _finish(self, node: n.Finish, scope: Scope) -> t.Statement | None:
        ending = self.symbols.endings.get(node.ending)
        if ending is None:
            start = node.span._replace(column=node.span.column + len("finish "))
            self.symbols.unknown(
                "ending", node.ending, first_word(start, node.ending), list(self.symbols.endings)
            )
            return None
        self.symbols.uses.name("ending", node.ending, node.span)  # somewhere in it
        if node.winners is None:
            return t.Finish(node.span, ending, None)
        winners = self.expressions.players(node.winners, scope, "winners are players")
        return t.Finish(node.span, ending, winners)

    def _return(self, node: n.Return, scope: Scope, frame: Frame) -> t.Statement | None:
        if not frame.returns:
            self.symbols.error("RF506", "only an event can return", node.span)
            return None
        if node.value is None:
            return t.Return(node.span, None)
        value = self.expressions.kept(node.value, scope)
        if isinstance(value.type, SetT) and self.symbols.kinds[value.type.kind].size > WORD:
            self.symbols.error("RF502", f"a set of more than {WORD} things cannot be returned", node.span)
        together = value.type if frame.result == NOTHING else joined(frame.result, value.type)
        if together is None:
            self.symbols.error("RF502", f"this returns {value.type}, elsewhere {frame.result}", node.span)
        else:
            frame.result = together
        return t.Return(node.span, value)

    def _if(self, node: n.If, scope: Scope, frame: Frame) -> tuple[t.Statement, Scope]:
        branches = []
        rest = scope
        for test, body in node.branches:
            condition = self.expressions.condition(test, rest)
            typed, _ = self._block(body, self.expressions.when_true(test, rest), frame)
            branches.append((condition, typed))
            rest = self.expressions.when_false(test, rest)
        otherwise = self._block(node.otherwise, rest, frame)[0] if node.otherwise else None
        statement = t.If(node.span, tuple(branches), otherwise)
        if node.otherwise is None and all(ends(body) for _, body in node.branches):
            return statement, rest  # only who failed every test goes on
        return statement, scope.after_change()

    def _repeat(self, node: n.Repeat, scope: Scope, frame: Frame) -> t.Statement:
        times = self.expressions.wanted(node.times, scope, NumberT(0, 0), "`repeat`")
        inner = scope.after_change()
        condition = self.expressions.condition(node.condition, inner) if node.condition else None
        if node.condition:
            inner = self.expressions.when_true(node.condition, inner)
        body, _ = self._block(node.body, inner, frame)
        return t.Repeat(node.span, times, condition, body)

    def _chooser(self, node: n.Expr, scope: Scope) -> t.Expr:
        return self.expressions.wanted(node, scope, ThingT("player"), "a chooser")

    def _choose(self, node: n.Choose, scope: Scope, frame: Frame) -> t.Statement:
        who = self._chooser(node.who, scope)
        binders, inner = self.choices(node.binders, scope)
        body, _ = self._block(node.body, inner, frame)
        otherwise = self._block(node.otherwise, scope, frame)[0] if node.otherwise else None
        return t.Choose(node.span, who, node.optional, binders, body, otherwise, node.openly)

    def choices(
        self, nodes: tuple[n.Binder | n.Several, ...], scope: Scope
    ) -> tuple[tuple[t.Binder | t.Several, ...], Scope]:
        """What is asked for, one after the other; only the last of it can be left out of a text."""
        found: list[t.Binder | t.Several] = []
        for node in nodes:
            binder, scope = self.choice(node, scope)
            found.append(binder)
        for node, later in pairwise(nodes):
            if _usual(node) is not None and _usual(later) is None:
                message = "this has a usual answer, and what is asked for next has none"
                help = "only what is asked for last can be left out of a text"
                self.symbols.error("RF506", message, node.span, help)
        return tuple(found), scope

    def choice(self, node: n.Binder | n.Several, scope: Scope) -> tuple[t.Binder | t.Several, Scope]:
        """One thing, or a set of things taken one by one."""
        if isinstance(node, n.Binder):
            binder, inner = self.expressions.binder(node, scope)
            binder = replace(binder, question=node.question)
            if node.usual is None:
                return binder, inner
            wanted = binder.variable.type
            if isinstance(wanted, ThingT):  # where it is none, nothing is usual
                wanted = replace(wanted, optional=True)
            usual = self.expressions.wanted(node.usual, scope, wanted, "`usually`")
            return replace(binder, usual=usual), inner
        binder, _ = self.expressions.binder(node.binder, scope)
        element = binder.variable.type
        if not isinstance(element, ThingT):
            if not isinstance(element, ErrorT):
                self.symbols.error("RF502", f"several can be chosen of things, this is {element}", node.span)
            return binder, scope.bind(binder.variable)
        chosen = self.expressions.variable(node.binder.name, SetT(element.kind), node)
        inner = scope.bind(chosen)
        zero = t.Constant(node.span, NumberT(0, 0), 0)
        most = (
            self.expressions.wanted(node.number, scope, NumberT(0, 0), f"`{node.how}`")
            if node.number
            else None
        )
        least = most if node.how == "exactly" and most is not None else zero
        such = self.expressions.condition(node.such, inner) if node.such else None
        size = most.value if least is most and isinstance(most, t.Constant) else None
        return t.Several(node.span, chosen, binder, least, most, such, size, node.question), inner

    def _sealed(self, node: n.Sealed, scope: Scope, frame: Frame) -> t.Statement | None:
        each, inner = self.expressions.binder(node.each, scope)
        if each.variable.type != ThingT("player"):
            self.symbols.error("RF502", f"players choose, this is {each.variable.type}", node.each.span)
            return None
        for asked in node.binders:
            if (usual := _usual(asked)) is not None:
                message, help = "a secret choice has no usual answer", "each of them says something"
                self.symbols.error("RF506", message, usual.span, help)
        binders, inner = self.choices(node.binders, inner)
        for binder in binders:
            if isinstance(binder, t.Several) and binder.size is None:
                message = "how many are chosen secretly would show"
                self.symbols.error("RF506", message, binder.span, "write `exactly` and a number")
                return None
        body, _ = self._block(node.body, inner, frame)
        return t.Sealed(node.span, each, binders, body)

    # --- costs, replacements, pools, knowledge, windows ---

    def _pay(self, node: n.Pay, scope: Scope) -> t.Statement | None:
        amount = self.expressions.wanted(node.amount, scope, NumberT(0, 0), "`pay`")
        pools = []
        for pool in node.pools:
            typed = self.expressions.check(pool, scope)
            if isinstance(typed, t.Read) and not typed.column.constant and isinstance(typed.type, NumberT):
                pools.append(typed)
            elif not isinstance(typed.type, ErrorT):
                self.symbols.error("RF502", "a pool is an attribute that is a number", pool.span)
        who = self._payer(node, pools, scope)
        if who is None or len(pools) < len(node.pools):
            return None
        return t.Pay(node.span, who, amount, tuple(pools), self._purses(node))

    def _purses(self, node: n.Pay) -> tuple[str, ...]:
        """What each pool is called where the payer splits: as briefly as it can be told from the others."""
        whole = [print_expr(pool).replace(" ", "") for pool in node.pools]
        for pool, name in zip(node.pools, whole, strict=True):
            if whole.count(name) > 1:
                self.symbols.error("RF506", f"`{name}` is named twice", pool.span)
        owners = [
            print_expr(pool.of).replace(" ", "") for pool in node.pools if isinstance(pool, n.Attribute)
        ]
        brief = [name.removeprefix(f"{owner}.") for name, owner in zip(whole, owners, strict=True)]
        return tuple(brief if len(set(brief)) == len(brief) else whole)

    def _payer(self, node: n.Pay, pools: list[t.Read], scope: Scope) -> t.Expr | None:
        """Who splits: the owner of the first pool if it is a player's, else `me`."""
        if pools and pools[0].column.kind.name == "player":
            return pools[0].of
        if "me" in scope.variables:
            return t.Use(node.span, ThingT("player"), scope.variables["me"])
        if pools:
            self.symbols.error(
                "RF506", "it is not clear who pays", node.span, "pay from an attribute of a player"
            )
        return None

    def _proceed(self, node: n.Proceed, scope: Scope, frame: Frame) -> t.Statement | None:
        if frame.proceeds is None:
            self.symbols.error("RF506", "only a rule with `instead of` can proceed", node.span)
            return None
        changed = dict(node.changed)
        arguments = []
        for parameter in frame.proceeds:
            if parameter.name in changed:
                value = changed.pop(parameter.name)
                arguments.append(self.expressions.wanted(value, scope, parameter.type, f"`{parameter.name}`"))
            else:
                arguments.append(t.Use(node.span, parameter.type, parameter))
        for name, value in changed.items():
            self.symbols.unknown("argument", name, value.span, [p.name for p in frame.proceeds])
        return t.Proceed(node.span, tuple(arguments))

    def _new(self, node: n.New, into: t.Variable | None, scope: Scope) -> t.Statement | None:
        kind = self._made(node)
        if kind is None:
            return None
        given = []
        for name, value in node.given:
            column = self.symbols.column(kind.name, name)
            if column is None or column.constant or column.per:
                known = [c for k, c in self.symbols.columns if k == kind.name]
                self.symbols.unknown(f"attribute of `{kind.name}`", name, value.span, known, kind.name)
                continue
            self.symbols.uses.name("attribute", name, value.span, kind.name)
            given.append((column, self.expressions.wanted(value, scope, column.type, f"`{name}`")))
        return t.New(node.span, into, kind, tuple(given), kind.made[node.kind])

    def _made_of(self, name: str) -> t.Kind | None:
        """The kind that has a thing of this name with a pool of its own; nothing if there are several."""
        found = [kind for kind in self.symbols.kinds.values() if name in kind.made and name != kind.name]
        return found[0] if len(found) == 1 else None

    def _made(self, node: n.New) -> t.Kind | None:
        """The kind of what is made: its own name, or that of a thing which has a pool."""
        printed = self._made_of(node.kind) if node.kind not in self.symbols.kinds else None
        if printed is not None:
            self.symbols.uses.name("thing", node.kind, node.span, printed.name)
            return printed
        if node.kind not in self.symbols.kinds and self._is_thing(node.kind):
            help = f"to make it in play, say how many there can be: `{node.kind}: {{pool: 4}}`"
            self.symbols.error("RF506", f"`{node.kind}` has no pool", node.span, help)
            return None
        kind = self.symbols.kind_named(node.kind, node.span)
        if kind is not None and kind.name not in kind.made:
            which = listed(f"new {name}()" for name in kind.made)
            help = (
                f"say which: {which}"
                if which
                else "declare it with `pool: 20`, or say so of one of its things"
            )
            self.symbols.error("RF506", f"`{kind.name}` has no pool", node.span, help)
            return None
        return kind

    def _is_thing(self, name: str) -> bool:
        kinds = self.symbols.kinds.values()
        return any(name in kind.things or f"{name}_1" in kind.things for kind in kinds)

    def _remove(self, node: n.Remove, what: n.Expr, scope: Scope) -> t.Statement | None:
        thing = self.expressions.thing(what, scope)
        if not isinstance(thing.type, ThingT | ErrorT):
            self.symbols.error("RF502", f"one thing is removed, this is {thing.type}", what.span)
            return None
        if isinstance(thing.type, ThingT) and not self.symbols.kinds[thing.type.kind].pool:
            self.symbols.error(
                "RF506", f"`{thing.type.kind}` has no pool to go back to", node.span, "use `move`"
            )
            return None
        return t.Remove(node.span, thing)

    def _show(self, node: n.Show, what: n.Expr, to: n.Expr, scope: Scope) -> t.Statement | None:
        shown = self.expressions.check(what, scope)
        viewers = self.expressions.players(to, scope, "things are shown to players")
        part = part_of(self.symbols, shown, viewers)
        if part is not None:
            return self._tell(node, part)
        if isinstance(shown.type, ThingT) and shown.type.optional:
            self.expressions.may_be_none(what, scope)
        elif not isinstance(shown.type, ThingT | SetT) and (complaint := complaint_about(shown)):
            message, help = complaint
            self.symbols.error("RF502", message, what.span, help)
        if isinstance(shown.type, ThingT | SetT):
            self._can_be_hidden(shown.type, what)
            self.symbols.shown.add(shown.type.kind)
        return t.Show(node.span, shown, viewers)

    def _tell(self, node: n.Show, part: t.Tell) -> t.Statement | None:
        fact = part.fact.column
        if too_many(part, self.symbols.kinds):
            message = (
                f"`{fact.name}` has more than {WORD} values, too many to remember which of them are left"
            )
            help = "tell a fact with fewer values, such as a group to which it belongs"
            self.symbols.error("RF506", message, node.what.span, help)
            return None
        self.symbols.told.setdefault(fact)
        return replace(part, span=node.span)

    def _can_be_hidden(self, type: ThingT | SetT, what: n.Expr) -> None:
        """What is shown is which thing lies somewhere: of things that never lie anywhere there is nothing to show."""
        if not any(place.holds.name == type.kind for place in self.symbols.places.values()):
            help = "who sees an attribute is said by its `sees`; what lies in a place can be shown"
            self.symbols.error(
                "RF506", f"a `{type.kind}` lies nowhere, so nobody can be shown it", what.span, help
            )

    def _offer(self, node: n.Offer, scope: Scope) -> t.Statement | None:
        window = self.symbols.windows.get(node.window.name)
        if window is None:
            self.symbols.unknown("window", node.window.name, node.window.span, list(self.symbols.windows))
            return None
        self.symbols.uses.name("window", window.name, first_word(node.window.span, window.name))
        arguments = self.expressions.arguments(node.window, window.parameters, scope)
        return t.Offer(node.span, window, arguments, self._chooser(node.to, scope))

    def _picks(self, node: n.Picks, scope: Scope, frame: Frame) -> t.Statement:
        who = self._chooser(node.who, scope)
        options = []
        for option in node.options:
            condition = self.expressions.condition(option.condition, scope) if option.condition else None
            inner = self.expressions.when_true(option.condition, scope) if option.condition else scope
            options.append((option.name, condition, self._block(option.body, inner, frame)[0]))
        return t.Pick(node.span, who, tuple(options), node.openly, node.question)


type_of_nothing = type(NOTHING)


def _overwriting(node: n.Assign, fact: t.Read) -> t.Overwrite:
    kind = fact.column.kind.name
    return t.Overwrite(node.span, (f"{kind}.{fact.column.name}", kind))


def _usual(node: n.Binder | n.Several) -> n.Expr | None:
    return None if isinstance(node, n.Several) else node.usual


def ends(block: n.Block) -> bool:
    """Does control never leave this block at its end?"""
    if not block.statements:
        return False
    match block.statements[-1]:
        case n.Return() | n.Finish():
            return True
        case n.If(branches=branches, otherwise=otherwise):
            return otherwise is not None and ends(otherwise) and all(ends(b) for _, b in branches)
    return False


def reassigned(node: n.Block) -> set[str]:
    """Names of locals that are written again after their `let`."""
    found: set[str] = set()
    for statement in node.statements:
        match statement:
            case n.Assign(target=n.Name(id=name)):
                found.add(name)
            case n.If(branches=branches, otherwise=otherwise):
                for _, body in branches:
                    found |= reassigned(body)
                found |= reassigned(otherwise) if otherwise else set()
            case n.For(body=body) | n.Repeat(body=body):
                found |= reassigned(body)
            case n.Choose(body=body, otherwise=otherwise):
                found |= reassigned(body) | (reassigned(otherwise) if otherwise else set())
            case n.Picks(options=options):
                for option in options:
                    found |= reassigned(option.body)
            case n.Sealed(body=body) | n.Together(body=body):
                found |= reassigned(body)
    return found


def _renamed(use: t.Use, old: t.Variable, new: t.Variable) -> t.Use:
    return replace(use, variable=new) if use.variable is old else use
