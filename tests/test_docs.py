"""The documents are true: their code runs, every command and every code is in them, links lead somewhere."""

from __future__ import annotations

import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

from ruleforge.lang.checker.builtins import BUILTINS
from ruleforge.lang.parser.text_parser import parse_block
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.diagnostics.codes import CODES
from tests.documents import (
    CODE,
    ROOT,
    Block,
    blocks_of,
    commands_of,
    completed,
    diagnostics_for,
    documents,
    plain_words,
    run_command,
    shows,
)
from tests.unit.frontends.commands import Command as InThisProcess

PAGES = documents()
LANGUAGE = ROOT / "docs" / "reference" / "language"
LANGUAGES = {"python", "yaml", "effects", "console", "sh", "text", "toml", "json", ""}


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _cases(language: str) -> list[pytest.param]:  # type: ignore[valid-type]
    return [
        pytest.param(block, id=f"{_name(page)}:{block.line}")
        for page in PAGES
        for block in blocks_of(page)
        if block.language == language and block.file is None and block.source is None
    ]


# --- blocks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files are written, commands run and Python is executed in the order of the page, in one folder."""
    monkeypatch.chdir(tmp_path)
    here = InThisProcess(capsys)
    names: dict[str, object] = {"__name__": "document"}
    for block in blocks_of(page):
        assert block.language in LANGUAGES, f"{_name(page)}:{block.line}: unknown language {block.language}"
        if block.file is not None:
            target = tmp_path / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            _run_console(page, block, tmp_path, here)
        elif block.language == "python":
            source = "\n" * block.line + block.text
            exec(compile(source, str(page), "exec"), names)


def _run_console(page: Path, block: Block, folder: Path, here: InThisProcess) -> None:
    for command in commands_of(block):
        done = run_command(command, folder, here)
        where = f"{_name(page)}:{block.line}: {command.text}"
        assert done.code == command.exit_code, f"{where}\n{done.output}"
        assert "Traceback" not in done.output, f"{where}\n{done.output}"
        if command.output.strip():
            assert shows(done.output, command.output), f"{where}\n{done.output}"


def test_only_plain_command_lines_are_run_without_a_shell() -> None:
    assert plain_words("ruleforge repl nim -c 'choices; do take seven 7'  # exit 1") == [
        *("ruleforge", "repl", "nim", "-c", "choices; do take seven 7")
    ]
    for text in (
        "ruleforge games | head -1",
        "ruleforge games > list",
        "ruleforge a && b",
        "ruleforge fmt *",
    ):
        assert plain_words(text) is None


@pytest.mark.parametrize("block", _cases("yaml"))
def test_fragments_of_rules_are_right_or_wrong_as_they_say(block: Block, tmp_path: Path) -> None:
    """A block is fine once completed to a game; one after `<!-- RF501 -->` gives that diagnostic."""
    expected = [word for word in block.words if CODE.fullmatch(word)]
    if "scenario:" in block.text.split("\n", 1)[0]:
        pytest.skip("scenarios run with the page they are on")
    # A fragment is a part of a ruleset: warnings about the whole (such as "never used") count only if asked for.
    found = [
        d for d in diagnostics_for(completed(block), tmp_path) if d.severity == "error" or d.code in expected
    ]
    shown = "\n".join(f"{d.span}: {d.code} {d.message}" for d in found)
    if expected:
        assert {d.code for d in found} == set(expected), shown
    else:
        assert not found, shown


EXCERPTS = [
    pytest.param(block, id=f"{_name(page)}:{block.line}")
    for page in PAGES
    for block in blocks_of(page)
    if block.source is not None
]


@pytest.mark.parametrize("block", EXCERPTS)
def test_excerpts_stand_in_their_ruleset(block: Block) -> None:
    """A block after `<!-- from=costs -->` shows lines of that tiny ruleset, whose scenarios run in test_mechanics."""
    assert block.source is not None
    assert block.is_excerpt_of(block.source.read_text(encoding="utf-8"))


@pytest.mark.parametrize("block", _cases("effects"))
def test_effects_parse(block: Block) -> None:
    lines = block.text.splitlines()
    span = Span("page", 1, 1, len(lines), 1)
    report = Report()
    parse_block(SourceText(block.text, span, tuple((n, 1) for n in range(1, len(lines) + 1))), report)
    assert not list(report), [f"{d.span}: {d.message}" for d in report]


# --- completeness --------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_page(code: str) -> None:
    page = ROOT / "docs" / "diagnostics" / f"{code}.md"
    assert page.exists()
    assert page.read_text(encoding="utf-8").startswith(f"# {code} {CODES[code].title}\n")


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_is_provoked_by_an_example(code: str) -> None:
    """On its page, in a chunk of tests/diagnostics, or in a test."""
    page = ROOT / "docs" / "diagnostics" / f"{code}.md"
    if page.exists() and any(_provokes(code, block) for block in blocks_of(page)):
        return
    chunks = (ROOT / "tests" / "diagnostics").glob("**/*.yaml")
    if any(f"#! {code}" in chunk.read_text(encoding="utf-8") for chunk in chunks):
        return
    tests = (test for test in (ROOT / "tests").rglob("test_*.py") if test.name != "test_docs.py")
    assert any(f'"{code}"' in test.read_text(encoding="utf-8") for test in tests)


def _provokes(code: str, block: Block) -> bool:
    return code in block.words or (block.language in ("python", "console") and code in block.text)


def test_there_are_no_pages_without_a_code() -> None:
    pages = {page.stem for page in (ROOT / "docs" / "diagnostics").glob("RF*.md")}
    assert pages <= set(CODES)


def test_every_command_is_in_the_documents() -> None:
    from ruleforge.frontends.cli.main import COMMANDS

    text = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| `ruleforge ([a-z-]+)", text, re.MULTILINE)
    assert sorted(set(shown)) == sorted(COMMANDS)  # one with several forms has several rows


def test_every_builtin_is_in_the_language_page() -> None:
    text = (LANGUAGE / "expressions.md").read_text(encoding="utf-8")
    table = text.split("## Built-in functions")[1].split("\n## ")[0]
    shown = set(re.findall(r"`([a-z_]+)\(", table)) - {"cell"}
    assert shown == set(BUILTINS)


def test_every_word_of_the_language_is_in_its_pages() -> None:
    from ruleforge.lang.parser.grammar import RESERVED

    text = "\n".join(page.read_text(encoding="utf-8") for page in sorted(LANGUAGE.glob("*.md")))
    assert not sorted(word for word in RESERVED if not re.search(rf"\b{word}\b", text))


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{_name(page)} -> {target}"


NAMED_CODE = re.compile(
    r"`([a-z_]+(?:/[a-z_]+)+)((?:\.\w+)*)`"
)  # `frontends/web/server.Server`, `tests/differential`


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "explanation").glob("*.md")), ids=_name)
def test_modules_and_functions_named_in_explanations_exist(page: Path) -> None:
    named = NAMED_CODE.findall(page.read_text(encoding="utf-8"))
    assert not [path + names for path, names in named if not _is_code(path, names)]


def test_the_journeys_of_the_architecture_name_their_functions() -> None:
    text = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    journeys = text.split("## Three journeys")[1].split("\n## ")[0]
    assert len([names for _, names in NAMED_CODE.findall(journeys) if names]) > 10
    assert not _is_code("play/session", ".Session.resubmit") and not _is_code("play/sessions", "")


def _is_code(path: str, names: str) -> bool:
    """Whether it is a file or folder of the repository, or a module of `ruleforge` with these names."""
    if any((root / f"{path}{names}").exists() for root in (ROOT, ROOT / "ruleforge")):
        return True
    try:
        module = import_module(f"ruleforge.{path.replace('/', '.')}")
        return not names or attrgetter(names[1:])(module) is not None
    except (ImportError, AttributeError):
        return False


def test_every_mechanic_has_a_page_in_the_index() -> None:
    """One page for each tiny ruleset, named after it, shown in the index of mechanics."""
    folder = ROOT / "docs" / "mechanics"
    index = (folder / "index.md").read_text(encoding="utf-8")
    pages = [page for page in sorted(folder.glob("*.md")) if page.name != "index.md"]
    rulesets = {folder.name for folder in (ROOT / "tests" / "rulesets").iterdir() if folder.is_dir()}
    assert {page.stem for page in pages} == rulesets
    assert not [page.name for page in pages if f"({page.name})" not in index]
