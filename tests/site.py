"""The list of all codes for the site: `python -m tests.site` writes docs/diagnostics/index.md anew."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ruleforge.support.diagnostics.codes import CODES, Code

_ROOMS = {
    "1": "Reading files",
    "2": "Shape",
    "3": "Definitions",
    "4": "Syntax of effects",
    "5": "Names and types",
    "6": "Compiling",
    "7": "Warnings",
    "8": "Play, saved games, the command line",
    "9": "Contracts",
}


def codes_page(codes: Iterable[Code]) -> str:
    lines = [
        "# Diagnostics",
        "",
        "Each complaint has a code, and each code a page: `ruleforge explain CODE` shows it.",
    ]
    room = ""
    for code in sorted(codes, key=lambda code: code.code):
        if code.code[2] != room:
            room = code.code[2]
            lines += ["", f"## {_ROOMS[room]}", "", "| code | | |", "|---|---|---|"]
        title = code.title.replace("|", "\\|")
        lines.append(f"| [{code.code}]({code.code}.md) | {code.severity} | {title} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    page = Path(__file__).resolve().parent.parent / "docs" / "diagnostics" / "index.md"
    page.write_text(codes_page(CODES.values()), encoding="utf-8")
