"""A contract as a page of prose: what packs may do, within which limits, and what they may never do."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.contracts.model import CHANGES, Clauses, Contract, Guard, Point

_WHEN = {
    "conditional": "only under a condition, for a time, or a limited number of times",
    "limited": "only a limited number of times",
    "timed": "only for a time",
}
_ACTS = {"none": "nothing at all", "less": "less of it", "same": "the same", "other": "anything else"}


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
    yield from _section("Packs may", [_point(point) for point in contract.points])
    yield from _section("Packs may not", [_guard(guard) for guard in contract.guards])
    yield from _section("What is looked at as a whole", [*_whole(contract)])


def _section(title: str, items: list[str]) -> Iterator[str]:
    if items:
        yield from ("", f"## {title}", "", *(f"- {item}" for item in items))


def _point(point: Point) -> str:
    parts = [_admitted(kind, [t.text for t in targets]) for kind, targets in point.admits.items()]
    text = f"**{point.id.replace('_', ' ')}**: {point.say + ': ' if point.say else ''}{'; '.join(parts)}"
    limits = [*_limits(point)]
    return text + (f" ({'; '.join(limits)})" if limits else "") + _cited(point.cites)


def _admitted(kind: str, targets: list[str]) -> str:
    verb = CHANGES[kind]
    if kind == "act":
        where = [target for target in targets if target != "new"]
        return f"{verb} of their own" + (f" during {_named(where)}" if where else "")
    if targets == ["any"]:
        return f"{verb} anything that is not guarded" if kind != "listen" else f"{verb} anything"
    return f"{verb} {_named(targets)}"


def _limits(point: Point) -> Iterator[str]:
    if point.ops:
        yield f"by {' or '.join(point.ops)}"
    if point.each:
        yield f"one source {point.each}"
    if point.sum:
        yield f"all sources together {point.sum}"
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
    if point.whose == "new":
        yield "for things of their own"
    if point.subject:
        yield f"of {point.subject} thing"
    if point.sources:
        yield f"{point.sources.most} for each {point.sources.per}"
    if point.acts:
        yield f"so that {' or '.join(_ACTS.get(word, word) for word in point.acts)} happens"
    if point.made_of:
        yield "to a value that it had"
    if point.window:
        yield f"during {_named([t.text for t in point.window])}"
    if point.via:
        yield f"by way of {_named([t.text for t in point.via])}"
    if point.inside:
        yield f"containing {_named([t.text for t in point.inside])}"
    if point.packs:
        yield f"packs of the kind {' or '.join(point.packs)}"
    if point.most is not None:
        yield f"{'one pack' if point.most == 1 else f'{point.most} packs'} at a time"
    if point.warn is not None:
        yield f"above {point.warn} with a warning"


def _guard(guard: Guard) -> str:
    say = guard.say or "stays as it is"
    text = f"{say[0].upper()}{say[1:]}: {_named([t.text for t in guard.of])}"
    return text + (f". Instead: {guard.fix}" if guard.fix else "") + _cited(guard.clauses)


def _whole(contract: Contract) -> Iterator[str]:
    for bounded in contract.bounded:
        warn = f", above {bounded.warn} with a warning" if bounded.warn is not None else ""
        yield f"What packs bring of `{bounded.of.text}` in a {bounded.per} is finite{warn}{_cited(bounded.cites)}"
    for flow in contract.flows:
        gives = _named(list(flow.into))
        if flow.source:
            yield f"Nothing that can be paid with `{flow.source}` gives {gives}{_cited(flow.cites)}"
        else:
            yield f"Nothing that hangs on `{flow.after}` gives {gives}{_cited(flow.cites)}"
    if contract.loops:
        by = " or ".join(contract.loops.settled_by)
        fuse = f"; a chain ends after {contract.loops.fuse} steps" if contract.loops.fuse else ""
        yield f"Rules that set each other off in a circle are settled by {by}{fuse}{_cited(contract.loops.cites)}"
    for denial in contract.denial:
        yield (
            f"`{denial.of}` is denied for at most {denial.covers} `{denial.window}`, "
            f"and {denial.gap} is free before the next{_cited((*denial.clause, *denial.endless))}"
        )
    for chance in contract.chance:
        yield f"Inside {_named(list(chance.inside))} there is no {' or '.join(chance.never)}{_cited(chance.cites)}"
    for secrecy in contract.secrecy:
        but = f", except by {_named(list(secrecy.allowed))}" if secrecy.allowed else ""
        yield f"{_named(list(secrecy.keep))} stay hidden{but}{_cited(secrecy.cites)}"
    if contract.conserve.of:
        yield f"No {_named(list(contract.conserve.of))} is made or lost in play{_cited(contract.conserve.cites)}"
    for holds in contract.holds:
        if holds.that is not None:
            text = " ".join(holds.that.text.split())
            yield f"At {holds.at.replace('_', ' ')} it holds that `{text}`{_cited(holds.cites)}"


def _named(words: list[str]) -> str:
    quoted = [f"`{word}`" for word in words]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def _cited(clauses: Clauses) -> str:
    return f" [{', '.join(clauses)}]" if clauses else ""
