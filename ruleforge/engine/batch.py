"""Many games that advance together, for reinforcement learning: numbers in, numbers out, one call for all of them.

Arrays are numpy's where numpy can be imported, else `array.array`; they are copies, which later steps leave alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ruleforge.backends import vector_env as layout
from ruleforge.backends.api import Row
from ruleforge.backends.playouts import DECISIONS, ENDING, SCORES, WINNERS
from ruleforge.backends.vector_env import VectorEnv
from ruleforge.compiler.observation_program import HIDDEN, dealt_kinds, observed_columns
from ruleforge.engine import arrays
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError

if TYPE_CHECKING:
    from ruleforge.engine.row_names import RowNames
    from ruleforge.engine.state import State

MOST_CELLS = 1 << 28  # of a mask


class Batch:
    """Environments that play one game after the other, or one each; made by `game.batch`.

    An environment waits for a choice from its list, or its game is over. `apply` takes one number for each environment.
    """

    HIDDEN = HIDDEN  # stands in observations for what the player does not see
    DRAWN, WAIT, NEXT = layout.DRAWN, layout.WAIT, layout.NEXT  # in place of a choice

    def __init__(self, states: type[State], envs: VectorEnv, size: int) -> None:
        self._states, self._variant, self._envs = states, states._variant, envs
        self.size = size
        self._forget()

    def _forget(self) -> None:
        """Forget the cached results of the environments."""
        self._read: array[int] | None = None
        self._listed: array[int] | None = None
        self._counted: array[int] | None = None

    @property
    def _heads(self) -> array[int]:
        """The words about all environments (`backends/vector_env.py`)."""
        if self._read is None:
            self._read = self._envs.heads()
        return self._read

    # --- going on ---

    def apply(self, indices: Sequence[int]) -> None:
        """Make in each environment the choice with this number in its list, from 0.

        DRAWN (-1) makes one at random, WAIT (-2) none, and NEXT (-3) begins the next game of the environment. Other
        numbers for environments that are over are not looked at. PlayError, and nothing is changed, if one does not fit.
        """
        picks = self._given(indices)
        self._forget()
        bad = self._envs.step(picks)
        if bad >= 0:
            count = self._heads[bad * self._width + layout.COUNT]
            raise PlayError(
                "RF849", f"game {bad} has {count} choices, 0 to {count - 1}, and none is number {picks[bad]}"
            )

    def apply_actions(self, actions: Sequence[int]) -> None:
        """The same with numbers of actions, as in `mask`; below 0: one drawn at random."""
        given = self._given(actions)
        codes, first = self._all_codes(), self._column(layout.FIRST)
        counts, sites = self._column(layout.COUNT), self._column(layout.SITE)
        picks = array("i", [-1]) * self.size
        for env, action in enumerate(given):
            if action >= 0 and counts[env] > 0:
                begin = first[env]
                picks[env] = self._index(
                    codes[begin : begin + counts[env]], action - self._first_action[sites[env]], env
                )
        self.apply(picks)

    def _given(self, numbers: Sequence[int]) -> array[int]:
        """One whole number for each environment."""
        if len(numbers) != self.size:
            raise PlayError("RF849", f"{len(numbers)} numbers for {self.size} games")
        try:
            return arrays.words(numbers)
        except (TypeError, ValueError, OverflowError):
            raise PlayError(
                "RF849", "a choice is a whole number: its index in the list of its game"
            ) from None

    def _index(self, codes: array[int], code: int, env: int) -> int:
        try:
            return codes.index(code)
        except ValueError:
            raise PlayError("RF849", f"game {env} has no such choice now") from None

    def reset(self) -> None:
        """Begin the next game in every environment."""
        self._forget()
        self._envs.restart()

    # --- who chooses from what ---

    @property
    def players(self) -> Any:
        """The deciding player of each environment: 1 for the first player, 0 for chance, -1 if the game is over."""
        return arrays.numbers(self._column(layout.WHO))

    @property
    def counts(self) -> Any:
        """The number of choices in each environment; 0 if the game is over."""
        return arrays.numbers(self._counts())

    @property
    def sites(self) -> Any:
        """At which question each environment waits: codes are numbers of answers to one; 0 where the game is over."""
        return arrays.numbers(self._column(layout.SITE))

    @property
    def codes(self) -> Any:
        """The codes of all choices: those of environment k are codes[offsets[k]:offsets[k + 1]]."""
        return arrays.numbers(self._all_codes())

    @property
    def offsets(self) -> Any:
        return arrays.sums(self._counts())

    @cached_property
    def actions(self) -> int:
        """The number of actions: one for each answer to each question of the game, the same in all positions."""
        return sum(self._answers)

    def mask(self) -> Any:
        """A byte for each environment and action: 1 for those that can be chosen now."""
        if self.size * self.actions > MOST_CELLS:
            raise PlayError(
                "RF849",
                f"a mask of {self.actions:,} actions is too large; use `codes` and `offsets`",
            )
        firsts = array("i", [self._first_action[site] for site in self._column(layout.SITE)])
        return arrays.mask(self._all_codes(), self._counts(), firsts, self.actions)

    def choices(self, env: int) -> tuple[Choice, ...]:
        """The choices of an environment, in words, as the deciding player may know them; see `places`."""
        return self.state(env).choices

    def places(self, env: int, choices: Sequence[Choice]) -> tuple[int, ...]:
        """The numbers of choices in an environment's list. Choices among hidden things stand elsewhere in `choices`."""
        first = self._column(layout.FIRST)[env]
        codes = self._all_codes()[first : first + self._counts()[env]]
        return tuple(self._index(codes, choice._code, env) for choice in choices)

    # --- how games come out ---

    @property
    def over(self) -> Any:
        """1 for each environment in which the last step ended a game."""
        return arrays.numbers(self._column(layout.OVER))

    @property
    def scores(self) -> Any:
        """The scores of each environment's last game: a row for each environment, a column for each player."""
        return self._table(layout.RECORD + SCORES, len(self._variant.player_names))

    @property
    def endings(self) -> Any:
        """The ending of each environment's last game: from 1 in the order of `reasons`; 0: cut short; below 0: a
        fault.
        """
        return arrays.numbers(self._column(layout.RECORD + ENDING))

    @property
    def winners(self) -> Any:
        """The winners of each environment's last game: 1 for the first player, 2 for the second, 4 for the third,
        added up.
        """
        return arrays.numbers(self._column(layout.RECORD + WINNERS))

    @property
    def lengths(self) -> Any:
        """The number of decisions in each environment's last game."""
        return arrays.numbers(self._column(layout.RECORD + DECISIONS))

    # --- what is seen ---

    def observations(self, player: str | Sequence[int] | None = None) -> Any:
        """The observation of a player in each environment, or of the player who decides there: a row for each.

        A sequence gives the viewer of each environment, from 1; 0 means no viewer. `observed` names the words of a
        row. HIDDEN stands for each word that the viewer does not see, and for the whole row without a viewer.
        """
        if player is None:
            viewers = array("i", [max(who, 0) for who in self._column(layout.WHO)])
        elif isinstance(player, str):
            viewers = array("i", [self._variant.player_number(player)]) * self.size
        else:
            viewers = self._given(player)
        words = self._envs.observed(viewers)
        return arrays.table(words, self.size, len(words) // self.size)

    @cached_property
    def observed(self) -> tuple[str, ...]:
        """The name of each word of an observation."""
        return observed(self._variant)

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """The endings of the game in their order; see `endings`."""
        return tuple(ending.name for ending in self._variant.program.endings)

    @cached_property
    def containers(self) -> dict[int, str]:
        """The paths of the containers that observations give by number."""
        return containers(self._variant)

    def state(self, env: int) -> State:
        """A copy of an environment as a state, to be looked at in words or played on by itself."""
        runtime = self._variant.runtime
        if self._fault(env):
            raise PlayError("RF849", f"game {env} was stopped by a fault and has no position")
        row: Row = runtime.attach(self._envs.row(env))
        return self._states._of_row(row, runtime.listing(row))

    def _fault(self, env: int) -> bool:
        head = self._heads[env * self._width : (env + 1) * self._width]
        stopped = bool(head[layout.OVER]) and head[layout.RECORD] < 0
        return head[layout.COUNT] < 0 or (head[layout.COUNT] == 0 and stopped)

    # --- words ---

    @cached_property
    def _answers(self) -> tuple[int, ...]:
        """How many answers each site has."""
        return tuple(
            max((o.first + o.count for o in site.options), default=0) if site and number else 0
            for number, site in enumerate(self._variant.program.sites)
        )

    @cached_property
    def _first_action(self) -> tuple[int, ...]:
        return tuple(accumulate(self._answers, initial=0))

    @property
    def _width(self) -> int:
        return layout.head_size(self._variant.program)

    def _column(self, word: int) -> array[int]:
        return self._heads[word :: self._width]

    def _counts(self) -> array[int]:
        if self._counted is None:
            counts = self._column(layout.COUNT)
            self._counted = counts if min(counts) >= 0 else array("i", [max(count, 0) for count in counts])
        return self._counted

    def _all_codes(self) -> array[int]:
        if self._listed is None:
            self._listed = self._envs.codes()
        return self._listed

    def _table(self, word: int, columns: int) -> Any:
        parts = array("i", [0]) * (self.size * columns)
        for column in range(columns):
            parts[column::columns] = self._column(word + column)
        return arrays.table(parts, self.size, columns)

    def __repr__(self) -> str:
        return f"<Batch of {self.size} games of {self._variant.info.id}>"


# The names of the words of an observation, in the order of `compiler/observation_program.py`.


def observed(names: RowNames) -> tuple[str, ...]:
    """`d1.disc`; `ace lies in`, `ace stands at`, `size of ann.hand`; a set of many things takes several words."""
    return (
        *_attributes(names),
        *_lying(names),
        *(f"size of {path.path}" for path in names.paths.places),
    )


def _attributes(names: RowNames) -> Iterator[str]:
    seen = {column.base for column in observed_columns(names.program)}
    for path in names.paths.attributes:
        if path.info.base in seen:
            words = path.info.words
            yield from (path.path if words == 1 else f"{path.path} word {word + 1}" for word in range(words))


def _lying(names: RowNames) -> Iterator[str]:
    for kind, ordered in dealt_kinds(names.program):
        things = names.paths.owners(kind)
        yield from (f"{name} lies in" for name in things)
        if ordered:
            yield from (f"{name} stands at" for name in things)


def containers(names: RowNames) -> dict[int, str]:
    """Map the numbers of containers to their paths."""
    return {path.instance: path.path for path in names.paths.places}
