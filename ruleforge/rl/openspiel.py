"""Any ruleset as an OpenSpiel game: turns, explicit chance, information states, tensors, clones and
serialisation.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyspiel

from ruleforge.rl.position import CHANCE, OVER, Position, Space

CACHED_WORDS = 2_000_000  # of the positions that a game keeps for solvers


@dataclass(frozen=True, slots=True)
class Terms:
    """Facts about a game that OpenSpiel needs in advance and rules do not give."""

    zero_sum: bool
    utility: tuple[float, float]  # no score lies outside
    max_length: int  # a game is cut short after so many actions, and all get 0
    recall: int  # choices that the tensor of an information state holds


def registered_game(space: Space, terms: Terms) -> Any:
    """The game, under a name with which `pyspiel.load_game` finds it from now on."""
    game_type, info = _type(space, terms), _info(space, terms)

    class Registered(RuleforgeGame):
        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})
            self.space, self.terms = space, terms

    if game_type.short_name not in pyspiel.registered_names():
        pyspiel.register_game(game_type, Registered)
    return pyspiel.load_game(game_type.short_name)


def _name(space: Space, terms: Terms) -> str:
    """Stable for the same rules and terms, so that a serialised state finds its game."""
    how = f"{space.game.digest} {space.how} {terms}"
    mark = hashlib.blake2b(how.encode(), digest_size=4).hexdigest()
    return f"ruleforge_{space.game.id.replace('-', '_')}_{mark}"


def _type(space: Space, terms: Terms) -> Any:
    of = pyspiel.GameType
    chance = any(site.chance for site in space.variant.program.sites[1:])
    hides = space.variant.hides_something
    return of(
        short_name=_name(space, terms),
        long_name=space.game.title,
        dynamics=of.Dynamics.SEQUENTIAL,
        chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC if chance else of.ChanceMode.DETERMINISTIC,
        information=of.Information.IMPERFECT_INFORMATION if hides else of.Information.PERFECT_INFORMATION,
        utility=of.Utility.ZERO_SUM if terms.zero_sum else of.Utility.GENERAL_SUM,
        reward_model=of.RewardModel.TERMINAL,
        max_num_players=len(space.players),
        min_num_players=len(space.players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )


def _info(space: Space, terms: Terms) -> Any:
    low, high = terms.utility
    return pyspiel.GameInfo(
        num_distinct_actions=space.actions.count,
        max_chance_outcomes=space.chance_actions.count,
        num_players=len(space.players),
        min_utility=low,
        max_utility=high,
        utility_sum=0.0 if terms.zero_sum else None,
        max_game_length=terms.max_length,
    )


class RuleforgeGame(pyspiel.Game):
    """A game of OpenSpiel. Each ruleset has its own class, because OpenSpiel creates games by name."""

    space: Space
    terms: Terms

    @cached_property
    def _root(self) -> Node:
        """All games begin alike, since chance is explicit."""
        return Node(
            self.space.start(remember=True), _Room(CACHED_WORDS // self.space.variant.program.row_size)
        )

    def new_initial_state(self) -> RuleforgeState:
        return RuleforgeState(self, self._root)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.space, recalls, self.terms.recall if recalls else 0)


class _Room:
    """The number of nodes that may still be stored."""

    def __init__(self, left: int) -> None:
        self.left = left


class Node:
    """An immutable position. States share it, and solvers that return to it find it ready."""

    __slots__ = ("_children", "_known", "_room", "position")

    def __init__(self, position: Position, room: _Room) -> None:
        self.position, self._room = position, room
        self._children: dict[int, Node] = {}
        self._known: dict[int, str] = {}

    def child(self, action: int) -> Node:
        known = self._children.get(action)
        if known is None:
            position = self.position.copy()
            position.act(action)
            known = Node(position, self._room)
            if self._room.left > 0:
                self._room.left -= 1
                self._children[action] = known
        return known

    def information_state(self, player: int) -> str:
        if player not in self._known:
            self._known[player] = self.position.information_state(player)
        return self._known[player]

    def __deepcopy__(self, _: object) -> Node:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return Node, (self.position, _Room(0))


class RuleforgeState(pyspiel.State):
    """A position. Its actions are those of `space.actions`; for chance, those of `space.chance_actions`."""

    def __init__(self, game: RuleforgeGame, node: Node) -> None:
        super().__init__(game)
        self.node, self._most, self._zero_sum = node, game.terms.max_length, game.terms.zero_sum
        self._made = 0  # actions of players

    @property
    def position(self) -> Position:
        """The position, which callers must not change, because other states may share it."""
        return self.node.position

    def current_player(self) -> int:
        if self._cut:
            return int(pyspiel.PlayerId.TERMINAL)
        player = self.position.player
        special = {CHANCE: pyspiel.PlayerId.CHANCE, OVER: pyspiel.PlayerId.TERMINAL}
        return int(special.get(player, player))

    @property
    def _cut(self) -> bool:
        return self._made >= self._most

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal()) if player == self.position.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        counts = self.position.counts()
        total = sum(counts.values())
        return [(action, count / total) for action, count in counts.items()]

    def _apply_action(self, action: int) -> None:
        self._made += self.position.player >= 0
        self.node = self.node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.words(action)

    def is_terminal(self) -> bool:
        return self._cut or self.position.player == OVER

    def returns(self) -> list[float]:
        found = list(self.position.returns())
        if self._zero_sum and sum(found) != 0:
            raise ValueError(f"this game is declared as zero-sum, but ended with the scores {found}")
        return found

    def __str__(self) -> str:
        return str(self.position.state)


class Observer:
    """Observation strings and tensors of a player; with perfect recall, also the player's log.

    The tensor of an information state has the observation, then the last choices in the player's log.
    """

    def __init__(self, space: Space, recalls: bool, count: int) -> None:
        self._recalls, self._count = recalls, count
        shape = (count, len(space.players) + space.actions.count)
        self.tensor = np.zeros(space.size + shape[0] * shape[1], np.float32)
        fields = {f.name: (f.start, f.stop, f.shape) for f in space.fields}
        if count:
            fields["choices told"] = (space.size, len(self.tensor), shape)
        self.dict = {name: self.tensor[a:b].reshape(shape) for name, (a, b, shape) in fields.items()}

    def set_from(self, state: RuleforgeState, player: int) -> None:
        own = state.position.tensor(player)
        self.tensor[: len(own)] = own
        if self._count:
            self.dict["choices told"][:] = state.position.recalled(player, self._count)

    def string_from(self, state: RuleforgeState, player: int) -> str:
        if self._recalls:
            return state.node.information_state(player)
        return str(state.position.observation(player, "text"))
