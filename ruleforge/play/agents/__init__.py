"""Choosers: whoever can answer a decision."""

from ruleforge.play.agents.agent import AGENTS, Agent, is_agent, make_agent
from ruleforge.play.agents.greedy import GreedyAgent
from ruleforge.play.agents.mcts import MctsAgent
from ruleforge.play.agents.uniform import RandomAgent

__all__ = ["AGENTS", "Agent", "GreedyAgent", "MctsAgent", "RandomAgent", "is_agent", "make_agent"]
