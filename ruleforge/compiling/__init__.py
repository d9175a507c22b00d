"""Checked rules -> all that is compiled from them: one owner of variants, options, caches and the author's words."""

from ruleforge.check.typed import Told
from ruleforge.compiling.answering import Answering, Filling, HintParts, Scope
from ruleforge.compiling.compiled import Compiled, Questioning, Weighing
from ruleforge.compiling.components import Component, Components
from ruleforge.compiling.info import (
    BoardInfo,
    GameInfo,
    OptionInfo,
    OptionValue,
    PackInfo,
    PhaseInfo,
    ProfileInfo,
)
from ruleforge.compiling.setup import BEGIN, Beginning, Chance, Setup

__all__ = [
    "BEGIN",
    "Answering",
    "Beginning",
    "BoardInfo",
    "Chance",
    "Compiled",
    "Component",
    "Components",
    "Filling",
    "GameInfo",
    "HintParts",
    "OptionInfo",
    "OptionValue",
    "PackInfo",
    "PhaseInfo",
    "ProfileInfo",
    "Questioning",
    "Scope",
    "Setup",
    "Told",
    "Weighing",
]
