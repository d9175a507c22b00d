"""Table -> plain text: what `print(state)` shows."""

from __future__ import annotations

from ruleforge.engine.table.drawing import Picture, Rows, drawn
from ruleforge.engine.table.marks import Mark
from ruleforge.engine.table.seen import Table


def text(table: Table) -> str:
    """The drawing, then who is asked what, or how the game ended."""
    blocks = [_picture(part) if isinstance(part, Picture) else _rows(part) for part in drawn(table)]
    if table.outcome is not None:
        blocks.append(str(table.outcome))
    elif table.decision is not None:
        blocks.append(f"{table.decision.player}: {table.decision.prompt or 'decides'}")
    return "\n\n".join(blocks)


def _picture(picture: Picture) -> str:
    return "\n".join("".join(mark.text for mark in line).rstrip() for line in picture.lines)


def _rows(part: Rows) -> str:
    heads = (tuple(Mark(head) for head in part.heads),) if part.heads else ()
    lines = (*heads, *part.rows)
    widths = [max(len(line[n].text) for line in lines) for n in range(len(lines[0]))]
    return "\n".join(
        "  ".join(mark.text.ljust(width) for mark, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
