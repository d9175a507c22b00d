"""Compile a small part of Python to WebAssembly: 32-bit integers, reals, loops and calls.

The functions of the library use it, so that they read like any other code. `int` is i32, `float` is f64. A
local has the type of its first value. Other syntax is refused.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from ruleforge.backends.native.code import Code, Label
from ruleforge.backends.native.context import BEGIN, TOP, Context
from ruleforge.backends.native.encode import F64, I32, Body

_LIBRARY = "ruleforge.backends.native.library"
SMALL = 110  # nodes of a syntax tree
_TYPES = {"int": I32, "float": F64}
_INTEGER: dict[type, str] = {
    ast.Add: "i32.add",
    ast.Sub: "i32.sub",
    ast.Mult: "i32.mul",
    ast.BitAnd: "i32.and",
    ast.BitOr: "i32.or",
    ast.BitXor: "i32.xor",
    ast.LShift: "i32.shl",
    ast.RShift: "i32.shr_s",
    ast.Eq: "i32.eq",
    ast.NotEq: "i32.ne",
    ast.Lt: "i32.lt_s",
    ast.LtE: "i32.le_s",
    ast.Gt: "i32.gt_s",
    ast.GtE: "i32.ge_s",
}
_REAL: dict[type, str] = {
    ast.Add: "f64.add",
    ast.Sub: "f64.sub",
    ast.Mult: "f64.mul",
    ast.Div: "f64.div",
    ast.Lt: "f64.lt",
    ast.Gt: "f64.gt",
}
_WORDS: dict[str, tuple[tuple[str, ...], int | None]] = {  # instructions of a word, and what it leaves
    "copy": (("memory.copy",), None),
    "fill": (("memory.fill",), None),
    "rotated": (("i32.rotl",), I32),
    "shifted": (("i32.shr_u",), I32),
    "below": (("i32.lt_u",), I32),
    "leading": (("i32.clz",), I32),
    "rest": (("i32.rem_u",), I32),
    "real": (("f64.convert_i32_s",), F64),
    "root": (("f64.sqrt",), F64),
}
_LOADS: dict[str, tuple[str, int]] = {
    "load": ("i32.load", I32),
    "load_byte": ("i32.load8_u", I32),
    "load_real": ("f64.load", F64),
    "load_short": ("f32.load", F64),
}
_STORES = {
    "store": "i32.store",
    "store_byte": "i32.store8",
    "store_real": "f64.store",
    "store_short": "f32.store",
}
_GLOBALS = {"list_begin": BEGIN, "stack_top": TOP}
_COMPARES = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


@cache
def library() -> Mapping[str, ast.FunctionDef]:
    """All functions of the library, by name."""
    found: dict[str, ast.FunctionDef] = {}
    for file in sorted(resources.files(_LIBRARY).iterdir(), key=lambda f: f.name):
        if file.name.endswith(".py"):
            for node in ast.parse(file.read_text("utf-8")).body:
                if isinstance(node, ast.FunctionDef):
                    found[node.name] = node
    return found


def emit_library(context: Context, name: str, constants: Mapping[str, int]) -> Body:
    """The body of a function of the library; `constants` are the attributes of `at`."""
    function = library()[name]
    parameters = tuple((a.arg, _type(a.annotation)) for a in function.args.args)
    result = _result(function)
    code = Code(parameters, () if result is None else (result,))
    translator = _Translator(context, code, constants)
    translator.body(function.body)
    if result is not None:
        code.op("unreachable")
    return code.body()


def _type(annotation: ast.expr | None) -> int:
    assert isinstance(annotation, ast.Name)
    return _TYPES[annotation.id]


def _result(function: ast.FunctionDef) -> int | None:
    if isinstance(function.returns, ast.Constant) and function.returns.value is None:
        return None
    return _type(function.returns)


@cache
def _is_small(name: str) -> bool:
    """Whether a function is inlined at every call: a call costs as much as some ten operations."""
    return sum(1 for _ in ast.walk(library()[name])) <= SMALL


class _Prefixed(dict[str, str]):
    """The locals of a function by their names there. A prefix keeps those of inlined functions apart."""

    def __init__(self, known: Mapping[str, str], prefix: str) -> None:
        super().__init__(known)
        self._prefix = prefix

    def __missing__(self, name: str) -> str:
        return f"{self._prefix}.{name}" if self._prefix else name


class _Translator:
    """Translates one function. Every expression returns the type of the value that it leaves on the stack."""

    def __init__(self, context: Context, code: Code, constants: Mapping[str, int]) -> None:
        self.context, self.code, self.constants = context, code, constants
        self.loops: list[tuple[Label, Label]] = []
        self.names: Mapping[str, str] = _Prefixed({}, "")
        self.exits: list[Label] = []  # of the functions in place

    # --- statements ---

    def body(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        code = self.code
        match node:
            case ast.Expr(value=ast.Constant()):
                pass  # what the function does
            case ast.Expr(value=value):
                if self.value(value) is not None:
                    code.op("drop")
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(self.names[name], self.value(value))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                self.assign(self.names[name], self.binary(ast.Name(name), op, value))
            case ast.Return(value=value):
                if value is not None:
                    self.value(value)
                code.br(self.exits[-1]) if self.exits else code.op("return")
            case ast.If():
                self.branch(node)
            case ast.While(test=test, body=body):
                self.loop(test, body)
            case ast.Break():
                code.br(self.loops[-1][0])
            case ast.Continue():
                code.br(self.loops[-1][1])
            case _:
                raise TypeError(f"line {node.lineno}: not in the subset: {ast.unparse(node)}")

    def assign(self, name: str, kind: int | None) -> None:
        assert kind is not None
        self.code.local(name, kind)
        self.code.set(name)

    def branch(self, node: ast.If) -> None:
        self.value(node.test)
        with self.code.when():
            self.body(node.body)
            if node.orelse:
                self.code.otherwise()
                self.body(node.orelse)

    def loop(self, test: ast.expr, body: list[ast.stmt]) -> None:
        code = self.code
        with code.block() as out, code.loop() as again:
            if not (isinstance(test, ast.Constant) and test.value is True):
                self.value(test)
                code.op("i32.eqz")
                code.br_if(out)
            self.loops.append((out, again))
            self.body(body)
            self.loops.pop()
            code.br(again)

    # --- expressions ---

    def value(self, node: ast.expr) -> int | None:
        code = self.code
        match node:
            case ast.Constant(value=int(value)):
                code.const((int(value) + 2**31) % 2**32 - 2**31)
                return I32
            case ast.Constant(value=float(value)):
                code.real(struct.pack("<d", value))
                return F64
            case ast.Name(id=name):
                code.get(self.names[name])
                return code.types[code.local(self.names[name])]
            case ast.Attribute(value=ast.Name(id="at"), attr=name):
                code.const(self.constants[name])
                return I32
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.value(operand)
                code.op("i32.eqz")
                return I32
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return self.value(ast.Constant(-value))
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(left, op, right)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.binary(left, op, right)
            case ast.BoolOp():
                return self.logic(node)
            case ast.Call():
                return self.call(node)
        raise TypeError(f"line {node.lineno}: not in the subset: {ast.unparse(node)}")

    def binary(self, left: ast.expr, op: Any, right: ast.expr) -> int:
        kind = self.value(left)
        self.value(right)
        self.code.op((_REAL if kind == F64 else _INTEGER)[type(op)])
        return F64 if kind == F64 and not isinstance(op, _COMPARES) else I32

    def logic(self, node: ast.BoolOp) -> int:
        """Short-circuit evaluation: the next part is evaluated only if it matters."""
        first, *others = node.values
        self.value(first)
        if others:
            rest = ast.BoolOp(node.op, others)
            with self.code.when(I32):
                self.logic(rest) if isinstance(node.op, ast.And) else self.code.const(1)
                self.code.otherwise()
                self.code.const(0) if isinstance(node.op, ast.And) else self.logic(rest)
        return I32

    def call(self, node: ast.Call) -> int | None:
        match node.func:
            case ast.Attribute(value=ast.Name(id="rules"), attr=name):
                self.arguments(node)
                self.code.call(self.context.number("part", name))
                return I32
            case ast.Name(id=name) if name in library() and _is_small(name):
                return self.placed(library()[name], node)
            case ast.Name(id=name) if name in library():
                self.arguments(node)
                self.code.call(self.context.library(name))
                return _result(library()[name])
            case ast.Name(id=name):
                return self.word(name, node)
        raise TypeError(f"line {node.lineno}: not in the subset: {ast.unparse(node)}")

    def placed(self, function: ast.FunctionDef, node: ast.Call) -> int | None:
        """A small function becomes a block; what returns from it goes to the block's end."""
        code, result = self.code, _result(function)
        names = {a.arg: f"{code.temporary()}.{a.arg}" for a in function.args.args}
        for parameter, argument in zip(names.values(), node.args, strict=True):
            self.assign(parameter, self.value(argument))
        outer, self.names = self.names, _Prefixed(names, code.temporary())
        with code.block(result) as end:
            self.exits.append(end)
            self.body(function.body)
            if result is not None:
                code.op("unreachable")
            self.exits.pop()
        self.names = outer
        return result

    def arguments(self, node: ast.Call) -> None:
        for argument in node.args:
            self.value(argument)

    def word(self, name: str, node: ast.Call) -> int | None:
        code = self.code
        if name == "high_word":
            for argument in node.args:
                self.value(argument)
                code.op("i64.extend_i32_u")
            code.op("i64.mul")
            code.wide(32)
            code.op("i64.shr_u", "i32.wrap_i64")
            return I32
        if name == "copy_row":
            to, source = code.temporary(), code.temporary()
            self.arguments(node)
            code.set(source)
            code.set(to)
            code.move(to, source, self.constants["row_bytes"])
            return None
        self.arguments(node)
        if name in _LOADS:
            operation, kind = _LOADS[name]
            code.access(operation)
            if name == "load_short":
                code.op("f64.promote_f32")
            return kind
        if name in _STORES:
            if name == "store_short":
                code.op("f32.demote_f64")
            code.access(_STORES[name])
            return None
        if name in _WORDS:
            operations, result = _WORDS[name]
            code.op(*operations)
            return result
        if name in _GLOBALS:
            code.get_global(_GLOBALS[name])
            return I32
        raise TypeError(f"not a word of the library: {name}")
