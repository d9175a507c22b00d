"""`offers` words the possible choices of a seat for its player."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from ruleforge.engine.presentation.observation import SeenChoice, SeenDecision, SeenPart
from ruleforge.engine.presentation.scene import Offer, Prompt
from ruleforge.engine.presentation.titles import Names
from ruleforge.support.spelling import with_article

SHORT = 2  # letters of a name that is no word
# A question made by the rules may end with the name of the parameter.
_NAMED = re.compile(r"\b(choose|how much of .+ from) (\w+)(\?| secretly|)$")


def named_in(prompt: str) -> str:
    """The name of what a question of the rules' own making asks for; empty where it says nothing."""
    found = _NAMED.search(prompt)
    return found[2] if found is not None and len(found[2]) > SHORT else ""


def prompt_of(seen: SeenDecision, names: Names, on: Mapping[str, str]) -> Prompt:
    """The decision; `on` says what stands on the cells of boards."""
    offers = None
    if seen.offers is not None:
        offers = tuple(_offer(n, choice, names, on) for n, choice in enumerate(seen.offers))
    kinds = (part.kind for choice in seen.offers or () for part in choice.parts[-1:])
    prompt = None if seen.prompt is None else _prompt(seen.prompt, names, next(kinds, ""))
    return Prompt(seen.player, names.thing(seen.player, "player"), prompt, offers)


def greyed(declined: Sequence[SeenChoice], names: Names, on: Mapping[str, str]) -> tuple[Offer, ...]:
    """The offers for impossible choices, each with the reason against it in place of its effect."""
    return tuple(_offer(-1, choice, names, on) for choice in declined)


def named(seen: SeenDecision | None, kind: str = "") -> dict[str, tuple[int, ...]]:
    """For each thing, or each of a kind, the numbers of the choices that name it."""
    found: dict[str, list[int]] = {}
    for number, choice in enumerate(seen.offers or () if seen else ()):
        for name in dict.fromkeys(part.name for part in choice.parts if kind in ("", part.kind)):
            found.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}


def _offer(number: int, choice: SeenChoice, names: Names, on: Mapping[str, str]) -> Offer:
    groups = groupby(enumerate(choice.parts), key=lambda at: at[1].parameter if at[1].member else at[0])
    parts = tuple(
        _together([_part(part, names, on) for _, part in group]) for _, group in groups
    )  # a set is one
    head = names.action(choice.word) if choice.action is not None else names.word(choice.word)
    hint = tuple(piece if isinstance(piece, str) else names.value(piece.value) for piece in choice.hint)
    letters = (names.letters(part.name, part.kind) for part in choice.parts)
    ids = tuple(part.name for part in choice.parts)
    return Offer(number, choice.text, head, parts, ids, hint, tuple(filter(None, letters)))


def _together(names: Sequence[str]) -> str:
    """The members of a set; short ones stay in one word."""
    return ("+" if all(" " not in name for name in names) else " + ").join(names)


def _part(part: SeenPart, names: Names, on: Mapping[str, str]) -> str:
    if not part.kind:
        return names.number(part.name, part.parameter)
    if part.name in on:
        return f"{on[part.name]} {part.name}"
    return names.thing(part.name, part.kind)


def _prompt(prompt: str, names: Names, kind: str) -> str:
    """The prompt in the rules' words, with titles for names.

    A single letter tells the player nothing: the kind of the thing replaces it.
    """

    def spell_out(found: re.Match[str]) -> str:
        what = (
            names.word(found[2])
            if len(found[2]) > SHORT or not kind
            else with_article(kind.replace("_", " "))
        )
        return f"{found[1]} {what}{found[3]}"

    prompt = _NAMED.sub(spell_out, prompt)
    head, colon, rest = prompt.partition(": ")
    return f"{names.action(head)}: {rest}" if colon and head.isidentifier() else prompt.replace("_", " ")
