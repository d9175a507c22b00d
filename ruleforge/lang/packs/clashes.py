"""Diagnostics about packs that conflict with a game; each shows both places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from ruleforge.lang.model.pack import Chosen, Filling
from ruleforge.lang.model.ruleset import Event, Named, NumberDef, Option, Ruleset
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import did_you_mean

D = TypeVar("D", bound=Named)


@dataclass(frozen=True, slots=True)
class Clashes:
    """Reports for one merging; `core` is the game that the packs are for."""

    core: Ruleset
    report: Report

    def redefined(self, what: str, new: Named, old: Named) -> None:
        """A pack cannot say anew what the game says, nor can two packs say the same thing."""
        where = (("it stands", old.span),)
        if old.origin:
            message = f"{what} `{new.id}` is also defined by the pack `{old.origin}`"
            self.report.add("RF334", message, new.span, "give it a name of its own", where)
        else:
            message = f"{what} `{new.id}` is the game's: a pack can only add to it"
            self.report.add("RF333", message, new.span, f"give yours another name than `{new.id}`", where)

    def changed(self, kind: Named, key: str, old: Named) -> None:
        """A pack that adds to a kind cannot say anew what the kind is."""
        owner = f"the pack `{old.origin}`'s" if old.origin else "the game's"
        self.report.add(
            "RF333",
            f"`{key}` of the kind `{kind.id}` is {owner}: a pack can only add to a kind",
            kind.span,
            f"delete `{key}`, or make a kind of your own",
            (("the kind stands", old.span),),
        )

    def target(self, what: str, attached: Named, there: tuple[D, ...]) -> D | None:
        """The definition of the game that something is attached to."""
        found = next((definition for definition in there if definition.id == attached.id), None)
        if found is None:
            self.unknown(what.removeprefix("the "), attached.id, attached.span, [d.id for d in there])
        return found

    def unknown(self, what: str, name: str, span: Span, known: Iterable[str]) -> None:
        message = f"`{self.core.id}` has no {what} `{name}`"
        self.report.add("RF340", message, span, did_you_mean(name, known), (("the game is", self.core.span),))

    def may_fill(self, filling: Filling, event: Event) -> bool:
        if not event.placeholder:
            self.report.add(
                "RF339",
                f"the event `{event.id}` is no placeholder, so it cannot be filled",
                filling.span,
                "wait for it with a rule: `after`, or `instead of` where the game allows it",
                (("it stands", event.span),),
            )
        elif event.filled_at is not None:
            self._twice(f"the placeholder `{event.id}`", event.filled_by, filling.span, event.filled_at)
        return event.placeholder and event.filled_at is None

    def may_choose(self, chosen: Chosen, what: Option | NumberDef, value: SourceText | None) -> bool:
        if what.settled_at is None:
            return True
        settled = value.text.strip() if value else ""
        if chosen.value is not None and chosen.value.text.strip() != settled:
            sort = "option" if isinstance(what, Option) else "number"
            self._twice(f"the {sort} `{what.id}`", what.settled_by, chosen.span, what.settled_at)
        return False

    def _twice(self, what: str, by: str, here: Span, there: Span) -> None:
        message = f"{what} is already used by the pack `{by}`"
        self.report.add(
            "RF335", message, here, "only one pack can use it: play with one of the two", (("there", there),)
        )
