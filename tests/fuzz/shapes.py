"""Changes of the shape of a rule file, drawn by Hypothesis: odd values, emptied and misplaced parts, other indents."""

from __future__ import annotations

import re

from hypothesis import strategies as st

ODD = (
    "[]", "{}", "~", "true", "yes", "0", "-1", "1e3", "1.5", "99999999999999999999", "2147483648", "''", "|", "- a",
    "*x", "&x y", "!!int 3", "'é'", "ünï", "a: b", "[a, [b]]", "{a: {b: c}}", "none", "[none]", "...", "---", "0x10",
    "1_000", "?", "@", "%", "`a`", "player", "game", "self", "0..", "..", "1..0", "0..99999999999", "set of player",
    "flag per flag", "player or none or none", "# c", "'", '"',
)  # fmt: skip
NAMES = ("x", "é", "1", "true", "a b", "a-b", "Self", "me", "none", "self", "viewer")
VALUE = re.compile(r"(?m)(?<=: )[^\n{}\[\],]+$|(?<=: )[^\n{}\[\],:]+(?=[,}])|(?<=: )\[[^\]\n]*\]")
KEY = re.compile(r"(?m)^( *)([a-z_]+):")
PIECE = re.compile(r"[A-Za-z_]+|\d+|[^\s\w]")


def _one(draw: st.DrawFn, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return found[draw(st.integers(0, len(found) - 1))] if found else None


def odd_value(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    at = _one(draw, VALUE, text)
    return at and text[: at.start()] + draw(st.sampled_from(ODD)) + text[at.end() :]


def values_swapped(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    one, two = _one(draw, VALUE, text), _one(draw, VALUE, text)
    if one is None or two is None or one.end() > two.start():
        return None
    return text[: one.start()] + two[0] + text[one.end() : two.start()] + one[0] + text[two.end() :]


def other_key(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    at = _one(draw, KEY, text)
    other = draw(st.sampled_from(NAMES) | st.sampled_from(words))
    return at and text[: at.start(2)] + other + text[at.end(2) :]


def indented_otherwise(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    lines = text.split("\n")
    first, by = draw(st.integers(0, len(lines) - 1)), draw(st.sampled_from([-4, -2, -1, 1, 2, 4]))
    for number in range(first, min(first + draw(st.integers(1, 4)), len(lines))):
        bare = lines[number].lstrip(" ")
        lines[number] = " " * max(0, len(lines[number]) - len(bare) + by) + bare
    return "\n".join(lines)


def _below(text: str, key: re.Match[str]) -> int:
    """Where a key ends with all that stands below it."""
    end = key.end()
    for line in text[key.end() :].splitlines(keepends=True):
        if end > key.end() and line.strip() and len(line) - len(line.lstrip(" ")) <= len(key[1]):
            break
        end += len(line)
    return end


def emptied(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    key = _one(draw, KEY, text)
    empty = draw(st.sampled_from(["", " {}", " []", " none", " 0", " ''"]))
    return key and text[: key.end()] + empty + "\n" + text[_below(text, key) :]


def misplaced(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    """A key with all below it once more, before another key or inside of what stands before that."""
    key, to = _one(draw, KEY, text), _one(draw, KEY, text)
    if key is None or to is None:
        return None
    inside = to[1] + "  " * draw(st.integers(0, 1))
    lines = text[key.start() : _below(text, key)].rstrip("\n").split("\n")
    block = "".join(f"{inside}{line[len(key[1]) :]}\n" for line in lines)
    return text[: to.start()] + block + text[to.start() :]


def other_piece(draw: st.DrawFn, text: str, words: list[str]) -> str | None:
    """A word, number or sign left out, doubled, in brackets, or another in its place."""
    at, other = _one(draw, PIECE, text), _one(draw, PIECE, text)
    if at is None or other is None:
        return None
    ways = [
        "",
        at[0] * 2,
        other[0],
        f"{at[0]} {other[0]}",
        f"({at[0]})",
        f"-{at[0]}",
        f"not {at[0]}",
        "none",
        "[]",
        "me",
    ]
    return text[: at.start()] + draw(st.sampled_from(ways)) + text[at.end() :]


SHAPES = (odd_value, values_swapped, other_key, indented_otherwise, emptied, misplaced, other_piece)
