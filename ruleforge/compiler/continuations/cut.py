"""All functions of a program -> those that never wait, and those that may as blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.continuations.block_numbers import numbered
from ruleforge.compiler.continuations.splitter import Cutter
from ruleforge.compiler.frames import allocate
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.passes.tail_merging import merge_tails
from ruleforge.compiler.passes.unwind import ends, with_unwinds
from ruleforge.compiler.visit import statements

SMALL = 60  # blocks up to this size are repeated at each jump to them instead of being jumped to


def cut(lowered: ir.Lowered) -> tuple[dict[str, ir.Function], list[ir.PausedFunction]]:
    """The functions that never wait, and those that may as blocks, main first; where a row ends is not asked yet."""
    functions: dict[str, ir.Function] = {}
    used: set[str] = set()  # whose results somebody wants
    for name, f in lowered.functions.items():
        body = fold(f.body, lowered.tables)
        performed = [s for s in statements(body) if type(s) is ir.Perform]
        used |= {s.function for s in performed if s.into}
        if any(ends(lowered.functions[s.function]) for s in performed):
            body = with_unwinds(body, lowered.functions, at_end=not f.pauses)
        functions[name] = f if body is f.body else replace(f, body=body)
    order = [lowered.main] + [n for n, f in functions.items() if f.pauses and n != lowered.main]
    frames: list[ir.PausedFunction] = []
    for number, name in enumerate(order, 1):
        function = functions[name]
        blocks = numbered(Cutter(functions, used).cut(function), repeat=SMALL)
        blocks = [merge_tails(fold(block, lowered.tables)) for block in blocks]
        frames.append(allocate(function, number, blocks, name in used))
    plain = {name: f for name, f in functions.items() if not f.pauses and name != lowered.main}
    return plain, frames


def waits(frames: Sequence[ir.PausedFunction]) -> dict[int, ir.SiteFrame]:
    """Where in the frames the arguments of each site's enumerator are found."""
    sites: dict[int, ir.SiteFrame] = {}
    for function in frames:
        for block in function.blocks:
            for statement in statements(block):
                if isinstance(statement, ir.Wait):
                    frame = ir.SiteFrame(function.name, statement.arguments)
                    if sites.setdefault(statement.site, frame) != frame:
                        raise ValueError(
                            f"site {statement.site} is asked at two places with different arguments"
                        )
    return sites
