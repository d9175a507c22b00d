"""`mutants.yaml` beside the rules: changes that nobody can notice, each with the reason; held against verdicts."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from ruleforge.diagnostics import Report, Span
from ruleforge.mutation.bench import NOTICED, REFUSED, SAME, SURVIVED, Bench, Verdict
from ruleforge.mutation.mutant import Mutant
from ruleforge.quick import dataclass
from ruleforge.reading import is_file
from ruleforge.schema.validate import validate_file
from ruleforge.source.tree import MappingNode, SequenceNode
from ruleforge.source.yaml_reader import read_yaml_file

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
    """Of all folders whose files are changed; complaints about what is no such file are in the report."""
    homes = [folder for folder in (bench.rules, *bench.packs) if is_file(folder / FILE)]
    return tuple(excuse for home in homes for excuse in _read(home, report))


def _read(home: Path, report: Report) -> list[Excuse]:
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
class Sifted:
    """What was not noticed, parted in what is listed with a reason and what is not; and entries that say too much."""

    survivors: tuple[Mutant, ...]
    excused: tuple[tuple[Mutant, Excuse], ...]
    stale: tuple[tuple[Excuse, str], ...] = field(default=())


def sifted(
    bench: Bench, verdicts: tuple[tuple[Mutant, Verdict], ...], excuses: tuple[Excuse, ...], whole: bool
) -> Sifted:
    """With `whole` every change was judged: then an entry that meets none is told, too."""
    survivors: list[Mutant] = []
    excused: list[tuple[Mutant, Excuse]] = []
    met: dict[Excuse, set[str]] = {excuse: set() for excuse in excuses}
    for mutant, verdict in verdicts:
        covering = [e for e in excuses if e.covers(mutant, bench.text(mutant))]
        for excuse in covering:
            met[excuse].add(verdict.what)
        if verdict.what == SURVIVED:
            if covering:
                excused.append((mutant, covering[0]))
            else:
                survivors.append(mutant)
    stale = [(excuse, told) for excuse, found in met.items() if (told := _stale(excuse, found, whole))]
    return Sifted(tuple(survivors), tuple(excused), tuple(stale))


def _stale(excuse: Excuse, found: set[str], whole: bool) -> str:
    """What is wrong with an entry; empty if nothing is, or nothing can be said."""
    if SURVIVED in found or (not whole and excuse.after is None):
        return ""
    if NOTICED in found:
        return "a scenario notices this change"
    if found & {SAME, REFUSED}:
        return "this change is not counted: it is refused, or changes no play"
    return "there is no such change any more" if whole else ""
