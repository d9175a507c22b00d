"""Choices among things that the chooser cannot see are named by the place of the thing, not by its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import RNG_A, RNG_B, SITE, WHO
from ruleforge.engine import paths
from ruleforge.engine.choice import Choice, Wording, mingled
from ruleforge.engine.paths import PlacePath
from ruleforge.engine.presentation.observation import HIDDEN
from ruleforge.engine.visibility.conditions import Visibility

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

NO_CODE = -1
_MIX = 0x9E3779B1


class HiddenChoice(Choice):
    """An answer whose text shows positions such as `ann.hand[2]` in place of hidden things."""

    __slots__ = ()

    def __init__(self, wording: Wording, code: int, text: str, names: tuple[str, ...]) -> None:
        super().__init__(wording, code)
        self._text = text
        self._names = names

    @property
    def code(self) -> int:
        """No number: it would say which thing it is."""
        return NO_CODE


class ChoiceNames:
    """Renames the choices of one variant; the same answer in the same words is the same object."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._made: dict[tuple[int, int, str], HiddenChoice] = {}
        self.sites = frozenset(site.number for site in variant.program.sites if self._concerns(site.number))

    def _concerns(self, site: int) -> bool:
        """Whether a thing that may be hidden can be an answer here."""
        program = self._variant.program
        info = program.sites[site]
        kinds = {part.kind for option in info.options for part in option.parts}
        return not info.chance and any(p.sees is not None and p.holds in kinds for p in program.places)

    def over(self, row: Row, choices: Sequence[Choice]) -> tuple[Choice, ...]:
        """The choices as the chooser may know them."""
        site, who = row[SITE], row[WHO]
        if site not in self.sites or not who or not choices:
            return tuple(choices)
        wording = self._variant.wordings[site]
        assert wording is not None
        visible = Visibility(self._variant, row)
        spots: dict[tuple[int, int], str] = {}
        seen: list[Choice] = []
        unseen: list[Choice] = []
        for choice in choices:
            hidden = {
                n: self._spot(row, visible, kind, thing, spots)
                for n, (kind, thing) in enumerate(wording.things(choice._code))
                if kind is not None and not visible.thing(who, kind, thing)
            }
            if hidden:
                unseen.append(self._renamed(wording, choice, hidden))
            else:
                seen.append(choice)
        return (*seen, *sorted(unseen, key=_in_order)) if unseen else tuple(seen)

    def _renamed(self, wording: Wording, choice: Choice, hidden: dict[int, str]) -> Choice:
        plain = wording.names(choice._code)
        words = wording.text(choice._code).split()
        head, shown = words[: len(words) - len(plain)], words[len(words) - len(plain) :]
        parts = wording.option(choice._code).parts
        names = mingled(parts, [hidden.get(n, name) for n, name in enumerate(plain)])
        text = " ".join((*head, *mingled(parts, [hidden.get(n, word) for n, word in enumerate(shown)])))
        key = (wording.site.number, choice._code, text)
        if key not in self._made:
            self._made[key] = HiddenChoice(wording, choice._code, text, tuple(names))
        return self._made[key]

    def _spot(
        self, row: Row, visible: Visibility, kind: int, thing: int, spots: dict[tuple[int, int], str]
    ) -> str:
        """The place of a hidden thing: its container and its number among the hidden ones there."""
        if (kind, thing) not in spots:
            for path in self._variant.paths.places:
                if path.info.holds == kind and row[path.info.where + thing] == path.instance:
                    for number, other in enumerate(self._order(row, visible, path), 1):
                        spots[kind, other] = f"{path.path}[{number}]"
        return spots[kind, thing]

    def _order(self, row: Row, visible: Visibility, path: PlacePath) -> list[int]:
        """The true order where there is one; else one that says nothing of the things, and changes."""
        things = paths.content(self._variant.program, row, path)
        if path.info.form == "list":
            return things
        hidden = [t for t in things if not visible.in_place(row[WHO], path.info, path.indices, t)]
        return sorted(hidden, key=lambda t: _mixed(row[RNG_A], row[RNG_B], t))


def _mixed(a: int, b: int, thing: int) -> int:
    """A number without a pattern, the same on every machine."""
    value = (a * 31 + b * 17 + thing) & 0xFFFFFFFF
    for _ in range(3):
        value = (value ^ value >> 15) * _MIX & 0xFFFFFFFF
    return value


def _in_order(choice: Choice) -> tuple[object, ...]:
    """Sorts by words, numbers by their size, so that the order of hidden things does not show."""
    return tuple((len(word), word) for word in choice.text.split())


def redacted_text(variant: Variant, before: Row, after: Row, choice: Choice, viewer: int) -> str:
    """The text without the things that the viewer sees neither before nor after.

    A thing chosen unseen is named by its place: the text must not depend on whether it is revealed
    afterwards.
    """
    if not variant.hides_something:
        return choice.text
    ends = (Visibility(variant, before), Visibility(variant, after))
    if ends[0].decides(viewer):
        return choice.text
    if variant.program.sites[choice.site].unseen or not ends[0].answer(viewer, choice._code):
        return HIDDEN
    wording = variant.wordings[choice.site]
    assert wording is not None
    words = choice.text.split()
    for n, (kind, thing) in enumerate(reversed(wording.things(choice._code)), 1):
        if kind is None:
            continue
        unseen = before[WHO] > 0 and not ends[0].thing(before[WHO], kind, thing)
        if not any(visible.thing(viewer, kind, thing) for visible in (ends[:1] if unseen else ends)):
            words[-n] = HIDDEN
    return " ".join(words)
