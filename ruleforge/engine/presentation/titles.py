"""`Names` gives the names of a ruleset as players read them; `phases_around` lists the phases near the present one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from ruleforge.backends.artifacts.info import GameInfo, PhaseInfo
from ruleforge.engine.presentation.observation import HIDDEN, Value
from ruleforge.lang.model.words import pretty

_SPOT = re.compile(r"(?P<place>.+)\[(?P<number>\d+)\]$")
_WHOSE = re.compile(r"(?:(?P<owner>[^.\[\]]+(?:\.[^.\[\]]+)?)\.)?(?P<name>[^.\[\]]+)(?:\[(?P<index>.+)\])?$")
Around = tuple[tuple[str, bool], ...]


class Names:
    """The words of one game."""

    def __init__(self, info: GameInfo) -> None:
        self._titles, self._signs = info.titles, info.look.signs()
        self._sides = info.sides
        self._values = info.look.values
        self._things: dict[str, str] = {}  # by their names alone
        for key, title in self._named():
            self._things.setdefault(key, title)

    def _named(self) -> Iterator[tuple[str, str]]:
        """Each name that a player can type, without its kind, with its title."""
        return (
            (key.partition(".")[2] or key, title) for key, title in self._titles.items() if " " not in key
        )

    @cached_property
    def ids(self) -> Mapping[str, str]:
        """Map the titles of things and actions, in small letters, to their names in the rules."""
        found: dict[str, str] = {}
        for key, title in self._named():
            found.setdefault(title.casefold(), key)
        for key, sign in self._signs.items():
            found.setdefault(sign[-1].casefold(), key.partition(".")[2])
        return found

    def letters(self, name: str, kind: str) -> str:
        """The letters to type for a thing that is drawn as a sign; empty for all others."""
        return self._signs.get(f"{kind}.{name}", ("",))[-1]

    def thing(self, name: str, kind: str = "") -> str:
        """`cook`, or `card.cook` where things of other kinds are called so too."""
        if name == HIDDEN:
            return HIDDEN
        if "[" in name:
            return self.where(name)
        of, _, bare = name.rpartition(".")
        kind = kind or of
        found = self._titles.get(f"{kind}.{bare}") if kind else self._things.get(bare)
        return found or pretty(bare)

    def winners(self, winners: tuple[str, ...], players: Collection[str]) -> tuple[str, ...]:
        """The names of the winners; if all members of a team won, the name of the team."""
        sides = self._sides(players)
        team = next((team for team, side in sides.items() if side == winners), None)
        if len(winners) > 1 and team is not None:
            return (self.thing(team),)
        return tuple(self.thing(player, "player") for player in winners)

    def number(self, text: str, name: str) -> str:
        """A number that is chosen under a name, with what the author says that it stands for."""
        means = self._values.get(name, {}).get(text)
        return f"{text} {means}" if means else text

    def word(self, name: str) -> str:
        """A word of an answer: a thing with a title by that, all else as it is."""
        return self._things.get(name) or (self.where(name) if "[" in name else name.replace("_", " "))

    def label(self, name: str, kind: str = "") -> str:
        """An attribute, formula or place."""
        found = self._titles.get(f"{kind}.{name}") or self._titles.get(name)
        return found or name.replace("_", " ")

    def action(self, name: str) -> str:
        """An action or the word of an answer."""
        return self._titles.get(name) or name.rpartition(".")[2].replace("_", " ")

    def rule(self, name: str) -> str:
        """`lake.tide` is the tide of the lake."""
        return self._titles.get(f"rule {name}") or name.rpartition(".")[2].replace("_", " ")

    def kind(self, name: str, number: int = 1) -> str:
        """The name for a number of things of a kind: `card`, `cards`."""
        noun = self._titles.get(f"kind {name}", name).replace("_", " ") or "thing"
        if number == 1:
            return noun
        return self._titles.get(f"kinds {name}", f"{noun}s").replace("_", " ")

    def where(self, container: str) -> str:
        """The name of a container: Ann's hand for `ann.hand`, no. 2 of Ann's hand for `ann.hand[2]`."""
        spot = _SPOT.match(container)
        if spot:
            return f"no. {spot['number']} of {self.where(spot['place'])}"
        found = _WHOSE.match(container)
        if found is None:
            return container
        label = self.label(found["name"])
        if found["index"]:
            label += f" of {', '.join(self.thing(index.strip()) for index in found['index'].split(','))}"
        return f"{whose(self.thing(found['owner']))} {label}" if found["owner"] else f"the {label}"

    def value(self, value: Value | tuple[str, ...], kind: str = "") -> str:
        match value:
            case None:
                return "none"
            case bool():
                return "yes" if value else "no"
            case list() | tuple():
                return ", ".join(self.value(item, kind) for item in value)
            case int():
                return str(value)
        return self.thing(value, kind)


def whose(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


# The titled phases around the present phase, in order.


def phases_around(flow: Sequence[PhaseInfo], name: str) -> Around:
    """Titles of the outermost row of phases that includes or encloses the phase of this name."""
    here = next((phase for phase in flow if _holds(phase, name)), None)
    if here is None:
        return ()
    titled = [phase for phase in flow if phase.title]
    if len(titled) > 1 and here in titled:
        return tuple((phase.title, phase is here) for phase in titled)
    return phases_around(here.steps, name)


def _holds(phase: PhaseInfo, name: str) -> bool:
    return phase.name == name or any(_holds(step, name) for step in phase.steps)
