"""Make untrusted text safe for terminals, and find control characters in rules."""

from __future__ import annotations

import json
import re
from typing import Any

# All that moves a cursor, changes a terminal or turns the order of letters round. A line break and a tab are left, the
# marks that languages written from the right need, and the joiner between the parts of a picture.
_CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
CONTROL = re.compile(f"[{_CONTROL}]")


def harmless(text: str) -> str:
    """The text with control characters escaped, so that it can be printed anywhere."""
    return CONTROL.sub("\ufffd", text)


def on_one_line(text: str) -> str:
    """The same for a text that is part of a line."""
    return harmless(re.sub(r"[\t\n\r]", " ", text))


def json_text(data: Any, indent: int | None = 2) -> str:
    """JSON that is safe to display: control characters are escaped."""
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    return CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def in_markdown(text: str) -> str:
    """A text as Markdown that says it and no more: no link, no picture to be fetched, no sign of HTML."""
    return re.sub(r"[\\`*_\[\]<&]", r"\\\g<0>", harmless(text))
