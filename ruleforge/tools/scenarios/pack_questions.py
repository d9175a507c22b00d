"""Answers questions of packs that a scenario does not know.

A scenario is written for a game and some packs. With other packs it has no answers to their questions. These are
declined, or answered with the first choice.
"""

from __future__ import annotations

from ruleforge.engine.choice import Choice
from ruleforge.engine.question_packs import hiding_packs, offering_packs
from ruleforge.engine.state import State

_DECLINING = ("done", "decline")


def answer_unknown_pack(state: State, unknown_packs: frozenset[str]) -> Choice | None:
    """None where the game or a pack that the scenario knows is asking."""
    decision = state.decision
    if not unknown_packs or decision is None:
        return None
    refusal = next((choice for choice in state.choices if choice.text in _DECLINING), None)
    if decision.pack in unknown_packs:
        return refusal or state.choices[0]
    others = [choice for choice in state.choices if choice is not refusal]
    if not others and not _strange_question(state, unknown_packs):
        return None
    return refusal if all(_is_strange(state, choice, unknown_packs) for choice in others) else None


def _strange_question(state: State, unknown_packs: frozenset[str]) -> bool:
    """Asked with nothing to choose: does it hide only what packs unknown to the scenario have to offer?"""
    asking = offering_packs(state)
    return bool(asking & unknown_packs) and not (asking & hiding_packs(state)) - unknown_packs


def _is_strange(state: State, choice: Choice, unknown_packs: frozenset[str]) -> bool:
    pack = state.pack_of(choice)
    return pack is not None and pack.id in unknown_packs
