"""Names of everything in a state: a path -> the words of the row behind it, read and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ruleforge.compiler.ir import ColumnInfo, PlaceInfo, Program
from ruleforge.engine.errors import PathError
from ruleforge.names import did_you_mean

Value = int | bool | str | None | list[str]
SET_BITS = 32


@dataclass(frozen=True, slots=True)
class AttributePath:
    """One cell of a column: the things it belongs to (owner, then indices) and its first slot."""

    path: str
    column: int
    info: ColumnInfo
    indices: tuple[int, ...]
    slot: int


@dataclass(frozen=True, slots=True)
class PlacePath:
    """One container of a family."""

    path: str
    place: int
    info: PlaceInfo
    indices: tuple[int, ...]
    instance: int


Path = AttributePath | PlacePath


class Paths:
    """All paths of one program, built once, when somebody asks for the first."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._owners = _owner_names(program)
        self.attributes = tuple(self._attribute_paths())
        self.places = tuple(self._place_paths())
        self._known: dict[str, Path] = {}
        everything: tuple[Path, ...] = (*self.attributes, *self.places)
        for path in everything:
            self._known[path.path] = path
            self._known.setdefault(self._long_form(path), path)

    def find(self, text: str) -> Path:
        path = self._known.get(_squeezed(text))
        if path is None:
            raise self.unknown(text)
        return path

    def unknown(self, text: str) -> PathError:
        hint = did_you_mean(text, [*self._known, *SPECIAL])
        return PathError("RF830", f"unknown path `{text}`" + (f"; {hint}" if hint else ""))

    def __iter__(self) -> Iterator[str]:
        yield from (path.path for path in self.attributes)
        yield from (path.path for path in self.places)

    # --- building ---

    def _attribute_paths(self) -> Iterator[AttributePath]:
        for number, column in enumerate(self.program.columns):
            width = set_words(self.program, column)
            counts = [self._count(kind) for kind in (column.kind, *column.per)]
            for ordinal, indices in enumerate(product(*(range(1, count + 1) for count in counts))):
                path = self._spell(column.name, (column.kind, *column.per), indices)
                yield AttributePath(path, number, column, indices, column.base + ordinal * width + 1)

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
        kinds = (path.info.kind,) if isinstance(path, AttributePath) else path.info.of[:1]
        if not kinds:
            return path.path
        kind = self.program.kinds[kinds[0]]
        thing = kind.things[path.indices[0]]
        owner = self._owners[kinds[0]][path.indices[0]]
        return f"{kind.name}.{thing}{path.path[len(owner) :]}"

    def _count(self, kind: int) -> int:
        return len(self.program.kinds[kind].things) - 1


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


def set_words(program: Program, column: ColumnInfo) -> int:
    """Words for each value of a column: more than one only for sets of many things."""
    cells = len(program.kinds[column.kind].things) - 1
    for kind in column.per:
        cells *= len(program.kinds[kind].things) - 1
    return max(1, column.size // cells) if cells else 1


# --- reading ---


def read(program: Program, row: Sequence[int], path: Path) -> Value:
    if isinstance(path, PlacePath):
        return place_value(program, row, path)
    return attribute_value(program, row, path)


def attribute_value(program: Program, row: Sequence[int], path: AttributePath) -> Value:
    word = row[path.slot]
    match path.info.type[0]:
        case "flag":
            return bool(word)
        case "kind":
            return thing_name(program, _kind(path.info), word)
        case "set":
            words = [row[path.slot + n] for n in range(set_words(program, path.info))]
            return [thing_name(program, _kind(path.info), thing) or "" for thing in set_members(words)]
        case _:
            return word


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
    return program.kinds[kind].things[thing] if thing else None


def set_members(words: Sequence[int]) -> list[int]:
    return [
        n * SET_BITS + bit + 1 for n, word in enumerate(words) for bit in range(SET_BITS) if word >> bit & 1
    ]


def _kind(info: ColumnInfo) -> int:
    kind = info.type[1]
    assert isinstance(kind, int)
    return kind


# --- writing ---


def write(program: Program, row: list[int], path: Path, value: object) -> None:
    """Put a value given in names at a path; nothing is written if it does not fit."""
    if isinstance(path, PlacePath):
        _fill(program, row, path, value)
        return
    for offset, word in enumerate(_words(program, path, value)):
        row[path.slot + offset] = word


def _words(program: Program, path: AttributePath, value: object) -> list[int]:
    match path.info.type:
        case ("flag",) if isinstance(value, bool):
            return [int(value)]
        case ("number", int() as low, int() as high) if isinstance(value, int) and not isinstance(
            value, bool
        ):
            if low <= value <= high:
                return [value]
            raise PathError("RF831", f"`{path.path}` is {low}..{high}, not {value}")
        case ("kind", int() as kind):
            return [0 if value is None or value == "none" else _thing(program, kind, path, value)]
        case ("set", int() as kind) if isinstance(value, list | tuple):
            words = [0] * set_words(program, path.info)
            for name in value:
                place, bit = divmod(_thing(program, kind, path, name) - 1, SET_BITS)
                words[place] |= 1 << bit
            return [word - (1 << 32) if word >= 1 << 31 else word for word in words]
    raise PathError(
        "RF831", f"{value!r} does not fit `{path.path}`, which is {type_text(program, path.info)}"
    )


def _thing(program: Program, kind: int, path: Path, name: object) -> int:
    things = program.kinds[kind].things
    plain = name.removeprefix(program.kinds[kind].name + ".") if isinstance(name, str) else name
    if plain in things[1:]:
        return things.index(plain, 1)
    hint = did_you_mean(str(name), things[1:])
    message = f"`{path.path}` takes a {program.kinds[kind].name}; there is no `{name}`"
    raise PathError("RF831", message + (f"; {hint}" if hint else ""))


def type_text(program: Program, info: ColumnInfo) -> str:
    match info.type:
        case ("number", low, high):
            return f"{low}..{high}"
        case ("kind", int() as kind):
            return f"a {program.kinds[kind].name}"
        case ("set", int() as kind):
            return f"a set of {program.kinds[kind].plural}"
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
        raise PathError("RF831", f"`{path.path}` is given the same thing twice")
    if path.info.form == "single" and len(things) > 1:
        raise PathError("RF831", f"`{path.path}` holds one thing, not {len(things)}")
    for thing in content(program, row, path):
        lift(program, row, path.info.holds, thing)
    for thing in things:
        lift(program, row, path.info.holds, thing)
        lay(row, path.info, path.instance, thing)


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


def lay(row: list[int], info: PlaceInfo, instance: int, thing: int) -> None:
    """Put a thing that lies nowhere at the end of a container."""
    row[info.where + thing] = instance
    if info.form == "single":
        row[info.occupant + instance] = thing
    elif info.form == "list":
        last = row[info.tail + instance]
        row[info.previous + thing], row[info.next + thing] = last, 0
        row[info.next + last if last else info.head + instance] = thing
        row[info.tail + instance] = thing
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
