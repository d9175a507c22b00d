"""A value in a scenario -> what keeps it from ever being the value of its path."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.lang.checker.types import ErrorT, FlagT, NumberT, SetT, ThingT
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceNode
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import with_article
from ruleforge.tools.project_files.known import Known, Member

NONE = "none"
HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value that cannot be, or a name of no thing of `kind`, or of nothing that can be marked on one."""

    span: Span
    message: str
    kind: str = ""
    thing: str = ""
    mark: bool = False


@dataclass(frozen=True, slots=True)
class Fitting:
    """What holds of values: those that are given may be said more shortly, those that are seen may be hidden."""

    known: Known
    given: bool = False
    seen: bool = False

    def misfits(self, path: str, member: Member, node: SourceNode) -> Iterator[Misfit]:
        if self.seen and isinstance(node, ScalarNode) and node.text == HIDDEN:
            return
        match member.type, node:
            case ThingT(kind=kind), MappingNode() if self.seen and member.place:
                yield from self._marks(path, kind, node)
            case ErrorT(), _:
                pass  # of the attribute nothing is known
            case NumberT(low=low, high=high), ScalarNode(kind="int"):
                if not low <= int(node.text) <= high:
                    yield Misfit(node.span, f"`{path}` is {low}..{high}, not {node.text}")
            case FlagT(), ScalarNode(kind="bool"):
                pass
            case ThingT(kind=kind), ScalarNode(kind="str"):
                yield from self._thing(path, kind, node)
            case SetT(kind=kind), SequenceNode():
                yield from self._set(path, kind, node)
            case (ThingT(kind=kind), SequenceNode(items=items)) if member.place and self.given:
                yield from self._set(path, kind, node)
                if len(items) > 1:
                    yield Misfit(node.span, f"`{path}` holds one thing, not {len(items)}")
            case (SetT(kind=kind), ScalarNode(kind="str")) if member.place and self.given:
                yield from self._thing(path, kind, node)
            case _:
                said = f"`{node.text}`" if isinstance(node, ScalarNode) else "a list"
                yield Misfit(node.span, f"{said} does not fit `{path}`, which is {member.type}")

    def _set(self, path: str, kind: str, node: SequenceNode) -> Iterator[Misfit]:
        names: set[str] = set()
        for item in node.items:
            if isinstance(item, MappingNode):
                yield from self._marks(path, kind, item)
            if not isinstance(item, ScalarNode) or (self.seen and item.text == HIDDEN):
                continue
            yield from self._thing(path, kind, item)
            name = item.text.removeprefix(f"{kind}.")
            if name in names:
                yield Misfit(item.span, f"`{path}` cannot have `{name}` twice")
            names.add(name)

    def _marks(self, path: str, kind: str, node: MappingNode) -> Iterator[Misfit]:
        """A hidden thing, by what is marked on it."""
        for entry in node:
            member = self.known.mark(kind, entry.name)
            if member is None:
                message = f"nothing called `{entry.name}` can be marked on {with_article(kind)} in `{path}`"
                yield Misfit(entry.key.span, message, kind, entry.name, mark=True)
            else:
                yield from self.misfits(entry.name, member, entry.value)

    def _thing(self, path: str, kind: str, node: ScalarNode) -> Iterator[Misfit]:
        name = node.text.removeprefix(f"{kind}.")
        if name != NONE and not self.known.has(kind, name):
            message = f"`{path}` takes {with_article(kind)}; there is no {kind} `{name}`"
            yield Misfit(node.span, message, kind, name)
