"""Messages about unknown, missing and invalid keys."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping

from ruleforge.lang.schema.messages.finding import Finding, lowered, type_of
from ruleforge.lang.source.tree import Entry, MappingNode, ScalarNode
from ruleforge.support.diagnostics import Edit, Fix, Report
from ruleforge.support.spelling import listed, nearest, proper

_MANY = 26  # keys, too many to list
_LOST = 3  # unknown keys of one definition, too many to be slips of the pen
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
# Words with several possible keys: only the author knows the right one.
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


def unknown_keys(finding: Finding, report: Report) -> None:
    mapping = finding.node
    if not isinstance(mapping, MappingNode):
        return
    strays = _strays(finding, mapping)
    lost = [entry for entry in strays if _meant(finding, entry, mapping) is None]
    if len(lost) >= _LOST and not mapping.flow:
        _belong_elsewhere(finding, lost, report)
        elsewhere = {entry.name for entry in lost}
        strays = [entry for entry in strays if entry.name not in elsewhere]
    for entry in strays:
        message = f"unknown key `{entry.name}`{_inside(finding)}"
        help, fix = _help_for(finding, entry, mapping, strays)
        report.add("RF201", message, entry.key.span, help, fix=fix)


def _belong_elsewhere(finding: Finding, lost: list[Entry], report: Report) -> None:
    """Many keys of a definition are unknown: it stands at the wrong place as a whole."""
    message = f"unknown keys {listed([entry.name for entry in lost], 'and')}{_inside(finding)}"
    homes = listed(finding.homes)
    help = f"such keys belong under {homes}: is that line missing, or wrongly indented?" if homes else None
    report.add("RF201", message, lost[0].key.span, help)


def _help_for(
    finding: Finding, entry: Entry, mapping: MappingNode, strays: list[Entry]
) -> tuple[str | None, Fix]:
    if meant := _meant(finding, entry, mapping):
        return _as_meant(finding, entry, meant)
    if instead := _instead_of_a_missing_one(finding, mapping, strays):
        return f"did you mean `{instead}`, which is missing?", ()
    return _key_help(entry, mapping, finding), ()


def _strays(finding: Finding, mapping: MappingNode) -> list[Entry]:
    known = _known_keys(finding)
    return [entry for entry in mapping if entry.name not in known and entry.key.doubtful is None]


def _instead_of_a_missing_one(finding: Finding, mapping: MappingNode, strays: list[Entry]) -> str | None:
    """The one key that is missing where one other stands: it is most likely that one, under another name."""
    missing = [key for key in finding.schema.get("required", ()) if mapping.entry(key) is None]
    if len(missing) != 1 or len(strays) != 1 or (mapping.flow and looks_cut(strays[0])):
        return None
    [key], [stray] = missing, strays
    hint = synonym_hint(stray.name, _known_keys(finding)) or _several(finding, stray)
    return key if not hint and _takes(finding, key, stray) else None


def _as_meant(finding: Finding, entry: Entry, meant: str) -> tuple[str, Fix]:
    """The right key; where it has a list, one value gets its brackets, too."""
    fix: Fix = (Edit(entry.key.span, meant),)
    if not _is_one_of_many(finding, meant, entry):
        return f"did you mean `{meant}`?", fix
    assert isinstance(entry.value, ScalarNode)
    listed_value = f"[{entry.value.text}]"
    return f"write `{meant}: {listed_value}`", (*fix, Edit(entry.value.span, listed_value))


def _meant(finding: Finding, entry: Entry, mapping: MappingNode) -> str | None:
    """The key that an author most likely meant: not yet given, alike or of the same meaning, and for such a value."""
    known = _known_keys(finding)
    if _several(finding, entry) or synonym_hint(entry.name, known) or (mapping.flow and looks_cut(entry)):
        return None
    free = [key for key in known if mapping.entry(key) is None and _takes(finding, key, entry)]
    wanted = [key for key in free if key in finding.schema.get("required", ())]
    return same_meaning(entry.name, wanted) or same_meaning(entry.name, free) or nearest(entry.name, free)


def _several(finding: Finding, entry: Entry) -> list[str]:
    return several_meanings(entry.name, _known_keys(finding))


def _takes(finding: Finding, key: str, entry: Entry) -> bool:
    """Whether a key accepts a value of this sort; references in the schema are not followed."""
    wanted = finding.schema["properties"][key].get("type")
    given = type_of(entry.value)
    if _is_one_of_many(finding, key, entry):
        return True
    return wanted is None or given == "null" or given == wanted or given in wanted


def _is_one_of_many(finding: Finding, key: str, entry: Entry) -> bool:
    """Is one plain word given where a key has a list of words?"""
    schema, value = finding.schema["properties"][key], entry.value
    items = schema.get("items", {}) if schema.get("type") == "array" else {}
    takes_words = items.get("type") == "string" or items.get("$ref") == "#/$defs/id" or "enum" in items
    return takes_words and isinstance(value, ScalarNode) and value.kind == "str" and value.style == "plain"


def _known_keys(finding: Finding) -> list[str]:
    return list(finding.schema.get("properties", {}))


def _inside(finding: Finding) -> str:
    return f" in {finding.subject}" if finding.path else ""


def _key_help(entry: Entry, mapping: MappingNode, finding: Finding) -> str | None:
    known = [] if finding.is_key else _known_keys(finding)
    if mapping.flow and looks_cut(entry):
        return (
            "YAML cuts texts in braces at commas: put the text in quotes, "
            "or write one `key: value` a line without braces"
        )
    if otherwise := synonym_hint(entry.name, known):
        return otherwise
    if several := [] if finding.is_key else _several(finding, entry):
        return f"did you mean {listed(several)}?"
    return f"possible here: {listed(sorted(known))}" if 0 < len(known) <= _MANY else None


def looks_cut(entry: Entry) -> bool:
    return _is_empty(entry) or not re.fullmatch(r"\w+", entry.name)


def _is_empty(entry: Entry) -> bool:
    return isinstance(entry.value, ScalarNode) and entry.value.kind == "null" and not entry.value.text


def bad_key(finding: Finding, report: Report) -> None:
    mapping, name = finding.node, str(finding.value)
    entry = mapping.entry(name) if isinstance(mapping, MappingNode) else None
    if entry is None or not isinstance(mapping, MappingNode) or entry.key.doubtful is not None:
        return
    if mapping.flow and (two := re.fullmatch(r"(\w+)(?: |\s*=\s*)(\w[\w. ]*)", name)) and _is_empty(entry):
        span = entry.key.span
        edit = Edit(span, f"{two[1]}: {two[2]}")
        report.add("RF205", f"a colon is missing after `{two[1]}`", span, f"write `{edit.text}`", fix=(edit,))
        return
    if mapping.flow and looks_cut(entry):
        report.add(
            "RF205", f"`{name}` is not a valid name", entry.key.span, _key_help(entry, mapping, finding)
        )
        return
    if called := re.fullmatch(r"(\w+)\((.*)\)", name):
        help = f"what it takes stands below its name: write `{called[1]}:` and then `takes: {{name: type}}`"
        report.add("RF205", f"`{name}` is not a valid name", entry.key.span, help)
        return
    right = proper(name)
    fix = (Edit(entry.key.span, right),) if right and mapping.entry(right) is None else ()
    report.add("RF205", f"`{name}` is not a valid name", entry.key.span, name_help(right), fix=fix)


def name_help(right: str) -> str:
    advice = "a name has lower case letters, digits and underscores, and begins with a letter"
    return f"{advice}: `{right}`" if right else advice


def missing_keys(finding: Finding, report: Report) -> None:
    """A key under another name was reported as unknown already; it is not missing as well."""
    mapping = finding.node
    strays = _strays(finding, mapping) if isinstance(mapping, MappingNode) else []
    meant: set[str | None] = set()
    if isinstance(mapping, MappingNode):
        meant = {_meant(finding, entry, mapping) for entry in strays}
        meant.add(_instead_of_a_missing_one(finding, mapping, strays))
    for name in finding.expected:
        if name in finding.value or name in meant or nearest(name, [entry.name for entry in strays]):
            continue
        about = lowered(finding.schema.get("properties", {}).get(name, {}).get("description"))
        report.add(
            "RF203",
            f"{finding.subject} lacks the key `{name}`",
            finding.place,
            f"`{name}`: {about}" if about else None,
        )


# Words that authors use for a key: the possible keys, or advice where a key cannot just be renamed.


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


def synonym_hint(word: str, known: Container[str]) -> str | None:
    """The advice for a word that the language expresses in another way."""
    return next((a for words, key, a in _OTHERWISE if word.lower() in words.split() and key in known), None)
