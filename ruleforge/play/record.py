"""The text form of a record: the start of a game, then one step per line with a hash of its position.

A journal is a record that grows during the game, so its last line may be incomplete.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping

from ruleforge.backends.artifacts.info import OptionValue
from ruleforge.engine.errors import RestoreError
from ruleforge.engine.game import Game
from ruleforge.engine.state import State
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import as_number, listed

FORMAT = 2
HEAD = f"ruleforge record {FORMAT}"
LARGEST = 64_000_000
_MARK = "#="
_WIDTH = 40  # steps are filled up to it, so that their marks stand in one column
_TOKEN = re.compile(r"[0-9a-f]{6}\Z")


Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """The start of a game: a seed, or the text of a saved state (`position`)."""

    game: str
    version: str
    packs: tuple[tuple[str, str], ...]
    rules: str  # the digest of the rules
    start: str  # the imprint of the first position
    players: int
    options: tuple[tuple[str, OptionValue], ...] = ()
    seed: int | None = None
    position: str = ""
    definitions: frozenset[str] = frozenset()  # a token for each definition of the rules
    seats: Pairs = ()  # who sat where, where that is known: a player and `human` or the name of an agent


@dataclass(frozen=True, slots=True)
class Line:
    """A step in words, with its player and a hash of its position if they are known."""

    text: str
    imprint: str = ""
    player: str = ""
    number: int = 0

    def __str__(self) -> str:
        shown = "\\n".join(self.text.split("\n"))
        if not self.imprint:
            return shown
        return f"{shown:<{_WIDTH}} {_MARK} {self.imprint} {self.player}".rstrip()


@dataclass(frozen=True, slots=True)
class Record:
    """The start and the lines of a game. `cut` is the text of an incomplete last line."""

    opening: Opening
    lines: tuple[Line, ...]
    cut: str = ""


# --- making ---


def opening_of(
    start: State, seed: int | None, definitions: Mapping[str, str] | None = None, seats: Pairs = ()
) -> Opening:
    """The opening of a game that began at a state; without a seed the state itself is written down."""
    heading = json.loads(start.save())
    return Opening(
        game=start.game.id,
        version=start.game.version,
        packs=tuple((pack.id, pack.version) for pack in start.game.info.packs),
        rules=start.game.digest,
        start=start.imprint,
        players=heading["players"],
        options=tuple(start.options.items()),
        seed=seed,
        position="" if seed is not None else json.dumps(heading, separators=(",", ":")),
        definitions=frozenset(tokens(definitions or {})),
        seats=seats,
    )


def tokens(definitions: Mapping[str, str]) -> dict[str, str]:
    """A short token for each definition and its text, mapped to the path."""
    return {hashlib.sha256(f"{p} {d}".encode()).hexdigest()[:6]: p for p, d in definitions.items()}


def head_text(opening: Opening) -> str:
    """The lines before the steps."""
    lines = [HEAD, f"game {opening.game} {opening.version}"]
    lines += [f"with {name} {version}" for name, version in opening.packs]
    lines.append(f"players {opening.players}")
    lines += [f"seat {player} {kind}" for player, kind in opening.seats]
    lines += [f"option {name} {json.dumps(value)}" for name, value in opening.options]
    lines.append(f"position {opening.position}" if opening.seed is None else f"seed {opening.seed}")
    lines.append(f"rules {opening.rules}")
    marks = sorted(opening.definitions)
    lines += [f"definitions {' '.join(marks[at : at + 14])}" for at in range(0, len(marks), 14)]
    lines.append(f"start {opening.start}")
    return "\n".join(lines) + "\n\n"


def record_text(opening: Opening, lines: Iterable[Line]) -> str:
    return head_text(opening) + "".join(f"{line}\n" for line in lines)


# --- reading ---


def read_record(text: str) -> Record:
    """The record in a text; RestoreError says in which line what is wrong."""
    if not isinstance(text, str) or len(text) > LARGEST or not text.startswith("ruleforge record "):
        raise RestoreError(
            "RF820", "this is not a record of a game: it does not begin with `ruleforge record`"
        )
    whole, newline, cut = text.rpartition("\n")
    lines = whole.split("\n") if newline else []
    if not lines or lines[0].strip() != HEAD:
        found = (lines or [text])[0][:40]
        raise RestoreError("RF820", f"this is `{found}`; what can be read here is `{HEAD}`")
    end = lines.index("") if "" in lines else len(lines)
    if end == len(lines):
        raise RestoreError("RF820", "the record ends before its first step")
    opening = _opening(lines[1:end])
    lines_after = [_line(number, line) for number, line in enumerate(lines[end + 1 :], end + 2)]
    return Record(opening, tuple(line for line in lines_after if line.text), cut)


def _line(number: int, line: str) -> Line:
    command_text, sign, mark = line.partition(_MARK)
    if not sign:
        command_text, mark = line.partition("#")[0], ""
    words = mark.partition("#")[0].split()
    text = command_text.strip().replace("\\n", "\n")
    return Line(text, words[0] if words else "", words[1] if len(words) > 1 else "", number)


def _opening(lines: list[str]) -> Opening:
    found: dict[str, list[str]] = {}
    for number, line in enumerate(lines, 2):
        word, _, rest = line.partition(" ")
        if word not in _WORDS:
            raise RestoreError(
                "RF820", f"line {number} of the record begins with `{word[:20]}`, which is unknown"
            )
        found.setdefault(word, []).append(rest.strip())
    try:
        game, version = found["game"][0].split(" ", 1)
        packs = tuple(_pair(each) for each in found.get("with", ()))
        options = tuple((name, json.loads(value)) for name, value in map(_pair, found.get("option", ())))
        seed = int(found["seed"][0]) if "seed" in found else None
        position = found["position"][0] if seed is None else ""
        definitions = frozenset(token for each in found.get("definitions", ()) for token in each.split())
        players = as_number(found["players"][0])
        rules, start = found["rules"][0], found["start"][0]
        seats = tuple(map(_pair, found.get("seat", ())))
    except (KeyError, IndexError, ValueError, RecursionError):
        raise RestoreError("RF820", "the record lacks the start of the game") from None
    if players is None or not all(map(_TOKEN.match, definitions)):
        raise RestoreError("RF820", "the record lacks the start of the game")
    return Opening(game, version, packs, rules, start, players, options, seed, position, definitions, seats)


_WORDS = ("game", "with", "players", "seat", "option", "seed", "position", "rules", "definitions", "start")


def _pair(text: str) -> tuple[str, str]:
    name, value = text.split(" ", 1)
    return name, value


# --- beginning again ---


def start_again(game: Game, opening: Opening) -> State:
    """The first state of a record. RestoreError if it belongs to another game or other packs."""
    if opening.game != game.id:
        raise RestoreError("RF821", f"this is a record of `{opening.game}`, not of `{game.id}`")
    packs = tuple((pack.id, pack.version) for pack in game.info.packs)
    if sorted(name for name, _ in packs) != sorted(name for name, _ in opening.packs):
        played = listed((name for name, _ in opening.packs), "and") or "no packs"
        raise RestoreError("RF822", f"the record was played with {played}; use --with")
    if opening.seed is None:
        return game.restore(opening.position)
    return game.start(players=opening.players, seed=opening.seed, options=dict(opening.options))


def changed_since(opening: Opening, game: Game, definitions: Mapping[str, str] | None) -> str:
    """The difference between the rules of a record and the rules now, in words. Empty if there is none."""
    if game.digest == opening.rules:
        return ""
    if definitions is None or not opening.definitions:
        return "the rules have changed since"
    now = tokens(definitions)
    other = sorted(path for token, path in now.items() if token not in opening.definitions)
    gone = len(opening.definitions - set(now)) - len(other)
    parts = [f"{listed(other[:8], 'and')}{' and more' if len(other) > 8 else ''} changed"] if other else []
    parts += [f"{gone} went"] if gone > 0 else []
    return (
        f"the rules have changed since: {', '.join(parts)}"
        if parts
        else "only texts of the rules have changed since"
    )


def differs(line: Line, because: str) -> RestoreError:
    """The diagnostic about a step that does not lead where it led."""
    why = f"; {because}" if because else ""
    return RestoreError(
        "RF825", f"line {line.number} of the record, `{line.text}`, leads to another position{why}"
    )


def impossible(line: Line, problem: str, because: str) -> RestoreError:
    why = f"; {because}" if because else ""
    return RestoreError(
        "RF825", f"line {line.number} of the record, `{line.text}`, is not possible: {problem}{why}"
    )
