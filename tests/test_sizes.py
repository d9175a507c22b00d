"""Large rulesets: refused early with a sentence, or played alike on every backend, within bounds of work and memory."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ruleforge
from benchmarks.large_games import REFUSED, growing_game, playable
from ruleforge.backends.python_source.module import source
from ruleforge.compiler.visit import statements

ROOT = Path(__file__).parent.parent
MEMORY, SECONDS = 500_000_000, 40  # of all cases together, in time of the processor: they take some 3
ONE = 6  # seconds of the processor for a case, most of which take a tenth of one
BACKENDS = ("reference", "python", "native")


def refusals(folder: str) -> dict[str, list[object]]:
    """What is said of each case first, where, and whether that was soon enough."""
    found: dict[str, list[object]] = {}
    for name, (code, text) in REFUSED.items():
        path = Path(folder) / "case.yaml"
        path.write_text(text)
        began = time.process_time()
        errors = [d for d in ruleforge.analyse(path).diagnostics if d.code == code]
        taken = time.process_time() - began
        soon = taken < ONE or f"{taken:.1f} s"
        found[name] = [*(d.span.line > 1 or name == "limits" for d in errors[:1]), soon]
    return found


def test_what_is_too_large_is_refused_at_its_place(tmp_path: Path) -> None:
    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    script = (
        f"import json; from tests.test_sizes import refusals; print(json.dumps(refusals({str(tmp_path)!r})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=bounded,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == {name: [True, True] for name in REFUSED}


@pytest.mark.parametrize("name", list(playable(1)))
def test_ordinary_sizes_play_alike_everywhere(name: str, tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(playable(250)[name])
    games = [_played(path, backend) for backend in BACKENDS]
    assert games == games[:1] * 3


def _played(path: Path, backend: str) -> list[object]:
    state = ruleforge.load(path, backend=backend).start(seed=3)
    rng, seen = random.Random(2), list[object]()
    while state.outcome is None:
        texts = [str(choice) for choice in state.choices]
        state.apply(texts[rng.randrange(len(texts))])
        seen.append((texts, state.save()))
    return [*seen, str(state.game.playout(state.game.start(seed=3), 7))]


def _work(cards: int, tmp_path: Path) -> tuple[int, int]:
    """Statements of the program, and lines of the Python made from it."""
    path = tmp_path / f"cards{cards}.yaml"
    path.write_text(growing_game(cards))
    compiled = ruleforge.load(path).compiled
    program = compiled.program(compiled.setup())
    bodies = [f.body for f in program.plain.values()] + [b for f in program.paused if f for b in f.blocks]
    return sum(1 for body in bodies for _ in statements(body)), source(program, "codes").count("\n")


def test_work_grows_with_the_number_of_cards(tmp_path: Path) -> None:
    small, middle, large = (_work(cards, tmp_path) for cards in (25, 50, 100))
    for a, b, c in zip(small, middle, large, strict=True):
        assert (c - b) / (b - a) < 2.2, (a, b, c)  # twice the cards, twice what is added
