"""The decisions of one game -> what is counted of it: choices, marks, who was ahead, how long somebody thought."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from ruleforge.engine.choice import Choice
from ruleforge.engine.decision import Decision
from ruleforge.engine.state import State
from ruleforge.support.records import dataclass
from ruleforge.tools.experiments.leads import Standing
from ruleforge.tools.experiments.marks import Mark, Marks
from ruleforge.tools.experiments.rows import DecisionRow


@dataclass(frozen=True, slots=True)
class Moment:
    """One decision as it was made: by which agent, in how many seconds, and how the seats stood before."""

    decision: Decision
    agent: str
    choice: Choice
    seconds: float
    standing: Standing


@dataclass
class Notes:
    """What was seen in one game; `used` is by seat, `thought` are seconds by agent."""

    branching: Counter[int] = field(default_factory=Counter)
    taken: Counter[Mark] = field(default_factory=Counter)
    offered: Counter[Mark] = field(default_factory=Counter)
    used: dict[str, set[Mark]] = field(default_factory=dict)
    thought: dict[str, list[float]] = field(default_factory=dict)
    course: list[Standing] = field(default_factory=list)
    rows: list[DecisionRow] = field(default_factory=list)

    def see(self, state: State, moment: Moment, marks: Marks) -> None:
        """A decision that is about to be carried out."""
        player, found = moment.decision.player, marks.of(moment.choice)
        self.branching[len(state.choices)] += 1
        self.taken.update(found)
        self.offered.update(marks.of_all(state.choices))
        self.course.append(moment.standing)
        if not moment.decision.is_chance:
            self.used.setdefault(player, set()).update(found)
            self.thought.setdefault(moment.agent, []).append(moment.seconds)

    def keep(self, game: int, state: State, moment: Moment) -> None:
        """The same as a row of its own."""
        self.rows.append(
            DecisionRow(
                game=game,
                decision=len(self.rows),
                player=moment.decision.player,
                agent=moment.agent,
                asked=moment.decision.kind,
                choices=len(state.choices),
                choice=moment.choice.text,
                action=moment.choice.action,
                standing=moment.standing,
                seconds=moment.seconds,
            )
        )

    @property
    def mean_choices(self) -> float | None:
        made = self.branching.total()
        total = sum(choices * count for choices, count in self.branching.items())
        return round(total / made, 4) if made else None
