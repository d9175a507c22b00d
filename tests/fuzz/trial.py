"""A ruleset -> nothing, or a finding: it is refused with diagnostics, or plays the same everywhere and leaks nothing."""

from __future__ import annotations

import json
import random
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import ruleforge
from tests.inside import variant_of
from tests.property.secrecy import leaks

BACKENDS = ("python", "reference")
DECISIONS = 200
SECONDS = 5  # for one thing asked of the engine: to load, to start, to make a choice
PATIENCE = 8  # for a whole game; what is slow in all is no mistake
LOOKING = 2  # for what the seats of a game are told, at so many positions
POSITIONS, APART = 3, 4

Files = Mapping[str, str]


@dataclass(frozen=True)
class Finding:
    """What went wrong: `key` is the same for the same mistake, `words` tell it to people."""

    key: str
    words: str


@dataclass(frozen=True)
class Trial:
    """How a ruleset fared."""

    fine: bool  # called fine by the checker
    decisions: int = 0
    finding: Finding | None = None


class Disagreement(Exception):
    """Two that should be the same are not."""


class TooLong(BaseException):
    """The time is up; no `except Exception` on the way may hold it up."""


def tried(files: Files, seed: int = 1, decisions: int = DECISIONS) -> Trial:
    """Load, start and play; whatever escapes becomes a finding."""
    made: list[int] = []
    fine = False
    try:
        with tempfile.TemporaryDirectory(prefix="ruleforge-fuzz-") as folder:
            for name, text in files.items():
                file = Path(folder) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            with at_most(SECONDS):
                games = _loaded(Path(folder))
            fine = games is not None
            if games is not None:
                _play(games, seed, made, decisions)
                _keeps_secrets(games[0], seed)
    except (Exception, TooLong) as problem:
        return Trial(fine, len(made), finding_of(problem))
    return Trial(fine, len(made))


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Stop what takes more time of the processor than this."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooLong(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of this process, however busy the machine is
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _loaded(folder: Path) -> list[ruleforge.Game] | None:
    try:
        return [ruleforge.load(folder, backend=backend) for backend in BACKENDS]
    except ruleforge.RulesetError as refused:
        for complaint in refused.diagnostics:
            if not complaint.code.startswith("RF") or complaint.span.line < 1:
                raise Disagreement(f"a complaint without a place: {complaint}") from None
        return None


def _play(games: list[ruleforge.Game], seed: int, made: list[int], decisions: int) -> None:
    end = time.process_time() + PATIENCE
    states = _started(games, seed)
    rng = random.Random(seed)
    while states is not None and len(made) < decisions and states[0].choices and time.process_time() < end:
        _same("choices", [[choice.text for choice in state.choices] for state in states])
        if len(made) % 20 == 0:
            with at_most(SECONDS):
                _looked_at(states[0])
        states = _moved(states, rng)
        made.append(1)
    if states is not None:
        with at_most(SECONDS):
            _looked_at(states[0])
        _same("outcomes", [state.outcome for state in states])


def _keeps_secrets(game: ruleforge.Game, seed: int) -> None:
    """No interface tells a seat what it may not know; what takes long is looked at as far as one gets."""
    try:
        with at_most(LOOKING):
            state = game.start(seed=seed)
            for leak in leaks(game, seed, POSITIONS, APART) if variant_of(state).hides_something else ():
                raise Disagreement(f"secret at the interface {leak.interface}: {leak.words}")
    except (TooLong, ruleforge.PlayError, ruleforge.StartError):
        return


def _started(games: list[ruleforge.Game], seed: int) -> list[ruleforge.State] | None:
    found = [_attempt(game, seed) for game in games]
    _same("starts", [str(one) if isinstance(one, str) else one.digest for one in found])
    return None if isinstance(found[0], str) else [one for one in found if not isinstance(one, str)]


def _attempt(game: ruleforge.Game, seed: int) -> ruleforge.State | str:
    """The state a game starts with, or the code of the refusal."""
    try:
        with at_most(SECONDS):
            return game.start(seed=seed)
    except (ruleforge.StartError, ruleforge.IllegalChoice) as refusal:
        return _code(refusal)


def _moved(states: list[ruleforge.State], rng: random.Random) -> list[ruleforge.State] | None:
    """Make a choice that is possible; None if all of them break a limit of the rules."""
    order = list(range(len(states[0].choices)))
    rng.shuffle(order)
    for number in order[:8]:
        codes = []
        for state in states:
            before = state.digest
            try:
                with at_most(SECONDS):
                    state.apply(state.choices[number])
                codes.append("")
            except ruleforge.IllegalChoice as refusal:
                codes.append(_code(refusal))
                if state.digest != before:
                    raise Disagreement("a refused choice left something behind") from None
        _same("refusals", codes)
        if not codes[0]:
            _same("states", [state.digest for state in states])
            return states
    return None


def _code(refusal: ruleforge.PlayError) -> str:
    if not refusal.code.startswith("RF8"):
        raise Disagreement(f"a refusal in play with the code {refusal.code}")
    return refusal.code


def _looked_at(state: ruleforge.State) -> None:
    """Everything that can be asked of a state."""
    again = state.game.restore(state.save())
    _same("saved states", [state.digest, again.digest])
    _same("saved choices", [[choice.text for choice in one.choices] for one in (state, again)])
    json.dumps({path: state[path] for path in state.paths()})
    for player in state.players:
        json.dumps(state.view(player))
    for text in ("", "wait now", "act_0 ace", "1 2 3"):
        state.why_not(text)
    texts = [choice.text for choice in state.choices]
    if len(set(texts)) != len(texts):
        raise Disagreement("two choices with one text")
    if texts:
        later = state.copy()
        try:
            events = later.apply(texts[-1])
        except ruleforge.IllegalChoice:
            return
        for player in state.players:
            [str(event) for event in events.seen_by(player)]


def _same(what: str, found: Sequence[object]) -> None:
    if any(one != found[0] for one in found[1:]):
        raise Disagreement(f"{what} differ: {' | '.join(str(one)[:200] for one in found)}")


def finding_of(problem: BaseException) -> Finding:
    frames = traceback.extract_tb(problem.__traceback__)
    ours = [frame for frame in frames if "/ruleforge/" in frame.filename and "/tests/" not in frame.filename]
    kind = type(problem).__name__
    if isinstance(problem, TooLong):
        stages = [f.name for f in frames if f.filename.endswith("fuzz/trial.py") and f.name.startswith("_")]
        stage = stages[-1] if stages else ""
        return Finding(f"{kind} {stage}", f"{kind}: {problem} in {stage}")
    if isinstance(problem, Disagreement):
        return Finding(f"{kind} {str(problem).partition(':')[0]}", str(problem))
    if isinstance(problem, RecursionError):
        interface, round_and_round = _place(ours[0]), Counter(map(_place, ours[-60:])).most_common(1)[0][0]
        return Finding(f"{kind} {interface}", f"{kind} in {interface}, round {round_and_round}")
    last = ours[-1] if ours else frames[-1]
    place = _place(last)
    return Finding(f"{kind} {place}", f"{kind}: {str(problem)[:300]} in {place}:{last.lineno}")


def _place(frame: traceback.FrameSummary) -> str:
    return f"{frame.filename.rpartition('/ruleforge/')[2]}:{frame.name}"
