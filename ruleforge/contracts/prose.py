"""Writes a contract as a page of prose: the permissions of packs, their limits, and the prohibitions."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.contracts.model import CHANGES, Clauses, Contract, Guard, Part, Point
from ruleforge.contracts.terms import OPS, TERMS, listed, named
from ruleforge.support.records import dataclass

MAY, MAY_NOT, WHOLE = "Packs may", "Packs may not", "Limits on all packs together"

_MOMENTS = {
    "load": "When packs are loaded",
    "change": "After every change",
    "commit": "After every choice",
    "turn_end": "At the end of every turn",
}
_SETTLED = {"limit": "a limit", "spend": "something that is used up", "descend": "a value that falls"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One part of a contract in words, with its heading and its clauses."""

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
    limits = [
        opening for term in TERMS if (value := point[term]) is not None and (opening := term.says(value))
    ]
    return text + (f" ({'; '.join(limits)})" if limits else "")


def _admitted(point: Point, kind: str, targets: list[str]) -> str:
    """One kind of change with its targets, as one says it."""
    verb = CHANGES[kind]
    free = "anything" if kind == "listen" else "anything that is not guarded"
    words = [target for target in targets if target not in ("any", "new")]
    ops = point[OPS]
    match kind:
        case "act":
            return "offer actions of their own" + (f" during {named(words)}" if words else "")
        case "define":
            return _defined(targets)
        case "gain":
            return _gained(targets)
        case "end":
            return f"add an ending that is a {named(targets, 'or')}"
        case "seat":
            return "play seats" if targets == ["any"] else f"play the seats {named(targets)}"
        case "modify" if ops:
            return f"{verb} {_all(targets, free)} by {named(ops, 'or')}"
    return f"{verb} {_all(targets, free)}"


def _all(targets: list[str], free: str) -> str:
    parts = [free] if "any" in targets else []
    parts += [_place(target) for target in targets if target != "any"]
    return listed(parts)


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
    parts = [f"bring new things of {named(kinds)}"] if kinds else []
    parts += [f"print {named(facts)} on new things"] if facts else []
    parts += ["declare keywords"] if len(targets) > len(kinds) + len(facts) else []
    return listed(parts)


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
        f"{listed([_WAYS[way] for way in found])} {named(names)}" for found, names in groups.items()
    )


def _guard(guard: Guard) -> str:
    say = guard.say or "stays as it is"
    text = f"{say[0].upper()}{say[1:]}: {named([t.text for t in guard.of])}"
    return text + (f". Instead: {guard.fix}" if guard.fix else "")


def _whole(contract: Contract) -> Iterator[tuple[Part, str, Clauses]]:
    for bounded in contract.bounded:
        warn = f", with a warning above {bounded.warn}" if bounded.warn is not None else ""
        says = f"What packs bring of `{bounded.of.text}` in a {bounded.per} is finite{warn}"
        yield bounded, says, bounded.cites
    for flow in contract.flows:
        into = named(list(flow.into), "or")
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
        by = listed([_SETTLED.get(word, word) for word in contract.loops.settled_by], "or")
        limit = f"; a chain ends after {contract.loops.fuse} steps" if contract.loops.fuse else ""
        says = f"Rules that trigger each other in a circle are settled by {by}{limit}"
        yield contract.loops, says, contract.loops.cites
    for denial in contract.denial:
        says = (
            f"`{denial.of}` is denied to nobody in more than {denial.covers} `{denial.window}` in a row, "
            f"and {denial.gap} is free before the next"
        )
        yield denial, says, (*denial.clause, *denial.endless)
    for chance in contract.chance:
        says = f"Inside {named(list(chance.inside))} there is no {listed(list(chance.never), 'or')}"
        yield chance, says, chance.cites
    for secrecy in contract.secrecy:
        but = f", except by {named(list(secrecy.allowed), 'or')}" if secrecy.allowed else ""
        stay = "stays" if len(secrecy.keep) == 1 else "stay"
        yield secrecy, f"{named(list(secrecy.keep))} {stay} hidden{but}", secrecy.cites
    if contract.conserve.of:
        says = f"No {named(list(contract.conserve.of), 'or')} is made or lost in play"
        yield contract.conserve, says, contract.conserve.cites
    for holds in contract.holds:
        if holds.that is not None:
            opening = f"{holds.say}: " if holds.say else "it holds that "
            yield holds, f"{_MOMENTS.get(holds.at, holds.at)} {opening}`{holds.text}`", holds.cites


def _cited(clauses: Clauses) -> str:
    return f" [{', '.join(clauses)}]" if clauses else ""
