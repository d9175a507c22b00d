"""RuleForge: tabletop games as data. `load` a ruleset, `start` it, look at its `choices`, `apply` one."""

from ruleforge.ceilings import Ceilings
from ruleforge.contracts.judgement import Fault, Judgement
from ruleforge.engine.choice import Choice
from ruleforge.engine.decision import Decision
from ruleforge.engine.errors import (
    ExpressionError,
    IllegalChoice,
    PathError,
    PlayError,
    RestoreError,
    RulesetError,
    StartError,
)
from ruleforge.engine.event import Event
from ruleforge.engine.events import Events
from ruleforge.engine.game import Game
from ruleforge.engine.outcome import Outcome
from ruleforge.engine.state import State
from ruleforge.judging import judge
from ruleforge.loading import analyse, load
from ruleforge.pipeline import Analysis

__version__ = "0.1.0"
__all__ = [
    "Analysis",
    "Ceilings",
    "Choice",
    "Decision",
    "Event",
    "Events",
    "ExpressionError",
    "Fault",
    "Game",
    "IllegalChoice",
    "Judgement",
    "Outcome",
    "PathError",
    "PlayError",
    "RestoreError",
    "RulesetError",
    "StartError",
    "State",
    "__version__",
    "analyse",
    "judge",
    "load",
]
