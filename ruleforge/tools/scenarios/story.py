"""The story of a played scenario: its log, and the rule that acted last."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.engine.breakpoints import definition_at
from ruleforge.engine.event import Event
from ruleforge.engine.game import Game
from ruleforge.play.narration import Narrator
from ruleforge.play.session import Turn
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import counted
from ruleforge.tools.scenarios.runner import ScenarioRun, Unmet

MOST = 12  # sentences that are told; those before are only counted


@dataclass(frozen=True, slots=True)
class Rule:
    """The place of an effect in the rules, and its definition."""

    span: Span
    definition: str

    def __str__(self) -> str:
        return f"{self.span}" + (f" ({self.definition})" if self.definition else "")


def story_of(game: Game, turns: Sequence[Turn], most: int = MOST) -> tuple[str, ...]:
    """The last of what happened, all of it told; the first line says how much was before."""
    narrator = Narrator(game.info)
    lines = [
        str(s) for turn in turns for s in narrator.step(turn.player, turn.choice.text, tuple(turn.events))
    ]
    left = len(lines) - most
    return tuple(lines) if left <= 0 else (f"({counted(left, 'sentence')} before)", *lines[-most:])


def rule_of(played: ScenarioRun) -> Rule | None:
    """The rule that last touched what is not as expected, else the one that did the last thing of all."""
    events = [e for turn in played.turns for e in turn.events if e.span != NOWHERE]
    touching = [e for unmet in played.unmet[:1] for e in events if _touches(e, unmet)]
    last = (touching or events)[-1:]
    return Rule(last[0].span, definition_at(played.turns[-1].after, last[0].span)) if last else None


def _touches(event: Event, unmet: Unmet) -> bool:
    """Does an event change what a path names?"""
    word, _, rest = event.name.partition(" ")
    given = dict(event.arguments)
    if word == "set":
        owner, attribute = str(given.get("of")), rest.rpartition(".")[2]
        return unmet.path.partition("[")[0] in (f"{owner}.{attribute}", f"game.{attribute}")
    if word == "move":
        return unmet.path in {str(value) for value in given.values()}
    return word == "finish" and unmet.path in ("reason", "winners", "scores")
