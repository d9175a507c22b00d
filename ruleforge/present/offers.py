"""What may be chosen -> offers in the words of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from ruleforge.present.names import Names
from ruleforge.present.scene import Asked, Offer
from ruleforge.present.seen import SeenChoice, SeenDecision


def asked(seen: SeenDecision, names: Names, on: Mapping[str, str]) -> Asked:
    """The decision; `on` says what stands on the cells of boards."""
    offers = None
    if seen.offers is not None:
        offers = tuple(_offer(n, choice, names, on) for n, choice in enumerate(seen.offers))
    prompt = None if seen.prompt is None else _prompt(seen.prompt, names)
    return Asked(seen.player, names.thing(seen.player, "player"), prompt, offers)


def greyed(declined: Sequence[SeenChoice], names: Names, on: Mapping[str, str]) -> tuple[Offer, ...]:
    """What is not possible now, with what stands against it in place of what it does."""
    return tuple(_offer(-1, choice, names, on) for choice in declined)


def named(seen: SeenDecision | None) -> dict[str, tuple[int, ...]]:
    """For each thing the numbers of the choices that name it."""
    found: dict[str, list[int]] = {}
    for number, choice in enumerate(seen.offers or () if seen else ()):
        for name in dict.fromkeys(name for _, name, _ in choice.parts):
            found.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}


def _offer(number: int, choice: SeenChoice, names: Names, on: Mapping[str, str]) -> Offer:
    groups = groupby(enumerate(choice.parts), key=lambda at: at[1][2] or at[0])  # a set is one part
    parts = tuple(
        ", ".join(_part(kind, name, names, on) for _, (kind, name, _) in group) for _, group in groups
    )
    head = names.deed(choice.action if choice.action and choice.word == choice.action else choice.word)
    hint = tuple(piece if isinstance(piece, str) else names.value(piece.value) for piece in choice.hint)
    return Offer(number, choice.text, head, parts, tuple(name for _, name, _ in choice.parts), hint)


def _part(kind: str, name: str, names: Names, on: Mapping[str, str]) -> str:
    if not kind:
        return name
    if name in on:
        return f"{on[name]} {name}"
    return names.thing(name, kind)


def _prompt(prompt: str, names: Names) -> str:
    """The words of the rules; names in them that stand for something are called by their titles."""
    head, colon, rest = prompt.partition(": ")
    return f"{names.deed(head)}: {rest}" if colon and head.isidentifier() else prompt
