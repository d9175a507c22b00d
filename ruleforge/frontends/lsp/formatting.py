"""A file -> itself in canonical form, as `fmt` would write it."""

from __future__ import annotations

from pathlib import Path

from ruleforge.frontends.lsp.workspace import View
from ruleforge.tools.formatter import canonical_text


def formatted(view: View, path: Path) -> str | None:
    """The new text of a rule file; None if it has no effect texts, or nothing changes."""
    parsed = view.found.analysis.parsed
    if parsed is None or path not in view.contents:
        return None
    texts = [text for text in parsed.texts.values() if Path(text.source.span.file).absolute() == path]
    if not texts:
        return None
    old = view.contents[path]
    new = canonical_text(texts[0].source.span.file, old, texts)
    return new if new != old else None
