"""Markdown -> its code blocks, and how each sort of block is tried out."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ruleforge.support.diagnostics import Diagnostic
from tests.unit.frontends.commands import Command as InThisProcess

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(
    r"^(?:<!-- (?P<words>[^\n]*) -->\n)?^```(?P<language>[^\n`]*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
CODE = re.compile(r"RF\d{3}")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words of a comment before it, its text and the line it begins on."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The file this block is the content of, if it says so in its first line."""
        first = self.text.split("\n", 1)[0]
        return first.removeprefix("# file:").strip() if first.startswith("# file:") else None

    @property
    def source(self) -> Path | None:
        """The file of a tiny ruleset of which this block shows some lines: `<!-- from=costs -->`."""
        for word in self.words:
            if word.startswith("from="):
                name, _, scenario = word.removeprefix("from=").partition("/")
                folder = ROOT / "tests" / "rulesets" / name
                return folder / "scenarios" / f"{scenario}.yaml" if scenario else folder / "game.yaml"
        return None

    def is_excerpt_of(self, text: str) -> bool:
        """Whether the block stands in the text, however far it is indented there; `...` leaves lines out."""
        rest = [line.strip() for line in text.splitlines()]
        for part in re.split(r"^ *\.\.\.\n", self.text, flags=re.MULTILINE):
            lines = [line.strip() for line in part.splitlines()]
            for at in range(len(rest) - len(lines) + 1):
                if rest[at : at + len(lines)] == lines:
                    rest = rest[at + len(lines) :]
                    break
            else:
                return False
        return True


def documents() -> list[Path]:
    """The pages that people wrote: all but the rulebooks, which `ruleforge docs` writes."""
    docs = ROOT / "docs"
    written = [page for page in sorted(docs.rglob("*.md")) if docs / "rulebooks" not in page.parents]
    return sorted(ROOT.glob("*.md")) + written + sorted((ROOT / "examples").glob("*/README.md"))


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in FENCE.finditer(text):
        words = tuple((match["words"] or "").split())
        line = text.count("\n", 0, match.start("language")) + 1
        found.append(Block(match["language"].strip(), words, match["body"], line))
    return found


# --- fragments of rules ----------------------------------------------------------------------------

SKELETON: dict[str, Any] = {
    "game": {"id": "sample", "title": "Sample", "version": "1.0", "text": "A sample.", "players": 2},
    "kinds": {
        "player": {"things": ["ann", "ben"], "has": {"chips": "0..99 = 10"}},
        "game": {"has": {"round": "0..99"}},
        "cell": {"grid": {"shape": "square", "columns": 3, "rows": 3}, "has": {"disc": "player or none"}},
        "card": {"facts": {"power": "0..9"}, "things": {"ace": {"power": 9}, "jack": {"power": 3}}},
    },
    "flow": [
        {"phase": "turn", "each": "me in players", "window": "one"},
        {"phase": "last", "do": "finish over"},
    ],
    "actions": {"wait": {"during": "turn", "do": "skip"}},
    "endings": {"over": {"text": "It is over."}},
}


def completed(block: Block) -> str:
    """A fragment with everything a game needs added below it; a block after `<!-- whole -->` stays as it is."""
    fragment = block.text
    if "whole" in block.words:
        return fragment
    given = set(re.findall(r"^([a-z]+):", fragment, re.MULTILINE))
    missing = {name: section for name, section in SKELETON.items() if name not in given}
    if "kinds" in given and not re.search(r"^  player:", fragment, re.MULTILINE):
        fragment = fragment.replace(
            "kinds:\n", "kinds:\n  player:\n    things: [ann, ben]\n    has: {chips: 0..99 = 10}\n", 1
        )
    if "flow" in given:
        missing.pop("actions", None)
    if "endings" in given and "flow" in missing:
        missing["flow"] = SKELETON["flow"][:1]  # its own ending is not there to finish with
    return fragment.rstrip("\n") + "\n" + (yaml.safe_dump(missing, sort_keys=False) if missing else "")


def diagnostics_for(text: str, folder: Path) -> tuple[Diagnostic, ...]:
    from ruleforge.project.resolver import diagnostics_of

    file = folder / "sample.yaml"
    file.write_text(text, encoding="utf-8")
    return diagnostics_of(file)


# --- consoles --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Command:
    """A line `$ ...` of a console block, its exit code (`# exit 1`), and the output shown below it."""

    text: str
    exit_code: int
    output: str


def commands_of(block: Block) -> list[Command]:
    found: list[Command] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            code = re.search(r"# exit (\d)", line)
            found.append(Command(line[2:], int(code[1]) if code else 0, ""))
        elif found:
            last = found.pop()
            found.append(Command(last.text, last.exit_code, last.output + line + "\n"))
    return found


@dataclass(frozen=True)
class Ran:
    """What a command has left behind."""

    code: int
    output: str


def run_command(command: Command, folder: Path, here: InThisProcess) -> Ran:
    """Run it as a user would, without a terminal: `ruleforge` in this process, what needs a shell in a shell.

    Python starts once, and a game is read and compiled once, however many pages speak of it.
    """
    words = plain_words(command.text)
    if words is not None and words[0] == "ruleforge":
        done = here(*words[1:])
        return Ran(done.code, done.out + done.err)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        command.text,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    return Ran(ended.returncode, ended.stdout + ended.stderr)


def plain_words(text: str) -> list[str] | None:
    """The words of a command line, or None where only a shell knows what it means."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    joins = any(set(word) <= set(lexer.punctuation_chars) for word in words)
    return None if joins or not words or set(text) & set("$*?`~\\") else words


def shows(output: str, expected: str) -> bool:
    """Is the output as shown, with `...` standing for anything?"""
    pattern = ".*".join(re.escape(part.strip()) for part in expected.strip().split("..."))
    return re.search(pattern, output.strip(), re.DOTALL) is not None
