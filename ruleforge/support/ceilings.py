"""Ceilings: limits on the size of rules and on their use of a machine. The host sets them, never a file.

A host sets them where it loads rules, all others keep their defaults:

    game = ruleforge.load("untrusted-game", ceilings=ruleforge.Ceilings(row=20_000))

For the command line, and for every `load` without own ceilings, it sets them in the environment:

    RULEFORGE_CEILINGS="row=20000 work=1000000" ruleforge validate untrusted-game

`Checked.ceilings` carries them to every later stage, so a game keeps the ceilings it was loaded with. A
definition that would exceed a ceiling is refused before it is built.
"""

from __future__ import annotations

import os
import re
from dataclasses import fields

from ruleforge.support.records import dataclass

VARIABLE = "RULEFORGE_CEILINGS"


@dataclass(frozen=True, slots=True)
class Ceilings:
    """Limits of the host on the size and the work of a ruleset. Each number is the largest allowed."""

    # --- of the files, those of packs among them ---
    files: int = 2_000
    entries: int = 10_000  # files of any sort and folders, where rule files are looked for
    file_bytes: int = 4_000_000  # of one file
    bytes: int = 8_000_000  # of all files together
    values: int = 150_000  # words, numbers, texts, lists and mappings in all files together

    # --- of what the rules declare ---
    things: int = 50_000  # of all kinds together
    row: int = 200_000  # numbers that make up a state
    places: int = 50_000  # of all families together
    tables: int = 2_000_000  # numbers in each of the tables of constants: facts, lines, neighbours, distances
    choices: int = 100_000  # entries of one list of choices

    # --- of play ---
    work: int = 200_000_000  # steps of work for one decision, or for one question about a position
    chain: int = 20_000  # effects that set one another off; `limits: chain` may say less
    decisions: int = 10_000  # of a game without a human player

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"the ceiling `{field.name}` is a number from 1, not {value!r}")


def ceilings_from(text: str) -> Ceilings:
    """`row=20000 work=1000000`: some of them by name, all others as they are. Raises ValueError."""
    known = [field.name for field in fields(Ceilings)]
    given: dict[str, int] = {}
    for word in re.split(r"[\s,]+", text.strip()) if text.strip() else []:
        name, _, number = word.partition("=")
        if name not in known:
            raise ValueError(f"there is no ceiling `{name[:40]}`; there are {', '.join(known)}")
        if not re.fullmatch(r"[0-9][0-9_]{0,14}", number):
            raise ValueError(f"the ceiling `{name}` is a number from 1, not `{number[:40]}`")
        given[name] = int(number.replace("_", ""))
    return Ceilings(**given)


def _of_the_host() -> tuple[Ceilings, str]:
    """The ceilings of this process, and what is wrong with how the environment sets them."""
    try:
        return ceilings_from(os.environ.get(VARIABLE, "")), ""
    except ValueError as mistake:
        return Ceilings(), str(mistake)


CEILINGS, MISTAKE = _of_the_host()
