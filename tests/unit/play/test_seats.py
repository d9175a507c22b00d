"""Who may sit at a table: profiles of the rules, controllers, somebody at the other end of a connection."""

from __future__ import annotations

import json
import random
import shlex
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

import ruleforge
from ruleforge.engine.profile_weights import weighed
from ruleforge.frontends.cli.main import main
from ruleforge.play.agents import ProfileAgent, Question, RemoteController, SeatedAgent, is_agent, make_agent
from ruleforge.play.record import head_text, opening_of
from ruleforge.project.resolver import diagnostics_of
from tests.unit.small_games import rules_file

CARDS = """\
game: {id: cards, title: Cards, version: "1.0", text: Cards., players: 2}
kinds:
  player: {things: [ann, ben], has: {debt: {type: 0..9, sees: viewer is self}, coins: 0..9}}
  card: {facts: {worth: 1..9}, things: {ace: {worth: 9}, two: {worth: 2}, six: {worth: 6}}}
places:
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
  deck: {holds: card, ordered: true, sees: false, starts: cards}
  heap: {holds: card}
formulas:
  wealth: {takes: {p: player}, is: count(c in p.hand where c.worth > 5)}
events:
  drop: {takes: {c: card}, needs: c.worth > 1, do: move c to heap}
setup: |
  shuffle deck
  for p in players:
    for c in first(x in deck): move c to p.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  play: {during: turn, choose: {c: in me.hand}, do: move c to heap}
  swap: {during: turn, joined: true, choose: {left: in heap, right: "in heap where right is not left"}, do: skip}
  pick: {during: turn, choose: {left: in heap, right: in heap}, do: skip}
  wait: {during: turn, do: finish over}
endings:
  over: {text: Over.}
profiles:
  keen: {weighs: WEIGHS}
"""


def rules(weighs: str) -> Path:
    return rules_file(CARDS.replace("WEIGHS", weighs))


def codes(weighs: str) -> list[str]:
    return [d.code for d in diagnostics_of(rules(weighs)) if d.severity == "error"]


@pytest.mark.parametrize(
    "worth",
    [
        "c.worth",
        "wealth(me)",
        "count(x in ben.hand) + count(x in deck)",
        "me.debt",
        "next(me).coins",
        "1 if can(drop(c)) else 0",
        "1 if any(x in ben.hand) else 0",
        "max(x.worth for x in me.hand)",
    ],
)
def test_a_profile_may_know_what_its_player_knows(worth):
    assert codes(f'{{play: "{worth}"}}') == []


@pytest.mark.parametrize(
    "worth",
    [
        "wealth(ben)",
        "wealth(next(me))",
        "sum(wealth(p) for p in players)",
        "count(x in ben.hand where x.worth > 3)",
        "count(x in hand where x.worth > 3)",
        "1 if ace in deck else 0",
        "1 if ace.holder is me else 0",
        "next(me).debt",
        "would(drop(ace): count(x in heap))",
    ],
)
def test_a_profile_that_looks_further_is_refused(worth):
    assert codes(f'{{play: "{worth}"}}') == ["RF713"]


@pytest.mark.parametrize(
    ("weighs", "code"),
    [
        ("{paly: 1}", "RF501"),
        ("{play: two}", "RF502"),
        ("{pick: right.worth}", "RF501"),  # it is asked for later
        ("{pick: left.worth}", None),
        ("{swap: left.worth - right.worth}", None),
        ('{play: "1 +"}', "RF407"),
    ],
)
def test_what_a_weight_may_say(weighs, code):
    assert codes(weighs) == ([] if code is None else [code])


@pytest.mark.parametrize("name", ["human", "greedy", "mcts", "remote"])
def test_a_profile_has_no_name_of_a_seat(name):
    folder = rules_file(CARDS.replace("keen", name).replace("WEIGHS", "{wait: 1}"))
    assert [d.code for d in diagnostics_of(folder) if d.severity == "error"] == ["RF505"]


def test_the_choice_that_is_worth_most_is_taken():
    state = ruleforge.load(rules("{play: c.worth, wait: 1}")).start(seed=2)
    assert [int(w) for w in weighed(state, "keen")][-1] == 1
    chosen = make_agent("keen", 1, state.game.compiled.profiles).choose(state)
    assert chosen.action == "play"
    assert is_agent("keen", state.game.compiled.profiles) and not is_agent("keen")


def test_of_equals_the_first_is_taken_and_what_is_not_listed_is_worth_nothing():
    state = ruleforge.load(rules("{wait: 0}")).start(seed=2)
    assert set(weighed(state, "keen")) == {0}
    assert ProfileAgent("keen").choose(state) is state.choices[0]


def test_there_is_no_such_profile():
    state = ruleforge.load(rules("{wait: 0}")).start(seed=2)
    with pytest.raises(ruleforge.PlayError, match="there is no profile `keener`; there are `keen`"):
        weighed(state, "keener")


@pytest.mark.parametrize("profile", ["balanced", "builder", "aggressive"])
def test_a_profile_chooses_the_same_whatever_is_hidden(profile):
    game = ruleforge.load("primordial-orbs", ["automated-seats"])
    state, rng, agent = game.start(seed=4), random.Random(4), make_agent(profile, 0, game.compiled.profiles)
    for _ in range(12):
        assert state.decision is not None
        player = state.decision.player
        mine = agent.choose(state)
        assert agent.choose(state.sample_world(player, rng)).text == mine.text
        state.apply(mine if rng.random() < 0.7 else rng.choice(state.choices))
        if not state.choices:
            break


# --- controllers ---


class Scripted:
    """Answers from a list and keeps what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), list[Question]()

    def answer(self, question: Question) -> str:
        self.asked.append(question)
        return self.answers.pop(0)


def test_a_controller_gets_a_view_and_choices_and_nothing_else():
    state = ruleforge.load("primordial-orbs").start(seed=3)
    controller = Scripted("choose_core ice")
    assert SeatedAgent(controller).choose(state).text == "choose_core ice"
    (question,) = controller.asked
    assert question.view == state.view("p0") and question.player == "p0"
    assert question.choices == tuple(choice.text for choice in state.choices)
    assert json.loads(json.dumps(question.view)) == question.view  # data through and through


def test_a_wrong_answer_is_refused_with_its_reason_and_asked_again():
    state = ruleforge.load("primordial-orbs").start(seed=3)
    controller = Scripted("end_play", "", "choose_core ice choose_core ice", "2")
    assert SeatedAgent(controller).choose(state) is state.choices[1]
    assert all(question.refused for question in controller.asked[1:])


def test_ten_wrong_answers_are_enough():
    state = ruleforge.load("nim").start(seed=3)
    with pytest.raises(ruleforge.PlayError, match="10 wrong answers") as refusal:
        SeatedAgent(Scripted(*["no"] * 20)).choose(state)
    assert refusal.value.code == "RF846"


# --- somebody elsewhere ---


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def remotely(*lines: bytes) -> tuple[ruleforge.Choice, list[bytes]]:
    state, port = ruleforge.load("primordial-orbs").start(seed=3), free_port()
    with ThreadPoolExecutor(1) as pool:
        agent = SeatedAgent(RemoteController(port, patience=20))
        chosen = pool.submit(agent.choose, state)
        asked = visit(port, lines)
        return chosen.result(timeout=30), asked


def visit(port: int, lines: tuple[bytes, ...]) -> list[bytes]:
    """Come to a port as soon as it is open, answer each question with a line, and tell what was asked."""
    for _ in range(100):
        with socket.socket() as probe:
            probe.settimeout(20)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                with probe.makefile("rwb") as stream:
                    asked = []
                    for line in lines:
                        asked.append(stream.readline())
                        stream.write(line)
                        stream.flush()
                return asked
        time.sleep(0.05)
    raise AssertionError("nobody listens")


def test_somebody_elsewhere_chooses():
    chosen, asked = remotely(b'"choose_core lava"\n')
    assert chosen.text == "choose_core lava"
    assert set(json.loads(asked[0])) == {"player", "prompt", "view", "table", "choices", "refused"}


@pytest.mark.parametrize(
    "junk", [b"\n", b"not json\n", b"[[[\n", b'{"choice": 1}\n', b"null\n", b'"\\u0000"\n', b"\xff\xfe\n"]
)
def test_junk_is_refused_and_asked_again(junk):
    chosen, asked = remotely(junk, b'"1"\n')
    assert json.loads(asked[1])["refused"]
    assert chosen.text


@pytest.mark.parametrize("lines", [(), (b"x" * 70_000,)])
def test_a_seat_that_is_left_ends_with_a_sentence(lines):
    with pytest.raises(ruleforge.PlayError, match="does not answer") as refusal:
        remotely(*lines)
    assert refusal.value.code == "RF846"


def test_nobody_comes():
    state = ruleforge.load("nim").start(seed=1)
    with pytest.raises(ruleforge.PlayError, match="does not answer"):
        SeatedAgent(RemoteController(free_port(), patience=0.05)).choose(state)


# --- a program of the user ---

ECHO = "import json, sys\nfor line in sys.stdin: print({}, flush=True)"


def by_program(code: str) -> ruleforge.Choice:
    state = ruleforge.load("primordial-orbs").start(seed=3)
    agent = make_agent(f"command:{shlex.join([sys.executable, '-c', code])}", 1, outside=True)
    return agent.choose(state)


@pytest.mark.parametrize(
    "answer", ["json.loads(line)['choices'][-1]", "json.dumps(json.loads(line)['choices'][-1])"]
)
def test_a_program_chooses(answer: str) -> None:
    choices = ruleforge.load("primordial-orbs").start(seed=3).choices
    assert by_program(ECHO.format(answer)).text == choices[-1].text


def test_a_program_may_answer_with_a_number() -> None:
    choices = ruleforge.load("primordial-orbs").start(seed=3).choices
    assert by_program(ECHO.format("2")).text == choices[1].text


@pytest.mark.parametrize("command", ["/no/such/program", "true", "'open quote", f"{sys.executable} -c 1/0"])
def test_a_program_that_does_not_answer_ends_with_a_sentence(command: str) -> None:
    state = ruleforge.load("nim").start(seed=1)
    with pytest.raises(ruleforge.PlayError, match="does not answer") as refusal:
        make_agent(f"command:{command}", 1, outside=True).choose(state)
    assert refusal.value.code == "RF846"


@pytest.mark.parametrize("name", ["command:true", "remote:4001"])
def test_only_the_user_may_name_a_seat_outside(name: str) -> None:
    assert is_agent(name, outside=True) and not is_agent(name)
    with pytest.raises(ruleforge.PlayError, match="there is no agent"):
        make_agent(name, 1)


def test_a_record_starts_no_program(tmp_path: Path) -> None:
    state, touched = ruleforge.load("nim").start(seed=1), tmp_path / "touched"
    seats = tuple((player, f"command:touch {touched}") for player in state.players)
    record = tmp_path / "game.txt"
    record.write_text(head_text(opening_of(state, 1, seats=seats)))
    result = CliRunner().invoke(main, ["play", "nim", "--load", str(record)], input="quit\n")
    assert "(human)" in result.output and not touched.exists()
