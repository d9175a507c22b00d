"""The table of `make bench`: RuleForge against its peers, every ratio measured in this one run."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from numpy.random import default_rng

import ruleforge
from benchmarks import boardgameio, openspiel, ours
from benchmarks.timing import Contender, contender, ratio, take_turns
from ruleforge.backends import auto
from ruleforge.backends.artifacts.info import OptionValue

SEED = 20
GAMES = {  # name -> (playouts between two looks at the clock, plies to a position in mid-game)
    "tic-tac-toe": (64, 4),
    "connect-four": (32, 14),
    "breakthrough": (4, 30),
    "hex": (4, 50),
}
PLAYOUT = {"tic-tac-toe": 0.8, "connect-four": 0.8, "breakthrough": 0.8, "hex": 0.6}
INSIDE = {  # only natively: playouts between two looks at the clock
    "chess": 1,
    "checkers": 4,
    "backgammon": 1,
    "hearts": 16,
    "quoridor": 1,
    "go": 1,
}
NATIVE = {  # random games, to OpenSpiel's
    "tic-tac-toe": 3.0,
    "connect-four": 7.0,
    "breakthrough": 4.0,
    "hex": 3.0,
    "chess": 2.0,
    "checkers": 3.0,
    "backgammon": 3.0,
    "hearts": 1.5,
    "quoridor": 0.5,
    "go": 0.5,
}
SEARCH = {"tic-tac-toe": 1.5, "connect-four": 8.0, "breakthrough": 4.0, "hex": 3.0, "chess": 1.5}  # the same
STEPPING = {"tic-tac-toe": 0.6, "connect-four": 0.6, "breakthrough": 0.3, "hex": 0.3}
BATCH = {
    "tic-tac-toe": 4.0,
    "connect-four": 4.0,
    "breakthrough": 3.0,
    "hex": 2.0,
}  # moves, to stepping OpenSpiel's
NUM_ENVS = 1024
BOARDGAMEIO = {"tic-tac-toe": None, "connect-four": 50.0}
RULESETS = {  # large games: moves a second in random play, to OpenSpiel's on Connect Four
    "splicers": 0.02,
    "orbit-simulator": 0.02,
    "primordial-orbs": 0.02,
    "primordial-soup": 0.02,
    "soul-gems": 0.02,
}
DECISIONS = {  # a second, in machine code
    "splicers": 700_000,
    "orbit-simulator": 700_000,
    "primordial-orbs": 3_000_000,
    "primordial-soup": 1_500_000,
    "soul-gems": 700_000,
}
OPTIONS: dict[str, dict[str, OptionValue]] = {  # for games that may go on for ever, and rules that a peer has
    "soul-gems": {"max_turns": 20},
    "hearts": {"one_deal": True},
}
COPY_MICROSECONDS, COPY_FACTOR = 3.0, 10.0
PEER, LENGTHS = (
    "connect-four",
    50,
)  # what large games are compared with; games played to know how long they are
QUICK, FULL = (3, 0.1), (7, 0.5)  # turns, seconds a turn

LIMITS = {
    "playout": "one generated Python function plays on; the interpreter's cost of each row access remains",
    "stepping": "two Python calls a step and the complete list of interned choices; long lists cost most",
    "moves": "choices are listed by asking the rules of every card in play; Connect Four asks about seven columns",
    "native": "complete lists of choices; every rule is asked anew at every decision",
    "decisions": "the same, without a peer",
    "search": "the playouts; the tree itself costs a fifth at most",
    "auto": "what is stepped in machine code: the way there and back, and what the chooser may see",
    "batch": "one call steps 1,024 games, with complete lists; what is read is copied out of the module",
    "copy": "a new object that shares the row; the row itself is copied by the step that follows",
    "boardgame.io": "its reducer copies and freezes the whole state object for each move",
}


@dataclass(frozen=True)
class Row:
    """One line of the table; `ours` and `theirs` are units per second."""

    game: str
    what: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    target: str
    holds: bool | None  # None: no target for this line


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    turns, seconds = QUICK if options.quick else FULL
    rows: list[Row] = []
    remarks: list[str] = []
    wanted = options.game or [*GAMES, *INSIDE, *RULESETS]
    for name in wanted:
        measure = _against_openspiel if name in GAMES else _inside if name in INSIDE else _moves
        rows += measure(name, turns, seconds)
    try:
        rows += _against_boardgameio([g for g in BOARDGAMEIO if g in wanted], turns, seconds)
    except boardgameio.Absent as reason:
        remarks.append(f"boardgame.io was not measured: {reason}.")
    if options.json:
        print(
            json.dumps(
                {"machine": _machine(), "rows": [asdict(r) for r in rows], "remarks": remarks}, indent=2
            )
        )
    else:
        _print_table(rows, remarks)
    missed = [row for row in rows if row.holds is False]
    return 1 if options.check and missed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short turns: a first impression, noisy")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    parser.add_argument("--check", action="store_true", help="exit 1 if a target is missed")
    parser.add_argument(
        "--game", action="append", choices=[*GAMES, *INSIDE, *RULESETS], help="only this game (repeatable)"
    )
    return parser


def _against_openspiel(name: str, turns: int, seconds: float) -> Iterable[Row]:
    batch, plies = GAMES[name]
    game, peer = ruleforge.load(name), openspiel.load(name)
    start, rng = game.start(seed=SEED), Random(SEED)
    mine, theirs = ours.middle_position(start, plies, rng), openspiel.middle_position(peer, plies, rng)
    playout = contender("playout", lambda n: ours.play_out(game, start, n, rng), batch)
    stepping = contender("stepping", lambda n: ours.step_through(start, n, rng), batch)
    driven = contender("OpenSpiel", lambda n: openspiel.play_out(peer, n, rng), batch)
    copies = contender("copy", lambda n: ours.copy(mine, n), 1000)
    clones = contender("clone", lambda n: openspiel.clone(theirs, n), 1000)
    take_turns((playout, driven, stepping), turns, seconds)
    take_turns((copies, clones), turns, seconds / 5)
    yield _row(name, playout, driven, PLAYOUT[name])
    yield _row(name, stepping, driven, STEPPING[name])
    yield _copy_row(name, copies, clones)
    yield _together(name, peer, turns, seconds)
    yield from _inside(name, turns, seconds)


def _together(name: str, peer: Any, turns: int, seconds: float) -> Row:
    """Moves of many games that advance together, against a game at a time."""
    batch, rng, numbers = ruleforge.load(name).batch(NUM_ENVS, SEED), Random(SEED), default_rng(SEED)
    plies = openspiel.length(peer, LENGTHS, rng)
    mine = contender("batch", lambda n: ours.step_batch(batch, n, numbers), 4, NUM_ENVS)
    driven = contender("OpenSpiel", lambda n: openspiel.play_out(peer, n, rng), GAMES[name][0], plies)
    take_turns((mine, driven), turns, seconds)
    return _row(name, mine, driven, BATCH[name])


def _inside(name: str, turns: int, seconds: float) -> Iterable[Row]:
    """Machine code against C++: whole random games, and simulations of a search."""
    many = 16 * (INSIDE.get(name) or GAMES[name][0])  # a call has a price of its own
    game, peer, rng = ruleforge.load(name, backend="native"), openspiel.load(name), Random(SEED)
    start = game.start(seed=SEED, options=OPTIONS.get(name))
    native = contender("native", lambda n: ours.play_natively(game, start, n, rng), 8 * many)
    rollouts = contender("C++ rollouts", lambda n: openspiel.roll_out(peer, n, rng.getrandbits(31)), many)
    take_turns((native, rollouts), turns, seconds)
    yield _row(name, native, rollouts, NATIVE[name])
    if name not in SEARCH:
        return
    mine = contender("search", lambda n: ours.search(start, n, rng), 8 * many)
    bot = contender("C++ search", lambda n: openspiel.search(peer, n, rng.getrandbits(31)), many)
    take_turns((mine, bot), turns, seconds)
    yield _row(name, mine, bot, SEARCH[name])


def _moves(name: str, turns: int, seconds: float) -> Iterable[Row]:
    """A large game against a small one: how many moves a second, whatever game they are made in."""
    game, peer, rng = ruleforge.load(name, backend="python"), openspiel.load(PEER), Random(SEED)
    start = game.start(seed=SEED, options=OPTIONS.get(name))
    length, plies = ours.length(start, LENGTHS, rng), openspiel.length(peer, LENGTHS, rng)
    mine = contender("moves", lambda n: ours.play_out(game, start, n, rng), 1, length)
    driven = contender("OpenSpiel", lambda n: openspiel.play_out(peer, n, rng), GAMES[PEER][0], plies)
    compiled = ruleforge.load(name, backend="native")
    begin = compiled.start(seed=SEED, options=OPTIONS.get(name))
    native = contender("native", lambda n: ours.play_natively(compiled, begin, n, rng), 512, length)
    first = ruleforge.load(name).start(seed=SEED, options=OPTIONS.get(name))
    picked = contender("auto", lambda n: ours.step_through(first, n, rng), 1, length)
    stepped = contender("our Python", lambda n: ours.step_through(start, n, rng), 1, length)
    ours.step_through(first, auto.WARM, rng)
    take_turns((mine, driven, native), turns, seconds)
    take_turns((picked, stepped), turns, seconds)
    yield _row(name, mine, driven, RULESETS[name])
    yield _row(name, picked, stepped, 1.0)
    reached, wanted = native.median, DECISIONS[name]
    yield Row(
        name,
        "decisions",
        "our Python",
        reached,
        mine.median,
        ratio(native, mine),
        f">= {wanted / 1000:g} k/s",
        reached >= wanted,
    )


def _row(game: str, mine: Contender, theirs: Contender, target: float | None) -> Row:
    reached = ratio(mine, theirs)
    wanted = "" if target is None else f">= {target:g}"
    holds = None if target is None else reached >= target
    return Row(game, mine.name, theirs.name, mine.median, theirs.median, reached, wanted, holds)


def _copy_row(game: str, copies: Contender, clones: Contender) -> Row:
    """At most 3 microseconds, or ten times OpenSpiel's clone, whichever is larger."""
    spent, theirs = 1e6 / copies.median, 1e6 / clones.median
    allowed = max(COPY_MICROSECONDS, COPY_FACTOR * theirs)
    target = f"<= {allowed:.1f} us"
    return Row(
        game,
        "copy",
        "OpenSpiel",
        copies.median,
        clones.median,
        ratio(copies, clones),
        target,
        spent <= allowed,
    )


def _against_boardgameio(names: Iterable[str], turns: int, seconds: float) -> list[Row]:
    server = boardgameio.Server()
    try:
        return [_boardgameio_row(server, name, turns, seconds) for name in names]
    finally:
        server.close()


def _boardgameio_row(server: boardgameio.Server, name: str, turns: int, seconds: float) -> Row:
    game, rng = ruleforge.load(name), Random(SEED)
    start = game.start(seed=SEED)
    mine = contender("playout", lambda n: ours.play_out(game, start, n, rng), GAMES[name][0])
    theirs = Contender("boardgame.io", lambda spent: server.rate(name, spent))
    take_turns((mine, theirs), turns, seconds)
    return _row(name, mine, theirs, BOARDGAMEIO[name])


def _machine() -> dict[str, str]:
    return {"python": platform.python_version(), "system": platform.system(), "machine": platform.machine()}


def _print_table(rows: list[Row], remarks: list[str]) -> None:
    print(
        f"Python {platform.python_version()}; medians of interleaved turns; results are read on both sides\n"
    )
    print(f"{'game':17}{'what':10}{'ours':>12}  {'peer':13}{'peer does':>12}{'ratio':>8}  {'target':12}holds")
    for row in rows:
        holds = {True: "yes", False: "NO", None: ""}[row.holds]
        print(
            f"{row.game:17}{row.what:10}{_rate(row.ours, row.what):>12}  {row.peer:13}"
            f"{_rate(row.theirs, row.what):>12}{row.ratio:>8.2f}  {row.target:12}{holds}"
        )
    print("\nWhat limits each number:")
    for what, reason in LIMITS.items():
        print(f"  {what}: {reason}.")
    for remark in remarks:
        print(remark)


def _rate(value: float, what: str) -> str:
    if what == "copy":
        return f"{1e6 / value:.2f} us"
    return f"{value / 1000:.2f} k/s"


if __name__ == "__main__":
    sys.exit(main())
