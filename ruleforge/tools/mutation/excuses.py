"""Reads `mutants.yaml`, the list of equivalent mutants with reasons, and compares it with verdicts."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from ruleforge.lang.schema.validate import validate_file
from ruleforge.lang.source.tree import MappingNode, SequenceNode
from ruleforge.lang.source.yaml_reader import read_yaml_file
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.input_files import is_file
from ruleforge.support.records import dataclass
from ruleforge.tools.mutation.bench import NOTICED, SURVIVED, Bench, Verdict
from ruleforge.tools.mutation.mutant import Mutant

FILE = "mutants.yaml"


@dataclass(frozen=True, slots=True)
class Excuse:
    """One entry: the changes of a line in a definition, or only that which makes it `after`."""

    home: Path
    file: str
    inside: str
    before: str
    after: str | None
    why: str
    span: Span

    def covers(self, mutant: Mutant, text: str) -> bool:
        if (
            mutant.inside != self.inside
            or Path(mutant.span.file).resolve() != (self.home / self.file).resolve()
        ):
            return False
        return _line(mutant, text) == self.before and self.after in (None, mutant.after(text))


def _line(mutant: Mutant, text: str) -> str:
    """The first line that a change touches: of an entry with many lines it says enough."""
    return " ".join(text.split("\n")[mutant.span.line - 1].split())


def read_excuses(bench: Bench, report: Report) -> tuple[Excuse, ...]:
    """The excuses of all folders with changed files; diagnostics about invalid files are in the report."""
    homes = [folder for folder in _homes(bench) if is_file(folder / FILE)]
    return tuple(excuse for home in homes for excuse in read_excuses_of(home, report))


def _homes(bench: Bench) -> tuple[Path, ...]:
    """The game, the packs, or both. With a pack alone its game stays as it is, though the pack may lie inside it."""
    folders = (bench.rules, *bench.packs)
    paths = (Path(file.path).resolve() for file in bench.files)
    around = ([home for home in folders if path.is_relative_to(home.resolve())] for path in paths)
    changed = {max(homes, key=lambda home: len(home.resolve().parts)) for homes in around if homes}
    return tuple(home for home in folders if home in changed)


def read_excuses_of(home: Path, report: Report) -> list[Excuse]:
    """The excuses of one folder that has such a file."""
    file = read_yaml_file(home / FILE, report, home)
    if file is None:
        return []
    mine = Report()
    validate_file(file, "mutants", mine)
    report.include(*mine)
    listed = file.root.get("equivalent")
    if mine.has_errors or not isinstance(listed, SequenceNode):
        return []
    return [_excuse(home, node) for node in listed.items if isinstance(node, MappingNode)]


def _excuse(home: Path, node: MappingNode) -> Excuse:
    data = {key: " ".join(str(value).split()) for key, value in node.data.items()}
    return Excuse(home, data["file"], data["in"], data["before"], data.get("after"), data["why"], node.span)


@dataclass(frozen=True, slots=True)
class Survivors:
    """The unnoticed mutants with and without a listed reason, and outdated entries."""

    survivors: tuple[Mutant, ...]
    excused: tuple[tuple[Mutant, Excuse], ...]
    stale: tuple[tuple[Excuse, str], ...] = field(default=())


def sifted(
    bench: Bench, verdicts: tuple[tuple[Mutant, Verdict], ...], excuses: tuple[Excuse, ...]
) -> Survivors:
    """An entry is held against all changes that it covers, if each of them was judged; one without any is told."""
    covered = {e: [m for m in bench.mutants if e.covers(m, bench.text(m))] for e in excuses}
    reasons = {mutant: excuse for excuse in reversed(excuses) for mutant in covered[excuse]}
    left = [mutant for mutant, verdict in verdicts if verdict.what == SURVIVED]
    known = {mutant: verdict.what for mutant, verdict in verdicts}
    found = ((excuse, {known.get(mutant, "") for mutant in mutants}) for excuse, mutants in covered.items())
    return Survivors(
        tuple(mutant for mutant in left if mutant not in reasons),
        tuple((mutant, reasons[mutant]) for mutant in left if mutant in reasons),
        tuple((excuse, message) for excuse, what in found if (message := _stale(what))),
    )


def _stale(found: set[str]) -> str:
    """The mistake of an entry, from the verdicts of its changes; empty if there is none, or some were not tried."""
    if not found:
        return "this change no longer exists"
    if SURVIVED in found or "" in found:
        return ""
    return (
        "a scenario notices this change"
        if NOTICED in found
        else "this change does not count: `validate` rejects it, or it makes no difference in play"
    )
