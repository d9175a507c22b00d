"""`State` is a game in progress, with all operations for hosts, players and tools.

This is the top of the engine: each method asks the module that knows the answer, and none of them imports this one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ruleforge.backends.artifacts.info import OptionValue, PackInfo
from ruleforge.backends.artifacts.setup import Beginning
from ruleforge.compiler.ir import BreachInfo, InvariantInfo
from ruleforge.engine import arrays, codec, patch, paths, text_reader, why
from ruleforge.engine.base_state import BaseState
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import ExpressionError, IllegalChoice, PathError, Reason
from ruleforge.engine.evaluate import evaluate
from ruleforge.engine.events import Events
from ruleforge.engine.explain import Explanation, explain
from ruleforge.engine.hints import with_hints
from ruleforge.engine.outcome import Outcome
from ruleforge.engine.presentation.observation import SeenChoice, Table, Value
from ruleforge.engine.presentation.scene import Scene
from ruleforge.engine.presentation.scene_builder import arranged
from ruleforge.engine.presentation.text_renderer import html, text
from ruleforge.engine.unaffordable import declined
from ruleforge.engine.visibility.choices import redacted_text
from ruleforge.engine.visibility.conditions import EVERYTHING, Asker, Visibility
from ruleforge.engine.visibility.determinization import Determinizer
from ruleforge.engine.visibility.disclosure import has_learned
from ruleforge.engine.visibility.table import look, plain
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.game import Game


class State(BaseState):
    """A position of a game. It waits for a decision, or the game is over.

    `choices` is the complete list of legal choices. Read it, but do not assign it.
    """

    __slots__ = ()

    _game: Game  # of the subclass made for each variant

    # --- moving on ---

    def check_turn(self, player: str) -> None:
        """Raise IllegalChoice if another player decides now, or if the game is over."""
        refusal = why.not_yours(self, player)
        if refusal is not None:
            raise IllegalChoice((refusal,))

    def _apply_other(self, choice: Choice | str) -> Events:
        """Apply a text, or a choice that is not one of the objects in `choices`."""
        if isinstance(choice, Choice):
            same = [c for c in self.choices if c.code == choice.code and c.text == choice.text]
            if not same:
                raise IllegalChoice(self.why_not(choice.text))
            return self.apply(same[0])
        if not isinstance(choice, str):
            raise TypeError(f"expected a choice or its text, not {type(choice).__name__}")
        steps = self.read(choice)
        if len(steps) == 1:
            return self.apply(steps[0])
        trial = self.copy()
        events = Events.joined([trial.apply(step) for step in steps])
        self._take(trial)
        return events

    # --- looking ---

    @property
    def game(self) -> Game:
        return self._game

    @property
    def hides_something(self) -> bool:
        """True if some seat cannot see everything in this game."""
        return self._variant.hides_something

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """The options of this game."""
        return dict(self._variant.setup.options)

    def pack_of(self, choice: Choice) -> PackInfo | None:
        """The pack that offers a choice, or None for the game itself."""
        return self.game.info.pack_of(self._variant.program.sites[choice.site].option(choice._code).span)

    def __getitem__(self, path: str) -> Value:
        """Read anything by path: `white.lp`, `deck`, `a1.disc`, `decision.player`, a formula as `power(wolf)`."""
        if not isinstance(path, str):
            raise PathError("RF830", f"a path is text such as `{paths.SPECIAL[0]}`, not {path!r}")
        if path.startswith(("decision.", "outcome.")):
            return self._special(path)
        found = self._variant.paths.known(path)
        if found is None and path not in self._variant.paths.things:  # a thing alone is no value
            try:
                return self.evaluate(path)
            except ExpressionError as mistake:
                raise self._variant.paths.unknown(path, mistake) from None
        found = found or self._variant.paths.find(path)
        return self._variant.value(self._variant.scratch(self._row), found)

    def evaluate(self, text: str, player: str | Asker | None = Asker.HOST) -> Value:
        """The value of an expression of the effect language, as plain data.

        Raises ExpressionError for mistakes in the text, and PathError if the value is hidden from this player (None:
        the public).
        """
        return evaluate(self._variant, self._row, text, self._asking(player))

    def _asking(self, player: str | Asker | None) -> int:
        """The host, who says no player, may know everything."""
        return EVERYTHING if isinstance(player, Asker) else self._variant.viewer(player)

    def _special(self, path: str) -> Value:
        if path not in paths.SPECIAL:
            raise self._variant.paths.unknown(path)
        head, _, name = path.partition(".")
        whole = self.decision if head == "decision" else self.outcome
        value = getattr(whole, name, None)
        return list(value) if isinstance(value, tuple) else cast(Value, value)

    def paths(self) -> tuple[str, ...]:
        """All paths that `state[...]` can read."""
        visible, known = Visibility(self._variant, self._row), self._variant.paths.everything
        existing = (p.path for p in known if visible.exist(paths.kinds_of(p), p.indices))
        return (*existing, *paths.SPECIAL)

    def view(self, player: str | None) -> dict[str, Any]:
        """The view of a player (None: the public), as plain JSON-able data."""
        return plain(self.table(player))

    def table(self, player: str | None) -> Table:
        """The same view as frozen objects: boards, places, things, values, the decision and the outcome."""
        return look(self, self._variant.viewer(player))

    def observation(self, player: str) -> Any:
        """The observation of a player as numbers. `Batch.observations` gives it for many games; see `Batch.observed`."""
        return arrays.numbers(self._variant.special.observed(self._row, self._variant.player_number(player)))

    def scene(self, player: str | None, since: Table | None = None) -> Scene:
        """The table of a player (None: the public), arranged for people. Changes since an earlier scene are marked."""
        return arranged(with_hints(self, self.table(player)), self.game.info, since)

    def whole_scene(self) -> Scene:
        """The whole position, arranged for people. Nothing is hidden."""
        return arranged(look(self, EVERYTHING), self.game.info)

    def __str__(self) -> str:
        """The whole position as text, nothing hidden."""
        return text(self.whole_scene())

    def _repr_html_(self) -> str:
        """The same for notebooks."""
        return html(self.whole_scene())

    def declined(self, player: str | None) -> tuple[SeenChoice, ...]:
        """Choices that fail only because of their price, and actions that are not possible now, each with the reason."""
        decision = self.decision
        return declined(self) if decision is not None and decision.player == player else ()

    def why_not(self, text: str, player: str | None = None) -> tuple[Reason, ...]:
        """The reasons why a choice is not possible; empty if it is. A player gets reasons for the first step only."""
        return (
            text_reader.why_not(self, text)
            if player is None
            else text_reader.why_not_seat(self, text, player)
        )

    def explain(self, path: str, player: str | Asker | None = Asker.HOST) -> Explanation:
        """The computation of a formula such as `power(wolf)`. PathError if the value is hidden from this player."""
        return explain(self._variant, self._row, path, self._asking(player))

    def violations(self) -> tuple[str, ...]:
        """The names of the invariants of the ruleset that do not hold in this state."""
        return tuple(info.name for info in self.broken_invariants())

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """The breaches of the contract by packs since the start, if packs are observed."""
        return breaches(self)

    # --- keeping ---

    def save(self) -> str:
        """JSON text of this state for `game.restore`, also in the middle of an effect."""
        return codec.save(self)

    @property
    def digest(self) -> str:
        """A stable hash of the state, equal on every machine and backend."""
        return codec.digest(self)

    @property
    def imprint(self) -> str:
        """A short hash of the position for records. Texts of the rules do not change it."""
        return codec.imprint(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, theirs = self._variant, other._variant
        if mine is theirs:
            return self._row is other._row or codec.words(self) == codec.words(other)
        return codec.heading(mine) == codec.heading(theirs) and codec.words(self) == codec.words(other)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, _: object) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the game by its origin, how it was started, the words of the row, the steps behind it."""
        return codec.again, (self.game, *codec.taken_apart(self))

    def __repr__(self) -> str:
        waits = self.outcome or (self.decision and f"{self.decision.player}: {self.decision.prompt}")
        return f"<State of {self.game.id}, {waits}, {self.digest[:8]}>"

    # --- for tools ---

    def read(self, text: str) -> tuple[Choice, ...]:
        """The steps of a text. The text of a choice stands for exactly that choice."""
        return text_reader.read_steps(self, text)

    def usual_answer(self, before: State, choice: Choice) -> Choice | None:
        """The usual answer to the question that a choice led to, if the same player is asked and learned nothing."""
        return text_reader.open_default(before, choice, self)

    def broken_invariants(self) -> tuple[InvariantInfo, ...]:
        """The invariants that do not hold in this state, with their texts and places."""
        ask, row = self._variant.ask, self._variant.scratch(self._row)
        found = self._variant.program.invariants
        return tuple(i for i in found if ask(i.function, row, (), f"`{i.name}` cannot be told") != 1)

    def patched(self, values: Mapping[str, object], begin: Beginning | None = None) -> State:
        """A copy with other values by path, for scenarios: attributes, and places as lists of things.

        One path may name many things: `cells.man`, or `{c in cells where c.row is 1}.man`. With `begin`, a phase or
        `(phase, player)`, the current effect is dropped, and the flow starts at that phase in the new position.
        """
        return patch.patched(self, values) if begin is None else patch.begun(self, values, begin)

    def canonical(self, path: str) -> str:
        """The form of a path that `paths()` and views use."""
        return path if path in paths.SPECIAL else self._variant.paths.find(path).path

    def is_ordered(self, path: str) -> bool:
        """True if the path is a place with an order."""
        if path in paths.SPECIAL or path == "choices":
            return False
        found = self._variant.paths.known(path)  # sets that an expression gives have no order
        return isinstance(found, paths.PlacePath) and found.info.form == "list"

    def tell(self, choice: Choice, after: State, player: str | None) -> str:
        """The text of a choice as a player sees it (None: the public). Hidden names are `?`."""
        return redacted_text(self._variant, self._row, after._row, choice, self._variant.viewer(player))

    def sample_world(self, player: str | None, rng: random.Random) -> State:
        """A sampled position that agrees with a player's view (None: the public). Hidden things and future dice vary."""
        return self.worlds(player).draw(rng)

    def worlds(self, player: str | None) -> Determinizer:
        """A sampler that draws many such positions."""
        return Determinizer(self, self._variant.viewer(player))

    def has_learned_since(self, before: State, player: str) -> bool:
        """True if, since an earlier state, dice fell or hidden information was shown to the player."""
        return has_learned(before, self, self._variant.player_number(player))

    def _playout(self, rng: random.Random | int, most: int) -> Outcome:
        """Random choices to the end; PlayError if that is not reached with so many decisions."""
        raise NotImplementedError  # made by bound_state.py


# The parts of the contract that observed packs have broken so far.


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which the contract was broken, and how often since the game began.

    If `proved`, accepted packs never break the contract in this way. Otherwise several effects add up, and
    the gate prevents the breach unless packs are only observed. The events of a choice give the values and
    the limit of each breach.
    """

    what: str
    clauses: tuple[str, ...]
    span: Span
    count: int
    proved: bool
    pack: str = ""  # the title of the pack in whose files the place is

    def __str__(self) -> str:
        cites = f" {', '.join(self.clauses)}" if self.clauses else ""
        return f"breach{cites}: {self.what}, {self.count} times, at {self.span.file}:{self.span.line}"


def breaches(state: BaseState) -> tuple[Breach, ...]:
    infos = state._variant.program.breaches
    return tuple(_breach(state, info) for info in infos if state._row[info.slot])


def _breach(state: BaseState, info: BreachInfo) -> Breach:
    pack = state._variant.info.pack_of(info.span)
    count, title = state._row[info.slot], pack.title if pack else ""
    return Breach(info.what, info.clauses, info.span, count, info.proved, title)
