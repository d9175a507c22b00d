"""Scene -> a piece of HTML for notebooks; all text is escaped, colours are few and named."""

from __future__ import annotations

from html import escape

from ruleforge.engine.presentation.draw import Paper, drawn
from ruleforge.engine.presentation.lines import Line, Mark
from ruleforge.engine.presentation.palette import colour_of
from ruleforge.engine.presentation.scene import Scene

PAPER = Paper(100)


def html(scene: Scene) -> str:
    """The table in a fixed font, then who is asked what, or how the game ended."""
    players = tuple(player for player, _ in scene.players)
    lines = "\n".join(_line(line, players) for line in drawn(scene, PAPER))
    asked = scene.asked
    last = scene.ended or (f"{asked.name}: {asked.prompt or 'decides'}" if asked else "")
    head = f"<strong>{escape(scene.title)}</strong>"
    return f'<div class="ruleforge">{head}<pre style="line-height:1.2">{lines}</pre>{escape(last)}</div>'


def _line(line: Line, players: tuple[str, ...]) -> str:
    return "".join(_mark(mark, players) for mark in line)


def _mark(mark: Mark, players: tuple[str, ...]) -> str:
    styles = [
        *(["opacity:0.5"] if mark.dim else []),
        *(["font-weight:bold"] if mark.bold else []),
        *(["text-decoration:underline"] if mark.changed else []),
        *([f"color:{colour}"] if (colour := colour_of(mark.of, players)) else []),
    ]
    text = escape(mark.text)
    return f'<span style="{";".join(styles)}">{text}</span>' if styles else text
