"""The results of a walk over effects, and the circumstances of each statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from ruleforge.analysis.effects.summary import Change, EffectSummary, Emission, Occasion, Write
from ruleforge.analysis.effects.values import Known
from ruleforge.lang.checker import typed as t
from ruleforge.support.records import dataclass

Env = dict[t.Variable, Known]


@dataclass
class Found:
    """The results of a walk so far."""

    changes: list[Change] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    emits: list[Emission] = field(default_factory=list)
    occasions: list[Occasion] = field(default_factory=list)

    def noted_in(self, effect: EffectSummary, hanging: Sequence[Change] = ()) -> EffectSummary:
        """The summary with these results. `hanging` are changes that the definition is by itself."""
        return replace(
            effect,
            changes=(*hanging, *self.changes),
            writes=tuple(self.writes),
            emits=tuple(self.emits),
            occasions=tuple(self.occasions),
        )


@dataclass(frozen=True)
class Where:
    """The circumstances of a statement: the core event around it, how often it runs, the events on the way,
    paid or not.
    """

    sealed: str = ""
    times: float = 1
    path: tuple[str, ...] = ()
    paid: bool = False
    beginning: bool = False  # a set-up: what it changes is how a game starts
    conditions: tuple[t.Expr, ...] = ()
    holds: tuple[t.Expr, ...] = ()  # what is true besides: conditions of the rule, of what was chosen
    counts: tuple[t.Expr, ...] = ()  # how often it is done
    uses: str = ""  # things of this kind are removed in the same block, so that they run out
