"""One game in progress for reinforcement learning: numbered actions in, observations out, for every adapter."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ruleforge.backends.artifacts.info import OptionValue
from ruleforge.backends.artifacts.setup import Chance
from ruleforge.engine.choice import CHANCE as CHANCE_NAME
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice
from ruleforge.engine.game import Game
from ruleforge.engine.presentation.text_renderer import text
from ruleforge.engine.state import State
from ruleforge.play.session import Turn
from ruleforge.rl.actions import Actions, Path, PathTable
from ruleforge.rl.log import Entry
from ruleforge.rl.tensors import Field, Floats, Tensors, Words

CHANCE, OVER = -1, -2  # in place of a player
Ways = tuple[tuple[Path, Choice], ...]
Options = tuple[tuple[str, OptionValue], ...]  # of a game, by their names


class Space:
    """The shared parts of all positions of one set-up: actions, tensors, players."""

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Options = (),
        chance: Chance = "sampled",
    ) -> None:
        self.game, self.how = game, (players, options, chance)
        self.variant = game.variant(game.compiled.setup(players, dict(options), chance))
        self.players = self.variant.player_names
        self.actions = Actions(self.variant)
        self.chance_actions = Actions(self.variant, chance=True)
        self._tensors = Tensors(self.variant)
        self._earlier = {action: n for n, action in enumerate(self.actions.not_last)}
        self._questions = len(self.variant.program.sites)

    def start(self, seed: int = 0, remember: bool = False) -> Position:
        """A new game. With `remember` it stores the log of each player, for information states."""
        players, options, chance = self.how
        state = self.game.start(players, seed, dict(options), chance)
        return Position(self, state, () if remember else None)

    def __deepcopy__(self, _: object) -> Space:
        return self  # nothing in it changes

    def __reduce__(self) -> tuple[object, ...]:
        return space_of, (self.game, *self.how)

    @cached_property
    def table(self) -> PathTable:
        """The paths of many answers at once."""
        return PathTable(self.actions)

    # --- tensors ---

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The parts of a tensor: who looks, who decides, what is asked, what is answered so far, what is seen."""
        seats = len(self.players)
        heads = (
            ("viewer", seats, "player"),
            ("who decides", seats, "player"),
            ("what is asked", self._questions, "question"),
            ("answered so far", len(self._earlier), "action"),
        )
        fields, start = list[Field](), 0
        for name, size, axis in heads:
            fields.append(Field(name, start, (size,), (axis,)))
            start += size
        return (*fields, *(Field(f.name, f.start + start, f.shape, f.axes) for f in self._tensors.fields))

    @property
    def size(self) -> int:
        """The number of values of a tensor."""
        return self.fields[-1].stop

    def tensors(self, words: Words, viewers: Words, deciders: Words, sites: Words) -> Floats:
        """A tensor for each observation.

        Players are numbered from 0. Only the deciding player sees the site.
        """
        found = np.zeros((len(words), self.size), np.float32)
        self._tensors.encode(words, found, self.size - self._tensors.size)
        found[:, 0] = 0
        seats, rows = len(self.players), np.arange(len(words))
        found[rows, viewers] = 1
        decided = deciders >= 0
        found[rows[decided], seats + deciders[decided]] = 1
        own = decided & (viewers == deciders)
        found[rows[own], 2 * seats + sites[own]] = 1
        return found

    def answered(self, tensor: Floats, earlier: Sequence[int]) -> None:
        """Write into a tensor which steps of the choice under way are made."""
        first = 2 * len(self.players) + self._questions
        for action in earlier:
            tensor[first + self._earlier[action]] = 1


@lru_cache(maxsize=16)
def space_of(
    game: Game, players: int | None = None, options: Options = (), chance: Chance = "sampled"
) -> Space:
    """The space of a game that is started so."""
    return Space(game, players, options, chance)


class Position:
    """A state with the unfinished choice in it.

    A choice can take several actions. The state changes with the last of them. A step with one answer is
    skipped.
    """

    def __init__(self, space: Space, state: State, log: tuple[Entry, ...] | None = None) -> None:
        """With a log, the entries of all players are added to it."""
        self.space, self.state, self.log = space, state, log
        self.fault = ""  # the code of a limit of the rules, where one has stopped the game
        self._begin()

    def _begin(self) -> None:
        self.earlier: Path = ()  # the actions of the choice under way, those that were skipped among them
        self._left: Ways | None = None  # computed on demand

    @property
    def player(self) -> int:
        """The player who acts, from 0; CHANCE or OVER."""
        decision = None if self.fault else self.state.decision
        if decision is None:
            return OVER
        return CHANCE if decision.is_chance else self.state.players.index(decision.player)

    @property
    def actions(self) -> Actions:
        """The numbering of what is asked now."""
        return self.space.chance_actions if self.player == CHANCE else self.space.actions

    @property
    def left(self) -> Ways:
        """The choices that the actions so far leave possible, each with all its actions."""
        if self._left is None:
            choices = () if self.fault else self.state.choices
            ways = zip(self.actions.paths(choices), choices, strict=True)
            depth = len(self.earlier)
            self._left = self._skip(tuple(way for way in ways if way[0][:depth] == self.earlier))
        return self._left

    def _skip(self, left: Ways) -> Ways:
        """Go on to the first step with several answers."""
        while len(left) > 1 and len({path[len(self.earlier)] for path, _ in left}) == 1:
            self.earlier = left[0][0][: len(self.earlier) + 1]
        return left

    def _following(self, action: int) -> Ways:
        """The choices that an action leaves possible."""
        left = self.left  # finds out how many steps are made
        return tuple(way for way in left if way[0][len(self.earlier)] == action)

    def counts(self) -> dict[int, int]:
        """The actions that are legal now, in their order, each with the number of choices it leads to."""
        left = self.left
        return dict(sorted(Counter(path[len(self.earlier)] for path, _ in left).items()))

    def legal(self) -> tuple[int, ...]:
        """The actions that are legal now, in their order."""
        return tuple(self.counts())

    def mask(self) -> Any:
        """A byte for each action, 1 where it is legal."""
        found = np.zeros(self.actions.count, np.int8)
        found[list(self.legal())] = 1
        return found

    def words(self, action: int) -> str:
        """An action in words: the text of its choice if it settles one, else its name."""
        choice = self.completed_by(action)
        return self.actions.names[action] if choice is None else choice.text

    def completed_by(self, action: int) -> Choice | None:
        """The choice that an action completes; None if more is asked for it, or the action is not legal."""
        ways = self._following(action)
        return ways[0][1] if len(ways) == 1 else None

    def act(self, action: int) -> bool:
        """Take an action, and return whether it completes a choice. ValueError if it is not legal.

        A choice that a limit of the rules stops ends the game with a `fault`.
        """
        ways = self._following(action)
        if not ways:
            raise ValueError(f"action {action} is not legal here; these are: {self.legal()}")
        if len(ways) == 1:
            self._choose(*ways[0])
        else:
            self.earlier = (*self.earlier, action)
            self._left = self._skip(ways)
        return len(ways) == 1

    def _choose(self, path: Path, choice: Choice) -> None:
        player, before = self.player, None if self.log is None else self.state.copy()
        try:
            events = self.state.apply(choice)
        except IllegalChoice as refusal:
            self.fault, self._left = refusal.reasons[0].code, ()
            return
        self._begin()
        if self.log is not None and before is not None:
            name = CHANCE_NAME if player == CHANCE else before.players[player]
            turn = Turn(before, name, choice, events, self.state.copy())
            self.log = (*self.log, Entry(player, choice.text, path, turn))

    def act_at_random(self, rng: random.Random) -> None:
        """Take any action, each choice as likely as the others."""
        counts = self.counts()
        self.act(rng.choices(list(counts), list(counts.values()))[0])

    def returns(self) -> tuple[float, ...]:
        """The scores of all players. 0 while the game goes on, and after a fault."""
        outcome = None if self.fault else self.state.outcome
        return tuple(0.0 if outcome is None else float(outcome.scores[name]) for name in self.state.players)

    # --- what a player sees ---

    def tensor(self, viewer: int) -> Floats:
        """The observation of a player as numbers. `space.fields` names their fields."""
        player = self.player
        site = self.left[0][1].site if player == viewer else 0
        words = self.state.observation(self.state.players[viewer])
        given = (np.array([number], np.int32) for number in (viewer, player, site))
        (found,) = self.space.tensors(words[None], *given)
        if player == viewer:
            self.space.answered(found, self.earlier)
        return found  # type: ignore[no-any-return]

    def observation(self, viewer: int, form: str = "tensor") -> Any:
        """The observation of a player: a `tensor`, a `dict` of its fields, `json` or `text`."""
        match form:
            case "tensor":
                return self.tensor(viewer)
            case "dict":
                whole = self.tensor(viewer)
                return {f.name: whole[f.start : f.stop].reshape(f.shape) for f in self.space.fields}
            case "json":
                return json.dumps(self.view(viewer))
            case "text":
                return self.drawing(viewer)
        raise ValueError(f"an observation is tensor, dict, json or text, not {form!r}")

    def drawing(self, viewer: int | None) -> str:
        """The table as text, as a player (None: the public) sees it."""
        return text(self.state.scene(None if viewer is None else self.state.players[viewer]))

    def view(self, viewer: int | None) -> dict[str, Any]:
        """The view of a player (None: the public) as plain data for JSON."""
        return self.state.view(None if viewer is None else self.state.players[viewer])

    def information_state(self, viewer: int) -> str:
        """The log of a player since the start of the game, and the current view, as text.

        The log must be stored.
        """
        assert self.log is not None
        name = self.state.players[viewer]
        texts = [words for words in (entry.text_for(name) for entry in self.log) if words]
        view = self.view(viewer)
        lines = (
            *texts,
            json.dumps({key: view[key] for key in ("attributes", "places", "decision", "outcome")}),
        )
        earlier = self.earlier if self.player == viewer else ()
        return "\n".join((name, *lines, *(self.actions.names[action] for action in earlier)))

    def recalled(self, viewer: int, count: int) -> Floats:
        """The last choices in the log of a player, the latest first: the acting player and the actions."""
        assert self.log is not None
        name, seats = self.state.players[viewer], len(self.state.players)
        texts = [entry for entry in reversed(self.log) if entry.player >= 0 and entry.knows_who(name)]
        found = np.zeros((count, seats + self.space.actions.count), np.float32)
        for row, entry in zip(found, texts, strict=False):
            row[entry.player] = 1
            if entry.knows_all(name):
                row[[seats + action for action in entry.actions]] = 1
        return found

    # --- copies ---

    def copy(self) -> Position:
        twin = Position(self.space, self.state.copy(), self.log)
        twin.earlier, twin._left, twin.fault = self.earlier, self._left, self.fault
        return twin

    def __deepcopy__(self, _: object) -> Position:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """The state for pickle, without the choices, which are listed again."""
        return {**self.__dict__, "_left": None}
