"""Mutation testing: which changes there are, which are noticed, and what is kept and listed of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleforge.compiler.trace_marks import FORMULA
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.resources import shipped_games
from ruleforge.tools.coverage.items import items_of
from ruleforge.tools.mutation.all_mutants import mutants_of
from ruleforge.tools.mutation.bench import NOTICED, SAME, SURVIVED, Bench, Verdict
from ruleforge.tools.mutation.mutant import Mutant
from ruleforge.tools.mutation.run import Plan, judged
from ruleforge.tools.mutation.scenario_selection import Promising, beside
from ruleforge.tools.scenarios.suites import read_suites
from tests.unit.frontends.commands import Command
from tests.unit.tools.small_game import PACK


def changes(home: Path, line: int) -> set[tuple[str, str]]:
    """The changes of a line: what kind, and what becomes of it."""
    analysis = analyse(home)
    assert analysis.source is not None
    (file,) = analysis.source.files
    return {(m.kind, m.after(file.content)) for m in mutants_of(analysis, [file]) if m.span.line == line}


def test_every_sort_of_change_is_made(race: Path) -> None:
    assert changes(race, 23) == {
        ("number", "amount: in 2..2 where game.total + amount <= 10"),
        ("number", "amount: in 1..3 where game.total + amount <= 10"),
        ("number", "amount: in 1..2 where game.total + amount <= 11"),
        ("keyword", "amount: in 1..2 where game.total - amount <= 10"),
        ("comparison", "amount: in 1..2 where game.total + amount < 10"),
        ("clause", "amount: in 1..2"),
        ("clause", ""),
    }
    assert ("comparison", "if game.total is not 10: finish said_ten for me") in changes(race, 26)
    assert ("clause", "if game.total is 10: skip") in changes(race, 26)
    assert ("clause", "") in changes(race, 29), "what an action needs is left out"


def test_ranges_of_types_and_texts_are_left_alone(race: Path) -> None:
    assert changes(race, 12) == {("clause", "")}
    assert changes(race, 5) == set()


def test_names_in_ranges_of_types_are_left_alone(race: Path) -> None:
    rules = race / "race.yaml"
    text = rules.read_text("utf-8")
    with_names = text.replace("endings:", "numbers:\n  most: 20\n  more: 30\nendings:")
    ranged = with_names.replace(text.splitlines()[11].strip(), "total: 0..most")
    rules.write_text(ranged, "utf-8")
    assert changes(race, 12) == {("clause", "")}


def test_a_name_gives_way_to_another_of_its_sort(tmp_path: Path) -> None:
    analysis = analyse("primordial-orbs")
    assert analysis.source is not None
    file = next(file for file in analysis.source.files if file.path.endswith("events.yaml"))
    made = {m.after(file.content) for m in mutants_of(analysis, [file]) if m.kind == "name"}
    assert "for o in first(x in anomaly): move x to p.hand" not in made, "x is not known there"
    assert "- t.class is colonization" in made and "- has_needed_life(p, t)" in made


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_a_change_changes_one_stretch(name: str) -> None:
    """The rest of the file stays, and a change is told by what it makes of its lines."""
    analysis = analyse(name)
    assert analysis.source is not None
    texts = {file.path: file.content for file in analysis.source.files}
    found = mutants_of(analysis, analysis.source.files)
    assert len(set(found)) == len(found) > 0
    for mutant in found[:: max(1, len(found) // 50)]:
        text = texts[mutant.span.file]
        new = mutant.applied(text)
        assert new != text and mutant.before(text) != mutant.after(text)
        before = text.split("\n")
        assert new.split("\n")[: mutant.span.line - 1] == before[: mutant.span.line - 1]


def bench_of(home: Path) -> Bench:
    suites = read_suites(str(home), (), Report())
    assert suites is not None
    return Bench(str(home), suites)


def test_what_scenarios_notice(race: Path) -> None:
    bench = bench_of(race)
    verdicts = {m.after(bench.text(m)): v.what for m, v in judged(bench, Plan(), lambda _: None).verdicts}
    assert verdicts["if game.total is not 10: finish said_ten for me"] == NOTICED
    assert verdicts["do: game.total -= more"] == NOTICED
    assert verdicts["if game.late: game.total = 1"] == SURVIVED, "no scenario rests"
    assert verdicts["add: 2"] == SURVIVED


def test_a_change_that_makes_no_difference_is_told_by_itself(race: Path) -> None:
    rules = race / "race.yaml"
    rules.write_text(
        rules.read_text("utf-8").replace("do: game.total += more", "do: game.total += more * one")
    )
    text = rules.read_text("utf-8")
    rules.write_text(text.replace("endings:", "numbers:\n  one: 1\n  another: 1\nendings:"), "utf-8")
    bench = bench_of(race)
    result = judged(bench, Plan(), lambda _: None)
    same = [m.after(bench.text(m)) for m in result.of(SAME)]
    assert "do: game.total += more * another" in same


def test_verdicts_are_kept_until_rules_or_scenarios_say_otherwise(
    race: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging: list[str] = []
    plain = Bench.judge

    def judge(self, mutant, passed=frozenset()):
        judging.append(mutant.after(self.text(mutant)))
        return plain(self, mutant, passed)

    monkeypatch.setattr(Bench, "judge", judge)
    first = judged(bench_of(race), Plan(), lambda _: None)
    assert len(judging) == first.planned
    judging.clear()
    assert judged(bench_of(race), Plan(), lambda _: None) == first and judging == []
    (race / "scenarios" / "rest.yaml").write_text(
        "scenario: resting\nstart: {game.total: 4}\nsteps:\n  - ann: rest\n  - expect: {game.late: true}\n"
        "  - refuse: {choice: rest}\n",
        "utf-8",
    )
    again = judged(bench_of(race), Plan(), lambda _: None)
    assert judging and set(judging) < {m.after(bench_of(race).text(m)) for m in first.of(SURVIVED)}
    assert len(again.of(SURVIVED)) < len(first.of(SURVIVED))


def test_several_processes_give_the_same(race: Path) -> None:
    alone, both = (judged(bench_of(race), Plan(jobs=j, fresh=True), lambda _: None) for j in (1, 2))
    assert [(m, v.what) for m, v in alone.verdicts] == [(m, v.what) for m, v in both.verdicts]


def test_who_breaks_off_gets_what_is_known(race: Path) -> None:
    seen: list[int] = []

    def progress(count: int) -> None:
        seen.append(count)
        if len(seen) == 6:
            raise KeyboardInterrupt

    result = judged(bench_of(race), Plan(), progress)
    assert len(result.verdicts) == 5 < result.planned


def test_a_sample_is_the_same_for_the_same_seed(race: Path) -> None:
    mutants = bench_of(race).mutants
    assert Plan(10, 3).chosen(mutants) == Plan(10, 3).chosen(mutants) != Plan(10, 4).chosen(mutants)


# --- the command ---


def test_who_breaks_the_command_off_is_told_so_by_its_exit_code(
    race: Path, ruleforge_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Bench.judge
    left = iter(range(5))

    def judge(self: Bench, mutant: Mutant, passed: frozenset[str] = frozenset()) -> Verdict:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return whole(self, mutant, passed)

    monkeypatch.setattr(Bench, "judge", judge)
    done = ruleforge_command("mutate", race, "--least", "0")
    assert done.code == 130 and "5 changes:" in done.out and " not tried" in done.out


def test_a_file_that_is_not_changed_is_no_perfect_figure(race: Path, ruleforge_command: Command) -> None:
    for name in ("nowhere.yaml", "ace.yaml", "scenarios/race.yaml"):
        done = ruleforge_command("mutate", race, "--only", name, "--least", "50")
        assert done.code == 2 and f"`{name}` is not a rule file of this game or pack" in done.err, name
    assert "did you mean `race.yaml`?" in ruleforge_command("mutate", race, "--only", "rice.yaml").err


def test_a_file_is_meant_by_any_way_to_it(race: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(race / "scenarios")
    mutants = bench_of(race).mutants
    for name in ("race.yaml", "race/race.yaml", "../race.yaml", str(race / "race.yaml")):
        assert Plan(only=(name,)).chosen(mutants) == mutants, name


def test_survivors_are_listed_with_their_place(race: Path, ruleforge_command: Command) -> None:
    done = ruleforge_command("mutate", race)
    assert done.code == 0
    assert "race.yaml:45  rules.harder" in done.out or "race.yaml:46  rules.harder" in done.out
    assert "  - add: 1\n  + add: 2" in done.out
    data = json.loads(ruleforge_command("mutate", race, "--json").out)
    assert data["noticed"] and any(s["after"] == "add: 2" for s in data["survivors"])
    assert ruleforge_command("mutate", race, "--least", "99").code == 1


EXCUSE = """\
equivalent:
  - file: race.yaml
    in: rules.harder
    before: "add: 1"
    why: Only said so for this test.
"""


def test_what_nobody_can_notice_is_listed_with_a_reason(race: Path, ruleforge_command: Command) -> None:
    (race / "mutants.yaml").write_text(EXCUSE, "utf-8")
    assert ruleforge_command("validate", race).code == 0, "it is no rule file"
    data = json.loads(ruleforge_command("mutate", race, "--json").out)
    assert [e["why"] for e in data["equivalent"]] == ["Only said so for this test."]
    assert not any(s["after"] == "add: 2" for s in data["survivors"])


@pytest.mark.parametrize(
    "line, told",
    [
        ("if game.total is 10: finish said_ten for me", "a scenario notices this change"),
        ("add: 7", "this change no longer exists"),
    ],
)
def test_an_entry_that_says_too_much_is_told(
    race: Path, ruleforge_command: Command, line: str, told: str
) -> None:
    inside = "actions.add" if "finish" in line else "rules.harder"
    text = EXCUSE.replace("add: 1", line).replace("rules.harder", inside)
    (race / "mutants.yaml").write_text(text, "utf-8")
    done = ruleforge_command("mutate", race)
    assert done.code == 1 and told in done.out and "mutants.yaml:2:5" in done.out


@pytest.mark.parametrize("part", [("--limit", "1"), ("--only", "race.yaml")])
def test_an_entry_that_meets_no_change_is_told_whatever_part_is_tried(
    race: Path, ruleforge_command: Command, part: tuple[str, str]
) -> None:
    (race / "mutants.yaml").write_text(EXCUSE.replace("add: 1", "add: 7"), "utf-8")
    done = ruleforge_command("mutate", race, *part)
    assert done.code == 1 and "mutants.yaml:2:5: this change no longer exists" in done.out
    (race / "mutants.yaml").write_text(EXCUSE, "utf-8")
    assert ruleforge_command("mutate", race, *part).code == 0, "it may be among those that were not tried"


def test_a_list_of_another_shape_is_reported(race: Path, ruleforge_command: Command) -> None:
    (race / "mutants.yaml").write_text("equivalent: {}\n", "utf-8")
    done = ruleforge_command("mutate", race)
    assert done.code == 1 and "mutants.yaml:1" in done.err


def test_scenarios_must_hold_before_anything_is_changed(race: Path, ruleforge_command: Command) -> None:
    rules = race / "race.yaml"
    rules.write_text(
        rules.read_text("utf-8").replace("game.total += more", "game.total += more + 1"), "utf-8"
    )
    done = ruleforge_command("mutate", race)
    assert done.code == 1 and "2 scenarios fail as it is" in done.err


def test_a_pack_is_changed_and_its_game_is_not(ruleforge_command: Command) -> None:
    data = json.loads(
        ruleforge_command(
            "mutate", "rulesets/orbit-simulator/expansions/overdrive", "--limit", "4", "--json"
        ).out
    )
    assert data["judged"] == 4
    assert all("overdrive" in found["file"] for found in data["survivors"])


def test_entries_of_a_game_are_not_held_against_changes_of_its_pack(
    race: Path, ruleforge_command: Command
) -> None:
    pack = race / "expansions" / "lighter"
    (pack / "scenarios").mkdir(parents=True)
    (pack / "pack.yaml").write_text(PACK, "utf-8")
    rest = "scenario: rest\nstart: {game.total: 2}\nsteps: [ann: rest]\n"
    (pack / "scenarios" / "rest.yaml").write_text(rest, "utf-8")
    (race / "mutants.yaml").write_text(EXCUSE, "utf-8")
    done = ruleforge_command("mutate", pack)
    assert done.code == 0 and "no such change" not in done.out, done.out
    (pack / "mutants.yaml").write_text(EXCUSE, "utf-8")
    done = ruleforge_command("mutate", pack)
    assert done.code == 1 and "lighter/mutants.yaml:2:5: this change no longer exists" in done.out


def test_scenarios_that_hold_only_without_a_pack_are_left_out_and_told(
    race: Path, ruleforge_command: Command
) -> None:
    scenarios = {
        race: "scenario: no rest at two\nstart: {game.total: 2}\nsteps: [refuse: {choice: rest}]\n",
        race / "expansions" / "lighter": "scenario: rest\nstart: {game.total: 2}\nsteps: [ann: rest]\n",
    }
    for home, text in scenarios.items():
        (home / "scenarios").mkdir(parents=True, exist_ok=True)
        (home / "scenarios" / "rest.yaml").write_text(text, "utf-8")
    (race / "expansions" / "lighter" / "pack.yaml").write_text(PACK, "utf-8")
    both = ("mutate", race, "--with", "lighter", "--jobs", "2")
    done = ruleforge_command(*both)
    assert done.code == 0, done.err
    assert "left out, because they pass only without lighter: rest.yaml" in done.err
    data = json.loads(ruleforge_command(*both, "--json").out)
    assert data["apart"] == [str(race / "scenarios" / "rest.yaml")]
    assert data["judged"] == data["planned"] > 0


def test_a_scenario_may_name_a_pack_with_more_players_than_the_game_has(race: Path) -> None:
    pack = race / "expansions" / "lighter"
    pack.mkdir(parents=True)
    more = PACK.replace("for: {", "players: 3, for: {") + "kinds: {player: {things: [cleo]}}\n"
    (pack / "pack.yaml").write_text(more, "utf-8")
    third = (
        "scenario: a third one\nwith: [lighter]\nplayers: 3\nsteps: [ann: add 2, ben: add 2, cleo: rest]\n"
    )
    (race / "scenarios" / "third.yaml").write_text(third, "utf-8")
    bench = bench_of(race)
    verdicts = {m.after(bench.text(m)): v.what for m, v in judged(bench, Plan(), lambda _: None).verdicts}
    assert verdicts["add: 2"] == SURVIVED


def test_scenarios_that_name_what_is_changed_are_tried_first() -> None:
    """A change of one card is tried on scenarios with that card, before any has noticed anything."""
    suites = read_suites("splicers", (), Report())
    assert suites is not None
    cases = suites.cases
    named = {c.digest for c in cases if "mother_loam" in c.file.read_text("utf-8")}
    text = "kinds:\n  card:\n    things:\n      mother_loam:\n        value: 3\n"
    mutant = Mutant(Span("cards.yaml", 5, 16, 5, 17), "4", "number", "kinds.card")
    promising = Promising(cases)
    assert promising.sorted(mutant, text, cases)[0].digest in named
    assert 0 < len(named) < len(cases) / 4, "of so few the first is none by chance"


def test_scenarios_that_noticed_a_change_beside_it_are_tried_first(race: Path) -> None:
    suites = read_suites(str(race), (), Report())
    assert suites is not None
    last = suites.cases[-1]
    mutant = Mutant(Span("race.yaml", 1, 1, 1, 2), "4", "number", "actions.add")
    promising = Promising(suites.cases)
    promising.noticed(mutant, last)
    assert promising.sorted(mutant, "1", suites.cases)[0] is last


def test_a_change_is_tried_on_whatever_runs_the_definition_that_it_stands_in(race: Path) -> None:
    """Whether an action can be taken is looked at where no condition of it is recorded."""
    (file,) = analyse(race).source.files  # type: ignore[union-attr]
    needs, done, other = (Span(file.path, line, 7, line, 20) for line in (29, 31, 26))
    assert beside(needs, file.root, frozenset({done, other})) == {done}


def test_a_change_is_tried_on_whatever_works_out_the_formula_that_it_stands_in(race: Path) -> None:
    """Parts of a formula are recorded in some of the places where it is worked out, and not in others."""
    rules = race / "race.yaml"
    rules.write_text(rules.read_text("utf-8").replace("is: 3", "is: 2 + 1"), "utf-8")
    suites = read_suites(str(race), (), Report())
    checked = analyse(race).checked
    assert suites is not None and checked is not None
    formula = next(item.span for item in items_of(checked) if item.kind == FORMULA)
    one, other = (case.digest for case in suites.cases)
    number = next(m for m in bench_of(race).mutants if m.inside == "formulas.bonus" and m.kind == "number")
    assert number.span != formula
    bench = Bench(str(race), suites, {one: frozenset({formula}), other: frozenset({formula, number.span})})
    assert {case.digest for case in bench.cases(number, frozenset())} == {one, other}


def test_a_change_of_an_action_is_tried_on_scenarios_in_which_it_is_refused(race: Path) -> None:
    """There its effects do not run, and what it needs is looked at beside the game; so are the formulas in it."""
    file = race / "scenarios" / "refused.yaml"
    file.write_text("scenario: no rest\nsteps: [refuse: {choice: rest}]\n", "utf-8")
    suites = read_suites(str(race), (), Report())
    assert suites is not None
    played = Bench(str(race), suites).touched
    refused = next(case for case in suites.cases if case.file == file)
    bench = Bench(str(race), suites, {**played, refused.digest: frozenset()})
    meant = [m for m in bench.mutants if m.inside in ("actions.rest", "formulas.bonus", "rules.harder")]
    others = [m for m in bench.mutants if m.inside == "events.count_up" and m.new == "-="]
    assert meant and all(refused in bench.cases(mutant, frozenset()) for mutant in meant)
    assert others and not any(refused in bench.cases(mutant, frozenset()) for mutant in others)


def test_a_change_is_tried_on_scenarios_that_only_ask_for_what_it_changes(race: Path) -> None:
    """An expectation is answered beside the game: of the formula, and of what modifies it, nothing need run in play."""
    file = race / "scenarios" / "asked.yaml"
    file.write_text("scenario: asked\nsteps: [expect: {bonus(): 3}]\n", "utf-8")
    suites = read_suites(str(race), (), Report())
    assert suites is not None
    played = Bench(str(race), suites).touched
    asked = next(case for case in suites.cases if case.file == file)
    bench = Bench(str(race), suites, {**played, asked.digest: frozenset()})
    meant = [m for m in bench.mutants if m.inside in ("formulas.bonus", "rules.harder")]
    others = [m for m in bench.mutants if m.inside == "events.count_up" and m.new == "-="]
    assert meant and all(asked in bench.cases(mutant, frozenset()) for mutant in meant)
    assert others and not any(asked in bench.cases(mutant, frozenset()) for mutant in others)
