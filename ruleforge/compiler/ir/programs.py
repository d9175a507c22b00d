"""Programs: functions, decisions, and the meaning of the slots of a row."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from typing import Protocol

from ruleforge.compiler.ir.expressions import Expr
from ruleforge.compiler.ir.facts import Draw, NoteInfo, ValueType
from ruleforge.compiler.ir.statements import Body, Place
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass


class HasPlace(Protocol):
    """A statement or a function."""

    @property
    def place(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Function:
    """One routine. `pauses`, `finishes` and `offers` (choices, to a list) are closed over all it performs.

    `place` is the place of its definition, as in statements. Generated code without a statement of the rules
    has it, too.
    """

    name: str
    parameters: tuple[str, ...]
    body: Body
    place: int = 0
    pauses: bool = False
    finishes: bool = False
    offers: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One parameter of a choice: code digits of `size` values.

    A digit is shown as thing `digit + 1` of `kind` (index into Program.kinds), or as the number `digit + low`
    if kind is None. The members of one set are parts of the same name, in the order of their kind. People
    name them in any order.
    """

    size: int
    kind: int | None
    low: int = 0
    name: str = ""
    member: bool = False

    @property
    def lowest(self) -> int:
        """The thing or number that digit 0 stands for."""
        return self.low if self.kind is None else 1


@dataclass(frozen=True, slots=True)
class Option:
    """One way to answer a site: codes first..first+count-1, parts in mixed radix, last part fastest.

    `action` is the index of the action in Program.actions if the answer begins an action, else None. `word`
    opens the choice text (`drop`, `done`); it is empty for a bare thing. `usual` is the number of last parts
    that can be omitted.
    """

    first: int
    count: int
    word: str
    parts: tuple[Part, ...]
    action: int | None = None
    span: Span = NOWHERE
    usual: int = 0

    def values(self, code: int) -> tuple[int, ...]:
        """The things and numbers that an answer consists of, one for each part."""
        rest = code - self.first
        found: list[int] = []
        for part in reversed(self.parts):
            rest, digit = divmod(rest, part.size)
            found.append(digit + part.lowest)
        return tuple(reversed(found))

    def code(self, values: tuple[int, ...]) -> int:
        """The code of the answer that consists of these."""
        code = 0
        for part, value in zip(self.parts, values, strict=True):
            code = code * part.size + value - part.lowest
        return self.first + code


@dataclass(frozen=True, slots=True)
class Sampler:
    """A sampler draws one choice uniformly without a list: pick a candidate of each part, test, repeat.

    `draws` has one entry for each part. Its expressions refer to the site's parameters and to earlier names.
    `test` is evaluated then, `code` is the choice. After `tries` failures the list is made instead.
    """

    names: tuple[str, ...]
    draws: tuple[Draw, ...]
    test: Expr
    code: Expr
    tries: int = 32


@dataclass(frozen=True, slots=True)
class Sealed:
    """Locals of the asking function: an array with answer + 1 for each player (0: none yet), and the player
    who is asked.
    """

    answers: str
    player: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """Locals of the asking function: the bits of the set so far, their number, and 1 as long as more may
    come.
    """

    bits: tuple[str, ...]
    taken: str
    going: str


@dataclass(frozen=True, slots=True)
class Site:
    """A place where a player is asked. `enumerator` names the function that lists all codes."""

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
        None  # function (viewer, who decides) that gives 1 if the viewer sees the answer; None: all do
    )
    sealed: Sealed | None = None  # answers here stay secret until all are given
    gathered: Gathered | None = None  # a set is taken here one by one
    given: tuple[
        str, ...
    ] = ()  # of a window with values: as the enumerator's parameters are called, if it takes them
    action: int | None = None  # the action that is under way and asks here
    bound: tuple[
        tuple[str, str], ...
    ] = ()  # what the window was given or was chosen before: its name in the rules, and the enumerator's parameter
    unseen: bool = False  # the result of chance here is hidden from all players
    flow: bool = False  # a phase of the flow asks here: that it has come to it is no secret

    def option(self, code: int) -> Option:
        """The option that a code belongs to."""
        return self.options[self.number_of(code)]

    def number_of(self, code: int) -> int:
        """The number of that option; they follow one another."""
        number = bisect_right(self.options, code, key=lambda option: option.first) - 1
        if number < 0 or code >= self.options[number].first + self.options[number].count:
            raise LookupError(f"no option of site {self.number} has code {code}")
        return number


@dataclass(frozen=True, slots=True)
class KindInfo:
    """A kind with the names of its things (index 0 is none).

    For a pool, slot exists + x is 1 if x is in the game.
    """

    name: str
    plural: str
    things: tuple[str, ...]
    exists: int | None = None


@dataclass(frozen=True, slots=True)
class ColumnInfo:
    """A stored attribute: slots base+1 .. base+size of kind things (times the sizes of `per` kinds, last
    fastest).

    For thing x and indices i, j (all from 1): slot base + ((x-1)*n1 + (i-1))*n2 + j. A set takes `words`
    slots. A column of remaining values has `parts`: the values of the fact for each thing.
    """

    name: str
    kind: int
    base: int
    size: int
    per: tuple[int, ...]
    type: ValueType
    start: int
    sees: str | None
    resets: str | None = None
    words: int = 1
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceInfo:
    """A family of containers, numbered first+1 .. first+count; `of` are the kinds of its indices.

    A thing x of kind `holds` lies in the instance whose number is in slot where + x (0: nowhere). Form `bag`
    has only that slot. Form `single` also has slot occupant + instance. Form `list` is a linked list with
    next + x, previous + x, head + instance, tail + instance, size + instance. `sees` names a function of
    (viewer, thing, indices...) that gives 0 or 1. None: every player sees it.
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
class QueueInfo:
    """The queue of rules: `length` entries of `entry` cells, starting at `slot`, each with the number of its
    rule first.

    `rules[n-1]` are the types of the values of rule n, its carrier first, with their numbers of cells.
    """

    slot: int
    entry: int
    length: int
    rules: tuple[tuple[tuple[ValueType, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Fault:
    code: str
    message: str
    span: Span
    clauses: tuple[str, ...] = ()  # of the contract that it keeps up


@dataclass(frozen=True, slots=True)
class ActionInfo:
    name: str
    title: str
    text: str
    span: Span
    clauses: tuple[str, ...]
    sees: str | None = None  # function (viewer, who acts): the visibility of the action itself


@dataclass(frozen=True, slots=True)
class EndingInfo:
    """An ending. `lost`: a game with this ending and without a winner is lost, not a draw."""

    name: str
    text: str
    span: Span
    clauses: tuple[str, ...]
    lost: bool = False


@dataclass(frozen=True, slots=True)
class InvariantInfo:
    """A function without parameters that must return 1 at every decision."""

    name: str
    function: str
    text: str
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormulaInfo:
    """A formula that clients can evaluate.

    `function` takes things of `kinds`, or numbers if a kind is None, and gives a value of `type`. With `sees`
    (viewer, things) the formula is part of the views of the players who may see it.
    """

    name: str
    kinds: tuple[int | None, ...]
    function: str
    sees: str | None
    type: ValueType
    text: str = ""
    hidden: bool = False  # it is computed from hidden information
    base: str | None = None  # of an open formula that rules modify: the function for its value without them
    each: tuple[int, int] | None = None  # limits of each addition, of their sum, and of the result
    sum: tuple[int, int] | None = None
    clamp: tuple[int, int] | None = None
    caps: tuple[CapInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class CapInfo:
    """A limit of the contract on a formula; `of`: the `sum` of all additions, the `result`, or the `final` value."""

    of: str
    ends: tuple[int, int]
    clauses: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class BreachInfo:
    """A way in which observed packs break the contract, and the word of the row that counts it.

    `proved`: an accepted pack never causes it. Otherwise several packs together cause it, and the gate
    prevents it.
    """

    what: str
    clauses: tuple[str, ...]
    span: Span
    slot: int
    proved: bool

    @property
    def name(self) -> str:
        return " ".join(("breach", *self.clauses[:1], self.what))


@dataclass(frozen=True, slots=True)
class PositionInfo:
    """Remembered positions: a slot holds their number, and twice `keeps` cells follow it."""

    name: str
    slot: int
    keeps: int


@dataclass(frozen=True, slots=True)
class ModifierInfo:
    """A rule that modifies an open formula.

    `function` takes the arguments of the formula and gives the current contribution of the rule. For rules
    that set, `applies` takes the same arguments and tells whether the rule applies.
    """

    formula: str
    rule: str
    op: str
    function: str
    applies: str | None
    text: str
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of playouts: the value of `function` () at the end of a game, or the number of `notes`."""

    text: str
    type: ValueType
    function: str | None = None
    notes: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lowered:
    """One ruleset for one set of options as functions in direct style: an Ask may stand anywhere in them.

    `main` is the name of the function that runs a whole game: set-up, then the flow. It starts with an empty
    stack and the game's slots as in `own`. `relations[n][key]` is a tuple of numbers, or of equally long
    tuples.
    """

    name: str
    own: tuple[int, ...]  # what the game's own slots hold before set-up; the stack area lies behind them
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
    heuristic: str | None = None  # function (player) -> how well the player stands, while the game goes on
    chain: int = 20_000  # links of a chain of effects at most
    work: int = 200_000_000  # work for one choice at most
    limit: int | None = None  # words the rules grant the stack; None: as many as it can need
    invariants: tuple[InvariantInfo, ...] = ()
    modifiers: tuple[ModifierInfo, ...] = ()
    formulas: tuple[FormulaInfo, ...] = ()
    secret_action: int = 0  # the slot of the number in `secret_audiences`, before that of who acts; 0: none
    secret_audiences: tuple[
        str, ...
    ] = ()  # functions (viewer, who acts) of actions that ask while they are under way
    indexed: tuple[int, ...] = ()  # columns (by number) worth an index for Scan
    queue: QueueInfo | None = None
    positions: tuple[PositionInfo, ...] = ()
    breaches: tuple[BreachInfo, ...] = ()  # of packs that are observed
    measures: tuple[Measure, ...] = ()
    written: tuple[Place, ...] = field(
        default=(Place(NOWHERE, ""),), repr=False
    )  # where statements come from

    def place_of(self, what: HasPlace) -> Place:
        """The place in the rules from which a statement or a function of this program comes."""
        return self.written[what.place]

    @property
    def stack(self) -> int:
        """The first slot of the stack area, which reaches to the end of the row."""
        return len(self.own)


OVERFLOW = 0
RUNAWAY = 1
STACK = 2
LONG = 400  # links of a chain: it is the chain that takes so much work
