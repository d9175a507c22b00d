"""The seating of a table, and the agents of its seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from ruleforge.engine.choice import Choice, Decision
from ruleforge.engine.errors import IllegalChoice
from ruleforge.engine.state import State
from ruleforge.play.agents import Agent, make_agent
from ruleforge.play.session import Session
from ruleforge.support.records import dataclass

HUMAN = "human"
QUICK = "random"  # an agent that needs no time


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The seating (`human` or an agent), the random numbers of agents, and whether forced choices are asked."""

    kinds: Mapping[str, str]
    seed: int
    ask_all: bool = False
    clauses: Mapping[str, str] = field(default_factory=dict)  # the rulebook, for `about`

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(player for player, kind in self.kinds.items() if kind == HUMAN)


class Agents:
    """The agents of seats without people, and of chance if it is a decision."""

    def __init__(self, seating: SeatPlan, state: State) -> None:
        profiles = state.game.compiled.profiles
        self._agents: dict[str, Agent] = {
            player: make_agent(kind, seating.seed + n, profiles, outside=True)
            for n, (player, kind) in enumerate(seating.kinds.items())
            if kind != HUMAN
        }
        self._dice = make_agent(QUICK, seating.seed)

    def of(self, decision: Decision) -> Agent | None:
        """The agent that makes a decision. None if a person has to be asked."""
        return self._agents.get(decision.player, self._dice if decision.is_chance else None)


def made(session: Session, choice: Choice, refused: Callable[[IllegalChoice], None]) -> bool:
    """Make the choice of an agent.

    If the rules refuse it, report that and make another one. False without any.
    """
    for each in (choice, *session.state.choices):
        try:
            session.apply(each)
        except IllegalChoice as refusal:
            refused(refusal)
        else:
            return True
    return False
