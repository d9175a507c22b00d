"""Choosers: whoever can answer a decision."""

from ruleforge.play.agents.agent import AGENTS, Agent, make_agent
from ruleforge.play.agents.mcts import MctsAgent
from ruleforge.play.agents.uniform import RandomAgent

__all__ = ["AGENTS", "Agent", "MctsAgent", "RandomAgent", "make_agent"]
