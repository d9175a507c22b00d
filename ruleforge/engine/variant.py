"""`Variant` is a ruleset with fixed players, options and source of chance: its program, runtime and visibility."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ruleforge.backends.api import Row
from ruleforge.backends.artifacts.compiled import Compiled
from ruleforge.backends.artifacts.info import GameInfo
from ruleforge.backends.artifacts.setup import Setup
from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import Program
from ruleforge.compiler.step_budget import tells
from ruleforge.engine.choice import Choice, wordings
from ruleforge.engine.errors import IllegalChoice
from ruleforge.engine.faults import refusal_by_fault, unanswered
from ruleforge.engine.paths import FormulaPath, Path, plain_value, read
from ruleforge.engine.presentation.observation import Outcome, Value
from ruleforge.engine.row_names import RowNames
from ruleforge.engine.special_runtimes import SpecialRuntimes
from ruleforge.engine.stack_ranges import StackRanges
from ruleforge.engine.visibility.conditions import PUBLIC
from ruleforge.engine.visibility.ruleset import RulesetVisibility


class Variant(RowNames):
    """The data that all states of a setup share. It answers for any row, and knows no state.

    Its concepts have classes of their own: `RowNames` (the base class), `runtime`, `special` (runtimes made
    on first use), and `visibility`.
    """

    def __init__(self, compiled: Compiled, setup: Setup, program: Program | None = None) -> None:
        """With a program of its own, on the same row, it is that one which is run, plainly."""
        super().__init__(program or compiled.program(setup))
        self.compiled = compiled
        self.setup = setup
        self.wordings = wordings(self.program)
        choices = [() if w is None else w.choices for w in self.wordings]
        self.runtime = compiled.runtime(setup, choices, program)
        self.special = SpecialRuntimes(compiled, setup, self.program, self.runtime)
        self.outcomes: dict[tuple[int, int], Outcome] = {}  # by ending and winners

    def __deepcopy__(self, _: object) -> Variant:
        return self

    @property
    def info(self) -> GameInfo:
        """The description of the game itself."""
        return self.compiled.info

    def things_of(self, choice: Choice) -> tuple[tuple[str, str], ...]:
        """The things in a choice as (kind, name), for the host: also things that the choosing player cannot see."""
        wording = self.wordings[choice.site]
        assert wording is not None
        return wording.named_things(choice._code)

    # --- what a position comes to ---

    def ask(self, function: str, row: Row, arguments: Sequence[int], question: str) -> int:
        """The result of a function of the rules for a row, within its step budget; PathError if the rules
        break it off.
        """
        try:
            return self.runtime.call(function, row, arguments)
        except Trapped as trapped:
            raise unanswered(self.program, trapped, question) from None

    def value(self, row: Row, path: Path) -> Value:
        """The value of a path in a row."""
        if not isinstance(path, FormulaPath):
            return read(self.program, row, path)
        word = self.ask(path.info.function, row, path.indices, f"`{path.path}` has no value")
        return plain_value(self.program, path.info.type, word)

    def scratch(self, row: Row) -> Row:
        """A row to ask several questions on, so that their work is counted together."""
        return self.runtime.query_row(row, apart=self._long_questions)

    @cached_property
    def _long_questions(self) -> bool:
        """Whether any query about a position may take long."""
        program = self.program
        functions: list[str | None] = [program.score, program.heuristic]
        functions += [i.function for i in program.invariants]
        functions += [f for i in program.formulas for f in (i.function, i.sees, i.base)]
        functions += [f for i in program.modifiers for f in (i.function, i.applies)]
        functions += [i.sees for i in program.columns] + [i.sees for i in program.places]
        functions += [i.sees for i in program.notes] + [i.sees for i in program.actions]
        functions += [i.sees for i in program.sites]
        return tells(program, [name for name in functions if name is not None])

    def refusal(
        self, trapped: Trapped, choice: Choice | None = None, before: Row | None = None
    ) -> IllegalChoice:
        """Why the rules broke off a choice, or what else was done; `before` is the row it was made at."""
        return refusal_by_fault(self.program, self.info, trapped, choice, before)

    @cached_property
    def stack_ranges(self) -> StackRanges:
        """Between which numbers the words of frames lie: a saved game from outside is checked against it."""
        return StackRanges(self.program)

    # --- who may see what ---

    @cached_property
    def visibility(self) -> RulesetVisibility:
        """The hidden parts of the ruleset."""
        return RulesetVisibility(self)

    @property
    def hides_something(self) -> bool:
        """Whether the ruleset hides anything from any player."""
        return self.visibility.hides_something

    def viewer(self, name: str | None) -> int:
        """The number of a viewer: a player's number, or PUBLIC for None."""
        return PUBLIC if name is None else self.player_number(name)
