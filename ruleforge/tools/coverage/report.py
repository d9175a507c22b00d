"""The report of rule coverage: figures and lines for people and programs, and the HTML page."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path

from ruleforge.compiler.trace_marks import CONDITION
from ruleforge.support.records import dataclass
from ruleforge.support.terminal_escape import harmless
from ruleforge.tools.coverage.cover import BOTH, NO, YES, Cover
from ruleforge.tools.coverage.items import CHOICE, KINDS, Item

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1a1a1a; }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem .15rem 0; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
meter { width: 10rem; } details { margin: 1rem 0; } summary { cursor: pointer; font-weight: 600; }
pre { font: 13px/1.45 ui-monospace, monospace; overflow-x: auto; } pre span { display: block; white-space: pre; }
.no { color: #777; user-select: none; display: inline-block !important; width: 3.5rem; }
.ran { background: #e7f6e7; } .partly { background: #fff4cf; } .never { background: #fde3e1; }
.why { color: #8a5300; float: right; display: inline !important; }
@media (prefers-color-scheme: dark) {
  body { background: #161616; color: #ddd; }
  .ran { background: #143214; } .partly { background: #3d3206; } .never { background: #461a17; } .why { color: #e0a84e; }
}
"""
_MISSING = {0: "never evaluated", YES: "never false", NO: "never true"}


def page(title: str, cover: Cover, texts: Mapping[str, str]) -> str:
    """The page; `texts` are the rule files by name. It loads nothing from elsewhere."""
    rows = [("lines of rules", line_share(cover)), *kind_shares(cover).items()]
    body = [
        f"<h1>{_safe(title)}: rule coverage</h1>",
        "<p>Green lines ran. On yellow ones a condition only ever went one way. Red ones never ran.</p>",
        f"<table>{''.join(_row(name, share) for name, share in rows)}</table>",
        *(_file(name, cover, texts.get(name, "")) for name in files_of(cover)),
    ]
    head = f'<meta charset="utf-8"><title>{_safe(title)}: rule coverage</title><style>{_STYLE}</style>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n'
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _row(name: str, share: Share) -> str:
    bar = f'<meter min="0" max="100" value="{share.percent:.1f}">{share.percent:.1f} %</meter>'
    count = f'<td class="n">{share.done} of {share.all}</td>'
    return f"<tr><th>{name}</th>{count}<td>{bar} {share.percent:.1f} %</td></tr>"


def _file(name: str, cover: Cover, text: str) -> str:
    lines = {line: ran for (file, line), ran in cover.lines().items() if file == name}
    why: dict[int, list[str]] = {}
    for item, reason in missing(cover):
        if item.span.file == name:
            words = f"{item.kind}{f' {item.word}' if item.word else ''} {reason}"
            why.setdefault(item.span.line, []).append(words)
    shown = "".join(
        _line(number, line, lines.get(number), why.get(number, []))
        for number, line in enumerate(text.split("\n"), start=1)
    )
    share = line_share(cover, name)
    return f"<details{' open' if why else ''}><summary>{_safe(name)}: {share}</summary><pre>{shown}</pre></details>"


def _line(number: int, text: str, ran: bool | None, why: list[str]) -> str:
    colour = "" if ran is None else "never" if not ran else "partly" if why else "ran"
    reason = f'<span class="why">{_safe("; ".join(dict.fromkeys(why)))}</span>' if why else ""
    return f'<span class="{colour}">{reason}<span class="no">{number}</span>{_safe(text)}</span>'


def _safe(text: str) -> str:
    return escape(harmless(text))


# Figures and lines of rule coverage, for people and programs, by file.


@dataclass(frozen=True, slots=True)
class Share:
    """A number of items out of all items."""

    done: int
    all: int

    @property
    def percent(self) -> float:
        return 100 * self.done / self.all if self.all else 100.0

    def as_data(self) -> dict[str, float]:
        return {"covered": self.done, "all": self.all, "percent": round(self.percent, 1)}

    def __str__(self) -> str:
        return f"{self.done} of {self.all} ({self.percent:.1f} %)"


def line_share(cover: Cover, file: str | None = None) -> Share:
    """Lines of rules on which all that can run did; of one file, or of all."""
    lines = [ran for (name, _), ran in cover.lines().items() if file in (None, name)]
    return Share(sum(lines), len(lines))


def kind_shares(cover: Cover) -> dict[str, Share]:
    return {f"{kind}s": Share(*cover.of(kind)) for kind in KINDS}


def files_of(cover: Cover) -> list[str]:
    return sorted({item.span.file for item in cover.items})


def missing(cover: Cover) -> list[tuple[Item, str]]:
    """The items that did not run, or only one way, with words for it."""
    return [(item, note) for item in cover.items if (note := _note(cover, item))]


def _note(cover: Cover, item: Item) -> str:
    bits = cover.bits(item)
    if item.kind == CONDITION:
        return "" if bits == BOTH else _MISSING[bits]
    if bits:
        return ""
    return "never chosen" if item.kind == CHOICE else "never ran"


def as_data(cover: Cover) -> dict[str, object]:
    return {
        "lines": line_share(cover).as_data(),
        **{name: share.as_data() for name, share in kind_shares(cover).items()},
        "files": {file: line_share(cover, file).as_data() for file in files_of(cover)},
        "missing": [
            {"place": str(item.span), "kind": item.kind, "what": item.word or None, "problem": note}
            for item, note in missing(cover)
        ],
    }


def shown_file(file: str, home: Path) -> str:
    """A file as seen from the game or pack it belongs to."""
    path, folder = Path(file).resolve(), home.resolve()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else file
