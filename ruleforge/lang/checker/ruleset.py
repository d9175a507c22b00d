"""Checks a whole ruleset: turns the model and its trees into `Checked`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.bodies import Bodies
from ruleforge.lang.checker.can_act import Acting
from ruleforge.lang.checker.declare import Declarations
from ruleforge.lang.checker.layout_check import Looks
from ruleforge.lang.checker.names import names_of
from ruleforge.lang.checker.printed import Printed, print_fixed
from ruleforge.lang.checker.profiles import Profiles
from ruleforge.lang.checker.rules import Bearer, Rules
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.sentences import Hints, LogSentences, price_of
from ruleforge.lang.checker.shown_parts import columns_for
from ruleforge.lang.checker.statements.checker import Statements
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.typed.own_columns import KNOWN
from ruleforge.lang.checker.types import FLAG, NumberT, SetT, ThingT
from ruleforge.lang.checker.walk import names_of_questions
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.appearance import Appearance
from ruleforge.lang.model.words import Words, titles_of, words_of
from ruleforge.lang.parser.parsed import Parsed
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.ceilings import CEILINGS, Ceilings
from ruleforge.support.diagnostics import NOWHERE, Report

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D", bound=m.Named)


def check(
    ruleset: m.Ruleset, parsed: Parsed, report: Report, digest: str = "", ceilings: Ceilings = CEILINGS
) -> t.Checked:
    """Resolve and type everything; the product is only meant to be played if the report has no error."""
    return _Checker(ruleset, parsed, report, ceilings).run(digest)


class _Played(NamedTuple):
    """The checked effects and their visibility."""

    seen: dict[t.Column | t.Place, t.Visibility]
    starts: dict[t.Place, t.Starting]
    lasts: dict[t.Kind, t.Pattern]
    watches: dict[t.Ending, t.Watch]
    rules: tuple[t.Rule, ...]
    actions: tuple[t.Action, ...]
    setup: t.Block | None
    flow: tuple[t.Phase, ...]


class _Judged(NamedTuple):
    """The checked invariants, scores, standings and profiles."""

    checks: tuple[t.Check, ...]
    invariants: tuple[t.Invariant, ...]
    score: tuple[t.Variable, t.Expr] | None
    heuristic: tuple[t.Variable, t.Expr] | None
    profiles: dict[str, t.Profile]


class _LogTemplates(NamedTuple):
    """The checked layout and sentences."""

    look: Appearance
    tells: dict[str, t.LogTemplate]
    titles: dict[str, str]
    hints: dict[str, t.Hint]


class _Checker:
    """Runs the checks in order: names and heads, bodies, then dependent definitions."""

    def __init__(self, ruleset: m.Ruleset, parsed: Parsed, report: Report, ceilings: Ceilings) -> None:
        self.ruleset, self.parsed, self.ceilings = ruleset, parsed, ceilings
        self.symbols = Symbols(report, parsed, ruleset.error_nodes, ceilings=ceilings)
        self.declarations = Declarations(ruleset, self.symbols)
        self.expressions = self.declarations.expressions
        self.statements = Statements(self.expressions)
        self.rules = Rules(self.statements)
        self.acting = Acting(self.rules, self.declarations.seeing)

    def run(self, digest: str) -> t.Checked:
        self._define()
        played = self._played()
        self._shown_to_players()
        columns_for(self.symbols, played.seen)
        judged = self._judged(played)
        templates = self._log_templates(played)
        self.symbols.tell_unknown()
        return self._checked(digest, played, judged, templates)

    def _define(self) -> None:
        """Everything has a name, and events and formulas have bodies; all else may speak of them."""
        self.declarations.declare()
        self.acting.phase_names(self.ruleset.flow)
        for bearer, _, printed in self._bearers():
            self.acting.action_names(bearer.prefix, printed)
        Bodies(self.ruleset, self.declarations, self.statements).define()

    def _played(self) -> _Played:
        seeing = self.declarations.seeing
        seen, starts = seeing.visibility(), seeing.starts()
        seeing.conduct()
        lasts, watches = self._lasts(), self._watches()
        rules, actions = self._printed()
        setup = self._setup()
        flow = tuple(self.acting.phase(phase, Scope()) for phase in self.ruleset.flow)
        return _Played(seen, starts, lasts, watches, rules, actions, setup, flow)

    def _judged(self, played: _Played) -> _Judged:
        return _Judged(
            checks=self._checks(Printed((*played.rules, *played.actions), self.symbols.columns)),
            invariants=self._invariants(),
            score=self._of_player(self.ruleset.scores, "a score"),
            heuristic=self._of_player(self.ruleset.heuristic, "the standing of a player"),
            profiles=Profiles(self.acting).of(self._whole(self.ruleset.profiles), played.actions),
        )

    def _log_templates(self, played: _Played) -> _LogTemplates:
        names = partial(names_of_questions, self.symbols.events, played.actions, played.rules, played.flow)
        look, tells = Looks(self.symbols).look(self.ruleset.layout, names), self._tells(played.actions)
        titles = {} if self.symbols.room.passed else titles_of(self.ruleset)
        titles |= {thing: sign[0] for thing, sign in look.signs().items()}
        return _LogTemplates(look, tells, titles, self._hints(played.actions, titles))

    def _checked(self, digest: str, played: _Played, judged: _Judged, templates: _LogTemplates) -> t.Checked:
        ruleset, symbols = self.ruleset, self.symbols
        return t.Checked(
            name=ruleset.id,
            title=ruleset.title,
            version=ruleset.version,
            text=ruleset.text,
            players=ruleset.players,
            digest=digest,
            limits=_frozen(dict(ruleset.limits)),
            kinds=_frozen(symbols.kinds),
            columns=_frozen(symbols.columns),
            places=_frozen(symbols.places),
            formulas=_frozen(symbols.formulas),
            events=_frozen(symbols.events),
            actions=_frozen({action.name: action for action in played.actions}),
            endings=_frozen(symbols.endings),
            options=_frozen(symbols.options),
            geometry=_frozen(symbols.geometry),
            keywords=_frozen(symbols.keywords),
            windows=_frozen(symbols.windows),
            positions=_frozen(symbols.positions),
            sight=_frozen(played.seen),
            starts=_frozen(played.starts),
            conduct=_frozen(symbols.conduct),
            lasts=_frozen(played.lasts),
            watches=_frozen(played.watches),
            rules=played.rules,
            invariants=judged.invariants,
            checks=judged.checks,
            profiles=_frozen(judged.profiles),
            setup=played.setup,
            flow=played.flow,
            score=judged.score,
            heuristic=judged.heuristic,
            files=ruleset.files,
            words=_frozen({} if symbols.room.passed else self._words()),
            titles=_frozen(templates.titles),
            look=templates.look,
            tells=_frozen(templates.tells),
            hints=_frozen(templates.hints),
            numbers=_frozen(symbols.numbers),
            names=names_of(ruleset, symbols.uses, {kind.name: kind.size for kind in symbols.kinds.values()}),
            ceilings=self.ceilings,
        )

    def _words(self) -> Words:
        columns = self.symbols.columns.items()
        return words_of(self.ruleset, {of: column.paths for of, column in columns if column.constant})

    # --- what is printed, in the order in which it is written ---

    def _printed(self) -> tuple[tuple[t.Rule, ...], tuple[t.Action, ...]]:
        rules: list[t.Rule] = []
        actions: list[t.Action] = []
        for bearer, more_rules, more_actions in self._bearers():
            found = (self.rules.rule(source, bearer) for source in self._whole(more_rules))
            rules += [rule for rule in found if rule is not None]
            actions += [self.acting.action(action, bearer) for action in self._whole(more_actions)]
        columns = self.symbols.columns
        return print_fixed(rules, rules, columns), print_fixed(actions, rules, columns)

    def _tells(self, actions: tuple[t.Action, ...]) -> dict[str, t.LogTemplate]:
        sentences = LogSentences(self.acting.expressions)
        found: dict[str, t.LogTemplate] = {}
        for source in self._whole(self.ruleset.events):
            event = self.symbols.events.get(source.id)
            if event is not None and source.tells is not None:
                found[f"event {event.name}"] = sentences.event(event, source.tells)
        for action, field_texts in self._written(actions):
            if field_texts.tells is not None:
                found[f"action {action.name}"] = sentences.action(action, field_texts.tells)
        return found

    def _hints(self, actions: tuple[t.Action, ...], titles: Mapping[str, str]) -> dict[str, t.Hint]:
        hints = Hints(self.acting.expressions)
        found: dict[str, t.Hint] = {}
        for action, source in self._written(actions):
            hint = price_of(action, titles)
            if source.hint is not None:
                hint = hints.hint(source.hint, self.acting.scopes[action.name])
            if hint is not None:
                found[action.name] = hint
        return found

    def _written(self, actions: tuple[t.Action, ...]) -> Iterator[tuple[t.Action, m.Action]]:
        """Every action with what is written of it."""
        typed = {action.name: action for action in actions}
        for bearer, _, sources in self._bearers():
            for source in self._whole(sources):
                action = typed.get(f"{bearer.prefix}{source.id}")
                if action is not None:
                    yield action, source

    def _bearers(self) -> list[tuple[Bearer, tuple[m.Rule, ...], tuple[m.Action, ...]]]:
        """Everything that carries rules and actions."""
        symbols, found = self.symbols, [(Bearer(), self.ruleset.rules, self.ruleset.actions)]
        for source in self.ruleset.kinds:
            kind = symbols.kinds.get(source.id)
            if kind is None:
                continue
            found.append((Bearer(kind, prefix=f"{source.id}."), source.rules, source.actions))
            number = 1
            for thing in symbols.room.made(source):
                ids = tuple(range(number, number + thing.copies))
                found.append((Bearer(kind, ids, prefix=f"{thing.id}."), thing.rules, thing.actions))
                number += thing.copies
        for keyword in self.ruleset.keywords:
            typed = self.symbols.keywords.get(keyword.id)
            if typed is not None:
                bearer = Bearer(typed.kind, None, typed, f"{keyword.id}.")
                found.append((bearer, keyword.rules, keyword.actions))
        return found

    def _whole(self, definitions: tuple[D, ...]) -> list[D]:
        """Those that could be read whole; what of the others is left may mean something else."""
        return [d for d in definitions if not self.symbols.error_nodes.damage(d.span)]

    # --- moments: when things of a pool go, and when endings are looked for ---

    def _lasts(self) -> dict[t.Kind, t.Pattern]:
        patterns = {source.id: self._moment(source.lasts) for source in self.ruleset.kinds}
        kinds = self.symbols.kinds
        return {kinds[name]: found for name, found in patterns.items() if found and name in kinds}

    def _watches(self) -> dict[t.Ending, t.Watch]:
        found = {}
        for ending in self._whole(self.ruleset.endings):
            at = self._moment(ending.at)
            when = self.acting.condition(ending.when, Scope())
            winners = self._winners(ending.winners)
            if when is not None:
                found[self.symbols.endings[ending.id]] = t.Watch(when, winners, at)
        return found

    def _moment(self, text: SourceText | None) -> t.Pattern | None:
        node = self.parsed.pattern(text) if text else None
        found = self.rules.patterns.pattern(node, Scope()) if node is not None else None
        return found[0] if found else None

    def _winners(self, text: SourceText | None) -> t.Expr | None:
        node = self.parsed.expr(text) if text else None
        if node is None:
            return None
        return self.expressions.players(node, Scope(), "winners are players")

    # --- the rest ---

    def _invariants(self) -> tuple[t.Invariant, ...]:
        found = []
        for source in self._whole(self.ruleset.invariants):
            test = self.acting.condition(source.that, Scope())
            if test is not None:
                found.append(t.Invariant(source.id, test, source.text or "", source.span, source.cites))
        return tuple(found)

    def _checks(self, printed: Printed) -> tuple[t.Check, ...]:
        found = []
        for source in self._whole(self.ruleset.checks):
            binder, scope = self.acting.each(source.each, Scope(functions=printed.functions()))
            test = self.acting.condition(source.that, scope)
            if test is None:
                continue
            if binder is not None and isinstance(binder.variable.type, NumberT):
                test, binder = t.Aggregate(test.span, FLAG, "all", binder, test), None
            words = (source.text or "", source.span, source.cites)
            found.append(t.Check(source.id, binder, test, *words, source.warn))
        return tuple(found)

    def _setup(self) -> t.Block | None:
        """The set-up of the game, then that of each pack, as one block."""
        blocks = [block for text in self.ruleset.setup if (block := self.acting.block(text, Scope()))]
        if not blocks:
            return None
        return t.Block(blocks[0].span, tuple(s for block in blocks for s in block.statements))

    def _of_player(self, text: SourceText | None, what: str) -> tuple[t.Variable, t.Expr] | None:
        """A number for each player `p`."""
        node = self.parsed.expr(text) if text else None
        if node is None:
            return None
        player = t.Variable("p", ThingT("player"), NOWHERE)
        return player, self.expressions.wanted(node, Scope().bind(player), NumberT(0, 0), what)

    def _shown_to_players(self) -> None:
        """Add an attribute to each kind that effects show: it stores the players who saw the thing."""
        nobody = t.Constant(NOWHERE, SetT("player"), 0)
        for shown in sorted(self.symbols.shown):
            kind = self.symbols.kinds[shown]
            self.symbols.columns[shown, KNOWN] = t.Column(
                KNOWN, kind, SetT("player"), kind.span, start=nobody
            )


def _frozen(table: dict[K, V]) -> Mapping[K, V]:
    return MappingProxyType(table)
