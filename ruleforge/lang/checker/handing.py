"""Where hidden values are handed on to: results of events, what rules were set off with, attributes that nobody sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.everything import nodes
from ruleforge.lang.checker.secrets import Secrets
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.lang.checker.walk import all_nodes, parts


class Handing(Secrets):
    """The same secrets, followed until nothing new is found.

    Questions go by the plain ones: what they are must be foreseen by authors. What is told goes by these.
    """

    def __init__(self, rules: t.Checked) -> None:
        self._laid: set[t.Column] = set()  # seen by nobody, and to be worked out by nobody
        self._noted: set[t.Position] = set()  # nobody knows which of them are remembered
        self.of_a_kind: set[t.Variable] = set()  # one of all things of a kind, wherever they lie
        self._lie_hidden = {place.holds.name for place in rules.places.values() if place.hidden}
        everything = tuple(nodes(rules)) if rules.sight else ()
        super().__init__(rules, everything)
        if rules.sight:
            self._follow(everything)

    def is_secret(self, what: t.Expr) -> bool:
        match what:
            case t.Repeats(position=position) if position in self._noted:
                return True
            case t.Read(column=column, of=of) if self.is_by_name(column, of):
                return True
        return super().is_secret(what)

    def is_by_name(self, column: t.Column, of: t.Expr) -> bool:
        """Whether an attribute is asked of a thing that is known by its name, and may lie where it is not seen.

        There others see what is on it, but not which thing it is.
        """
        if column.constant or column.kind.name not in self._lie_hidden:
            return False
        return isinstance(of, t.Constant) or (isinstance(of, t.Use) and of.variable in self.of_a_kind)

    def is_private(self, column: t.Column) -> bool:
        return column in self._laid or super().is_private(column)

    def may_lie_hidden(self, what: t.Expr) -> bool:
        """Whether it is a thing, or things, told only to those who see them."""
        return isinstance(what.type, ThingT | SetT) and what.type.kind in self._lie_hidden

    # --- until nothing is new ---

    def _bind(self, variable: t.Variable, source: t.Expr) -> None:
        super()._bind(variable, source)
        if isinstance(source, t.All):
            self.of_a_kind.add(variable)

    def _follow(self, everything: tuple[object, ...]) -> None:
        found = -1
        while found != (found := len(self.veiled) + len(self._laid) + len(self._noted)):
            self._known.clear()
            self._mark(everything)
            for node in everything:
                self._hand_on(node)
            for rule in self.rules.rules:
                self._into_rule(rule)

    def _hand_on(self, node: object) -> None:
        match node:
            case t.Perform(event=event, arguments=arguments, into=t.Variable() as into):
                if self._event(event) or any(map(self.is_secret, arguments)):
                    self.veiled.add(into)
            case t.Store() | t.New():
                self._lay(column for column, said in _written(node) if any(map(self.is_secret, said)))
            case t.If() | t.For() | t.Repeat() if self.is_steered(node):
                inside = tuple(all_nodes(node))
                self._lay(column for inner in inside for column, _ in _written(inner))
                self._noted |= {n.position for n in inside if isinstance(n, t.Remember | t.Forget)}

    def _lay(self, columns: Iterable[t.Column]) -> None:
        """What only the rules know is a secret once secrets go into it."""
        self._laid |= {column for column in columns if column in self.rules.sight and self._is_unseen(column)}

    def _is_unseen(self, column: t.Column) -> bool:
        test = self.rules.sight[column].test
        return isinstance(test, t.Constant) and not test.value

    def _into_rule(self, rule: t.Rule) -> None:
        """The old and the new value of a hidden attribute, and what was kept from before."""
        match rule.pattern:
            case t.Pattern(subject=t.Column() as column, parameters=(*_, old, new)) if self.is_private(
                column
            ):
                self.veiled |= {old, new}
        self.veiled |= {variable for variable, value in rule.before if self.is_secret(value)}


def _written(node: object) -> Iterator[tuple[t.Column, list[t.Expr]]]:
    """The attributes that a statement writes, each with all that says what is written where."""
    match node:
        case t.Store(column=column):
            yield column, [part for part in parts(node) if isinstance(part, t.Expr)]
        case t.New(given=given):
            yield from ((column, [value]) for column, value in given)
