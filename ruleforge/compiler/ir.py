"""The intermediate form: structured control flow over 32-bit integers and one row of slots.

Nothing here needs a Python object at run time: numbers, slots of the state row, constant tables,
loops, calls. Each backend is a short walk over these nodes. See docs/02-pipeline.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleforge.diagnostics import NOWHERE, Span

# --- the head of every row ---
# The same words at the same places in every game, so that the engine can drive any program.

RNG_A = 0  # two words of the random generator (xoroshiro64**), signed
RNG_B = 1
OUTCOME = 2  # 0 while playing, else 1 + number of the ending
WINNERS = 3  # bit p-1 for each winning player p
SITE = 4  # the decision that is waited for: number of its Site, 0 for none
WHO = 5  # who decides: a player 1..n, or 0 for chance
SP = 6  # address of the top frame's first word, 0 for an empty stack
RET = 7  # result of the last finished pausing function
ANSWER = 8  # the code chosen at SITE; -1: there was nothing to choose
FUSE = 9  # steps left before a runaway chain is stopped; refilled at each choice
LEAVE = 10  # the phase (its number, from 1) that ends when the effect under way is over, 0 for none
ACTIVE = 11  # whose turn it is: the innermost `me` of the flow
HOLD = 12  # above 0 while steps count as one, or while waiting rules are being resolved
QUEUE = 13  # number of triggered rules that wait to be resolved
DRAINING = 14  # 1 while a waiting rule is being resolved: the next one has to wait
HEADER = 15

# A frame: [function number, resume point, caller's frame address, parameters and saved locals ...]
FRAME_FUNCTION = 0
FRAME_PC = 1
FRAME_CALLER = 2
FRAME_LOCALS = 3


# --- expressions: every value is a signed 32-bit integer; truth is 0 or 1 ---


@dataclass(frozen=True, slots=True)
class Const:
    value: int


@dataclass(frozen=True, slots=True)
class Local:
    name: str


@dataclass(frozen=True, slots=True)
class Load:
    """Slot `base + index` of the row; `index` None means the constant slot `base`."""

    base: int
    index: Expr | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Entry `index` of a constant vector of the program."""

    table: int
    index: Expr


@dataclass(frozen=True, slots=True)
class Element:
    """Entry `index` of an array local."""

    array: str
    index: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """`op`: + - * // % & | ^ << >> min max; == != < <= > >= give 0 or 1. Division rounds down.

    `checked`: the result may leave 32 bits and must then trap with OVERFLOW.
    """

    op: str
    left: Expr
    right: Expr
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Negate:
    value: Expr


@dataclass(frozen=True, slots=True)
class LogicNot:
    value: Expr


@dataclass(frozen=True, slots=True)
class Logic:
    """Short-circuit `and` / `or` of two or more 0/1 values."""

    op: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """`then` if `test` else `other`; only the taken side is evaluated."""

    test: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class CallExpr:
    """A function that neither pauses nor finishes the game."""

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """1 if `value` is among the rows of relation[key] (arity 1), else 0."""

    relation: int
    key: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Trial:
    """What a function returns when it is run on a copy of the row; the row stays as it is. A trap gives -1."""

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Connected:
    """1 if neighbours (relation `near`), all with slot `base + cell` equal to `value`, lead from `start`, which is
    one of them, to a cell in goal[key]; else 0. Cells are 1..size. A backend may keep the groups beside the row."""

    base: int
    size: int
    near: int
    start: Expr
    value: Expr
    goal: int
    key: Expr


Expr = (
    Const
    | Local
    | Load
    | Table
    | Element
    | Binary
    | Negate
    | LogicNot
    | Logic
    | Select
    | CallExpr
    | Member
    | Trial
    | Connected
)


# --- statements ---


@dataclass(frozen=True, slots=True)
class Set:
    """Assign a local; the first assignment declares it."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Store:
    """Write slot `base + index`.

    For a slot of an indexed column with an index that is not constant, `base` is exactly ColumnInfo.base.
    """

    base: int
    index: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class NewArray:
    """Declare an array local of `size` zeros."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class SetElement:
    array: str
    index: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    then: Body
    other: Body = ()


@dataclass(frozen=True, slots=True)
class While:
    test: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class ForRange:
    """`low` to `high`, both included, both evaluated once."""

    name: str
    low: Expr
    high: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class Each:
    """The rows of relation[key] in order; each row binds all `names` (one name: rows are plain numbers)."""

    names: tuple[str, ...]
    relation: int
    key: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class Scan:
    """Ascending i in 1..size with slot `base + i` equal to `value` (evaluated once).

    The members are those at entry if `frozen`, else the body does not write slots base+1..base+size.
    A backend may answer it from an index kept beside the row.
    """

    name: str
    base: int
    size: int
    value: Expr
    body: Body
    frozen: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr = Const(0)


@dataclass(frozen=True, slots=True)
class Perform:
    """Call a function for its effects; `into` receives the result. It may pause or finish the game,
    which is known from its Function; the passes take care of both."""

    function: str
    arguments: tuple[Expr, ...]
    into: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """In an enumerator: add `code` to the list of choices."""

    code: Expr


@dataclass(frozen=True, slots=True)
class Ask:
    """Wait for `who` to choose at a site; `into` receives the code, -1 if there was no choice.

    `arguments` are the values handed to the site's enumerator; they are locals or constants.
    """

    site: int
    who: Expr
    arguments: tuple[Expr, ...]
    into: str


@dataclass(frozen=True, slots=True)
class Random:
    """A uniform number in 0..bound-1 from the row's generator (bound >= 1)."""

    into: str
    bound: Expr


@dataclass(frozen=True, slots=True)
class Finish:
    """Set OUTCOME and WINNERS and leave everything at once."""

    ending: int
    winners: Expr


@dataclass(frozen=True, slots=True)
class Trap:
    """Stop: the choice is rolled back whole. `fault` is an index into Program.faults."""

    fault: int


@dataclass(frozen=True, slots=True)
class Burn:
    """Burn one unit of the fuse; at zero trap with the fault RUNAWAY."""


@dataclass(frozen=True, slots=True)
class Note:
    """An event record: kind is an index into Program.notes; nothing unless events are recorded."""

    note: int
    arguments: tuple[Expr, ...]


Statement = (
    Set
    | Store
    | NewArray
    | SetElement
    | If
    | While
    | ForRange
    | Each
    | Scan
    | Break
    | Return
    | Perform
    | Offer
    | Ask
    | Random
    | Finish
    | Trap
    | Burn
    | Note
)
Body = tuple[Statement, ...]


# --- programs ---


@dataclass(frozen=True, slots=True)
class Function:
    """One routine. `pauses` and `finishes` are closed over all it performs."""

    name: str
    parameters: tuple[str, ...]
    body: Body
    span: Span = NOWHERE
    pauses: bool = False
    finishes: bool = False
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One parameter of a choice: code digits of `size` values, shown by `kind` (index into Program.kinds)
    as thing `digit + 1`, or as the number `digit + low` when kind is None."""

    size: int
    kind: int | None
    low: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One way to answer a site: codes first..first+count-1, parts in mixed radix, last part fastest.

    `action` is the index of the action in Program.actions when the answer begins an action, else None.
    `word` opens the choice text (`drop`, `done`); empty for a bare thing.
    """

    first: int
    count: int
    word: str
    parts: tuple[Part, ...]
    action: int | None = None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Sampler:
    """How to draw one choice uniformly without listing: pick a candidate of each part, test, repeat.

    `draws`: for each part one of ("scan", base, size, value expr) | ("each", relation, key expr) | ("range", low, high);
    expressions speak of the site's parameters and of earlier names. `test` is evaluated then, `code` is the choice.
    After `tries` failures the list is made instead.
    """

    names: tuple[str, ...]
    draws: tuple[tuple[object, ...], ...]
    test: Expr
    code: Expr
    tries: int = 32


@dataclass(frozen=True, slots=True)
class Site:
    """A place where somebody is asked. `enumerator` names the function that offers all codes."""

    number: int
    kind: str
    prompt: str
    enumerator: str
    options: tuple[Option, ...]
    chance: bool = False
    sampler: Sampler | None = None
    span: Span = NOWHERE
    clauses: tuple[str, ...] = ()
    sees: str | None = (
        None  # function (viewer, who decides) -> may the viewer be told the answer; None: all are
    )


@dataclass(frozen=True, slots=True)
class KindInfo:
    """A kind with the names of its things (index 0 is none); those of a pool have a column `exists`."""

    name: str
    plural: str
    things: tuple[str, ...]
    pool: bool = False


@dataclass(frozen=True, slots=True)
class ColumnInfo:
    """A stored attribute: slots base+1 .. base+size of kind things (times the sizes of `per` kinds, last fastest).

    For thing x and indices i, j (all from 1): slot base + ((x-1)*n1 + (i-1))*n2 + j.  `type` is one of
    ("number", low, high), ("flag",), ("kind", kind), ("set", kind). A set takes `words` slots, 31 things each.
    """

    name: str
    kind: int
    base: int
    size: int
    per: tuple[int, ...]
    type: tuple[object, ...]
    start: int
    sees: str | None
    resets: str | None = None
    words: int = 1


@dataclass(frozen=True, slots=True)
class PlaceInfo:
    """A family of containers, numbered first+1 .. first+count; `of` are the kinds of its indices.

    A thing x of kind `holds` lies in the instance whose number is in slot where + x (0: nowhere).
    form `bag`: only that slot; form `single`: also slot occupant + instance; form `list`: a linked list,
    with next + x, previous + x, head + instance, tail + instance, size + instance.
    `sees` names a function (viewer, thing, indices...) -> 0/1, None: everybody sees.
    """

    name: str
    of: tuple[int, ...]
    holds: int
    first: int
    count: int
    form: str
    where: int
    occupant: int = 0
    next: int = 0
    previous: int = 0
    head: int = 0
    tail: int = 0
    size: int = 0
    sees: str | None = None
    known: int | None = None  # slot known + x: mask of players who were shown thing x where it lies


@dataclass(frozen=True, slots=True)
class Fault:
    code: str
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class NoteInfo:
    """An event: `name` (`set cell.disc`, `move card`, `event damage`, `end event`, `roll`, `choose`, `finish`), and for
    each argument the kind it shows (None for a number). `end action` is noted for actions with `sees`."""

    name: str
    arguments: tuple[tuple[str, int | None], ...]
    span: Span
    clauses: tuple[str, ...] = ()
    column: int | None = None
    place: int | None = None
    sees: str | None = None  # function (viewer, first argument) -> may the viewer be told; None: all are


@dataclass(frozen=True, slots=True)
class ActionInfo:
    name: str
    title: str
    text: str
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndingInfo:
    name: str
    text: str
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvariantInfo:
    """A function () -> 0/1 that must give 1 whenever somebody chooses."""

    name: str
    function: str
    text: str
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormulaInfo:
    """A formula that can be asked: `function` (things of `kinds`, or numbers where a kind is None) gives its value,
    of a type as in ColumnInfo. With `sees` (viewer, things) it is part of the views of those who may see it."""

    name: str
    kinds: tuple[int | None, ...]
    function: str
    sees: str | None
    type: tuple[object, ...]
    text: str = ""
    hidden: bool = False  # it is worked out from something that not everybody sees
    base: str | None = None  # of an open formula that rules modify: the function for its value without them
    each: tuple[int, int] | None = None  # limits of each addition, of their sum, and of the result
    sum: tuple[int, int] | None = None
    clamp: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ModifierInfo:
    """A rule that modifies an open formula: `function` (its arguments) gives what the rule contributes now;
    `applies` (its arguments) whether it does, for rules that set."""

    formula: str
    rule: str
    op: str
    function: str
    applies: str | None
    text: str
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """One ruleset for one set of options, ready for any backend.

    `main` is the name of the function that runs a whole game: set-up, then the flow. It is started with an
    empty stack, all slots at `start`. `relations[n][key]` is a tuple of numbers, or of equally long tuples.
    """

    name: str
    row_size: int
    stack: int  # first slot of the stack area; it reaches to the end of the row
    start: tuple[int, ...]
    functions: dict[str, Function]
    main: str
    tables: tuple[tuple[int, ...], ...]
    relations: tuple[tuple[tuple[object, ...], ...], ...]
    sites: tuple[Site, ...]  # sites[0] is unused; Site.number is its index
    kinds: tuple[KindInfo, ...]  # kinds[0] is the kind of players
    columns: tuple[ColumnInfo, ...]
    places: tuple[PlaceInfo, ...]
    actions: tuple[ActionInfo, ...]
    endings: tuple[EndingInfo, ...]
    faults: tuple[Fault, ...]  # 0 is OVERFLOW, 1 is RUNAWAY, 2 is STACK (the stack area is full)
    notes: tuple[NoteInfo, ...]
    score: str | None  # function (player) -> score, evaluated when the game is over
    fuse: int = 100_000
    invariants: tuple[InvariantInfo, ...] = ()
    modifiers: tuple[ModifierInfo, ...] = ()
    formulas: tuple[FormulaInfo, ...] = ()
    indexed: tuple[int, ...] = field(default=())  # columns (by number) worth an index for Scan


OVERFLOW = 0
RUNAWAY = 1
STACK = 2


# --- after the pause pass ---
# Ask, and Perform of a pausing function, are gone; a pausing function is numbered blocks over a frame of the row.
# Every path through a block ends with Goto, Wait, Push, Return, Finish or Trap. At rest (waiting or over) the
# words ANSWER and RET are 0 and FUSE is full, so equal positions are equal rows.


@dataclass(frozen=True, slots=True)
class FrameLoad:
    """Word `offset` (+ `index`) of the running function's frame."""

    offset: int
    index: Expr | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The word ANSWER, which becomes 0: first thing in the block after a Wait."""


@dataclass(frozen=True, slots=True)
class Result:
    """The word RET, which becomes 0: first thing in the block after a Push whose result is used."""


@dataclass(frozen=True, slots=True)
class RelationSize:
    """Number of rows of relation[key]."""

    relation: int
    key: Expr


@dataclass(frozen=True, slots=True)
class RelationItem:
    """Row `position` (from 0) of relation[key]; its field `field`, or None if rows are plain numbers."""

    relation: int
    key: Expr
    position: Expr
    field: int | None = None


@dataclass(frozen=True, slots=True)
class FrameStore:
    offset: int
    index: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class FrameClear:
    """Set `size` words of the frame to 0."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Goto:
    """Go on with another block of this function."""

    block: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Stop for a choice at `site` (its enumerator gets `arguments`); go on at `block` with the code in ANSWER."""

    site: int
    who: Expr
    arguments: tuple[Expr, ...]
    block: int


@dataclass(frozen=True, slots=True)
class Push:
    """Run a pausing function in a new frame behind this one; then go on at `block`, its result in RET.

    `checked`: the frame may not fit into the row, then trap with STACK.
    """

    function: str
    arguments: tuple[Expr, ...]
    block: int
    checked: bool = True


@dataclass(frozen=True, slots=True)
class Unwind:
    """If the game is over, leave this function at once."""


AnyExpr = Expr | FrameLoad | Answer | Result | RelationSize | RelationItem
AnyStatement = Statement | FrameStore | FrameClear | Goto | Wait | Push | Unwind


@dataclass(frozen=True, slots=True)
class PausedFunction:
    """A pausing function as numbered blocks; block 0 is the entry.

    `saved`: offset in the frame of each local (and array) that lives there. `fixed`: the address of its frame
    if it is always the same. `result_used`: RET must be set on return.
    """

    name: str
    number: int
    parameters: tuple[str, ...]
    frame_size: int
    blocks: tuple[Body, ...]
    saved: dict[str, int]
    arrays: dict[str, int]
    fixed: int | None
    result_used: bool
    finishes: bool
    span: Span = NOWHERE
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """Which function waits at a site, and its enumerator's arguments as FrameLoad or Const of that frame."""

    function: str
    arguments: tuple[AnyExpr, ...]


@dataclass(frozen=True)
class PausedProgram:
    """A Program after the pause pass. `paused[n]` is the function numbered n (paused[0] is None); main is 1."""

    program: Program
    plain: dict[str, Function]
    paused: tuple[PausedFunction | None, ...]
    waits: dict[int, SiteFrame]
    burns: bool  # the fuse is used at all
    traps: bool  # a choice can trap, so the caller must be able to roll back
