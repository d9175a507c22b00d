"""The shape of the code: imports go one way, and no game is known to the engine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from ruleforge.resources import shipped_games

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ruleforge"

# A folder (or module) may import what its line says, and BELOW_ALL; nothing else of ours.
# A dotted name is a module that stands lower than the folder it lies in.
BELOW_ALL = {
    "analysis.dataflow",
    "analysis.intervals",
    "asking",
    "cache_folder",
    "ceilings",
    "diagnostics",
    "harmless",
    "keeping",
    "names",
    "ourselves",
    "quick",
    "quick_objects",
    "reading",
    "resources",
    "writing",
}
MAY_IMPORT: dict[str, set[str]] = {
    "analysis.dataflow": set(),
    "analysis.intervals": set(),
    "cache_folder": set(),
    "ceilings": {"quick"},
    "diagnostics": {"harmless", "quick", "reading"},
    "harmless": set(),
    "keeping": {"cache_folder"},
    "names": set(),
    "quick": {"quick_objects"},
    "quick_objects": set(),
    "asking": set(),
    "reading": {"asking", "ceilings"},
    "resources": {"reading"},
    "ourselves": {"resources"},
    "writing": set(),
    "source": set(),
    "schema": {"source"},
    "model": {"source"},
    "assembly": {"source", "model"},
    "dsl": {"source", "model"},
    "locks": {"source", "model", "dsl"},
    "finding": {"source"},
    "check": {"source", "model", "dsl"},
    "analysis": {"source", "model", "dsl", "check"},
    "compiler": {"analysis", "check", "dsl", "model", "source"},
    "backends": {"analysis", "compiler"},
    "compiling": {"analysis", "model", "check", "compiler", "backends"},
    "present": {"compiling", "model"},
    "engine": {"analysis", "compiler", "backends", "compiling", "present"},
    "narration": {"engine", "compiling", "model", "present"},
    "play": {"engine", "compiling", "present"},
    "seats": {"engine", "compiling", "model", "narration", "play", "present"},
    "printed_checks": {"check", "compiler", "backends"},
    "secrecy_lints": {"analysis", "check"},
    "pipeline": {
        *(
            "analysis",
            "assembly",
            "check",
            "dsl",
            "model",
            "printed_checks",
            "schema",
            "secrecy_lints",
            "source",
        ),
    },
    "contracts": {
        "analysis",
        "source",
        "schema",
        "model",
        "assembly",
        "dsl",
        "check",
        "printed_checks",
        "pipeline",
    },
    "beside": {"analysis", "source", "schema", "check", "compiling", "contracts", "pipeline"},
    "analysing": {"pipeline", "finding"},
    "loading": {"analysing", "pipeline", "check", "backends", "compiling", "contracts", "engine"},
    "canonical": {"source", "dsl"},
    "validating": {"beside", "locks", "pipeline"},
    "complaints": {"analysing", "validating"},
    "mending": {"pipeline", "validating"},
    "compatibility": {"analysing", "contracts", "finding", "loading", "engine"},
    "judging": {"analysing", "analysis", "pipeline", "finding", "contracts", "engine", "loading"},
    "counterexamples": {
        "analysing",
        "analysis",
        "check",
        "compiling",
        "contracts",
        "engine",
        "judging",
        "loading",
        "play",
    },
    "scenarios": {"compiling", "engine", "finding", "loading", "narration", "play", "schema", "source"},
    "covering": {"analysis", "backends", "check", "compiler", "compiling", "engine", "loading", "pipeline"},
    "mutation": {
        *("analysis", "check", "compiler", "compiling", "dsl", "model", "schema", "source"),
        *("analysing", "covering", "engine", "finding", "loading", "pipeline", "scenarios"),
    },
    "frontends": {
        "analysing",
        "analysis",
        "beside",
        "canonical",
        "counterexamples",
        "compatibility",
        "complaints",
        "covering",
        "contracts",
        "finding",
        "judging",
        "locks",
        "mending",
        "pipeline",
        "loading",
        "play",
        "engine",
        "compiling",
        "check",
        "compiler",
        "dsl",
        "model",
        "mutation",
        "narration",
        "present",
        "scenarios",
        "schema",
        "seats",
        "source",
        "validating",
    },
    "__init__": {"analysing", "contracts", "judging", "loading", "pipeline", "engine"},
}

# Words of particular games. The games shipped are added by their ids.
GAME_WORDS = [
    *(
        "amoeba",
        "ozone",
        "biom",
        "ting",
        "splicers?",
        "soul.?gems?",
        "railgun",
        "overclock",
        "reactor",
        "meteor",
    ),
    *(r"terraform\w*", r"coloni[sz]\w*", "genes?", "orbs?", "knight", "bishop", "rook", "pawn", "chess"),
    *("poker", "kuhn", "leduc", "nim", "jack", "queen", "king", "ante", "connect.?(four|4)"),
]
# Ids of shipped games that are also plain words, or letters.
PLAIN_WORDS = {"go", "hex", "y"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    """The folder or module directly below the package to which a file belongs, or a module with a line of its own."""
    return part_named(path.relative_to(PACKAGE).with_suffix("").parts)


def part_named(names: Sequence[str]) -> str:
    """The part of the package to which a module belongs, by its path of names."""
    own = ".".join(names[:2])
    return own if own in MAY_IMPORT else names[0]


@dataclass(frozen=True)
class Read:
    """What tests want to know of a module; its tree is large, and looked through once."""

    sentence: bool  # does it open with one, or is it empty?
    imports: tuple[ast.Import | ast.ImportFrom, ...]
    parameters: dict[str, int]  # by function, at most
    methods: frozenset[str]  # that are called
    functions: frozenset[str]


@cache
def read(path: Path) -> Read:
    tree = ast.parse(path.read_text("utf-8"))
    imports: list[ast.Import | ast.ImportFrom] = []
    takes: dict[str, int] = {}
    called: list[ast.expr] = []
    for node in ast.walk(tree):
        match node:
            case ast.Call():
                called.append(node.func)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                takes[node.name] = max(takes.get(node.name, 0), parameters(node))
            case ast.Import() | ast.ImportFrom():
                imports.append(node)
    methods = frozenset(f.attr for f in called if isinstance(f, ast.Attribute))
    functions = frozenset(f.id for f in called if isinstance(f, ast.Name))
    sentence = not tree.body or bool(ast.get_docstring(tree))
    return Read(sentence, tuple(imports), takes, methods, functions)


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """The parts of our package a file imports, each with its line."""
    for node in read(path).imports:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            assert node.level == 0, f"{path}:{node.lineno}: import by full name"
            module = node.module or ""
            # `from ruleforge import x` names a part, or something the public door offers.
            names = [f"ruleforge.{a.name}" for a in node.names] if module == "ruleforge" else [module]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "ruleforge":
                part = part_named(rest.split("."))
                yield node.lineno, part if part in MAY_IMPORT else "__init__"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path: Path):
    part = part_of(path)
    assert part in MAY_IMPORT, f"{part} has no line in the table"
    allowed = MAY_IMPORT[part] | {part} | (BELOW_ALL if part not in BELOW_ALL else set())
    if part == "frontends":
        allowed.add("__init__")  # a face may come in by the public door
    wrong = [f"line {line}: {name}" for line, name in imports_of(path) if name not in allowed]
    assert wrong == []


def test_the_table_has_no_cycle():
    remaining = {part: set(below) for part, below in MAY_IMPORT.items()}
    while remaining:
        free = {part for part, below in remaining.items() if not below & remaining.keys()}
        assert free, f"a circle among {sorted(remaining)}"
        remaining = {part: below for part, below in remaining.items() if part not in free}


# The folders of compiler/lower, each above the one before it; what lies beside them is below all.
LAYERS = ("expressions", "sets", "effects", "decisions", "flow")


def layers_of(path: Path) -> Iterator[str]:
    """The layers of the lowering a file imports."""
    package = ["ruleforge", "compiler", "lower"]
    for node in read(path).imports:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[:3] == package:
            yield from {part for part in (node.module or "").split(".")[3:4] if part in LAYERS}
            if (node.module or "").split(".") == package:
                yield from (alias.name for alias in node.names if alias.name in LAYERS)


def test_the_lowering_has_layers():
    root = PACKAGE / "compiler" / "lower"
    assert {p.name for p in root.iterdir() if p.is_dir() and p.name != "__pycache__"} == set(LAYERS)
    for path in root.rglob("*.py"):
        height = LAYERS.index(path.parent.name) if path.parent != root else -1
        above = [layer for layer in layers_of(path) if LAYERS.index(layer) > height]
        assert above == [], f"{path.relative_to(ROOT)} imports a layer above it: {above}"


def test_front_ends_do_not_import_one_another():
    faces = {p.name for p in (PACKAGE / "frontends").iterdir() if p.is_dir() and p.name != "__pycache__"}
    for face in faces - {"cli"}:  # the command line starts the others
        for path in (PACKAGE / "frontends" / face).rglob("*.py"):
            text = path.read_text("utf-8")
            others = [other for other in faces - {face} if f"ruleforge.frontends.{other}" in text]
            assert others == [], f"{path} imports {others}"


def test_no_game_is_known_to_the_engine():
    ids = [re.sub("[-_]", ".?", name) for name in shipped_games() if name not in PLAIN_WORDS]
    words = re.compile(rf"\b({'|'.join(GAME_WORDS + ids)})\b", re.IGNORECASE)
    files = [*modules(), *(ROOT / "grammar").rglob("*.lark"), *(ROOT / "schemas").rglob("*.json")]
    hits = [
        f"{path.relative_to(ROOT)}:{number}: {found[0]}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (found := words.search(line))
    ]
    assert hits == []


MOST_PARAMETERS = 7
# Functions with more, each with its reason.
MANY_PARAMETERS: dict[str, str] = {}


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = function.args
    named = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return sum(name not in ("self", "cls") for name in named) + bool(given.vararg) + bool(given.kwarg)


def test_functions_have_few_parameters():
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}:{name}"
        for path in modules()
        for name, most in read(path).parameters.items()
        if most > MOST_PARAMETERS
    }
    assert found == set(MANY_PARAMETERS), "one frozen value says more than many parameters"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_says_what_it_is(path: Path):
    assert read(path).sentence, "a module opens with a sentence"


# Files are read and written in one place each; these read what comes with RuleForge itself.
DOORS = {"reading.py", "writing.py", "keeping.py", "frontends/cli/main.py"}  # the last opens /dev/null
OWN_DATA = {
    "backends/cache.py",
    "backends/native/subset.py",
    "compiling/kept.py",
    "dsl/grammar.py",
    "frontends/cli/explain_command.py",
    "frontends/start/game.py",
    "mutation/kept.py",
    "ourselves.py",
    "resources.py",
    "schema/validate.py",
}
READS = {
    *("read_text", "read_bytes", "exists", "is_file", "is_dir", "iterdir", "glob", "rglob", "scandir"),
    *("lexists", "islink", "isfile", "isdir", "realpath", "listdir", "stat", "lstat"),
}
WRITES = {"write_text", "write_bytes", "open", "fdopen", "symlink_to", "rename", "replace_file", "touch"}


def files_touched(path: Path) -> frozenset[str]:
    """The methods and functions by which a module itself reads or writes files."""
    return (read(path).methods & (READS | WRITES)) | (read(path).functions & {"open"})


def test_files_are_read_and_written_in_one_place_each():
    touching = {p.relative_to(PACKAGE).as_posix(): files_touched(p) for p in modules()}
    others = {name: found for name, found in touching.items() if found and name not in DOORS}
    assert {name: found for name, found in others.items() if name not in OWN_DATA} == {}
    assert {name: found & WRITES for name, found in others.items() if found & WRITES} == {}


PRINTS = {"echo", "secho", "Console", "print_exception", "from_markup"}


def test_everything_is_printed_in_one_place():
    """There all text is text: no brackets become styles or links, no sign steers the terminal."""
    for path in modules():
        names = read(path).methods | read(path).functions
        names -= {"Console"} if "rich.console" not in path.read_text("utf-8") else set()
        printing = names & PRINTS | read(path).functions & {"print"}
        assert not printing or path.name == "output.py", f"{path}: {printing}"
