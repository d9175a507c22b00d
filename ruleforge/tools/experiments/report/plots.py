"""Plots as SVG in the colours of the page, light or dark."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

from ruleforge.support.records import dataclass

INK = "#010203"  # stands for the colour of the page's text
MAIN, OTHER = "#3b82c4", "#d9762b"  # distinct for all readers, on white and on black
WIDTH = 7.2
BARS = 30  # bars of a histogram at most
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "ruleforge",
    "text.parse_math": False,  # names are plain text, with any signs in them
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 10,
    "font.family": "sans-serif",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A named value (a share is from 0 to 1), with the ends of its interval if it has one."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    marked: bool = False


class _Drawing:
    """One plot under way."""

    def __init__(self, height: float) -> None:
        from matplotlib.figure import Figure  # drawn without any window

        self.figure = Figure(figsize=(WIDTH, height), layout="constrained")
        self.figure.patch.set_alpha(0)
        self.axes = self.figure.add_subplot()
        self.axes.patch.set_alpha(0)
        self.axes.grid(axis="x", alpha=0.2, color=INK, linewidth=0.6)
        self.axes.set_axisbelow(True)
        self.svg = ""

    def finish(self, says: str) -> None:
        text = io.StringIO()
        self.figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        self.svg = _inline(text.getvalue(), says)


@contextmanager
def _drawing(height: float, says: str) -> Iterator[_Drawing]:
    from matplotlib import rc_context

    with rc_context(STYLE):
        drawing = _Drawing(height)
        yield drawing
        drawing.finish(says)


def shares(bars: Sequence[Bar], says: str, label: str, fair: float | None = None) -> str:
    """Bars from 0 to 1 in per cent, with intervals; `fair` is drawn as a line."""
    with _drawing(0.7 + 0.36 * len(bars), says) as drawing:
        axes, places = drawing.axes, range(len(bars))
        axes.barh(places, [100 * bar.value for bar in bars], color=MAIN, height=0.6)
        for place, bar in enumerate(bars):
            if bar.low is not None and bar.high is not None:
                axes.plot([100 * bar.low, 100 * bar.high], [place, place], color=INK, linewidth=1.6)
        if fair is not None:
            axes.axvline(100 * fair, color=OTHER, linestyle="--", linewidth=1.2)
        _names(axes, bars)
        axes.set_xlim(0, 100)
        axes.set_xlabel(label)
    return drawing.svg


def differences(bars: Sequence[Bar], says: str, label: str) -> str:
    """Points with intervals on both sides of 0; those that are marked in a colour of their own."""
    with _drawing(0.9 + 0.26 * len(bars), says) as drawing:
        axes = drawing.axes
        axes.axvline(0, color=INK, linewidth=0.8)
        for place, bar in enumerate(bars):
            colour = OTHER if bar.marked else MAIN
            low, high = (bar.value if end is None else end for end in (bar.low, bar.high))
            axes.plot([100 * low, 100 * high], [place, place], color=colour, linewidth=1.6)
            axes.plot([100 * bar.value], [place], "D" if bar.marked else "o", color=colour, markersize=5)
        _names(axes, bars)
        axes.set_xlabel(label)
    return drawing.svg


def histogram(
    counts: Counter[int],
    says: str,
    labels: tuple[str, str],
    unit: int = 1,
    ends: tuple[int, int] | None = None,
) -> str:
    """How often each number occurred, perhaps between given ends; neighbours are put together where there are many."""
    low, high = ends or (min(counts), max(counts))
    step = max(1, -(-(high - low + 1) // BARS))
    heights: Counter[int] = Counter()
    for value, count in counts.items():
        heights[(value - low) // step] += count
    with _drawing(2.6, says) as drawing:
        axes = drawing.axes
        places = [(low + step * bar + (step - 1) / 2) / unit for bar in heights]
        axes.bar(places, list(heights.values()), width=0.9 * step / unit, color=MAIN)
        axes.grid(axis="x", visible=False)
        axes.grid(axis="y", alpha=0.2, color=INK, linewidth=0.6)
        axes.locator_params(axis="y", integer=True)
        if unit == 1:
            _whole_numbers(axes, low, high)
        if ends:
            axes.set_xlim(low / unit, (high + step) / unit)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
    return drawing.svg


def _whole_numbers(axes: Any, low: int, high: int) -> None:
    """Nothing is marked between two numbers, and a single bar does not fill the picture."""
    if high - low < BARS // 3:
        axes.set_xticks(range(low, high + 1))
        axes.set_xlim(min(low, high - 5) - 0.6, high + 0.6)
    else:
        axes.locator_params(axis="x", integer=True)


def _names(axes: Any, bars: Sequence[Bar]) -> None:
    axes.set_yticks(range(len(bars)), [bar.name for bar in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _inline(svg: str, says: str) -> str:
    """The picture alone, as wide as there is room, with words for those who do not see it."""
    body = svg[svg.index("<svg") :].replace(INK, "currentColor")
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    head = re.search(r'viewBox="[^"]*"', body)
    assert head is not None
    rest = body[body.index(">") + 1 :]
    return f'<svg {head[0]} role="img" aria-label="{escape(says)}">{rest}'
