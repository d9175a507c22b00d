"""`Choice` gives the codes of a site a readable form; each choice is one object, so identity is equality."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ruleforge.compiler.ir import Option, Part, Program, Site
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import as_number

SMALL = 4096
CHANCE = "chance"


class Choice:
    """One answer to a decision. `str(choice)` is stable text that can be read back."""

    __slots__ = ("_code", "_names", "_text", "_wording", "site")

    def __init__(self, wording: Wording, code: int) -> None:
        self._code = code
        self.site = wording.site.number
        self._wording = wording
        self._text: str | None = None
        self._names: tuple[str, ...] | None = None

    @property
    def code(self) -> int:
        """The number of the answer at its site."""
        return self._code

    @property
    def text(self) -> str:
        """The word of the answer and the names of its parts, with single spaces between."""
        if self._text is None:
            self._text = self._wording.text(self._code)
        return self._text

    @property
    def action(self) -> str | None:
        """The id of the action that this answer begins, or None."""
        return self._wording.action(self._code)

    @property
    def is_of_action(self) -> bool:
        """True if the choice begins an action, or belongs to an action in progress."""
        return self._wording.site.action is not None or self.action is not None

    @property
    def is_payment(self) -> bool:
        """True if the choice sets the part of a price that comes from one attribute."""
        return self._wording.site.kind == "pay"

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the things and numbers in the choice."""
        if self._names is None:
            self._names = self._wording.names(self._code)
        return self._names

    def __deepcopy__(self, _: object) -> Choice:
        return self  # there is one object for each

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Choice {self.text!r}>"


@dataclass(frozen=True, slots=True)
class Phrase:
    """An option with its distinct word; `full` shows things as `kind.thing`."""

    option: Option
    word: str
    full: bool


class Wording:
    """The words of one site: option by option, no two answers alike."""

    __slots__ = ("_phrases", "_program", "_things", "choices", "site")

    def __init__(self, program: Program, site: Site) -> None:
        self.site = site
        self._program = program
        self._things: dict[
            int, tuple[tuple[int | None, int], ...]
        ] = {}  # asked for every choice at every decision
        self._phrases = _distinct(program, site.options)
        self.choices = self._interned()

    def _interned(self) -> tuple[Choice, ...] | Interned:
        """The one object for each code: a plain table if codes are few."""
        codes = max((option.first + option.count for option in self.site.options), default=0)
        if codes <= SMALL:
            return tuple(Choice(self, code) for code in range(codes))
        return Interned(self)

    def text(self, code: int) -> str:
        phrase = self._phrase(code)
        names = self._named(phrase.option, code, phrase.full)
        return " ".join((phrase.word, *names) if phrase.word else names)

    def names(self, code: int) -> tuple[str, ...]:
        return self._named(self._phrase(code).option, code, False)

    def things(self, code: int) -> tuple[tuple[int | None, int], ...]:
        """The parts as (kind, thing), or (None, number)."""
        if code not in self._things:
            option = self._phrase(code).option
            parts = zip(option.parts, option.values(code), strict=True)
            self._things[code] = tuple((part.kind, value) for part, value in parts)
        return self._things[code]

    def named_things(self, code: int) -> tuple[tuple[str, str], ...]:
        """The parts that are things, by the names of their kinds and their own."""
        found = ((self._program.kinds[kind], thing) for kind, thing in self.things(code) if kind is not None)
        return tuple((kind.name, kind.things[thing]) for kind, thing in found)

    def by_name(self, code: int) -> dict[str, int]:
        """The parts by the names that the rules have for them; members of sets have none."""
        option = self._phrase(code).option
        parts = zip(option.parts, option.values(code), strict=True)
        return {part.name: value for part, value in parts if not part.member}

    def kinds_by_name(self, code: int) -> tuple[tuple[str, int | None], ...]:
        """The kinds of the parts by their names; numbers have none."""
        return tuple((part.name, part.kind) for part in self._phrase(code).option.parts if not part.member)

    def action(self, code: int) -> str | None:
        number = self._phrase(code).option.action
        return None if number is None else self._program.actions[number].name

    def option(self, code: int) -> Option:
        return self._phrase(code).option

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        return self._phrases

    def _phrase(self, code: int) -> Phrase:
        return self._phrases[self.site.number_of(code)]

    def _named(self, option: Option, code: int, full: bool) -> tuple[str, ...]:
        parts = zip(option.parts, option.values(code), strict=True)
        return tuple(part_name(self._program, part, value, full) for part, value in parts)


class Interned(dict[int, Choice]):
    """The choices of a site with very many codes, made when they are first met."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording

    def __missing__(self, code: int) -> Choice:
        return self.setdefault(code, Choice(self._wording, code))


def wordings(program: Program) -> tuple[Wording | None, ...]:
    """The words of every site, by its number."""
    return tuple(
        Wording(program, site) if site and number else None for number, site in enumerate(program.sites)
    )


def part_name(program: Program, part: Part, value: int, full: bool = False) -> str:
    if part.kind is None:
        return str(value)
    kind = program.kinds[part.kind]
    name = kind.things[value]
    return f"{kind.name}.{name}" if full else name


def part_value(program: Program, part: Part, name: str) -> int:
    """The thing or number that a name stands for, plain or after its kind."""
    return (
        int(name) if part.kind is None else program.kinds[part.kind].things.index(name.rpartition(".")[2], 1)
    )


def mingled(parts: tuple[Part, ...], names: Sequence[str]) -> list[str]:
    """The names of parts, or of the first of them, with the members of each set in the order of the alphabet."""
    found: list[str] = []
    pairs = zip(parts, names, strict=False)
    for is_set, run in groupby(pairs, key=lambda pair: pair[0].member and pair[0].name):
        own = [name for _, name in run]
        found += sorted(own) if is_set else own
    return found


def _distinct(program: Program, options: tuple[Option, ...]) -> tuple[Phrase, ...]:
    """Options in order; one that could read like an earlier one is told apart by kinds, then by a number."""
    phrases: list[Phrase] = []
    earlier = _Earlier()
    tellers = _Columns(program)
    numbers: dict[Columns, int] = {}  # what was last added to a word, for options that read alike
    for option in options:
        word, full, alike = option.word, False, tellers.of(option, option.word, True)
        while earlier.meets(columns := tellers.of(option, word, full)):
            if not full and any(part.kind is not None for part in option.parts):
                full = True
            else:
                numbers[alike] = numbers.get(alike, 1) + 1
                word = f"{option.word}#{numbers[alike]}"
        phrases.append(Phrase(option, word, full))
        earlier.add(columns)
    return tuple(phrases)


Column = frozenset[str] | range  # the words that can stand at one place of a text; numbers are not listed
Columns = tuple[Column, ...]


class _Columns:
    """The possible words of each part of an option; the names of a kind are gathered once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[int | None, int, int, bool], Column] = {}

    def of(self, option: Option, word: str, full: bool) -> Columns:
        tokens = (frozenset((token,)) for token in word.split())
        return (*tokens, *(self._part(part, full) for part in option.parts))

    def _part(self, part: Part, full: bool) -> Column:
        key = (part.kind, part.lowest, part.size, full)
        if key not in self._known:
            among = range(part.lowest, part.lowest + part.size)
            names = (part_name(self._program, part, value, full) for value in among)
            self._known[key] = among if part.kind is None else frozenset(names)
        return self._known[key]


class _Earlier:
    """Texts given already, found by their length and first word, so that many options are not compared one by one."""

    def __init__(self) -> None:
        self._plain: dict[tuple[int, str], list[Columns]] = {}  # those with one first word
        self._others: dict[int, list[Columns]] = {}
        self._all: dict[int, list[Columns]] = {}

    def add(self, columns: Columns) -> None:
        word = _only(columns)
        self._all.setdefault(len(columns), []).append(columns)
        if word is None:
            self._others.setdefault(len(columns), []).append(columns)
        else:
            self._plain.setdefault((len(columns), word), []).append(columns)

    def meets(self, columns: Columns) -> bool:
        """Whether these columns and an earlier entry have a text in common."""
        length, word = len(columns), _only(columns)
        if word is None:
            among = self._all.get(length, [])
        else:
            among = [*self._plain.get((length, word), ()), *self._others.get(length, ())]
        return any(all(map(_meet, columns, other)) for other in among)


def _only(columns: Columns) -> str | None:
    """The word with which all texts begin, if there is one."""
    first = columns[0] if columns else None
    return next(iter(first)) if isinstance(first, frozenset) and len(first) == 1 else None


def _meet(one: Column, other: Column) -> bool:
    """Whether some word can stand in both."""
    match one, other:
        case range(), range():
            return max(one.start, other.start) < min(one.stop, other.stop)
        case range(), frozenset():
            return _meet(other, one)
        case frozenset(), range():
            return any(as_number(word) in other for word in one)
        case frozenset(), frozenset():
            return not one.isdisjoint(other)
    raise AssertionError


# The question that a state waits for.


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to a player, or to `chance`: its player, its kind and its text.

    `probabilities` belongs to a decision of chance, with one number for each choice of the state. `pack` is the id of
    the pack that asks, or empty for the game itself.
    """

    player: str
    kind: str
    prompt: str
    probabilities: tuple[float, ...] = ()
    pack: str = ""

    @property
    def is_chance(self) -> bool:
        return self.player == CHANCE
