"""`Assembly` is a core with its packs as one ruleset; the module also orders packs and compares their versions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from ruleforge.lang.model.pack import Pack, PackName
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.lang.packs.clashes import Clashes
from ruleforge.lang.packs.merge import hang, merged
from ruleforge.lang.packs.namespaces import Names, own_names, with_own_names
from ruleforge.lang.packs.templates import spelt_out, with_manners
from ruleforge.support.diagnostics import Edit, Report
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import nearest

Part = tuple[int, str]  # `2a` is behind `2` and before `3`
Version = tuple[Part, ...]
ZERO: Part = (0, "")
_PART = re.compile(r"([0-9]+)([a-z]?)")


@dataclass(frozen=True, slots=True)
class Assembly:
    """A core, its packs, and all their definitions as one ruleset."""

    core: Ruleset
    packs: tuple[Pack, ...]
    whole: Ruleset
    names: Mapping[str, Names]  # by pack: names that are called otherwise where all packs are there

    @property
    def titles(self) -> Mapping[str, str]:
        """The titles of packs by their ids."""
        return {pack.manifest.id: pack.manifest.title or pack.manifest.id for pack in self.packs}


def assemble(core: Ruleset, packs: tuple[Pack, ...], report: Report) -> Assembly:
    """Put packs and core together, all products and manners spelt out; the core alone keeps its products."""
    standing = pack_set(core, packs, report)
    names = own_names(core, standing)
    standing = tuple(with_own_names(pack, names.get(pack.manifest.id, {})) for pack in standing)
    clashes = Clashes(core, report)
    whole = replace(core, flow=hang(core.flow, standing, clashes)) if standing else core
    for pack in standing:
        whole = merged(whole, pack, clashes)
    alone = with_manners(core, Report())  # its diagnostics are about the whole
    return Assembly(alone, standing, with_manners(spelt_out(whole, report), report), names)


# The requested packs that fit together, in an order that does not depend on the request.


def pack_set(core: Ruleset, packs: tuple[Pack, ...], report: Report) -> tuple[Pack, ...]:
    """The packs that fit the core and one another: each after those it needs, else by their ids."""
    known: dict[str, Pack] = {}
    for pack in sorted(packs, key=lambda pack: (pack.manifest.id, pack.manifest.span)):
        if _fits_core(core, pack, report) and _is_new(pack, known, report):
            known[pack.manifest.id] = pack
    for pack in known.values():
        _check_pack_set(pack, known, report)
    return _needed_first(known, report)


def _fits_core(core: Ruleset, pack: Pack, report: Report) -> bool:
    manifest = pack.manifest
    if not manifest.core.id:
        return False  # that it does not say so was reported
    if manifest.core.id != core.id:
        close = nearest(manifest.core.id, [core.id])
        report.add(
            "RF330",
            f"`{manifest.id}` is a pack for `{manifest.core.id}`, not for `{core.id}`",
            manifest.core.span,
            f"did you mean `{core.id}`?" if close else None,
            (("the game is", core.span),),
            (Edit(manifest.core.span, core.id),) if close else (),
        )
        return False
    if not manifest.versions.id or any(d.span == manifest.versions.span for d in report):
        return False  # it is no range
    if not fits(core.version, manifest.versions.id):
        report.add(
            "RF331",
            f"`{manifest.id}` is for the versions {manifest.versions.id} of {core.title}; this is {core.version}",
            manifest.versions.span,
            f"if it still fits, write a range with {core.version} in it",
            (("the version of the game is given", core.span),),
        )
        return False
    return True


def _is_new(pack: Pack, known: dict[str, Pack], report: Report) -> bool:
    """The same pack may be asked for twice; two packs of one name may not."""
    first = known.get(pack.manifest.id)
    if first is None:
        return True
    if first.manifest.span != pack.manifest.span:
        report.add(
            "RF334",
            f"there are two packs `{pack.manifest.id}`",
            pack.manifest.span,
            "use one of them, or give it another id",
            (("the other is", first.manifest.span),),
        )
    return False


def _check_pack_set(pack: Pack, known: dict[str, Pack], report: Report) -> None:
    for needed in pack.manifest.needs:
        if needed.id not in known:
            message = f"`{pack.manifest.id}` needs the pack `{needed.id}`"
            report.add(
                "RF336", message, needed.span, f"use both: `--with {needed.id} --with {pack.manifest.id}`"
            )
    for other in pack.manifest.excludes:
        if other.id in known:
            report.add(
                "RF337",
                f"`{pack.manifest.id}` cannot be used together with `{other.id}`",
                other.span,
                notes=(("the other pack is", known[other.id].manifest.span),),
            )


def _needed_first(known: dict[str, Pack], report: Report) -> tuple[Pack, ...]:
    """Every pack behind those it needs; packs that need one another in a circle are reported once."""
    order: list[str] = []
    waiting = dict(known)
    while waiting:
        ready = [id for id, pack in waiting.items() if not _missing(pack, waiting)]
        if not ready:
            _report_circle(waiting, report)
            ready = list(waiting)[:1]
        order.append(ready[0])
        del waiting[ready[0]]
    return tuple(known[id] for id in order)


def _missing(pack: Pack, waiting: dict[str, Pack]) -> list[PackName]:
    return [needed for needed in pack.manifest.needs if needed.id in waiting]


def _report_circle(waiting: dict[str, Pack], report: Report) -> None:
    circle = [next(iter(waiting))]
    while circle[-1] not in circle[:-1]:
        circle.append(_missing(waiting[circle[-1]], waiting)[0].id)
    circle = circle[circle.index(circle[-1]) :]
    first = waiting[circle[0]]
    report.add(
        "RF338",
        f"packs need one another in a circle: {' -> '.join(circle)}",
        _missing(first, waiting)[0].span,
        "let one of them do without the other",
    )


# Versions of a core, and the ranges of them that a pack is written for: `1.0`, `1.x`, `0.5 to 0.9`.


def fits(version: str, versions: str) -> bool:
    """Whether a version lies in a range; `1.0` and `1.0.0` are the same version."""
    low, between, high = versions.partition(" to ")
    if between:
        return _parts(low) <= _as_long(version, low) and _as_long(version, high) <= _parts(high)
    stem = low.removesuffix(".x")
    return _as_long(version, stem) == _parts(stem) and (stem != low or _is_same(version, low))


def _parts(version: str) -> Version:
    return tuple((int(number), letter) for number, letter in _PART.findall(version))


def _as_long(version: str, other: str) -> Version:
    """As many parts of a version as another one has, so that `0.9.3` is within `0.5 to 0.9`."""
    wanted = len(_parts(other))
    return (_parts(version) + (ZERO,) * wanted)[:wanted]


def _is_same(one: str, other: str) -> bool:
    return all(a == b for a, b in zip_longest(_parts(one), _parts(other), fillvalue=ZERO))
