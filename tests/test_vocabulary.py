"""Modules and classes have the names that people of the field look for."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "ruleforge"

# Words of an earlier dialect, and the word of the field that replaced each.
RETIRED = {
    "asked": "query, question",
    "blind": "hidden",
    "company": "pack set",
    "complain": "diagnostic, message",
    "deed": "effect",
    "evening": "game session",
    "eyes": "observer, visibility",
    "footprint": "effect summary",
    "hearing": "trigger, log",
    "held": "given, cached",
    "hole": "error node, placeholder",
    "house": "server, registry",
    "hush": "redaction",
    "imagin": "determinization",
    "keeping": "cache, saved game",
    "kept": "cached",
    "laid": "set up",
    "mending": "fix, repair",
    "ourselves": "build fingerprint",
    "said": "message",
    "shade": "taint",
    "steer": "implicit flow",
    "stranger": "untrusted user",
    "told": "log entry",
    "unsaid": "default answer",
    "veil": "taint",
    "wish": "request, options",
    "witness": "observer",
}
WORDS = re.compile(rf"(?<![a-z])({'|'.join(RETIRED)})")
# Nouns that end in -ing.
NOUNS = {"finding", "folding", "merging", "reading", "spelling", "tracking", "unrolling"}


def _spoken(name: str) -> str:
    """`CamelCase` and `snake_case` as plain words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()


def _modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


def test_modules_and_classes_use_no_retired_word() -> None:
    found = []
    for path in _modules():
        tree = ast.parse(path.read_text("utf-8"))
        classes = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        for name in (path.stem, *classes):
            if (hit := WORDS.search(_spoken(name))) is not None:
                found.append(f"{path.relative_to(PACKAGE)}: {name} (write {RETIRED[hit[1]]})")
    assert found == []


def test_modules_are_named_by_nouns() -> None:
    gerunds = [
        str(path.relative_to(PACKAGE))
        for path in _modules()
        if re.search(r"(?<![a-z])[a-z]+ing$", _spoken(path.stem))
        and _spoken(path.stem).split()[-1] not in NOUNS
    ]
    assert gerunds == []
