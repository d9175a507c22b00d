"""`visible_effects` lists the parts of an effect with visible results: questions, conditions and amounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ruleforge.analysis.effects.summary import ME, EffectSummary
from ruleforge.analysis.effects.values import Known, same
from ruleforge.analysis.infoflow.disclosure import Opened, opened_by, shows_itself
from ruleforge.contracts.trial import Trial
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import parts, phases_of
from ruleforge.support.records import dataclass

Mine = frozenset[t.Variable]


@dataclass(frozen=True, slots=True)
class VisibleEffect:
    """A part of a pack with a visible result, and the players known to see it.

    Information that is hidden only for a time may be open when an effect runs. `always` restricts the check
    to information that stays hidden.
    """

    what: t.Expr | t.Binder
    mine: Mine
    chooser: t.Expr | None = None
    always: bool = False
    asks: bool = False
    about: frozenset[t.Variable] = frozenset()  # what a modifier is asked about: who asks knows where it lies

    def is_viewer(self, player: t.Expr) -> bool:
        if self.chooser is not None:
            return same(player, self.chooser) or (
                is_one_of(self.chooser, self.mine) and self._is_mine(player)
            )
        return self._is_mine(player)

    def _is_mine(self, player: t.Expr) -> bool:
        return is_one_of(player, self.mine)


def visible_effects(trial: Trial, effect: EffectSummary) -> Iterator[tuple[VisibleEffect, Opened]]:
    """Each with what lies in the open by then."""
    return _Effects(trial, effect).all()


class _Effects:
    """Goes through the effects of an effect, and through those of events of packs that they call."""

    def __init__(self, trial: Trial, effect: EffectSummary) -> None:
        self.trial, self.effect = trial, effect
        self._entered: set[t.Event] = set()

    def all(self) -> Iterator[tuple[VisibleEffect, Opened]]:
        effect, rule, action, none = self.effect, self.effect.rule, self.effect.action, Opened()
        mine = frozenset(
            v for v, known in effect.environment.items() if isinstance(known, Known) and known.who == ME
        )
        if action is not None:
            yield from ((VisibleEffect(_single(binder), mine, asks=True), none) for binder in action.binders)
            yield from ((VisibleEffect(need, mine, asks=True), none) for need in action.needs)
        if rule is not None:
            modifies = rule.form == "modify" and rule.pattern is not None
            about = frozenset(rule.pattern.parameters) if modifies and rule.pattern else frozenset()
            for test in (*effect.conditions, *((rule.amount,) if rule.amount is not None else ())):
                yield VisibleEffect(test, mine, always=True, about=about), none
                if modifies:  # it is asked at all times
                    yield VisibleEffect(test, mine | {*effect.subjects[:1]}, about=about), none
        for block, more in _blocks(self.trial, effect):
            yield from self._block(block, mine | more, none)

    def _block(self, block: t.Block, mine: Mine, opened: Opened) -> Iterator[tuple[VisibleEffect, Opened]]:
        opened |= opened_by(block.statements)
        for node in block.statements:
            yield from ((sink, opened) for sink in self._of(node, mine))
            for part in parts(node):
                if isinstance(part, t.Block):
                    yield from self._block(part, mine, opened)
            if isinstance(node, t.Perform) and node.event.body is not None:
                yield from self._called(node, node.event.body, mine, opened)

    def _called(
        self, node: t.Perform, body: t.Block, mine: Mine, opened: Opened
    ) -> Iterator[tuple[VisibleEffect, Opened]]:
        if node.event not in self._entered and self.trial.owner(node.event.span):
            self._entered.add(node.event)
            pairs = zip(node.event.parameters, node.arguments, strict=False)
            own = frozenset(p for p, value in pairs if is_one_of(value, mine))
            yield from self._block(body, mine | own, opened)

    def _of(self, node: t.Statement, mine: Mine) -> Iterator[VisibleEffect]:
        """The deciding parts of a statement whose result others see.

        The things found in a place are themselves a question of moves.
        """
        match node:
            case t.Choose(who=who, binders=binders):
                yield from (VisibleEffect(_single(binder), mine, who, asks=True) for binder in binders)
            case t.Pick(who=who, options=options):
                yield from (
                    VisibleEffect(test, mine, who, asks=True) for _, test, _ in options if test is not None
                )
            case t.Sealed(each=each, binders=binders):
                who = t.Use(each.span, each.variable.type, each.variable)
                yield from (VisibleEffect(_single(binder), mine, who, asks=True) for binder in binders)
            case t.For(binder=binder):
                yield VisibleEffect(binder, mine, always=True)
            case t.Perform(event=event, arguments=arguments):
                pairs = zip(event.parameters, arguments, strict=False)
                arguments_shown = (
                    a for p, a in pairs if not isinstance(a, t.Use) and not shows_itself(event, p)
                )
                yield from (VisibleEffect(argument, mine, always=True) for argument in arguments_shown)
            case _:
                yield from (VisibleEffect(value, mine, always=True) for value in DECIDING[type(node)](node))


def _nothing(node: t.Statement) -> Iterable[t.Expr]:
    return ()


ASKING = (t.Choose, t.Pick, t.Sealed, t.For, t.Perform)  # statements with a case of their own
# The arguments that decide about the others.
DECIDING: dict[type[t.Statement], Callable[..., Iterable[t.Expr]]] = {
    t.Assign: _nothing,
    t.Store: lambda node: (node.value,),
    t.Overwrite: _nothing,
    t.Roll: lambda node: (node.low, node.high),
    t.RandomPick: _nothing,
    t.Move: _nothing,
    t.Shuffle: _nothing,
    t.Finish: lambda node: (node.winners,) if node.winners is not None else (),
    t.Return: _nothing,
    t.Remember: _nothing,
    t.Forget: _nothing,
    t.Leave: _nothing,
    t.If: lambda node: (test for test, _ in node.branches),
    t.Repeat: lambda node: (node.times, *((node.condition,) if node.condition is not None else ())),
    t.Together: _nothing,
    t.Pay: lambda node: (node.amount,),
    t.Proceed: lambda node: (value for value in node.arguments if not isinstance(value, t.Use)),
    t.New: lambda node: (value for _, value in node.given if not isinstance(value, t.Use)),
    t.Remove: _nothing,
    t.Show: _nothing,
    t.Tell: _nothing,
    t.Offer: lambda node: (value for value in node.arguments if not isinstance(value, t.Use)),
}


def _blocks(trial: Trial, effect: EffectSummary) -> Iterator[tuple[t.Block, Mine]]:
    """The blocks of an effect, each with its acting players."""
    found: list[t.Block | None] = [*effect.blocks]
    mine: Mine = frozenset()
    if effect.form in ("fill", "event"):
        found = [trial.rules.events[effect.name].body]
    elif effect.form == "step":
        for phase in (phase for phase in phases_of(trial.rules.flow) if phase.name == effect.name):
            found += [phase.body, phase.stuck, phase.end]
            mine = frozenset([phase.me]) if phase.me is not None else mine
    yield from ((block, mine) for block in found if block is not None)


def is_one_of(node: t.Expr, variables: Iterable[t.Variable]) -> bool:
    return isinstance(node, t.Use) and node.variable in variables


def _single(binder: t.Binder | t.Several) -> t.Binder:
    return binder.binder if isinstance(binder, t.Several) else binder
