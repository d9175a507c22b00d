"""A pack as one file: made, refused where it is not what it says, installed whole or not at all, and used by name."""

import io
import json
import stat
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import ruleforge
from ruleforge.frontends.cli.main import main
from ruleforge.project.installed_packs import place_of
from ruleforge.project.pack_archive import MANIFEST, NotAnArchive, digest_of, read_archive
from ruleforge.tools.core_changes import core_changes
from ruleforge.tools.pack_builder import build_pack
from tests.pack_sets import folder

PACK = 'pack: {id: dusk, title: Dusk, version: "1.0", for: {core: nim, versions: "1.x"}}\nnumbers: {dusk_one: 1}\n'


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    monkeypatch.setenv("RULEFORGE_PACKS", str(tmp_path / "packs"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def archive(shelf):
    built = build_pack(folder("splicers", "symbiosis"))
    path = shelf / "symbiosis.zip"
    path.write_bytes(built.content)
    return path


def call(*arguments):
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_an_archive_is_the_same_for_the_same_files(archive):
    assert build_pack(folder("splicers", "symbiosis")).content == archive.read_bytes()
    assert set(read_archive(archive).files) == {
        file.relative_to(folder("splicers", "symbiosis")).as_posix()
        for file in folder("splicers", "symbiosis").rglob("*")
        if file.is_file()
    }


def test_an_archive_takes_the_place_of_the_folder(archive):
    home = folder("splicers", "symbiosis")
    as_file, as_folder = (ruleforge.load("splicers", [pack]) for pack in (archive, home))
    assert as_file.digest == as_folder.digest
    assert ruleforge.judge(archive).verdict == "accepted"
    assert ruleforge.judge(home, [archive]).together is not None
    assert call("test", str(archive), "--quiet").exit_code == 0
    assert ruleforge.load(archive).digest == as_folder.digest


def test_a_pack_is_installed_under_its_name(archive):
    renamed = build_pack(
        _copy(folder("splicers", "symbiosis"), archive.parent / "reef", "id: symbiosis", "id: reef")
    )
    path = archive.parent / "any.zip"
    path.write_bytes(renamed.content)
    told = json.loads(call("install", str(path), "--json").output)
    assert [(one["how"], one["id"], one["core"]) for one in told] == [("installed", "reef", "splicers")]
    assert "already there reef" in call("install", str(path)).output
    assert [pack.id for pack in ruleforge.load("splicers", ["reef"]).info.packs] == ["reef"]
    assert "reef for splicers" in call("install").output
    assert ruleforge.judge("reef").verdict == "accepted"


def test_another_version_is_not_replaced_unasked(archive):
    assert call("install", str(archive)).exit_code == 0
    other = _copy(
        folder("splicers", "symbiosis"), archive.parent / "other", 'version: "1.0"', 'version: "1.1"'
    )
    path = archive.parent / "other.zip"
    path.write_bytes(build_pack(other).content)
    assert call("install", str(path)).exit_code == 1
    assert call("install", str(path), "--replace").output.startswith("replaced symbiosis 1.1")
    place = place_of(read_archive(path))
    assert place is not None and read_archive(place).manifest["version"] == "1.1"
    assert [file.name for file in place.parent.iterdir()] == ["symbiosis.zip"]  # and nothing half-written


def _copy(source, target, old, new):
    for file in source.rglob("*"):
        if file.is_file():
            (target / file.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
            text = file.read_text()
            (target / file.relative_to(source)).write_text(
                text.replace(old, new) if file.name == "pack.yaml" else text
            )
    return target


def hostile(change=None, more=(), manifest=None, **entry):
    """The bytes of an archive of one small pack, with something wrong in it."""
    files = {"pack.yaml": PACK}
    said = {"format": 1, "id": "dusk", "title": "Dusk", "version": "1.0", "digest": digest_of(files)}
    said["core"] = {"id": "nim", "versions": "1.x", "version": "1.0", "definitions": {}}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr(MANIFEST, json.dumps(said | (manifest or {})) if manifest != "none" else "[]")
        made.writestr("pack.yaml", PACK)
        for name, content in more:
            made.writestr(name, content, **entry)
    data = target.getvalue()
    return change(data) if change else data


def link(name, target):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target


NAMES = [
    *("../outside.yaml", "/etc/outside.yaml", "a/../../outside.yaml", "..\\outside.yaml", "C:/outside.yaml"),
    *("C:\\outside.yaml", "./a.yaml", "a//b.yaml", "a/", ".hidden.yaml", "a/.git/config.yaml", "-rf.yaml"),
    *("con.yaml", "a/nul.txt", "a.yaml.", "PACK.yaml", "a\x00b.yaml", "a\nb.yaml", "\u202eb.yaml", "é.yaml"),
    *("run.py", "a.so", "x.sh", "a.pth", "core.lock", "/".join("abcdefghi") + "/x.yaml", "x" * 200 + ".yaml"),
    *("~/x.yaml", "a:b.yaml", "a*.yaml", "$HOME/x.yaml", "a b.yaml", "MANIFEST.json/x.yaml"),
]
BOMB = b"# " + b"a" * 50_000_000
HOSTILE = {
    **{f"name {name!r}": hostile(more=[(name, "x: 1\n")]) for name in NAMES},
    "twice": hostile(more=[("a.yaml", ""), ("A.yaml", "")]),
    "link": hostile(more=[link("a.yaml", "/etc/passwd")]),
    "link to a folder": hostile(more=[link("scenarios.yaml", "..")]),
    "bomb": hostile(more=[("a.yaml", BOMB)], compress_type=zipfile.ZIP_DEFLATED),
    "lzma": hostile(more=[("a.yaml", "x" * 100)], compress_type=zipfile.ZIP_LZMA),
    "many": hostile(more=[(f"a{n}.yaml", "") for n in range(2_100)]),
    "cut off": hostile(lambda data: data[:-30]),
    "half": hostile(lambda data: data[: len(data) // 2]),
    "damaged": hostile(lambda data: data.replace(b"numbers: {dusk_one: 1}", b"numbers: {dusk_one: 2}")),
    "more than the digest": hostile(more=[("more.yaml", "numbers: {two: 2}\n")]),
    "no manifest": hostile(manifest="none"),
    "other format": hostile(manifest={"format": 2}),
    "id as a path": hostile(manifest={"id": "../../dusk"}),
    "core as a path": hostile(
        manifest={"core": {"id": "../x", "versions": "", "version": "", "definitions": {}}}
    ),
    "no core": hostile(manifest={"core": 3}),
    "deep": hostile(manifest={"title": [[]]}, change=lambda d: d[:10] + b"[" * 50_000),
    "not text": hostile(more=[("a.yaml", b"\xff\xfe\x00")]),
    "empty": b"",
    "no zip": b"pack: {}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_pack_is_refused_and_leaves_nothing(shelf, name):
    path = shelf / "given" / "bad.zip"
    path.parent.mkdir()
    path.write_bytes(HOSTILE[name])
    before = sorted(shelf.rglob("*"))
    with pytest.raises(NotAnArchive):
        read_archive(path)
    refused = call("install", str(path))
    assert refused.exit_code == 1 and "RF845" in refused.output
    found = ruleforge.analyse("nim", [path]).diagnostics
    assert [d.code for d in found] == ["RF845"]
    assert sorted(shelf.rglob("*")) == before
    assert not Path("/tmp/outside.yaml").exists()


def test_the_plain_one_of_these_is_accepted(shelf):
    path = shelf / "good.zip"
    path.write_bytes(hostile())
    assert read_archive(path).id == "dusk"
    assert call("install", str(path)).exit_code == 0


def test_no_archive_holds_a_link_that_leaves_the_folder(shelf):
    pack = shelf / "dusk"
    pack.mkdir()
    (pack / "pack.yaml").write_text(PACK)
    assert build_pack(pack).archive.id == "dusk"
    (pack / "secret.txt").symlink_to("/etc/passwd")
    with pytest.raises(ruleforge.RulesetError):
        build_pack(pack)


def test_a_changed_copy_in_the_cache_is_not_used(archive):
    with_it = ruleforge.analyse("splicers", [archive])
    (with_it.packs[0].path / "cards.yaml").write_text("numbers: {dusk_one: 1}\n")
    again = ruleforge.analyse("splicers", [archive])
    assert [file.content for file in again.packs[0].source.files] == [
        file.content for file in with_it.packs[0].source.files
    ]


def test_a_newer_core_lists_the_changes_that_touch_a_pack(tmp_path, monkeypatch):
    """A pack that was packed for a core that has changed since: what it names, and no more."""
    game = tmp_path / "ferry"
    (game / "expansions" / "toll").mkdir(parents=True)
    core = (
        'game: {id: ferry, title: Ferry, version: "1.0", players: 2}\n'
        "kinds: {player: {things: [ann, ben], has: {coins: 0..99 = 3, goods: 0..9}}}\n"
        "formulas:\n  load: {takes: {p: player}, is: p.goods * 2}\n  rent: {takes: {p: player}, is: p.coins - 1}\n"
        "flow:\n  - {phase: turn, repeat: true, each: me in players, window: one}\n"
        "actions: {rest: {during: turn, do: me.coins += 1}, stop: {during: turn, do: finish over}}\n"
        "endings: {over: {text: It is over.}}\n"
    )
    (game / "game.yaml").write_text(core)
    pack = game / "expansions" / "toll" / "pack.yaml"
    pack.write_text(
        'pack: {id: toll, title: Toll, version: "1.0", for: {core: ferry, versions: "1.x"}}\n'
        "actions: {sell: {during: turn, needs: load(me) > 2, do: me.coins += load(me)}}\n"
    )
    assert CliRunner().invoke(main, ["lock", str(game)]).exit_code == 0
    lock = tmp_path / "old.lock"
    lock.write_text((game / "core.lock").read_text())
    found = core_changes(pack.parent, lock)
    assert found is not None and found.changes == ()
    newer = (
        core.replace('"1.0"', '"1.1"')
        .replace("* 2", "* 3")
        .replace("- 1}", "- 2}")
        .replace("0..99 = 3", "0..50")
    )
    (game / "game.yaml").write_text(newer)
    found = core_changes(pack.parent, lock)
    assert found is not None and (found.since, found.now) == ("1.0", "1.1")
    changed = {change.path for change in found.changes} - {"game"}
    assert changed == {"formulas.load", "kinds.player.has.coins"}
    told = CliRunner().invoke(main, ["check-expansion", str(pack.parent), "--since", str(lock)]).output
    assert "changed formulas.load" in told and "rent" not in told
