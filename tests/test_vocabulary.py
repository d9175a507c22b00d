"""Names and sentences of the code use the words that people of the field look for."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parent
PACKAGE = TESTS.parent / "ruleforge"

# Words of an earlier dialect, and the word of the field that replaced each.
RETIRED = {
    "asked": "query, question",
    "blind": "hidden",
    "company": "pack set",
    "complain": "diagnostic, message",
    "deed": "effect",
    "evening": "game session",
    "door": "API, entry point, export",
    "eyes": "observer, visibility",
    "footprint": "effect summary",
    "heard": "log, listeners",
    "hearing": "trigger, log",
    "fuse": "chain limit",
    "hears": "listens, acts",
    "held": "given, cached",
    "hole": "error node, placeholder",
    "house": "server, registry",
    "hush": "redaction",
    "imagin": "determinization",
    "keeping": "cache, saved game",
    "kept": "cached",
    "laid": "set up",
    "lane": "environment",
    "lap": "iteration",
    "learner": "agent, reinforcement learning",
    "mend": "fix, repair",
    "nets": "connectivity, group index",
    "ourselves": "build fingerprint",
    "meter": "step budget, work",
    "reimagin": "determinization",
    "said": "message",
    "shade": "taint",
    "steer": "implicit flow",
    "stepped together": "batch, vectorised environment",
    "stranger": "untrusted user",
    "telling": "log sentence, event log",
    "told": "log entry",
    "unsaid": "default answer",
    "untold": "silent",
    "veil": "taint",
    "wish": "request, options",
    "witness": "observer",
}
WORDS = re.compile(rf"(?<![a-z])({'|'.join(RETIRED)})")
# Sentences use some of them in their plain meaning ("the player is asked"); of these only those of the dialect count.
PLAIN = {
    "asked",
    "company",
    "eyes",
    "held",
    "hole",
    "house",
    "keeping",
    "kept",
    "laid",
    "said",
    "shade",
    "told",
}
PHRASES = re.compile(rf"\b({'|'.join(sorted(RETIRED.keys() - PLAIN))})[a-z]*\b", re.IGNORECASE)
# Nouns that end in -ing.
NOUNS = {"finding", "folding", "merging", "reading", "spelling", "tracking", "unrolling"}
# Names that stand in documents, files or the rule language.
DOCUMENTED = {
    "contracts/model.py": {"fuse"},  # a key of contracts
    "engine/event.py": {"told"},  # `Event.told`
    "engine/presentation/scene.py": {"asked", "lanes"},  # `Scene.asked`, `Board.lanes`
    "engine/presentation/scene_builder.py": {"_lanes", "lanes", "lane"},  # the key `lanes` of `layout`
    "lang/checker/layout_check.py": {"_lanes", "lanes"},  # as above
    "lang/model/appearance.py": {"Lanes", "lane", "lanes"},  # as above
    "lang/model/layout.py": {"LanesLayout", "_lanes", "lane", "lanes"},  # as above
    "tools/experiments/rows.py": {"asked"},  # a column of the files that `simulate` writes
}


def _spoken(name: str) -> str:
    """`CamelCase` and `snake_case` as plain words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()


@cache
def _read(path: Path) -> tuple[str, ast.Module]:
    text = path.read_text("utf-8")
    return text, ast.parse(text)


def _modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


def _names(tree: ast.AST) -> Iterator[str]:
    """Everything that a module gives a name: classes, functions, parameters, fields, variables."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.alias(asname=str(name)):
                yield name


def _sentences(text: str, tree: ast.AST) -> Iterator[str]:
    """The comments and docstrings of a module."""
    if "#" in text:
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        yield from (token.string for token in tokens if token.type == tokenize.COMMENT)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def test_no_name_has_a_retired_word() -> None:
    found = []
    for path in _modules():
        own = path.relative_to(PACKAGE).as_posix()
        names = {path.stem, *_names(_read(path)[1])} - DOCUMENTED.get(own, set())
        found += [
            f"{own}: {name} (write {RETIRED[hit[1]]})"
            for name in sorted(names)
            if (hit := WORDS.search(_spoken(name))) is not None
        ]
    assert found == []


def test_comments_and_docstrings_have_no_retired_word() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for sentence in _sentences(*_read(path)):
            plain = re.sub(r"--\w+", "", sentence)  # options of commands stay
            found += [
                f"{path.relative_to(PACKAGE)}: {hit[0]}: {sentence[:80]}" for hit in PHRASES.finditer(plain)
            ]
    assert found == []


def test_modules_are_named_by_nouns() -> None:
    gerunds = [
        str(path.relative_to(PACKAGE))
        for path in _modules()
        if re.search(r"(?<![a-z])[a-z]+ing$", _spoken(path.stem))
        and _spoken(path.stem).split()[-1] not in NOUNS
    ]
    assert gerunds == []


def test_files_and_functions_of_tests_have_no_retired_word() -> None:
    """A name that is a sentence may use a word in its plain meaning."""
    found = []
    for path in sorted(TESTS.rglob("*.py")):
        functions = re.findall(r"^ *(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
        found += [f"{path.name}: {name}" for name in functions if PHRASES.search(_spoken(name))]
        found += [path.name] if WORDS.search(_spoken(path.stem)) else []
    assert found == []
