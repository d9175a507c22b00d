"""One program made ready for play: runtime, words for its choices, names for its row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product

from ruleforge.backends import registry
from ruleforge.backends.api import Lockstep, Row, Runtime, Searching, words
from ruleforge.backends.artifacts.compiled import Compiled, Questioning
from ruleforge.backends.artifacts.info import GameInfo
from ruleforge.backends.artifacts.query_programs import Answering
from ruleforge.backends.artifacts.setup import Setup
from ruleforge.backends.faults import Trapped
from ruleforge.backends.playouts import Records
from ruleforge.backends.vector_env import Stepwise, Terms, VectorEnv
from ruleforge.compiler.ir import Changed, NoteInfo, PlaceInfo, Program
from ruleforge.compiler.observation_program import observing
from ruleforge.compiler.step_budget import tells
from ruleforge.engine.choice import Choice, wordings
from ruleforge.engine.errors import ExpressionError, IllegalChoice, PathError
from ruleforge.engine.faults import refusal_by_fault, unanswered
from ruleforge.engine.paths import AttributePath, FormulaPath, Path, Paths, kinds_of, plain_value, read
from ruleforge.engine.presentation.observation import Outcome, Value
from ruleforge.engine.stack_ranges import StackRanges
from ruleforge.engine.visibility.conditions import PUBLIC
from ruleforge.engine.visibility.ruleset import RulesetVisibility


class Variant:
    """A ruleset with its players, options and way of chance fixed."""

    def __init__(self, compiled: Compiled, setup: Setup, program: Program | None = None) -> None:
        """With a program of its own, on the same row, it is that one which is run, plainly."""
        self.compiled = compiled
        self.setup = setup
        self.program = program or compiled.program(setup)
        self.wordings = wordings(self.program)
        choices = [() if w is None else w.choices for w in self.wordings]
        self.runtime = compiled.runtime(setup, choices, program)
        self.player_names = self.program.kinds[0].things[1:]
        self.outcomes: dict[tuple[int, int], Outcome] = {}  # by ending and winners
        self.answers: dict[object, Answering] = {}  # the latest texts that were evaluated, with their locals
        self._measuring: dict[tuple[str, ...], Runtime] = {}

    def __deepcopy__(self, _: object) -> Variant:
        return self

    def measuring(self, texts: tuple[str, ...]) -> Runtime:
        """What plays many games and measures these; it is on the same row."""
        if not texts:
            return self.runtime
        known = self._measuring.get(texts)
        if known is None:
            found = self.compiled.measuring(self.setup, texts)
            if isinstance(found, tuple):
                raise ExpressionError(found)
            known = self._measuring[texts] = found
        return known

    @property
    def info(self) -> GameInfo:
        """What is known of the game itself."""
        return self.compiled.info

    def things_of(self, choice: Choice) -> tuple[tuple[str, str], ...]:
        """The things in a choice as (kind, name), for the host: also those that whoever chooses cannot see."""
        wording = self.wordings[choice.site]
        assert wording is not None
        return wording.named_things(choice._code)

    @property
    def questioning(self) -> Questioning:
        """What `why_not` asks; made when somebody wants to know."""
        return self.compiled.questioning(self.setup)

    @cached_property
    def searching(self) -> Searching | None:
        """What searches in machine code, if that is installed; compiled when somebody searches."""
        return self.runtime if isinstance(self.runtime, Searching) else registry.searching(self.program)

    def lanes(self, terms: Terms) -> VectorEnv:
        """Games that are stepped together: in machine code, unless another backend was asked for."""
        program = observing(self.program)
        wanted = self.compiled.backend in ("auto", "native")
        native = self.searching if wanted else None
        return (
            native.lanes(program, terms)
            if isinstance(native, Lockstep)
            else Stepwise(self.runtime, program, terms)
        )

    def observed(self, row: Row, viewer: int) -> Records:
        """What a player may know of a row, in numbers; `observed` names them."""
        return self._observer.observed_row(words(row, self.program), viewer)

    @cached_property
    def _observer(self) -> VectorEnv:
        return self.lanes(Terms(1, 0, 1, True))

    @cached_property
    def visibility(self) -> RulesetVisibility:
        """What the ruleset hides."""
        return RulesetVisibility(self)

    @property
    def hides_something(self) -> bool:
        """Whether the ruleset hides anything from any player."""
        return self.visibility.hides_something

    @cached_property
    def stack_ranges(self) -> StackRanges:
        """What frames can hold; worked out when a saved game comes from outside."""
        return StackRanges(self.program)

    @cached_property
    def paths(self) -> Paths:
        return Paths(self.program)

    @cached_property
    def shown(self) -> tuple[tuple[AttributePath | FormulaPath, tuple[tuple[int, int], ...]], ...]:
        """What a viewer may be shown, with the things it names that may be hidden or absent, as (kind, number)."""
        asked: tuple[AttributePath | FormulaPath, ...] = (*self.paths.attributes, *self.paths.shown)
        return tuple(
            (
                path,
                tuple(
                    pair for pair in zip(kinds_of(path), path.indices, strict=True) if self._passes(pair[0])
                ),
            )
            for path in asked
        )

    def _passes(self, kind: int) -> bool:
        """Whether things of a kind may be hidden by where they lie, or come and go."""
        return kind in self.pools or bool(self.holders(kind))

    def value(self, row: Row, path: Path) -> Value:
        """What a path stands for in a row."""
        if not isinstance(path, FormulaPath):
            return read(self.program, row, path)
        word = self.ask(path.info.function, row, path.indices, f"`{path.path}` has no value")
        return plain_value(self.program, path.info.type, word)

    def refusal(
        self, trapped: Trapped, choice: Choice | None = None, before: Row | None = None
    ) -> IllegalChoice:
        """Why the rules broke off a choice, or what else was done; `before` is the row it was made at."""
        return refusal_by_fault(self.program, self.info, trapped, choice, before)

    def ask(self, function: str, row: Row, arguments: Sequence[int], question: str) -> int:
        """What a function of the rules gives for a row, which the meter runs on in; PathError if they break it off."""
        try:
            return self.runtime.call(function, row, arguments)
        except Trapped as trapped:
            raise unanswered(self.program, trapped, question) from None

    def scratch(self, row: Row) -> Row:
        """A row to ask several questions on, so that one meter counts the work of them all."""
        return self.runtime.asked(row, apart=self._long_questions)

    @cached_property
    def _long_questions(self) -> bool:
        """Whether anything that is asked about a position may take long."""
        program = self.program
        asked: list[str | None] = [program.score, program.heuristic]
        asked += [i.function for i in program.invariants]
        asked += [f for i in program.formulas for f in (i.function, i.sees, i.base)]
        asked += [f for i in program.modifiers for f in (i.function, i.applies)]
        asked += [i.sees for i in program.columns] + [i.sees for i in program.places]
        asked += [i.sees for i in program.notes] + [i.sees for i in program.actions]
        asked += [i.sees for i in program.sites]
        return tells(program, [name for name in asked if name is not None])

    @cached_property
    def pools(self) -> dict[int, int]:
        """Kinds whose things come and go -> the slot before those that say which exist."""
        kinds = enumerate(self.program.kinds)
        return {number: kind.exists for number, kind in kinds if kind.exists is not None}

    @cached_property
    def changes(self) -> dict[int, NoteInfo]:
        """Columns of which changes are told -> how."""
        return {info.means.column: info for info in self.program.notes if isinstance(info.means, Changed)}

    def container_name(self, instance: int) -> str | None:
        """The path of a container by its number; None for nowhere."""
        return self._container_names.get(instance)

    @cached_property
    def _container_names(self) -> dict[int, str]:
        return {path.instance: path.path for path in self.paths.places}

    def viewer(self, name: str | None) -> int:
        """Who looks: a player by number, or the public."""
        return PUBLIC if name is None else self.player_number(name)

    def player_number(self, name: str) -> int:
        if name not in self.player_names:
            raise PathError(
                "RF830", f"there is no player `{name}`; the players are {', '.join(self.player_names)}"
            )
        return self.player_names.index(name) + 1

    def holders(self, kind: int) -> tuple[tuple[int, PlaceInfo], ...]:
        """The places (by number) where things of a kind can lie."""
        return self._holders[kind]

    def place_indices(self, place: int, instance: int) -> tuple[int, ...]:
        """The things a container belongs to."""
        return self._place_indices[place][instance - self.program.places[place].first - 1]

    @cached_property
    def _holders(self) -> tuple[tuple[tuple[int, PlaceInfo], ...], ...]:
        places = tuple(enumerate(self.program.places))
        return tuple(
            tuple((n, info) for n, info in places if info.holds == kind)
            for kind in range(len(self.program.kinds))
        )

    @cached_property
    def _place_indices(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        kinds = self.program.kinds
        return tuple(
            tuple(product(*(range(1, len(kinds[kind].things)) for kind in info.of)))
            for info in self.program.places
        )
