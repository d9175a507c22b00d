"""Keys that are unknown, missing or no names -> complaints."""

from __future__ import annotations

import re

from ruleforge.diagnostics import Edit, Fix, Report
from ruleforge.names import listed, nearest, proper
from ruleforge.schema.complaints.finding import Finding, lowered, type_of
from ruleforge.source.tree import Entry, MappingNode, ScalarNode

_MANY = 26  # keys, too many to list
# Words that authors use for a key -> the keys that may be meant.
_SYNONYMS = {
    **dict.fromkeys(("description", "desc", "comment", "note"), ("text",)),
    **dict.fromkeys(("name", "label", "caption"), ("title", "id", "scenario")),
    **dict.fromkeys(("effect", "effects", "action", "run", "execute", "body", "code"), ("do", "steps")),
    **dict.fromkeys(("requires", "require", "condition", "if", "only_if", "precondition"), ("needs", "when")),
    **dict.fromkeys(("parameters", "params", "args", "arguments", "with"), ("takes",)),
    **dict.fromkeys(("attributes", "fields", "state", "properties", "stats"), ("has", "facts")),
    **dict.fromkeys(("value", "formula", "returns", "equals"), ("is", "value")),
    **dict.fromkeys(("expects", "expected", "assert", "then"), ("expect",)),
    **dict.fromkeys(("phase", "phases", "when_in"), ("during", "flow", "steps")),
    **dict.fromkeys(("cards", "items", "members", "pieces", "instances"), ("things",)),
    **dict.fromkeys(("components", "entities", "classes", "pieces"), ("kinds",)),
    **dict.fromkeys(("zones", "zone", "locations"), ("places",)),
    **dict.fromkeys(("visible", "visibility", "hidden"), ("sees",)),
    **dict.fromkeys(("turns", "rounds", "phases"), ("flow",)),
    **dict.fromkeys(("functions", "calculations"), ("formulas",)),
    **dict.fromkeys(("variables", "constants", "parameters"), ("numbers",)),
    **dict.fromkeys(("target", "targets", "choice", "choices", "select"), ("choose",)),
    **dict.fromkeys(("trigger", "on", "triggers"), ("after",)),
    **dict.fromkeys(("clauses", "refs", "cite"), ("cites",)),
    **dict.fromkeys(("initial", "start", "begins"), ("starts", "default", "setup")),
    **dict.fromkeys(("capacity", "size", "limit"), ("max", "limit")),
}
# Words for a key of which only the author knows which one is meant.
_SEVERAL = dict.fromkeys(
    ("change", "changes", "alter", "edit", "affect"), ("modify", "gain", "move", "redefine")
)


def unknown_keys(finding: Finding, report: Report) -> None:
    mapping, known = finding.node, _known_keys(finding)
    if not isinstance(mapping, MappingNode):
        return
    for entry in mapping:
        if entry.name not in known and entry.key.doubtful is None:
            message = f"unknown key `{entry.name}`{_inside(finding)}"
            meant = None if mapping.flow and looks_cut(entry) else _meant(finding, entry, mapping)
            help, fix = (
                _as_meant(finding, entry, meant) if meant else (_key_help(entry, mapping, finding), ())
            )
            report.add("RF201", message, entry.key.span, help, fix=fix)


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
    free = [key for key in _known_keys(finding) if mapping.entry(key) is None and _takes(finding, key, entry)]
    if _several(finding, entry):
        return None
    synonyms = [key for key in _SYNONYMS.get(entry.name.lower(), ()) if key in free]
    return synonyms[0] if synonyms else nearest(entry.name, free)


def _several(finding: Finding, entry: Entry) -> list[str]:
    """The keys that may be meant, if there is more than one."""
    found = [key for key in _SEVERAL.get(entry.name.lower(), ()) if key in _known_keys(finding)]
    return found if len(found) > 1 else []


def _takes(finding: Finding, key: str, entry: Entry) -> bool:
    """Can a key have a value of this sort? What the schema says elsewhere is not looked up."""
    wanted = finding.schema["properties"][key].get("type")
    given = type_of(entry.value)
    if _is_one_of_many(finding, key, entry):
        return True
    return wanted is None or given == "null" or given == wanted or given in wanted


def _is_one_of_many(finding: Finding, key: str, entry: Entry) -> bool:
    """Is one plain word given where a key has a list of words?"""
    schema, value = finding.schema["properties"][key], entry.value
    items = schema.get("items", {}) if schema.get("type") == "array" else {}
    takes_words = items.get("type") == "string" or items.get("$ref") == "#/$defs/id"
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
    if several := [] if finding.is_key else _several(finding, entry):
        return f"did you mean {listed(several)}?"
    return f"possible here: {listed(sorted(known))}" if 0 < len(known) <= _MANY else None


def looks_cut(entry: Entry) -> bool:
    is_empty = isinstance(entry.value, ScalarNode) and entry.value.kind == "null" and not entry.value.text
    return is_empty or not re.fullmatch(r"\w+", entry.name)


def bad_key(finding: Finding, report: Report) -> None:
    mapping, name = finding.node, str(finding.value)
    entry = mapping.entry(name) if isinstance(mapping, MappingNode) else None
    if entry is None or not isinstance(mapping, MappingNode) or entry.key.doubtful is not None:
        return
    if mapping.flow and looks_cut(entry):
        report.add(
            "RF205", f"`{name}` is not a proper name", entry.key.span, _key_help(entry, mapping, finding)
        )
        return
    if called := re.fullmatch(r"(\w+)\((.*)\)", name):
        help = f"what it takes stands below its name: write `{called[1]}:` and then `takes: {{name: type}}`"
        report.add("RF205", f"`{name}` is not a proper name", entry.key.span, help)
        return
    right = proper(name)
    fix = (Edit(entry.key.span, right),) if right and mapping.entry(right) is None else ()
    report.add("RF205", f"`{name}` is not a proper name", entry.key.span, name_help(right), fix=fix)


def name_help(right: str) -> str:
    advice = "a name is lower case letters, digits and underscores, and begins with a letter"
    return f"{advice}: `{right}`" if right else advice


def missing_keys(finding: Finding, report: Report) -> None:
    """A misspelt key was complained about as unknown already; it is not missing as well."""
    known = _known_keys(finding)
    strays = [key for key in finding.value if key not in known]
    for name in finding.expected:
        if name in finding.value or nearest(name, strays):
            continue
        about = lowered(finding.schema.get("properties", {}).get(name, {}).get("description"))
        report.add(
            "RF203",
            f"{finding.subject} lacks the key `{name}`",
            finding.place,
            f"`{name}`: {about}" if about else None,
        )
