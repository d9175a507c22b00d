"""What is typed, loaded and restored may be anything: each mistake is a sentence, and the game goes on."""

from __future__ import annotations

import json
import random

import pytest

import ruleforge
from ruleforge.compiler.ir import WHO
from ruleforge.support.resources import shipped_games
from tests.forged_saves import forged, plays_or_is_refused
from tests.inside import variant_of
from tests.property.lines import game_of
from tests.unit.frontends.terminal import Terminal

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
    terminal = Terminal("play", "nim", "--seat", "ann=human", "--seat", "ben=human")
    try:
        terminal.until("Ann ▸")
        for line in lines:
            terminal.say(line)
            shown = terminal.until("Ann ▸")
            assert "Traceback" not in shown
        terminal.say("take one 1")
        assert "Traceback" not in terminal.until("Ben ▸")
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


def played(name: str, seed: int) -> ruleforge.State:
    """A position some way into a game."""
    rng = random.Random(seed)
    state = game_of(name).start(seed=seed)
    for _ in range(rng.randrange(40)):
        if state.choices:
            state.apply(rng.choice(state.choices))
    return state


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_a_made_up_row_is_refused_or_plays(name):
    """Words of the row are changed, the digest made right: restored states are whole, or refused."""
    game, rng = game_of(name), random.Random(1)
    for seed in range(3):
        state = played(name, seed)
        saved = state.save()
        row, stack = json.loads(saved)["row"], variant_of(state).program.stack
        for _ in range(14):
            at = rng.choice((rng.randrange(len(row)), rng.randrange(stack, len(row)), rng.randrange(15)))
            value = rng.choice((row[at] + 1, row[at] - 1, 0, 3, 9, 17, 90, -1, 2**31 - 1, -(2**31)))
            if -(2**31) <= value < 2**31:
                plays_or_is_refused(game, forged(saved, {at: value}), rng)


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_whatever_a_frame_needs_cannot_be_nothing(name):
    """Each word of the frames in turn is 0: whatever an effect still speaks of is there, or it is refused."""
    game, rng = game_of(name), random.Random(3)
    state = played(name, 4)
    saved = state.save()
    row, stack = json.loads(saved)["row"], variant_of(state).program.stack
    for at in range(stack, len(row)):
        if row[at]:
            plays_or_is_refused(game, forged(saved, {at: 0}), rng)


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_every_game_that_was_saved_is_restored(name):
    """What is held against a row from outside never refuses one that was reached."""
    game, rng = game_of(name), random.Random(2)
    state = game.start(seed=3)
    for number in range(80):
        if number % 4 == 0:
            assert game.restore(state.save()) == state
        if not state.choices:
            break
        state.apply(rng.choice(state.choices))


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_who_is_asked_is_whom_the_frames_say(name):
    """All frames that hold whoever is asked hold the same: none of them can be somebody else, or nobody."""
    game, state = game_of(name), played(name, 2)
    decision = state.decision
    if decision is None or len(state.players) == 1:  # nobody else can be asked
        return
    row = json.loads(state.save())["row"]
    with pytest.raises(ruleforge.RestoreError):
        game.restore(forged(state.save(), {WHO: row[WHO] % len(state.players) + 1}))


def test_a_frame_that_has_lost_its_player_is_damage():
    state = played("connect-four", 2)
    row, stack = json.loads(state.save())["row"], variant_of(state).program.stack
    assert row[stack + 3] == row[WHO]
    with pytest.raises(ruleforge.RestoreError):
        game_of("connect-four").restore(forged(state.save(), {stack + 3: 0}))


def test_a_word_behind_the_queue_or_the_stack_is_damage():
    game = game_of("splicers")
    state = played("splicers", 1)
    queue, size = variant_of(state).program.queue, len(json.loads(state.save())["row"])
    assert queue is not None
    for at in (queue.slot, queue.slot + queue.entry, queue.slot + queue.length * queue.entry - 1, size - 1):
        with pytest.raises(ruleforge.RestoreError, match="RF824"):
            game.restore(forged(state.save(), {at: 1}))


FAULTY = """\
game: {id: faulty, title: Faulty, version: "1.0", text: T, players: 2}
kinds:
  player: {things: [ann, ben], has: {coins: 0..3 = 3}}
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
actions:
  take: {during: turn, do: me.coins = me.coins + 1}
  rest: {during: turn, needs: me is ann, do: skip}
endings: {over: {text: T}}
setup: |
  if false: finish over for ann
"""


def test_a_seat_whose_choice_faults_is_told_of_and_the_prompt_stays_whole(tmp_path):
    (tmp_path / "faulty.yaml").write_text(FAULTY, encoding="utf-8")
    terminal = Terminal("play", tmp_path / "faulty.yaml", "--seat", "ann=human", "--seat", "ben=random")
    try:
        terminal.until("Ann ▸")
        terminal.say("take")
        assert "Traceback" not in terminal.until("Ann ▸")
        terminal.say("rest")
        shown = terminal.until("Bye.")
        assert "Traceback" not in shown
        assert "the game cannot continue" in shown
    finally:
        terminal.leave()


@pytest.mark.parametrize(
    "path", [None, 3, b"x", "", "\x00", "one." * 2000, ("one", "left"), "one.left[" * 500]
)
def test_a_path_that_is_none_is_refused_in_words(path):
    with pytest.raises(ruleforge.PlayError):
        game_of("nim").start()[path]
