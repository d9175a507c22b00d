"""What was just played -> a scenario that `ruleforge test` passes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from ruleforge.engine.errors import PlayError
from ruleforge.engine.events import Event
from ruleforge.engine.patch import differing
from ruleforge.engine.state import State
from ruleforge.frontends.repl.acting import set_parts
from ruleforge.frontends.repl.answer import Answer, Refusal, said
from ruleforge.frontends.repl.console import Console
from ruleforge.frontends.repl.keeping import target
from ruleforge.play.timeline import Moment
from ruleforge.writing import write_text

MOST_EXPECTED = 12
MOST_AT_ONCE = 8


def export(console: Console, text: str) -> Answer:
    """Write a scenario, once it has been seen to hold."""
    word, _, rest = text.partition(" ")
    if word != "test":
        raise Refusal("say export test FILE [--force]")
    path = target(rest, "export test FILE")
    if console.here.running is not None:
        raise Refusal("an effect is under way: answer it with `do`, or `undo` it")
    content = scenario_text(console, path.stem.replace("_", " ").replace("-", " "))
    problems = _problems(console, content)
    if problems:
        raise Refusal("what was played cannot be told as a scenario", problems)
    write_text(path, content)
    lines = content.count("\n")
    return said(f"wrote {lines} lines to {path}; `ruleforge test` passes it", file=str(path), lines=lines)


def _problems(console: Console, content: str) -> Any:
    with tempfile.TemporaryDirectory(prefix="ruleforge-") as folder:
        trial = Path(folder) / "scenario.yaml"
        write_text(trial, content)
        return console.test_scenario(console.rules.game, trial)


def scenario_text(console: Console, title: str) -> str:
    way = console.here.path
    scripted = any(moment.deed is not None and moment.deed.dice for moment in way)
    made = _Retelling(console, scripted)
    made.tell(way)
    game = console.rules.game
    plain = {option.name: option.default for option in game.info.options}
    options = {name: value for name, value in way[0].state.options.items() if value != plain[name]}
    data: dict[str, Any] = {"scenario": title.capitalize() or "A scenario"}
    if game.info.packs:
        data["with"] = list(console.rules.packs)
    if len(way[0].state.players) != game.info.players[0]:
        data["players"] = len(way[0].state.players)
    if options:
        data["options"] = options
    data["seed"] = console.start.seed or 0
    if scripted:
        data["dice"] = made.dice
    data["steps"] = [*made.steps, *_expectations(console.here)]
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)


class _Retelling:
    """Plays what a scenario would, beside what was played, and puts right by `given` whatever comes out otherwise."""

    def __init__(self, console: Console, scripted: bool) -> None:
        start = console.start
        if start.seed is None:
            raise Refusal("this began with a saved position; a scenario begins with a game")
        self._state = console.rules.game.start(
            players=start.players,
            seed=start.seed,
            options=dict(start.options),
            chance="explicit" if scripted else "sampled",
        )
        self.steps: list[dict[str, Any]] = []
        self.dice: list[str] = []

    def tell(self, way: tuple[Moment, ...]) -> None:
        self._roll(iter(()))
        self._put_right(way[0].state)
        at = 1
        while at < len(way):
            if _is_choice(way[at]):
                said = self._choose(way, at)
            else:
                said = 1  # of what was run by hand only what came of it is told
                self._set(way[at])
            at += said
            if way[at - 1].running is None:
                self._put_right(way[at - 1].state)

    def _choose(self, way: tuple[Moment, ...], at: int) -> int:
        """Tell one choice, or as many as have to be said at once so that nothing is left unsaid; gives how many."""
        deeds = [deed for deed in (way[at].deed,) if deed is not None]
        for moment in way[at + 1 : at + MOST_AT_ONCE]:
            if not _is_choice(moment) or moment.deed is None or moment.deed.player != deeds[0].player:
                break
            deeds.append(moment.deed)
        for number in range(1, len(deeds) + 1):
            texts = [deed.text for deed in deeds[:number]]
            if self._said(" ".join(texts)) == texts:
                break
        else:
            raise Refusal(
                f"a scenario cannot come to `{texts[0]}` by itself; undo to before what was set or run by hand"
            )
        for offset, text in enumerate(texts):
            self._state.apply(next(choice for choice in self._state.choices if choice.text == text))
            self._roll(_results(way[at + offset].events))
        self.steps.append({deeds[0].player: " ".join(texts)})
        return number

    def _set(self, moment: Moment) -> None:
        """A value set by hand, in the author's words."""
        if moment.deed is not None and moment.deed.word == "set":
            path, value = set_parts(moment.deed.text)
            self._give({path: value})

    def _said(self, text: str) -> list[str]:
        """The steps that a scenario makes of a text."""
        try:
            return [choice.text for choice in self._state.said(text)]
        except PlayError:
            return []

    def _roll(self, results: Iterator[str]) -> None:
        """Dice as they fell; where nobody knows how, the first way."""
        while (decision := self._state.decision) is not None and decision.is_chance:
            wanted = next(results, "")
            texts = [choice.text for choice in self._state.choices]
            die = wanted if wanted in texts else texts[0]
            self._state.apply(self._state.choices[texts.index(die)])
            self.dice.append(die)

    def _put_right(self, wanted: State) -> None:
        other = differing(self._state, wanted)
        if other:
            self._give({path: _value(value) for path, value in other.items()})

    def _give(self, values: dict[str, Any]) -> None:
        try:
            self._state = self._state.patched(values)
        except PlayError as error:
            raise Refusal(f"a scenario cannot be given this position: {error.message}") from None
        self.steps.append({"given": values})


def _is_choice(moment: Moment) -> bool:
    """Whether a moment came about by a choice of the game, not by an answer to an effect run by hand."""
    before = moment.before
    by_hand = before is not None and before.running is not None
    return moment.deed is not None and moment.deed.word == "do" and not by_hand


def _results(events: Any) -> Iterator[str]:
    """What dice and picks came to, in order."""
    for event in events:
        if isinstance(event, Event) and event.name in ("roll", "random") and event["result"] is not None:
            yield str(event["result"])


def _expectations(here: Moment) -> list[dict[str, Any]]:
    """What the last step changed, and who is asked next or how the game ended."""
    before = here.before
    found = differing(before.state, here.state) if before is not None and before.running is None else {}
    shown = dict(list(found.items())[:MOST_EXPECTED])
    expect = {path: _value(value) for path, value in shown.items()}
    outcome = here.state.outcome
    if outcome is None:
        decision = here.state.decision
        assert decision is not None
        return [{"expect": {**expect, "decision.player": decision.player}}]
    looks = [{"expect": expect}] if expect else []
    return [*looks, {"outcome": {"reason": outcome.reason, "winners": list(outcome.winners)}}]


def _value(value: Any) -> Any:
    return "none" if value is None else value
