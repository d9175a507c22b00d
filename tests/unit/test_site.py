"""The site of the documents: every page is in it, and no link in it leads nowhere."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from ruleforge.diagnostics.codes import CODES
from tests.documents import ROOT


def test_all_codes_are_listed_with_their_titles():
    """`make pages` writes the list anew."""
    from tests.site import codes_page

    assert (ROOT / "docs" / "diagnostics" / "index.md").read_text("utf-8") == codes_page(CODES.values())


def pages_in(nav):
    for entry in nav:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            yield from pages_in(value) if isinstance(value, list) else [value]


def test_every_page_for_readers_is_in_the_list_of_pages():
    nav = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    wanted = {
        page.relative_to(ROOT / "docs").as_posix()
        for folder in ("", "mechanics", "rulebooks")
        for page in (ROOT / "docs" / folder).glob("*.md")
    }
    assert wanted - set(pages_in(nav)) == set()


def test_the_site_is_built_without_a_complaint(tmp_path):
    """In a copy, so that nothing is left behind."""
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    zensical = Path(sys.executable).parent / "zensical"
    built = subprocess.run([zensical, "build", "--strict"], cwd=tmp_path, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    start = (tmp_path / "build" / "site" / "index.html").read_text("utf-8")
    assert "A first game" in start
    assert 'src="http' not in start and 'rel="stylesheet" href="http' not in start, (
        "nothing is loaded from elsewhere"
    )
