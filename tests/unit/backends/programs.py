"""Small games and effects written directly as IR, in the shape a lowering would give."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import product

from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import close_effects
from ruleforge.compiler.ir import (
    HEADER,
    Ask,
    Binary,
    Break,
    CallExpr,
    Const,
    Each,
    Element,
    Expr,
    Finish,
    ForRange,
    Function,
    If,
    Link,
    Load,
    Local,
    Logic,
    LogicNot,
    NewArray,
    Note,
    Offer,
    Option,
    Part,
    Perform,
    Random,
    Return,
    Scan,
    Set,
    SetElement,
    Site,
    Statement,
    Store,
    Table,
    While,
)
from ruleforge.compiler.program import program_from_lowered
from ruleforge.support.diagnostics import NOWHERE


def x(value: Expr | int | str) -> Expr:
    """A number or the name of a local as an expression."""
    return Const(value) if isinstance(value, int) else Local(value) if isinstance(value, str) else value


def op(left: Expr | int | str, sign: str, right: Expr | int | str, checked: bool = False) -> Binary:
    return Binary(sign, x(left), x(right), checked)


def both(*parts: Expr) -> Logic:
    return Logic("and", parts)


def either(*parts: Expr) -> Logic:
    return Logic("or", parts)


def at(base: int, index: Expr | int | str) -> Load:
    return Load(base, x(index))


def put(base: int, index: Expr | int | str, value: Expr | int | str) -> Store:
    return Store(base, x(index), x(value))


def let(name: str, value: Expr | int | str) -> Set:
    return Set(name, x(value))


def function(name: str, parameters: str, *body: Statement) -> Function:
    return Function(name, tuple(parameters.split()), body)


def site(number: int, enumerator: str, count: int, word: str = "", sampler: ir.Sampler | None = None) -> Site:
    return Site(
        number, "action", word, enumerator, (Option(0, count, word, (Part(count, None),)),), sampler=sampler
    )


SEATS = ir.KindInfo("player", "players", ("none", "first", "second"))


def cells(count: int) -> ir.KindInfo:
    return ir.KindInfo("cell", "cells", ("none", *(f"cell_{i}" for i in range(1, count + 1))))


def program(
    name: str,
    words: int,
    stack: int,
    functions: list[Function],
    sites: list[Site],
    start: dict[int, int] | None = None,
    **more: object,
) -> ir.Program:
    """Put the parts together; `words` is the end of the game's own slots."""
    row = [0] * words
    for slot, value in (start or {}).items():
        row[slot] = value
    nothing = Site(0, "", "", "", ())
    fault = ir.Fault("RF800", "stopped", NOWHERE)
    ending = ir.EndingInfo("end", "", NOWHERE, ())
    lowered = ir.Lowered(
        name=name,
        own=tuple(row),
        limit=stack,
        functions=close_effects({f.name: f for f in functions}),
        main="main",
        tables=(),
        relations=(),
        sites=(nothing, *sites),
        kinds=(SEATS,),
        columns=(),
        places=(),
        actions=(),
        endings=(ending, ending),
        faults=(fault, fault, fault, fault),
        notes=(ir.NoteInfo("drop", ir.Rolled(), (ir.Argument("cell", ir.Number()),), NOWHERE),),
        score=None,
    )
    return program_from_lowered(replace(lowered, **more))  # type: ignore[arg-type]


def changed(program: ir.Program, **changes: object) -> ir.Program:
    """Another program, from the same parts but for these."""
    parts = {field.name: getattr(program, field.name) for field in fields(ir.Lowered)} | changes
    return program_from_lowered(ir.Lowered(**parts))


def disc_column(base: int, size: int) -> ir.ColumnInfo:
    return ir.ColumnInfo("cell.disc", 1, base, size, (), ir.Thing(0), 0, None)


def lines_through(columns: int, rows: int, length: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell 0..n the other cells of each straight line through it."""
    lines: list[list[tuple[int, ...]]] = [[] for _ in range(columns * rows + 1)]
    for column, row, (dx, dy) in product(range(columns), range(rows), ((1, 0), (0, 1), (1, 1), (1, -1))):
        end = column + dx * (length - 1), row + dy * (length - 1)
        if 0 <= end[0] < columns and 0 <= end[1] < rows:
            line = [(row + dy * k) * columns + column + dx * k + 1 for k in range(length)]
            for cell in line:
                lines[cell].append(tuple(c for c in line if c != cell))
    return tuple(map(tuple, lines))


DISC = HEADER - 1  # cells are numbered from 1
DRAW, WIN = 0, 1


def seat_bit(seat: str) -> Expr:
    return x(seat)  # 1 and 2 are their own bits


def tic_tac_toe() -> ir.Program:
    others = ("a", "b")
    main = function(
        "main",
        "",
        let("me", 1),
        While(
            Const(1),
            (
                Ask(1, x("me"), (), "c"),
                If(op("c", "<", 0), (Finish(DRAW, Const(0)),)),
                let("c", op("c", "+", 1)),
                put(DISC, "c", "me"),
                Each(
                    others,
                    0,
                    x("c"),
                    (
                        If(
                            both(*(op(at(DISC, o), "==", "me") for o in others)),
                            (Finish(WIN, seat_bit("me")),),
                        ),
                    ),
                ),
                let("me", op(3, "-", "me")),
            ),
        ),
    )
    moves = function("moves", "", Scan("c", DISC, 9, Const(0), (Offer(op("c", "-", 1)),)))
    return program(
        "tic-tac-toe",
        HEADER + 9,
        20,
        [main, moves],
        [site(1, "moves", 9, "mark")],
        relations=(lines_through(3, 3, 3),),
        columns=(disc_column(DISC, 9),),
    )


def connect_four() -> ir.Program:
    others = ("a", "b", "d")
    wins = function(
        "wins",
        "c me",
        Each(
            others,
            0,
            x("c"),
            (If(both(*(op(at(DISC, o), "==", "me") for o in others)), (Return(Const(1)),)),),
        ),
        Return(Const(0)),
    )
    main = function(
        "main",
        "",
        let("me", 1),
        While(
            Const(1),
            (
                Ask(1, x("me"), (), "column"),
                If(op("column", "<", 0), (Finish(DRAW, Const(0)),)),
                let("c", op("column", "+", 1)),
                While(op(at(DISC, "c"), "!=", 0), (let("c", op("c", "+", 7)),)),
                put(DISC, "c", "me"),
                Note(0, (x("c"),)),
                If(CallExpr("wins", (x("c"), x("me"))), (Finish(WIN, seat_bit("me")),)),
                let("me", op(3, "-", "me")),
            ),
        ),
    )
    moves = function(
        "moves",
        "",
        ForRange("k", Const(0), Const(6), (If(op(at(DISC + 36, "k"), "==", 0), (Offer(x("k")),)),)),
    )
    return program(
        "connect-four",
        HEADER + 42,
        20,
        [main, wins, moves],
        [site(1, "moves", 7, "drop")],
        relations=(lines_through(7, 6, 4),),
        columns=(disc_column(DISC, 42),),
    )


def breakthrough(sampled: bool = True, indexed: bool = True) -> ir.Program:
    """Choices are (cell - 1) * 3 + way; ways are left, ahead, right."""
    left = HEADER + 64 - 1  # pieces left of each player
    steps: list[tuple[tuple[int, int], ...]] = []
    targets = [0] * (2 * 65 * 3)
    for me in (0, 1):
        for cell in range(65):
            found = []
            for way in range(3):
                column, row = (cell - 1) % 8 + way - 1, (cell - 1) // 8 + (1 if me == 0 else -1)
                if cell and 0 <= column < 8 and 0 <= row < 8:
                    to = row * 8 + column + 1
                    targets[(me * 65 + cell) * 3 + way] = to
                    found.append((to, way))
            steps.append(tuple(found))
    key = op(op("me", "*", 65), "+", op("cell", "-", 65))
    can = both(op(at(DISC, "to"), "!=", "me"), either(op("way", "!=", 1), op(at(DISC, "to"), "==", 0)))
    moves = function(
        "moves",
        "me",
        Scan(
            "cell",
            DISC,
            64,
            x("me"),
            (
                Each(
                    ("to", "way"),
                    0,
                    key,
                    (If(can, (Offer(op(op(op("cell", "-", 1), "*", 3), "+", "way")),)),),
                ),
            ),
        ),
    )
    code = op(op(op("cell", "*", 3), "-", 3), "+", "way")
    target = Table(0, op(op(op("me", "*", 195), "-", 195), "+", op(op("cell", "*", 3), "+", "way")))
    legal = function(
        "legal",
        "me cell way",
        let("to", target),
        Return(both(op("to", "!=", 0), can)),
    )
    sampler = ir.Sampler(
        ("cell", "way"),
        (ir.DrawScan(DISC, 64, x("me")), ir.DrawRange(0, 2)),
        CallExpr("legal", (x("me"), x("cell"), x("way"))),
        code,
    )
    main = function(
        "main",
        "",
        let("me", 1),
        While(
            Const(1),
            (
                Ask(1, x("me"), (x("me"),), "code"),
                If(op("code", "<", 0), (Finish(DRAW, Const(0)),)),
                let("cell", op(op("code", "//", 3), "+", 1)),
                let("to", Table(0, op(op(op("me", "*", 195), "-", 192), "+", "code"))),
                put(DISC, "cell", 0),
                let("foe", op(3, "-", "me")),
                If(op(at(DISC, "to"), "==", "foe"), (put(left, "foe", op(at(left, "foe"), "-", 1)),)),
                put(DISC, "to", "me"),
                If(
                    either(op(at(left, "foe"), "==", 0), op(Table(1, x("to")), "==", "me")),
                    (Finish(WIN, seat_bit("me")),),
                ),
                let("me", "foe"),
            ),
        ),
    )
    goal = [0] * 65
    goal[1:9], goal[57:65] = [2] * 8, [1] * 8
    start = {DISC + c: 1 for c in range(1, 17)} | {DISC + c: 2 for c in range(49, 65)}
    start |= {left + 1: 16, left + 2: 16}
    return program(
        "breakthrough",
        HEADER + 66,
        20,
        [main, moves, legal],
        [site(1, "moves", 192, "move", sampler if sampled else None)],
        start,
        tables=(tuple(targets), tuple(goal)),
        relations=(tuple(steps),),
        columns=(disc_column(DISC, 64),),
        indexed=(0,) if indexed else (),
    )


def hex_game(size: int = 11) -> ir.Program:
    """Marks say which of its two edges a stone is linked to: 1, 2; they are spread when a stone is placed."""
    n = size * size
    mark = DISC + n
    near: list[tuple[int, ...]] = [()]
    edges = [0] * (3 * (n + 1))  # me * (n+1) + cell -> edge touched
    for cell in range(1, n + 1):
        column, row = (cell - 1) % size, (cell - 1) // size
        found = []
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
            if 0 <= column + dx < size and 0 <= row + dy < size:
                found.append((row + dy) * size + column + dx + 1)
        near.append(tuple(sorted(found)))
        for me, line in ((1, row), (2, column)):
            edges[me * (n + 1) + cell] = 1 if line == 0 else 2 if line == size - 1 else 0
    spread = function(
        "spread",
        "cell me mark",
        NewArray("todo", n),
        SetElement("todo", Const(0), x("cell")),
        let("count", 1),
        put(mark, "cell", "mark"),
        While(
            op("count", ">", 0),
            (
                let("count", op("count", "-", 1)),
                let("here", Element("todo", x("count"))),
                Each(
                    ("next",),
                    0,
                    x("here"),
                    (
                        If(
                            both(op(at(DISC, "next"), "==", "me"), op(at(mark, "next"), "==", 0)),
                            (
                                put(mark, "next", "mark"),
                                SetElement("todo", x("count"), x("next")),
                                let("count", op("count", "+", 1)),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    )
    main = function(
        "main",
        "",
        let("me", 1),
        While(
            Const(1),
            (
                Ask(1, x("me"), (), "code"),
                let("cell", op("code", "+", 1)),
                put(DISC, "cell", "me"),
                let("linked", Table(0, op(op("me", "*", n + 1), "+", "cell"))),
                Each(
                    ("next",),
                    0,
                    x("cell"),
                    (
                        If(
                            op(at(DISC, "next"), "==", "me"),
                            (let("linked", op("linked", "|", at(mark, "next"))),),
                        ),
                    ),
                ),
                If(op("linked", "==", 3), (Finish(WIN, seat_bit("me")),)),
                If(op("linked", "!=", 0), (Perform("spread", (x("cell"), x("me"), x("linked"))),)),
                let("me", op(3, "-", "me")),
            ),
        ),
    )
    moves = function("moves", "", Scan("c", DISC, n, Const(0), (Offer(op("c", "-", 1)),)))
    return program(
        "hex",
        HEADER + 2 * n,
        20,
        [main, moves, spread],
        [site(1, "moves", n, "place")],
        tables=(tuple(edges),),
        relations=(tuple(near),),
        columns=(disc_column(DISC, n),),
        indexed=(0,),
    )


def raid(recursive: bool = False) -> ir.Program:
    """Attack, reaction, cost and retry: three frames deep, with dice, loops that pause, results of frames."""
    life, pool, round_ = HEADER - 1, HEADER + 1, HEADER + 4
    members = HEADER + 5 - 1
    words = HEADER + 5 + 6
    pay = function(  # asks how much of a cost comes from the pool; gives what is still owed
        "pay",
        "who cost",
        let("owed", "cost"),
        ForRange(
            "time",
            Const(1),
            x("cost"),
            (
                Ask(3, x("who"), (x("who"), x("owed")), "part"),
                If(op("part", "<", 0), (Break(),)),
                put(pool, "who", op(at(pool, "who"), "-", "part")),
                let("owed", op("owed", "-", "part")),
                If(op("owed", "==", 0), (Return(Const(0)),)),
            ),
        ),
        Return(x("owed")),
    )
    hurt = function(
        "hurt",
        "who amount",
        put(life, "who", op(at(life, "who"), "-", "amount")),
        Note(0, (x("amount"),)),
        If(op(at(life, "who"), "<=", 0), (Finish(WIN, op(3, "-", "who")),)),
    )
    strike = function(
        "strike",
        "me foe",
        Random("die", Const(6)),
        Ask(2, x("foe"), (x("foe"), x("die")), "reaction"),
        If(
            op("reaction", "==", 1),
            (
                Perform("pay", (x("foe"), Const(3)), "owed"),
                If(op("owed", ">", 0), (Perform("hurt", (x("foe"), x("owed"))),)),
                Return(op("owed", "==", 0)),
            ),
        ),
        If(op("reaction", "==", 2), (Random("again", op("die", "+", 1)), let("die", "again"))),
        Perform("hurt", (x("foe"), op("die", "+", 1))),
        Return(Const(0)),
    )
    raid_ = function(
        "raid",
        "me foe",
        let("parried", 0),
        Scan(
            "i",
            members,
            6,
            x("me"),
            (
                Link(),
                Perform("strike", (x("me"), x("foe")), "result"),
                let("parried", op("parried", "+", "result")),
                If(op("parried", ">=", 2), (Break(),)),
                If(op("i", "==", 2), (put(members, "i", "foe"),)),
            ),
            frozen=True,
        ),
        Each(
            ("a", "b"),
            0,
            x("me"),
            (
                Ask(4, x("me"), (x("a"), x("b")), "gift"),
                If(op("gift", ">=", 0), (put(pool, "me", op(at(pool, "me"), "+", "gift", checked=True)),)),
            ),
        ),
        Return(x("parried")),
    )
    main = function(
        "main",
        "",
        ForRange("p", Const(1), Const(2), (put(life, "p", 30), put(pool, "p", 4))),
        While(
            op(Load(round_), "<", 40),
            (
                Store(round_, None, op(Load(round_), "+", 1)),
                ForRange(
                    "me",
                    Const(1),
                    Const(2),
                    (
                        Ask(1, x("me"), (x("me"),), "what"),
                        If(
                            op("what", "==", 0),
                            (Perform("raid", (x("me"), op(3, "-", "me"))),),
                            (
                                Perform(
                                    "raid" if recursive else "strike", (x("me"), op(3, "-", "me")), "what"
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
        Finish(DRAW, Const(0)),
    )
    whats = function("whats", "me", Offer(Const(0)), If(op(at(pool, "me"), ">", 2), (Offer(Const(1)),)))
    reactions = function(
        "reactions",
        "foe die",
        Offer(Const(0)),
        If(op(at(pool, "foe"), ">", 0), (Offer(Const(1)),)),
        If(both(op("die", ">", 2), LogicNot(op(at(life, "foe"), ">", 20))), (Offer(Const(2)),)),
    )
    parts = function(
        "parts",
        "who owed",
        ForRange("part", Const(0), x("owed"), (If(op(at(pool, "who"), ">=", "part"), (Offer(x("part")),)),)),
    )
    gifts = function("gifts", "a b", ForRange("g", x("a"), op("b", "-", 1), (Offer(x("g")),)))
    return program(
        "raid",
        words,
        60,
        [main, raid_, strike, hurt, pay, whats, reactions, parts, gifts],
        [site(1, "whats", 2), site(2, "reactions", 3), site(3, "parts", 5), site(4, "gifts", 4)],
        {members + i: 1 + i % 2 for i in range(1, 7)},
        relations=(((), ((0, 2), (2, 2), (1, 3)), ((0, 1), (3, 3))),),
        chain=50,
    )


GAMES = (tic_tac_toe, connect_four, breakthrough, hex_game, raid)
