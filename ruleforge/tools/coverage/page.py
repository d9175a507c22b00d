"""The HTML page of rule coverage: figures, and all rule files with coloured lines."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from ruleforge.support.terminal_escape import harmless
from ruleforge.tools.coverage.cover import Cover
from ruleforge.tools.coverage.figures import Share, files_of, kind_shares, line_share, missing

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
    meter = f'<meter min="0" max="100" value="{share.percent:.1f}">{share.percent:.1f} %</meter>'
    count = f'<td class="n">{share.done} of {share.all}</td>'
    return f"<tr><th>{name}</th>{count}<td>{meter} {share.percent:.1f} %</td></tr>"


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
