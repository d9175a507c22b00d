"""The product of the stage, and the way to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ruleforge.lang.model.pack import Pack
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.lang.packs.action_templates import with_manners
from ruleforge.lang.packs.clashes import Clashes
from ruleforge.lang.packs.flow import hang
from ruleforge.lang.packs.merge import merged
from ruleforge.lang.packs.namespaces import Names, own_names, with_own_names
from ruleforge.lang.packs.pack_set import company
from ruleforge.lang.packs.products import spelt_out
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Assembly:
    """A core, the packs that stand with it, and all of their definitions as one ruleset."""

    core: Ruleset
    packs: tuple[Pack, ...]
    whole: Ruleset
    names: Mapping[str, Names]  # by pack: names that are called otherwise where all packs are there

    @property
    def titles(self) -> Mapping[str, str]:
        """What people call the pack a definition came from, by its origin."""
        return {pack.manifest.id: pack.manifest.title or pack.manifest.id for pack in self.packs}


def assemble(core: Ruleset, packs: tuple[Pack, ...], report: Report) -> Assembly:
    """Put packs and core together, all products and manners spelt out; the core alone keeps its products."""
    standing = company(core, packs, report)
    names = own_names(core, standing)
    standing = tuple(with_own_names(pack, names.get(pack.manifest.id, {})) for pack in standing)
    clashes = Clashes(core, report)
    whole = replace(core, flow=hang(core.flow, standing, clashes)) if standing else core
    for pack in standing:
        whole = merged(whole, pack, clashes)
    alone = with_manners(core, Report())  # whatever is wrong with it is said of the whole
    return Assembly(alone, standing, with_manners(spelt_out(whole, report), report), names)
