"""`Console` runs commands for one author: it holds the rules, the branches and the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final, Literal

from ruleforge.contracts.locks.fingerprint import Fingerprint, fingerprint
from ruleforge.engine.breakpoints import Stop
from ruleforge.engine.errors import ExpressionError, IllegalChoice, PlayError, RulesetError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import opened
from ruleforge.engine.state import State
from ruleforge.frontends.repl.answer import Refusal, Reply
from ruleforge.lang.checker.typed import Checked
from ruleforge.lang.checker.types import Type
from ruleforge.play.journal import Journal
from ruleforge.play.record import Line
from ruleforge.play.timeline import Moment, Timeline
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Diagnostic, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import did_you_mean

HABIT: Final = "habit"
POSITION: Final = "position"


@dataclass(frozen=True, slots=True)
class Start:
    """The start of the game at the console."""

    seed: int | None = 0  # None: it began with a saved position
    players: int | None = None
    options: tuple[tuple[str, int | str | bool], ...] = ()


WIDE = 101


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its usage, its help, an example, and its function.

    A command that `changes` something is written to the journal. It waits while a step is stopped in the middle.
    """

    name: str
    usage: str
    help: str
    example: str
    act: Callable[[Console, str], Reply]
    changes: Literal["", "habit", "position"] = ""


@dataclass(frozen=True, slots=True)
class Break:
    """A breakpoint: on a name or a line, perhaps under a condition with the locals that are known there."""

    text: str
    name: str
    line: tuple[str, int] | None
    when: str
    scope: Mapping[str, Type]


@dataclass(frozen=True, slots=True)
class Pending:
    """A step that is stopped in the middle, and its place."""

    doing: Any  # one of `stepping`
    stop: Stop


@dataclass
class Console:
    """The state of the author's console: rules, timeline, breakpoints, watches."""

    rules: Rules
    start: Start
    timeline: Timeline
    commands: dict[str, Command]
    watches: list[str] = field(default_factory=list)
    trace: bool = False
    breaks: list[Break] = field(default_factory=list)
    pending: Pending | None = None
    dice: tuple[str, ...] = ()  # results laid down for the rolls and picks to come
    test_scenario: Callable[[Game, Path], Sequence[Diagnostic]] = field(default=lambda _game, _file: ())
    journal: Journal | None = None
    done: tuple[Line, ...] = ()  # what was done again from a record
    watched_before: dict[str, str] = field(
        default_factory=dict
    )  # what is watched, when the step under way began
    columns: Callable[[], int] = field(default=lambda: WIDE)  # of what the table is drawn on

    @property
    def width(self) -> int:
        """How wide a table may be."""
        return self.columns() - 1

    @property
    def here(self) -> Moment:
        return self.timeline.here

    @property
    def state(self) -> State:
        return self.timeline.here.state

    def answer(self, line: str) -> Reply:
        """Do what a line says: a command, else an expression to work out. Raises Refusal, and changes nothing."""
        word, rest = self.parted(line)
        command = self.commands.get(word, self.commands["="])
        if self.pending is not None and command.changes == POSITION:
            label = self.pending.doing.label
            raise Refusal(
                f"`{label}` is stopped in the middle: `step`, `next`, `continue`, or `undo` to cancel it"
            )
        try:
            player = self.state.decision.player if self.state.decision and word == "do" else ""
            answer = command.act(self, rest)
            if command.changes:
                self.keep(line.strip(), player)
            return answer
        except ExpressionError as mistake:
            if command.name != "=":
                raise Refusal("", mistake.diagnostics, rest, mistake.code) from None
            raise self._mistaken(line, rest, mistake) from None
        except IllegalChoice as refusal:
            lines = "\n".join(str(reason) for reason in refusal.reasons)
            raise Refusal(lines, code=refusal.code) from None
        except RulesetError as error:
            raise Refusal("the rules have mistakes", error.diagnostics) from None
        except PlayError as error:
            raise Refusal(error.message, code=error.code) from None
        except OSError as problem:
            reason = (problem.strerror or str(problem)).lower()
            raise Refusal(f"{problem.filename or 'a file'}: {reason}") from None

    def keep(self, line: str, player: str = "") -> None:
        """Write into the journal what was done."""
        if self.journal is not None:
            self.journal.add(Line(line, self.state.imprint, player))

    def parted(self, line: str) -> tuple[str, str]:
        """The word of a command and what follows it; `=` for an expression."""
        word, _, rest = line.strip().partition(" ")
        if word.endswith(":") and word[:-1] in self.commands:
            return word[:-1], line.strip()[len(word) :]
        head, newline, _ = word.partition("\n")
        if newline and head.rstrip(":") in self.commands:
            return head.rstrip(":"), line.strip()[len(head) :]
        return (word, rest.strip()) if word in self.commands else ("=", line.strip())

    def _mistaken(self, line: str, rest: str, mistake: ExpressionError) -> Refusal:
        """A mistake in a text; where the text is something to choose, or nearly a command, that is said instead."""
        word = line.split()[0]
        if not any(sign in word for sign in ".(["):
            if not self.state.why_not(line):
                return Refusal(f"`{line}` is a choice; use `do {line}`")
            hint = did_you_mean(word, self.commands)
            if hint and word not in self.rules.checked.words:
                return Refusal(
                    f"`{word}` is neither a command nor a name in the rules; {hint}",
                    mistake.diagnostics,
                    rest,
                )
        return Refusal("", mistake.diagnostics, rest, mistake.code)

    def prompt(self) -> str:
        """The prompt: the number of the moment, and the branch if it is not the first."""
        if self.pending is not None:
            return f"{self.here.number} stopped▸ "
        branch = "" if self.timeline.branch == "main" else f"{self.timeline.branch} "
        return f"{branch}{self.here.number}▸ "

    def heading(self) -> str:
        """The game and who is asked what."""
        info = self.rules.game.info
        packs = "".join(f" + {pack.id} {pack.version}" for pack in info.packs)
        return f"{info.id} {info.version}{packs} · {self.waits()}"

    def waits(self) -> str:
        """The player who decides and the question, or the outcome of the game."""
        decision = self.state.decision
        if decision is None:
            return f"the game is over: {self.state.outcome}"
        return f"{decision.player} decides: {decision.prompt}"


# The rules at the console: their analysis and the game that plays them.


@dataclass(frozen=True, slots=True)
class Rules:
    """The path of the rules, their analysis, and the game."""

    name: str
    packs: tuple[str, ...]
    analysis: Analysis
    game: Game
    fingerprint: Fingerprint

    @property
    def checked(self) -> Checked:
        assert self.analysis.checked is not None
        return self.analysis.checked

    @property
    def definitions(self) -> Mapping[str, str]:
        """A short digest of what each definition says."""
        return self.fingerprint.definitions

    @property
    def folders(self) -> tuple[Path, ...]:
        return (self.analysis.path, *(reading.path for reading in self.analysis.packs))

    def title(self, name: str) -> str:
        """The title of a thing, by its name or by a rule printed on it; the name itself without a title."""
        thing = name.partition(".")[0]
        for kind in self.checked.kinds.values():
            if kind.titles.get(thing):
                return kind.titles[thing]
        return name

    def place(self, span: Span) -> str:
        """`cards.yaml:18`; of a file of a pack with the folder it lies in."""
        return f"{shown_file(span.file, self.folders)}:{span.line}"


def read_rules(name: str, packs: tuple[str, ...]) -> Rules:
    """Raises RulesetError with every diagnostic if they cannot be played."""
    analysis = analyse(name, packs)
    if not analysis.complete:
        raise RulesetError(analysis.diagnostics)
    assert analysis.ruleset is not None and analysis.parsed is not None
    return Rules(
        name, packs, analysis, opened(analysis, name), fingerprint(analysis.ruleset, analysis.parsed)
    )


def shown_file(file: str, folders: tuple[Path, ...]) -> str:
    """A file as people name it: as seen from its game, or from the folder its pack lies in."""
    path = Path(file).absolute()
    core, *packs = (folder.absolute() for folder in folders)
    for pack in packs:
        if path.is_relative_to(pack):
            return path.relative_to(pack.parent).as_posix()
    if path.is_relative_to(core):
        return path.name if path == core else path.relative_to(core).as_posix()
    return file
