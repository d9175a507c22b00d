"""Rulebooks from rules: they are complete and current, and the texts of authors are escaped."""

import re
from dataclasses import fields, is_dataclass
from functools import cache
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

import ruleforge
from ruleforge.frontends.cli.main import main
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.project.locator import packs_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import data_root, shipped_games
from ruleforge.tools.project_files.rulebook import read_rulebook
from ruleforge.tools.rulebook.book import Cited, Effect, Item, Items, Plain, Rows, Rulebook, Section, Words
from ruleforge.tools.rulebook.exact_rules import TITLE
from ruleforge.tools.rulebook.generator import book_of
from ruleforge.tools.rulebook.html import html
from ruleforge.tools.rulebook.markdown import markdown
from tests.shelf import rules

once = cache(book_of)  # several tests look at the same book
RULESETS = sorted(folder.name for folder in (data_root() / "rulesets").iterdir() if folder.is_dir())


@pytest.mark.parametrize("game", RULESETS)
def test_the_rulebook_of_a_ruleset_is_in_step(game):
    """`make pages` writes them anew."""
    book, diagnostics = once(game)
    assert book is not None, diagnostics
    kept = data_root() / "docs" / "rulebooks" / f"{game}.md"
    assert kept.read_text("utf-8") == markdown(book)


@pytest.mark.parametrize("game", RULESETS)
def test_everything_that_has_a_name_is_in_it(game):
    ruleset = rules(game).ruleset
    assert ruleset is not None
    text = (data_root() / "docs" / "rulebooks" / f"{game}.md").read_text("utf-8").replace("\\", "")
    things = [thing for kind in ruleset.kinds if not kind.grid for thing in kind.things]
    named = [*ruleset.actions, *ruleset.keywords, *ruleset.endings, *things]
    assert [d.id for d in named if d.title and d.title not in text] == []
    clauses = read_rulebook(shipped_games()[game], Report())
    assert [id_ for id_ in clauses or () if f"**{id_}**" not in text] == []
    assert all(name in text for name in _pack_titles(game))


def _pack_titles(game):
    core = shipped_games()[game]
    found = (ruleforge.analyse(game, [path], before=rules(game)) for path in packs_of(core).values())
    return [reading.pack.manifest.title for one in found for reading in one.packs]


# Parts for programs and authors, and parts that a rulebook shows as words or titles.
NOT_FOR_PLAYERS = [
    "Ruleset.heuristic",
    "Ruleset.checks",
    "Ruleset.invariants",
    "Ruleset.profiles",
    "Ruleset.layout",
    "Ruleset.holes",
    "Ruleset.manners",
    "Kind.controller",
    "Kind.trigger_order",
    "Kind.called",
    "Event.tells",
    "Action.tells",
    "Action.hint",
    "Action.manner",
]
IN_OTHER_WORDS = ["Thing.facts", "Thing.keywords", "Action.during", "Kind.facts"]


def _texts(node, left_out):
    """The texts of rules below a definition, with the field each stands in."""
    for each in fields(node):
        name, value = f"{type(node).__name__}.{each.name}", getattr(node, each.name)
        if name not in left_out:
            yield from _texts_in(name, value, left_out)


def _texts_in(name, value, left_out):
    if isinstance(value, SourceText):
        yield name, value.text
    elif isinstance(value, tuple):
        for one in value:
            yield from _texts_in(name, one, left_out)
    elif is_dataclass(value):
        yield from _texts(value, left_out)


def _squeezed(text):
    return re.sub(r"[\s`\\]", "", text)


@pytest.mark.parametrize("game", [*RULESETS, "chess", "court", "euchre", "spell-duel"])
def test_everything_that_the_rules_do_is_in_it(game):
    """Also what happens by itself: at the start and the end of a phase, or where nothing can be chosen."""
    rules, (book, _) = ruleforge.analyse(game).ruleset, once(game)
    assert rules is not None and book is not None
    text = _squeezed(markdown(book))
    left_out = {*NOT_FOR_PLAYERS, *IN_OTHER_WORDS}
    found = [(name, rule) for name, rule in _texts(rules, left_out) if rule not in ("true", "false")]
    assert len(found) > 50
    assert [(name, rule) for name, rule in found if _squeezed(rule) not in text] == []


@pytest.mark.parametrize("game", [*RULESETS, "chess", "court", "euchre", "hex", "spell-duel"])
def test_chapters_for_players_have_no_code(game):
    book, _ = once(game)
    assert book is not None and book.sections[-1].title == TITLE
    chapters = Rulebook(
        "", book.blocks, tuple(s for s in book.sections[:-1] if s.title not in ("Clauses", "Packs"))
    )
    code = re.findall(r"`[^`\n]+`", markdown(chapters).replace("\\", ""))
    source = "\n".join(file.read_text("utf-8") for file in shipped_games()[game].rglob("*.yaml"))
    assert [found for found in code if found not in source] == []  # only authors write code in backticks


def test_an_occasion_is_called_alike_everywhere():
    book, _ = once("soul-gems")
    assert book is not None
    text = markdown(book)
    assert "**Upkeep, Gem attempt**: " in text and "- **when**: Upkeep, Gem attempt\n" in text
    assert "Gem Step" not in text


@pytest.mark.parametrize("game", RULESETS)
def test_no_column_of_a_table_of_cards_is_mostly_empty(game):
    """What few have is said in words, so that the words of a card are not pushed off the page."""
    book, _ = once(game)
    assert book is not None
    kinds = next(section for section in book.sections if section.title == "Components").sections
    tables = [b for s in kinds for b in s.blocks if isinstance(b, Rows) and "name" in b.head]
    assert tables
    for table in tables:
        for name, column in zip(table.head, zip(*table.rows, strict=True), strict=True):
            assert name in ("", "says") or 2 * sum(map(bool, column)) >= len(column), (table.head, name)


@pytest.mark.parametrize("game", RULESETS)
def test_the_table_at_the_start_is_no_wider_than_a_page(game):
    book, _ = once(game)
    assert book is not None
    (start,) = (section for section in book.sections if section.title == "Set-up")
    table = start.blocks[-1]
    assert isinstance(table, Plain) and max(map(len, table.text.splitlines())) <= 80


def test_copies_have_the_sign_of_one():
    book, _ = once("soul-gems")
    assert book is not None and "| ♖ | White Rook × 2 |" in markdown(book)


def test_what_is_below_a_point_is_below_it_for_every_reader():
    steps = (Item("Draw", effect="draw(me)\nwait"), Item("Play"))
    book = Rulebook("T", (Items((Item("Turn", "", steps), Item("End")), ordered=True),), ())
    assert markdown(book).splitlines()[2:] == [
        "1. **Turn**",
        "    1. **Draw**",
        "",
        "        ```text",
        "        draw(me)",
        "        wait",
        "        ```",
        "",
        "    2. **Play**",
        "2. **End**",
    ]
    assert "<b>Draw</b><pre>draw(me)\nwait</pre></li>" in html(book)


LONG = "a word and " * 20 + "- 1. # > end"


def test_no_line_is_longer_than_120_characters():
    """Nothing is lost: a wide table becomes a list, and code goes on in the next line."""
    rows = (
        ("♖", "Rook", "1", "2", "Moves straight"),
        ("♘", "Knight", "", "", LONG),
        ("", "Pawn", "", "", ""),
    )
    effect = f"if here:\n  do {LONG}\n\nskip"
    blocks = (
        Rows(("", "name", "strength", "price", "says"), rows),
        Rows(("place", "", "holds"), (("Box", LONG, "cards"), ("Lid", "", ""))),
        Items((Item("is", f"`{LONG}`", (Item("at the end", effect=effect),)),)),
        Effect(effect),
        Cited(tuple(f"CLAUSE-{number}" for number in range(30))),
    )
    lines = markdown(Rulebook("T", blocks, ())).splitlines()
    assert max(map(len, lines)) <= 120
    assert " ".join(lines).split().count("word") == 20 * 5
    assert "| ♘ | Knight |  |  |" in lines and "- **♖ Rook**: Moves straight." in lines
    assert "- **Lid**" in lines and any("end. Holds: cards." in line for line in lines)
    assert not [line for line in lines if re.match(r" {0,4}([>#] |\d+[.)]$)", line) and line != "# T"]


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
    book = Rulebook(hostile, blocks, (Section(hostile, (Plain(hostile),)),))
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
    book, _ = once(game)
    assert book is not None
    (section,) = [s for s in book.sections if s.title == "Options"]
    assert "true, false" in str(section) and "flag" not in str(section)
