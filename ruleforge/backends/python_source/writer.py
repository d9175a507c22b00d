"""Lines of Python with indentation, and names that cannot clash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager


class Writer:
    """Collects lines of source."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def __call__(self, line: str) -> None:
        self.lines.append(" " * self.depth + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A compound statement; an empty body becomes `pass`."""
        self(head)
        self.depth += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self("pass")
        self.depth -= 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


class Names:
    """The locals of one generated function. Each name of the rules gets its own, with a prefix."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.taken: set[str] = set()
        self._counts: dict[str, int] = {}  # how far the numbers of a stem are used up

    def local(self, name: str) -> str:
        if name not in self.known:
            self.known[name] = self.fresh("l_" + _word(name))
        return self.known[name]

    def fresh(self, stem: str) -> str:
        name, count = stem, self._counts.get(stem, 1)
        while name in self.taken:
            count += 1
            name = f"{stem}_{count}"
        self._counts[stem] = count
        self.taken.add(name)
        return name


def function_names(prefix: str, names: Iterator[str] | list[str]) -> dict[str, str]:
    """Python names for the program's functions."""
    known = Names()
    return {name: known.fresh(prefix + _word(name)) for name in names}


def _word(name: str) -> str:
    """The name with nothing in it but letters, digits and underscores."""
    plain = name.replace(".", "_").replace(" ", "_")  # what there is of other signs in most names
    return plain if plain.isascii() and plain.replace("_", "a").isalnum() else _NO_WORD.sub("_", name)


_NO_WORD = re.compile(r"\W", flags=re.ASCII)
