"""Move inner loops of generated Python into functions if it nests too many blocks.

Python compiles at most twenty nested blocks. Rules seldom need more, so the rewrite runs only after Python
refused a module.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container
from types import CodeType

from ruleforge.backends.faults import OutOfRoom

LOOPS = 15  # in one another within one function; the rest is for what lies around them
_REFUSED = "too many statically nested blocks"


def code_of(text: str, name: str) -> CodeType:
    """Compile a module of any nesting depth."""
    try:
        return compile(text, name, "exec", dont_inherit=True)
    except IndentationError:
        raise OutOfRoom("loops and conditions are nested too deeply for Python") from None
    except SyntaxError as problem:
        if _REFUSED not in str(problem):
            raise
    module = ast.parse(text)
    for statement in module.body:
        if isinstance(statement, ast.FunctionDef):
            _Function(statement).unnest()
    return compile(ast.fix_missing_locations(module), name, "exec", dont_inherit=True)


class _Function:
    """One function of the module during the rewrite."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.function = function
        self.names = _mentioned(function)
        self.made = 0
        self.unbound: set[str] = set()  # names that only inner functions give a value

    def unnest(self) -> None:
        body = self.body(self.function.body, 0)
        begin = [_assigned(name, ast.Constant(0)) for name in sorted(self.unbound)]
        self.function.body = [*begin, *body]

    def body(self, body: list[ast.stmt], loops: int) -> list[ast.stmt]:
        """Rewrite statements at this loop depth."""
        found: list[ast.stmt] = []
        for statement in body:
            looped = isinstance(statement, ast.For | ast.While)
            if looped and loops == LOOPS:
                found += self.apart(statement)
                continue
            for part in ("body", "orelse"):
                if hasattr(statement, part):
                    inside = loops + (looped and part == "body")
                    setattr(statement, part, self.body(getattr(statement, part), inside))
            found.append(statement)
        return found

    def apart(self, loop: ast.stmt) -> list[ast.stmt]:
        """A loop as a function that is called at once; if it returns, so does what is around it."""
        self.made += 1
        name = f"deep_{self.made}"
        own = _mentioned(loop)
        given = _given(loop)
        shared = sorted(n for n in given if self.names[n] > own[n])
        # `nonlocal` wants a name that the outer function binds, too.
        self.unbound |= {n for n in shared if not self.is_bound_outside(loop, n)}
        inside = self.body([loop], 0)
        returns = [node for statement in inside for node in _returns(statement)]
        # A tuple of one, so that `return None` differs from a loop that ended by itself.
        for node in returns:
            node.value = ast.Tuple([node.value or ast.Constant(None)], ast.Load())
        declarations: list[ast.stmt] = [ast.Nonlocal(shared)] if shared else []
        function = ast.FunctionDef(name, _NO_ARGUMENTS, [*declarations, *inside], [])
        call = ast.Call(ast.Name(name, ast.Load()), [], [])
        if not returns:
            return [function, ast.Expr(call)]
        result = f"{name}_result"
        test = ast.Compare(ast.Name(result, ast.Load()), [ast.IsNot()], [ast.Constant(None)])
        value = ast.Subscript(ast.Name(result, ast.Load()), ast.Constant(0), ast.Load())
        return [function, _assigned(result, call), ast.If(test, [ast.Return(value)], [])]

    def is_bound_outside(self, loop: ast.stmt, name: str) -> bool:
        parameters = {argument.arg for argument in self.function.args.args}
        inside = {id(node) for node in ast.walk(loop)}
        return name in parameters or name in _given(self.function, inside)


_NO_ARGUMENTS = ast.arguments([], [], None, [], [], None, [])


def _mentioned(node: ast.AST) -> Counter[str]:
    return Counter(part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def _given(root: ast.AST, without: Container[int] = ()) -> set[str]:
    """The names that are given a value in a node, some nodes in it left out."""
    names = (node for node in ast.walk(root) if isinstance(node, ast.Name) and id(node) not in without)
    return {node.id for node in names if isinstance(node.ctx, ast.Store)}


def _assigned(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _returns(node: ast.AST) -> list[ast.Return]:
    """The returns of the function that a node lies in, not of those made in it."""
    found: list[ast.Return] = []
    todo = [node]
    while todo:
        here = todo.pop()
        if isinstance(here, ast.Return):
            found.append(here)
        elif not isinstance(here, ast.FunctionDef | ast.Lambda):
            todo += ast.iter_child_nodes(here)
    return found
