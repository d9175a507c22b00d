"""Hints for choices and sets with a missing or wrong word."""

from __future__ import annotations

import re

from ruleforge.lang.parser.hints.hint_table import table
from ruleforge.lang.parser.parse_failure import Trouble, span_of, with_space
from ruleforge.lang.parser.syntax_problem import Problem

HINTS, hint = table()


@hint(
    ("block", "choose c in cells: skip"),
    ("block", "chooses c in cells: skip"),
    ("block", "picks:\n  a: skip"),
)
def no_chooser(t: Trouble) -> Problem | None:
    if t.word.type not in ("CHOOSE", "CHOOSES", "MAY", "PICKS") or not (not t.line or t.after("COLON")):
        return None
    form = {"MAY": "me may choose", "PICKS": "me picks"}.get(t.word.type, "me chooses")
    return Problem("RF407", "this does not say who chooses", t.word.span, f"write `{form} ...:`")


@hint(("block", "me choose c in cells: skip"), ("block", "me may chooses c in cells: skip"))
def chooses_or_choose(t: Trouble) -> Problem | None:
    if t.word.type == "CHOOSE" and "CHOOSES" in t.expected:
        help = "write `chooses`, or `may choose` if it can be declined"
    elif t.word.type in ("CHOOSES", "PICKS") and t.after("MAY"):
        help = "write `may choose`"
    else:
        return None
    return Problem("RF401", f"did not expect `{t.word.text}` here", t.word.span, help)


@hint(("block", "me picks c in cells: skip"))
def picks_a_thing(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or last.type != "PICKS" or t.at_end:
        return None
    return Problem(
        "RF401", "`picks:` opens a menu of named options", last.span, "to choose a thing write `chooses`"
    )


@hint(("block", "for each c in cells: skip"), ("expr", "sum(c.a for every c in cells)"))
def for_each(t: Trouble) -> Problem | None:
    spare = t.word if t.word.type == "EACH" and t.after("FOR") else t.seen()
    if spare is None or not (spare is t.word or (spare.text == "every" and t.expected == {"IN"})):
        return None
    message, over = f"`{spare.text}` is not needed here", with_space(spare.span)
    return Problem("RF401", message, spare.span, "write `for x in ...`", instead="", over=over)


@hint(("expr", "count(cells)"), ("expr", "any(p.a > 3)"))
def operation_without_binder(t: Trouble) -> Problem | None:
    operation, opened, name = t.seen(3), t.seen(2), t.seen()
    if operation is None or opened is None or name is None or t.expected != {"IN"}:
        return None
    if opened.type != "OPEN" or operation.type not in ("COUNT", "ANY", "FIRST", "BEST", "RANDOM"):
        return None
    message = f"`{operation.text}` needs a name for the things it looks at"
    if operation.type == "BEST" or t.word.type != "CLOSE":
        ends = "by ..." if operation.type == "BEST" else "where ..."
        return Problem("RF407", message, name.span, f"write `{operation.text}(x in ... {ends})`")
    right = f"x in {name.text}"
    sure = operation.type in ("COUNT", "ANY")  # the others may find nothing, which has to be thought of
    help = f"write `{operation.text}({right})`"
    return Problem("RF407", message, name.span, help, instead=right if sure else None)


@hint(("expr", "sum(c.a)"), ("expr", "all(c.a > 3, c.b)"))
def operation_without_for(t: Trouble) -> Problem | None:
    if "FOR" not in t.expected or not t.open or t.word.type not in ("CLOSE", "COMMA"):
        return None
    opened = t.before[t.open[-1] - 1]
    if opened.type not in ("SUM", "ALL"):
        return None
    return Problem(
        "RF407",
        f"`{opened.text}` does not say which things it looks at",
        opened.span,
        f"write `{opened.text}(... for x in ...)`",
    )


@hint(("expr", "a not b"), ("expr", "a has not b"), ("expr", "a is in b"), ("expr", "a is not in b"))
def mixed_up_comparison(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None:
        return None
    if t.after("NOT") and t.expected == {"IN"}:
        return Problem("RF401", "`not` alone does not compare", last.span, "write `is not` or `not in`")
    if t.word.type == "NOT" and t.after("HAS"):
        return Problem(
            "RF401", "`has not` is not a comparison", last.span.to(t.word.span), "write `not a has b`"
        )
    if t.word.type == "IN" and t.after("IS", "NOT"):
        first = t.seen(2)
        assert first is not None
        return Problem(
            "RF401",
            "`is` and `in` exclude each other",
            first.span.to(t.word.span),
            "write `not in`",
            instead="not in",
        )
    if t.word.type == "IN" and t.after("IS"):
        return Problem(
            "RF401", "`is` and `in` exclude each other", last.span.to(t.word.span), "write `in`", instead="in"
        )
    return None


@hint(("block", "for c cells: skip"), ("block", "me chooses c where c.a: skip"))
def missing_in(t: Trouble) -> Problem | None:
    last = t.seen()
    if t.expected != {"IN"} or last is None:
        return None
    return Problem(
        "RF407",
        f"`in` is missing after `{last.text}`",
        last.span,
        f"write `{last.text} in ...`, and after it the things to look at",
    )


@hint(
    ("expr", "count(x in cells if x.a)"), ("picked", "in cells and c.a"), ("binder", "p in players with p.a")
)
def condition_without_where(t: Trouble) -> Problem | None:
    if "WHERE" not in t.expected:
        return None
    words = ("IF", "AND", "OR", "IS", "IN", "HAS", "NOT", "LESS", "AT_MOST", "MORE", "AT_LEAST")
    if t.word.type not in words and t.word.text not in ("with", "when", "such", "whose", "having"):
        return None
    if t.word.type in ("IF", "AND", "OR") or t.word.type not in words:
        message, help = f"`{t.word.text}` does not begin a condition here", "write `where`"
    else:
        message, help = "this is a comparison, not a set", "write `x in things where condition`"
    sure = t.word.text in ("if", "and", "when", "with")
    return Problem("RF401", message, t.word.span, help, instead="where" if sure else None)


@hint(("picked", "c in cells"), ("picked", "columns"))
def picked_without_in(t: Trouble) -> Problem | None:
    if t.start != "picked" or t.before or "IN" not in t.expected:
        return None
    before = re.match(r"(\w+ )+(?=in\b)", t.source.text)  # a name, or what people say before it
    return Problem(
        "RF407",
        "this must begin with `in`",
        t.word.span,
        "the name is the key; write `in things where ...`",
        instead="" if before else f"in {t.word.text}",
        over=span_of(t.source, 0, before.end()) if before else t.word.span,
    )


@hint(("expr", "count(x in cells by x.a where x.b)"))
def clauses_out_of_order(t: Trouble) -> Problem | None:
    if t.word.type not in ("UNTIL", "WHERE") or not {word.type for word in t.line} & {"BY", "WHERE"}:
        return None
    return Problem(
        "RF401", f"`{t.word.text}` comes too late", t.word.span, "the order is `until`, `where`, `by`"
    )
