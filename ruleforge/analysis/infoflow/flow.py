"""Answer queries about information flow: the hidden information that values, branches and questions depend
on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from ruleforge.analysis.dataflow import Solver, reach
from ruleforge.analysis.infoflow.labels import Label, Labels, Mark, What, is_about_identity
from ruleforge.analysis.infoflow.reader import Context, Key, Reader
from ruleforge.analysis.infoflow.statements import bindings_of
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import free_variables


class InfoFlow:
    """The hidden information that each part of a ruleset depends on.

    Labels name everything that is hidden from some player. Each client asks for the relevant labels:
    `foreseeable` for questions, `in_play` for the log of a step, `unknown_to` for one player.
    """

    def __init__(self, rules: t.Checked) -> None:
        self.rules = rules
        self.context = Context(rules, bindings_of(rules))
        self._solver: Solver[Key, Labels] = Solver(
            lambda key, read: Reader(self.context, read).transfer(key), frozenset(), frozenset.union
        )
        self.reader = self.reader_with({})
        self._labels: dict[t.Expr, Labels] = {}

    def reader_with(self, members: Mapping[t.Variable, t.Expr]) -> Reader:
        """A reader for which variables are known to be members of something."""
        return Reader(self.context, self._solver.__getitem__, members)

    def labels(self, *values: t.Expr | None) -> Labels:
        """The labels that values depend on."""
        return frozenset().union(*(self._of(value) for value in values if value is not None))

    def _of(self, value: t.Expr) -> Labels:
        if value not in self._labels:
            self._labels[value] = self.reader.of(value)
        return self._labels[value]

    @property
    def unseen_chance(self) -> frozenset[t.Variable]:
        """The variables that hold results of chance which only hidden attributes keep."""
        return self.context.unseen_chance

    def lying(self, source: t.Expr) -> Labels:
        """The hidden places in which members of a source may lie."""
        if isinstance(source, t.All):
            places = (p for p in self.rules.places.values() if p.hidden and p.holds is source.kind)
            return frozenset(Label(place, (), source.span) for place in places)
        return frozenset(label for label in self.labels(source) if isinstance(label.what, t.Place))

    # --- what counts ---

    def foreseeable(self, labels: Iterable[Label]) -> Labels:
        """The labels that control whether a question is asked, for information that only some players see.

        Authors must be able to foresee them, so flows through events, rules or remembered values do not
        count.
        """
        return frozenset(label for label in labels if not label.indirect and self._some_see(label.what))

    def in_play(self, labels: Iterable[Label]) -> Labels:
        """The labels that a player who follows the game may not know."""
        return frozenset(label for label in labels if self._is_unknown(label))

    def unknown_to(self, me: t.Variable, labels: Iterable[Label]) -> Labels:
        """The labels that one player may not know: all except those of an owner who is that player."""
        return self.hidden_from(lambda owner: isinstance(owner, t.Use) and owner.variable is me, labels)

    def hidden_from(self, is_viewer: Callable[[t.Expr], bool], labels: Iterable[Label]) -> Labels:
        """The labels that the rules hide from a viewer, who is given by the expressions that mean this
        player.
        """
        hidden = (label for label in labels if not is_about_identity(label))
        return frozenset(label for label in hidden if not self._is_shown(is_viewer, label))

    def is_private(self, column: t.Column) -> bool:
        """Whether some players see an attribute and others do not.

        Without a viewer in its test, it is the same for all.
        """
        sight = self.rules.sight.get(column)
        return sight is not None and sight.viewer in free_variables(sight.test)

    def _some_see(self, what: What) -> bool:
        match what:
            case t.Column():
                return self.is_private(what)
            case Mark():
                return what is not Mark.TRIAL
        return isinstance(what, t.Place)

    def _is_known_to_some(self, label: Label) -> bool:
        return is_about_identity(label) or self._some_see(label.what)

    def _is_unknown(self, label: Label) -> bool:
        return self._is_known_to_some(label) or label.what in self._tainted

    @cached_property
    def _tainted(self) -> frozenset[t.Column]:
        """The attributes that no player sees or can compute, because unknown information flowed into them."""
        unseen = [c for c in self.rules.sight if isinstance(c, t.Column) and self._nobody_sees(c)]
        sources = {column: self._solver[column] for column in unseen}
        starts = [column for column in unseen if any(map(self._is_known_to_some, sources[column]))]
        into = {c: {label.what for label in labels} for c, labels in sources.items()}
        return frozenset(reach(starts, lambda column: [c for c in unseen if column in into[c]]))

    def _nobody_sees(self, column: t.Column) -> bool:
        test = self.rules.sight[column].test
        return isinstance(test, t.Constant) and not test.value

    def _is_shown(self, is_viewer: Callable[[t.Expr], bool], label: Label) -> bool:
        """Whether the rules show it to its owner, and the viewer is that owner."""
        sight = self.rules.sight.get(label.what) if isinstance(label.what, t.Column | t.Place) else None
        if sight is None:
            return False
        bound = (sight.thing,) if isinstance(label.what, t.Column) else sight.index
        owners = dict(zip(bound, label.whose, strict=False))
        return any(
            is_viewer(owner)
            for variable in _shown_to(sight.test, sight.viewer)
            if (owner := owners.get(variable)) is not None
        )


def _shown_to(test: t.Expr, viewer: t.Variable) -> Iterator[t.Variable]:
    """The variables whose player sees it in any case."""
    match test:
        case t.Logic(op="or", parts=parts):
            for part in parts:
                yield from _shown_to(part, viewer)
        case t.Compare(op="==", left=t.Use(variable=left), right=t.Use(variable=right)) if viewer in (
            left,
            right,
        ):
            yield right if left is viewer else left
