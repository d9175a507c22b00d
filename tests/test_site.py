"""The site of the documents: every page is in it, code is shown as code, no link is dead."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ruleforge.support.diagnostics.codes import CODES
from tests.built_site import faults_of
from tests.documents import ROOT


def test_all_codes_are_listed_with_their_titles():
    """`make pages` writes the list anew."""
    from tests.site import codes_page

    assert (ROOT / "docs" / "diagnostics" / "index.md").read_text("utf-8") == codes_page(CODES.values())


def test_the_index_of_words_is_complete():
    """`make pages` writes it anew."""
    from tests.site import WORDS, words_page

    assert WORDS.read_text("utf-8") == words_page()


def test_the_python_reference_has_every_public_name_and_is_current():
    """`make pages` writes it anew; its examples run with the page."""
    import ruleforge
    from tests.api_page import ORDER, PAGE, api_page

    assert set(ORDER) == set(ruleforge.__all__)
    assert PAGE.read_text("utf-8") == api_page()


def test_every_word_stands_on_the_page_that_the_index_names():
    from tests.site import LANGUAGE, WORDS

    rows = re.findall(r"^\| `([^`]+)` \| .* \| \[.*\]\((.*)\) \|$", WORDS.read_text("utf-8"), re.MULTILINE)
    pages = {page: (LANGUAGE / page).read_text("utf-8") for _, page in rows}
    assert len(rows) > 200
    shown = r"`[^`\n]*\b{0}\b|\b{0}: "  # as code in the text, or as a key in an example
    assert not [(word, page) for word, page in rows if not re.search(shown.format(word), pages[page])]


def pages_in(nav):
    for entry in nav:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            yield from pages_in(value) if isinstance(value, list) else [value]


def test_every_page_for_readers_is_in_the_list_of_pages():
    nav = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    wanted = {
        page.relative_to(ROOT / "docs").as_posix()
        for folder in ("", "tutorial", "how-to", "mechanics", "reference", "explanation", "rulebooks")
        for page in (ROOT / "docs" / folder).rglob("*.md")
        if folder or page.parent.name == "docs"
    }
    assert wanted - set(pages_in(nav)) == set()


def test_the_guide_for_language_models_leads_to_pages():
    docs = ROOT / "docs"
    targets = re.findall(r"\]\(([^)]+)\)", (docs / "llms.txt").read_text("utf-8"))
    assert len(targets) > 12 and not [target for target in targets if not (docs / target).is_file()]


def test_the_language_card_has_two_pages():
    """Some 60 lines of 100 characters fill a printed page."""
    card = (ROOT / "docs" / "reference" / "language-card.md").read_text("utf-8")
    assert len(card.splitlines()) <= 170 and len(card.split()) <= 1200
    assert all(f"{head}:" in card for head in ("kinds", "places", "events", "flow", "actions", "endings"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built in a copy, so that nothing is left behind."""
    folder = tmp_path_factory.mktemp("site").resolve()
    shutil.copy(ROOT / "zensical.toml", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    zensical = Path(sys.executable).parent / "zensical"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    built = subprocess.run(
        [zensical, "build", "--strict"], cwd=folder, env=env, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "build" / "site"


def test_nothing_is_loaded_from_elsewhere(site):
    start = (site / "index.html").read_text("utf-8")
    assert "Your first game" in start
    assert 'src="http' not in start and 'rel="stylesheet" href="http' not in start


def test_blocks_headings_and_links_of_the_site_are_those_of_the_pages(site):
    assert list(faults_of(site, ROOT / "docs")) == []


# Words that people search for -> the page that the site's search shows first.
SEARCHES = {
    "shuffle": "mechanics/chance.html#shuffle",
    "auction": "how-to/game-genres.html#auction",
    "hidden cards": "mechanics/hidden.html",
    "hidden information": "explanation/hidden-information.html",
    "hidden roles": "how-to/game-genres.html#hidden-roles",
    "hand limit": "how-to/recipes.html#hand-limit",
    "once per turn": "mechanics/turns.html",
    "simultaneous": "mechanics/sealed.html",
    "triggers": "mechanics/chosen_order.html",
    "dice": "mechanics/chance.html",
    "undo": "how-to/play.html#undo",
    "observation": "how-to/reinforcement-learning.html#observations",
}


def test_the_search_shows_the_right_page_first(site):
    """The script that the site hands to browsers ranks its own index."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine")
    script = Path(__file__).with_name("site_search.js")
    ran = subprocess.run(
        [node, script, site, *SEARCHES], capture_output=True, text=True, check=True, timeout=60
    )
    found = {query: pages[:1] for query, pages in json.loads(ran.stdout).items()}
    assert found == {query: [page] for query, page in SEARCHES.items()}


def test_the_check_finds_each_fault(tmp_path):
    """Code shown as prose, a heading from inside a block, a dead link, a dead anchor, a missing page."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("# Page\n\n```yaml whole\n# file: a.yaml\nb: 1\n```\n")
    (tmp_path / "docs" / "lost.md").write_text("# Lost\n")
    (tmp_path / "page.html").write_text(
        "<article><h1 id=page>Page</h1><p>```yaml whole</p><h1>file: a.yaml</h1><p>b: 1 ```</p>"
        "<a href=#page>here</a><a href=#gone>gone</a><a href=none.html>none</a></article>"
    )
    assert list(faults_of(tmp_path, tmp_path / "docs")) == [
        "lost.md: not in the site",
        "page.md: code shown as prose: # file: a.yaml",
        "page.md: heading from inside a block: file: a.yaml",
        "page.md: dead link #gone",
        "page.md: dead link none.html",
    ]
