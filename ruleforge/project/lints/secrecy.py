"""Warnings about hidden information that questions and profiles reveal.

- RF709: a question that is asked openly. RF710: an optional rule that only hidden things decide about.
- RF713: a profile that reads what the player of its seat does not see.
- RF716: a private attribute decides whether a player is asked, or which player.
- RF717: a choice of things by what is printed on them, wherever they lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ruleforge.analysis.effects.values import same
from ruleforge.analysis.infoflow.flow import InfoFlow
from ruleforge.analysis.infoflow.labels import Labels
from ruleforge.analysis.infoflow.questions import Questions
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, nodes, phases
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.records import dataclass


def lint_secrecy(rules: t.Checked, report: Report) -> None:
    """Report all of these warnings."""
    wanted = t.Choose | t.Pick | t.If | t.For | t.Repeat
    statements = [node for node in nodes(rules) if isinstance(node, wanted)]
    flow = InfoFlow(rules)
    _lint_questions(flow, statements, report)
    _lint_hidden_decider(flow, statements, report)
    _lint_printed_choices(flow, statements, report)
    _lint_profiles(flow, report)


# --- RF709, RF710 ---


def _lint_questions(flow: InfoFlow, statements: Sequence[t.Statement], report: Report) -> None:
    rules, questions = flow.rules, Questions(flow)
    for node in statements:
        match node:
            case t.Choose(openly=True, binders=binders):
                _warn_needless_openly(questions.decided_in_secret(binders), node.span, report)
            case t.Pick(openly=True, options=options):
                hidden = any(test and questions.is_secret(test) for _, test, _ in options)
                _warn_needless_openly(hidden, node.span, report)
    for occasion in _occasions(rules):
        if occasion.openly:
            word = f"ask: {occasion.ask}" if occasion.ask else "openly"
            _warn_needless_openly(_may_hide(rules, questions, occasion), occasion.span, report, word)
    for rule in rules.rules:
        binders = (rule.binder,) if rule.binder is not None else ()
        if rule.may and questions.decided_in_secret(binders, rule.conditions):
            report.add(
                "RF710",
                f"the question about `{rule.name}` reveals hidden information",
                rule.span,
                help="offer a window with an action instead: it always opens",
            )


def _occasions(rules: t.Checked) -> list[t.Phase | t.Window]:
    return [*phases(rules), *rules.windows.values()]


def _may_hide(rules: t.Checked, questions: Questions, occasion: t.Phase | t.Window) -> bool:
    """Whether hidden information decides if there is something to do."""
    actions = rules.actions.values()
    return any(_is_offered_in_secret(questions, a) for a in actions if occasion.name in a.during)


@dataclass(frozen=True, slots=True)
class UnconditionalQuestion:
    """A question without `openly` that depends on hidden things: its place and its first word."""

    span: Span
    word: str = ""  # of a phase or window there is none


def unconditional_questions(rules: t.Checked) -> tuple[UnconditionalQuestion, ...]:
    """The questions for which `openly` would change when they are asked."""
    questions, found = Questions(InfoFlow(rules)), []
    for node in nodes(rules):
        match node:
            case t.Choose(openly=False, binders=binders) if questions.decided_in_secret(binders):
                found.append(UnconditionalQuestion(node.span, "choose" if node.optional else "chooses"))
            case t.Pick(openly=False, options=options):
                if any(test and questions.is_secret(test) for _, test, _ in options):
                    found.append(UnconditionalQuestion(node.span, "picks"))
    for occasion in _occasions(rules):
        if not occasion.openly and _may_hide(rules, questions, occasion):
            found.append(UnconditionalQuestion(occasion.span))
    return tuple(sorted(found, key=lambda question: question.span))


def _warn_needless_openly(hidden: bool, span: Span, report: Report, word: str = "openly") -> None:
    if hidden:
        message = f"with `{word}` other players learn whether there is a choice among things they cannot see"
        report.add("RF709", message, span, help=f"without `{word}` the question is always asked")
    else:
        report.add("RF709", f"`{word}` changes nothing: this question depends on nothing hidden", span)


def _is_offered_in_secret(questions: Questions, action: t.Action) -> bool:
    return questions.decided_in_secret(action.binders, action.conditions) or (
        action.cost is not None and questions.reads_secrets(action.cost)
    )


# --- RF713 ---


def _lint_profiles(flow: InfoFlow, report: Report) -> None:
    for profile in flow.rules.profiles.values():
        for weight in profile.weights:
            # what is chosen weighs nothing where it is offered by its place
            labels = (label for label in flow.labels(weight.value) if label.via not in weight.parameters)
            found = flow.unknown_to(weight.me, labels)
            if found:
                report.add(
                    "RF713",
                    f"`{profile.name}` weighs `{weight.action.name}` by a value that its player cannot see",
                    weight.value.span,
                    help="use open values, or things in places of `me`",
                    notes=(("it is hidden here", min(label.span for label in found)),),
                )


# --- RF716 ---

_ASK_ALL = "ask every player it could concern; let the answers of the others have no effect"


def _lint_hidden_decider(flow: InfoFlow, statements: Sequence[t.Statement], report: Report) -> None:
    """Things in hidden places do not count: most of them were revealed just before the question."""
    found: dict[Span, str] = {}
    for node in statements:
        for question in _secret_questions(flow, node):
            found.setdefault(question.span, "this question reveals hidden information to other players")
    for phase in phases(flow.rules):
        each = (phase.each.source, phase.each.where) if phase.each else ()
        if phase.window and _reads_attributes(flow, flow.labels(phase.when, phase.repeat, *each)):
            found[phase.span] = (
                f"the turn order of `{phase.name}` reveals hidden information to other players"
            )
    for span, message in found.items():
        report.add("RF716", message, span, _ASK_ALL)


def _secret_questions(flow: InfoFlow, node: t.Statement) -> Iterator[t.Choose | t.Pick]:
    match node:
        case t.Choose(who=who) | t.Pick(who=who):
            if _reads_attributes(flow, flow.labels(who)):
                yield node
        case t.If() | t.For() | t.Repeat():
            if _reads_attributes(flow, flow.reader.deciding(node)):
                yield from (inner for inner in all_nodes(node) if isinstance(inner, t.Choose | t.Pick))


def _reads_attributes(flow: InfoFlow, labels: Labels) -> bool:
    """Whether a test directly reads an attribute that only some players see."""
    return any(isinstance(label.what, t.Column) for label in flow.foreseeable(labels))


# --- RF717 ---


def _lint_printed_choices(flow: InfoFlow, statements: Sequence[t.Statement], report: Report) -> None:
    """Hidden things are offered by their places, so the offered places reveal the things in them.

    A player may choose from one place after the rules have shown it.
    """
    shows = (node for node in nodes(flow.rules) if isinstance(node, t.Show) and not isinstance(node, t.Tell))
    shown = {label.what for show in shows for label in flow.lying(show.what)}
    for who, binder in _chosen(flow.rules, statements):
        tests = [node for test in _tests(binder) for node in all_nodes(test)]
        if not any(map(_is_printed, tests)) or any(map(_asks_where, tests)):
            continue
        source = _whole(binder.source)
        lying = flow.hidden_from(partial(same, who), flow.lying(source))
        everywhere = isinstance(source, t.All | t.Family)
        if any(everywhere or label.what not in shown for label in lying):
            name = binder.variable.name
            report.add(
                "RF717",
                f"`{name}` may lie where the player cannot see it, and the list of choices reveals it",
                binder.span,
                help="limit the choice to a place; "
                f"to let players name {binder.variable.type}, let them choose from a kind of names",
            )


def _chosen(rules: t.Checked, statements: Sequence[t.Statement]) -> Iterator[tuple[t.Expr, t.Binder]]:
    """The binders of all choices, each with the player who chooses."""
    for action in rules.actions.values():
        me = t.Use(action.span, action.me.type, action.me)
        yield from ((me, _binder(choice)) for choice in action.binders)
    for node in statements:
        if isinstance(node, t.Choose):
            yield from ((node.who, _binder(choice)) for choice in node.binders)


def _binder(choice: t.Binder | t.Several) -> t.Binder:
    return choice.binder if isinstance(choice, t.Several) else choice


def _whole(source: t.Expr) -> t.Expr:
    """The source of the members of a selection."""
    return _whole(source.binder.source) if isinstance(source, t.Selection) else source


def _tests(binder: t.Binder) -> Iterator[t.Expr]:
    yield from (test for test in (binder.where, binder.until) if test is not None)
    if isinstance(binder.source, t.Selection):
        yield from _tests(binder.source.binder)


def _is_printed(node: object) -> bool:
    return isinstance(node, t.Read) and node.column.constant


def _asks_where(node: object) -> bool:
    """A formula may ask for it, too."""
    return isinstance(node, t.Whereabouts | t.Content | t.Family | t.CallFormula)
