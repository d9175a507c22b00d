"""The rules' own conditions against an answer: each failed one with its text, its values, place and clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import METER, SITE, SP, WHO, AnyExpr, Const, FrameLoad, Option, Part, Program
from ruleforge.compiler.questions import ActionQuestions, Requirement, Shown
from ruleforge.diagnostics import Span
from ruleforge.engine.choice import part_name
from ruleforge.engine.errors import Reason
from ruleforge.engine.explain import changes_by_packs
from ruleforge.engine.faults import unanswered
from ruleforge.engine.paths import plain_value, value_text
from ruleforge.engine.plainly import Plainly, Price, Refused
from ruleforge.engine.sight import Sight
from ruleforge.names import as_number
from ruleforge.present.names import Names

if TYPE_CHECKING:
    from ruleforge.engine.state import State

_SAYS = {
    "choice": "cannot be chosen: it is not in `{}`",
    "until": "cannot be chosen: the way there ends before, `{}`",
    "where": "cannot be chosen: `{}` does not hold",
    "needs": "is not allowed: `{}` does not hold",
    "forbid": "is forbidden",
    "limit": "was used as often as allowed: `{}`",
    "cost": "cannot be paid: `{}`",
    "holds": "is not allowed: afterwards `{}` would not hold",
}


def failed_requirements(state: State, code: int, later: tuple[str, ...] = ()) -> tuple[Reason, ...]:
    """Why this code is not offered at the waiting site; empty if no condition of the rules says so.

    `later` are the words for what the action asks afterwards, as far as they were said.
    """
    program = state._variant.program
    site = program.sites[state._row[SITE]]
    option = site.option(code)
    asked = Questions(state)
    if option.action is None:
        return _in_the_middle(state, asked, option.parts, option.values(code))
    action = asked.of(program.actions[option.action].name)
    chosen = (*option.values(code), *_said(state, action.choices[len(option.parts) :], later))
    needs = [r for r in action.requirements if r.binds <= len(chosen) and r.during in (None, site.kind)]
    return _failed(asked, action, option.word, needs, chosen)


def _in_the_middle(
    state: State, asked: Questions, parts: tuple[Part, ...], values: tuple[int, ...]
) -> tuple[Reason, ...]:
    """The same where an action is under way and asks for its next part, if it is known what was chosen before."""
    program = state._variant.program
    site = program.sites[state._row[SITE]]
    if site.action is None or site.gathered is not None or len(parts) != 1:
        return ()
    name = program.actions[site.action].name
    action = asked.of(name)
    known = held_values(program, state._row)
    at = next((n for n, part in enumerate(action.choices) if part.name == parts[0].name), -1)
    before = tuple(part.name for part in action.choices[: max(at, 0)])
    chosen = (
        *(known.get(earlier, 1) for earlier in before),
        *values,
    )  # nothing more speaks of what is not known
    if (
        at < 0 or action.given or not _are_seen(state, action.choices, chosen)
    ):  # what a window was given is gone
        return ()
    needs = [r for r in action.requirements if at < r.binds <= len(chosen) and r.during is None]
    forgotten = frozenset(before) - known.keys()
    return _failed(asked, action, name.rpartition(".")[2], needs, chosen, forgotten)


def _are_seen(state: State, parts: tuple[Part, ...], chosen: tuple[int, ...]) -> bool:
    """Whether the one who decides sees what was chosen; it may have been chosen blindly."""
    sight, who = Sight(state._variant, state._row), state._row[WHO]
    pairs = zip(parts, chosen, strict=False)
    return all(part.kind is None or sight.thing(who, part.kind, value) for part, value in pairs)


def _failed(
    asked: Questions,
    action: ActionQuestions,
    word: str,
    needs: list[Requirement],
    chosen: tuple[int, ...],
    forgotten: frozenset[str] = frozenset(),
) -> tuple[Reason, ...]:
    failed = [r for r in needs if not asked.ask(r.function, chosen)]
    outside = [r.binds for r in failed if r.what == "choice"]  # nothing stands between here and nowhere
    failed = [r for r in failed if r.what != "until" or r.binds not in outside]
    if any(r.what != "holds" for r in failed):  # what would be afterwards does not matter then
        failed = [r for r in failed if r.what != "holds"]
    return tuple(reason_of(asked, action, word, requirement, chosen, forgotten) for requirement in failed)


def failed_elsewhere(state: State, name: str, words: tuple[str, ...]) -> Reason | None:
    """The first condition against an action that belongs to another occasion, if any can be asked here."""
    asked = Questions(state)
    action = asked.of(name)
    chosen = _said(state, action.choices, words)
    for requirement in action.requirements:
        known = requirement.binds <= len(chosen) and requirement.during is None
        if action.given or not known or requirement.what == "holds":
            continue
        if not asked.ask(requirement.function, chosen):
            return reason_of(asked, action, name, requirement, chosen)
    return None


def with_usual(state: State, option: Option, said: tuple[int, ...]) -> tuple[int, ...]:
    """The parts of an action's choice as far as they are known: those that were said, then the usual ones."""
    asked = Questions(state)
    if option.action is None:
        return said
    action = asked.of(asked.program.actions[option.action].name)
    for part, function in zip(option.parts[len(said) :], action.usual[len(said) :], strict=False):
        value = 0 if function is None else asked.ask(function, said)
        if function is None or not part.lowest <= value < part.lowest + part.size:
            break
        said = (*said, value)
    return said


def _said(state: State, parts: tuple[Part, ...], words: tuple[str, ...]) -> tuple[int, ...]:
    """The things or numbers some words stand for, up to the first that fits nothing the player can know."""
    found: list[int] = []
    sight = Sight(state._variant, state._row)
    for part, word in zip(parts, words, strict=False):
        if part.kind is None:
            number = as_number(word)
            if number is None:
                break
            found.append(number)
            continue
        things = state._variant.program.kinds[part.kind].things
        name = word.rpartition(".")[2]
        if name not in things[1:] or not sight.thing(state._row[WHO], part.kind, things.index(name, 1)):
            break
        found.append(things.index(name, 1))
    return tuple(found)


def reason_of(
    asked: Questions,
    action: ActionQuestions,
    word: str,
    failed: Requirement,
    chosen: tuple[int, ...],
    forgotten: frozenset[str] = frozenset(),
) -> Reason:
    """In words; `forgotten` are parts of the choice that are not known any more."""
    named = [(p, v) for p, v in zip(action.choices, chosen, strict=False) if p.name not in forgotten]
    words = [word, *(part_name(asked.program, part, value) for part, value in named)]
    says = _stopped(asked, failed, chosen) or _SAYS[failed.what].format(asked.written(failed.span))
    says += _priced(asked, failed, chosen)
    if changes := asked.changes(failed, chosen):
        says += f" ({', '.join(changes)})"
    if failed.text:
        says += f": {failed.text}"
    values = tuple((asked.written(s.span), value) for s in failed.shown if (value := asked.shown(s, chosen)))
    clauses = tuple(dict.fromkeys((*failed.clauses, *action.clauses)))
    pack = asked.pack_of(failed.span)
    plain = _plain(asked, action, word, failed, chosen, named, values)
    return Reason(
        "RF801", f"`{' '.join(words)}` {says}", failed.span, clauses, values, pack=pack, plain=plain
    )


def _plain(
    asked: Questions,
    action: ActionQuestions,
    word: str,
    failed: Requirement,
    chosen: tuple[int, ...],
    named: list[tuple[Part, int]],
    values: tuple[tuple[str, str], ...],
) -> str:
    """The same for players."""
    kinds = asked.program.kinds
    parts = {
        p.name: ("" if p.kind is None else kinds[p.kind].name, part_name(asked.program, p, v))
        for p, v in named
    }
    refused = Refused(action.name if word == action.name.rpartition(".")[2] else word, parts)
    price, stopper = (
        price_of(asked, failed, chosen),
        asked.shown(failed.stopper, chosen) if failed.stopper else None,
    )
    if price is not None:
        says = asked.plainly.price(price)
    elif stopper is not None:
        says = f"the way there ends at {asked.plainly.words(stopper, refused)}"
    elif (among := _among(asked, action, failed, chosen)) is not None:
        says = among
    else:
        last_named = action.choices[failed.binds - 1].name if failed.binds else ""
        kind, name = parts.get(last_named, ("", "it"))
        last = asked.names.thing(name, kind) if kind else name
        written = asked.written(failed.span)
        says = asked.plainly.condition(failed.what, failed.text, written, refused, last)
        says += asked.plainly.values(values, refused)
    says += f" ({', '.join(changes)})" if (changes := asked.changes(failed, chosen)) else ""
    return f"{asked.plainly.choice(refused)}: {says}"


def _among(
    asked: Questions, action: ActionQuestions, failed: Requirement, chosen: tuple[int, ...]
) -> str | None:
    """What there is to choose from instead, if it is a value or two that the one who decides may know."""
    most = asked.shown(failed.most, chosen) if failed.most else None
    if most is not None and chosen[failed.binds - 1] > int(most):
        more = f": {failed.text.rstrip('.')}" if failed.text else ""
        return f"{chosen[failed.binds - 1]} is more than {most}{more}"
    only = [asked.shown(one, chosen) for one in failed.only]
    number = action.choices[failed.binds - 1].kind if failed.only else None
    if number is None or None in only:
        return None
    kind = asked.program.kinds[number].name
    there = " or ".join(asked.names.thing(name, kind) for name in only if name and name != "none")
    return f"only {there} can be chosen" if there else None


def _priced(asked: Questions, failed: Requirement, chosen: tuple[int, ...]) -> str:
    price = price_of(asked, failed, chosen)
    if price is None:
        return ""
    there = " and ".join(f"{value} {name}" for name, value in price.purses)
    return f": it costs {price.amount}, {'you have' if price.own else 'there is'} {there}"


def price_of(asked: Questions, failed: Requirement, chosen: tuple[int, ...]) -> Price | None:
    """What it costs and what there is, if the one who decides may know both."""
    if failed.price is None:
        return None
    amount = asked.shown(failed.price.amount, chosen)
    purses = [(name, asked.shown(shown, chosen)) for name, shown in failed.price.purses]
    known = tuple((name, held) for name, held in purses if held is not None)
    if amount is None or len(known) < len(purses):
        return None
    return Price(amount, known, failed.price.own)


def _stopped(asked: Questions, failed: Requirement, chosen: tuple[int, ...]) -> str | None:
    """What stands in the way, if the one who decides may know it."""
    thing = asked.shown(failed.stopper, chosen) if failed.stopper else None
    return f"cannot be chosen: {thing} stands in the way" if thing else None


class Questions:
    """The questions one state can be asked: a function for every requirement, on the same row.

    The values of a window are in the frame that waits; its enumerator takes those that conditions speak of.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._questioning = state._variant.questioning
        self._texts = state.game.compiled.texts
        self.program = self._questioning.runtime.program
        self._row = [int(word) for word in state._row[: self.program.row_size]]
        self._given = _given(state._variant.program, self._row)
        self.names = Names(state.game.info)
        self.plainly = Plainly(self.names, self.program.kinds[0].things[self._row[WHO]])

    def of(self, action: str) -> ActionQuestions:
        """The requirements of an action."""
        return self._questioning.actions[action]

    def ask(self, function: str, chosen: tuple[int, ...]) -> int:
        """What a function gives for the player who decides, the values of the window, and what was chosen so far."""
        wanted = len(self._parameters(function))
        arguments = (self._row[WHO], *self._given, *chosen, *([1] * wanted))[:wanted]
        row = list(self._row)
        try:
            return self._questioning.runtime.call(function, row, arguments)
        except Trapped as trapped:
            raise unanswered(self.program, trapped, "why not cannot be told") from None
        finally:
            self._row[METER] = row[METER]

    def shown(self, shown: Shown, chosen: tuple[int, ...]) -> str | None:
        """A value in words; None if the one who decides may not know it."""
        if shown.open is not None and not self.ask(shown.open, chosen):
            return None
        return value_text(plain_value(self.program, shown.type, self.ask(shown.function, chosen)))

    def changes(self, failed: Requirement, chosen: tuple[int, ...]) -> list[str]:
        """What rules of packs do to the formulas of a requirement: `Rust Weather adds 2`."""
        found: list[str] = []
        for formula in failed.modified if self._state.game.info.packs else ():
            arguments = tuple(self.ask(function, chosen) for function in formula.arguments)
            found += changes_by_packs(self._state, formula.name, arguments)
        return list(dict.fromkeys(found))

    def written(self, span: Span) -> str:
        return self._texts.at(span)

    def pack_of(self, span: Span) -> str:
        """The title of the pack in whose files something is written; empty for the game's own."""
        pack = self._state.game.info.pack_of(span)
        return pack.title if pack else ""

    def _parameters(self, function: str) -> tuple[str, ...]:
        return self.program.functions[function].parameters


def _given(program: Program, row: Sequence[int]) -> tuple[int, ...]:
    """The values of the window that waits; 1 for those that nothing in it asks about."""
    site = program.sites[row[SITE]]
    if not site.given:
        return ()
    names = program.functions[site.enumerator].parameters
    held = dict(zip(names, program.waits[site.number].arguments, strict=True))
    return tuple(_held(held.get(name), row) for name in site.given)


def held_values(program: Program, row: Sequence[int]) -> dict[str, int]:
    """What the window was given and what was chosen before, by name, as far as what waits still speaks of it."""
    site = program.sites[row[SITE]]
    if not site.bound:
        return {}
    names = program.functions[site.enumerator].parameters
    held = dict(zip(names, program.waits[site.number].arguments, strict=True))
    return {name: _held(held[local], row) for name, local in site.bound if local in held}


def due_value(program: Program, row: Sequence[int]) -> int | None:
    """What is still to be paid, where somebody is asked how much comes from a purse; the frame needs it afterwards."""
    site = program.sites[row[SITE]]
    held = dict(site.bound).get("due") if site.kind == "pay" else None
    function = program.waits[site.number].function if held is not None else None
    frames = (f.saved for f in program.paused if f is not None and f.name == function)
    return next((row[row[SP] + saved[held]] for saved in frames if held in saved), None)


def _held(value: AnyExpr | None, row: Sequence[int]) -> int:
    match value:
        case Const(value=number):
            return number
        case FrameLoad(offset=offset):
            return row[row[SP] + offset]
    return 1
