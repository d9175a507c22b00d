"""The parts of the native backend by themselves: encoding, the subset of Python, what is said without wasmtime."""

from __future__ import annotations

import ast
import random
import resource
import subprocess
import sys

import pytest

import ruleforge
from ruleforge.backends import native
from ruleforge.backends.faults import CompilerBug, OutOfRoom
from ruleforge.backends.native import encode, memory
from ruleforge.backends.native.code import Code
from ruleforge.backends.native.context import Context
from ruleforge.backends.native.encode import I32
from ruleforge.backends.native.host import Instance, compiled
from ruleforge.backends.native.runtime import Native
from ruleforge.backends.native.subset import library
from ruleforge.backends.playouts import ENDING, Plan
from ruleforge.backends.random32 import draw
from ruleforge.compiler import ir
from ruleforge.compiler.ir import Ask, Const, Finish, ForRange, If, Load, Offer, Return
from tests.unit.backends import programs
from tests.unit.backends.programs import changed, function, op, program, site, x

SLOT = ir.HEADER


@pytest.mark.parametrize(
    ("value", "bytes_"), [(0, b"\x00"), (127, b"\x7f"), (128, b"\x80\x01"), (624485, b"\xe5\x8e\x26")]
)
def test_numbers_without_sign(value: int, bytes_: bytes) -> None:
    assert encode.unsigned(value) == bytes_


@pytest.mark.parametrize(
    ("value", "bytes_"),
    [(0, b"\x00"), (-1, b"\x7f"), (63, b"\x3f"), (64, b"\xc0\x00"), (-123456, b"\xc0\xbb\x78")],
)
def test_numbers_with_sign(value: int, bytes_: bytes) -> None:
    assert encode.signed(value) == bytes_


def test_a_module_made_by_hand_runs() -> None:
    code = Code((("a", I32), ("b", I32)))
    with code.block() as done:
        code.get("a")
        code.br_if(done)
        code.const(7)
        code.op("return")
    code.get("a")
    code.get("b")
    code.op("i32.mul")
    binary = encode.Binary(1, (0,), [code.body()], {"go": 0}, [(64, b"\x05\0\0\0")])
    instance = Instance(compiled(binary.encoded()))
    go = instance.export("go")
    assert (go(0, 9), go(-3, 9)) == (7, -27)
    assert instance.words[16] == 5


def test_every_function_of_the_library_says_what_it_does_and_is_typed() -> None:
    for name, node in library().items():
        assert all(isinstance(a.annotation, ast.Name) for a in node.args.args), name
        assert node.returns is not None, name


def test_what_is_not_in_the_subset_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from ruleforge.backends.native import subset

    (odd,) = ast.parse("def odd(a: int) -> int:\n    return [a][0]").body
    monkeypatch.setattr(subset, "library", lambda: {"odd": odd})
    with pytest.raises(TypeError, match="not in the subset"):
        subset.emit_library(Context.__new__(Context), "odd", {})


def _choices_program(count: int) -> ir.Program:
    none = If(op("i", "<", 0), (Offer(x("i")),))
    many = function("many", "", ForRange("i", Const(1), Const(count), (Offer(x("i")), none)))
    rolls = function("rolls", "n", ir.Random("r", x("n")), Return(x("r")))
    main = function("main", "", Ask(1, Const(1), (), "c"), Finish(0, Const(0)))
    return program("many", ir.HEADER, 10, [main, many, rolls], [site(1, "many", 1 << 30)])


def test_a_list_that_is_too_long_is_refused_and_not_written() -> None:
    fits = native.compile(_choices_program(memory.MOST_CHOICES))
    assert len(fits.codes(fits.new_row(0))) == memory.MOST_CHOICES
    with pytest.raises(OutOfRoom):
        native.compile(_choices_program(memory.MOST_CHOICES + 1)).new_row(0)


@pytest.mark.parametrize("bound", [1, 2, 6, 1000, 2**31 - 1, 2**30 + 1])
def test_the_generator_of_the_row_is_the_same(bound: int) -> None:
    runtime = native.compile(_choices_program(1))
    rng = random.Random(bound)
    for _ in range(20):
        words = [rng.randrange(-(2**31), 2**31), rng.randrange(-(2**31), 2**31)]
        row = runtime.new_row(0)
        row[:2] = runtime.attach(words + [0] * 40)[:2]
        assert runtime.call("rolls", row, (bound,)) == draw(words, bound)


def test_machine_code_is_kept(tmp_path: object) -> None:
    kept: dict[str, bytes] = {}
    made: list[str] = []

    def cache(variant: str, make: object) -> bytes:
        if variant not in kept:
            made.append(variant)
            kept[variant] = make()  # type: ignore[operator]
        return kept[variant]

    for _ in range(2):
        runtime = native.compile(_choices_program(3), None, cache)
        assert list(runtime.codes(runtime.new_row(0))) == [1, 2, 3]
    assert made == ["play"]


def test_without_wasmtime_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "find_spec", lambda name: None)
    with pytest.raises(ruleforge.RulesetError) as refused:
        ruleforge.load("nim", backend="native")
    (complaint,) = refused.value.diagnostics
    assert (complaint.code, complaint.help) == ("RF843", 'pip install "ruleforge[native]"')


def test_a_large_relation_is_searched_instead_of_looked_up() -> None:
    far = tuple((key, 10_000_000 * key) for key in range(40))
    member = function("member", "key value", Return(ir.Member(0, x("key"), x("value"))))
    game = _choices_program(1)
    game = changed(game, relations=(far,), functions={**game.functions, "member": member})
    assert memory.Memory(game).membership(0) is None
    runtime = native.compile(game)
    row = runtime.new_row(0)
    assert [runtime.call("member", row, (7, value)) for value in (7, 70_000_000, 8)] == [1, 1, 0]


def test_the_tree_finds_a_win_and_avoids_a_loss() -> None:
    """First has two in a row: completing it wins, anything else loses to the other's two in a row."""
    game = programs.tic_tac_toe()
    runtime = native.compile(game)
    row = runtime.new_row(0)
    for code in (0, 3, 1, 4):  # first on 0 and 1, second on 3 and 4
        runtime.resume_codes(row, code)
    assert best(runtime, row) == 2
    runtime.resume_codes(row, 8)  # a mistake: now second wins with 5
    assert best(runtime, row) == 5


def best(runtime: Native, row: object, simulations: int = 2000) -> int:
    tree = runtime.search()
    tree.seed((1, 2))
    assert tree.simulate(row, simulations, most=100) == simulations  # type: ignore[arg-type]
    visits = tree.visits()
    assert sum(visits.values()) == simulations
    return max(visits, key=visits.__getitem__)


def test_a_search_is_the_same_for_the_same_seed_and_leaves_the_row() -> None:
    runtime = native.compile(programs.raid())
    row = runtime.new_row(3)
    before = list(row)
    found = []
    for _ in range(2):
        tree = runtime.search()
        tree.seed((5, 6))
        tree.simulate(row, 300, most=50)
        found.append(tree.visits())
    assert found[0] == found[1]
    assert list(row) == before


def test_a_tree_takes_rows_of_other_worlds() -> None:
    """Choices are found by their codes, in whatever order and number a world offers them."""
    offers = function(
        "offers", "", ForRange("i", Const(1), Const(5), (If(op(Load(SLOT), "!=", "i"), (Offer(x("i")),)),))
    )
    main = function("main", "", Ask(1, Const(1), (), "c"), Finish(0, op("c", "&", 1)))
    runtime = native.compile(program("worlds", SLOT + 1, 10, [main, offers], [site(1, "offers", 9)]))
    tree = runtime.search()
    tree.seed((1, 1))
    for missing in (5, 1, 0, 4, 2):
        row = runtime.new_row(0)
        row[SLOT] = missing
        tree.simulate(row, 40, most=5)
    visits = tree.visits()
    assert sorted(visits) == [1, 2, 3, 4, 5]
    assert sum(visits.values()) == 200
    assert max(visits, key=visits.__getitem__) in (1, 3, 5)


def test_faults_leave_nothing_on_the_stack() -> None:
    """Many more of them than would fit if each left its arrays behind."""
    boom = function("boom", "", ir.NewArray("large", 50_000), ir.Trap(3))
    main = function("main", "", Ask(1, Const(1), (), "c"), ir.Perform("boom", ()), Finish(0, Const(0)))
    offers = function("offers", "", Offer(Const(0)))
    runtime = native.compile(program("boom", SLOT, 10, [main, offers, boom], [site(1, "offers", 1)]))
    endings = [r[ENDING] for r in runtime.playouts(runtime.new_row(0), Plan(1, 0, 500, most=9))]
    assert set(endings) == {-1 - 3}


def test_an_array_is_never_written_beyond_its_end() -> None:
    """No game comes to that, but a search asks about positions it imagines."""
    wild = function("wild", "n", ir.NewArray("box", 3), ir.SetElement("box", x("n"), Const(1)))
    game = _choices_program(1)
    runtime = native.compile(changed(game, functions={**game.functions, "wild": wild}))
    row = runtime.new_row(0)
    assert runtime.call("wild", row, (2,)) == 0
    for index in (3, -1):
        with pytest.raises(CompilerBug):
            runtime.call("wild", row, (index,))


def test_no_room_for_machine_code_is_a_sentence() -> None:
    """wasmtime lays out gigabytes of addresses: a process that may not have them is told so."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))

    command = [sys.executable, "-m", "ruleforge.frontends.cli.main", "simulate", "nim", "--games", "2"]
    done = subprocess.run(
        [*command, "--backend", "native"], capture_output=True, text=True, preexec_fn=bounded, check=False
    )
    assert done.returncode == 2 and "RF843" in done.stderr
    assert "Traceback" not in done.stderr
