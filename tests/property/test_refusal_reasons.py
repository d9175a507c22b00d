"""Whatever is not among the choices, at any decision, is refused with a cause: a condition, or what was misread."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import ruleforge
from ruleforge.backends.artifacts.setup import Chance
from ruleforge.compiler.ir import SITE
from ruleforge.engine.given_answers import taken
from ruleforge.support.resources import shipped_games
from tests.inside import variant_of, vector_of
from tests.property.lines import game_of

FIVE = ("soul-gems", "splicers", "primordial-soup", "primordial-orbs", "orbit-simulator")
DECISIONS = 12  # of a line
LONG = 45  # of one of the five
SAMPLE = 2  # answers of each option
BARE = ("not among the choices", "cannot be chosen here")


def positions(name: str, chance: Chance) -> Iterator[ruleforge.State]:
    rng = random.Random(1)
    state = game_of(name).start(seed=1, chance=chance)
    for _ in range(LONG if name in FIVE and chance == "sampled" else DECISIONS):
        if state.choices:
            yield state
            state.apply(rng.choice(state.choices))


def not_offered(state: ruleforge.State, rng: random.Random) -> Iterator[str]:
    """Some texts for each option of the question that are not listed now."""
    wording = variant_of(state).wordings[vector_of(state)[SITE]]
    assert wording is not None
    offered = {choice._code for choice in state.choices}
    for phrase in wording.phrases:
        option = phrase.option
        some = rng.sample(range(option.first, option.first + option.count), min(option.count, SAMPLE))
        yield from (wording.text(code) for code in some if code not in offered)


TABLES = [*((name, "sampled") for name in sorted(shipped_games())), *((name, "explicit") for name in FIVE)]


@pytest.mark.parametrize(("name", "chance"), TABLES)
def test_no_refusal_is_without_a_cause(name, chance):
    rng = random.Random(7)
    for state in positions(name, chance):
        for text in not_offered(state, rng):
            reasons = state.why_not(text)
            if not reasons:  # a choice after all: the members of a set may be named in any order
                assert state.read(text), (text, state.decision)
                continue
            assert not any(word in reasons[0].message for word in BARE), (str(reasons[0]), state.decision)


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_questions_are_put_to_the_question_that_waits(name):
    """The questioning program has the sites of the one that is played, and its functions take what those take."""
    state = game_of(name).start(seed=1)
    played, asking = variant_of(state).program, variant_of(state).special.questioning
    assert [(s.kind, s.prompt, s.options) for s in played.sites] == [
        (s.kind, s.prompt, s.options) for s in asking.runtime.program.sites
    ]
    for number, questions in asking.sites.items():
        takes = len(played.functions[played.sites[number].enumerator].parameters)
        for option, needs in zip(played.sites[number].options, questions.options, strict=True):
            for need in needs:
                wanted = len(asking.runtime.program.functions[need.function].parameters)
                assert wanted == takes + len(option.parts), (number, option.word, need.what)
    assert len(taken(played, vector_of(state))) in (0, len(played.waits[vector_of(state)[SITE]].arguments))
