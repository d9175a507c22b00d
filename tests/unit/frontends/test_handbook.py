"""Rulebooks made from rules: all that a ruleset says is in them, they are in step, and text stays text."""

from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

import ruleforge
from ruleforge.beside.rulebook import read_rulebook
from ruleforge.diagnostics import Report
from ruleforge.finding import packs_of
from ruleforge.frontends.cli.main import main
from ruleforge.frontends.handbook.book import Handbook, Item, Items, Plain, Rows, Section, Words
from ruleforge.frontends.handbook.html import html
from ruleforge.frontends.handbook.markdown import markdown
from ruleforge.frontends.handbook.opening import book_of
from ruleforge.resources import data_root, shipped_games

RULESETS = sorted(folder.name for folder in (data_root() / "rulesets").iterdir() if folder.is_dir())


@pytest.mark.parametrize("game", RULESETS)
def test_the_rulebook_of_a_ruleset_is_in_step(game):
    """`make pages` writes them anew."""
    book, complaints = book_of(game)
    assert book is not None, complaints
    kept = data_root() / "docs" / "rulebooks" / f"{game}.md"
    assert kept.read_text("utf-8") == markdown(book)


@pytest.mark.parametrize("game", RULESETS)
def test_everything_that_has_a_name_is_in_it(game):
    rules = ruleforge.analyse(game).ruleset
    assert rules is not None
    text = (data_root() / "docs" / "rulebooks" / f"{game}.md").read_text("utf-8").replace("\\", "")
    things = [thing for kind in rules.kinds if not kind.grid for thing in kind.things]
    named = [*rules.actions, *rules.keywords, *rules.endings, *things]
    assert [d.id for d in named if d.title and d.title not in text] == []
    clauses = read_rulebook(shipped_games()[game], Report())
    assert [id_ for id_ in clauses or () if f"**{id_}**" not in text] == []
    assert all(name in text for name in _pack_titles(game))


def _pack_titles(game):
    core = shipped_games()[game]
    found = (ruleforge.analyse(game, [path]) for path in packs_of(core).values())
    return [reading.pack.manifest.title for one in found for reading in one.packs]


class Tags(HTMLParser):
    """Counts tags, and what is left open."""

    def __init__(self):
        super().__init__()
        self.open, self.scripts, self.anchors, self.links = [], 0, set(), set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.scripts += tag == "script"
        self.anchors |= {given["id"]} if "id" in given else set()
        self.links |= {given["href"]} if "href" in given else set()
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_its_links_lead_somewhere():
    book, _ = book_of("primordial-orbs", ["rooted-life"])
    assert book is not None
    tags = Tags()
    tags.feed(html(book))
    assert tags.open == [] and tags.scripts == 0
    assert {link for link in tags.links if link[1:] not in tags.anchors} == set()
    assert "Rooted Life" in html(book)


def test_signs_of_authors_are_only_signs():
    hostile = "<script>alert(1)</script> | *x* [y](z) # `"
    blocks = (Words(hostile), Rows(("a", hostile), ((hostile, "b"),)), Items((Item(hostile, hostile),)))
    book = Handbook(hostile, blocks, (Section(hostile, (Plain(hostile),)),))
    tags = Tags()
    tags.feed(html(book))
    assert tags.open == [] and tags.scripts == 0
    assert "\\<script\\>" in markdown(book) and "[y](z)" not in markdown(book).replace(
        f"```text\n{hostile}", ""
    )


def test_the_command_writes_either_form_and_answers_misuse(tmp_path):
    run = CliRunner().invoke
    assert run(main, ["docs", "nim"]).output.startswith("# Nim\n")
    for name, start in (("nim.md", "# Nim"), ("nim.html", "<!doctype html>")):
        assert "wrote" in run(main, ["docs", "nim", "--out", str(tmp_path / name)]).output
        assert (tmp_path / name).read_text().startswith(start)
    assert run(main, ["docs", "nim", "--out", str(tmp_path / "nim.pdf")]).exit_code == 2
    (tmp_path / "bad.yaml").write_text("game: {id: x}\n")
    assert run(main, ["docs", str(tmp_path / "bad.yaml")]).exit_code == 1


@pytest.mark.parametrize("game", ["soul-gems", "splicers", "nim"])
def test_no_type_of_the_language_stands_where_players_choose(game):
    book, _ = book_of(game)
    assert book is not None
    (section,) = [s for s in book.sections if s.title == "Options"]
    assert "true, false" in str(section) and "flag" not in str(section)
