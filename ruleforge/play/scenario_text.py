"""Write moments of a game as a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import yaml

from ruleforge.engine.errors import PlayError
from ruleforge.engine.event import Event
from ruleforge.engine.game import Game
from ruleforge.engine.patch import differing
from ruleforge.engine.state import State
from ruleforge.play.session import Session
from ruleforge.play.timeline import Moment
from ruleforge.support.records import dataclass

MOST_AT_ONCE = 8
Step = dict[str, Any]


class NotAScenario(PlayError):
    """The game cannot be written as a scenario."""

    def __init__(self, message: str) -> None:
        super().__init__("RF850", message)


@dataclass(frozen=True)
class ScenarioPlan:
    """A plan for a scenario: a path through moments of a game, its title, its packs, its checks.

    `looks` holds the checks after a moment, by its number. With `open_chance` the results of chance were
    chosen, and the scenario has them as choices.
    """

    title: str
    game: Game
    way: tuple[Moment, ...]
    seed: int = 0
    packs: tuple[str, ...] = ()
    text: str = ""
    cites: tuple[str, ...] = ()
    open_chance: bool = False
    looks: Mapping[int, Sequence[Step]] = field(default_factory=dict)


def scenario_text(tale: ScenarioPlan) -> str:
    """The scenario as YAML. Raises Untellable."""
    first = tale.way[0].state
    made = _Retelling(tale)
    made.tell()
    plain = {option.name: option.default for option in tale.game.info.options}
    options = {name: value for name, value in first.options.items() if value != plain[name]}
    data: dict[str, Any] = {"scenario": tale.title}
    if tale.text:
        data["text"] = tale.text
    if tale.cites:
        data["cites"] = list(tale.cites)
    if tale.packs:
        data["with"] = list(tale.packs)
    if len(first.players) != tale.game.info.players[0]:
        data["players"] = len(first.players)
    if options:
        data["options"] = options
    data["seed"] = tale.seed
    if made.scripted:
        data["dice"] = made.dice
    data["steps"] = made.steps
    return yaml.dump(
        data, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None
    )


class _Plain(yaml.SafeDumper):
    """Writes repeated values in full: scenarios have no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class _Retelling:
    """Plays the scenario next to the game and corrects differences by `given`."""

    def __init__(self, tale: ScenarioPlan) -> None:
        self._tale = tale
        first = tale.way[0].state
        self.scripted = any(moment.transition is not None and moment.transition.dice for moment in tale.way)
        self._state = tale.game.start(
            players=len(first.players),
            seed=tale.seed,
            options=dict(first.options),
            chance="explicit" if self.scripted or tale.open_chance else "sampled",
        )
        self.steps: list[Step] = []
        self.dice: list[str] = []

    def tell(self) -> None:
        way = self._tale.way
        self._roll(iter(()))
        self._put_right(way[0].state)
        self._look(way[0])
        at = 1
        while at < len(way):
            if is_choice(way[at]):
                text = self._choose(at)
            else:
                text = 1  # an effect run by hand appears only by its result
                self._set(way[at])
            at += text
            if way[at - 1].running is None:
                self._put_right(way[at - 1].state)
            self._look(way[at - 1])

    def _choose(self, at: int) -> int:
        """Tell one choice, or as many as have to be said at once so that nothing is left out; gives how many."""
        way = self._tale.way
        transitions = [transition for transition in (way[at].transition,) if transition is not None]
        for moment in way[at + 1 : at + MOST_AT_ONCE]:
            if (
                not is_choice(moment)
                or moment.transition is None
                or moment.transition.player != transitions[0].player
            ):
                break
            transitions.append(moment.transition)
        for number in range(1, len(transitions) + 1):
            texts = [transition.text for transition in transitions[:number]]
            if self._steps(" ".join(texts)) == texts:
                break
        else:
            raise NotAScenario(
                f"a scenario cannot reach `{texts[0]}` by play alone; undo everything that was set or run by hand"
            )
        for offset, text in enumerate(texts):
            self._state.apply(next(choice for choice in self._state.choices if choice.text == text))
            self._roll(_results(way[at + offset].events))
        self.steps.append({transitions[0].player: " ".join(texts)})
        return number

    def _set(self, moment: Moment) -> None:
        """Values set by hand, in the author's words."""
        if moment.transition is not None and moment.transition.given:
            self._give(dict(moment.transition.given))

    def _look(self, moment: Moment) -> None:
        self.steps += self._tale.looks.get(moment.number, ())

    def _steps(self, text: str) -> list[str]:
        """The steps that a scenario makes of a text."""
        try:
            return [turn.choice.text for turn in Session(self._state).apply_whole(text)]
        except PlayError:
            return []

    def _roll(self, results: Iterator[str]) -> None:
        """Choose the recorded results of dice. Without a record, take the first result."""
        if self._tale.open_chance:
            return
        while (decision := self._state.decision) is not None and decision.is_chance:
            wanted = next(results, "")
            texts = [choice.text for choice in self._state.choices]
            die = wanted if wanted in texts else texts[0]
            self._state.apply(self._state.choices[texts.index(die)])
            self.dice.append(die)

    def _put_right(self, wanted: State) -> None:
        other = differing(self._state, wanted)
        if other:
            self._give({path: as_written(value) for path, value in other.items()})

    def _give(self, values: dict[str, Any]) -> None:
        try:
            self._state = self._state.patched(values)
        except PlayError as error:
            raise NotAScenario(f"a scenario cannot start from this position: {error.message}") from None
        self.steps.append({"given": values})


def is_choice(moment: Moment) -> bool:
    """Whether a moment came about by a choice of the game, not by an answer to an effect run by hand."""
    before = moment.before
    by_hand = before is not None and before.running is not None
    return moment.transition is not None and moment.transition.word == "do" and not by_hand


def _results(events: Any) -> Iterator[str]:
    """The results of dice and random picks, in order."""
    for event in events:
        if isinstance(event, Event) and event.name in ("roll", "random") and event["result"] is not None:
            yield str(event["result"])


def as_written(value: Any) -> Any:
    """A value as a scenario writes it."""
    return "none" if value is None else value
