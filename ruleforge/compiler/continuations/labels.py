"""Pieces of a function that is cut: places to go on, and what goes there."""

from __future__ import annotations

from dataclasses import field

from ruleforge.compiler import ir
from ruleforge.support.records import dataclass


@dataclass(eq=False)
class Label:
    """A place to go on; `resumes` marks a place that is reached after a pause."""

    body: ir.Body = ()
    resumes: bool = False
    place: int = 0  # of an entry: that of the function
    arrivals: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Jump:
    to: Label


@dataclass(frozen=True, slots=True)
class Pause:
    """A Wait or Push whose block is still a label."""

    node: ir.Wait | ir.Push
    to: Label
