"""A choice somebody made -> its text as a seat may know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import WHO
from ruleforge.engine.sight import Sight
from ruleforge.present.seen import HIDDEN

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.state import State


def told(before: State, after: State, choice: Choice, viewer: int) -> str:
    """The text without the things that the viewer sees neither before nor after.

    What is chosen unseen is called by where it lies; whether it comes to light afterwards would tell what it is.
    """
    variant = before._variant
    sights = (Sight(variant, before._row), Sight(variant, after._row))
    if sights[0].decides(viewer):
        return choice.text
    if variant.program.sites[choice.site].unseen or not sights[0].answer(viewer, choice._code):
        return HIDDEN
    wording = variant.wordings[choice.site]
    assert wording is not None
    words = choice.text.split()
    for n, (kind, thing) in enumerate(reversed(wording.things(choice._code)), 1):
        if kind is None:
            continue
        blind = before._row[WHO] > 0 and not sights[0].thing(before._row[WHO], kind, thing)
        if not any(sight.thing(viewer, kind, thing) for sight in (sights[:1] if blind else sights)):
            words[-n] = HIDDEN
    return " ".join(words)
