"""Answers for wrong indentation and list items without a dash."""

from __future__ import annotations

from ruleforge.lang.source.repairs import (
    Change,
    aligned,
    filled_above,
    indent_of,
    inserted,
    is_item_below,
    says_something,
)
from ruleforge.lang.source.yaml_problems.answer import KEY, KEY_AND_VALUE, Answer, ParserMessage


def too_deep(p: ParserMessage) -> Answer | None:
    """A key that is indented deeper than the one above, which has a value already."""
    found, above = KEY.match(p.before), filled_above(p.lines, p.at[0])
    if found is None or above is None or KEY_AND_VALUE.match(p.lines[above]) is None:
        return None
    depth = indent_of(p.lines[above])
    if indent_of(p.line) <= depth:
        return None
    if (beside := _less_deep(p, above)) is not None:
        return beside
    if is_item_below(p.lines, p.at[0], depth):
        return _lost_dash(p, above, inserted(above, depth, "- "))
    message = f"`{found['key']}` is indented deeper than the line above, which has its value already"
    place = (p.at[0], found.start("key"))
    return Answer(message, place, "align it with the line above", aligned(p.lines, p.at[0]))


def _less_deep(p: ParserMessage, above: int) -> Answer | None:
    """Is it the line above that is wrong, which is less deep than the lines before and behind it?"""
    second, own, depth = filled_above(p.lines, above), indent_of(p.line), indent_of(p.lines[above])
    if second is None or p.lines[above].lstrip().startswith("- "):
        return None
    opens = p.lines[second].rstrip().endswith(":") and indent_of(p.lines[second]) == depth
    if indent_of(p.lines[second]) != own and not opens:
        return None
    name = p.lines[above].partition(":")[0].strip()
    message = f"`{name}` is indented less than the keys beside it"
    return Answer(
        message, (above, depth), "indent it as deep as they are", Change(above, 0, depth, " " * own)
    )


def too_shallow(p: ParserMessage) -> Answer | None:
    """A line that was meant to belong to the text under the `|` above it."""
    row = (p.began or p.at)[0]
    above = filled_above(p.lines, row)
    if above is None or indent_of(p.lines[above]) <= indent_of(p.line_at(row)):
        return None
    opener = above
    while opener > 0 and indent_of(p.lines[opener]) >= indent_of(p.lines[above]):
        opener -= 1
    if not p.lines[opener].rstrip().endswith(("|", ">")):
        return None
    message = "this line is indented less than the text above, and is no `key: value`"
    place = (row, indent_of(p.line_at(row)))
    return Answer(message, place, "indent it as the line above", aligned(p.lines, row))


def item_among_keys(p: ParserMessage) -> Answer | None:
    """A list whose first item has no dash, and so is read as something else."""
    if not p.line.lstrip().startswith("- ") or p.before.strip():
        return None
    depth, first = indent_of(p.line), None
    row = filled_above(p.lines, p.at[0])
    while row is not None and indent_of(p.lines[row]) > depth:
        first, row = row, filled_above(p.lines, row)
    if first is not None and indent_of(p.lines[first]) == depth + 2:
        return _lost_dash(p, first, Change(first, depth, depth + 2, "- "))
    message = "a list item cannot stand among `key: value` lines"
    return Answer(message, p.at, "begin every item of the list with `- `, the first one too")


def dash_before_a_key(p: ParserMessage) -> Answer | None:
    """A list that goes on as `key: value` lines: its dash is one too many, or theirs are missing."""
    began = p.began[0] if p.began is not None else p.at[0]
    first, depth = p.line_at(began), indent_of(p.line)
    if p.before.strip() or p.line.lstrip().startswith("- ") or not KEY_AND_VALUE.match(p.line):
        return None
    if indent_of(first) != depth or not first.lstrip().startswith("- "):
        return None
    items = [r for r in range(began, p.at[0]) if p.lines[r].startswith(f"{' ' * depth}- ")]
    change = Change(began, depth, depth + 2, "") if len(items) == 1 else None
    message = "a list begins here, and goes on as `key: value` lines"
    return Answer(message, (began, depth), "delete `- `, or begin every line of the list with it", change)


def head_too_deep(p: ParserMessage) -> Answer | None:
    """The first definition of a section, as deep as what belongs to it: the next one is then not deep enough."""
    depth, opener = indent_of(p.line), filled_above(p.lines, p.at[0])
    while opener is not None and indent_of(p.lines[opener]) >= depth:
        opener = filled_above(p.lines, opener)
    below = [r for r in range((opener or 0) + 1, p.at[0]) if says_something(p.lines[r])]
    if opener is None or len(below) < 2 or p.before.strip() or not p.line.rstrip().endswith(":"):
        return None
    head, own = below[0], indent_of(p.lines[below[0]])
    if own <= depth or not p.lines[head].rstrip().endswith(":") or indent_of(p.lines[below[1]]) != own:
        return None
    name = p.lines[head].strip().removesuffix(":")
    message = f"`{name}` is indented as deep as its contents"
    return Answer(message, (head, own), "indent it less", Change(head, 0, own, " " * depth))


def head_too_shallow(p: ParserMessage) -> Answer | None:
    """A definition that is indented less than those above and below it: the next one does not fit then."""
    depth, head = indent_of(p.line), filled_above(p.lines, p.at[0])
    while head is not None and indent_of(p.lines[head]) > depth:
        head = filled_above(p.lines, head)
    if head is None or p.before.strip() or not p.lines[head].rstrip().endswith(":"):
        return None
    own, beside = indent_of(p.lines[head]), filled_above(p.lines, head)
    while beside is not None and indent_of(p.lines[beside]) > depth:
        beside = filled_above(p.lines, beside)
    if own >= depth or beside is None or indent_of(p.lines[beside]) != depth:
        return None
    name = p.lines[head].strip().removesuffix(":")
    message = f"`{name}` is indented less than the keys beside it"
    return Answer(message, (head, own), "indent it as deep as they are", Change(head, 0, own, " " * depth))


def begins_indented(p: ParserMessage) -> Answer:
    """A file whose first line is indented: what it lay in is gone."""
    first = next((r for r, line in enumerate(p.lines) if says_something(line)), p.at[0])
    if first == p.at[0] or not indent_of(p.lines[first]):
        return Answer("the mapping ended before this line", p.at, "a rule file is one mapping of sections")
    message = "the first line is indented, and nothing is above it"
    help = "write the key that it belongs to above it, or begin it in the first column"
    return Answer(message, (first, indent_of(p.lines[first])), help)


def _lost_dash(p: ParserMessage, row: int, change: Change) -> Answer:
    message = "this is the first item of a list, and has no `- `"
    return Answer(message, (row, indent_of(p.lines[row])), "begin every item of the list with `- `", change)


def indent(p: ParserMessage) -> Answer:
    message = "this line does not fit the indentation around it"
    help = "keys of one mapping begin in the same column; texts under `|` are indented alike"
    change = aligned(p.lines, p.at[0], nearest=True) if not p.before.strip() else None
    return Answer(message, p.at, help, change)


def item(p: ParserMessage) -> Answer:
    return Answer("a list item cannot begin here", p.at, "begin the list on the next line, or write `[a, b]`")
