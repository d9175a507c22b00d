"""What is seen -> the few letters that stand for it on a board, or the words in a list."""

from __future__ import annotations

from dataclasses import dataclass

from ruleforge.engine.paths import Value
from ruleforge.engine.sight import HIDDEN
from ruleforge.engine.table.seen import SeenPlace, SeenThing, SeenValue


@dataclass(frozen=True, slots=True)
class Mark:
    """A piece of text; `of` names the player or thing it stands for, `dim` what only fills space."""

    text: str
    of: str = ""
    dim: bool = False


EMPTY_MARK = Mark("·", dim=True)


def marks_of(seen: SeenValue | SeenPlace, players: tuple[str, ...]) -> list[Mark]:
    """What stands on a board for a value or for the things in a place."""
    if isinstance(seen, SeenPlace):
        return [_mark(HIDDEN if t.name is None else t.name, players) for t in seen.things]
    values = seen.value if isinstance(seen.value, list) else [seen.value]
    return [_mark(value, players) for value in values if value not in (None, False, 0)]


def _mark(value: int | bool | str | None, players: tuple[str, ...]) -> Mark:
    if value is True:
        return Mark("x")
    name = str(value)
    if name in players:
        return Mark(_initial(name, players), of=name)
    head, _, number = name.rpartition("_")
    if len(head) > 2 and number.isdecimal():  # one of several alike: the number tells them apart
        return Mark(head[0] + number, of=head)
    return Mark(name if isinstance(value, int) else name[:2])


def _initial(name: str, names: tuple[str, ...]) -> str:
    """As few letters as tell the names apart."""
    for length in range(1, len(name)):
        if sum(other.startswith(name[:length]) for other in names) == 1:
            return name[:length].upper()
    return name


def words(seen: SeenValue | SeenPlace) -> str:
    if isinstance(seen, SeenValue):
        return _value_words(seen.value)
    if seen.single:
        return _thing_words(seen.things[0]) if seen.things else "none"
    plain = sum(thing.hidden and not thing.marks for thing in seen.things)
    told = [_thing_words(thing) for thing in seen.things if not thing.hidden or thing.marks]
    return ", ".join([*told, *([f"{plain} hidden"] if plain else [])])


def _thing_words(thing: SeenThing) -> str:
    if thing.name is not None:
        return thing.name
    if not thing.marks:
        return HIDDEN
    return f"hidden ({', '.join(f'{name} {_value_words(value)}' for name, value in thing.marks)})"


def _value_words(value: Value) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(str, value))
    return str(value)


def says_nothing(seen: SeenValue | SeenPlace, players: tuple[str, ...]) -> bool:
    """Flags that are not set and empty places; zeros too, but for plain numbers of players and of the game."""
    if isinstance(seen, SeenPlace):
        return not seen.things
    if seen.value is None or seen.value is False or seen.value == [] or seen.of.name == "exists":
        return True
    counts = seen.of.owner in (*players, "", "game") and not seen.of.index
    return seen.value == 0 and not counts
