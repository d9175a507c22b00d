"""Words that authors use for a key -> the keys that may be meant, or what to do where a key cannot just be renamed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

_SAME = (
    ("description desc comment note", "text"),
    ("name label caption", "title id scenario phase"),
    ("effect effects action run execute body code on_enter on_start enter", "do steps"),
    ("on_exit on_leave on_end at_end exit finally", "end"),
    ("requires require condition if only_if precondition when", "needs when"),
    ("parameters params args arguments with", "takes"),
    ("attributes fields state properties stats", "has facts"),
    ("value formula returns equals", "is value"),
    ("expects expected assert then", "expect"),
    ("phase phases when_in", "during flow steps"),
    ("cards items members pieces instances", "things"),
    ("components entities classes pieces", "kinds"),
    ("zones zone locations", "places"),
    ("visible visibility shown_to", "sees"),
    ("turns rounds", "flow"),
    ("functions calculations", "formulas"),
    ("variables constants parameters", "numbers"),
    ("target targets select", "choose"),
    ("choice choices", "choose values"),
    ("enum allowed", "values"),
    ("trigger on triggers whenever upon", "after"),
    ("replaces replace instead_of", "instead of"),
    ("clauses refs cite", "cites"),
    ("initial start begins", "starts default setup"),
    ("given setup position", "start"),
    ("capacity size limit", "max limit"),
)
# Words for a key of which only the author knows which one is meant.
_SEVERAL = dict.fromkeys(
    ("change", "changes", "alter", "edit", "affect"), ("modify", "gain", "move", "redefine")
)
# Words, a key that tells where they stand, and what to do: another key would say something else, or the contrary.
_OTHERWISE = (
    (
        "hidden secret private facedown face_down concealed",
        "sees",
        'say who sees it: `sees: "false"` for no player, or a condition such as `viewer is ...`',
    ),
    (
        "next goto next_phase follows transition",
        "steps",
        "phases follow one another in their order; an effect ends one early with `leave`",
    ),
    ("default initial start value", "capped", "write the first value after the type: `type: 0..9 = 3`"),
)


def _table(rows: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """By word; a word of several rows may mean all that they say, in their order."""
    found: dict[str, tuple[str, ...]] = {}
    for words, keys in rows:
        named = ("instead of",) if keys == "instead of" else tuple(keys.split())
        found |= {word: (*found.get(word, ()), *named) for word in words.split()}
    return found


_SYNONYMS = _table(_SAME)


def same_meaning(word: str, known: Iterable[str]) -> str | None:
    """The first of the known keys that a word may stand for."""
    possible = set(known)
    return next((key for key in _SYNONYMS.get(word.lower(), ()) if key in possible), None)


def several_meanings(word: str, known: Container[str]) -> list[str]:
    """The keys that may be meant, if there is more than one."""
    found = [key for key in _SEVERAL.get(word.lower(), ()) if key in known]
    return found if len(found) > 1 else []


def said_otherwise(word: str, known: Container[str]) -> str | None:
    """What to do where what a word says is said in another way."""
    return next((a for words, key, a in _OTHERWISE if word.lower() in words.split() and key in known), None)
