"""The console on a real terminal: prompt, completion, several lines, saved files, and an end by force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ruleforge.frontends.repl.command_reader import completions
from tests.unit.frontends.repl.test_records import console_of, edit
from tests.unit.frontends.repl.yard import write_yard
from tests.unit.frontends.terminal import Terminal

Sit = Callable[..., Terminal]


@pytest.fixture
def repl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sit]:
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "cache"))
    opened: list[Terminal] = []

    def sit_down(*arguments: object) -> Terminal:
        opened.append(Terminal("repl", *arguments))
        return opened[-1]

    yield sit_down
    for terminal in opened:
        if terminal.process.poll() is None:
            terminal.process.kill()


def test_a_session_at_the_console(repl, tmp_path):
    home = write_yard(tmp_path)
    terminal = repl(home, "--seed", "3", "--watch")
    assert "yard 1.0 · ann decides: turn" in terminal.until("1▸")
    terminal.say("count(b in")
    terminal.say("  wood)")
    terminal.until("3\r\n")
    terminal.until("1▸")
    terminal.say("do call wo\t", end="")
    terminal.until("do call wolf")
    terminal.say("")
    terminal.until("2▸")
    terminal.say("do wait; watch power(wolf)")
    terminal.until("power(wolf) is 3")
    terminal.say("\x03", end="")
    terminal.until("3▸")
    edit(home, "game.yaml", "printed: 3}", "printed: 5}")
    assert "wolf.printed 3 → 5" in terminal.until("power(wolf): 3 → 5")
    terminal.say("break on feed")
    terminal.until("3▸")
    terminal.say("do give wolf")
    terminal.until("stopped before feed(b = Grey Wolf)")
    terminal.until("3 stopped▸")
    terminal.say("continue")
    terminal.until("power(wolf): 5 → 6")
    terminal.say("d1.nonsense")
    terminal.until("RF501")
    terminal.say("do wa", end="")  # the line being typed
    terminal.process.kill()
    again = repl(home, "--resume")
    again.until("4▸")
    again.say("log; break")
    shown = again.until("1  feed")
    assert "ann: give wolf" in shown
    again.until("4▸")
    again.say("\x04", end="")
    assert again.leave() == 0
    history = tmp_path / "cache" / "repl-history"
    assert "do give wolf" in history.read_text("utf-8") and history.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("cho", {"choices"}),
        ("do call w", {"call wolf"}),
        ("do wait; do call p", {"call pike"}),
        ("pow", {"power"}),
        ("count(b in wo", {"wood", "wolf"}),
        ("wolf.", {"fed", "printed", "power"}),
        ("ann.", {"points", "grain", "den"}),
        ("1 + ann.gr", {"grain"}),
        ("set ann.", {"ann.points", "ann.den"}),
        ("view ", {"ann", "ben", "public"}),
        ("help bra", {"branches"}),
        ("switch ", {"main"}),
        ("break on f", {"feed", "fight", "hare.flees"}),
        ("why not ca", {"call"}),
        ("triggers l", {"lure"}),
        ("run fe", {"feed"}),
    ],
)
def test_what_can_be_completed(tmp_path, text, some):
    found = completions(console_of(write_yard(tmp_path)), text)
    assert some <= {word for word, _ in found}
    begun = found[0][1]
    assert text.endswith(text[len(text) - begun :])
