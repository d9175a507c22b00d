"""Find the data that ships with RuleForge, in a checkout and in an installed package alike."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from ruleforge.support.input_files import names_in

_PACKAGE = Path(__file__).resolve().parents[1]
_SHELVES = ("rulesets", "examples")


@cache
def data_root() -> Path:
    """The folder with `grammar`, `schemas`, `rulesets`, `examples` and `docs/diagnostics`."""
    installed = _PACKAGE / "_data"
    return installed if installed.is_dir() else _PACKAGE.parent


def grammar_file(name: str = "effects.lark") -> Path:
    return data_root() / "grammar" / name


@cache
def reserved_words() -> frozenset[str]:
    """The words of the grammar, but for the few soft ones in its rule `name`."""
    text = grammar_file().read_text("utf-8")
    words = frozenset(re.findall(r'^[A-Z_]+: "([a-z]+)"$', text, re.MULTILINE))
    soft = re.search(r"^!\?name: NAME (.*)$", text, re.MULTILINE)
    return words - frozenset(re.findall(r'"([a-z]+)"', soft[1])) if soft else words


# Connecting words are never names.
_NEVER = "if elif else for in until where by then or and not is has true false none roll random"
# Words before brackets in the language are no names of formulas, events and kinds.
_NOT_CALLED = (
    "all any best can count first flag linked max may min move pay reached remove repeat return set show shuffle sum "
    "would"
)


@cache
def never_names(called: bool = False) -> frozenset[str]:
    """The words of the grammar that cannot be names; of what is `called` with brackets there are more of them."""
    return frozenset(f"{_NEVER} {_NOT_CALLED if called else ''}".split())


def schema_file(kind: str) -> Path:
    """The JSON Schema of one kind of file: `ruleset`, `pack`, `scenario`, `rulebook` or `contract`."""
    return data_root() / "schemas" / f"{kind}.schema.json"


def diagnostic_page(code: str) -> str | None:
    """The page that explains a diagnostic code, if there is one, without the comments for its tests."""
    page = data_root() / "docs" / "diagnostics" / f"{code}.md"
    if not page.is_file():
        return None
    return re.sub(r"^<!-- .* -->\n", "", page.read_text("utf-8"), flags=re.MULTILINE).rstrip()


def shipped_games() -> dict[str, Path]:
    """The games that ship with RuleForge, by the name of their folder."""
    found: dict[str, Path] = {}
    for shelf in _SHELVES:
        folder = data_root() / shelf
        for name in sorted(names_in(folder)):
            if _is_game(folder / name):
                found.setdefault(name, folder / name)
    return found


def _is_game(folder: Path) -> bool:
    return any(name.endswith(".yaml") for name in names_in(folder))


def find_game(name: str) -> Path | None:
    """A game by the name of its folder, or None."""
    folders = (data_root() / shelf for shelf in _SHELVES)
    return next((f / name for f in folders if name in names_in(f) and _is_game(f / name)), None)
