"""Tests that are decided already, and two of one thing in a row: fewer of them, and the same play."""

from __future__ import annotations

import random

import ruleforge
from ruleforge.backends import reference
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    Ask,
    Break,
    Const,
    Finish,
    ForRange,
    If,
    Load,
    Offer,
    Perform,
    Return,
    Statement,
    Store,
)
from ruleforge.compiler.passes.implied_tests import implied
from ruleforge.compiler.visit import statements
from tests.inside import variant_of
from tests.unit.backends.programs import changed, function, let, op, program, site, x
from tests.unit.backends.test_random_programs import BASE, Author

HERE = Load(BASE, x("a"))


def thought_over(*body: Statement) -> ir.Body:
    """What becomes of the body of a function with the parameters a and b."""
    main = function(
        "main", "", Ask(1, Const(1), (), "c"), Perform("f", (x("c"), x("c"))), Finish(0, Const(0))
    )
    functions = [main, function("f", "a b", *body), function("all", "", Offer(Const(0)))]
    made = program("thought over", BASE + 6, 20, functions, [site(1, "all", 1)])
    return implied(made).functions["f"].body


def test_a_test_inside_the_same_test_goes() -> None:
    is_one, is_two = op(HERE, "==", 1), op(HERE, "==", 2)
    inner = If(is_one, (Return(Const(5)),), (Return(Const(6)),))
    assert thought_over(If(is_one, (inner,))) == (If(is_one, (Return(Const(5)),)),)
    assert thought_over(If(is_two, (inner,))) == (If(is_two, (Return(Const(6)),)),)
    assert thought_over(If(is_two, (), (If(is_two, (Return(Const(7)),)), inner))) == (
        If(op(HERE, "!=", 2), (inner,)),
    )


def test_what_leaves_has_decided_for_the_rest() -> None:
    is_one = op(HERE, "==", 1)
    leaving = If(is_one, (Return(Const(1)),))
    rest = Store(BASE + 1, None, Const(3))
    assert thought_over(leaving, rest, If(is_one, (Return(Const(2)),))) == (
        leaving,
        rest,
        If(is_one, (Return(Const(2)),)),
    ), "the row was written"
    other = Store(BASE + 1, None, x("b"))
    assert thought_over(leaving, let("b", 4), If(op(HERE, "!=", 1), (other,))) == (
        leaving,
        let("b", 4),
        other,
    )


def test_two_tests_of_one_thing_are_one() -> None:
    taken = op(HERE, "!=", 0)
    found, out = If(op("b", "==", 1), (Return(Const(1)),)), Break()
    (loop,) = thought_over(
        ForRange(
            "i",
            Const(1),
            Const(4),
            (let("a", "i"), If(taken, (found,)), If(op(Load(BASE, x("i")), "!=", 0), (out,))),
        )
    )
    assert isinstance(loop, ForRange) and len(loop.body) == 1, "a second name is not needed"
    assert isinstance(loop.body[0], If) and loop.body[0].then == (found, out)
    writing = Store(BASE, x("a"), Const(0))
    assert len(thought_over(If(taken, (writing,)), If(taken, (Return(Const(1)),)))) == 2, (
        "it may be another now"
    )


def test_iterations_know_only_what_no_iteration_changes() -> None:
    is_one = op("b", "==", 1)
    again = ForRange("i", Const(1), Const(3), (If(is_one, (Return(Const(1)),)), let("b", "i")))
    assert thought_over(If(is_one, (again,))) == (If(is_one, (again,)),)


def test_what_an_iteration_leaves_is_read_behind_the_loop() -> None:
    left = (let("b", "i"), If(op(HERE, "==", 1), (Break(),)), let("b", 7), Store(BASE + 1, None, x("b")))
    loop = ForRange("i", Const(1), Const(3), left)
    again = If(op(HERE, "==", 1), (If(op(HERE, "==", 1), (loop,)), Return(x("b"))))
    assert thought_over(again) == (If(op(HERE, "==", 1), (loop, Return(x("b")))),)
    unread = If(op(HERE, "==", 1), (If(op(HERE, "==", 1), (loop,)), Return(Const(1))))
    (kept,) = thought_over(unread)
    assert isinstance(kept, If) and kept.then[0] == ForRange("i", Const(1), Const(3), left[1:])


class Quiet(Author):
    """Writes functions that ask nobody."""

    def statement(self, names: list[str], depth: int, calls: tuple[str, ...], in_loop: bool) -> ir.Body:
        while True:
            made = super().statement(names, depth, calls, in_loop)
            if not any(isinstance(s, Ask) for s in statements(made)):
                return made

    def test(self, names: list[str], depth: int = 1) -> ir.Expr:
        """Some tests again and again, as formulas make them."""
        if self.rng.random() < 0.6:
            slot = Load(BASE, op(self.rng.choice(names[:2]), "+", 1))
            return op(
                self.rng.choice((slot, x(names[0]))), self.rng.choice(("==", "!=")), self.rng.randrange(3)
            )
        return super().test(names, depth)


def length(made: ir.Program) -> int:
    return sum(1 for f in made.functions.values() for _ in statements(f.body))


def test_made_up_programs_do_the_same() -> None:
    fewer = 0
    for seed in range(150):
        made = Quiet(seed).program()
        other = changed(made, functions=implied(made).functions)
        fewer += length(other) < length(made)
        plain, thought = reference.compile(made), reference.compile(other)
        rng = random.Random(seed)
        row, twin = plain.new_row(seed), thought.new_row(seed)
        for _ in range(8):
            assert twin == row, seed
            if not row[ir.SITE]:
                break
            code = rng.choice(plain.codes(row))
            assert thought.record(twin, code) == plain.record(row, code), seed
            plain.resume(row, code)
            thought.resume(twin, code)
    assert fewer >= 15


def test_a_kind_of_piece_is_asked_for_once() -> None:
    """In chess what pawns do is not looked for again under what other pieces do."""
    functions = variant_of(ruleforge.load("chess").start()).program.functions
    kinds = [s for s in statements(functions["choices of turn_1"].body) if isinstance(s, If)]
    whole = [s for s in statements(functions["any_2"].body) if isinstance(s, Break)]
    assert len(kinds) < 150 and len(whole) == 8
