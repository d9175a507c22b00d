"""A waiting state -> the answer to a question that only packs unknown to a scenario ask.

A scenario is written for a game and some packs. Played in the company of others it says nothing of their questions:
these are declined, or where that cannot be answered as the list of choices begins.
"""

from __future__ import annotations

from ruleforge.engine.choice import Choice
from ruleforge.engine.state import State

_DECLINING = ("done", "decline")


def answer_to_strangers(state: State, strangers: frozenset[str]) -> Choice | None:
    """None where the game or a pack that the scenario knows is asking."""
    decision = state.decision
    if not strangers or decision is None:
        return None
    refusal = next((choice for choice in state.choices if choice.text in _DECLINING), None)
    if decision.pack in strangers:
        return refusal or state.choices[0]
    others = [choice for choice in state.choices if choice is not refusal]
    return refusal if all(_is_strange(state, choice, strangers) for choice in others) else None


def _is_strange(state: State, choice: Choice, strangers: frozenset[str]) -> bool:
    pack = state.pack_of(choice)
    return pack is not None and pack.id in strangers
