"""RuleForge: tabletop games as data. `load` a ruleset, `start` it, look at its `choices`, `apply` one.

What is named here comes in when it is first used: reading rules takes a compiler, and many a program only wants to know
whether this package is there.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruleforge.contracts.judgement import Fault, Judgement
    from ruleforge.engine.choice import Choice, Decision
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
    from ruleforge.engine.loader import load
    from ruleforge.engine.outcome import Outcome
    from ruleforge.engine.state import State
    from ruleforge.project.pipeline import Analysis
    from ruleforge.project.resolver import analyse
    from ruleforge.support.ceilings import Ceilings
    from ruleforge.tools.pack_check import judge

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

_HOMES = {  # module -> what is found there
    "project.resolver": ("analyse",),
    "support.ceilings": ("Ceilings",),
    "contracts.judgement": ("Fault", "Judgement"),
    "engine.choice": ("Choice", "Decision"),
    "engine.errors": tuple(name for name in __all__ if name.endswith("Error") or name == "IllegalChoice"),
    "engine.event": ("Event",),
    "engine.events": ("Events",),
    "engine.game": ("Game",),
    "engine.outcome": ("Outcome",),
    "engine.state": ("State",),
    "tools.pack_check": ("judge",),
    "engine.loader": ("load",),
    "project.pipeline": ("Analysis",),
}


def __getattr__(name: str) -> Any:
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
