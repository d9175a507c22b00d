"""A contract is looked at itself; packs meet in pairs; effect summaries can be read; the command line tells it all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.prose import prose_of
from ruleforge.frontends.cli.main import run
from ruleforge.project.resolver import analyse
from ruleforge.tools.pack_check import pack_effects
from ruleforge.tools.pack_compatibility import meetings
from ruleforge.tools.project_files.side_files import look_beside
from tests.unit.contracts.mill import CONTRACT, core, pack

MISTAKES = {
    "RF346": "  - {id: nothing, cites: [M-0]}\n",
    "RF347": "  - {id: idle, call: [earn], each: 0..3, cites: [M-0]}\n",
    "RF348": "  - {id: torn, modify: [price], ops: [add], each: 3..5, sum: -5..-3, cites: [M-0]}\n",
}


# Of the gate: what can never be kept up in play is told before.
IDLE = {
    "a moment that there is not": ("RF204", "at: load, cites: [M-30]", "at: dawn, cites: [M-30]"),
    "a condition that cannot be read": ("RF344", "sum(x.weight for x", "sum(x.wait for x"),
    "shares of what is not counted": ("RF347", "{id: tools,", "{id: tools, sources: {most: 1, per: turn},"),
    "shares until something unknown": ("RF344", "{id: bans,", "{id: bans, sources: {most: 1, per: tern},"),
}


@pytest.mark.parametrize("case", IDLE)
def test_a_contract_that_cannot_be_kept_up_in_play_is_told_so(case: str, tmp_path: Path):
    code, written, wrong = IDLE[case]
    assert written in CONTRACT
    home = core(tmp_path, CONTRACT.replace(written, wrong, 1))
    assert [d.code for d in look_beside(analyse(home)).diagnostics] == [code]


@pytest.mark.parametrize("code", MISTAKES)
def test_a_contract_is_looked_at_itself(code: str, tmp_path: Path):
    text = CONTRACT.replace("points:\n", f"points:\n{MISTAKES[code]}", 1)
    home = core(tmp_path, text)
    found = look_beside(analyse(home)).diagnostics
    assert [d.code for d in found] == [code]


def test_a_sound_contract_has_no_diagnostics_and_reads_as_prose(tmp_path: Path):
    home = core(tmp_path)
    assert look_beside(analyse(home)).diagnostics == ()
    contract = contract_of(home)
    assert contract is not None and contract.fuse == 32
    page = prose_of(contract, "Mill")
    for point in contract.points:
        assert f"**{point.id.replace('_', ' ')}**" in page
    for clause in ("M-1", "M-7", "M-22", "M-23", "M-24", "M-25", "M-27", "M-28", "M-29", "M-30"):
        assert clause in page


def test_effect_summaries_can_be_read(tmp_path: Path):
    text = "actions:\n  a: {during: noon, limit: once per turn, cost: me.coins -= 3, do: 'reap(me, 6)'}\n"
    shown = "\n".join(map(str, pack_effects(pack(tmp_path, text))))
    for line in (
        "limit 1 per turn",
        "call reap",
        "pays player.coins down -3 of me",
        "emits set player coins",
    ):
        assert line in shown


def test_packs_meet_in_pairs_and_all_together(tmp_path: Path):
    pack(tmp_path, "rules:\n  r: {after: 'earn(p, k)', do: 'reap(p, 1)'}\n", "one")
    pack(tmp_path, "rules:\n  s: {after: 'reap(p, k)', do: 'earn(p, 1)'}\n", "two")
    pack(tmp_path, "numbers: {own: 1}\n", "three")
    found = {meeting.packs: meeting for meeting in meetings(core(tmp_path), games=3)}
    assert {packs: meeting.verdict for packs, meeting in found.items()} == {
        ("one", "three"): "accepted",
        ("one", "two"): "rejected",
        ("three", "two"): "accepted",
        ("one", "three", "two"): "rejected",
    }
    assert [fault.code for fault in found["one", "two"].faults] == ["RF911"]
    assert found["one", "three"].endings == {"rich": 3}


def test_the_commands_tell_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    bad = pack(tmp_path, "rules:\n  r: {modify: 'luck(p, x)', when: x is axe, add: 3}\n")
    assert run(["check-expansion", str(bad)]) == 1
    out = capsys.readouterr().out
    assert (
        "p for mill 1.0: rejected, 1 fault" in out and "broken[RF904] M-8" in out and "help  write `2`" in out
    )
    assert run(["check-expansion", str(bad), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["pack", "core", "verdict", "faults", "warnings", "clauses", "together"]
    keys = ["answer", "code", "by", "rules", "places", "core", "clauses", "why", "repair", "counterexample"]
    assert list(data["faults"][0]) == keys
    assert run(["contract", str(core(tmp_path))]) == 0
    assert "# The contract of Mill 1.0" in capsys.readouterr().out
    assert run(["check-expansion", str(tmp_path)]) == 2


def test_meetings_are_a_table_with_a_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pack(tmp_path, "rules:\n  r: {after: 'earn(p, k)', do: 'reap(p, 1)'}\n", "one")
    pack(tmp_path, "rules:\n  s: {after: 'reap(p, k)', do: 'earn(p, 1)'}\n", "two")
    assert run(["compat", str(core(tmp_path)), "--games", "0"]) == 1
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].split() == ["1/1", "one", "+", "two", "rejected"]
    assert "[RF911]" in rows[1]
    assert rows[-1] == "1 of 1 do not fit together"
