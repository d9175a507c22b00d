"""Splits typed text into commands; it knows comments and continued lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

OPENING, CLOSING = "([{", ")]}"


def commands_in(lines: Iterable[str]) -> Iterator[str]:
    """The commands in lines, one a line or several with `;`; a block behind `:` or in brackets is one with its head.

    Each is there as soon as its last line is, so that whoever types into a pipe is answered.
    """
    block: list[str] = []
    for line in lines:
        if block and not _belongs(block, line):
            yield from _of_block(block)
            block = []
        block.append(line.rstrip("\r\n"))
        if not _open(block):
            yield from _of_block(block)
            block = []
    yield from _of_block(block)


def unfinished(text: str) -> bool:
    """Whether more lines belong to a text that is being typed: an open bracket, or a block begun by `:`."""
    lines = text.split("\n")
    bare = [uncommented(line).rstrip() for line in lines]
    if _depth(" ".join(bare)) > 0:
        return True
    if not any(line.endswith(":") for line in bare):
        return False
    return bool(lines[-1].strip())  # an empty line ends the block


def _open(block: list[str]) -> bool:
    """Whether more lines may belong to a block."""
    bare = [uncommented(each).rstrip() for each in block]
    return _depth(" ".join(bare)) > 0 or any(each.endswith(":") for each in bare)


def _belongs(block: list[str], line: str) -> bool:
    """Whether a line of a script still belongs to the block before it."""
    if _depth(" ".join(map(uncommented, block))) > 0:
        return True
    return line[:1] in (" ", "\t") and bool(line.strip())


def uncommented(line: str) -> str:
    """The line without what follows a `#`."""
    return line.partition("#")[0]


def _of_block(block: list[str]) -> Iterator[str]:
    bare = [uncommented(line).rstrip() for line in block]
    if any(line.endswith(":") for line in bare):
        text = "\n".join(bare).strip()
        if text:
            yield text
        return
    yield from split(" ".join(bare))


def split(text: str) -> Iterator[str]:
    """The parts of a line between `;`, those inside brackets left alone."""
    depth, begin = 0, 0
    for at, sign in enumerate(text):
        if sign in OPENING:
            depth += 1
        elif sign in CLOSING:
            depth = max(0, depth - 1)
        elif sign == ";" and not depth:
            if text[begin:at].strip():
                yield text[begin:at].strip()
            begin = at + 1
    if text[begin:].strip():
        yield text[begin:].strip()


def _depth(text: str) -> int:
    return sum((sign in OPENING) - (sign in CLOSING) for sign in text)
