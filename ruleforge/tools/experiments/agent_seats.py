"""A word for an agent -> the agent in its seat, also one that leaves alone what packs have added."""

from __future__ import annotations

from ruleforge.engine.choice import Choice
from ruleforge.engine.game import Game
from ruleforge.engine.state import State
from ruleforge.play.agents import Agent, make_agent
from ruleforge.tools.experiments.usage_marks import Marks

PLAIN = "core:"  # before the word of an agent that plays as if there were no packs


def seated(word: str, seed: int, game: Game, marks: Marks) -> Agent:
    agent = make_agent(word.removeprefix(PLAIN), seed, game.compiled.profiles, outside=True)
    return PlainAgent(agent, marks) if word.startswith(PLAIN) else agent


class PlainAgent:
    """Makes no choice whose action or things come from a pack, as long as there is another."""

    def __init__(self, agent: Agent, marks: Marks) -> None:
        self._agent, self._marks = agent, marks

    def choose(self, state: State) -> Choice:
        decision = state.decision
        plain = tuple(choice for choice in state.choices if not self._marks.packs(choice))
        if decision is None or decision.is_chance or not plain or len(plain) == len(state.choices):
            return self._agent.choose(state)
        narrowed = state.copy()
        narrowed.choices = plain
        return self._agent.choose(narrowed)
