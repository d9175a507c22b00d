"""Bad rule files with the expected complaint on the guilty line.

A fixture file holds chunks divided by `---`; every chunk is one tiny game. `#! RFnnn words` at the end of
a line says that this code is expected on this line, with these words in its message. What a chunk leaves
out (`game`, the kind `player`, `flow`, `endings`) is added from BASE, unless it says `#! alone`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
EXPECTED = re.compile(r"#! (RF\d{3})(.*)")
BASE = {
    "game:": "game: {id: tiny, title: Tiny, version: '1', players: 2}\n",
    "  player:": "kinds:\n  player: {things: [ann, bo]}\n",
    "flow:": "flow:\n  - {phase: only, do: finish over}\n",
    "endings:": "endings:\n  over:\n",
}


@dataclass(frozen=True)
class Chunk:
    """One tiny game, with line numbers as in its fixture file."""

    fixture: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.fixture}:{self.line}"

    def expected(self) -> set[tuple[int, str]]:
        return {(number, code) for number, code, _ in self._marks()}

    def words(self) -> dict[tuple[int, str], str]:
        return {(number, code): words for number, code, words in self._marks() if words}

    def write(self, folder: Path) -> None:
        (folder / "chunk.yaml").write_text("\n" * (self.line - 1) + self.text, "utf-8")
        lines = self.text.splitlines()
        if "#! alone" not in lines:
            missing = [
                base for start, base in BASE.items() if not any(line.startswith(start) for line in lines)
            ]
            if missing:
                (folder / "zz_base.yaml").write_text("".join(missing), "utf-8")

    def _marks(self) -> list[tuple[int, str, str]]:
        numbered = enumerate(self.text.splitlines(), self.line)
        return [(number, m[1], m[2].strip()) for number, line in numbered if (m := EXPECTED.search(line))]


def chunks() -> list[Chunk]:
    """All chunks of all fixture files."""
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        start = 1
        lines: list[str] = []
        for number, line in enumerate([*path.read_text("utf-8").splitlines(keepends=True), "---\n"], 1):
            if line.rstrip() == "---":
                if EXPECTED.search("".join(lines)):
                    found.append(Chunk(path.name, start, "".join(lines)))
                start, lines = number + 1, []
            else:
                lines.append(line)
    return found
