"""The shape of the code: imports go one way, and no game is known to the engine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import networkx
import pytest

from ruleforge.support.resources import shipped_games

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ruleforge"

# The rooms, each with those it may import. Every room may import `support` and the modules of LOWEST.
ROOMS: dict[str, set[str]] = {
    "support": set(),
    "lang": set(),
    "analysis": {"lang"},
    "compiler": {"lang", "analysis"},
    "backends": {"lang", "analysis", "compiler"},
    "project": {"lang", "analysis", "compiler", "backends"},
    "contracts": {"lang", "analysis", "project"},
    "engine": {"lang", "analysis", "compiler", "backends", "project", "contracts"},
    "play": {"lang", "backends", "engine"},
    "tools": {"lang", "analysis", "project", "contracts", "engine", "play"},
    "rl": {"backends", "compiler", "engine", "play"},
    "frontends": {
        "lang",
        "analysis",
        "compiler",
        "backends",
        "project",
        "contracts",
        "engine",
        "play",
        "tools",
    },
    "__init__": {"project", "contracts", "engine", "tools"},
}
# These import nothing of RuleForge, wherever they lie.
LOWEST = {"analysis.dataflow", "analysis.intervals"}
# Compiled programs and walks over them: `analysis` may read them, too; these import `support` and one another.
PROGRAMS = {"compiler.ir", "compiler.node_shapes", "compiler.visit"}
# What says how a game was compiled, and why it did not start: `tools` may read it, and nothing else of these rooms.
COMPILED = {"backends.artifacts", "backends.faults", "compiler.observation_program", "compiler.trace_marks"}
# The stages of a room: each imports only those before it.
STAGES = {
    "lang": ("source", "schema", "model", "packs", "parser", "checker"),
    "play": ("agents", "narration", "seats"),
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
    """The modules of our package a file imports, named from there, each with its line."""
    for node in read(path).imports:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            assert node.level == 0, f"{path}:{node.lineno}: import by full name"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "ruleforge":
                yield node.lineno, rest if rest.split(".")[0] in ROOMS else "__init__"


def is_among(module: str, modules: set[str]) -> bool:
    return ".".join(module.split(".")[:2]) in modules


def allowed_to(own: str) -> set[str]:
    """The rooms from which a module may import anything, and modules beside them."""
    room = own.split(".")[0]
    if is_among(own, LOWEST):
        return set()
    if is_among(own, PROGRAMS):
        return {"support", *PROGRAMS}
    allowed = {room, "support", *ROOMS[room]}
    # a front end may use the public API
    return allowed | {"frontends": {"__init__"}, "analysis": PROGRAMS, "tools": COMPILED}.get(room, set())


def test_rooms_import_only_what_the_table_says():
    wrong = []
    for path in modules():
        own = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        allowed = allowed_to(own)
        wrong += [
            f"{path.relative_to(ROOT)}:{line}: {name}"
            for line, name in imports_of(path)
            if name.split(".")[0] not in allowed
            and not is_among(name, LOWEST | (allowed & (PROGRAMS | COMPILED)))
        ]
    assert wrong == []


def test_the_rooms_have_an_order():
    rooms = list(ROOMS)
    for room, below in ROOMS.items():
        assert all(rooms.index(other) < rooms.index(room) for other in below), room


@pytest.mark.parametrize("room", STAGES)
def test_stages_import_only_earlier_ones(room: str):
    stages = STAGES[room]
    for path in (PACKAGE / room).rglob("*.py"):
        own = path.relative_to(PACKAGE / room).parts[0]
        later = stages[stages.index(own) + 1 :] if own in stages else ()
        wrong = [name for _, name in imports_of(path) if name.startswith(tuple(f"{room}.{x}" for x in later))]
        assert wrong == [], path


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


LARGEST_KNOT = 12


def test_import_knots_are_small():
    """Modules that import one another in a circle can only be read together. Imports for types count, too."""
    paths = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in modules()}
    names = {name.removesuffix(".__init__"): name for name in paths}
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for name, path in paths.items():
        for _, found in imports_of(path):
            target = names.get(found) or names.get(found.rpartition(".")[0])
            graph.add_edges_from([(name, target)] if target not in (None, name) else [])
    assert [
        sorted(knot) for knot in networkx.strongly_connected_components(graph) if len(knot) > LARGEST_KNOT
    ] == []


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


def test_every_module_says_what_it_is():
    assert [str(path) for path in modules() if not read(path).sentence] == [], (
        "a module opens with a sentence"
    )


# Files are read and written in one place each; these read what comes with RuleForge itself.
ENTRY_POINTS = {
    "support/input_files.py",
    "support/output_files.py",
    "support/disk_cache.py",
    "frontends/cli/main.py",  # opens /dev/null
    "project/pack_archive.py",  # opens the files in an archive that was read into memory
}
OWN_DATA = {
    "backends/cache.py",
    "backends/native/subset.py",
    "lang/parser/grammar.py",
    "frontends/cli/explain_command.py",
    "tools/templates/__init__.py",
    "tools/mutation/run.py",
    "support/build_fingerprint.py",
    "support/resources.py",
    "lang/schema/validate.py",
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
    others = {name: found for name, found in touching.items() if found and name not in ENTRY_POINTS}
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


# Modules with a work list or a fixed point of their own, each with the reason why it is no use of `analysis/dataflow`.
OWN_WORK_LISTS = {
    "analysis/dataflow.py": "the solver itself",
    "backends/python_source/loop_extraction.py": "a walk over the trees of Python",
    "compiler/visit.py": "the walks themselves",
    "engine/visibility/hidden_locals.py": "labels as bits of numbers",
    "engine/visibility/secret_values.py": "values of a row change places",
    "lang/checker/walk.py": "the walks themselves; declarations lead to one another in circles",
}
WORK_LIST = re.compile(r"\b_?(todo|queue|pending|worklist|changed|again)$")


def has_work_list(path: Path) -> bool:
    """Does a module run a loop until nothing is left, or nothing changes?"""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.While) and WORK_LIST.search(
            ast.unparse(node.test).split(" := ")[0].lstrip("(")
        ):
            return True
    return False


def test_fixed_points_are_found_by_one_solver():
    """Also in new modules: `dataflow.reach` for what can be reached, `dataflow.Solver` for facts that hang together."""
    rooms = ("analysis", "backends", "compiler", "engine", "lang/checker")
    found = {
        path.relative_to(PACKAGE).as_posix()
        for room in rooms
        for path in (PACKAGE / room).rglob("*.py")
        if has_work_list(path)
    }
    assert found == set(OWN_WORK_LISTS)


# Tests that name private parts of a module: what they test cannot be seen from outside.
INSIDE = {
    "benchmarks/ours.py": "measures steps without the checks of the API",
    "benchmarks/searching.py": "compares two ways of one search",
    "tests/differential/test_batches.py": "compares batches of two backends, word for word",
    "tests/inside.py": "gives tests the row and the variant of a state",
    "tests/kills/killing.py": "reads the handle of a process",
    "tests/pictures.py": "opens a position at a table of the browser",
    "tests/property/test_refusal_reasons.py": "compares codes of choices",
    "tests/redeals.py": "writes hidden things into a row",
    "tests/rl/test_pettingzoo.py": "watches when a simultaneous move begins",
    "tests/test_benchmarks.py": "compares rows that benchmarks left",
    "tests/test_games_page.py": "calls the page's own question",
    "tests/unit/backends/native/test_tree.py": "reads the search tree in memory",
    "tests/unit/engine/test_batch.py": "compares heads of batches",
    "tests/unit/engine/test_search.py": "reads how a search shares its simulations",
    "tests/unit/engine/test_state.py": "changes rows under a state",
    "tests/unit/engine/visibility/test_hidden_locals.py": "repeats an analysis that has ended",
    "tests/unit/frontends/web/test_server.py": "waits for free places of the server",
    "tests/unit/frontends/web/test_table.py": "moves agents without their thread",
    "tests/unit/lang/source/test_yaml_reader.py": "takes away the quick parser",
    "tests/unit/support/diagnostics/test_render.py": "reads the table of codes",
    "tests/unit/support/test_disk_cache.py": "ends tidying by hand",
    "tests/unit/tools/counterexamples/test_finder.py": "asks whether a scenario file holds",
}
# Of libraries and of Python: `_` begins names that everybody may use there.
OF_OTHERS = {"_exit", "_replace", "_repr_html_", "_info_state_nodes", "_cumulative_rewards", "_value"}


def private_names(path: Path) -> set[str]:
    """The names with `_` that a file uses and does not declare itself."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    own = {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    own |= {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
    used = {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    used |= {alias.name for n in nodes if isinstance(n, ast.ImportFrom) for alias in n.names}
    calls = [n for n in nodes if isinstance(n, ast.Call) and ast.unparse(n.func).endswith(".setattr")]
    used |= {str(a.value) for n in calls for a in n.args if isinstance(a, ast.Constant)}
    return {name for name in used - own - OF_OTHERS if re.match(r"_[a-z]", name, re.IGNORECASE)}


def own_names(path: Path) -> set[str]:
    """The names with `_` that a file gives to anything."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    own = {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    own |= {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
    own |= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return {name for name in own if re.match(r"_[a-z]", name, re.IGNORECASE)}


def test_rooms_use_what_is_public_of_other_rooms():
    """A private name that a module uses has an owner in its own room, or comes from outside of RuleForge."""
    owners: dict[str, set[str]] = {}
    for path in modules():
        for name in own_names(path):
            owners.setdefault(name, set()).add(path.relative_to(PACKAGE).parts[0])
    found = set()
    for path in modules():
        room = path.relative_to(PACKAGE).parts[0]
        reached = {name for name in private_names(path) if room not in owners.get(name, {room})}
        found |= {f"{path.relative_to(PACKAGE).as_posix()}: {name}" for name in reached}
    assert found == set()


def test_tests_use_what_is_public():
    files = [path for folder in ("tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    found = {
        p.relative_to(ROOT).as_posix() for p in files if "node_modules" not in p.parts and private_names(p)
    }
    assert found == set(INSIDE)
