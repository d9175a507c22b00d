"""What is typed, loaded and restored may be anything: each mistake is a sentence, and the game goes on."""

from __future__ import annotations

import hashlib
import json
import random
import struct

import pytest

import ruleforge
from tests.property.lines import game_of
from tests.unit.frontends.test_prompt import Terminal

TEXTS = (
    "take one --5", "take one -", "take one " + "9" * 5000, "9" * 5000, "take one ١", "take one 0x1", "take one 1e3",
    "take " * 2000, "\x00", "\x1b]0;x\x07", "take one 1\n", "take\tone 1", "-1", "take one ²", "💥",
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_any_text_is_a_choice_or_is_refused_in_words(number):
    state = game_of("nim").start()
    try:
        state.apply(TEXTS[number])
    except ruleforge.IllegalChoice as refusal:
        assert refusal.code.startswith("RF8")
    state.why_not(TEXTS[number])


def test_the_prompt_goes_on_after_anything():
    lines = (
        "take one --5",
        "save .",
        "save ~nosuchuser/x",
        "save /nosuchfolder/x",
        "9" * 5000,
        "why (((",
        "about ((",
        "--5",
    )
    terminal = Terminal("nim", "--seat", "ann=human", "--seat", "ben=human")
    try:
        terminal.until("ann>")
        for line in lines:
            terminal.say(line)
            shown = terminal.until("ann>")
            assert "Traceback" not in shown
        terminal.say("take one 1")
        assert "Traceback" not in terminal.until("ben>")
    finally:
        terminal.say("quit")
        terminal.leave()


@pytest.mark.parametrize("value", ["--5", "9" * 5000, "", "-", "٣"])
def test_an_option_that_is_no_number_is_misuse_in_words(value, tmp_path):
    from click.testing import CliRunner

    from ruleforge.frontends.cli.main import main

    done = CliRunner().invoke(main, ["simulate", "nim", "--games", "1", "--option", f"misere={value}"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (1, 2)


def forged(saved: str, at: int, value: int) -> str:
    """A saved game with one word of its row changed and the digest made right."""
    data = json.loads(saved)
    data["row"][at] = value
    heading = {key: data[key] for key in data if key not in ("digest", "row")}
    sum_ = hashlib.blake2b(json.dumps(heading, sort_keys=True).encode(), digest_size=16)
    sum_.update(struct.pack(f"<{len(data['row'])}i", *data["row"]))
    return json.dumps({**data, "digest": sum_.hexdigest()})


@pytest.mark.parametrize("name", ["nim", "kuhn-poker", "splicers", "soul-gems"])
def test_a_made_up_row_is_refused_or_plays(name):
    """Words of the row are changed, the digest made right: restored states are whole, or refused."""
    game, rng = game_of(name), random.Random(1)
    state = game.start(seed=2)
    for _ in range(4):
        if len(state.choices) > 1:
            state.apply(rng.choice(state.choices))
    saved = state.save()
    size = len(json.loads(saved)["row"])
    for at in [*range(min(12, size)), *rng.sample(range(size), min(30, size))]:
        for value in (-1, 7, 2**31 - 1, -(2**31)):
            _plays_or_is_refused(game, forged(saved, at, value), rng)


def _plays_or_is_refused(game: ruleforge.Game, saved: str, rng: random.Random) -> None:
    try:
        again = game.restore(saved)
    except ruleforge.RestoreError:
        return
    for _ in range(5):
        if not again.choices:
            return
        [again.view(player) for player in again.players]
        try:
            again.apply(rng.choice(again.choices))
        except ruleforge.IllegalChoice:
            return
