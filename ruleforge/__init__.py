"""RuleForge: tabletop games as data. `load` a ruleset, `start` it, look at its `choices`, `apply` one."""

from ruleforge.engine.choice import Choice
from ruleforge.engine.decision import Decision
from ruleforge.engine.errors import (
    IllegalChoice,
    PathError,
    PlayError,
    RestoreError,
    RulesetError,
    StartError,
)
from ruleforge.engine.events import Event, Events
from ruleforge.engine.game import Game
from ruleforge.engine.outcome import Outcome
from ruleforge.engine.state import State
from ruleforge.loading import load

__version__ = "0.1.0"
__all__ = [
    "Choice",
    "Decision",
    "Event",
    "Events",
    "Game",
    "IllegalChoice",
    "Outcome",
    "PathError",
    "PlayError",
    "RestoreError",
    "RulesetError",
    "StartError",
    "State",
    "__version__",
    "load",
]
