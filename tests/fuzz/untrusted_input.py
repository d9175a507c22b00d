"""Untrusted input, made up: damaged files, hostile fields, typed lines, tampered saves, ceilings from both sides."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

import ruleforge
from ruleforge.frontends.cli.main import main
from ruleforge.project.resolver import diagnostics_of
from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.resources import shipped_games
from ruleforge.support.terminal_escape import CONTROL
from tests.forged_saves import forged, plays_or_is_refused
from tests.fuzz.mutants import SMALL, games
from tests.fuzz.trial import SECONDS, Disagreement, Finding, TooLong, at_most, finding_of
from tests.inside import variant_of

HOSTILE = (
    "\x1b]0;x\x07", "\x9b2J", "\u202e", "\x00", "[/x]", "[link=http://e]x[/link]", ":skull:", "{}", "%s", "\\", "'",
    '"', "`", "#", "- ", ": ", "&a", "*a", "!!python/object:os.system", "<<", "---", "9" * 5000, "-" * 500,
    "x" * 5000, "(" * 500, "[" * 500, "{" * 500, "../../etc/passwd", "/dev/zero", "~", "\ud800", "💥", "ﬀ", "١",
    "2147483648", "-2147483649", "0x10", "1e9", "none", "chance", "known to", "\n", "\t", "\r", " ", "",
)  # fmt: skip
Sort = Callable[[random.Random], None]


def attempt(rng: random.Random) -> Finding | None:
    """One thing sent: it is taken, or refused in words; whatever else becomes a finding."""
    sort = rng.choice(SORTS)
    try:
        with at_most(SECONDS * LOADS.get(sort, 3)):
            sort(rng)
    except (Exception, TooLong) as problem:
        found = finding_of(problem)
        return Finding(f"{sort.__name__} {found.key}", f"{sort.__name__}: {found.words}")
    return None


@cache
def _small() -> tuple[str, ...]:
    return tuple(name for name, files in games().items() if sum(map(len, files.values())) < SMALL)


@lru_cache(maxsize=10)  # each keeps what was asked of it
def _game(name: str) -> ruleforge.Game:
    return ruleforge.load(name)


def _written(folder: str, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Path(folder)


def damaged_file(rng: random.Random) -> None:
    """Bytes of a rule file are changed, left out, doubled, or something is put between them."""
    files = {name: text.encode() for name, text in games()[rng.choice(_small())].items()}
    name = rng.choice(sorted(files))
    data = bytearray(files[name])
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 1, 5, 40, 400)))
        put = rng.choice(
            (
                b"",
                bytes([rng.randrange(256)]),
                rng.choice(HOSTILE).encode("utf-8", "surrogatepass"),
                data[at:end] * 2,
            )
        )
        data[at:end] = put
    with tempfile.TemporaryDirectory() as folder:
        _printed(["validate", str(_written(folder, {**files, name: bytes(data)}))])


def hostile_field(rng: random.Random) -> None:
    """A value or key anywhere in a game is hostile; what is still called fine is played and shown."""
    files = dict(games()[rng.choice(_small())])
    name = rng.choice(sorted(files))
    data = yaml.safe_load(files[name])
    _change(data, rng)
    files[name] = yaml.safe_dump(data, width=10**6, sort_keys=False, allow_unicode=rng.random() < 0.5)
    with tempfile.TemporaryDirectory() as folder:
        path = _written(folder, {n: t.encode("utf-8", "surrogatepass") for n, t in files.items()})
        _printed(["validate", str(path)])
        if all(d.severity != "error" for d in diagnostics_of(path)):
            _printed(["play", str(path), "--seed", "1"])


def _change(data: Any, rng: random.Random) -> None:
    """One text below: a longer way down is as likely as a short one."""
    ways: list[tuple[Any, Any]] = []

    def walk(here: Any) -> None:
        for key, value in list(here.items() if isinstance(here, dict) else enumerate(here)):
            ways.append((here, key))
            if isinstance(value, dict | list):
                walk(value)

    walk(data)
    here, key = rng.choice(ways)
    hostile = rng.choice(HOSTILE)
    if isinstance(here, dict) and rng.random() < 0.3:
        here[f"{key}{hostile}"] = here.pop(key)
    elif rng.random() < 0.5 or isinstance(here[key], dict | list):
        here[key] = hostile
    else:
        here[key] = f"{here[key]}{hostile}"


def _printed(arguments: list[str]) -> None:
    done = CliRunner().invoke(main, arguments)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    if CONTROL.search(done.output):
        raise Disagreement("a command steers the terminal")


def typed_text(rng: random.Random) -> None:
    """Words of choices and hostile ones in any order, as choices, questions and paths."""
    state = _position(rng)
    words = [w for choice in state.choices for w in choice.text.split()] or ["x"]
    asks: tuple[Callable[[str], object], ...] = (
        state.__getitem__,
        state.explain,
        state.why_not,
        lambda text: state.patched({text: text}),
        state.apply,
    )
    for _ in range(3):
        many = rng.choice((1, 2, 3, 5, 300))
        said = [rng.choice((rng.choice(words), rng.choice(HOSTILE))) for _ in range(many)]
        text, before = rng.choice((" ", ".", "", " (")).join(said), state.digest
        for ask in asks:
            try:
                ask(text)
            except ruleforge.PlayError as refusal:
                if not refusal.code.startswith("RF") or state.digest != before:
                    raise Disagreement("a refusal left something behind") from None


def tampered_save(rng: random.Random) -> None:
    """Words of a saved row are changed and the digest made right: it is refused, or plays on."""
    state = _position(rng)
    saved = state.save()
    row, stack = json.loads(saved)["row"], variant_of(state).program.stack
    words: dict[int, int] = {}
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.choice((rng.randrange(len(row)), rng.randrange(stack, len(row))))
        value = rng.choice((row[at] + 1, row[at] - 1, 0, 2, 9, 40, -1, 2**31 - 1, -(2**31)))
        words[at] = max(-(2**31), min(2**31 - 1, value))
    plays_or_is_refused(state.game, forged(saved, words), rng)


def _position(rng: random.Random) -> ruleforge.State:
    state = _game(rng.choice(sorted(shipped_games()))).start(seed=rng.randrange(2**32))
    for _ in range(rng.randrange(30)):
        if state.choices:
            state.apply(rng.choice(state.choices))
    return state


def ceiling(rng: random.Random) -> None:
    """Where a ceiling begins to hold a game back, it does so in words; one more, and nothing is said."""
    name, field = rng.choice(_small()), rng.choice([f.name for f in fields(CEILINGS)])
    with tempfile.TemporaryDirectory() as folder:
        path = _written(folder, {n: t.encode() for n, t in games()[name].items()})
        low, high = 0, getattr(CEILINGS, field)
        if not _passes(path, field, high):
            return
        while high - low > 1:  # what is enough stays enough
            middle = (low + high) // 2
            low, high = (low, middle) if _passes(path, field, middle) else (middle, high)
        if not _passes(path, field, high) or not _passes(path, field, high + 1):
            raise Disagreement(f"the ceiling {field} does not stay passed")


def _passes(path: Path, field: str, value: int) -> bool:
    try:
        state = ruleforge.load(path, ceilings=replace(CEILINGS, **{field: value})).start(seed=1)
        for _ in range(3):
            if state.choices:
                state.apply(state.choices[0])
    except (ruleforge.RulesetError, ruleforge.PlayError):
        return False
    return True


SORTS: tuple[Sort, ...] = (damaged_file, hostile_field, typed_text, tampered_save, ceiling)
LOADS: dict[Sort, int] = {ceiling: 20}  # how often a game is loaded and played, where it is often
