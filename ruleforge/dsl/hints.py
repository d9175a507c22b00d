"""What an author probably meant: a place where reading failed -> a message and advice.

Each hint is a small function that either recognises the mistake or passes; the first that does wins. Beside
it stand examples that provoke it: tests read them, and so do people who look for the place of a new one.
"""

from __future__ import annotations

import re

from ruleforge.dsl import elsewhere as elsewhere
from ruleforge.dsl import in_words as in_words
from ruleforge.dsl import other_order as other_order
from ruleforge.dsl import spare_words as spare_words  # their hints come first
from ruleforge.dsl.elsewhere import MEMBERS
from ruleforge.dsl.hinting import BLOCK_WORDS, HINTS, hint
from ruleforge.dsl.problem import Problem
from ruleforge.dsl.signs import explain_glued, in_quotes
from ruleforge.dsl.trouble import LAYOUT, Trouble, with_space
from ruleforge.dsl.words import signs, terminals
from ruleforge.names import listed, nearest

_SIMPLE = ("let", "move", "shuffle", "finish", "return", "leave", "skip", "pay", "proceed", "remove", "show")
_STATEMENT_WORDS = (*_SIMPLE, "offer", "if", "for", "repeat", "each", "together")
_OPENS = {"(": ")", "[": "]", "{": "}"}


def explain(trouble: Trouble) -> Problem:
    """The best explanation for a word that does not fit."""
    for entry in HINTS:
        problem = entry.explain(trouble)
        if problem is not None:
            return problem
    return _plain(trouble)


# --- nothing, brackets, signs ---


@hint(("block", "# later"), ("expr", ""))
def empty(t: Trouble) -> Problem | None:
    if t.before or t.word.type != "$END":
        return None
    help = "write what happens, or `skip` for nothing" if t.start == "block" else "write a value here"
    return Problem("RF411", "there is nothing in this text", t.source.span, help)


@hint(("expr", "count(x in cells"), ("block", "f(a\nlet b = 3"), ("expr", "(a + b"))
def unclosed_bracket(t: Trouble) -> Problem | None:
    if not t.open or _closed_later(t):
        return None
    opened = t.before[t.open[-1]]
    return Problem("RF404", f"`{opened.text}` is never closed", opened.span, f"add `{_OPENS[opened.text]}`")


@hint(("expr", "count(c in cells: c.free)"))
def colon_for_each(t: Trouble) -> Problem | None:
    """As mathematics writes it: a condition behind a colon."""
    if t.word.text != ":" or not t.open or t.open[-1] == 0:
        return None
    word, *inside = t.before[t.open[-1] - 1 : t.open[-1]] + t.before[t.open[-1] + 1 :]
    if len(inside) < 3 or inside[1].text != "in":
        return None
    over = t.source.text[inside[0].offset : t.word.offset].strip()
    right = f"{word.text}({over} where CONDITION)"
    return Problem("RF401", f"did not expect `:` after `{inside[-1].text}`", t.word.span, f"write `{right}`")


def _closed_later(t: Trouble) -> bool:
    """Is the innermost open bracket closed somewhere in the text that was not read any more?"""
    level = 0
    for character in re.sub(r"#[^\n]*", "", t.source.text[t.word.offset :]):
        level += (character in "([{") - (character in ")]}")
        if level < 0:
            return True
    return False


@hint(("expr", "a == b"), ("block", "x == 3"), ("expr", "a && b"), ("expr", "a || b"), ("block", "x.a ++"))
def foreign_sign(t: Trouble) -> Problem | None:
    return explain_glued(t)


@hint(("expr", 'c.name is "ace"'), ("block", 'me chooses c in me.hand: "keep"'))
def quoted(t: Trouble) -> Problem | None:
    if t.word.type != "TEXT":
        return None
    compared = t.after("IS") or t.after("IS", "NOT") or t.after("OPEN") or t.after("COMMA")
    return in_quotes(t.word.span, t.word.text if compared else "")


@hint(("block", "let x = y = 3"), ("block", "a.b = c.d += 1"))
def second_assignment(t: Trouble) -> Problem | None:
    changes = ("EQUAL", "ADD_TO", "TAKE_FROM")
    if t.word.type not in changes or t.open or not any(word.type in changes for word in t.line):
        return None
    return Problem(
        "RF401", "a statement changes one value only", t.word.span, "write one statement for each change"
    )


@hint(("expr", "x.a = 3"), ("block", "if x = 3: skip"), ("block", "for c in cells where c.a = 1: skip"))
def equal_in_condition(t: Trouble) -> Problem | None:
    if t.word.type != "EQUAL" or t.at_end or t.start in ("column", "type") or not t.before:
        return None
    help = "write `is` to compare"
    return Problem("RF406", "`=` changes a value, it does not compare", t.word.span, help, instead="is")


@hint(("expr", "x.a * 1.5"))
def fraction(t: Trouble) -> Problem | None:
    if t.word.type != "INT" or not t.after("INT", "DOT"):
        return None
    whole = t.seen(2)
    assert whole is not None
    return Problem(
        "RF410",
        "numbers are whole",
        whole.span.to(t.word.span),
        "multiply first and divide last: `3 * x // 2`",
    )


@hint(("expr", "f(a, )"), ("expr", "[a, b,]"))
def spare_comma(t: Trouble) -> Problem | None:
    comma = t.seen()
    if comma is None or comma.type != "COMMA" or t.word.type not in ("CLOSE", "CLOSE_SQUARE", "COMMA"):
        return None
    return Problem("RF401", "nothing follows this comma", comma.span, "take it away", instead="")


# --- lines and blocks ---


@hint(("block", "if x:\ny()"), ("block", "for c in cells:"), ("block", "if x:\n  for c in cells:\ny()"))
def missing_suite(t: Trouble) -> Problem | None:
    if "INDENT" not in t.expected:
        return None
    colon = t.seen()
    assert colon is not None
    return Problem(
        "RF403",
        "nothing is indented under this colon",
        colon.span,
        "indent what belongs to it, or write `skip`",
    )


@hint(("block", "a()\n  b()"))
def stray_indent(t: Trouble) -> Problem | None:
    if t.word.type != "INDENT":
        return None
    return Problem(
        "RF403",
        "this line is indented, but the line above opens no block",
        t.word.span,
        "align it with the line above; a line that goes on begins with `and`, `or`, `where` or `by`",
    )


@hint(("block", "if a: skip\nelse if b: skip"), ("block", "if a: skip\nelseif b: skip"))
def else_if(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is not None and last.type == "ELSE" and t.word.type == "IF":
        return Problem(
            "RF401", "`else if` is one word here", last.span.to(t.word.span), "write `elif`", instead="elif"
        )
    if last is not None and last.text in ("elseif", "elsif") and len(t.line) == 1:
        return Problem(
            "RF401", f"`{last.text}` is not a word of the language", last.span, "write `elif`", instead="elif"
        )
    return None


@hint(("block", "else: skip"), ("block", "if a: skip\nb()\nelif c: skip"))
def stray_else(t: Trouble) -> Problem | None:
    if t.word.type not in ("ELSE", "ELIF") or t.line:
        return None
    return Problem(
        "RF403",
        f"no `if` or choice just above goes with this `{t.word.text}`",
        t.word.span,
        f"align `{t.word.text}` with the line it belongs to, with nothing in between",
    )


@hint(("block", "if a then b()"), ("block", "repeat 3 do b()"))
def then_for_colon(t: Trouble) -> Problem | None:
    if t.word.text not in ("then", "do") or t.opener not in BLOCK_WORDS or "COLON" not in t.expected:
        return None
    return Problem(
        "RF401", f"did not expect `{t.word.text}` here", t.word.span, "write `:` instead", instead=":"
    )


@hint(("block", "if a\n  b()"), ("block", "for c in cells\n  b()"), ("block", "me picks\n  a: skip"))
def missing_colon(t: Trouble) -> Problem | None:
    last = t.seen()
    opens = t.opener in BLOCK_WORDS or any(word.type in BLOCK_WORDS for word in t.line)
    if "COLON" not in t.expected or not t.at_end or not opens or last is None:
        return None
    return Problem(
        "RF407",
        "a colon is missing at the end of this line",
        last.span,
        f"write `{last.text}:`",
        instead=f"{last.text}:",
    )


@hint(("block", "for c in cells: if c.a: skip"), ("block", "if a: me chooses c in cells: skip"))
def block_in_line(t: Trouble) -> Problem | None:
    opened = any(word.type == "COLON" for word in t.line) and t.opener in BLOCK_WORDS
    if not opened or t.word.type not in ("IF", "FOR", "REPEAT", "CHOOSES", "MAY", "PICKS"):
        return None
    if t.word.type in ("IF", "FOR", "REPEAT") and not t.after("COLON"):
        return None
    return Problem(
        "RF403",
        f"`{t.word.text}` opens a block inside a line",
        t.word.span,
        "begin it on a line of its own, indented under the colon",
    )


@hint(("block", "while a: b()"))
def bare_while(t: Trouble) -> Problem | None:
    if t.word.type != "WHILE" or t.line:
        return None
    return Problem(
        "RF407",
        "a loop needs a limit",
        t.word.span,
        "write `repeat N while condition:`, with N the most turns",
    )


# --- choices and binders ---


@hint(
    ("block", "choose c in cells: skip"),
    ("block", "chooses c in cells: skip"),
    ("block", "picks:\n  a: skip"),
)
def no_chooser(t: Trouble) -> Problem | None:
    if t.word.type not in ("CHOOSE", "CHOOSES", "MAY", "PICKS") or not (not t.line or t.after("COLON")):
        return None
    form = {"MAY": "me may choose", "PICKS": "me picks"}.get(t.word.type, "me chooses")
    return Problem("RF407", "nobody is named who chooses", t.word.span, f"write `{form} ...:`")


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
    message = f"`{operation.text}` looks at things one by one, under a name"
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
        f"`{opened.text}` does not say over what",
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
        message, help = "a comparison cannot be searched", "write `x in things where condition`"
    sure = t.word.text in ("if", "and", "when", "with")
    return Problem("RF401", message, t.word.span, help, instead="where" if sure else None)


@hint(("picked", "c in cells"), ("picked", "columns"))
def picked_without_in(t: Trouble) -> Problem | None:
    if t.start != "picked" or t.before or "IN" not in t.expected:
        return None
    named = re.match(r"\w+ in\b", t.source.text) is not None
    return Problem(
        "RF407",
        "this must begin with `in`",
        t.word.span,
        "the name is the key; write `in things where ...`",
        instead="" if named else f"in {t.word.text}",
        over=with_space(t.word.span) if named else t.word.span,
    )


@hint(("expr", "count(x in cells by x.a where x.b)"))
def clauses_out_of_order(t: Trouble) -> Problem | None:
    if t.word.type not in ("UNTIL", "WHERE") or not {word.type for word in t.line} & {"BY", "WHERE"}:
        return None
    return Problem(
        "RF401", f"`{t.word.text}` comes too late", t.word.span, "the order is `until`, `where`, `by`"
    )


# --- words in the wrong place ---


@hint(("expr", "3d6 + 1"), ("expr", "a + roll 3d6"), ("block", "f(random(c in cells))"))
def chance_in_expression(t: Trouble) -> Problem | None:
    if t.word.type not in ("DICE", "ROLL", "RANDOM") or not t.wants_value:
        return None
    shown = "roll " + t.word.text if t.word.type == "DICE" else f"{t.word.text} ..."
    return Problem(
        "RF401",
        f"`{t.word.text}` cannot stand inside an expression",
        t.word.span,
        f"give it a name first: `let result = {shown}`",
    )


@hint(("block", "let x = roll d6"), ("block", "let x = roll 6"))
def dice_by_halves(t: Trouble) -> Problem | None:
    last = t.seen()
    if last is None or not t.after("ROLL", last.type) or "DOTS" not in t.expected:
        return None
    dice = last.text if last.type == "NAME" and re.fullmatch(r"d[0-9]+", last.text) else f"d{last.text}"
    help = f"write `roll 1{dice}`" if re.fullmatch(r"d[0-9]+", dice) else "write `roll 3d6` or `roll 0..9`"
    found = re.fullmatch(r"write `roll (1d[0-9]+)`", help)
    return Problem("RF407", "the dice are not complete", last.span, help, instead=found[1] if found else None)


@hint(
    ("block", "let by = 3"),
    ("block", "for then in sets: skip"),
    ("type", "set of none"),
)
def reserved_as_name(t: Trouble) -> Problem | None:
    if not t.is_reserved or not t.wants_name_only or _is_structure(t):
        return None
    return Problem(
        "RF405",
        f"`{t.word.text}` is a word of the language and cannot be a name",
        t.word.span,
        f"choose another name, such as `{t.word.text}_1` or `the_{t.word.text}`",
    )


def _is_structure(t: Trouble) -> bool:
    """Does the word carry on a sentence, so that a name before it is missing rather than misnamed?"""
    return t.word.type in ("IN", "WHERE", "FOR", "IS")


@hint(("expr", "by | [a]"), ("expr", "x + then"))
def reserved_as_value(t: Trouble) -> Problem | None:
    if t.word.type not in ("BY", "THEN") or not t.wants_value:
        return None
    return Problem(
        "RF405",
        f"`{t.word.text}` is a word of the language and cannot be a name",
        t.word.span,
        f"choose another name, such as `the_{t.word.text}`",
    )


@hint(("expr", "let x = 3"), ("expr", "if a: b"))
def statement_for_expression(t: Trouble) -> Problem | None:
    if t.start == "block" or t.word.text not in _STATEMENT_WORDS or not t.wants_value:
        return None
    return Problem(
        "RF401",
        f"`{t.word.text}` begins a statement, but here stands a single value",
        t.word.span,
        "write an expression; statements belong under `do`",
    )


@hint(("expr", "a if b"), ("block", "x.a = 1 if b"))
def conditional_without_else(t: Trouble) -> Problem | None:
    if "ELSE" not in t.expected or t.wants_value:
        return None
    found = next((word for word in reversed(t.before) if word.type == "IF"), None)
    if found is None or not (t.at_end or t.word.type in ("CLOSE", "COMMA", "SEMICOLON", "COLON")):
        return None
    return Problem(
        "RF407", "`if` inside a value needs an `else`", found.span, "write `a if condition else b`"
    )


@hint(("block", "me.draw(3)"), ("expr", "card.owner.score(1)"))
def method_call(t: Trouble) -> Problem | None:
    name = t.seen()
    if t.word.type != "OPEN" or name is None or not t.after("DOT", name.type):
        return None
    help = MEMBERS.get(name.text) or f"calls have no dot: `{name.text}(thing, ...)`"
    message = f"`{name.text}` is an attribute here and cannot be called"
    return Problem("RF401", message, name.span, help)


@hint(("expr", "{b for a in cells for b in neighbours(a)}"))
def second_for(t: Trouble) -> Problem | None:
    if t.word.type != "FOR" or not t.open or t.before[t.open[-1]].type != "OPEN_CURLY":
        return None
    if not any(word.type == "FOR" for word in t.before[t.open[-1] :]):
        return None
    return Problem(
        "RF401",
        "there is one `for` in braces",
        t.word.span,
        "give the inner one braces of its own: `{{b in neighbours(a)} for a in cells}`",
    )


@hint(("type", "20"), ("column", "20"), ("column", "card + none"))
def range_without_dots(t: Trouble) -> Problem | None:
    if t.start not in ("type", "column") or "DOTS" not in t.expected or not t.before:
        return None
    return Problem(
        "RF407",
        "this is not a type",
        t.before[0].span.to(t.before[-1].span),
        "a type is `low..high`, `flag`, a kind, `kind or none` or `set of kind`",
    )


@hint(("block", "draw 3"), ("block", "mvoe card to deck"), ("block", "let x = a b"))
def two_values(t: Trouble) -> Problem | None:
    last = t.seen()
    values = ("NAME", "INT", "CLOSE", "TRUE", "FALSE", "NONE", "CLOSE_SQUARE", "CLOSE_CURLY")
    if last is None or last.type not in values or t.word.type not in ("NAME", "INT", "OPEN", "NONE", "TRUE"):
        return None
    message = f"something is missing between `{last.text}` and `{t.word.text}`"
    alone = len(t.before) == 1 and t.start == "expr" and t.word.type == "NAME"  # `next p` for `next(p)`
    if not alone and (len(t.line) > 1 or last.type != "NAME" or t.start != "block"):
        help = _forms(t) or "a sign or a word must join the two"
        return Problem("RF407", message, t.word.span, help)
    meant = nearest(last.text, _STATEMENT_WORDS)
    if meant is not None:
        return Problem(
            "RF401",
            f"`{last.text}` does not begin a statement",
            last.span,
            f"did you mean `{meant}`?",
            instead=meant,
        )
    call = f"{last.text}({t.word.text})"
    sure = t.is_last and last.span.line == t.word.span.line
    return Problem(
        "RF407",
        message,
        t.word.span,
        f"a call has brackets: `{call}`",
        instead=call if sure else None,
        over=last.span.to(t.word.span),
    )


@hint(("expr", "a and"), ("block", "x.a = "), ("expr", "a + * b"), ("block", "move a to"))
def missing_value(t: Trouble) -> Problem | None:
    last = t.seen()
    if not t.wants_value or last is None:
        return None
    if t.at_end or t.word.type in ("CLOSE", "CLOSE_SQUARE", "CLOSE_CURLY", "COLON", "SEMICOLON"):
        return Problem(
            "RF407", f"a value is missing after `{last.text}`", last.span, "write a value after it"
        )
    return Problem(
        "RF407",
        f"a value is missing between `{last.text}` and `{t.word.text}`",
        t.word.span,
        f"write a value before `{t.word.text}`",
    )


# --- when no hint knows better ---


def _plain(t: Trouble) -> Problem:
    last = t.seen()
    if t.at_end and last is not None:
        return Problem("RF407", f"something is missing after `{last.text}`", last.span, _forms(t))
    after = f" after `{last.text}`" if last is not None and last.type not in LAYOUT else " here"
    return Problem("RF401", f"did not expect {t.met}{after}", t.word.span, _forms(t))


def _forms(t: Trouble) -> str | None:
    """What could stand here, if that is short enough to help."""
    shown = {**terminals(), **signs()}
    fitting = sorted(shown[name] for name in t.expected if name in shown)
    if not 0 < len(fitting) <= 3 or len(fitting) < len(t.expected - LAYOUT):
        return None
    return f"expected {listed(fitting)}"
