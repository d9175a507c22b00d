"""What packs do within their limits and only adds up in play: cut, kept out, void or refused, on every backend."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ruleforge import IllegalChoice
from ruleforge.engine.errors import RestoreError
from ruleforge.engine.state import State
from tests.unit.contracts.wharf import game, packs, wharf

BACKENDS = ("reference", "python", "native")
TOLL = "rules:\n  {0}: {{modify: toll(p), when: p.goods >= 5, add: {1}}}\n"
ACTION = "actions:\n  {0}: {{during: trade, limit: once per game, do: '{1}'}}\n"


def everywhere(folder: Path, names: tuple[str, ...]) -> Iterator[State]:
    """A game with the packs in each order, on each backend."""
    for order in (names, names[::-1]):
        for backend in BACKENDS:
            yield game(folder, order, backend).start(seed=1)


def play(state: State, *choices: str) -> None:
    for choice in choices:
        state.apply(choice)


# --- sums and floors ---


def test_a_sum_and_the_outcome_are_cut(tmp_path: Path):
    names = packs(tmp_path, dear=TOLL.format("dear", 4), dearer=TOLL.format("dearer", 3))
    for state in everywhere(tmp_path, names):
        assert state["toll(ann)"] == 6
        shown = str(state.explain("toll(ann)"))
        assert "all packs together would add 7; capped at 4 by W-1" in shown
        assert "it would be 7; capped at 6 by W-1" in shown
        play(state, "done", "pass_scales")
        assert state["ann.coins"] == 0


def test_a_floor_is_kept_after_all_is_added(tmp_path: Path):
    names = packs(tmp_path, cheap=TOLL.format("cheap", -2), cheaper=TOLL.format("cheaper", -2))
    for state in everywhere(tmp_path, names):
        assert state["toll(ann)"] == 1
        assert "it would be -1; raised to 1 by W-1" in str(state.explain("toll(ann)"))
        play(state, "done", "pass_scales")
        assert state["ann.coins"] == 8


def test_what_is_set_is_kept_within_the_outcome_too(tmp_path: Path):
    text = "rules:\n  {0}: {{modify: toll(p), when: p.goods >= 5, set: 5}}\n"
    names = packs(tmp_path, fixed=text.format("fixed"), dear=TOLL.format("dear", 4))
    for state in everywhere(tmp_path, names):
        assert state["toll(ann)"] == 6


# --- shares ---


def test_a_share_is_one_for_all_packs_and_comes_back(tmp_path: Path):
    texts = {name: f"actions:\n  {name}: {{during: trade, do: sell(me)}}\n" for name in ("deal", "bargain")}
    names = packs(tmp_path, **texts)
    for state in everywhere(tmp_path, names):
        play(state, "done", "deal")
        assert state["ann.goods"] == 9
        events = state.apply("bargain")
        assert state["ann.goods"] == 9
        void = next(event for event in events if event.name == "void sell")
        assert void.clauses == ("W-4",) and void["p"] == "ann"
        play(state, "done", "done", "bargain")
        assert state["ben.goods"] == 9


def test_a_need_that_asks_for_the_share_refuses_it_unpaid(tmp_path: Path):
    text = "actions:\n  {0}: {{during: trade, needs: can(sell(me)), cost: me.coins -= 1, do: sell(me)}}\n"
    names = packs(tmp_path, deal=text.format("deal"), bargain=text.format("bargain"))
    for state in everywhere(tmp_path, names):
        play(state, "done", "deal")
        with pytest.raises(IllegalChoice):
            state.apply("bargain")
        assert (state["ann.coins"], state["ann.goods"]) == (9, 9)


def test_one_source_for_an_event_and_the_next_one_has_its_own(tmp_path: Path):
    text = "rules:\n  {0}: {{after: weigh(p), limit: 5 per turn, do: again(p)}}\n"
    names = packs(tmp_path, one=text.format("one"), two=text.format("two"))
    for state in everywhere(tmp_path, names):
        play(state, "done", "pass_scales")
        assert state["ann.goods"] == 11
        play(state, "pass_scales")
        assert state["ann.goods"] == 12


def test_rules_that_replace_have_a_share_too(tmp_path: Path):
    text = "rules:\n  {0}: {{instead of: 'dues(p, k)', do: 'proceed with k = max(0, k - 1)'}}\n"
    names = packs(tmp_path, one=text.format("one"), two=text.format("two"))
    for state in everywhere(tmp_path, names):
        play(state, "done", "pass_scales")
        assert state["ann.coins"] == 5  # one of the two spared a coin
        play(state, "done", "done", "pass_scales")
        assert state["ben.coins"] == 4  # and neither does on the same day again


# --- denials ---


def test_the_second_denial_in_a_row_is_void_and_paid(tmp_path: Path):
    text = "actions:\n  {0}: {{during: trade, limit: once per game, cost: me.coins -= 1, do: 'bar(me, opponent)'}}\n"
    names = packs(tmp_path, fog=text.format("fog"), ice=text.format("ice"), reef=text.format("reef"))
    for state in everywhere(tmp_path, names):
        play(state, "done", "fog", "done")
        assert state.decision is not None and state.decision.prompt == "trade"  # nothing was open at the gate
        play(state, "done", "done")
        events = state.apply("ice")
        assert "void bar" in [event.name for event in events] and state["ann.coins"] == 8
        play(state, "done")
        assert not state["ben.barred"]
        play(state, "sail", "done", "done", "reef")  # a free window lay between
        assert state["ben.barred"]


def test_denials_of_different_players_do_not_count_for_each_other(tmp_path: Path):
    names = packs(tmp_path, fog=ACTION.format("fog", "bar(me, opponent)"))
    state = game(tmp_path, names).start()
    play(state, "done", "fog", "done", "fog")
    assert state["ann.barred"]


# --- what must hold ---


def test_a_change_after_which_something_no_longer_holds_is_taken_back(tmp_path: Path):
    text = "actions:\n  {0}: {{during: trade, choose: {{c: in quay}}, do: move c to me.hold}}\n"
    names = packs(tmp_path, load=text.format("load"), haul=text.format("haul"))
    for state in everywhere(tmp_path, names):
        play(state, "done", "load tea")
        before = state.digest
        with pytest.raises(IllegalChoice) as refusal:
            state.apply("haul rum")
        (reason,) = refusal.value.reasons
        assert (reason.code, reason.clauses) == ("RF836", ("W-14",)) and "count(c in ann.hold) <= 1" in str(
            reason
        )
        assert state.digest == before
        play(state, "done", "done", "load rum", "haul ink")  # the other one's hold is not spoken of


def test_what_must_hold_in_the_end_may_be_broken_on_the_way(tmp_path: Path):
    names = packs(
        tmp_path,
        pile="actions:\n  pile: {during: trade, do: 'me.goods += 2'}\n",
        juggle="actions:\n  juggle:\n    during: trade\n    do: |\n      me.goods += 2\n      me.goods -= 2\n",
    )
    for state in everywhere(tmp_path, names):
        play(state, "done", "pile", "juggle")
        with pytest.raises(IllegalChoice) as refusal:
            state.apply("pile")
        assert refusal.value.reasons[0].clauses == ("W-15",)


def test_what_must_hold_when_the_turn_is_over(tmp_path: Path):
    text = "actions:\n  {0}: {{during: trade, limit: once per turn, do: 'me.coins += 30'}}\n"
    names = packs(tmp_path, find=text.format("find"), luck=text.format("luck"))
    for state in everywhere(tmp_path, names):
        play(state, "done", "find", "luck")
        with pytest.raises(IllegalChoice) as refusal:
            state.apply("done")
        assert refusal.value.reasons[0].clauses == ("W-16",)


# --- the chain limit ---


def test_the_chain_limit_names_the_chain_and_its_clause(tmp_path: Path):
    text = "rules:\n  {0}: {{after: '{1}(p{2})', do: '{3}'}}\n"
    names = packs(tmp_path, one=text.format("one", "earn", ", k", "p.goods += 1"))
    home = wharf(tmp_path) / "expansions" / "one" / "cards.yaml"
    home.write_text("rules:\n  one: {after: 'earn(p, k)', do: 'earn(p, 1)'}\n", "utf-8")
    for state in everywhere(tmp_path, names):
        before = state.digest
        with pytest.raises(IllegalChoice) as refusal:
            state.apply("sail")
        (reason,) = refusal.value.reasons
        assert (reason.code, reason.clauses) == ("RF812", ("W-11",)) and "one" in str(reason)
        assert state.digest == before


# --- what is not there costs nothing ---


def test_a_core_alone_is_compiled_as_if_it_had_no_contract(tmp_path: Path):
    with_contract = game(tmp_path, ())
    (wharf(tmp_path) / "contract.yaml").write_text("locked: '1.0'\nloops: {fuse: 16}\n", "utf-8")
    without = game(tmp_path, ())
    assert with_contract.digest == without.digest
    programs = [g.compiled.program(g.compiled.setup()) for g in (with_contract, without)]
    assert written(programs[0]) == written(programs[1])


def written(program: object) -> str:
    """A program as text; the members of a set, which have no order, sorted."""
    return re.sub(r"frozenset\(\{([^}]*)\}\)", lambda found: str(sorted(found[1].split(", "))), repr(program))


UNTOUCHED = "actions:\n  rest: {during: trade, limit: once per turn, do: skip}\n"


def test_packs_that_touch_nothing_guarded_add_no_word_and_no_statement(tmp_path: Path):
    names = packs(tmp_path, quiet=UNTOUCHED)
    kept = game(tmp_path, names)
    (wharf(tmp_path) / "contract.yaml").write_text("locked: '1.0'\nloops: {fuse: 16}\n", "utf-8")
    free = game(tmp_path, names)
    one, other = (g.compiled.program(g.compiled.setup()) for g in (kept, free))
    assert (one.own, one.functions) == (other.own, other.functions)


def test_a_saved_game_belongs_to_its_contract(tmp_path: Path):
    names = packs(tmp_path, dear=TOLL.format("dear", 4))
    saved = game(tmp_path, names).start().save()
    assert game(tmp_path, names).restore(saved).save() == saved
    with pytest.raises(RestoreError):
        game(tmp_path, names, observe=True).restore(saved)
    contract = wharf(tmp_path) / "contract.yaml"
    contract.write_text(contract.read_text("utf-8").replace("result: 1..6", "result: 1..5"), "utf-8")
    with pytest.raises(RestoreError) as refusal:
        game(tmp_path, names).restore(saved)
    assert "the contract of the core has changed" in str(refusal.value)


# --- observed ---


def observed(folder: Path, names: tuple[str, ...], backend: str = "python") -> State:
    return game(folder, names, backend, observe=True).start(seed=1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_observed_packs_are_not_cut_and_each_breach_is_told(tmp_path: Path, backend: str):
    names = packs(tmp_path, dear=TOLL.format("dear", 4), dearer=TOLL.format("dearer", 3))
    state = observed(tmp_path, names, backend)
    assert state["toll(ann)"] == 10 and not state.violations()
    state.apply("done")
    events = state.apply("pass_scales")
    told = [
        (event.name, event["value"], event["limit"]) for event in events if event.name.startswith("breach")
    ]
    assert told == [("breach W-1 sum toll", 7, 4), ("breach W-1 result toll", 10, 6)]
    found = state.breaches
    assert [(b.what, b.count, b.clauses, b.proved, b.pack) for b in found] == [
        ("sum toll", 1, ("W-1",), False, "Dear"),
        ("result toll", 1, ("W-1",), False, "Dear"),
    ]
    assert set(state.violations()) == {"breach W-1 sum toll", "breach W-1 result toll"}
    play(state, "pass_scales")
    assert [b.count for b in state.breaches] == [2, 2]


def test_what_is_proved_before_play_is_observed_too(tmp_path: Path):
    names = packs(tmp_path, dear=TOLL.format("dear", 1))
    (wharf(tmp_path) / "expansions" / "dear" / "cards.yaml").write_text(TOLL.format("dear", 5), "utf-8")
    state = observed(tmp_path, names)
    play(state, "done", "pass_scales")
    assert [(b.what, b.proved) for b in state.breaches] == [
        ("each toll", True),
        ("sum toll", False),
        ("result toll", False),
    ]


def test_shares_denials_and_what_must_hold_are_observed(tmp_path: Path):
    names = packs(
        tmp_path,
        deal="actions:\n  deal: {during: trade, do: sell(me)}\n",
        fog=ACTION.format("fog", "bar(me, opponent)"),
        ice=ACTION.format("ice", "bar(me, opponent)"),
        load="actions:\n  load: {during: trade, choose: {c: in quay}, do: move c to me.hold}\n",
        pile="actions:\n  pile: {during: trade, limit: once per turn, do: 'me.goods += 5'}\n",
    )
    state = observed(tmp_path, names)
    play(state, "done", "deal", "deal", "load tea", "load rum", "pile", "fog", "done")
    play(state, "done", "done", "ice")
    assert {b.what: b.count for b in state.breaches} == {
        "share sell": 1,
        "holds count(c in ann.hold) <= 1": 1,
        "holds all(p.goods <= 12 for p in players)": 1,
        "denial bar": 1,
    }


def test_random_games_count_breaches_on_every_backend(tmp_path: Path):
    names = packs(tmp_path, dear=TOLL.format("dear", 4), dearer=TOLL.format("dearer", 3))
    found = []
    for backend in BACKENDS:
        loaded = game(tmp_path, names, backend, observe=True)
        found.append(dict(loaded.playouts(loaded.start(seed=3), 40, 5).violations))
    assert found[0] == found[1] == found[2] and found[0]["breach W-1 sum toll"] > 5
    kept = game(tmp_path, names)
    assert not kept.playouts(kept.start(seed=3), 40, 5).violations
