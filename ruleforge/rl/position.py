"""One game in progress as learners step it: numbered actions in, observations out, for every adapter."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ruleforge.backends.artifacts.setup import Chance
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice
from ruleforge.engine.game import Game
from ruleforge.engine.presentation.draw import text
from ruleforge.engine.state import State
from ruleforge.play.session import Turn
from ruleforge.rl.actions import Actions, Path
from ruleforge.rl.tensors import Field, Floats, Tensors, Words

CHANCE, OVER = -1, -2  # in place of a player


class Space:
    """What all positions of one variant of a game share: actions, tensors, players."""

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        chance: Chance = "sampled",
    ) -> None:
        self.game, self._how = game, (players, options, chance)
        self.variant = game.variant(game.compiled.setup(players, options, chance))
        self.players = self.variant.player_names
        self.actions = Actions(self.variant)
        self.chance_actions = Actions(self.variant, chance=True)
        self._tensors = Tensors(self.variant)
        self._earlier = {action: n for n, action in enumerate(self.actions.not_last)}
        self._questions = len(self.variant.program.sites)

    def start(self, seed: int = 0) -> Position:
        players, options, chance = self._how
        return Position(self, self.game.start(players, seed, options, chance))

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
        """How many numbers a tensor has."""
        return self.fields[-1].stop

    def tensors(self, words: Words, viewers: Words, deciders: Words, sites: Words) -> Floats:
        """A tensor for each observation. Players are numbered from 0; a site is told to whoever decides alone."""
        seen = self._tensors.encode(words)
        found = np.zeros((len(words), self.size), np.float32)
        found[:, self.size - seen.shape[1] :] = seen
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


class Position:
    """A state, with the choice that is under way in it.

    A choice may take several actions; the state changes with the last of them. A step that has one answer is skipped.
    """

    def __init__(self, space: Space, state: State) -> None:
        self.space, self.state = space, state
        self.fault = ""  # the code of a limit of the rules, where one has stopped the game
        self._begin()

    def _begin(self) -> None:
        self.earlier: tuple[int, ...] = ()  # actions of the choice under way
        self._depth = 0
        self._left: tuple[tuple[Path, Choice], ...] | None = None  # worked out when somebody asks

    @property
    def player(self) -> int:
        """Who acts, from 0; CHANCE or OVER."""
        decision = None if self.fault else self.state.decision
        if decision is None:
            return OVER
        return CHANCE if decision.is_chance else self.state.players.index(decision.player)

    @property
    def actions(self) -> Actions:
        """The numbering of what is asked now."""
        return self.space.chance_actions if self.player == CHANCE else self.space.actions

    @property
    def left(self) -> tuple[tuple[Path, Choice], ...]:
        """The choices that the actions so far leave possible, each with all its actions."""
        if self._left is None:
            choices = () if self.fault else self.state.choices
            self._narrow(tuple(zip(self.actions.paths(choices), choices, strict=True)))
        assert self._left is not None
        return self._left

    def _narrow(self, left: tuple[tuple[Path, Choice], ...]) -> None:
        self._left = left
        while len(left) > 1 and len({path[self._depth] for path, _ in left}) == 1:
            self._depth += 1

    def counts(self) -> dict[int, int]:
        """The actions that are legal now, in their order, each with the number of choices it leads to."""
        left, found = self.left, dict[int, int]()
        for path, _ in left:
            found[path[self._depth]] = found.get(path[self._depth], 0) + 1
        return dict(sorted(found.items()))

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
        left = self.left
        choices = [choice for path, choice in left if path[self._depth] == action]
        return choices[0].text if len(choices) == 1 else self.actions.names[action]

    def act(self, action: int) -> Turn | None:
        """Take an action; the turn that it completes, if it does. ValueError if it is not legal.

        A turn that a limit of the rules stops ends the game with a `fault`.
        """
        all_left = self.left
        left = tuple(pair for pair in all_left if pair[0][self._depth] == action)
        if not left:
            raise ValueError(f"action {action} is not legal here; these are: {self.legal()}")
        if len(left) == 1:
            return self._choose(left[0][1])
        self.earlier = (*self.earlier, action)
        self._narrow(left)
        return None

    def _choose(self, choice: Choice) -> Turn | None:
        decision = self.state.decision
        assert decision is not None
        before = self.state.copy()
        try:
            events = self.state.apply(choice)
        except IllegalChoice as refusal:
            self.fault, self._left = refusal.reasons[0].code, ()
            return None
        self._begin()
        return Turn(before, decision.player, choice, events, self.state.copy())

    def act_at_random(self, rng: random.Random) -> None:
        """Take any action, each choice as likely as the others."""
        counts = self.counts()
        self.act(rng.choices(list(counts), list(counts.values()))[0])

    def returns(self) -> tuple[float, ...]:
        """The scores of all players; 0 while the game goes on, and where it was stopped."""
        outcome = None if self.fault else self.state.outcome
        return tuple(0.0 if outcome is None else float(outcome.scores[name]) for name in self.state.players)

    # --- what a player sees ---

    def tensor(self, viewer: int) -> Floats:
        """What a player may know, as numbers; `space.fields` says which."""
        player = self.player
        site = self.left[0][1].site if player == viewer else 0
        words = self.state.observation(self.state.players[viewer])
        given = (np.array([number], np.int32) for number in (viewer, player, site))
        (found,) = self.space.tensors(words[None], *given)
        if player == viewer:
            self.space.answered(found, self.earlier)
        return found  # type: ignore[no-any-return]

    def observation(self, viewer: int, form: str = "tensor") -> Any:
        """What a player may know: a `tensor`, a `dict` of its fields, `json` or `text`."""
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
        """What a player (None: the public) may know, as plain data for JSON."""
        return self.state.view(None if viewer is None else self.state.players[viewer])

    def copy(self) -> Position:
        twin = Position(self.space, self.state.copy())
        twin.earlier, twin._left, twin._depth, twin.fault = self.earlier, self._left, self._depth, self.fault
        return twin
