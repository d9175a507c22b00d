"""Primordial Orbs in play: every random game ends for a reason, keeps its invariants and hides what it must."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

import ruleforge
from ruleforge.engine.errors import PlayError
from ruleforge.play.narration import Narrator
from ruleforge.play.session import Session
from ruleforge.support.resources import shipped_games
from tests.inside import variant_of, vector_of
from tests.shelf import game as shelved

NAME = "primordial-orbs"
FOLDER = shipped_games()[NAME]
REASONS = {"ascension", "collapse", "exhaustion"}
GAMES = 40
LAST_TURN = 47


@pytest.fixture(scope="module")
def game() -> ruleforge.Game:
    return shelved(NAME)


def positions(game: ruleforge.Game, seed: int) -> Iterator[ruleforge.State]:
    """A random game, position by position."""
    state, rng = game.start(seed=seed), random.Random(seed)
    yield state
    while state.choices:
        state.apply(rng.choice(state.choices))
        yield state


def broken(state: ruleforge.State) -> list[str]:
    """The invariants that do not hold here."""
    variant = variant_of(state)
    row = vector_of(state)
    return [i.name for i in variant.program.invariants if not variant.runtime.call(i.function, row, ())]


def played(
    game: ruleforge.Game, start: Mapping[str, object], *choices: str, seed: int = 0
) -> ruleforge.State:
    """A position with only the orbs named in it: Player 0 has a Land core, Player 1 an Ice core."""
    state = game.start(seed=seed).patched({"anomaly": ["land_1", "ice_1"], **start})
    for choice in ("choose_core land", "choose_core ice", *choices):
        state.apply(choice)
    return state


# --- random play ---


def test_random_games_end_for_a_reason_and_keep_the_invariants(game: ruleforge.Game) -> None:
    reasons: Counter[str] = Counter()
    for seed in range(GAMES):
        for state in positions(game, seed):
            assert state.outcome is not None or broken(state) == []
            assert int(str(state["game.turn"])) <= LAST_TURN
        assert state.outcome is not None
        assert len(state.outcome.winners) < 2
        reasons[state.outcome.reason] += 1
    assert set(reasons) <= REASONS
    assert reasons["collapse"] and reasons["exhaustion"]


def test_orbs_are_kept_to_the_last_position(game: ruleforge.Game) -> None:
    places = [path for path in game.start().paths() if path.split(".")[-1].split("[")[0] in PLACES]
    for seed in range(10):
        *_, last = positions(game, seed)
        lying = [orb for path in places for orb in _content(last[path])]
        assert len(lying) == len(set(lying)) == 70
        assert lying.count("black_hole") == 1


PLACES = {"anomaly", "hand", "ground", "life", "discard", "removed"}


def _content(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


GROUND, LIFE = ("land", "water", "ice", "lava", "gas"), ("plant", "animal", "sentient", "high_tech")


def missing(state: ruleforge.State) -> set[str]:
    """The types of ground and life that are not on the planet of the player who decides."""
    assert state.decision is not None
    seats = [f"{state.decision.player}.{seat}[slot_{n}]" for seat in ("ground", "life") for n in range(1, 7)]
    return {*GROUND, *LIFE} - {str(state[seat]).rpartition("_")[0] for seat in seats}


def wish(choice: ruleforge.Choice, missing: set[str]) -> int:
    """A peaceful builder, smallest first: new types of ground and life; spare types are discarded; no Impacts."""
    new = bool(choice.arguments) and choice.arguments[0] in missing
    match choice.action:
        case "choose_core":
            return 0
        case "discard":
            return 1 if new else 0
        case "place_colonization" | "place_terraform":
            return 0 if new else 5
        case "end_play":
            return 2
    return 9


def test_ascension_is_reached_by_players_who_want_it(game: ruleforge.Game) -> None:
    reasons: Counter[str] = Counter()
    for seed in range(20):
        state = game.start(seed=seed)
        while state.choices:
            wanted = missing(state)
            state.apply(min(state.choices, key=lambda choice: wish(choice, wanted)))
        assert state.outcome is not None
        reasons[state.outcome.reason] += 1
    assert reasons["ascension"] >= 3, reasons


def test_both_backends_agree_state_by_state(game: ruleforge.Game) -> None:
    plain = shelved(NAME, backend="reference")
    for seed in range(2):
        ours, theirs = positions(game, seed), positions(plain, seed)
        for one, two in zip(ours, theirs, strict=True):
            assert one.save() == two.save()
            assert [c.text for c in one.choices] == [c.text for c in two.choices]


# --- seats, components, secrets ---


@pytest.mark.parametrize("players", [1, 3])
def test_only_two_may_play(game: ruleforge.Game, players: int) -> None:
    with pytest.raises(PlayError) as refused:
        game.start(players=players)
    assert refused.value.code == "RF840"


def test_there_is_no_other_planet_size(game: ruleforge.Game) -> None:
    with pytest.raises(PlayError) as refused:
        game.start(options={"size": 8})
    assert refused.value.code == "RF841"


def test_the_box() -> None:
    orbs = yaml.safe_load((FOLDER / "orbs.yaml").read_text("utf-8"))["kinds"]["orb"]["things"]
    types = yaml.safe_load((FOLDER / "types.yaml").read_text("utf-8"))["kinds"]["type"]["things"]
    copies = {name: orb.get("copies", 1) for name, orb in orbs.items()}
    counted: Counter[str] = Counter()
    for name, number in copies.items():
        assert orbs[name]["printed"] == name
        counted[types[name]["class"]] += number
    assert counted == {"terraforming": 30, "colonization": 20, "impact": 20}
    assert copies["meteor"] == 4 and copies["black_hole"] == 1
    assert [types[name].get("rank", 0) for name in ("plant", "animal", "sentient", "high_tech")] == [
        1,
        2,
        3,
        4,
    ]


def test_every_core_tells_its_strength_and_weakness() -> None:
    cores = yaml.safe_load((FOLDER / "kinds.yaml").read_text("utf-8"))["kinds"]["core"]["things"]
    assert set(cores) == {"land", "water", "ice", "lava", "gas"}
    for core in cores.values():
        strength, weakness = core["text"].split("Weakness:")
        assert strength.removeprefix("Strength:").strip() and weakness.strip()


def test_the_rival_sees_how_many_orbs_are_held_but_not_which(game: ruleforge.Game) -> None:
    state = game.start(seed=4)
    state.apply("choose_core land")
    state.apply("choose_core ice")
    hand = state["p0.hand"]
    assert isinstance(hand, list) and len(hand) == 2
    view = state.view("p1")
    assert view["places"]["p0.hand"] == ["?", "?"]
    assert view["places"]["anomaly"] == ["?"] * 66
    assert state.view("p0")["places"]["p0.hand"] == hand


def test_impacts_are_deterministic(game: ruleforge.Game) -> None:
    """From copies with a hundred seeds a Disease leads to one and the same planets."""
    life = {"p1.life[slot_1]": "plant_1", "p1.life[slot_2]": "animal_1", "p1.life[slot_3]": "sentient_1"}
    start = {"p0.hand": ["disease_1"], **life}
    seen = set()
    for seed in range(100):
        state = played(game, start, "play_impact disease", seed=seed)
        seen.add(
            tuple(str(state[path]) for path in (*life, "animal_1.turned", "sentient_1.turned", "discard"))
        )
    assert len(seen) == 1


# --- the points that expansions attach to ---


def grown(tmp_path: Path, more: str, orbs: str = "", types: str = "") -> ruleforge.Game:
    """The core with one more file of rules beside it, and with more orbs and types in its lists."""
    folder = tmp_path / NAME
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("scenarios", "expansions"))
    (folder / "more.yaml").write_text(more, encoding="utf-8")
    for file, before, lines in (
        ("orbs.yaml", "      black_hole: ", orbs),
        ("types.yaml", "      plant:\n", types),
    ):
        text = (folder / file).read_text("utf-8")
        assert text.count(before) == 1
        (folder / file).write_text(text.replace(before, lines + before), "utf-8")
    return ruleforge.load(folder)


CORES_IN_FORCE = """
kinds:
  mark:
    text: What was used up this turn.
    pool: 20
    lasts: end of turn
    has:
      whose: player
      used: core
formulas:
  fresh:
    takes: {p: player, c: core}
    is: not any(m in marks where m.whose is p and m.used is c)
rules:
  land_is_quick:
    modify: play_cost(p, t)
    when: p.core is land and not disabled(p) and t.class is terraforming and fresh(p, land)
    add: -1
  land_was_quick:
    after: terraform(p, t, s)
    do: new mark(whose = p, used = land)
  land_crumbles:
    modify: uprooted(p, amount)
    when: p.core is land
    add: 1
  water_sickens:
    modify: severity(t, source, target)
    when: t is disease and target.core is water
    add: 1
  ice_shields:
    modify: severity(t, source, target)
    when: target.core is ice and not disabled(target) and fresh(target, ice)
    add: -1
  ice_was_hit:
    after: hurl(o, source, target)
    do: new mark(whose = target, used = ice)
  ice_melts:
    after: terraform(p, lava, s)
    when: p.core is ice
    do: |
      for x in first(y in slots where p.ground[y] is not none and type_of(p.ground[y]) is ice by -number(y)):
        for o in p.ground[x]: knock_off(o)
  lava_burns:
    modify: severity(t, source, target)
    when: source is not none and source.core is lava and not disabled(source)
    add: 1
  lava_cracks:
    modify: strikes_per_drop(p)
    when: p.core is lava
    add: 1
  gas_has_no_ice:
    forbid: terraform(p, ice, s)
    when: p.core is gas
actions:
  redraw:
    during: playing
    limit: once per turn
    choose:
      t: in types where holds_type(me, t)
    needs: me.core is gas and not disabled(me)
    do: |
      discard_from_hand(me, t)
      draw(me)
  swap_ground:
    during: playing
    limit: once per turn
    joined: true
    choose:
      one: in slots where me.ground[one] is not none
      two: in slots where me.ground[two] is not none and number(two) > number(one)
    needs: me.core is water and not disabled(me)
    do: |
      for a in me.ground[one]:
        for b in me.ground[two]:
          move a to discard
          move b to me.ground[one]
          move a to me.ground[two]
"""

VORTEX_AND_ROOTS = """
kinds:
  step_back:
    plural: steps_back
    text: A change of a planet that can be undone.
    pool: 200
    has:
      planet: player
      orb: orb
      spot: slot
      was: type or none
      how: 0..3
      since: 0..999
  game_clock:
    count: 1
    has:
      changes: 0..999
formulas:
  clock: {is: sum(c.changes for c in game_clocks)}
events:
  note_change:
    takes: {p: player, o: orb, s: slot, was: type or none, how: 0..3}
    do: |
      for c in game_clocks: c.changes += 1
      new step_back(planet = p, orb = o, spot = s, was = was, how = how, since = clock())
rules:
  ground_laid:
    after: terraform(p, t, s)
    do: |
      for o in p.ground[s]: note_change(p, o, s, none, 0)
  life_laid:
    after: colonize(p, t, s)
    do: |
      for o in p.life[s]: note_change(p, o, s, none, 0)
  orb_lost:
    instead of: knock_off(o)
    do: |
      let p = o.planet
      let s = o.spot
      if p is not none and s is not none:
        note_change(p, o, s, none, 2 if type_of(o).class is colonization else 1)
      proceed
  orb_turned:
    instead of: downgrade(o)
    do: |
      let p = o.planet
      let s = o.spot
      if p is not none and s is not none and type_of(o).becomes is not none:
        note_change(p, o, s, o.turned, 3)
      proceed
  time_runs_back:
    instead of: distort_time(p)
    do: |
      for c in first(x in steps_back where x.planet is p by -x.since):
        if c.how is 0 and c.orb.planet is p: move c.orb to discard
        elif c.how is 1 and c.orb in discard and p.ground[c.spot] is none: move c.orb to p.ground[c.spot]
        elif c.how is 2 and c.orb in discard and p.life[c.spot] is none: move c.orb to p.life[c.spot]
        elif c.how is 3 and c.orb in life: c.orb.turned = c.was
        remove c
"""

ROOTED_LIFE = """
rules:
  rooted:
    instead of: knock_off(o)
    do: |
      let p = o.planet
      let s = o.spot
      let rooted = type_of(o).class is terraforming
      proceed
      if rooted and p is not none and s is not none:
        for l in p.life[s]: move l to discard
"""


def test_cores_can_be_put_in_force(tmp_path: Path) -> None:
    """Core passives attach to costs, severity, removals, strikes, placements and new actions."""
    game = grown(tmp_path, CORES_IN_FORCE)
    state = played(game, {"p0.hand": ["gas_1", "gas_2", "meteor_1"]}, "place_terraform gas slot_2")
    assert state["game.plays_left"] == 2
    state.apply("place_terraform gas slot_3")
    assert state["game.plays_left"] == 1
    state.apply("play_impact meteor p0")  # severity 1, and Land loses one more
    assert state["discard"] == ["gas_2", "gas_1", "meteor_1"]

    state = played(
        game, {"p0.hand": ["meteor_1"], "p1.ground[slot_2]": "gas_1", "p1.life[slot_1]": "plant_1"}
    )
    state.apply("play_impact meteor")  # severity 2, less one for Ice
    assert state["discard"] == ["gas_1", "meteor_1"]

    state = game.start().patched(
        {"anomaly": ["gas_1", "lava_1", "water_1"], "p0.hand": ["ice_1", "meteor_1"]}
    )
    for choice in ("choose_core gas", "choose_core lava"):
        state.apply(choice)
    assert state.why_not("place_terraform ice slot_2")
    state.apply("redraw meteor")
    assert state.why_not("redraw ice")


def test_the_vortex_can_be_filled(tmp_path: Path) -> None:
    """The placeholder takes back the last change of a planet, step by step."""
    game = grown(tmp_path, VORTEX_AND_ROOTS)
    start = {
        "p0.hand": ["disease_1", "temporal_vortex_1", "gas_1"],
        "p1.hand": ["temporal_vortex_2", "meteor_1"],
        "p1.life[slot_1]": "animal_1",
        "p1.life[slot_2]": "animal_2",
    }
    state = played(game, start, "play_impact disease", "end_play")
    assert [state["p1.life[slot_1]"], state["p1.life[slot_2]"]] == [None, "animal_2"]
    assert state["discard"] == ["animal_1", "disease_1"]
    state.apply("play_impact temporal_vortex p1")
    assert state["p1.life[slot_1]"] == "animal_1" and state["animal_1.turned"] == "plant"
    state.apply("end_play")
    state.apply("play_impact temporal_vortex")
    assert state["animal_2.turned"] is None


def test_life_can_be_rooted(tmp_path: Path) -> None:
    game = grown(tmp_path, ROOTED_LIFE)
    state = played(
        game,
        {"p0.hand": ["meteor_1"], "p1.ground[slot_2]": "gas_1", "p1.life[slot_2]": "plant_1"},
        "play_impact meteor",
    )
    assert state["discard"] == ["gas_1", "plant_1", "ice_1", "meteor_1"]


@pytest.mark.parametrize("more", [CORES_IN_FORCE, VORTEX_AND_ROOTS, ROOTED_LIFE])
def test_games_with_more_rules_end_too(tmp_path: Path, more: str) -> None:
    game = grown(tmp_path, more)
    for seed in range(5):
        assert game.playout(game.start(seed=seed), seed).reason in REASONS


GENEROUS = """\
  windfall:
    after: start of turn
    do: |
      repeat 4: draw(active)
  quick_impacts:
    modify: play_cost(p, t)
    when: t.class is impact
    add: -1
"""
COMETS = """
rules:
  comets_strike:
    instead of: strike(comet, target, force)
    do: erode(target, 1)
"""
COMET_ORBS = "      comet: {printed: comet, copies: 9}\n      mud: {printed: mud, copies: 170}\n"
COMET_TYPES = "      comet: {class: impact, unique: true}\n      mud: {class: terraforming}\n"


def test_invariants_leave_room_for_what_may_be_added(tmp_path: Path) -> None:
    """Larger hands, more than 200 orbs, Impacts that cost no play and more unique ones break nothing."""
    game = grown(tmp_path, COMETS + GENEROUS, COMET_ORBS, COMET_TYPES)
    held = turns = 0
    for seed in range(8):
        for state in positions(game, seed):
            assert state.outcome is not None or broken(state) == []
            held = max(held, len(_content(state["p0.hand"])))
        turns = max(turns, int(str(state["game.turn"])))
    assert held > 5
    slow = grown(tmp_path / "slow", COMETS, COMET_ORBS, COMET_TYPES)
    for seed in range(4):
        for state in positions(slow, seed):
            assert state.outcome is not None or broken(state) == []
        turns = max(turns, int(str(state["game.turn"])))
    assert turns > 99


def test_nobody_plays_with_too_many_orbs(game: ruleforge.Game) -> None:
    """PO-6.A-c, PO-6.B-b: base figures that additions may change, and no invariant therefore."""
    for seed in range(10):
        for state in positions(game, seed):
            hands = {p: len(_content(state[f"{p}.hand"])) for p in state.players}
            assert max(hands.values()) <= 5
            if state.choices and state.choices[-1].text == "end_play":
                assert max(hands.values()) <= 3
                assert 1 - int(str(state["game.impacts_left"])) <= 2 - int(str(state["game.plays_left"]))


def test_an_impact_is_told_alike_to_both_planets(game):
    """Which orb strikes comes to light before it does, so what comes of it hangs on nothing hidden."""
    narrator, struck = Narrator(game.info), 0
    for seed in range(4):
        session, rng = Session(game.start(seed=seed)), random.Random(seed)
        while session.state.choices:
            session.apply(rng.choice(session.state.choices))
            turn = session.turns[-1]
            if turn.choice.action == "play_impact":
                tellings = [
                    narrator.step(turn.player, turn.log_text_for(seat), turn.events.seen_by(seat))
                    for seat in (*session.state.players, None)
                ]
                assert len({tuple(map(str, told)) for told in tellings}) == 1
                struck += 1
    assert struck > 20
