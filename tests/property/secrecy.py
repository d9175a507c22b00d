"""Worlds that differ only in what a seat may not know, and all that a seat is told at each interface.

Worlds are made in three ways: what a seat cannot see is drawn anew from what it knows (`sample_world`); hidden things
that look alike change places; somebody else answers otherwise in secret. A seat that sees the same in both worlds
must be told the same at every other interface. The public is a seat, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from unittest.mock import ANY

import ruleforge
from ruleforge.backends import reference
from ruleforge.backends.api import words
from ruleforge.compiler.observation_program import OBSERVATION, observing
from ruleforge.engine.presentation.styled_text import text_of
from ruleforge.engine.presentation.text_renderer import Paper, html
from ruleforge.engine.presentation.text_renderer import text as drawn
from ruleforge.engine.variant import Variant
from ruleforge.engine.visibility.hidden_locals import Label
from ruleforge.frontends.console.page import Pages
from ruleforge.frontends.web.page import PageContent, page_of
from ruleforge.frontends.web.table import SeatLog
from ruleforge.play import replay
from ruleforge.play.agents import GreedyAgent, MctsAgent, ProfileAgent, make_agent
from ruleforge.play.narration import Narrator, Sentence
from ruleforge.play.seats.rule_help import RuleHelp
from ruleforge.play.seats.seat_plan import HUMAN, SeatPlan
from ruleforge.play.seats.seat_view import SeatView
from ruleforge.play.seats.text_table import TextTable
from ruleforge.play.session import Session, Turn
from ruleforge.rl.log import Entry
from ruleforge.rl.position import Position, space_of
from tests.inside import variant_of, vector_of
from tests.property.questions import questions
from tests.redeals import redealt

# A limit of the rules is reached in the middle of a step.
BREAKS = frozenset(f"RF8{number}" for number in range(10, 20))

Seat = str | None
Twins = tuple[ruleforge.State, ruleforge.State, Seat]  # two worlds, and the seat that cannot tell them apart


# --- worlds ---


def states_along(game: ruleforge.Game, seed: int, count: int, apart: int) -> tuple[ruleforge.State, ...]:
    """Positions along a random line: so many, with at most so many decisions from one to the next."""
    rng = random.Random(seed)
    state, found = game.start(seed=seed), list[ruleforge.State]()
    while state.choices and len(found) < count:
        found.append(state.copy())
        for _ in range(rng.randint(1, apart)):
            if state.choices:
                state.apply(rng.choice(state.choices))
    return tuple(found)


def twins_of(state: ruleforge.State, rng: random.Random) -> Iterator[Twins]:
    for seat in (*state.players, None):
        yield from _alike(state, state.sample_world(seat, rng), seat)
    variant = variant_of(state)
    if not variant.visibility.locals.keeps(words(vector_of(state), variant.program)) & Label.HIDDEN:
        for number, seat in enumerate(state.players, 1):  # else what is under way does not fit another deal
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


# --- interfaces: what a seat gets at each of them ---


def decides(state: ruleforge.State, seat: Seat) -> bool:
    return state.decision is not None and state.decision.player == seat


def table(state: ruleforge.State, seat: Seat) -> object:
    return state.view(seat), str(state.table(seat))


def declined(state: ruleforge.State, seat: Seat) -> object:
    """What is not possible now, with why."""
    return state.declined(seat)


def scene(state: ruleforge.State, seat: Seat) -> object:
    """The table arranged for people, and the same with what changed since the game began."""
    since = state.game.start(seed=7, players=len(state.players)).table(seat)
    return state.scene(seat), state.scene(seat, since), drawn(state.scene(seat)), html(state.scene(seat))


def page(state: ruleforge.State, seat: Seat) -> object:
    """What is on a screen of 80 by 24, and what the tabulator completes."""
    seen = state.scene(seat)
    offers = (seen.asked.offers or ()) if seen.asked is not None else ()
    shown = Pages(seen, seen.phases, (), Paper(79)).fitting(24, offers)
    words = [word for offer in offers for word in (offer.words, offer.text)]
    return [text_of(line) for line in (shown.head, *shown.table, *shown.choices)], words


def browser(state: ruleforge.State, seat: Seat) -> object:
    """The page of a seat in a browser, before anything has happened."""
    return page_in_browser(Session(state), seat)


def page_in_browser(session: Session, seat: Seat) -> object:
    """The same with what has happened; its mark tells as much as it does."""
    narrator = Narrator(session.state.game.info, session.state.players)
    onlooker = SeatView(session, session.state.scene(seat), narrator)
    scene = onlooker.with_what_is_chosen()
    shown = page_of(PageContent(scene, SeatLog(seat).all(onlooker, session.turns), {}, scene.phases))
    return shown.parts, shown.mark


def observation(state: ruleforge.State, seat: Seat) -> object:
    """What a training loop in this seat is given, in numbers."""
    if seat is None:
        return None
    run = _observer(variant_of(state)).run(words(vector_of(state), variant_of(state).program))
    run.call(OBSERVATION, (state.players.index(seat) + 1,))
    return list(run.offers)


@lru_cache(maxsize=2)
def _observer(variant: Variant) -> reference.Interpreter:
    return reference.compile(observing(variant.program))


def rl_observation(state: ruleforge.State, seat: Seat) -> object:
    """What a standard environment gives the agent of this seat: tensor, JSON, text, and its actions with their names."""
    if seat is None:
        return None
    options = tuple(sorted(state.options.items()))
    position = Position(space_of(state.game, len(state.players), options), state.copy())
    number = state.players.index(seat)
    legal = position.legal() if decides(state, seat) else ()
    seen = [position.observation(number, form) for form in ("json", "text")]
    tensor = position.observation(number).tobytes()
    return tensor, seen, [(action, position.words(action)) for action in legal]


def about(state: ruleforge.State, seat: Seat) -> object:
    """What the rules say about things, wherever they are, and about all that has a name."""
    found = RuleHelp(state, seat, state.scene(seat), {})
    names = sorted(state.game.info.words)
    return [list(found.lines(name)) for name in ("", *names[:: len(names) // 12 + 1])]


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
    return [action.name.rpartition(".")[2] for action in variant_of(state).program.actions][::3]


def _paths(state: ruleforge.State) -> list[str]:
    return [path for path in state.paths() if not path.startswith(("decision.", "outcome."))]


@dataclass(frozen=True, eq=False)
class Submitted:
    """A seat's text: what the seat saw after each step that was done, then why the rest was refused.

    The same words in two worlds are told alike as long as the seat sees the same after each step, and no rule breaks.
    """

    seen: tuple[object, ...]
    refused: object

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Submitted)
        if any(left != right for left, right in zip(self.seen, other.seen, strict=False)):
            return True
        if self.refused is ANY or other.refused is ANY:
            return True
        return len(self.seen) == len(other.seen) and bool(self.refused == other.refused)


def _submitted(state: ruleforge.State, text: str, seat: str) -> Submitted:
    """That the rules break at something is told to whoever comes upon it."""
    session = Session(state)
    try:
        submission = session.submit(text, seat)
    except ruleforge.IllegalChoice as refusal:
        return Submitted((), ANY if refusal.code in BREAKS else str(refusal.reasons))
    seen = [
        (turn.after.view(seat), question(turn.after, seat), _learned(log_in(turn, seat)))
        for turn in submission.done
    ]
    broken = any(reason.code in BREAKS for reason in submission.reasons)
    return Submitted(tuple(seen), ANY if broken else (submission.refused, str(submission.reasons)))


def refusals(state: ruleforge.State, seat: Seat) -> object:
    """What is refused and why."""
    if seat is None or not decides(state, seat):
        return None
    return [(text, _submitted(state, text, seat)) for text in _texts(state, seat)]


def why_not(state: ruleforge.State, seat: Seat) -> object:
    if seat is None:
        return None
    found = [(text, state.why_not(text, seat)) for text in _texts(state, seat)]
    return [(text, ANY if any(r.code in BREAKS for r in told) else str(told)) for text, told in found]


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
    """Paths, and whatever can be asked about what is hidden."""
    paths, asked = _paths(state), questions(state)
    texts = [*paths[:: len(paths) // 8 + 1], *asked[:: len(asked) // 16 + 1]]
    return [(text, _said(state.evaluate, text, seat)) for text in texts]


def records(state: ruleforge.State, seat: Seat) -> object:
    return replay.record_for(Session(state), seat)


def agents(state: ruleforge.State, seat: Seat) -> object:
    if not decides(state, seat):
        return None
    profiles = [ProfileAgent(name) for name in state.game.compiled.profiles]
    found = (make_agent("random", 3), GreedyAgent(3), MctsAgent(3, simulations=1), *profiles)
    return [agent.choose(state).text for agent in found]


def prompt(state: ruleforge.State, seat: Seat) -> object:
    """What a program that reads text is given: the table, the question, the rules."""
    if seat is None:
        return None
    seating = SeatPlan(dict.fromkeys(state.players, HUMAN), seed=3, ask_all=True)
    table = TextTable(Session(state), seating)
    return table.prompt(seat), table.choices(seat), table.rules(seat, ""), table.why_not("1", seat)


INTERFACES: dict[str, Callable[[ruleforge.State, Seat], object]] = {
    "table": table, "scene": scene, "page": page, "browser": browser, "observation": observation, "rl": rl_observation,
    "about": about,
    "question": question, "refusals": refusals, "why not": why_not, "declined": declined,
    "explanations": explanations, "evaluations": evaluations, "records": records, "agents": agents,
    "prompt": prompt,
}  # fmt: skip


# --- what a step tells ---


def log_of(session: Session, seat: Seat) -> list[tuple[object, ...]]:
    return [event for turn in session.turns for event in log_in(turn, seat)]


def log_in(turn: Turn, seat: Seat) -> list[tuple[object, ...]]:
    return [
        (str(e), e.span, e.clauses, e.depth, e.cause and str(e.cause), tuple(e.told.items()))
        for e in turn.events.seen_by(seat)
    ]


def narrated(session: Session, seat: Seat) -> list[Sentence]:
    narrator = Narrator(session.state.game.info)
    return [
        sentence
        for turn in session.turns
        for sentence in narrator.step(
            turn.player, turn.log_text_for(seat), turn.events.seen_by(seat), turn.prompt_for(seat)
        )
    ]


def _learned(log_of: list[tuple[object, ...]]) -> list[object]:
    """What a seat openly learns and need not see any more when the step is over: dice, things that it was shown."""
    names = [str(event[0]) for event in log_of]
    return [
        name for name in names if name.startswith(("roll ", "random ", "show ")) and "thing=?" not in name
    ]


def told_apart(pair: Twins, rng: random.Random) -> str:
    """What tells a seat two worlds apart when the same is chosen in both: events, told choices, records.

    A seat that openly learns something else is out of it.
    """
    one, two, seat = pair
    texts = [choice.text for choice in one.choices if choice.text in {c.text for c in two.choices}]
    if not texts:
        return ""
    sessions = [Session(one), Session(two)]
    text = rng.choice(texts)
    try:
        for session in sessions:
            session.apply(text)
    except ruleforge.IllegalChoice:
        return ""
    events = [log_of(session, seat) for session in sessions]
    views = [session.state.view(seat) for session in sessions]
    if views[0] != views[1] or _learned(events[0]) != _learned(events[1]):
        return ""
    told = [[turn.text_for(seat) for turn in session.turns] for session in sessions]
    said = [narrated(session, seat) for session in sessions]
    kept = [replay.record_for(session, seat) for session in sessions]
    interfaces: dict[str, Sequence[object]] = {
        "events": events,
        "told choices": told,
        "records": kept,
        "narration": said,
        "information states": [
            [
                Entry(0, turn.choice.text, (), turn).text_for(seat)
                for turn in session.turns
                if seat is not None
            ]
            for session in sessions
        ],
        "pages": [page_in_browser(session, seat) for session in sessions],
    }
    for what, worlds in interfaces.items():
        if worlds[0] != worlds[1]:
            return f"{what} of `{text}` for {seat}: {worlds[0]} / {worlds[1]}"
    return ""


def secret_answers(state: ruleforge.State, rng: random.Random) -> str:
    """Two answers that leave a seat's view the same, and are told to it differently."""
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
            events = log_of(session, seat)
            text_for = session.turns[-1].text_for(seat)
            said = str((events, text_for, narrated(session, seat), page_in_browser(session, seat)))
            told.setdefault(f"{session.state.view(seat)}{_learned(events)}", set()).add(said)
        apart = [words for words in told.values() if len(words) > 1]
        if apart:
            return f"a secret answer, told to {seat} at {state.decision}: {apart[0]}"
    return ""


# --- all of it ---


@dataclass(frozen=True, slots=True)
class Leak:
    """An interface that tells a seat what it may not know."""

    interface: str
    words: str


def leaks(game: ruleforge.Game, seed: int, count: int, apart: int) -> Iterator[Leak]:
    """Everything that tells two worlds apart along one line, at every interface."""
    rng = random.Random(seed)
    for state in states_along(game, seed, count, apart):
        if found := secret_answers(state, rng):
            yield Leak("told", found)
        for pair in twins_of(state, rng):
            one, two, seat = pair
            for name, interface in INTERFACES.items():
                left, right = interface(one, seat), interface(two, seat)
                if left != right:
                    yield Leak(name, f"{seat} at {one.decision}: {left} / {right}")
            if found := told_apart(pair, rng):
                yield Leak("told", found)
