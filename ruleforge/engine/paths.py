"""Paths name everything in a state: each path leads to the words of the row to read and to write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import product

from ruleforge.compiler.ir import (
    ColumnInfo,
    Flag,
    FormulaInfo,
    Left,
    Number,
    PlaceInfo,
    Program,
    SetOf,
    Thing,
    ValueType,
)
from ruleforge.engine.errors import PathError
from ruleforge.engine.presentation.observation import Subject, Value
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import as_number, did_you_mean, with_article

SET_BITS = 31
_IS_NAME = re.compile(r"[\w.]+(\[[\w.,\s]*\])?")


@dataclass(frozen=True, slots=True)
class AttributePath:
    """One cell of a column: the things it belongs to (owner, then indices) and its first slot."""

    path: str
    column: int
    info: ColumnInfo
    indices: tuple[int, ...]
    slot: int
    tail: str  # the path without its owner


@dataclass(frozen=True, slots=True)
class PlacePath:
    """One container of a family."""

    path: str
    place: int
    info: PlaceInfo
    indices: tuple[int, ...]
    instance: int


@dataclass(frozen=True, slots=True)
class FormulaPath:
    """A formula asked about things and numbers."""

    path: str
    info: FormulaInfo
    indices: tuple[int, ...]


Stored = AttributePath | PlacePath
Path = AttributePath | PlacePath | FormulaPath


class Paths:
    """All paths of one program, built once, on first use."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._owners = _owner_names(program)
        self.things = frozenset(thing for kind in program.kinds for thing in kind.things)
        self.attributes = tuple(self._attribute_paths())
        self.places = tuple(self._place_paths())
        self.shown = tuple(self._shown_formulas())
        self._known: dict[str, Path] = {}
        self._subjects: dict[str, Subject] = {}
        self.everything: tuple[Path, ...] = (*self.attributes, *self.places, *self.shown)
        for path in self.everything:
            self._known.setdefault(path.path, path)
            self._known.setdefault(self._long_form(path), path)

    def find(self, text: str) -> Path:
        squeezed = _squeezed(text)
        if squeezed.endswith(")"):
            return self._formula(squeezed)
        path = self._known.get(squeezed)
        if path is None:
            raise self.unknown(text)
        return path

    def known(self, text: str) -> Path | None:
        """As `find`, but None for a text that is no path: most are expressions, which need no suggestions."""
        if _squeezed(text).endswith(")"):
            with suppress(PathError):
                return self.find(text)
        return self._known.get(_squeezed(text))

    def owners(self, kind: int) -> tuple[str, ...]:
        """The names of a kind's things at the head of a path."""
        return self._owners[kind][1:]

    def of_thing(self, kind: int, thing: int) -> tuple[AttributePath, ...]:
        """The attributes of one thing."""
        return self._by_thing.get((kind, thing), ())

    @cached_property
    def _by_thing(self) -> dict[tuple[int, int], tuple[AttributePath, ...]]:
        found: dict[tuple[int, int], list[AttributePath]] = {}
        for path in self.attributes:
            found.setdefault((path.info.kind, path.indices[0]), []).append(path)
        return {owner: tuple(own) for owner, own in found.items()}

    def subject(self, path: Path) -> Subject:
        """The subject of a path."""
        known = self._subjects.get(path.path)
        if known is None:
            known = self._subjects[path.path] = self._subject(path)
        return known

    def _subject(self, path: Path) -> Subject:
        kinds = kinds_of(path)
        if not kinds:
            return Subject(path.path, "", "", "", path.info.name)
        names = [self.program.kinds[k].things[i] for k, i in zip(kinds, path.indices, strict=True)]
        owner = self._owners[kinds[0]][path.indices[0]]
        return Subject(
            path.path, owner, self.program.kinds[kinds[0]].name, names[0], path.info.name, tuple(names[1:])
        )

    def unknown(self, text: str, because: PathError | None = None) -> PathError:
        """`because` is what is wrong with it as an expression; of a plain name nothing else is known."""
        head = text.strip().partition("(")[0]
        formulas = [formula.name for formula in self.program.formulas]
        if because is not None and not _IS_NAME.fullmatch(text.strip()):
            if head in formulas or (because.code == "RF501" and did_you_mean(head, formulas)):
                try:
                    self.find(text)
                except PathError as problem:  # it names what a formula is asked with
                    return problem
            return PathError("RF830", f"`{text}` cannot be read: {because.message}")
        hint = did_you_mean(text, [*self._known, *SPECIAL])
        thing, _, member = text.partition(".")
        hint = hint or (f"`{thing}` has no `{member}`" if thing in self.things and member else "")
        return PathError("RF830", f"unknown path `{text}`" + (f"; {hint}" if hint else ""))

    # --- formulas ---

    def _formula(self, text: str) -> FormulaPath:
        """`name(argument, ...)`; a formula that views show is the same path as there."""
        name, _, rest = text[:-1].partition("(")
        info = next((f for f in self.program.formulas if f.name == name), None)
        if info is None:
            hint = did_you_mean(name, [f.name for f in self.program.formulas])
            raise PathError("RF830", f"unknown formula `{name}`" + (f"; {hint}" if hint else ""))
        given = rest.split(",") if rest else []
        if len(given) != len(info.kinds):
            wanted = ", ".join("number" if k is None else self.program.kinds[k].name for k in info.kinds)
            raise PathError("RF830", f"`{name}` takes ({wanted}), not ({', '.join(given)})")
        pairs = zip(info.kinds, given, strict=True)
        indices = tuple(self._argument(text, kind, argument) for kind, argument in pairs)
        if info.sees is not None:
            known = self._known.get(self._spell(name, self._things_of(info), indices))
            if isinstance(known, FormulaPath):
                return known
        return FormulaPath(f"{name}({','.join(given)})", info, indices)

    def _argument(self, text: str, kind: int | None, argument: str) -> int:
        if kind is not None:
            return thing_number(self.program, kind, text, argument, "RF830")
        number = as_number(argument)
        if number is not None and abs(number) < 2**31:
            return number
        raise PathError("RF830", f"`{argument}` in `{text}` is not a number")

    def _shown_formulas(self) -> Iterator[FormulaPath]:
        for info in self.program.formulas:
            if info.sees is None:
                continue
            kinds = self._things_of(info)
            for indices in product(*(range(1, self._count(kind) + 1) for kind in kinds)):
                yield FormulaPath(self._spell(info.name, kinds, indices), info, indices)

    def _things_of(self, info: FormulaInfo) -> tuple[int, ...]:
        return tuple(kind for kind in info.kinds if kind is not None)

    # --- building ---

    def _attribute_paths(self) -> Iterator[AttributePath]:
        for number, column in enumerate(self.program.columns):
            if " " in column.name:  # the engine's own, written like an attribute of the author's
                continue
            width = column.words
            counts = [self._count(kind) for kind in (column.kind, *column.per)]
            for ordinal, indices in enumerate(product(*(range(1, count + 1) for count in counts))):
                path = self._spell(column.name, (column.kind, *column.per), indices)
                tail = path[len(self._owners[column.kind][indices[0]]) + 1 :]
                yield AttributePath(path, number, column, indices, column.base + ordinal * width + 1, tail)

    def _place_paths(self) -> Iterator[PlacePath]:
        for number, place in enumerate(self.program.places):
            counts = [self._count(kind) for kind in place.of]
            for ordinal, indices in enumerate(product(*(range(1, count + 1) for count in counts))):
                path = self._spell(place.name, place.of, indices)
                yield PlacePath(path, number, place, indices, place.first + ordinal + 1)

    def _spell(self, name: str, kinds: Sequence[int], indices: tuple[int, ...]) -> str:
        if not kinds:
            return name
        owner = self._owners[kinds[0]][indices[0]]
        rest = [self.program.kinds[kind].things[i] for kind, i in zip(kinds[1:], indices[1:], strict=True)]
        return f"{owner}.{name}[{','.join(rest)}]" if rest else f"{owner}.{name}"

    def _long_form(self, path: Path) -> str:
        kinds = kinds_of(path)
        if not kinds:
            return path.path
        kind = self.program.kinds[kinds[0]]
        thing = kind.things[path.indices[0]]
        owner = self._owners[kinds[0]][path.indices[0]]
        return f"{kind.name}.{thing}{path.path[len(owner) :]}"

    def _count(self, kind: int) -> int:
        return len(self.program.kinds[kind].things) - 1


def kinds_of(path: Path) -> tuple[int, ...]:
    """The kinds of the things a path speaks of."""
    match path:
        case AttributePath():
            return (path.info.kind, *path.info.per)
        case PlacePath():
            return path.info.of
    return tuple(kind for kind in path.info.kinds if kind is not None)


SPECIAL = (
    "decision.player",
    "decision.kind",
    "decision.prompt",
    "outcome.reason",
    "outcome.winners",
)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _owner_names(program: Program) -> tuple[tuple[str, ...], ...]:
    """How things are named at the head of a path: plainly, or with their kind where a name is shared."""
    seen: dict[str, int] = {}
    for kind in program.kinds:
        for thing in kind.things[1:]:
            seen[thing] = seen.get(thing, 0) + 1
    reserved = {special.split(".")[0] for special in SPECIAL}
    return tuple(
        tuple(
            thing
            if (seen.get(thing, 0) == 1 and thing not in reserved) or kind.name == thing
            else f"{kind.name}.{thing}"
            for thing in kind.things
        )
        for kind in program.kinds
    )


# --- reading ---


def read(program: Program, row: Sequence[int], path: Stored) -> Value:
    if isinstance(path, PlacePath):
        return place_value(program, row, path)
    return attribute_value(program, row, path)


def plain_value(program: Program, type: ValueType, word: int) -> Value:
    """A word of a type that takes one."""
    match type:
        case Flag():
            return bool(word)
        case Thing(kind=kind):
            return thing_name(program, kind, word)
        case Left():
            return values_left(program, type, word)
    return word


def values_left(program: Program, type: Left, word: int) -> list[str] | list[int]:
    """The values that are left, as they are written; a flag is true or false."""
    found: list[int] = [type.low + bit for bit in range(type.high - type.low + 1) if word >> bit & 1]
    match type.of:
        case Number():
            return found
        case Flag():
            flags: list[int] = [bool(value) for value in found]
            return flags
    return [value_text(plain_value(program, type.of, value)) for value in found]


def attribute_value(program: Program, row: Sequence[int], path: AttributePath) -> Value:
    match path.info.type:
        case SetOf(kind=kind):
            return set_value(program, kind, [row[path.slot + n] for n in range(path.info.words)])
    return plain_value(program, path.info.type, row[path.slot])


def place_value(program: Program, row: Sequence[int], path: PlacePath) -> Value:
    names = [program.kinds[path.info.holds].things[thing] for thing in content(program, row, path)]
    if path.info.form == "single":
        return names[0] if names else None
    return list(names)


def content(program: Program, row: Sequence[int], path: PlacePath) -> list[int]:
    """The things in a container: in its order, else in the order of the kind."""
    info = path.info
    if info.form == "list":
        things: list[int] = []
        thing = row[info.head + path.instance]
        while thing and len(things) <= len(program.kinds[info.holds].things):
            things.append(thing)
            thing = row[info.next + thing]
        return things
    count = len(program.kinds[info.holds].things) - 1
    return [thing for thing in range(1, count + 1) if row[info.where + thing] == path.instance]


def thing_name(program: Program, kind: int, thing: int) -> str | None:
    things = program.kinds[kind].things
    return things[thing] if 0 < thing < len(things) else None  # a fact may name an empty seat


def set_value(program: Program, kind: int, words: Sequence[int]) -> list[str]:
    """The names of the things of a set, in the order of their kind."""
    return [program.kinds[kind].things[thing] for thing in set_members(words)]


def set_members(words: Sequence[int]) -> list[int]:
    return [
        n * SET_BITS + bit + 1 for n, word in enumerate(words) for bit in range(SET_BITS) if word >> bit & 1
    ]


def value_text(value: Value) -> str:
    """A value as the language writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    return "none" if value is None else str(value)


# --- writing ---


def write(program: Program, row: list[int], path: Stored, value: object) -> None:
    """Put a value given in names at a path; nothing is written if it does not fit."""
    if isinstance(path, PlacePath):
        _fill(program, row, path, value)
        return
    words = _words(program, path, value)
    exists = program.kinds[path.info.kind].exists
    if exists is not None and path.slot == exists + path.indices[0] and words == [0]:
        _unmake(program, row, path.info.kind, path.indices[0])
        return
    for offset, word in enumerate(words):
        row[path.slot + offset] = word


def _make_exist(program: Program, row: list[int], kind: int, thing: int) -> None:
    """A thing in a place exists in the game."""
    exists = program.kinds[kind].exists
    if exists is not None:
        row[exists + thing] = 1


def _unmake(program: Program, row: list[int], kind: int, thing: int) -> None:
    """As the rules remove a thing: it lies nowhere, and its attributes are as at the start."""
    exists = program.kinds[kind].exists
    assert exists is not None
    lift(program, row, kind, thing)
    for column in program.columns:
        if column.kind == kind:
            width = column.size // (len(program.kinds[kind].things) - 1)
            first = column.base + 1 + (thing - 1) * width
            row[first : first + width] = program.start[first : first + width]
    row[exists + thing] = 0


def _words(program: Program, path: AttributePath, value: object) -> list[int]:
    match path.info.type:
        case Flag() if isinstance(value, bool):
            return [int(value)]
        case Number(low=low, high=high) if isinstance(value, int) and not isinstance(value, bool):
            if low <= value <= high:
                return [value]
            raise PathError("RF831", f"`{path.path}` is {low}..{high}, not {value}")
        case Thing(kind=kind):
            return [0 if value is None or value == "none" else _thing(program, kind, path, value)]
        case SetOf(kind=kind) if isinstance(value, list | tuple):
            words = [0] * path.info.words
            for name in value:
                place, bit = divmod(_thing(program, kind, path, name) - 1, SET_BITS)
                words[place] |= 1 << bit
            return words
        case Left() as left if isinstance(value, list | tuple):
            known = {name: 1 << bit for bit, name in enumerate(values_left(program, left, left.all))}
            words_of = [str(name) if isinstance(left.of, Thing) else name for name in value]
            if all(name in known for name in words_of):
                return [sum({known[name] for name in words_of})]
    raise PathError(
        "RF831", f"{value!r} does not fit `{path.path}`, which is {type_text(program, path.info)}"
    )


def _thing(program: Program, kind: int, path: Stored, name: object) -> int:
    return thing_number(program, kind, path.path, name, "RF831")


def thing_number(program: Program, kind: int, path: str, name: object, code: str) -> int:
    """The thing of a kind by its name, plain or after its kind."""
    things = program.kinds[kind].things
    plain = name.removeprefix(program.kinds[kind].name + ".") if isinstance(name, str) else name
    if plain in things[1:]:
        return things.index(plain, 1)
    hint = did_you_mean(str(name), things[1:])
    message = f"`{path}` takes {with_article(program.kinds[kind].name)}; there is no `{name}`"
    raise PathError(code, message + (f"; {hint}" if hint else ""))


def type_text(program: Program, info: ColumnInfo) -> str:
    match info.type:
        case Number(low=low, high=high):
            return f"{low}..{high}"
        case Thing(kind=kind):
            return with_article(program.kinds[kind].name)
        case SetOf(kind=kind):
            return f"a set of {program.kinds[kind].plural}"
        case Left() as left:
            return f"some of {value_text(values_left(program, left, left.all))}"
    return "a flag"


def _fill(program: Program, row: list[int], path: PlacePath, value: object) -> None:
    """Make these things the whole content of a container; what lay there before lies nowhere."""
    if value is None or value == "none":
        value = []
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple):
        raise PathError(
            "RF831", f"{value!r} does not fit the place `{path.path}`, which takes names of things"
        )
    things = [_thing(program, path.info.holds, path, name) for name in names]
    if len(set(things)) != len(things):
        raise PathError("RF831", f"`{path.path}` gets the same thing twice")
    if path.info.form == "single" and len(things) > 1:
        raise PathError("RF831", f"`{path.path}` holds one thing, not {len(things)}")
    for thing in content(program, row, path):
        lift(program, row, path.info.holds, thing)
    for thing in things:
        lift(program, row, path.info.holds, thing)
        lay(row, path.info, path.instance, thing)
        _make_exist(program, row, path.info.holds, thing)


def whereabouts(program: Program, row: Sequence[int], kind: int, thing: int) -> int:
    """The container in which a thing lies; 0 for nowhere."""
    return next((row[info.where + thing] for info in program.places if info.holds == kind), 0)


def lift(program: Program, row: list[int], kind: int, thing: int) -> None:
    """Take a thing out of wherever it lies."""
    for info in program.places:
        if info.holds != kind:
            continue
        instance = row[info.where + thing]
        if not info.first < instance <= info.first + info.count:
            continue
        row[info.where + thing] = 0
        if info.form == "single":
            row[info.occupant + instance] = 0
        elif info.form == "list":
            _unlink(row, info, instance, thing)


def lay(row: list[int], info: PlaceInfo, instance: int, thing: int, top: bool = False) -> None:
    """Put a thing that lies nowhere at the end of a container, or on top of it."""
    row[info.where + thing] = instance
    if info.form == "single":
        row[info.occupant + instance] = thing
    elif info.form == "list":
        before, after = (0, row[info.head + instance]) if top else (row[info.tail + instance], 0)
        row[info.previous + thing], row[info.next + thing] = before, after
        row[info.next + before if before else info.head + instance] = thing
        row[info.previous + after if after else info.tail + instance] = thing
        row[info.size + instance] += 1


def clear_list(row: list[int], info: PlaceInfo, instance: int) -> None:
    """Forget the order of a container; its things must be laid anew."""
    row[info.head + instance] = row[info.tail + instance] = row[info.size + instance] = 0


def _unlink(row: list[int], info: PlaceInfo, instance: int, thing: int) -> None:
    before, after = row[info.previous + thing], row[info.next + thing]
    row[info.next + before if before else info.head + instance] = after
    row[info.previous + after if after else info.tail + instance] = before
    row[info.next + thing] = row[info.previous + thing] = 0
    row[info.size + instance] -= 1
