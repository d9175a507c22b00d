"""Non-interference at every door: worlds that differ only in what a seat may not know look the same to it.

Worlds are made in three ways: what a seat cannot see is drawn anew from what it knows (`reimagined`); hidden things
that look alike change places; somebody else answers otherwise in secret. A seat that sees the same in both worlds
must be told the same at every other door. The public is a seat, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import ruleforge
from ruleforge.engine.hidden import redealt
from ruleforge.narration import Narrator, Sentence
from ruleforge.play import replay
from ruleforge.play.agents import MctsAgent, make_agent
from ruleforge.play.session import Session
from ruleforge.present.draw import text as drawn
from ruleforge.present.html import html
from tests.property.lines import game_of

TESTS = Path(__file__).resolve().parent.parent
GAMES = {  # each with how many decisions of a line are looked at, and how many are skipped in between
    "kuhn-poker": (4, 1),
    "leduc-poker": (8, 1),
    str(TESTS / "rulesets" / "hidden"): (14, 1),
    str(TESTS / "rulesets" / "sealed"): (8, 1),
    str(TESTS / "rulesets" / "planning"): (8, 1),
    "splicers": (6, 6),
    "primordial-orbs": (6, 4),
    "orbit-simulator": (6, 5),
    "soul-gems": (4, 4),
}
Seat = str | None
Twins = tuple[ruleforge.State, ruleforge.State, Seat]  # two worlds, and the seat that cannot tell them apart


# --- worlds ---


@cache
def states(name: str) -> tuple[ruleforge.State, ...]:
    """Positions along a random line."""
    count, apart = GAMES[name]
    rng = random.Random(7)
    state, found = game_of(name).start(seed=7), list[ruleforge.State]()
    while state.choices and len(found) < count:
        found.append(state.copy())
        for _ in range(rng.randint(1, apart)):
            if state.choices:
                state.apply(rng.choice(state.choices))
    return tuple(found)


@cache
def twins(name: str) -> tuple[Twins, ...]:
    rng = random.Random(5)
    return tuple(pair for state in states(name) for pair in _twins(state, rng))


def _twins(state: ruleforge.State, rng: random.Random) -> Iterator[Twins]:
    for seat in (*state.players, None):
        yield from _alike(state, state.reimagined(seat, rng), seat)
    for number, seat in enumerate(state.players, 1):
        yield from _alike(state, redealt(state, number, rng, alike=True), seat)
    yield from _otherwise(state, rng)


def _alike(one: ruleforge.State, two: ruleforge.State, seat: Seat) -> Iterator[Twins]:
    if one.digest != two.digest and one.view(seat) == two.view(seat):
        yield one, two, seat


def _otherwise(state: ruleforge.State, rng: random.Random) -> Iterator[Twins]:
    """Two answers that somebody else gives in secret."""
    if len(state.choices) < 2:
        return
    one, two = state.copy(), state.copy()
    try:
        for world, choice in zip((one, two), rng.sample(state.choices, 2), strict=True):
            world.apply(choice)
    except ruleforge.IllegalChoice:
        return
    for seat in (*state.players, None):
        if not tells(state, seat):
            yield from _alike(one, two, seat)


def tells(state: ruleforge.State, seat: Seat) -> bool:
    """Whether the seat is told what is chosen now."""
    assert state.decision is not None
    return state.decision.player == seat or state.view(seat)["decision"]["kind"] != "?"


# --- doors: what a seat gets at each of them ---


def decides(state: ruleforge.State, seat: Seat) -> bool:
    return state.decision is not None and state.decision.player == seat


def table(state: ruleforge.State, seat: Seat) -> object:
    return state.view(seat), str(state.table(seat))


def scene(state: ruleforge.State, seat: Seat) -> object:
    """The table arranged for people, and the same with what changed since the game began."""
    since = state.game.start(seed=7, players=len(state.players)).table(seat)
    return state.scene(seat), state.scene(seat, since), drawn(state.scene(seat)), html(state.scene(seat))


def question(state: ruleforge.State, seat: Seat) -> object:
    """Who is asked what; whoever is asked, all that can be read off the choices."""
    if not decides(state, seat):
        return state.view(seat)["decision"]
    return state.decision, [(c.text, c.code, c.action, c.arguments) for c in state.choices]


def _texts(state: ruleforge.State, seat: Seat) -> list[str]:
    """Good beginnings with bad ends, words of other moments, hidden things by name."""
    first = [choice.text for choice in state.choices[:2]] if decides(state, seat) else []
    words = sorted({text.split()[0] for text in first} | {*_words(state)})
    things = sorted({path.partition(".")[0] for path in _paths(state)})
    followed = [f"{text} {more}" for text in first for more in ("zzz", "decline", *first)]
    return ["zzz", *followed, *words[:4], *(f"{word} {thing}" for word in words[:4] for thing in things[::9])]


def _words(state: ruleforge.State) -> list[str]:
    return [action.name.rpartition(".")[2] for action in state._variant.program.actions][::3]


def _paths(state: ruleforge.State) -> list[str]:
    return [path for path in state.paths() if not path.startswith(("decision.", "outcome."))]


def refusals(state: ruleforge.State, seat: Seat) -> object:
    if not decides(state, seat):
        return None
    found = []
    for text in _texts(state, seat):
        trial = state.copy()
        try:
            trial.apply(text, player=seat)
            found.append((text, "done"))
        except ruleforge.IllegalChoice as refusal:
            found.append((text, str(refusal.reasons)))
    return found


def why_not(state: ruleforge.State, seat: Seat) -> object:
    if seat is None:
        return None
    return [(text, str(state.why_not(text, seat))) for text in _texts(state, seat)]


def _said(ask: Callable[[str, Seat], object], text: str, seat: Seat) -> str:
    try:
        return str(ask(text, seat))
    except ruleforge.PathError as refusal:
        return str(refusal)


def explanations(state: ruleforge.State, seat: Seat) -> object:
    """Paths and formulas, whether or not the seat may know them."""
    return [
        (path, _said(state.explain, path, seat)) for path in _paths(state)[:: len(_paths(state)) // 20 + 1]
    ]


def evaluations(state: ruleforge.State, seat: Seat) -> object:
    paths = _paths(state)
    return [(path, _said(state.evaluate, path, seat)) for path in paths[:: len(paths) // 8 + 1]]


def records(state: ruleforge.State, seat: Seat) -> object:
    return replay.record_for(Session(state), seat)


def agents(state: ruleforge.State, seat: Seat) -> object:
    if not decides(state, seat):
        return None
    return [agent.choose(state).text for agent in (make_agent("random", 3), MctsAgent(3, simulations=1))]


DOORS: dict[str, Callable[[ruleforge.State, Seat], object]] = {
    "table": table, "scene": scene, "question": question, "refusals": refusals, "why not": why_not,
    "explanations": explanations, "evaluations": evaluations, "records": records, "agents": agents,
}  # fmt: skip
FEWER = {
    "agents": 4,
    "evaluations": 5,
    "refusals": 12,
    "why not": 12,
}  # pairs of worlds, where a door takes long


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).name)
def test_a_door_tells_a_seat_the_same_in_both_worlds(name, door):
    pairs = twins(name)
    mine = [pair for pair in pairs if decides(pair[0], pair[2])]
    rest = [pair for pair in pairs if not decides(pair[0], pair[2])]
    most = FEWER.get(door, 40)
    for one, two, seat in (*mine[:: len(mine) // most + 1], *rest[:: len(rest) // most + 1]):
        assert DOORS[door](one, seat) == DOORS[door](two, seat), (seat, one.decision)


def _heard(session: Session, seat: Seat) -> list[tuple[object, ...]]:
    return [
        (str(e), e.span, e.clauses, e.depth, e.cause and str(e.cause), tuple(e.told.items()))
        for turn in session.turns
        for e in turn.events.seen_by(seat)
    ]


def _narrated(session: Session, seat: Seat) -> list[Sentence]:
    narrator = Narrator(session.state.game.info)
    return [
        sentence
        for turn in session.turns
        for sentence in narrator.step(turn.player, turn.told_to(seat), turn.events.seen_by(seat))
    ]


def _dice(heard: list[tuple[object, ...]]) -> list[object]:
    return [event[0] for event in heard if str(event[0]).startswith(("roll ", "random "))]


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).name)
def test_one_choice_in_both_worlds_is_told_in_the_same_words(name):
    """Events, told choices and records; a seat that openly learns something else is out of it."""
    rng = random.Random(4)
    for one, two, seat in twins(name):
        texts = [choice.text for choice in one.choices if choice.text in {c.text for c in two.choices}]
        if not texts:
            continue
        sessions = [Session(one), Session(two)]
        wish = rng.choice(texts)
        try:
            for session in sessions:
                session.apply(wish)
        except ruleforge.IllegalChoice:
            continue
        heard = [_heard(session, seat) for session in sessions]
        views = [session.state.view(seat) for session in sessions]
        if views[0] == views[1] and _dice(heard[0]) == _dice(heard[1]):
            assert heard[0] == heard[1], (seat, wish)
            told = [[turn.told_to(seat) for turn in session.turns] for session in sessions]
            assert told[0] == told[1], (seat, wish)
            assert _narrated(sessions[0], seat) == _narrated(sessions[1], seat), (seat, wish)
            assert replay.record_for(sessions[0], seat) == replay.record_for(sessions[1], seat)


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).name)
def test_a_secret_answer_is_told_in_the_same_words_whatever_it_is(name):
    """Two answers that leave a seat's view the same are told to it alike, event by event."""
    rng = random.Random(3)
    for state in states(name):
        some = rng.sample(state.choices, min(3, len(state.choices)))
        for seat in (*state.players, None):
            if tells(state, seat):
                continue
            told: dict[str, set[str]] = {}
            for choice in some:
                session = Session(state)
                try:
                    session.apply(choice)
                except ruleforge.IllegalChoice:
                    continue
                heard = _heard(session, seat)
                said = str((heard, session.turns[-1].told_to(seat), _narrated(session, seat)))
                told.setdefault(f"{session.state.view(seat)}{_dice(heard)}", set()).add(said)
            assert all(len(words) == 1 for words in told.values()), (seat, state.decision, told)


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).name)
def test_there_are_worlds_to_compare(name):
    assert len(twins(name)) >= 3
    assert any(decides(one, seat) for one, _, seat in twins(name)) or name == "soul-gems"
