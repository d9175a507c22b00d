"""Collects unknown names and reports each once, with a suggestion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ruleforge.lang.parser.hints.other_languages import FORMULAS
from ruleforge.support.diagnostics import Edit, Report, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed, nearest, number_in_words, once_more

LOOK = " of this look"  # ends the sort of what a layout tells apart
TOGETHER = 3  # more names of one sort that are like no other are hardly all misspelt
FEW = 8  # so many names are listed if none is close
Help = tuple[str, str | None]  # what to do, and what to write in the place of the name if that is sure


@dataclass(frozen=True, slots=True)
class Unknown:
    """One use of a name that nothing has, and the names that would do."""

    what: str
    name: str
    span: Span
    known: tuple[str, ...]
    notes: tuple[tuple[str, Span], ...] = ()
    here: tuple[str, ...] = ()  # names that are known at this place alone

    @property
    def is_member(self) -> bool:
        """An attribute of one kind has nothing to do with one of another, unless nothing at all has its name."""
        return "`" in self.what


Meaning = Callable[[Unknown], Help | None]

# Names from other languages and games, with their form in this language.
WORDS = {
    **dict.fromkeys(("null", "nil", "undefined", "nothing"), "none"),
    "this": "self",
    "yes": "true",
    "no": "false",
}
# Names that are said in more words here, and how.
PHRASES = {
    **dict.fromkeys(
        ("current_player", "active_player", "turn_player", "current"),
        "the player whose turn it is is `active`; the acting player is `me`",
    ),
    **dict.fromkeys(
        ("opponents", "others", "other_players", "enemies"), "write `{p in players where p is not me}`"
    ),
    **dict.fromkeys(("more", "greater", "higher"), 'for "at least" write `x >= 3`'),
    **dict.fromkeys(("less", "fewer", "lower"), 'for "at most" write `x <= 3`'),
    "empty": "write `not any(x in SET)`; for a value that may be none, `is none`",
    **dict.fromkeys(("everyone", "everybody", "all_players"), "write `players`"),
}
# Statements that are written as calls.
EFFECT_WORDS = {
    "finish": "write `finish ENDING for ...`",
    "move": "write `move THING to PLACE`",
    "shuffle": "write `shuffle PLACE`",
    "remove": "write `remove THING`",
    "leave": "write `leave PHASE`",
    "pay": "write `pay NUMBER from ATTRIBUTE`",
    "show": "write `show THING to PLAYER`",
    "proceed": "write `proceed`, or `proceed with NAME = VALUE`",
}
_TYPE = "a type is a range such as `0..9`, `flag`, a kind, a kind `or none`, or `set of` a kind"
_RANGE = "write a range such as `0..99`"
_TYPES: Mapping[str, Help] = {
    **dict.fromkeys(("bool", "boolean"), ("write `flag`", "flag")),
    **dict.fromkeys(("int", "integer", "number", "float"), (_RANGE, None)),
    **dict.fromkeys(("string", "str", "text"), ("there are no texts in play; write a kind", None)),
}


def of_other_languages(use: Unknown) -> Help | None:
    """A word of another language, or a number in words."""
    number = number_in_words(use.name)
    if number is not None and use.what in ("number", "name"):
        return f"write `{number}`", str(number)
    if use.what == "formula" and use.name in FORMULAS:
        return FORMULAS[use.name], None
    if use.what == "kind":
        return _TYPES.get(use.name)
    if use.what == "event" and use.name in EFFECT_WORDS:
        return EFFECT_WORDS[use.name], None
    if use.what == "name" and use.name in PHRASES:
        return PHRASES[use.name], None
    if use.what == "name" and use.name in WORDS:
        return f"write `{WORDS[use.name]}`", WORDS[use.name]
    return None


def _close(use: Unknown) -> str | None:
    return nearest(use.name, use.known)


def _unknown(use: Unknown) -> str:
    sort, of, owner = use.what.partition(" of ")
    return f"unknown {sort} `{use.name}`{of}{owner}"


def tell(unknown: Sequence[Unknown], report: Report, elsewhere: Meaning) -> None:
    """One diagnostic for each name, at its first use; `elsewhere` knows names of another sort."""
    mistakes = _by_mistake(unknown)
    lost = _lost_together(mistakes, report)
    for uses in (uses for uses in mistakes if uses[0].what not in lost):
        first = min(uses, key=lambda use: (len(use.name), use.span))
        others = sorted({use.span for use in uses} - {first.span})
        notes = (*first.notes, (once_more(len(others)), others[0])) if others else first.notes
        help, instead = _help(first, elsewhere)
        fix = (
            tuple(Edit(use.span, _instead(use, first, instead), use.name) for use in uses) if instead else ()
        )
        report.add("RF501", _unknown(first), first.span, help, notes, fix)


def _lost_together(mistakes: list[list[Unknown]], report: Report) -> frozenset[str]:
    """Sorts with so many missing names that they are one mistake, reported once with all names."""
    sorts: dict[str, list[Unknown]] = {}
    for first, *_ in mistakes:
        if first.what.endswith(LOOK) or (first.is_member and _close(first) is None):
            sorts.setdefault(first.what, []).append(first)
    many = {what: uses for what, uses in sorts.items() if len(uses) > TOGETHER}
    for first, *others in many.values():
        message = f"{_unknown(first)}; {len(others)} more such names are missing, too"
        names = listed([use.name for use in (first, *others)], "and")
        report.add(
            "RF501", message, first.span, f"was a line lost or renamed? missing are {names}", first.notes
        )
    return frozenset(many)


def _help(use: Unknown, elsewhere: Meaning) -> tuple[str | None, str | None]:
    if found := of_other_languages(use) or (None if use.name in use.known else elsewhere(use)):
        return found
    if close := _close(use):
        return f"did you mean `{close}`?", close
    if use.what == "kind":
        return _TYPE, None
    if 0 < len(use.here) <= FEW and not use.notes:
        return f"known here besides the names of the game: {listed(use.here, 'and')}", None
    if 0 < len(use.known) <= FEW:
        return f"possible here: {listed(sorted(set(use.known)))}", None
    return None, None


def _instead(use: Unknown, first: Unknown, instead: str) -> str:
    """The suggestion for one of the uses: a plural gets the plural of the suggestion."""
    if use.name == first.name:
        return instead
    return f"{instead}s" if use.name == f"{first.name}s" else _close(use) or instead


def _by_mistake(unknown: Sequence[Unknown]) -> list[list[Unknown]]:
    """The uses of unknown names, those together that one mistake explains: a missing kind takes its plural with it."""
    names = {use.name for use in unknown if not use.is_member}
    found: dict[tuple[str, str], list[Unknown]] = {}
    for use in unknown:
        stem = use.name.partition(".")[0].removesuffix("s")
        name = stem if stem in names else use.name
        of = use.what if use.is_member and name not in names else ""
        found.setdefault((of, name), []).append(use)
    return list(found.values())


def with_note(use: Unknown, note: tuple[str, Span] | None) -> Unknown:
    return use if note is None else replace(use, notes=(*use.notes, note))
