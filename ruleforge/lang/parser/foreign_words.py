"""Names that authors bring along from other languages -> how it is said here."""

from __future__ import annotations

# Formulas -> what to write, by name and arguments.
FORMULAS = {
    **dict.fromkeys(("len", "length", "size"), "write `count(x in SET)`"),
    **dict.fromkeys(("exists", "some", "contains"), "write `any(x in SET where ...)`"),
    **dict.fromkeys(("forall", "every"), "write `all(... for x in SET)`"),
    **dict.fromkeys(("filter", "select", "where"), "write `{x in SET where ...}`"),
    **dict.fromkeys(("randint", "rand", "dice", "die"), "write `let x = roll 1d6`"),
    **dict.fromkeys(("union",), "write `S | T`"),
    **dict.fromkeys(("range",), "write `repeat N:` to do something N times, or `for x in 1..N:`"),
    **dict.fromkeys(("is_empty", "empty"), "write `not any(x in SET)`"),
    **dict.fromkeys(("top", "peek", "head"), "write `SET[1]`, or `for one x in SET:`"),
    **dict.fromkeys(("bottom", "last", "tail"), "write `SET[count(x in SET)]`"),
    **dict.fromkeys(("sqrt", "pow", "floor", "ceil", "round"), "numbers are whole: there are + - * // %"),
}
# What is asked of sets behind a dot -> what to write.
MEMBERS = {
    **dict.fromkeys(("contains", "includes", "has"), "write `THING in SET`"),
    **dict.fromkeys(("count", "size", "length", "len"), "write `count(x in SET)`"),
    **dict.fromkeys(("is_empty", "empty"), "write `not any(x in SET)`"),
    **dict.fromkeys(("top", "first", "peek", "head"), "write `SET[1]`, or `for one x in SET:`"),
    **dict.fromkeys(("bottom", "last", "tail"), "write `SET[count(x in SET)]`"),
    **dict.fromkeys(("add", "push", "append", "insert"), "write `move THING to PLACE`"),
}
