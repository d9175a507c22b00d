"""Prints a syntax tree as canonical text: fewest brackets, one statement per line, two spaces per level."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ruleforge.lang.parser import nodes as n

# How tightly the forms bind, from loose to tight, as in the grammar.
CONDITIONAL, OR, AND, NOT, COMPARISON, SUM, MEET, PRODUCT, UNARY, POSTFIX = range(10)

_ARITHMETIC = {"+": SUM, "-": SUM, "|": SUM, "&": MEET, "*": PRODUCT, "//": PRODUCT, "%": PRODUCT}


def print_text(start: str, node: n.Node) -> str:
    """The canonical text of a tree that was read with this start symbol."""
    printers: dict[str, Callable[[Any], str]] = {
        "block": print_block,
        "expr": print_expr,
        "picked": print_picked,
        "binder": print_binder,
        "column": print_column,
        "type": print_type,
        "pattern": print_pattern,
    }
    return printers[start](node)


def print_block(block: n.Block) -> str:
    """The statements of a block, each line ended."""
    return "".join(f"{line}\n" for line in _block(block))


def print_expr(expr: n.Expr) -> str:
    return _expr(expr, CONDITIONAL)


def print_binder(binder: n.Binder) -> str:
    return f"{binder.name} {_unnamed(binder)}"


def print_picked(picked: n.Binder | n.Several) -> str:
    """A binder, or a set as a choice, without its name, as it stands under a key."""
    if isinstance(picked, n.Several):
        number = "any number" if picked.number is None else f"{picked.how} {_expr(picked.number, SUM)}"
        return f"{number} {_unnamed(picked.binder)}{_such(picked)}{_question(picked)}"
    return _unnamed(picked) + _question(picked)


def _question(node: n.Binder | n.Several | n.Picks) -> str:
    return f' "{node.question}"' if node.question else ""


def _such(choice: n.Several) -> str:
    return "" if choice.such is None else f" such that {print_expr(choice.such)}"


def _unnamed(binder: n.Binder) -> str:
    text = f"in {_source(binder.source)}"
    if binder.until is not None:
        text += f" until {print_expr(binder.until)}"
    if binder.where is not None:
        text += f" where {print_expr(binder.where)}"
    if binder.by:
        text += " by " + " then ".join(map(print_expr, binder.by))
    if binder.usual is not None:
        text += f" usually {print_expr(binder.usual)}"
    return text


def print_column(column: n.ColumnType) -> str:
    per = "".join(f" per {kind}" for kind in column.per)
    start = "" if column.start is None else f" = {print_expr(column.start)}"
    return print_type(column.type) + per + start


def print_type(type: n.Type) -> str:
    match type:
        case n.NumberType(low=low, high=high):
            return f"{_expr(low, SUM)}..{_expr(high, SUM)}"
        case n.FlagType():
            return "flag"
        case n.KindType(kind=kind, optional=optional):
            return f"{kind} or none" if optional else kind
        case n.SetType(kind=kind):
            return f"set of {kind}"


def print_pattern(pattern: n.Pattern) -> str:
    match pattern:
        case n.EventPattern(call=call):
            return print_expr(call)
        case n.ChangePattern(target=target):
            return f"set {_expr(target, POSTFIX)}"
        case n.MovePattern(thing=thing, source=source, to=to):
            start = "" if source is None else f" from {_expr(source, SUM)}"
            return f"move {thing}{start}" + ("" if to is None else f" to {_expr(to, SUM)}")
        case n.PhasePattern(edge=edge, phase=phase):
            return f"{edge} of {phase}"


# --- statements ---


def _block(block: n.Block) -> list[str]:
    return [line for statement in block.statements for line in _statement(statement)]


def _suite(head: str, block: n.Block) -> list[str]:
    return [f"{head}:", *(f"  {line}" for line in _block(block))]


def _else(block: n.Block | None) -> list[str]:
    return [] if block is None else _suite("else", block)


def _statement(statement: n.Statement) -> list[str]:
    match statement:
        case n.If(branches=branches, otherwise=otherwise):
            words = ["if"] + ["elif"] * (len(branches) - 1)
            lines = [
                line
                for word, (test, body) in zip(words, branches, strict=True)
                for line in _suite(f"{word} {print_expr(test)}", body)
            ]
            return lines + _else(otherwise)
        case n.For(binder=binder, body=body, one=one, random=random):
            which = "one " if one else "random " if random else ""
            return _suite(f"for {which}{print_binder(binder)}", body)
        case n.Repeat(times=times, condition=condition, body=body):
            test = "" if condition is None else f" while {print_expr(condition)}"
            return _suite(f"repeat {print_expr(times)}{test}", body)
        case n.Choose(who=who, optional=optional, binders=binders, body=body, otherwise=otherwise):
            how = "openly " if statement.openly else ""
            verb = f"may {how}choose" if optional else f"{how}chooses"
            return _suite(f"{print_expr(who)} {verb} {_choices(binders)}", body) + _else(otherwise)
        case n.Picks(who=who, options=options):
            lines = [f"  {line}" for option in options for line in _option(option)]
            how = "openly " if statement.openly else ""
            return [f"{print_expr(who)} {how}picks{_question(statement)}:", *lines]
        case n.Sealed(each=each, binders=binders, body=body):
            return _suite(f"each {print_binder(each)} secretly chooses {_choices(binders)}", body)
        case n.Together(body=body):
            return _suite("together", body)
        case _:
            return [_simple(statement)]


def _option(option: n.PickOption) -> list[str]:
    test = "" if option.condition is None else f" if {print_expr(option.condition)}"
    return _suite(option.name + test, option.body)


def _choices(choices: tuple[n.Binder | n.Several, ...]) -> str:
    return ", ".join(map(_choice, choices))


def _choice(choice: n.Binder | n.Several) -> str:
    if isinstance(choice, n.Binder):
        return print_binder(choice) + _question(choice)
    number = "" if choice.number is None else f"{_expr(choice.number, SUM)} "
    return f"{choice.how} {number}{print_binder(choice.binder)}{_such(choice)}{_question(choice)}"


def _given(given: tuple[tuple[str, n.Expr], ...]) -> str:
    return ", ".join(f"{name} = {print_expr(value)}" for name, value in given)


def _simple(statement: n.Statement) -> str:
    match statement:
        case n.Let(name=name, value=value, type=type):
            type_text = "" if type is None else f": {print_type(type)}"
            return f"let {name}{type_text} = {_value(value)}"
        case n.Assign(target=target, op=op, value=value):
            return f"{print_expr(target)} {op} {_value(value)}"
        case n.Do(call=call):
            return print_expr(call)
        case n.Move(thing=thing, to=to, at=at):
            where = "" if at is None else f" at {at}"
            return f"move {print_expr(thing)} to {print_expr(to)}{where}"
        case n.Shuffle(place=place):
            return f"shuffle {print_expr(place)}"
        case n.Finish(ending=ending, winners=winners):
            return f"finish {ending}" + ("" if winners is None else f" for {print_expr(winners)}")
        case n.Return(value=result):
            return "return" if result is None else f"return {print_expr(result)}"
        case n.Remember(position=position):
            return f"remember {position}"
        case n.Forget(position=position):
            return f"forget {position}"
        case n.Leave(phase=phase):
            return f"leave {phase}"
        case n.Skip():
            return "skip"
        case n.Pay(amount=amount, pools=pools):
            return f"pay {print_expr(amount)} from " + " or ".join(_expr(pool, SUM) for pool in pools)
        case n.Proceed(changed=changed):
            return f"proceed with {_given(changed)}" if changed else "proceed"
        case n.Remove(thing=thing):
            return f"remove {print_expr(thing)}"
        case n.Show(what=what, to=to):
            return f"show {print_expr(what)} to {print_expr(to)}"
        case n.Offer(window=window, to=to):
            return f"offer {print_expr(window)} to {print_expr(to)}"
        case n.New():
            return _value(statement)
        case _:
            raise TypeError(f"not a simple statement: {statement!r}")


def _value(value: n.Value) -> str:
    match value:
        case n.RollDice(number=number, sides=sides):
            return f"roll {number}d{sides}"
        case n.RollRange(range=limits):
            return f"roll {_source(limits)}"
        case n.RandomPick(binder=binder):
            return f"random({print_binder(binder)})"
        case n.New(kind=kind, given=given):
            return f"new {kind}({_given(given)})"
        case _:
            return print_expr(value)


# --- expressions ---


def _source(source: n.Expr) -> str:
    if isinstance(source, n.Range):
        return f"{_expr(source.low, SUM)}..{_expr(source.high, SUM)}"
    return _expr(source, SUM)


def _list(items: Iterable[n.Expr]) -> str:
    return ", ".join(map(print_expr, items))


def _across(binder: n.Binder | None) -> str:
    return f" across {print_binder(binder)}" if binder else ""


def _expr(expr: n.Expr, at_least: int) -> str:
    """The text of an expression, in brackets if it binds more loosely than its surroundings ask for."""
    binds, text = _form(expr)
    return text if binds >= at_least else f"({text})"


def _form(expr: n.Expr) -> tuple[int, str]:
    """How tightly an expression binds, and its text without brackets around it."""
    match expr:
        case n.Conditional(then=then, test=test, other=other):
            return CONDITIONAL, f"{_expr(then, OR)} if {_expr(test, OR)} else {_expr(other, CONDITIONAL)}"
        case n.Or(parts=parts):
            return OR, " or ".join(_expr(part, AND) for part in parts)
        case n.And(parts=parts):
            return AND, " and ".join(_expr(part, NOT) for part in parts)
        case n.Not(value=value):
            return NOT, f"not {_expr(value, NOT)}"
        case n.Comparison(first=first, rest=rest):
            return COMPARISON, _expr(first, SUM) + "".join(f" {op} {_expr(right, SUM)}" for op, right in rest)
        case n.Arithmetic(op=op, left=left, right=right):
            binds = _ARITHMETIC[op]
            return binds, f"{_expr(left, binds)} {op} {_expr(right, binds + 1)}"
        case n.Negative(value=value):
            return UNARY, f"-{_expr(value, UNARY)}"
        case _:
            return POSTFIX, _atom(expr)


def _atom(expr: n.Expr) -> str:
    match expr:
        case n.Number(value=number):
            return str(number)
        case n.Bool(value=flag):
            return "true" if flag else "false"
        case n.NoneLiteral():
            return "none"
        case n.Name(id=id):
            return id
        case n.Attribute(of=of, name=name, index=index):
            return f"{_expr(of, POSTFIX)}.{name}" + (f"[{_list(index)}]" if index else "")
        case n.Call(name=name, arguments=arguments):
            return f"{name}({_list(arguments)})"
        case n.SetLiteral(members=members):
            return f"[{_list(members)}]"
        case n.Table(entries=entries):
            return "{" + ", ".join(f"{e.key.id}: {print_expr(e.value)}" for e in entries) + "}"
        case n.Selection(binder=binder):
            return f"{{{print_binder(binder)}}}"
        case n.Gathering(value=value, binder=binder):
            return f"{{{_expr(value, SUM)} for {print_binder(binder)}}}"
        case n.Aggregate(op=op, binder=binder, value=each):
            what = "" if each is None else f"{print_expr(each)} for "
            return f"{op}({what}{print_binder(binder)})"
        case n.Nth(of=of, number=number):
            return f"{_expr(of, POSTFIX)}[{print_expr(number)}]"
        case n.Reached(start=start, binder=binder, across=across):
            return f"reached({print_expr(start)}, {print_binder(binder)}{_across(across)})"
        case n.Linked(start=start, goal=goal, binder=binder, across=across):
            ends = f"{print_expr(start)}, {print_expr(goal)}"
            return f"linked({ends}, {print_binder(binder)}{_across(across)})"
        case n.Can(call=call):
            return f"can({print_expr(call)})"
        case n.Would(call=call, value=value):
            return f"would({print_expr(call)}: {print_expr(value)})"
        case _:
            raise TypeError(f"not an expression that stands alone: {expr!r}")
