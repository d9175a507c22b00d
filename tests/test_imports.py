"""What takes long to import comes in when it is wanted."""

import os
import subprocess
import sys
from pathlib import Path

DEAR = {"jsonschema", "networkx", "numpy", "rich", "wasmtime", "prompt_toolkit", "click"}


def test_the_package_and_a_sound_game_want_nothing_dear():
    script = (
        "import sys, ruleforge; ruleforge.analyse('nim'); print(*{m.partition('.')[0] for m in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert DEAR & set(done.stdout.split()) == set()


def test_the_package_itself_wants_next_to_nothing():
    script = "import sys, ruleforge; print(*(m for m in sys.modules if m.startswith('ruleforge')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["ruleforge"]


def test_all_that_is_promised_is_there():
    import ruleforge

    assert all(getattr(ruleforge, name) is not None for name in ruleforge.__all__)
    assert set(ruleforge.__all__) <= set(dir(ruleforge))
    assert not hasattr(ruleforge, "nothing_of_this_name")


def loaded_by(*arguments: str, cache: Path) -> set[str]:
    """The modules that are there when a command has ended well."""
    script = "import sys; from ruleforge.frontends.cli.main import run; code = run(sys.argv[1:])"
    script += "; print(); print(*sys.modules); sys.exit(code)"
    command = [sys.executable, "-c", script, *arguments]
    environment = {**os.environ, "RULEFORGE_CACHE": str(cache)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return set(done.stdout.splitlines()[-1].split())


def parts(modules: set[str]) -> set[str]:
    """The rooms of this package, and packages of others, that some modules belong to."""
    own = {m.split(".")[1] for m in modules if m.startswith("ruleforge.")}
    return own | {m.partition(".")[0] for m in modules if not m.startswith("ruleforge")}


def inside(modules: set[str]) -> set[str]:
    """The modules and folders within the rooms that some modules belong to."""
    return {".".join(m.split(".")[1:3]) for m in modules if m.count(".") > 1 and m.startswith("ruleforge.")}


# All of ours that is wanted to say again what was said before.
UNCHANGED = {
    *("build_fingerprint", "ceilings", "dependency_tracking", "diagnostics", "disk_cache", "input_files"),
    *("records", "resources", "spelling", "terminal_escape"),
}
# What rules are never checked by, unless they have checks of what is printed on things.
BEHIND_THE_CHECKER = {"compiler", "engine", "play"}
COMPILED = {
    "backends.api",
    "backends.reference",
    "backends.python_source",
    "backends.native",
    "backends.auto",
}
LIBRARIES = DEAR - {"click"} | {"lark", "interegular", "yaml", "asyncio"}


def test_unchanged_rules_are_validated_without_a_look_at_them(tmp_path: Path):
    cold = loaded_by("validate", "leduc-poker", cache=tmp_path / "kept")
    assert "ruleforge.lang.checker.ruleset" in cold and not parts(cold) & BEHIND_THE_CHECKER
    assert not inside(cold) & (COMPILED | {"project.printed_checks"})
    cold = loaded_by("validate", "nim", cache=tmp_path / "kept")  # now the tables of the grammar are there
    assert not parts(cold) & (LIBRARIES - {"yaml"})
    again = loaded_by("validate", "nim", "leduc-poker", cache=tmp_path / "kept")
    own = {m for m in inside(again) if not m.startswith("frontends")}
    assert own == {*(f"support.{name}" for name in UNCHANGED), "tools.validate_cache"}
    assert not parts(again) & LIBRARIES


def test_help_imports_no_command(tmp_path: Path):
    loaded = loaded_by("--help", cache=tmp_path)
    assert not [m for m in loaded if m.endswith("_command")]
    assert not parts(loaded) & (LIBRARIES | BEHIND_THE_CHECKER | {"lang", "project"})
