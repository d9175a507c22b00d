"""The Python API for the site: `python -m tests.site` writes docs/reference/python-api.md from the docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import ruleforge

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "python-api.md"
OPENING = """\
# Python API

This page lists every public name of the package `ruleforge`, with its types and an example. It is made from the code.
[Use RuleForge from Python](../how-to/python.md) explains how the names work together. The examples continue each other.
"""
ORDER = (
    *("load", "Game", "State", "Decision", "Choice", "Events", "Event", "Outcome"),
    *("analyse", "Analysis", "judge", "Judgement", "Fault", "Ceilings"),
    *(
        "PlayError",
        "IllegalChoice",
        "PathError",
        "ExpressionError",
        "StartError",
        "RestoreError",
        "RulesetError",
    ),
    "__version__",
)

EXAMPLES = {
    "load": """
import ruleforge

game = ruleforge.load("connect-four")
""",
    "Game": """
state = game.start(seed=7)
assert game.title == "Connect Four" and game.restore(state.save()) == state
assert game.playouts(state, games=10, seed=1).games == 10
""",
    "State": """
events = state.apply("drop d")
assert state["d1.disc"] == "red" and state.outcome is None
assert state.copy() == state
""",
    "Decision": """
assert state.decision.player == "yellow" and not state.decision.is_chance
""",
    "Choice": """
choice = state.choices[0]
assert (str(choice), choice.action, choice.arguments) == ("drop a", "drop", ("a",))
""",
    "Events": """
assert str(events[0]) == "action drop me=red slot=d"
assert len(events.seen_by("yellow")) == len(list(events))
""",
    "Event": """
change = next(event for event in events if event.name == "set cell.disc")
assert change.cause.name == "event land" and change.depth == 1
""",
    "Outcome": """
outcome = game.playout(state, 1)
assert set(outcome.scores) == {"red", "yellow"}
""",
    "analyse": """
analysis = ruleforge.analyse("connect-four")
""",
    "Analysis": """
assert analysis.complete and analysis.ruleset is not None
""",
    "judge": """
judgement = ruleforge.judge("splicers/expansions/symbiosis")
""",
    "Judgement": """
assert judgement.is_accepted and judgement.verdict == "accepted"
""",
    "Fault": """
assert judgement.faults == ()
""",
    "Ceilings": """
small = ruleforge.Ceilings(work=1_000_000)
assert ruleforge.load("nim", ceilings=small).ceilings.work == 1_000_000
""",
    "PlayError": """
assert issubclass(ruleforge.IllegalChoice, ruleforge.PlayError)
""",
    "IllegalChoice": """
try:
    state.apply("drop z")
except ruleforge.IllegalChoice as refusal:
    assert refusal.reasons
""",
    "PathError": """
try:
    state["no.such.path"]
except ruleforge.PathError as mistake:
    assert mistake.code == "RF830"
""",
    "ExpressionError": """
try:
    state.evaluate("1 +")
except ruleforge.ExpressionError as mistake:
    assert mistake.diagnostics
""",
    "StartError": """
try:
    game.start(players=9)
except ruleforge.StartError as mistake:
    assert mistake.code.startswith("RF8")
""",
    "RestoreError": """
try:
    game.restore("{}")
except ruleforge.RestoreError as mistake:
    assert mistake.code.startswith("RF8")
""",
    "RulesetError": """
try:
    ruleforge.load("no-such-game")
except ruleforge.RulesetError as mistake:
    assert mistake.diagnostics[0].code.startswith("RF")
""",
    "__version__": """
assert ruleforge.__version__.count(".") == 2
""",
}


def api_page() -> str:
    return "\n\n".join([OPENING.strip(), *map(_entry, ORDER)]) + "\n"


def _entry(name: str) -> str:
    value = getattr(ruleforge, name)
    parts = [f"## `{name}`"]
    if name == "__version__":
        parts.append("The version of the package, as text.")
    elif inspect.isclass(value):
        parts += [_doc(value), *filter(None, [_fields(value)]), *filter(None, ["\n".join(_members(value))])]
    else:
        parts += [_item(name, value).removeprefix("- "), _doc(value)]
    return "\n\n".join([*parts, f"```python\n{EXAMPLES[name].strip()}\n```"])


def _doc(value: object) -> str:
    paragraphs = re.split(r"\n\s*\n", inspect.getdoc(value) or "")
    return "\n\n".join(_wrapped(" ".join(paragraph.split())) for paragraph in paragraphs)


def _wrapped(text: str, indent: str = "") -> str:
    lines = textwrap.wrap(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def _fields(owner: type) -> str:
    if not dataclasses.is_dataclass(owner):
        return ""
    shown = [f"`{field.name}: {field.type}`" for field in dataclasses.fields(owner) if field.name[0] != "_"]
    return _wrapped(f"Fields: {', '.join(shown)}.") if shown else ""


def _members(owner: type) -> Iterator[str]:
    """What a class adds to the public classes it is made of."""
    public = {getattr(ruleforge, name) for name in ORDER}
    own = [cls for cls in owner.__mro__ if cls is owner or (_is_ours(cls) and cls not in public)]
    for name, member in (pair for cls in reversed(own) for pair in vars(cls).items()):
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        said = " ".join((inspect.getdoc(function) or "").split())
        head = _attribute(name, function) if isinstance(member, property) else _item(name, function)
        yield _wrapped(f"{head}: {said}" if said else head, "  ")


def _is_ours(cls: type) -> bool:
    return cls.__module__.startswith("ruleforge.")


def _attribute(name: str, function: object) -> str:
    returned = inspect.signature(function).return_annotation  # type: ignore[arg-type]
    return f"- `{name}` (`{returned}`)"


def _item(name: str, function: object) -> str:
    signature = inspect.signature(function)  # type: ignore[arg-type]
    given = [_parameter(one) for one in signature.parameters.values() if one.name != "self"]
    return _wrapped(f"- `{name}({', '.join(given)})` → `{signature.return_annotation}`", "  ")


def _parameter(one: inspect.Parameter) -> str:
    known = one.default is not inspect.Parameter.empty
    plain = isinstance(one.default, str | int | float | tuple | None)
    default = f" = {one.default!r}" if known and plain else " = ..." if known else ""
    return f"{one.name}: {one.annotation}{default}"
