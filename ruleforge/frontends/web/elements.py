"""Builds HTML elements; text that is not markup is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

VOID = {"input", "link", "meta"}  # elements without content
Attribute = str | int | float | bool | None


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(element: str, /, *content: str | Iterable[Html], **attributes: Attribute) -> Html:
    """An element. `class_` is `class`, `data_x` is `data-x`; what is None or False is left out."""
    text = "".join(
        f" {_name(key)}" if value is True else f' {_name(key)}="{escape(_text(value))}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(
        f"<{element}{text}>" if element in VOID else f"<{element}{text}>{together(*content)}</{element}>"
    )


def together(*content: str | Iterable[Html]) -> Html:
    """One after the other."""
    return Html("".join(_content(part) for part in content))


def _content(part: str | Iterable[Html]) -> str:
    if isinstance(part, Html):
        return part
    return escape(part) if isinstance(part, str) else "".join(part)


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _text(value: Attribute) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
