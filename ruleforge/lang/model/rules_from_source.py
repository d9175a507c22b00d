"""Builds rules and actions from all their places: own sections, kinds, things and keywords."""

from __future__ import annotations

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.log_sentence import sentence_from_source
from ruleforge.lang.model.read_fields import WORDS_FOR_PEOPLE, Fields, Key, filled
from ruleforge.lang.source import Entry, MappingNode, SourceNode
from ruleforge.lang.source.error_nodes import ErrorNodes, start_of
from ruleforge.support.spelling import listed

MANNER = {
    **WORDS_FOR_PEOPLE,
    "during": Key("during", Fields.texts),
    "needs": Key("needs", Fields.texts),
    "joined": Key("joined", Fields.flag),
    "limit": Key("limit", Fields.text),
    "works": Key("works", Fields.text),
    "cost": Key("cost", Fields.text),
    "holds": Key("holds", Fields.texts),
    "sees": Key("sees", Fields.text),
}
ACTION = {
    **MANNER,
    "tells": Key("tells", sentence_from_source),
    "hint": Key("hint", sentence_from_source),
    "manner": Key("manner", Fields.text),
    "choose": Key("choose", Fields.pairs),
    "do": Key("do", Fields.text),
}
# The forms of a rule's trigger; a rule has exactly one of them.
FORMS = {
    "after": Key("after", Fields.text),
    "instead of": Key("instead_of", Fields.text),
    "forbid": Key("forbid", Fields.text),
    "modify": Key("modify", Fields.text),
    "always": Key("always", Fields.text),
}
CHANGES = {
    "add": Key("add", Fields.value),
    "set": Key("set", Fields.value),
    "remove": Key("remove", Fields.value),
}
RULE = {
    **WORDS_FOR_PEOPLE,
    **FORMS,
    **CHANGES,
    "when": Key("when", Fields.text),
    "works": Key("works", Fields.text),
    "before": Key("before", Fields.pairs),
    "may": Key("may", Fields.flag),
    "who": Key("who", Fields.text),
    "limit": Key("limit", Fields.text),
    "cost": Key("cost", Fields.text),
    "do": Key("do", Fields.text),
}
# Beside what everything may have, the keys that mean something in a rule of this form.
_COMMON = frozenset({*WORDS_FOR_PEOPLE, *FORMS, "when", "works"})
_ACTING = frozenset({"may", "who", "limit", "cost", "do"})
_ALLOWED = {
    "after": _ACTING | {"before"},
    "instead of": _ACTING,
    "forbid": frozenset[str](),
    "modify": frozenset(CHANGES),
    "always": _ACTING,
}


def rule_from_source(fields: Fields, entry: Entry) -> m.Rule:
    _check_form(fields, entry)
    return m.Rule(entry.name, entry.key.span, **filled(fields, entry.value, RULE))


def rules_from_source(fields: Fields, node: SourceNode) -> tuple[m.Rule, ...]:
    return tuple(rule_from_source(fields, entry) for entry in fields.entries(node, bare=False))


def action_from_source(fields: Fields, entry: Entry) -> m.Action:
    _check_occasion(fields, entry)
    return m.Action(entry.name, entry.key.span, **filled(fields, entry.value, ACTION))


def _check_occasion(fields: Fields, entry: Entry) -> None:
    """An action says when it is offered, itself or by its manner."""
    if not isinstance(entry.value, MappingNode) or fields.error_nodes.damage(entry.key.span):
        return
    if entry.value.entries and not any(e.name in ("during", "manner") for e in entry.value):
        help = "`during`: the phase or window, or a list of them, in which it is offered"
        first = entry.value.entries[0].key.span
        fields.report.add("RF203", f"`{entry.name}` lacks the key `during`", first, help)
        fields.error_nodes |= ErrorNodes(frozenset({"during"}), frozenset({start_of(entry.key.span)}))


def actions_from_source(fields: Fields, node: SourceNode) -> tuple[m.Action, ...]:
    return tuple(action_from_source(fields, entry) for entry in fields.entries(node, bare=False))


def keyword_from_source(fields: Fields, entry: Entry) -> m.Keyword:
    found = filled(fields, entry.value, KEYWORD)
    if (
        isinstance(entry.value, MappingNode)
        and "text" not in found
        and not fields.error_nodes.damage(entry.key.span)
    ):
        help = "add a `text`; players read it at the table"
        fields.report.add("RF701", f"the keyword `{entry.name}` has no text", entry.key.span, help)
    return m.Keyword(entry.name, entry.key.span, **found)


KEYWORD = {
    **WORDS_FOR_PEOPLE,
    "kind": Key("kind", Fields.text),
    "takes": Key("takes", Fields.pairs),
    "includes": Key("includes", Fields.texts),
    "works": Key("works", Fields.text),
    "rules": Key("rules", rules_from_source),
    "actions": Key("actions", actions_from_source),
}


def _check_form(fields: Fields, entry: Entry) -> None:
    """A rule has exactly one form, and only keys that mean something in it."""
    if not isinstance(entry.value, MappingNode) or fields.error_nodes.damage(entry.key.span):
        return
    given = [e.key for e in entry.value if e.name in FORMS]
    if not given:
        message = f"the rule `{entry.name}` does not say when it applies"
        fields.report.add("RF306", message, entry.key.span, f"give it one of {listed(FORMS)}")
    elif len(given) > 1:
        message = f"the rule `{entry.name}` has both `{given[0].text}` and `{given[1].text}`"
        fields.report.add("RF304", message, given[1].span, "make two rules of it")
    else:
        _check_keys(fields, entry, entry.value, given[0].text)


def _check_keys(fields: Fields, rule: Entry, keys: MappingNode, form: str) -> None:
    allowed = _ALLOWED[form]
    for entry in keys:
        if entry.name in RULE and entry.name not in _COMMON | allowed:
            message = f"`{entry.name}` cannot stand in a rule with `{form}`"
            help = f"possible with it: {listed(sorted(allowed))}" if allowed else f"delete `{entry.name}`"
            fields.report.add("RF304", message, entry.key.span, help)
    changes = [entry.key for entry in keys if entry.name in CHANGES]
    if form == "modify" and not changes:
        message = f"the rule `{rule.name}` does not say how it modifies"
        fields.report.add("RF306", message, rule.key.span, f"give it one of {listed(CHANGES)}")
    if form == "modify" and len(changes) > 1:
        message = f"the rule `{rule.name}` has both `{changes[0].text}` and `{changes[1].text}`"
        fields.report.add("RF304", message, changes[1].span, "make two rules of it")
    if "do" in allowed and not keys.entry("do"):
        message = f"the rule `{rule.name}` lacks the key `do`"
        fields.report.add("RF203", message, keys.entries[0].key.span, "`do`: what happens")
