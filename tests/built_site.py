"""A folder of built HTML pages -> what is wrong with them: code shown as prose, stray headings, dead links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_HEADINGS = {f"h{level}" for level in range(1, 7)}
_FENCE = re.compile(
    r"^(?P<indent> *)(?P<ticks>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^ *(?P=ticks) *$", re.M | re.S
)
_COMMENT = re.compile(r"<!--.*?-->", re.S)


@dataclass
class BuiltPage(HTMLParser):
    """The parts of an HTML page that the check compares with its Markdown."""

    file: Path
    blocks: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self._article = self._pre = False
        self._heading: str | None = None
        self.feed(self.file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.add(str(given["id"]))
        if tag == "article":
            self._article = True
        if not self._article:
            return
        if tag == "pre":
            self._pre = True
            self.blocks.append("")
        elif tag in _HEADINGS:
            self._heading = ""
        target = given.get("href" if tag == "a" else "src" if tag == "img" else "")
        if target is not None:
            self.links.append(target)

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre":
            self._pre = False
        elif tag in _HEADINGS and self._heading is not None:
            self.headings.append(self._heading.removesuffix("¶").strip())
            self._heading = None
        elif tag == "article":
            self._article = False

    def handle_data(self, data: str) -> None:
        if self._pre:
            self.blocks[-1] += data
        elif self._heading is not None:
            self._heading += data


def fences_of(markdown: str) -> list[str]:
    """The texts of the fenced blocks, without the indentation of the list they stand in."""
    found = []
    for fence in _FENCE.finditer(markdown):
        indent = len(fence["indent"])
        lines = fence["body"].splitlines()
        found.append("\n".join(line[indent:] if not line[:indent].strip() else line for line in lines))
    return found


def headings_of(markdown: str) -> list[str]:
    """The headings outside fenced blocks, as plain text."""
    text = _COMMENT.sub("", _FENCE.sub("", markdown))
    return [_plain(heading) for heading in re.findall(r"^#{1,6} +(.+?)(?: +#+)?$", text, re.MULTILINE)]


def _plain(heading: str) -> str:
    linked = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"\\(.)", r"\1", re.sub(r"[`*]", "", linked)).strip()


def faults_of(site: Path, docs: Path) -> Iterator[str]:
    """One line for each fault of the site that was built from the folder of Markdown pages."""
    pages = {file: BuiltPage(file) for file in sorted(site.rglob("*.html"))}
    for source in sorted(docs.rglob("*.md")):
        name = source.relative_to(docs)
        file = site / name.with_suffix(".html")
        if name.name == "README.md":
            file = file.with_name("index.html")
        if file not in pages:
            yield f"{name}: not in the site"
            continue
        markdown = source.read_text(encoding="utf-8")
        yield from (f"{name}: {fault}" for fault in _differences(pages[file], markdown))
        yield from (f"{name}: dead link {target}" for target in _dead_links(pages[file], pages))


def _differences(page: BuiltPage, markdown: str) -> Iterator[str]:
    shown = [block.strip("\n") for block in page.blocks]
    for text in fences_of(markdown):
        if text.strip("\n") not in shown:
            yield f"code shown as prose: {text.strip().splitlines()[0] if text.strip() else ''}"
    wanted = headings_of(markdown)
    for heading in page.headings:
        if heading not in wanted:
            yield f"heading from inside a block: {heading}"


def _dead_links(page: BuiltPage, pages: dict[Path, BuiltPage]) -> Iterator[str]:
    for target in page.links:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        goal = (page.file.parent / unquote(parts.path)).resolve() if parts.path else page.file.resolve()
        if goal.is_dir():
            goal /= "index.html"
        if not goal.exists() or (parts.fragment and goal in pages and parts.fragment not in pages[goal].ids):
            yield target
