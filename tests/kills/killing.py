"""The real programs, ended by force at random moments: what they had answered is in the journal, and is gone on with.

A process that has everything loaded forks for each run, so that a kill costs the run and nothing else. Half of the runs
end at a call that writes the journal (before it, in the middle of its bytes, after it), the others at any time.
"""

from __future__ import annotations

import os
import pty
import random
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ruleforge
from ruleforge.frontends.cli.main import run
from ruleforge.play.journal import journals_of, text_of
from ruleforge.play.record import read_record
from ruleforge.support import output_files

STEPS = 40
SECONDS = 120


@dataclass(frozen=True, slots=True)
class Program:
    """A command and all that is typed into it."""

    arguments: tuple[str, ...]
    typed: tuple[str, ...]

    @property
    def game(self) -> str:
        return self.arguments[1]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run came to its end: its code, or minus the signal; what it had written down by then, as it said itself."""

    code: int
    written: int
    output: str


def playing(game: str, seed: int) -> Program:
    """A game in which nothing is hidden, played at random by people, every choice of theirs typed."""
    rng, state = random.Random(seed), ruleforge.load(game).start(seed=seed)
    typed: list[str] = []
    while state.decision is not None and len(typed) < STEPS:
        choice = rng.choice(state.choices)
        typed.append(choice.text)
        state.apply(choice)
    seats = (part for player in state.players for part in ("--seat", f"{player}=human"))
    return Program(("play", game, "--seed", str(seed), "--ask-all", *seats), (*typed, "quit"))


def writing_rules(game: str, seed: int) -> Program:
    """The same at the prompt for authors, with steps back and other branches."""
    rng, state = random.Random(seed), ruleforge.load(game).start(seed=seed)
    typed: list[str] = []
    while state.decision is not None and len(typed) < STEPS:
        choice = rng.choice(state.choices)
        typed += [f"do {choice.text}", *rng.choice(((), ("undo", "redo"), (f"fork b{len(typed)}",)))]
        state.apply(choice)
    return Program(("repl", game, "--seed", str(seed)), (*typed, "quit"))


class Killing:
    """Runs programs in an own cache folder and looks at what they leave."""

    def __init__(self, folder: Path) -> None:
        os.environ |= {"RULEFORGE_CACHE": str(folder), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}

    def whole(self, program: Program) -> tuple[list[str], int, float]:
        """The journal of a run that nobody ends, how many calls wrote it, and how long it took."""
        self._tidy(program.game)
        began = time.monotonic()
        ended = self._run(program, lambda: None)
        assert ended.code == 0, ended.output
        return self._lines(program), ended.written, time.monotonic() - began

    def kill(self, program: Program, rng: random.Random, whole: tuple[list[str], int, float]) -> str | None:
        """End a run somewhere, look at the journal and go on with it; what is wrong, if anything."""
        lines, calls, seconds = whole
        self._tidy(program.game)
        if rng.random() < 0.5:
            ended = self._run(program, _at_call(rng.randrange(2 * calls), rng))
        else:
            ended = self._run(program, lambda: None, rng.random() * seconds)
        found = self._lines(program)
        at = f"{' '.join(program.arguments)}: {ended.written} written, {len(found)} of {len(lines)} lines there"
        if found != lines[: len(found)]:
            return f"{at}: another game than the one that was played"
        if len(found) < ended.written - 1:  # the first call writes the head
            return f"{at}: something is lost"
        if not found:
            return None
        again = self._run(Program((*program.arguments[:2], "--resume"), ("quit",)), lambda: None)
        return None if again.code == 0 else f"{at}: it cannot be gone on with: {again.output[-300:]}"

    def _lines(self, program: Program) -> list[str]:
        for path in journals_of(program.game):
            try:
                return [str(line) for line in read_record(text_of(path)).lines]
            except ruleforge.PlayError:  # its head was being written
                continue
        return []

    def _tidy(self, game: str) -> None:
        for path in journals_of(game):
            path.unlink()

    def _run(self, program: Program, arm: Callable[[], None], kill_after: float | None = None) -> Ended:
        """In a pseudo-terminal, where every line on the disk is told by a byte."""
        ours, theirs = pty.openpty()
        reading, saying = os.pipe()
        child = os.fork()
        if child == 0:
            _be(program, theirs, saying, arm)
        os.close(saying)
        os.close(theirs)
        os.write(ours, "".join(f"{line}\r" for line in program.typed).encode())
        output = _until_over(child, ours, kill_after)
        with os.fdopen(reading, "rb") as said:
            written = len(said.read())
        _, status = os.waitpid(child, 0)
        os.close(ours)
        return Ended(os.waitstatus_to_exitcode(status), written, output)


def _until_over(child: int, terminal: int, kill_after: float | None) -> str:
    """What a program prints until it is over, or is ended."""
    printed = b""
    limit = time.monotonic() + (SECONDS if kill_after is None else kill_after)
    while time.monotonic() < limit:
        ready, _, _ = select.select([terminal], [], [], max(0.0, min(1.0, limit - time.monotonic())))
        try:
            data = os.read(terminal, 65536) if ready else b"-"
        except OSError:  # the other end is closed
            data = b""
        if not data:
            return printed.decode("utf-8", "replace")
        printed += data if ready else b""
    os.kill(child, signal.SIGKILL)
    return printed.decode("utf-8", "replace")


def _be(program: Program, terminal: int, saying: int, arm: Callable[[], None]) -> None:
    """In a process of its own: the program as from the command line."""
    code = 1
    try:
        os.setsid()
        for handle in range(3):
            os.dup2(terminal, handle)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        add = output_files.AppendedFile.add

        def told(self: output_files.AppendedFile, text: str) -> None:
            add(self, text)
            os.write(saying, b".")

        output_files.AppendedFile.add = told  # type: ignore[method-assign]
        arm()
        code = run(
            program.arguments
        )  # and no more: what is to be done at the end of the process is its parent's
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _at_call(number: int, rng: random.Random) -> Callable[[], None]:
    """Dies at the call of this number that writes a journal or brings it to the disk."""
    where, part = rng.choice(("before", "within", "after")), rng.random()

    def arm() -> None:
        write, sync, handles, met = os.write, os.fsync, set[int](), [0]
        make = output_files.AppendedFile.__init__

        def made(self: output_files.AppendedFile, path: Path) -> None:
            make(self, path)
            handles.add(self._handle)

        def die() -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        def dying_write(handle: int, data: bytes) -> int:
            now = handle in handles and met[0] == number
            met[0] += handle in handles
            if now and where != "after":
                write(handle, data[: int(len(data) * part)] if where == "within" else b"")
                die()
            done = write(handle, data)
            if now:
                die()
            return done

        def dying_sync(handle: int) -> None:
            now = handle in handles and met[0] == number
            met[0] += handle in handles
            if now and where == "before":
                die()
            sync(handle)
            if now:
                die()

        output_files.AppendedFile.__init__ = made  # type: ignore[method-assign]
        setattr(os, "write", dying_write)  # noqa: B010
        setattr(os, "fsync", dying_sync)  # noqa: B010

    return arm


def faults(kills: int, seed: int, games: tuple[str, ...]) -> list[str]:
    """End programs so often; everything that was lost or could not be gone on with."""
    rng = random.Random(seed)
    found: list[str] = []
    with tempfile.TemporaryDirectory(prefix="ruleforge-kills-") as folder:
        killing = Killing(Path(folder))
        programs = [writing_rules(game, seed) for game in games]
        programs += [
            playing(game, seed) for game in games if not ruleforge.load(game).start().hides_something
        ]
        wholes = [killing.whole(program) for program in programs]
        for number in range(kills):
            program, whole = programs[number % len(programs)], wholes[number % len(programs)]
            fault = killing.kill(program, rng, whole)
            found += [fault] if fault else []
    return found
