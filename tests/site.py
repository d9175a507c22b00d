"""Pages made from the code: `python -m tests.site` writes the codes, the index of words and the Python API anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ruleforge.lang.checker.builtins import BUILTINS
from ruleforge.lang.parser.grammar import RESERVED
from ruleforge.support.diagnostics.codes import CODES, Code
from tests import api_page

ROOT = Path(__file__).resolve().parent.parent
LANGUAGE = ROOT / "docs" / "reference" / "language"
WORDS = LANGUAGE / "words.md"
ORDER = ("statements", "expressions", "flow", "rules", "formulas-and-events", "kinds", "checks", "game")

# Where the keys of each part of a rule file are explained: the name of the part, its page.
PARTS = {
    "": ("a rule file", "index"),
    "game": ("`game`", "game"),
    "option": ("an option", "game"),
    "number": ("a number", "game"),
    "kind": ("a kind", "kinds"),
    "thing": ("a thing", "kinds"),
    "fact": ("a fact", "kinds"),
    "attribute": ("an attribute", "kinds"),
    "grid": ("a grid", "kinds"),
    "graph": ("a graph", "kinds"),
    "stretch": ("a track", "kinds"),
    "edges": ("edges", "kinds"),
    "place": ("a place", "kinds"),
    "formula": ("a formula", "formulas-and-events"),
    "event": ("an event", "formulas-and-events"),
    "phase": ("a phase", "flow"),
    "action": ("an action", "flow"),
    "manner": ("a manner", "flow"),
    "window": ("a window", "flow"),
    "position": ("a position", "flow"),
    "rule": ("a rule", "rules"),
    "keyword": ("a keyword", "rules"),
    "check": ("a check", "checks"),
    "invariant": ("an invariant", "checks"),
    "profile": ("a profile", "checks"),
    "ending": ("an ending", "checks"),
    "layout": ("`layout`", "../../how-to/play"),
    "kindLayout": ("`layout`", "../../how-to/play"),
    "lanes": ("`layout`", "../../how-to/play"),
    "sign": ("`layout`", "../../how-to/play"),
}
COMMON = {"text": "index", "title": "index", "cites": "index", "tells": "../../how-to/play"}

_GROUPS = {
    "1": "Reading files",
    "2": "Shape",
    "3": "Definitions",
    "4": "Syntax of effects",
    "5": "Names and types",
    "6": "Compiling",
    "7": "Warnings",
    "8": "Play, saved games, the command line",
    "9": "Contracts",
}


def codes_page(codes: Iterable[Code]) -> str:
    lines = [
        "# Diagnostics",
        "",
        "Every message about a mistake has a code, and every code has a page. `ruleforge explain CODE` shows it.",
        "Each page says what the message means, shows an example, and says how to fix the mistake.",
    ]
    group = ""
    for code in sorted(codes, key=lambda code: code.code):
        if code.code[2] != group:
            group = code.code[2]
            lines += ["", f"## {_GROUPS[group]}", "", "| code | severity | message |", "|---|---|---|"]
        title = code.title.replace("|", "\\|")
        lines.append(f"| [{code.code}]({code.code}.md) | {code.severity} | {title} |")
    return "\n".join(lines) + "\n"


# --- the index of words ---


def words_page() -> str:
    found: dict[str, dict[str, str]] = {}
    for word, used, page in sorted({*_keys(), *_words(), *_functions()}):
        found.setdefault(word, {})[page] = ", ".join(filter(None, (found.get(word, {}).get(page), used)))
    lines = [
        "# Word index",
        "",
        "Every key of a rule file, every word of the effect language and every built-in function, with its page.",
        "",
        "| word | it is | page |",
        "|---|---|---|",
    ]
    for word, pages in sorted(found.items()):
        for page, used in sorted(pages.items()):
            lines.append(f"| `{word}` | {used} | [{_heading(page)}]({page}.md) |")
    return "\n".join(lines) + "\n"


def _keys() -> Iterator[tuple[str, str, str]]:
    schema = json.loads((ROOT / "schemas" / "ruleset.schema.json").read_text("utf-8"))
    for part, (name, page) in PARTS.items():
        node = schema["$defs"].get(part) or (schema["properties"][part] if part else schema)
        for key in _properties(node):
            yield (
                key,
                "a key of most definitions" if key in COMMON else f"a key of {name}",
                COMMON.get(key, page),
            )


def _properties(node: Any) -> Iterator[str]:
    """The keys of an object, however its schema is put together; a `#/$defs` is a part of its own."""
    if isinstance(node, dict):
        yield from node.get("properties", {})
        for joined in ("oneOf", "anyOf", "allOf"):
            for branch in node.get(joined, ()):
                yield from _properties(branch)


def _words() -> Iterator[tuple[str, str, str]]:
    for word in RESERVED:
        yield word, "a word of effects", _page_of(rf"`[^`\n]*\b{word}\b[^`\n]*`")


def _functions() -> Iterator[tuple[str, str, str]]:
    for name in BUILTINS:
        yield name, "a function", _page_of(rf"`{name}\(")


def _page_of(pattern: str) -> str:
    """The first page on which the pattern stands in running text or a table, not in a fenced block."""
    for page in ORDER:
        text = re.sub(r"```.*?```", "", (LANGUAGE / f"{page}.md").read_text("utf-8"), flags=re.DOTALL)
        if re.search(pattern, text):
            return page
    raise LookupError(f"no page of the language explains {pattern}")


def _heading(page: str) -> str:
    return (LANGUAGE / f"{page}.md").read_text("utf-8").split("\n", 1)[0].removeprefix("# ")


if __name__ == "__main__":
    (ROOT / "docs" / "diagnostics" / "index.md").write_text(codes_page(CODES.values()), encoding="utf-8")
    WORDS.write_text(words_page(), encoding="utf-8")
    api_page.PAGE.write_text(api_page.api_page(), encoding="utf-8")
