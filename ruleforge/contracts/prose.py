"""A contract as a page of prose: what packs may do, within which limits, and what they may never do."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.contracts.model import CHANGES, Clauses, Contract, Guard, Part, Point
from ruleforge.support.records import dataclass

MAY, MAY_NOT, WHOLE = "Packs may", "Packs may not", "What is looked at as a whole"

_WHEN = {
    "conditional": "only under a condition, for a time, or a limited number of times",
    "conditional both ways": "more or less only under a condition, for a time, or a limited number of times",
    "limited": "only a limited number of times",
    "timed": "only for a time",
    "printed": "only by what is printed and chosen before the game",
}
_WHOSE = {
    "new": "for things of their own",
    "own": "for what is the player's own",
    "enemy": "for what is the enemy's",
}
_PLACES = {"own": "the player's own place", "enemy": "a place of the enemy"}
_MOMENTS = {
    "load": "When packs are loaded",
    "change": "After every change",
    "commit": "After every choice",
    "turn_end": "At the end of every turn",
}
_SETTLED = {"limit": "a limit", "spend": "something that is used up", "descend": "a value that falls"}
_ACTS = {"none": "nothing at all", "less": "less of it", "same": "the same", "other": "anything else"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """What one part of a contract says, under which heading, and by which clauses."""

    heading: str
    part: Part
    says: str
    clauses: Clauses

    def __str__(self) -> str:
        return self.says + _cited(self.clauses)


def prose_of(contract: Contract, title: str) -> str:
    """The page as Markdown."""
    return "\n".join(_lines(contract, title)) + "\n"


def _lines(contract: Contract, title: str) -> Iterator[str]:
    yield f"# The contract of {title} {contract.locked}"
    yield ""
    if contract.closed:
        rest = "The core is closed: what is not named under *Packs may* is refused"
    else:
        rest = "The core is open: what is not named under *Packs may not* is free"
    yield f"{rest}{_cited(contract.fallback)}. Everything the core defines stays as it is; reading is free."
    if contract.packs:
        yield f"Packs are of the kinds {', '.join(contract.packs)}."
    found = [*sentences(contract)]
    for heading in dict.fromkeys(sentence.heading for sentence in found):
        yield from ("", f"## {heading}", "")
        yield from (f"- {sentence}" for sentence in found if sentence.heading == heading)


def sentences(contract: Contract) -> Iterator[Sentence]:
    """All that a contract says, a part at a time, in the order of the page."""
    for point in contract.points:
        yield Sentence(MAY, point, _point(point), point.cites)
    for guard in contract.guards:
        yield Sentence(MAY_NOT, guard, _guard(guard), guard.clauses)
    for part, says, clauses in _whole(contract):
        yield Sentence(WHOLE, part, says, clauses)


def _point(point: Point) -> str:
    parts = [_admitted(point, kind, [t.text for t in targets]) for kind, targets in point.admits.items()]
    text = f"**{point.id.replace('_', ' ')}**: {point.say + ': ' if point.say else ''}{'; '.join(parts)}"
    limits = [*_limits(point)]
    return text + (f" ({'; '.join(limits)})" if limits else "")


def _admitted(point: Point, kind: str, targets: list[str]) -> str:
    """One kind of change with its targets, as one says it."""
    verb = CHANGES[kind]
    free = "anything" if kind == "listen" else "anything that is not guarded"
    words = [target for target in targets if target not in ("any", "new")]
    match kind:
        case "act":
            return "offer actions of their own" + (f" during {_named(words)}" if words else "")
        case "define":
            return _defined(targets)
        case "gain":
            return _gained(targets)
        case "end":
            return f"add an ending that is a {_named(targets, 'or')}"
        case "seat":
            return "play seats" if targets == ["any"] else f"play the seats {_named(targets)}"
        case "modify" if point.ops:
            return f"{verb} {_all(targets, free)} by {_named(list(point.ops), 'or')}"
    return f"{verb} {_all(targets, free)}"


def _all(targets: list[str], free: str) -> str:
    parts = [free] if "any" in targets else []
    parts += [_place(target) for target in targets if target != "any"]
    return _listed(parts)


def _place(target: str) -> str:
    """`piece into gem` with the names marked, and not the words between."""
    if target == "new":
        return "what is their own"
    words = ("into", "from", "after", "before", "first", "last", "in", "of", "create", "new")
    return " ".join(
        ("a place of their own" if w == "new" else w) if w in words else f"`{w}`" for w in target.split()
    )


def _defined(targets: list[str]) -> str:
    """Things of kinds, what is printed on them, and keywords."""
    kinds = [t for t in targets if "." not in t and t not in ("keyword", "keywords", "any")]
    facts = [t for t in targets if "." in t]
    parts = [f"bring new things of {_named(kinds)}"] if kinds else []
    parts += [f"print {_named(facts)} on new things"] if facts else []
    parts += ["declare keywords"] if len(targets) > len(kinds) + len(facts) else []
    return _listed(parts)


_WAYS = {"up": "raise", "down": "lower", "set": "set", "": "change"}


def _gained(targets: list[str]) -> str:
    """Attributes by what may be done with them: `raise and lower x and y; set z`."""
    ways: dict[str, list[str]] = {}
    for target in targets:
        name, _, way = target.rpartition(".")
        known = way in _WAYS and bool(name)
        ways.setdefault(name if known else target, []).append(way if known else "")
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, found in ways.items():
        groups.setdefault(tuple(found), []).append(name)
    return "; ".join(
        f"{_listed([_WAYS[way] for way in found])} {_named(names)}" for found, names in groups.items()
    )


def _limits(point: Point) -> Iterator[str]:
    if point.each:
        yield f"{point.each} by one source"
    if point.sum:
        yield f"{point.sum} by all sources together"
    if point.result:
        yield f"the result within {point.result}"
    if point.final:
        yield f"cut to {point.final} in the end"
    if point.range:
        yield f"within {point.range}"
    if point.when:
        yield _WHEN.get(point.when, point.when)
    if point.limit:
        yield f"at most {point.limit}"
    if point.whose:
        yield _WHOSE.get(point.whose, point.whose)
    if point.out_of:
        yield f"out of {_PLACES.get(point.out_of, point.out_of)}"
    if point.into:
        yield f"into {_PLACES.get(point.into, point.into)}"
    if point.subject:
        yield f"of {point.subject} thing"
    if point.sources:
        most = "one source" if point.sources.most == 1 else f"{point.sources.most} sources"
        yield f"{most} for each `{point.sources.per}`"
    if point.acts:
        yield f"so that {' or '.join(_ACTS.get(word, word) for word in point.acts)} happens"
    if point.made_of:
        yield "to a value that it had"
    if point.window:
        yield f"during {_named([t.text for t in point.window])}"
    if point.via:
        yield f"by way of {_named([t.text for t in point.via])}"
    if point.without:
        yield f"in an effect that gives no {' and no '.join(f'`{t.text}`' for t in point.without)}"
    if point.inside:
        yield f"containing {_named([t.text for t in point.inside])}"
    if point.packs:
        yield f"packs of the kind {' or '.join(point.packs)}"
    if point.most is not None:
        yield f"{'one pack' if point.most == 1 else f'{point.most} packs'} at a time"
    if point.warn is not None:
        yield f"with a warning above {point.warn}"


def _guard(guard: Guard) -> str:
    say = guard.say or "stays as it is"
    text = f"{say[0].upper()}{say[1:]}: {_named([t.text for t in guard.of])}"
    return text + (f". Instead: {guard.fix}" if guard.fix else "")


def _whole(contract: Contract) -> Iterator[tuple[Part, str, Clauses]]:
    for bounded in contract.bounded:
        warn = f", with a warning above {bounded.warn}" if bounded.warn is not None else ""
        says = f"What packs bring of `{bounded.of.text}` in a {bounded.per} is finite{warn}"
        yield bounded, says, bounded.cites
    for flow in contract.flows:
        into = _named(list(flow.into), "or")
        if flow.by:
            yield (
                flow,
                f"Nothing changes {into} by how much there is of `{flow.by}`, or gives it for that",
                flow.cites,
            )
            continue
        source = f"can be paid with `{flow.source}`" if flow.source else f"hangs on `{flow.after}`"
        yield flow, f"Nothing that {source} gives {into}", flow.cites
    if contract.loops:
        by = _listed([_SETTLED.get(word, word) for word in contract.loops.settled_by], "or")
        fuse = f"; a chain ends after {contract.loops.fuse} steps" if contract.loops.fuse else ""
        says = f"Rules that set each other off in a circle are settled by {by}{fuse}"
        yield contract.loops, says, contract.loops.cites
    for denial in contract.denial:
        says = (
            f"`{denial.of}` is denied to nobody in more than {denial.covers} `{denial.window}` in a row, "
            f"and {denial.gap} is free before the next"
        )
        yield denial, says, (*denial.clause, *denial.endless)
    for chance in contract.chance:
        says = f"Inside {_named(list(chance.inside))} there is no {_listed(list(chance.never), 'or')}"
        yield chance, says, chance.cites
    for secrecy in contract.secrecy:
        but = f", except by {_named(list(secrecy.allowed), 'or')}" if secrecy.allowed else ""
        stay = "stays" if len(secrecy.keep) == 1 else "stay"
        yield secrecy, f"{_named(list(secrecy.keep))} {stay} hidden{but}", secrecy.cites
    if contract.conserve.of:
        says = f"No {_named(list(contract.conserve.of), 'or')} is made or lost in play"
        yield contract.conserve, says, contract.conserve.cites
    for holds in contract.holds:
        if holds.that is not None:
            text = " ".join(holds.that.text.split())
            said = f"{holds.say}: " if holds.say else "it holds that "
            yield holds, f"{_MOMENTS.get(holds.at, holds.at)} {said}`{text}`", holds.cites


def _named(words: list[str], joint: str = "and") -> str:
    return _listed([f"`{word}`" for word in words], joint)


def _listed(words: list[str], joint: str = "and") -> str:
    return f" {joint} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _cited(clauses: Clauses) -> str:
    return f" [{', '.join(clauses)}]" if clauses else ""
