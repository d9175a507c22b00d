"""Outlines of cells as SVG paths; a cell is about one unit wide, south is down."""

from __future__ import annotations

import math

Spot = tuple[float, float]
STEEP = math.sqrt(3) / 2  # how far rows of hexagons are apart
RUNS = {"level": (1.0, 0.0), "upright": (0.0, 1.0), "rising": (0.5, -STEEP), "falling": (0.5, STEEP)}


def square(middle: Spot, side: float) -> str:
    x, y = middle[0] - side / 2, middle[1] - side / 2
    return f"M{x:.3f} {y:.3f}h{side:.3f}v{side:.3f}h{-side:.3f}z"


def hexagon(middle: Spot, width: float) -> str:
    radius = width / math.sqrt(3)
    corners = [
        (middle[0] + x, middle[1] + y) for x, y in (turned(radius, n * math.tau / 6) for n in range(6))
    ]
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in corners) + "z"


def line(middle: Spot, run: str) -> str:
    dx, dy = (part * 0.4 for part in RUNS[run])
    return f"M{middle[0] - dx:.3f} {middle[1] - dy:.3f}l{2 * dx:.3f} {2 * dy:.3f}"


def circle(middle: Spot, radius: float) -> str:
    x, y = middle
    half = f"a{radius:.3f} {radius:.3f} 0 1 0"
    return f"M{x - radius:.3f} {y:.3f}{half} {2 * radius:.3f} 0{half} {-2 * radius:.3f} 0z"


def sector(near: float, far: float, start: float, part: float) -> str:
    """A piece of a ring; one that goes all the way round is drawn as two halves."""
    if part > math.pi:
        return sector(near, far, start, math.pi) + sector(near, far, start + math.pi, part - math.pi)
    (ax, ay), (bx, by) = turned(far, start), turned(far, start + part)
    (cx, cy), (dx, dy) = turned(near, start + part), turned(near, start)
    outer, inner = f"A{far:.3f} {far:.3f} 0 0 1", f"A{near:.3f} {near:.3f} 0 0 0"
    return f"M{ax:.3f} {ay:.3f}{outer} {bx:.3f} {by:.3f}L{cx:.3f} {cy:.3f}{inner} {dx:.3f} {dy:.3f}z"


def turned(radius: float, angle: float) -> Spot:
    """Clockwise from the top."""
    return radius * math.sin(angle), -radius * math.cos(angle)
