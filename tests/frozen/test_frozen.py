"""Files of every version of the rule language keep their meaning."""

import json
import re

import pytest

import ruleforge
from ruleforge.lang.model.language_version import LANGUAGE
from tests.frozen.plays import DIGESTS, HOME, digest_of_play, rulesets

VERSIONS = [HOME / f"language-{number}" for number in range(1, LANGUAGE + 1)]
FROZEN = [(version, *found) for version in VERSIONS for found in rulesets(version)]


@pytest.mark.parametrize(("version", "name", "folder", "packs"), FROZEN, ids=[name for _, name, *_ in FROZEN])
def test_a_frozen_ruleset_plays_as_it_did(version, name, folder, packs):
    analysis = ruleforge.analyse(folder, packs)
    assert [d for d in analysis.diagnostics if d.severity == "error"] == []
    assert digest_of_play(folder, packs) == json.loads((version / DIGESTS).read_text("utf-8"))[name]


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_frozen_rulesets_use_every_word_of_their_version(version):
    text = "\n".join(file.read_text("utf-8") for file in sorted(version.rglob("*.yaml")))
    words = (version / "words.txt").read_text("utf-8").split()
    assert words and [word for word in words if not re.search(rf"(?<!\w){word}(?!\w)", text)] == []


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_frozen_files_name_their_version(version):
    heads = [*version.glob("*/game.yaml"), *version.glob("*/expansions/*/pack.yaml")]
    number = version.name.removeprefix("language-")
    assert heads and all(re.search(rf"\blanguage: {number}\b", head.read_text("utf-8")) for head in heads)
