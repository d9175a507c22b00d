"""Compute the open part of questions, which every player can evaluate: it omits conditions on hidden
information.

A prompt shows the other players that there is a choice. A question with an optional answer is therefore asked
as soon as its open part has an answer. The prompt then reveals nothing that only hidden information controls.
"""

from __future__ import annotations

from dataclasses import replace

from ruleforge.analysis.infoflow.bindings import is_pile
from ruleforge.analysis.infoflow.flow import InfoFlow
from ruleforge.analysis.infoflow.labels import Labels
from ruleforge.analysis.infoflow.reader import Reader
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT, SetT
from ruleforge.lang.checker.walk import conjuncts


class Questions:
    """The questions that depend on information only some players see, and their open parts."""

    def __init__(self, flow: InfoFlow) -> None:
        self._flow = flow

    def is_secret(self, value: t.Expr) -> bool:
        """Whether a value depends on information that only some players see."""
        return bool(self._flow.foreseeable(self._flow.labels(value)))

    def reads_secrets(self, node: object) -> bool:
        """Whether any part of the rules, including performed events, depends on such information."""
        return bool(self._flow.foreseeable(self._flow.reader.inside(node)))

    def decided_in_secret(
        self, binders: tuple[t.Binder | t.Several, ...], needs: tuple[t.Expr, ...] = ()
    ) -> bool:
        """Whether hidden information decides if there is an answer."""
        labels = self._flow.reader.answerable(*binders) | self._flow.labels(*needs)
        return bool(self._flow.foreseeable(labels))

    # --- the open part ---

    def open_tests(self, *tests: t.Expr | None, reader: Reader | None = None) -> tuple[t.Expr, ...]:
        """The part of conditions that every player can evaluate.

        It holds whenever the whole conditions hold.
        """
        found: list[t.Expr] = []
        for test in (part for whole in tests for part in conjuncts(whole)):
            if not self._secret(test, reader):
                found.append(test)
            elif isinstance(test, t.Aggregate) and test.op == "any" and test.value is None:
                binder = self.open_part(test.binder, reader)
                found += [replace(test, binder=binder)] if isinstance(binder, t.Binder) else []
        return tuple(found)

    def open_part(
        self, binder: t.Binder | t.Several, reader: Reader | None = None
    ) -> t.Binder | t.Several | None:
        """The part of a binder that every player can evaluate. It is the binder itself if nothing is hidden;
        None: no part.

        It has a member whenever the whole binder has one.
        """
        if isinstance(binder, t.Several):
            return self._open_set(binder)
        source = binder.source
        if self._foreseeable((reader or self._flow.reader).size(source)):
            return None
        if not any(self._secret(test, reader) for test in (binder.where, binder.until) if test is not None):
            return binder
        pile = None if is_pile(source) else self._pile_of(binder)
        inside = reader if pile is None else self._flow.reader_with({binder.variable: pile})
        where = _joined(self.open_tests(binder.where, reader=inside))
        until = _joined(self.open_tests(binder.until, reader=inside))
        return replace(binder, source=pile or source, where=where, until=until, by=(), usual=None)

    def _pile_of(self, binder: t.Binder) -> t.Expr | None:
        """The hidden place in which the members of a larger source lie, if a condition says so."""
        for part in conjuncts(binder.where):
            match part:
                case t.In(element=t.Use(variable=element), source=source) if element is binder.variable:
                    if is_pile(source) and not self._foreseeable(self._flow.reader.size(source)):
                        return source
                case t.Compare(op="==", left=t.Whereabouts(places=(place,), of=t.Use(variable=of))):
                    if of is binder.variable and place.hidden:
                        return t.Family(part.span, SetT(place.holds.name), place)
        return None

    def _open_set(self, node: t.Several) -> t.Several | None:
        """A set of at least one thing, if hidden information decides which sets are valid.

        The whole is tested later.
        """
        binder = self.open_part(node.binder)
        if binder is None:
            return None
        assert isinstance(binder, t.Binder)
        least, most, such = (x is not None and self.is_secret(x) for x in (node.least, node.most, node.such))
        if binder is node.binder and not (least or most or such):
            return node
        bare = least or (isinstance(node.least, t.Constant) and node.least.value == 0)
        return replace(
            node,
            binder=binder,
            least=t.Constant(node.span, NumberT(1, 1), 1) if bare else node.least,
            most=None if most else node.most,
            such=None if such else node.such,
        )

    def _secret(self, test: t.Expr, reader: Reader | None) -> bool:
        return self.is_secret(test) if reader is None else self._foreseeable(reader.of(test))

    def _foreseeable(self, labels: Labels) -> bool:
        return bool(self._flow.foreseeable(labels))

    # --- questions without an answer ---

    def asks_without_choices(self, node: t.Choose | t.Pick | t.Sealed) -> bool:
        """Whether a player is asked even without a choice, because nothing else would show that there is
        none.

        An open choice with a visible effect shows as much as the question.
        """
        match node:
            case t.Choose(binders=binders, body=body):
                sources = tuple(b.binder.source if isinstance(b, t.Several) else b.source for b in binders)
                return not node.openly and self.decided_in_secret(binders) and not _is_noticed(body, sources)
            case t.Pick(options=options):
                tests = [test for _, test, _ in options if test is not None]
                hidden = len(tests) == len(options) and any(map(self.is_secret, tests))
                return not node.openly and hidden and not all(_is_noticed(body) for _, _, body in options)
        return self.decided_in_secret(node.binders)


def _joined(tests: tuple[t.Expr, ...]) -> t.Expr | None:
    if len(tests) < 2:
        return tests[0] if tests else None
    return t.Logic(tests[0].span, tests[0].type, "and", tests)


# --- effects that every player notices ---

_NOTICED = (t.Finish, t.Leave, t.Roll, t.Choose, t.Pick, t.Sealed, t.Offer, t.New, t.Remove)


def _is_noticed(body: t.Block | None, sources: tuple[t.Expr, ...] = ()) -> bool:
    """Whether players certainly notice an effect. `sources` are the sources of the chosen things."""
    within = {place for source in sources for place in _places(source)}
    return _shows(body, within, set())


def _shows(body: t.Block | None, within: set[t.Place], met: set[t.Event]) -> bool:
    return any(_is_shown(node, within, met) for node in (body.statements if body is not None else ()))


def _is_shown(node: t.Statement, within: set[t.Place], met: set[t.Event]) -> bool:
    match node:
        case t.Store(column=column):
            return not column.hidden
        case t.Move(place=place):
            return place not in within or not place.hidden
        case t.Pay(pools=pools):
            return any(not pool.column.hidden for pool in pools)
        case t.Show(to=to):
            return isinstance(to, t.All)
        case t.Together(body=inner):
            return _shows(inner, within, met)
        case t.Perform(event=event) if event not in met:
            met.add(event)
            return _shows(event.body, within, met)
    return isinstance(node, _NOTICED)


def _places(source: t.Expr) -> tuple[t.Place, ...]:
    match source:
        case t.Content(place=place) | t.Family(place=place):
            return (place,)
        case t.Arithmetic(left=left, right=right):
            return (*_places(left), *_places(right))
    return ()
