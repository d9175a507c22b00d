"""A node that the intermediate form does not have yet stops every backend; none leaves it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, get_args

import pytest

from ruleforge.backends import native, python_source, reference
from ruleforge.backends.reference.expressions import Expressions
from ruleforge.backends.reference.run import Run
from ruleforge.backends.reference.trace import Observer, TracedRun, TracingInterpreter
from ruleforge.compiler import ir
from ruleforge.compiler.ir import Ask, Const, Finish, Function, Offer, Return, Set
from tests.unit.backends.programs import function, program, site

NEVER_RUN = {ir.Ask}  # the pause pass turns it into `Wait`
BACKENDS: list[ModuleType] = [reference, python_source, native]


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A statement, and an expression, that nobody knows."""

    place: int = 0


class Everything(Observer):
    def statement(self, run: TracedRun, statement: Any) -> None:
        pass

    def value(self, run: TracedRun, expression: Any, value: int) -> None:
        pass


def good() -> ir.Program:
    return program(
        "good",
        ir.HEADER + 4,
        10,
        [
            function("main", "", Ask(1, Const(1), (), "c"), Finish(0, Const(0))),
            function("go", "a", Set("b", Const(3)), Return(Const(1))),
            function("all", "", Offer(Const(0))),
        ],
        [site(1, "all", 1)],
    )


def with_statement(known: Function) -> Function:
    return replace(known, body=(MadeUp(), *known.body))  # type: ignore[arg-type]


def with_expression(known: Function) -> Function:
    return replace(known, body=(Set("b", MadeUp()), *known.body[1:]))  # type: ignore[arg-type]


def spoilt(change: Callable[[Function], Function]) -> ir.Program:
    whole = good()
    go = change(whole.plain["go"])
    return replace(
        whole, functions={**whole.functions, "go": go}, plain={**whole.plain, "go": go}, identity=""
    )


def call(runtime: Any) -> int:
    return int(runtime.call("go", runtime.new_row(1), (2,)))


@pytest.mark.parametrize("backend", BACKENDS, ids=["reference", "python", "native"])
@pytest.mark.parametrize("change", [with_statement, with_expression])
def test_no_backend_leaves_out_what_it_does_not_know(
    backend: ModuleType, change: Callable[[Function], Function]
) -> None:
    assert call(backend.compile(good())) == 1
    with pytest.raises(Exception, match=r"MadeUp|madeup"):
        call(backend.compile(spoilt(change)))


@pytest.mark.parametrize("change", [with_statement, with_expression])
@pytest.mark.parametrize("observer", [Observer(), Everything()])
def test_a_traced_run_neither(observer: Observer, change: Callable[[Function], Function]) -> None:
    assert call(TracingInterpreter(good(), (observer,))) == 1
    with pytest.raises(Exception, match="MadeUp"):
        call(TracingInterpreter(spoilt(change), (observer,)))


def test_the_interpreter_has_a_method_for_every_node() -> None:
    assert set(get_args(ir.AnyStatement)) - NEVER_RUN <= set(Run.DO)
    assert set(get_args(ir.AnyExpr)) <= set(Expressions.OF)
