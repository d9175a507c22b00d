"""Programs kept between runs, under a name made of the rules, the setup and all that makes programs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from ruleforge.backends.artifacts.setup import Setup
from ruleforge.backends.cache import Cache, key
from ruleforge.compiler.ir import Program
from ruleforge.compiler.questions import QuestioningProgram
from ruleforge.lang.checker.typed import Checked
from ruleforge.support.resources import grammar_file

STAGES = ("lang", "analysis", "compiler")


def kept_program(
    checked: Checked, setup: Setup, make: Callable[[], Program], measures: tuple[str, ...] = ()
) -> Program:
    """The program of a setup, perhaps with texts that are measured, compiled only if it is not at hand."""
    name = _name(checked, setup, measures)
    return Cache(name).program(lambda: replace(make(), identity=name))


def kept_questioning(
    checked: Checked, setup: Setup, make: Callable[[], QuestioningProgram]
) -> QuestioningProgram:
    """What can be asked in a setup, compiled only if it is not at hand."""
    return Cache(_name(checked, setup)).questioning(make)


def _name(checked: Checked, setup: Setup, measures: tuple[str, ...] = ()) -> str:
    granted = (checked.ceilings, sorted(checked.limits.items()))
    made_of = (
        checked.files,
        granted,
        setup,
        (checked.gate.name, checked.gate.places) if checked.gate else "",
        *measures,
    )
    return key((checked.digest.encode(), _stages()), made_of, "")


@cache
def _stages() -> bytes:
    """A digest of all that makes programs, so that others never meet the programs of these."""
    digest = hashlib.sha256(grammar_file().read_bytes())
    package = Path(__file__).parents[2]
    for stage in STAGES:
        for file in sorted((package / stage).rglob("*.py")):
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.digest()
