"""The artifacts of one game: each is compiled once, when it is first needed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cached_property

from ruleforge.backends import python_source, reference, registry
from ruleforge.backends.api import Backend, Choices, Runtime
from ruleforge.backends.artifacts.info import PackInfo, info_of
from ruleforge.backends.artifacts.measures import Components, components_of, measuring
from ruleforge.backends.artifacts.query_programs import (
    Answering,
    HintParts,
    Scope,
    answering,
    effect,
    hinting,
)
from ruleforge.backends.artifacts.setup import BEGIN, Beginning, Setup, begun, setup_for
from ruleforge.backends.cache import cached_program, cached_questioning
from ruleforge.backends.faults import OutOfRoom, StartError
from ruleforge.compiler import ir
from ruleforge.compiler.ir import Program
from ruleforge.compiler.lower.context import Begin
from ruleforge.compiler.program import measuring_program, program_from_checked, questioning_program
from ruleforge.compiler.questions import ActionQuestions, QuestioningProgram, SiteQuestions
from ruleforge.compiler.trace_marks import NO_MARKS
from ruleforge.compiler.trigger_functions import Queue, TriggerQuery, trigger_program, waiting_queue
from ruleforge.lang.checker.typed import Checked, Weight
from ruleforge.support.ceilings import Ceilings
from ruleforge.support.diagnostics import Diagnostic, Report, Span
from ruleforge.support.records import dataclass

_RUNNERS: Mapping[str, Backend] = {"reference": reference, "python": python_source}


@dataclass(frozen=True, slots=True)
class Questioning:
    """A program over the same row with a function for each requirement of each action and each answer."""

    runtime: Runtime
    actions: Mapping[str, ActionQuestions]
    sites: Mapping[int, SiteQuestions]  # by number


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weight of a choice of an action, as a text over these locals. `me` names the player who chooses."""

    text: str
    me: str
    scope: Scope


class Compiled:
    """Programs, runtimes and questions of a game by setup, with the texts of the author."""

    def __init__(
        self,
        checked: Checked,
        texts: Mapping[str, str],
        backend: str = "auto",
        packs: tuple[PackInfo, ...] = (),
    ) -> None:
        self.info = info_of(checked, packs)
        self.texts = Texts(texts)
        self.backend = backend
        self._runner = registry.backend(backend)
        self._checked = checked
        self._plain = setup_for(self.info, None, None, "sampled")
        self._programs: dict[Setup, Program] = {}
        self._questioning: dict[Setup, Questioning] = {}
        self._hints: dict[Setup, dict[str, HintParts]] = {}
        self.profiles: Mapping[str, Mapping[str, Weighing]] = {
            profile.name: {weight.action.name: _weighing(weight) for weight in profile.weights}
            for profile in checked.profiles.values()
        }  # by name, then by action

    @property
    def ceilings(self) -> Ceilings:
        return self._checked.ceilings

    @cached_property
    def components(self) -> Components:
        """Things and actions with their keywords and packs, for tools that count them."""
        return components_of(self._checked, self.info)

    @property
    def gate(self) -> str:
        """A hash of what the contract of the core keeps up in play: saved games belong to it; empty if nothing."""
        gate = self._checked.gate
        return hashlib.blake2b(gate.name.encode(), digest_size=16).hexdigest() if gate and gate.acts else ""

    def setup(
        self,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
        chance: str = "sampled",
        begin: Beginning | None = None,
    ) -> Setup:
        """Check players and options and build a setup. Raises StartError if they do not fit the rules."""
        if players is None and not options and chance == "sampled" and begin is None:
            return self._plain  # many short games are started so
        setup = setup_for(self.info, players, options, chance)
        return setup if begin is None else replace(setup, begin=begun(self._checked, setup.players, begin))

    def program(self, setup: Setup) -> Program:
        if setup not in self._programs:
            self._programs[setup] = cached_program(self._checked, setup, lambda: self._compile(setup))
        return self._programs[setup]

    def runtime(self, setup: Setup, choices: Choices, program: Program | None = None) -> Runtime:
        """The program made ready to run; see backends.api for `choices`. Another one than the setup's is run plainly."""
        if program is not None:
            return reference.compile(program, choices)
        try:
            return self._runner.compile(self.program(setup), choices)
        except OutOfRoom as problem:
            raise StartError("RF843", f"{problem}; try another `backend`") from None

    def questioning(self, setup: Setup) -> Questioning:
        """The program that explains why an action is not possible.

        The reference interpreter is fast enough for it.
        """
        if setup not in self._questioning:
            questions = self._questions(setup)
            self._questioning[setup] = Questioning(
                reference.compile(questions.program), questions.actions, questions.sites
            )
        return self._questioning[setup]

    def _questions(self, setup: Setup) -> QuestioningProgram:
        return cached_questioning(self._checked, setup, lambda: self._compile_questions(setup))

    def answering(
        self, setup: Setup, text: str, scope: Scope | None = None
    ) -> Answering | tuple[Diagnostic, ...]:
        """Compile a text of the effect language to a program that evaluates it, or return all diagnostics of
        the text. `scope` adds locals.
        """
        return answering(self._checked, setup.players, self._words(setup), text, scope)

    def hints(self, setup: Setup) -> Mapping[str, HintParts]:
        """The hints beside the choices of each action. They are compiled when they are first shown."""
        if setup not in self._hints:
            self._hints[setup] = hinting(self._checked, setup.players, self._words(setup))
        return self._hints[setup]

    def effect(self, setup: Setup, text: str) -> Program | tuple[Diagnostic, ...]:
        """Compile typed effects to a program on the row of the game, or return all their diagnostics."""
        return effect(self._checked, setup.players, self._words(setup), text)

    def measuring(self, setup: Setup, texts: tuple[str, ...]) -> Runtime | tuple[Diagnostic, ...]:
        """The game made ready to tell of every playout what texts ask for, or all that is wrong with them."""
        found = measuring(self._checked, setup.players, texts)
        if isinstance(found, Report):
            return found.diagnostics
        explicit = setup.chance == "explicit"

        def make() -> Program:
            words, first = self._words(setup), self._first(setup)
            return measuring_program(self._checked, setup.players, words, explicit, found, first)

        return self._runner.compile(cached_program(self._checked, setup, make, texts))

    def trigger_queries(self, setup: Setup, event: str) -> tuple[Runtime, tuple[TriggerQuery, ...]]:
        """A query for each rule that listens to an event: would the rule act on it?"""
        words = self._words(setup)
        program, found = trigger_program(self._checked, setup.players, words, self._checked.events[event])
        return reference.compile(program), found

    def queue(self, setup: Setup) -> Queue | None:
        """The place in the row where triggered rules wait."""
        return waiting_queue(self._checked, setup.players, self._words(setup))

    def generated(self, setup: Setup, part: str) -> str:
        """The Python that is run for a setup; `part` is one of the variants of it."""
        from ruleforge.backends.python_source.module import source

        return source(self.program(setup), part)

    def _compile(self, setup: Setup) -> Program:
        explicit = setup.chance == "explicit"
        words, first = self._words(setup), self._first(setup)
        return program_from_checked(self._checked, setup.players, words, explicit, NO_MARKS, first)

    def _compile_questions(self, setup: Setup) -> QuestioningProgram:
        words, explicit = self._words(setup), setup.chance == "explicit"
        return questioning_program(self._checked, setup.players, words, explicit)

    def _first(self, setup: Setup) -> Begin | None:
        if setup.begin is None:
            return None
        phase, player = setup.begin
        return Begin(phase, self._checked.kinds["player"].things.index(player) + 1 if player else 0, BEGIN)

    def _words(self, setup: Setup) -> dict[str, int]:
        known = {option.name: option for option in self.info.options}
        return {name: known[name].word(value) for name, value in setup.options}


def _weighing(weight: Weight) -> Weighing:
    scope = {variable.name: variable.type for variable in (weight.me, *weight.parameters)}
    return Weighing(weight.source, weight.me.name, scope)


# The rule files as they were when the game was loaded: the author's own words at a place.


@dataclass(frozen=True, slots=True)
class Texts:
    """The source texts by file name, as spans name files."""

    files: Mapping[str, str]

    def at(self, span: Span) -> str:
        """The text of a span on one line. Without the source text, its file and line."""
        lines = self.files.get(span.file, "").splitlines()[span.line - 1 : span.end_line]
        if not lines:
            return f"{span.file}:{span.line}"
        if len(lines) == 1:
            return lines[0][span.column - 1 : span.end_column - 1].strip()
        cut = [lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]]
        return " ".join(line.strip() for line in cut)


# The rules of a game that is used once: its artifacts are not cached.


class Unkept(Compiled):
    """A `Compiled` without a disk cache.

    The plain interpreter, which is ready at once, or generated Python runs it.
    """

    def __init__(
        self, checked: Checked, texts: Mapping[str, str], backend: str, packs: tuple[PackInfo, ...]
    ) -> None:
        super().__init__(checked, texts, backend, packs)
        self._runner = _RUNNERS[backend]

    def program(self, setup: Setup) -> Program:
        if setup not in self._programs:
            self._programs[setup] = self._compile(setup)
        return self._programs[setup]

    def _questions(self, setup: Setup) -> QuestioningProgram:
        return self._compile_questions(setup)

    def take_programs(self, other: Unkept) -> None:
        """Take over the compiled programs of another object with the same rules."""
        self._programs = other._programs


# A change of the text moves these without changing play.
_ABOUT = frozenset(
    ("written", "notes", "faults", "actions", "endings", "invariants", "modifiers", "identity")
)


def same_play(one: ir.Program, other: ir.Program) -> bool:
    """Whether all functions, tables and questions are equal, regardless of their places in the files."""
    names = [field.name for field in fields(ir.Program) if field.name not in _ABOUT]
    return all(_plain(getattr(one, name)) == _plain(getattr(other, name)) for name in names)


def _plain(value: object) -> object:
    """A value without places of files."""
    if isinstance(value, tuple) and value and isinstance(value[0], ir.Site):
        return tuple(map(_site, value))
    if isinstance(value, tuple) and value and isinstance(value[0], ir.FormulaInfo):
        return tuple((f.name, f.kinds, f.function, f.sees, f.type, f.base) for f in value)
    return value


def _site(site: ir.Site) -> object:
    options = tuple((o.first, o.count, o.word, o.parts, o.action, o.usual) for o in site.options)
    return (
        site.kind,
        site.enumerator,
        options,
        site.chance,
        site.sampler,
        site.sees,
        site.sealed,
        site.gathered,
    )
