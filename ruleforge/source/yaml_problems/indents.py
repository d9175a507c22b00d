"""Lines that are indented too deep or too little, and items of lists without their dash -> answers."""

from __future__ import annotations

from ruleforge.source.mending import Change, aligned, filled_above, indent_of, inserted, is_item_below
from ruleforge.source.yaml_problems.said import KEY, KEY_AND_VALUE, Answer, Said


def too_deep(p: Said) -> Answer | None:
    """A key that is indented deeper than the one above, which has a value already."""
    found, above = KEY.match(p.before), filled_above(p.lines, p.at[0])
    if found is None or above is None or KEY_AND_VALUE.match(p.lines[above]) is None:
        return None
    depth = indent_of(p.lines[above])
    if indent_of(p.line) <= depth:
        return None
    if is_item_below(p.lines, p.at[0], depth):
        return _lost_dash(p, above, inserted(above, depth, "- "))
    message = f"`{found['key']}` is indented deeper than the line above, which has its value already"
    place = (p.at[0], found.start("key"))
    return Answer(message, place, "align it with the line above", aligned(p.lines, p.at[0]))


def too_shallow(p: Said) -> Answer | None:
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


def item_among_keys(p: Said) -> Answer | None:
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


def _lost_dash(p: Said, row: int, change: Change) -> Answer:
    message = "this is the first item of a list, and has no `- `"
    return Answer(message, (row, indent_of(p.lines[row])), "begin every item of the list with `- `", change)


def indent(p: Said) -> Answer:
    message = "this line does not fit the indentation around it"
    help = "keys of one mapping begin in the same column; texts under `|` are indented alike"
    change = aligned(p.lines, p.at[0], nearest=True) if not p.before.strip() else None
    return Answer(message, p.at, help, change)


def item(p: Said) -> Answer:
    return Answer("a list item cannot begin here", p.at, "begin the list on the next line, or write `[a, b]`")
