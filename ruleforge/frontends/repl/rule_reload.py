"""Reloads the rules after a save, lists the changes, and replays all branches as far as possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruleforge.contracts.locks.canon import definitions
from ruleforge.engine.breakpoints import step_through
from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.engine.trace import Ran, after
from ruleforge.frontends.repl.answer import Refusal, Reply, count, reply
from ruleforge.frontends.repl.console import Console, Rules, read_rules, shown_file
from ruleforge.frontends.repl.play_commands import changed, position, set_parts, values_watched
from ruleforge.play.timeline import MAIN, Branch, Moment, Timeline, Transition
from ruleforge.support.input_files import Stamps, stamps_below
from ruleforge.support.records import dataclass

SHOWN = 12
SECONDS = 0.3  # between two looks


def reload(console: Console, _text: str = "") -> Reply:
    """Read the rules again and do everything again with them."""
    old = console.rules
    try:
        new = read_rules(old.name, old.packs)
    except RulesetError as error:
        raise Refusal(
            "the rules have mistakes now; the last correct rules stay in use", error.diagnostics
        ) from None
    if new.game.digest == old.game.digest:
        return reply("nothing has changed", changes=[])
    watched_before = values_watched(console)
    differences = changes(old, new)
    grown = _grown(console, new)
    console.rules = new
    console.timeline.grown_again(grown.branches, console.timeline.branch)
    console.breaks[:] = [each for each in console.breaks if not each.line]
    head = (
        f"{count(len(differences), 'definition')} changed" if differences else "only texts for people changed"
    )
    more = [f"... and {len(differences) - SHOWN} more"] if len(differences) > SHOWN else []
    lines = [
        head,
        *(f"  {line}" for line in differences[:SHOWN]),
        *more,
        *grown.lines,
        *changed(console, watched_before),
    ]
    return reply(*lines, changes=differences, replayed=grown.lines, **position(console))


# --- what changed ---


def changes(old: Rules, new: Rules) -> list[str]:
    """Each definition that came, went or changed; of one that changed, what in it."""
    before, now = _as_data(old), _as_data(new)
    found = []
    for change in old.fingerprint.changes(new.fingerprint):
        short = _short(change.path)
        if change.how != "changed":
            found.append(f"{short} {'came' if change.how == 'added' else 'went'}")
            continue
        parts = list(_parts(before[change.path], now[change.path]))
        found += [f"{short}{place} {old_} → {new_}" for place, old_, new_ in parts] or [f"{short} changed"]
    return found


def _as_data(rules: Rules) -> dict[str, Any]:
    assert rules.analysis.ruleset is not None and rules.analysis.parsed is not None
    return definitions(rules.analysis.ruleset, rules.analysis.parsed)


def _short(path: str) -> str:
    """`river_pike` for `kinds.card.things.river_pike`, `power` for `formulas.power`."""
    return path.rpartition(".")[2] if path != "game" else "the game"


def _parts(old: Any, new: Any, place: str = "") -> Iterator[tuple[str, str, str]]:
    """The smallest parts that differ, each with where it stands."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            if old.get(key) != new.get(key):
                inner = f"{place}.{key}" if key not in ("facts", "values") else place
                yield from _parts(old.get(key), new.get(key), inner)
    elif _named(old) and _named(new):
        yield from _parts(dict(old), dict(new), place)
    else:
        yield place, _text(old), _text(new)


def _named(value: Any) -> bool:
    """A list of pairs of a name and what it says."""
    return isinstance(value, list) and all(
        isinstance(each, list) and len(each) == 2 and isinstance(each[0], str) for each in value
    )


def _text(value: Any) -> str:
    if value is None:
        return "nothing"
    text = " ".join(str(value).split())
    return f"`{text[:60]}...`" if len(text) > 60 else text


# --- doing it again ---


@dataclass(frozen=True, slots=True)
class _Grown:
    branches: dict[str, Branch]
    lines: list[str]


def _grown(console: Console, rules: Rules) -> _Grown:
    """All branches again; each step is done once, however many branches share it."""
    start = console.start
    if start.seed is None:
        raise Refusal("this game started from a saved position, which belongs to the old rules")
    try:
        first = Moment(rules.game.start(players=start.players, seed=start.seed, options=dict(start.options)))
    except PlayError as error:
        raise Refusal(f"the game can no longer start: {error.message}") from None
    again = _Again({}, {})
    branches, lines = {}, []
    for name, branch in console.timeline.branches.items():
        way = branch.tip.path[1:]
        tip, failed = again.along(first, way)
        undone: list[Moment] = []
        if failed is None:
            behind = tuple(reversed(branch.undone))
            for number in range(len(behind)):
                further, stuck = again.along(tip, behind[: number + 1])
                if stuck is not None:
                    break
                undone.append(further)
        branches[name] = Branch(tip, tuple(reversed(undone)))
        of = "" if len(console.timeline.branches) == 1 else f" on `{name}`"
        done = len(way) if failed is None else failed[0]
        lines.append(f"replayed {done} of {count(len(way), 'step')}{of}")
        if failed is not None:
            lines.append(
                f"  step {failed[0] + 1}, `{way[failed[0]].transition}`, is no longer possible: {failed[1]}"
            )
    return _Grown(branches, lines)


@dataclass(frozen=True, slots=True)
class _Again:
    """The replayed steps by their earlier moment, and the steps that failed."""

    made: dict[Moment, Moment]
    failed: dict[Moment, str]

    def along(self, at: Moment, way: tuple[Moment, ...]) -> tuple[Moment, tuple[int, str] | None]:
        """As far as it goes: the last moment, and at which step why it went no further."""
        for number, old in enumerate(way):
            if old not in self.made and old not in self.failed:
                assert old.transition is not None
                try:
                    self.made[old] = _again(at, old.transition)
                except PlayError as error:
                    self.failed[old] = error.message
            if old in self.failed:
                return at, (number, self.failed[old])
            at = self.made[old]
        return at, None


def _again(at: Moment, transition: Transition) -> Moment:
    """Do a step at a moment, with the dice that were laid down for it."""
    timeline = Timeline(at.state)
    timeline.grown_again({MAIN: Branch(at)}, MAIN)
    match transition.word:
        case "set":
            timeline.set(*set_parts(transition.text), transition.text)
        case "run":
            stays = transition.text.startswith("--here ")
            timeline.run(transition.text.removeprefix("--here "), stays, transition.dice)
        case "do" if transition.dice:
            choice = at.state.read(transition.text)[0]
            ran = step_through(at.state, choice, None, transition.dice)
            assert isinstance(ran, Ran)
            timeline.go(timeline.after_choice(at, choice, after(at.state, ran), ran.events, transition.dice))
        case "do":
            exact = [choice for choice in at.state.choices if choice.text == transition.text]
            timeline.do(exact[0] if exact else transition.text)
    return timeline.here


# Reloads the rules at the console when a rule file is saved.


class RuleWatcher:
    """Looks whether a file of the rules is another one than before."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._seen = self._look()

    def _look(self) -> Stamps:
        return stamps_below(self._console.rules.folders)

    def saved(self) -> bool:
        """Whether there is something to reload now."""
        return self._console.pending is None and self._look() != self._seen

    def reloaded(self) -> Reply | None:
        """The result of a reload, if a file was saved and no step is stopped half-way. Raises Refusal."""
        if self._console.pending is not None:
            return None
        now = self._look()
        if now == self._seen:
            return None
        files = sorted({str(path) for path in {*now, *self._seen} if now.get(path) != self._seen.get(path)})
        names = ", ".join(shown_file(file, self._console.rules.folders) for file in files[:4])
        self._seen = now
        try:
            answer = reload(self._console)
        except Refusal as refusal:
            raise Refusal(f"{names} saved: {refusal.message}", refusal.diagnostics) from None
        self._console.keep("reload")
        return Reply((f"{names} saved: {'; '.join(answer.lines[:1])}", *answer.lines[1:]), answer.data)
