"""`declined` lists choices that are impossible now: those that the player cannot pay for, and actions out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleforge.backends.faults import PlayError
from ruleforge.compiler.ir import SITE, WHO, Option
from ruleforge.compiler.questions import ActionQuestions, Requirement
from ruleforge.engine.choice import part_name
from ruleforge.engine.hints import Hinter
from ruleforge.engine.presentation.observation import Hint, SeenChoice, SeenPart
from ruleforge.engine.questions import Objections, Questions
from ruleforge.engine.reasons import price_of, reason_of
from ruleforge.engine.visibility.conditions import Visibility

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState

LAST = ("limit", "cost", "holds")  # what stands against something that could be chosen otherwise
AFTER = ("later", "ahead")  # what comes after it
MOST_QUESTIONS = 6_000  # questions about one state
MOST_FOUND = 60
MOST_REFUSED = 12  # of an action, by what is chosen first
SELF = "self"  # what carries an action is chosen first
Chosen = tuple[int, ...]


def declined(state: BaseState) -> tuple[SeenChoice, ...]:
    """The refused choices of the deciding player, each with its price and the reason. Hidden ones are left out."""
    if state.decision is None or not state._row[WHO]:
        return ()
    try:
        return tuple(_Search(state).all())
    except PlayError:  # the rules break the questions off
        return ()


@dataclass
class _Nearest:
    """The requirement that failed last on the way to a choice."""

    depth: int = -1
    chosen: Chosen = ()
    failed: Requirement | None = None


@dataclass
class _Found:
    dear: list[tuple[Chosen, Requirement]] = field(default_factory=list)
    nearest: _Nearest = field(default_factory=_Nearest)
    refused: dict[Chosen, Requirement] = field(default_factory=dict)  # what is needed beside its being there

    def refuse(self, chosen: Chosen, failed: Requirement) -> None:
        """Keep, of all ways that begin with one thing, the longest."""
        known = next((c for c in self.refused if c[:1] == chosen[:1]), ())
        if len(known) < len(chosen):
            self.refused.pop(known, None)
            self.refused[chosen] = failed


class _Search:
    def __init__(self, state: BaseState) -> None:
        self._state, self._program = state, state._variant.program
        self._questions = Questions(state)
        self._sight = Visibility(state._variant, state._row)
        self._who = state._row[WHO]
        self._left = MOST_QUESTIONS
        self._offered = {choice._code for choice in state.choices}

    def all(self) -> Iterator[SeenChoice]:
        hinter = Hinter(self._state)
        site = self._program.sites[self._state._row[SITE]]
        for option in site.options:
            if option.action is None or any(part.member for part in option.parts):
                continue
            action = self._questions.of(self._program.actions[option.action].name)
            against = self._questions.about(action.name)
            found = self._search(option, action, against, site.kind)
            for chosen, failed in found.dear[:MOST_FOUND]:
                named = {p.name: v for p, v in zip(option.parts, chosen, strict=True)}
                hint = hinter.of(action.name, named, ())
                says = self._against(against, option.word, failed, chosen, bool(hint))
                yield self._seen(option, chosen, (*hint, "; " if hint else "", says))
            offered = [code for code in self._offered if option.first <= code < option.first + option.count]
            begun = {option.values(code)[:1] for code in offered} | {chosen[:1] for chosen, _ in found.dear}
            refused = [(c, r) for c, r in found.refused.items() if c[:1] not in begun][:MOST_REFUSED]
            for chosen, failed in refused:
                says = self._against(against, option.word, failed, chosen, False)
                yield self._seen(option, chosen[:1], (says,))
            if not found.dear and not offered and not refused:
                why = self._why(option, against, found.nearest)
                yield from (self._seen(option, (), (text,)) for text in why)

    def _why(self, option: Option, against: Objections, near: _Nearest) -> Iterator[str]:
        """The reasons against an action; actions on things that no player has get none."""
        if option.parts and option.parts[0].name == SELF and near.depth <= 1:
            return
        if near.failed is None or near.failed.what in ("choice", "where"):
            yield "nothing fits now"
        else:
            yield self._against(against, option.word, near.failed, near.chosen, False)

    def _against(
        self, against: Objections, word: str, failed: Requirement, chosen: Chosen, priced: bool
    ) -> str:
        """The reason without the choice itself; beside a price only the amount at hand."""
        price = price_of(against, failed, chosen) if priced else None
        if price is not None:
            return self._questions.plainly.there(price)
        plain = reason_of(against, word, failed, chosen).plain
        return plain.partition(": ")[2] or plain

    def _search(self, option: Option, action: ActionQuestions, against: Objections, window: str) -> _Found:
        found = _Found()
        needs = [r for r in action.requirements if r.during in (None, window) and r.what not in AFTER]
        for chosen in self._reached(option, needs, against, (), found):
            if option.code(chosen) in self._offered:
                continue
            failed = [
                r
                for r in needs
                if r.what in LAST and r.binds <= len(chosen) and self._ask(against, r, chosen) is False
            ]
            if failed:
                found.dear.append((chosen, failed[0]))
        return found

    def _reached(
        self, option: Option, needs: list[Requirement], against: Objections, chosen: Chosen, found: _Found
    ) -> Iterator[Chosen]:
        """The ways to choose for which all conditions hold, part by part."""
        depth = len(chosen)
        doubt = False
        for requirement in needs:
            if requirement.what in LAST or requirement.binds != depth:
                continue
            holds = self._ask(against, requirement, chosen)
            if holds is False:
                if found.nearest.depth < depth:
                    found.nearest = _Nearest(depth, chosen, requirement)
                if requirement.what == "needs" and [p for p in option.parts[:depth] if p.name != SELF]:
                    found.refuse(chosen, requirement)
                return
            doubt = doubt or holds is None
        if doubt:  # whether it could be chosen hangs on what is hidden
            return
        if depth == len(option.parts):
            yield chosen
            return
        part = option.parts[depth]
        for value in range(part.lowest, part.lowest + part.size):
            if self._left <= 0:
                return
            if part.kind is None or self._sight.thing(self._who, part.kind, value):
                yield from self._reached(option, needs, against, (*chosen, value), found)

    def _ask(self, against: Objections, requirement: Requirement, chosen: Chosen) -> bool | None:
        self._left -= 1
        return against.holds(requirement, chosen)

    def _seen(self, option: Option, chosen: Chosen, hint: Hint) -> SeenChoice:
        parts = list(zip(option.parts, chosen, strict=False))
        kinds = ("" if part.kind is None else self._program.kinds[part.kind].name for part, _ in parts)
        names = [part_name(self._program, part, value) for part, value in parts]
        action = None if option.action is None else self._program.actions[option.action].name
        part_names = (part.name for part, _ in parts)
        seen = tuple(map(SeenPart, kinds, names, part_names))
        return SeenChoice(" ".join((option.word, *names)), option.word, action, seen, hint)
