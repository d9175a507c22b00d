"""Agents: everything that can answer a decision."""

from ruleforge.play.agents.agent import AGENTS, OUTSIDE, Agent, is_agent, make_agent
from ruleforge.play.agents.mcts import MctsAgent
from ruleforge.play.agents.remote import ProgramController, RemoteController
from ruleforge.play.agents.seated import Controller, Question, SeatedAgent
from ruleforge.play.agents.simple import GreedyAgent, ProfileAgent, RandomAgent

__all__ = [
    "AGENTS",
    "OUTSIDE",
    "Agent",
    "Controller",
    "GreedyAgent",
    "MctsAgent",
    "ProfileAgent",
    "ProgramController",
    "Question",
    "RandomAgent",
    "RemoteController",
    "SeatedAgent",
    "is_agent",
    "make_agent",
]
