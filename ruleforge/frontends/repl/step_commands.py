"""Runs choices and effects at the console: to their end, to a breakpoint, or line by line."""

from __future__ import annotations

from ruleforge.engine.breakpoints import RunPoints, Stop, step_through
from ruleforge.engine.choice import Choice
from ruleforge.engine.effect_runner import Effect, effect
from ruleforge.engine.trace import Ran, after
from ruleforge.frontends.repl.answer import Refusal, Reply
from ruleforge.frontends.repl.breakpoints import at_breaks, lines_after, stop_answer, stopped
from ruleforge.frontends.repl.console import Console, Pending
from ruleforge.frontends.repl.inspect_commands import differences
from ruleforge.frontends.repl.play_commands import happened, values_watched
from ruleforge.play.timeline import Moment
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import as_number


@dataclass(frozen=True, eq=False, slots=True)
class ChoiceRun:
    """Choices to be made one after the other, the first of them at a moment."""

    moment: Moment
    steps: tuple[Choice, ...]
    made: tuple[Moment, ...] = ()

    @property
    def label(self) -> str:
        return f"do {self.steps[0].text}"

    def go(self, looks: RunPoints | None, dice: tuple[str, ...]) -> Ran | Stop:
        return step_through(self.moment.state, self.steps[0], looks, dice)

    def after(self, console: Console, ran: Ran, used: tuple[str, ...]) -> ChoiceRun | tuple[Moment, ...]:
        """The steps that remain, or all moments if none remains."""
        state = after(self.moment.state, ran)
        moment = console.timeline.after_choice(self.moment, self.steps[0], state, ran.events, used)
        made = (*self.made, moment)
        return ChoiceRun(moment, self.steps[1:], made) if self.steps[1:] else made


@dataclass(frozen=True, eq=False, slots=True)
class EffectRun:
    """Effects to be run."""

    text: str
    stays: bool
    effect: Effect

    @property
    def label(self) -> str:
        return f"run {self.text}"

    def go(self, looks: RunPoints | None, dice: tuple[str, ...]) -> Ran | Stop:
        return self.effect.run(looks, dice)

    def after(self, console: Console, ran: Ran, used: tuple[str, ...]) -> tuple[Moment, ...]:
        return (console.timeline.after_run(self.effect, self.text, self.stays, ran, used),)


# --- commands ---


def do(console: Console, text: str) -> Reply:
    """Make a choice; it is traced only with breakpoints or scripted dice."""
    if not text:
        raise Refusal("usage: do CHOICE; `choices` lists them")
    return _begin(console, ChoiceRun(console.here, console.state.read(text)), at_breaks(console, 0))


def run(console: Console, text: str) -> Reply:
    """Run effects, on a copy unless they are meant to stay."""
    stays = text.startswith("--here")
    block = text.removeprefix("--here").strip("\n") if stays else text
    block = block if "\n" in block else block.strip()
    if not block.strip():
        raise Refusal("usage: run EFFECT, or run --here EFFECT")
    if console.here.running is not None:
        raise Refusal("an effect waits for an answer: use `do`, or `undo` it")
    return _begin(console, EffectRun(block, stays, effect(console.state, block)), at_breaks(console, 0))


def step(console: Console, text: str) -> Reply:
    """Go to the next line, or so many lines; with a choice, begin it and stop at its first line."""
    number = as_number(text) if text else 1
    if console.pending is None:
        if not text or number is not None:
            stopped(console)
        return _begin(
            console, ChoiceRun(console.here, console.state.read(text)), lines_after(None, 1, console)
        )
    if number is None or number < 1:
        raise Refusal(f"`{text}` is not a number of lines")
    return _go(console, lines_after(console.pending.stop, number, console))


def next_(console: Console, _text: str) -> Reply:
    """Go to the next line, without a stop inside calls."""
    return _go(console, lines_after(stopped(console).stop, 1, console, deeper=False))


def continue_(console: Console, _text: str) -> Reply:
    """On to the next breakpoint, or to the end."""
    return _go(console, at_breaks(console, stopped(console).stop.tick) or (lambda _: False))


def _begin(console: Console, doing: ChoiceRun | EffectRun, looks: RunPoints | None) -> Reply:
    console.watched_before = values_watched(console)
    return _run(console, doing, looks)


def _go(console: Console, looks: RunPoints) -> Reply:
    return _run(console, stopped(console).doing, looks)


def _run(console: Console, doing: ChoiceRun | EffectRun, looks: RunPoints | None) -> Reply:
    """Run what is to be done until something stops it, or all of it is done."""
    dice, edited = console.dice, console.here.edited
    while True:
        ran = doing.go(looks, dice)
        if isinstance(ran, Stop):
            console.pending = Pending(doing, ran)
            return stop_answer(console, ran)
        used = dice[: len(dice) - len(ran.left)]
        rest = doing.after(console, ran, used)
        dice = ran.left
        if not isinstance(rest, ChoiceRun):
            break
        doing, looks = rest, at_breaks(console, 0)
    console.pending, console.dice = None, dice
    tried, console.timeline.tried = console.timeline.tried, None
    if rest[-1] is not console.here:
        console.timeline.go(rest[-1])
    if tried is None:
        answer = happened(console, rest, console.watched_before)
        note = ("the position is marked as edited",) if console.here.edited and not edited else ()
        return _with_question(console, Reply((*note, *answer.lines), answer.data))
    found = differences(tried.before, tried.after)
    lines = (
        [f"{'  ' * e.depth}{e}  ({console.rules.place(e.span)})" for e in tried.events]
        if console.trace
        else []
    )
    over = [f"the game would be over: {tried.after.outcome}"] if tried.after.outcome else []
    events = {"events": [str(e) for e in tried.events]}
    return Reply((*lines, *found.lines, *over), {**found.data, **events})


def _with_question(console: Console, answer: Reply) -> Reply:
    """In the middle of an effect run by hand, with what it asks."""
    if console.here.running is None:
        return answer
    return Reply((*answer.lines, f"{console.waits()}  (`choices`, `do`)"), answer.data)
