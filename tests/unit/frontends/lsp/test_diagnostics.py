"""What is wrong is told as it is typed: the words of `validate`, across files, gone when it is mended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from ruleforge.project.resolver import analyse
from ruleforge.tools.validation import validated
from tests.unit.frontends.lsp.client import GAMES, Editor, Talk


@pytest.mark.parametrize("name", GAMES)
def test_a_mistake_is_told_while_it_is_there(name: str, talk: Talk, copied: Callable[..., Path]):
    folder = copied(name)
    flow, rulebook = folder / "flow.yaml", folder / "rulebook.yaml"
    scenario = min((folder / "scenarios").rglob("*.yaml"))

    async def part(editor: Editor) -> None:
        for path in (flow, rulebook, scenario):
            editor.open(path)
        right = editor.texts[flow]
        editor.change(flow, right + "\nnonsense: 1\n")
        await editor.until(lambda: bool(editor.told.get(flow)))
        assert editor.wrong() == {"flow.yaml": [(right.count("\n") + 2, "RF201")]}
        editor.change(scenario, editor.texts[scenario] + "\n  - nobody: done\n")
        await editor.until(lambda: bool(editor.told.get(scenario)))
        editor.change(flow, right)
        await editor.until(lambda: not editor.told[flow])
        assert list(editor.wrong()) == [scenario.name]
        # what is unsaved says what it would say when it is saved
        scenario.write_text(editor.texts[scenario], "utf-8")
        told = [(d.code, d.message.partition("\n")[0]) for d in editor.told[scenario]]
        assert told == [(d.code, d.message) for d in validated(analyse(folder)).diagnostics]
        # a text that is no YAML hides nothing in the others
        editor.change(rulebook, "clauses: [\n")
        await editor.until(lambda: bool(editor.told.get(rulebook)))
        assert sorted(editor.wrong()) == sorted(["rulebook.yaml", scenario.name])

    talk.about(part)


def test_packs_are_told_about_with_their_game(talk: Talk, copied: Callable[..., Path]):
    folder = copied("splicers", "symbiosis")
    pack, formulas = folder / "expansions" / "symbiosis" / "cards.yaml", folder / "formulas.yaml"

    async def part(editor: Editor) -> None:
        editor.open(pack)
        right = editor.texts[pack]
        editor.change(pack, right + "\nnonsense: 1\n")
        await editor.until(lambda: bool(editor.told.get(pack)))
        editor.change(pack, right)
        await editor.until(lambda: not editor.told[pack])
        # a name goes away in the game: told once, where it is first used
        editor.open(formulas)
        editor.change(formulas, editor.texts[formulas].replace("  power:", "  pover:"))
        await editor.until(lambda: any(editor.told.values()))
        editor.close(formulas)
        await editor.until(lambda: not any(editor.told.values()))

    talk.about(part)


def test_other_yaml_is_left_alone(talk: Talk, tmp_path: Path):
    other, game = tmp_path / "other.yaml", tmp_path / "game" / "a.yaml"
    other.write_text("anything: [goes\n", "utf-8")
    text = "game: {id: a, title: A, version: '1', players: 2}\nnonsense: 1\n"

    async def part(editor: Editor) -> None:
        editor.open(other)
        editor.open(game, text)  # not even on disk
        await editor.until(lambda: bool(editor.told.get(game)))
        assert isinstance(editor.told[game][0].severity, lsp.DiagnosticSeverity)
        assert not editor.told.get(other)

    talk.about(part)


def test_a_pack_without_its_game_says_so(talk: Talk, tmp_path: Path):
    """What `validate` says of it is shown where the pack says what it is."""
    pack = tmp_path / "milk" / "pack.yaml"
    pack.parent.mkdir()
    text = 'pack: {id: milk, title: M, version: "1", for: {core: nowhere, versions: "1.x"}}\n'
    pack.write_text(text, "utf-8")

    async def part(editor: Editor) -> None:
        editor.open(pack.with_name("cards.yaml"), "kinds: {}\n")
        await editor.until(lambda: bool(editor.told.get(pack)))
        (told,) = editor.told[pack]
        (said,) = validated(analyse(pack.parent)).diagnostics
        assert (told.code, told.message.partition("\n")[0]) == (said.code, said.message)
        pack.write_text(text.replace("nowhere", "splicers"), "utf-8")
        editor.saw((pack, lsp.FileChangeType.Changed))
        await editor.until(lambda: "RF842" not in [d.code for d in editor.told[pack]])

    talk.about(part)
