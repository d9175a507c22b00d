"""A run of the plain interpreter that follows where secrets go, up to what is asked next and what can be answered.

A value is dark if it was worked out from a dark one; what is done, or left undone, because of a dark value leaves
dark whatever it may write. Something may be called dark that is not, but never the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ruleforge.backends.api import Row
from ruleforge.backends.faults import Trapped
from ruleforge.backends.reference import Interpreter, _Left, _Run
from ruleforge.backends.shaded import BLIND, CLEAR, DARK, NONE, Shade, ShadedRun, Veil
from ruleforge.compiler import ir
from ruleforge.compiler.outreach import Outreach
from ruleforge.compiler.visit import statements

KEPT = 32  # answers


class Follower:
    """Follows the secrets of one program."""

    def __init__(self, program: ir.Program) -> None:
        self._machine = Interpreter(program)
        self._outreach = Outreach(program)
        self._known: dict[tuple[int, ...], bool] = {}  # the last answers, the oldest first

    def asks_of_secrets(self, row: Row, codes: Sequence[int], veil: Callable[[], Veil]) -> bool:
        """Whether the question that these answers lead to, its choices, or anything to be seen by then may hang on what
        is behind the row's veil.

        Texts are read word by word, tried and completed, so the same is asked again and again.
        """
        key = (*row, *codes)
        if key not in self._known:
            if len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = self._asks_of_secrets(row, codes, veil())
        return self._known[key]

    def _asks_of_secrets(self, row: Row, codes: Sequence[int], veil: Veil) -> bool:
        run = FollowedRun(self._machine, list(row), veil, self._outreach)
        try:
            for code in codes:
                run.asked_darkly = False
                run.go_on(code)
        except Trapped:  # it is refused whatever comes
            return True
        return run.asked_darkly or not run.dark.isdisjoint(veil.shows)


class FollowedRun(ShadedRun):
    """Does what statements say, and marks what they leave dark."""

    def __init__(self, machine: Interpreter, row: Row, veil: Veil, outreach: Outreach) -> None:
        super().__init__(machine, row, veil)
        self.outreach = outreach
        self.asked_darkly = False
        self.inside = False  # of something done because of a dark value
        self.broken = False  # a loop that a dark value may have ended
        self.fled = False  # a function, or block, that a dark value may have ended
        self.flights: dict[int, int] = {}  # frames that went on darkly, and the block where that ends
        self.written: Callable[[], Iterable[ir.Body]] = tuple  # what may be left undone by leaving now
        self.tried: FollowedRun | None = None  # the last trial

    @property
    def around(self) -> bool:
        """Whether what is done now hangs on something dark."""
        return self.inside or self.broken or self.fled or bool(self.flights)

    # --- marks ---

    def name(self, name: str, shade: Shade) -> None:
        self.names[name] = DARK if self.around else shade

    def word_at(self, slot: int, dark: bool) -> None:
        (self.dark.add if dark or self.around else self.dark.discard)(slot)

    def darken(self, bodies: Iterable[ir.Body]) -> None:
        """Whatever these may write is dark."""
        size = 0
        if self.frame:
            function = self.program.paused[self.row[self.frame]]
            size = 0 if function is None else function.frame_size
        for body in bodies:
            writes = self.outreach.writes(body, size)
            self.names |= dict.fromkeys(writes.names, DARK)
            self.dark |= writes.slots
            self.dark |= {self.frame + offset for offset in writes.framed}
            self.asked_darkly = self.asked_darkly or writes.offers

    # --- frames ---

    def end_of(self, function: ir.PausedFunction, block: int) -> Any:
        frame = self.frame
        if self.flights.get(frame) == block:
            del self.flights[frame]
        self.names = {}
        self.inside = self.broken = self.fled = False
        self.written = lambda: self.outreach.between(function, block)
        end = super().end_of(function, block)
        if self.fled:
            self.flights.setdefault(frame, self.outreach.meeting(function, block))
        match end:
            case ir.Wait(who=who):
                self.asked_darkly = self.asked_darkly or self.around or self.is_dark(who)
            case ir.Return(value=value):
                result, shade = self.judged(value)
                self.word_at(ir.RET, bool(shade))
                end = ir.Return(ir.Const(result))
                self.flights.pop(frame, None)
                self.dark.difference_update(range(frame, frame + function.frame_size))
        self.inside = self.broken = self.fled = False
        return end

    def push(self, function: ir.PausedFunction, push: ir.Push) -> None:
        dark = [self.is_dark(argument) for argument in push.arguments]
        super().push(function, push)
        first = self.row[ir.SP] + ir.FRAME_LOCALS
        for at, argument in enumerate(dark):
            self.word_at(first + at, argument)

    def codes(self) -> list[int]:
        if not self.row[ir.SITE]:
            return []
        site, arguments = self.site_arguments()
        given = [self.judged(a)[1] for a in self.program.waits[site.number].arguments]
        self.offers = []
        self.call(site.enumerator, list(arguments.values()), given)
        return self.offers

    # --- statements ---

    def call(self, name: str, arguments: Sequence[int], shades: Sequence[Shade] = ()) -> int:
        function = self.program.plain[name]
        outer = self.names, self.inside, self.broken, self.fled, self.written
        met, self.shade = self.shade, CLEAR
        self.names = dict(zip(function.parameters, shades, strict=False))
        self.inside, self.broken, self.fled = self.around, False, False
        self.written = lambda: (function.body,)
        try:
            value = super().call(name, arguments)
            self.darker(self.fled)
            self.shade = max(self.shade, met)
        finally:
            self.names, self.inside, self.broken, self.fled, self.written = outer
        return value

    def do_set(self, node: ir.Set) -> None:
        self.locals[node.name], shade = self.judged(node.value)
        self.name(node.name, shade)

    def do_store(self, node: ir.Store) -> None:
        hidden = node.index is not None and self.is_dark(node.index)
        if hidden:  # which word it is, is a secret
            self.dark.update(self.outreach.extent(node.base))
        slot = self.slot(node.base, node.index)
        self.row[slot], shade = self.judged(node.value)
        self.word_at(slot, bool(shade) or hidden)

    def do_framestore(self, node: ir.FrameStore) -> None:
        slot = self.slot(self.frame + node.offset, node.index, stack=True)
        self.row[slot], shade = self.judged(node.value)
        self.word_at(slot, bool(shade) or self.is_dark(node.index))

    def do_frameclear(self, node: ir.FrameClear) -> None:
        super().do_frameclear(node)
        for slot in range(self.frame + node.offset, self.frame + node.offset + node.size):
            self.word_at(slot, False)

    def do_newarray(self, node: ir.NewArray) -> None:
        super().do_newarray(node)
        self.name(node.name, CLEAR)

    def do_setelement(self, node: ir.SetElement) -> None:
        dark = self.is_dark(node.index, node.value)
        super().do_setelement(node)
        self.name(node.array, DARK if dark else self.names.get(node.array, CLEAR))

    def do_if(self, node: ir.If) -> None:
        test, dark = self.judged(node.test)
        body = node.then if test else node.other
        if not dark:
            self.body(body)
            return
        outer, self.inside = self.inside, True
        self.darken((node.then, node.other))
        self.flee(node)
        try:
            self.body(body)
        except _Left as left:
            if not isinstance(left.by, ir.Break):
                self.darken(self.written())
            raise
        finally:
            self.inside = outer

    def flee(self, node: Any) -> None:
        """What comes behind a dark decision hangs on it, if that may leave before."""
        if self.outreach.leaves(node):
            self.fled = True
        elif any(isinstance(s, ir.Break) for s in statements((node,))):
            self.broken = True

    def do_while(self, node: ir.While) -> None:
        def laps() -> Any:
            while True:
                going, dark = self.judged(node.test)
                if dark:
                    self.broken = True
                    self.darken((node.body,))
                if not going:
                    return
                yield None

        self.looped(node, {}, False, lambda loop: self.loop(loop, laps(), ()))

    def do_forrange(self, node: ir.ForRange) -> None:
        dark = self.is_dark(node.low, node.high)
        self.looped(node, {node.name: CLEAR}, dark, super().do_forrange)

    def do_each(self, node: ir.Each) -> None:
        self.looped(node, dict.fromkeys(node.names, CLEAR), self.is_dark(node.key), super().do_each)

    def do_scan(self, node: ir.Scan) -> None:
        wanted, shade = self.judged(node.value)
        slots = range(node.base + 1, node.base + node.size + 1)
        dark = bool(shade) or not self.dark.isdisjoint(slots)
        unseen = wanted not in self.veil.open and not self.veil.lying.keys().isdisjoint(slots)
        self.looped(node, {node.name: BLIND if unseen else CLEAR}, dark, super().do_scan)

    def looped(self, node: Any, names: dict[str, Shade], dark: bool, run: Callable[[Any], None]) -> None:
        outer = self.inside, self.broken
        if dark:
            self.inside = True
            self.darken((node.body,))
        for name, shade in names.items():
            self.name(name, DARK if dark else shade)
        try:
            run(node)
            if self.broken:
                self.darken((node.body,))
        except _Left:
            if dark or self.broken:
                self.fled = True
                self.darken(self.written())
            raise
        finally:
            hung, (self.inside, self.broken) = dark or self.broken, outer
        if hung and self.outreach.leaves(node):
            self.fled = True

    def do_perform(self, node: ir.Perform) -> None:
        given = [self.judged(a) for a in node.arguments]
        outer, self.shade, self.met = (self.shade, self.met), CLEAR, NONE
        result = self.call(node.function, [value for value, _ in given], [shade for _, shade in given])
        shade = DARK if self.met else self.shade
        self.shade, self.met = outer
        if node.into is not None:
            self.locals[node.into] = result
            self.name(node.into, shade)

    def do_offer(self, node: ir.Offer) -> None:
        code, shade = self.judged(node.code)
        self.offers.append(code)  # things that are not seen are offered by where they lie
        self.asked_darkly = self.asked_darkly or shade is DARK or self.around

    def do_random(self, node: ir.Random) -> None:
        _, shade = self.judged(node.bound)
        super().do_random(node)
        self.word_at(ir.RNG_A, bool(shade))
        self.name(node.into, shade)

    # --- what is asked and tried ---

    def of_callexpr(self, node: ir.CallExpr) -> int:
        given = [self.judged(a) for a in node.arguments]
        return self.call(node.function, [value for value, _ in given], [shade for _, shade in given])

    def of_trial(self, node: ir.Trial) -> int:
        self.darker(self.is_dark(*node.arguments))
        value = super().of_trial(node)
        assert self.tried is not None
        self.darker(value == -1 or bool(self.tried.shade or self.tried.met))
        return value

    def trial(self, row: Row) -> _Run:
        twin = FollowedRun(self.machine, row, self.veil, self.outreach)
        twin.dark, twin.inside = set(self.dark), self.around
        self.tried = twin
        return twin
