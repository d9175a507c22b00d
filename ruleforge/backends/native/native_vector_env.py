"""A vectorised environment inside a WebAssembly module of its own, which holds the rows."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ruleforge.backends.faults import OutOfRoom
from ruleforge.backends.native.host import Export, Instance, checked
from ruleforge.backends.native.mailbox import ADDRESS
from ruleforge.backends.native.memory import POOL_BYTES, Memory
from ruleforge.backends.native.sliced_work import Mailbox, Slices, put_row
from ruleforge.backends.playouts import Records, first_words
from ruleforge.backends.random32 import seed_words
from ruleforge.backends.vector_env import GAME, PICK, Terms, head_size
from ruleforge.compiler import ir
from ruleforge.compiler.observation_program import observation_size

SHORTEST = 16  # words of a list for which there must be room in every environment


class NativeVectorEnv:
    """A `VectorEnv` in machine code.

    The pool holds rows, words about each, observations, and two lists of all choices.
    """

    def __init__(self, program: ir.Program, instance: Instance, terms: Terms) -> None:
        self.program, self._terms, self._instance = program, terms, instance
        self._words, self._memory = instance.words, Memory(program)
        self._exports: dict[str, Export] = {}
        self._slices = {name: Slices() for name in ("begin_envs", "step_envs", "observe_envs")}
        self._under_way = ""  # a step that is not made in all environments yet
        self._head, self._width = head_size(program), observation_size(program)
        self._lay_out(terms.envs)
        self._mailbox = Mailbox(self._words)
        self._mailbox.put_pair("seed", seed_words(terms.seed))
        self._mailbox.put(
            most=terms.most, set_up=1, watch=0, envs=terms.envs, heads=self._heads, seen=self._seen
        )
        self._mailbox.put(again=terms.again)
        put_row(self._words, self._memory, self._memory.start, array("i", first_words(program, 0)))
        self._put_column(GAME, array("i", range(-terms.envs, 0)))
        self.restart()

    def _lay_out(self, envs: int) -> None:
        memory = self._memory
        self._heads = memory.pool + envs * memory.row_bytes
        self._seen = self._heads + 4 * envs * self._head
        first = self._seen + 4 * envs * self._width
        size = (memory.pool + POOL_BYTES - first) // 8 * 4
        if size < 4 * SHORTEST * envs:
            each = memory.row_bytes + 4 * (self._head + self._width + 2 * SHORTEST)
            raise OutOfRoom(f"there is room for {POOL_BYTES // each:,} games at a time, not for {envs:,}")
        self._lists, self._room = (first, first + size), size

    # --- environments ---

    def restart(self) -> None:
        self._finish()
        self._all("begin_envs")

    def step(self, picks: Sequence[int]) -> int:
        self._finish()
        self._put_column(PICK, array("i", picks))
        bad = self._export("first_bad_pick")()
        if bad < 0:
            self._all("step_envs")
        return bad

    def _all(self, name: str) -> None:
        """Go on with every environment."""
        listed, fresh = self._lists
        self._mailbox.put(env=0, listed=listed, fresh=fresh, fresh_end=fresh, fresh_room=fresh + self._room)
        self._under_way = name
        self._finish()

    def _finish(self) -> None:
        """Continue to the last environment, also after an interrupt, then swap the lists."""
        if self._under_way:
            self._run(self._under_way)
            self._under_way = ""
            self._lists = (self._lists[1], self._lists[0])

    def _run(self, name: str) -> None:
        """A slice of work at a time."""
        export = self._export(name)
        while not self._slices[name].run(export):
            pass

    def observed(self, viewers: Sequence[int]) -> Records:
        self._finish()
        self._put_column(PICK, array("i", viewers))
        self._mailbox.put(env=0)
        self._run("observe_envs")
        return self._copied(self._seen, self._terms.envs * self._width)

    def observed_row(self, row: Sequence[int], viewer: int) -> Records:
        self._finish()
        put_row(self._words, self._memory, self._memory.pool, array("i", row))
        return self.observed([viewer] * self._terms.envs)[: self._width]

    def _export(self, name: str) -> Export:
        if name not in self._exports:
            self._exports[name] = checked(self._instance, name)
        return self._exports[name]

    # --- words ---

    def heads(self) -> Records:
        return self._copied(self._heads, self._terms.envs * self._head)

    def codes(self) -> Records:
        self._finish()
        listed = self._lists[0]
        return self._copied(listed, (self._words[ADDRESS["fresh_end"] // 4] - listed) // 4)

    def row(self, env: int) -> Sequence[int]:
        memory = self._memory
        return self._copied(memory.pool + env * memory.row_bytes, self.program.row_size).tolist()

    def _copied(self, address: int, count: int) -> Records:
        self._finish()
        words = array("i")
        words.frombytes(self._words[address // 4 : address // 4 + count].cast("B"))
        return words

    def _put_column(self, word: int, values: Records) -> None:
        first = self._heads // 4 + word
        end = first + self._head * self._terms.envs
        self._words[first : end : self._head] = memoryview(values)
