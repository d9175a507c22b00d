"""Pictures of rules: what they show is what the rules say, and every text in them is only text."""

import os
import subprocess
import sys
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import ruleforge
from ruleforge.frontends.cli.main import main
from ruleforge.support.resources import data_root
from ruleforge.tools.graph.diagram import Arrow, Box, Diagram, mermaid
from ruleforge.tools.graph.diagrams import SORTS, diagram_of
from ruleforge.tools.graph.layers import LABEL, label_width, layered, shape_at
from ruleforge.tools.graph.svg import svg
from tests.shelf import rules

RULESETS = sorted(folder.name for folder in (data_root() / "rulesets").iterdir() if folder.is_dir())
MARSH = """
game: {id: marsh, title: Marsh, version: "1", players: 2}
kinds:
  game: {has: {seen: 0..99}}
  player: {things: [ann, ben], has: {coins: 0..9 = 3}}
  card:
    facts: {cost: 0..9}
    things:
      newt: {cost: 1, keywords: [sly]}
      frog: {cost: 2}
keywords:
  sly:
    kind: card
    rules:
      again: {after: taken(self), do: "game.seen += 1"}
places:
  deck: {holds: card, starts: cards}
  hand: {of: {holder: player}, holds: card}
events:
  taken: {takes: {c: card}, do: move c to active.hand}
flow:
  - {phase: turn, repeat: any(c in deck), each: me in players, window: one}
  - {phase: last, do: finish over}
actions:
  take:
    during: turn
    choose: {c: in deck}
    cost: pay 1 from me.coins
    do: taken(c)
endings: {over: {text: It is over.}}
"""


@pytest.fixture
def marsh(tmp_path):
    (tmp_path / "marsh.yaml").write_text(MARSH)
    found = ruleforge.analyse(str(tmp_path / "marsh.yaml"))
    assert found.complete, found.diagnostics
    return found


def shown(found, sort):
    return diagram_of(found.ruleset, found.checked, sort)


def ends(diagram):
    labels = {box.id: box.label for box in diagram.boxes}
    return {(labels[a.start], labels[a.end], a.label) for a in diagram.arrows}


def test_phases_lie_in_one_another_with_what_may_be_done(marsh):
    diagram = shown(marsh, "phases")
    assert [box.label for box in diagram.boxes] == ["turn", "last"]
    assert [box.label for box in diagram.boxes[0].inside] == ["take"]
    assert "for each me in players" in diagram.boxes[0].notes
    assert ends(diagram) == {("turn", "last", "")}


def test_triggers_lead_from_who_acts_over_the_event_to_the_rule(marsh):
    assert ends(shown(marsh, "triggers")) == {("taken", "sly: again", "after"), ("take", "taken", "")}


def test_keywords_that_are_given_are_no_move():
    found = ruleforge.analyse("splicers")
    arrows = ends(shown(found, "triggers"))
    assert ("mossy hide: moss", "keywords of a card", "modifies") in arrows
    assert not [arrow for arrow in arrows if arrow[1].endswith(" moves") and arrow[2] == "modifies"]


def test_keywords_and_who_has_them(marsh):
    assert ends(shown(marsh, "keywords")) == {("Newt", "Sly", "")}


def test_components_go_from_where_a_choice_found_them(marsh):
    assert ends(shown(marsh, "components")) == {("at the start", "deck", ""), ("deck", "hand", "taken")}


def test_counters_and_who_changes_or_pays_them(marsh):
    wanted = {("player.coins", "take", "pays"), ("sly: again", "game.seen", "")}
    assert ends(shown(marsh, "counters")) == wanted


def test_around_a_name_is_only_what_is_joined_to_it(marsh):
    assert len(shown(marsh, "triggers").around("take").boxes) == 2


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("game", RULESETS)
def test_every_picture_of_every_ruleset_can_be_drawn(game, sort):
    diagram = shown(rules(game), sort)
    drawn = ElementTree.fromstring(svg(diagram))
    titles = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == [diagram.title]
    assert mermaid(diagram).count("-->") + mermaid(diagram).count("-.->") == len(diagram.arrows)
    width, height = (float(drawn.attrib[name]) for name in ("width", "height"))
    for box in drawn.iter("{http://www.w3.org/2000/svg}rect"):
        right = float(box.attrib.get("x", 0)) + float(box.attrib["width"])
        assert right <= width and float(box.attrib.get("y", 0)) + float(box.attrib["height"]) <= height


def meet(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def frame(shape):
    return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height


@pytest.mark.parametrize("sort", [sort for sort in SORTS if sort != "phases"])
@pytest.mark.parametrize("game", RULESETS)
def test_arrows_and_their_words_lie_across_no_box_and_words_on_no_words(game, sort):
    picture = layered(shown(rules(game), sort))
    boxes = [frame(shape) for shape in picture.shapes]
    for points, _ in picture.paths:
        assert len(set(points)) == len(points) > 1
        for (x0, y0), (x1, y1) in pairwise(points):
            level = (min(x0, x1), min(y0, y1) + 0.01, max(x0, x1), max(y0, y1) - 0.01)
            assert y0 == y1 or not any(meet(level, box) for box in boxes)
    words = [
        (x - label_width(text) / 2, y - LABEL / 2, x + label_width(text) / 2, y + LABEL / 2)
        for x, y, text in picture.labels
    ]
    assert not [word for word in words if any(meet(word, box) for box in boxes)]
    assert not [one for one, other in combinations(words, 2) if meet(one, other)]


def test_a_picture_is_the_same_every_time(tmp_path):
    for number in ("1", "2"):
        out = str(tmp_path / f"{number}.svg")
        command = [sys.executable, "-m", "ruleforge.frontends.cli.main", "graph", "splicers", "triggers"]
        subprocess.run([*command, "--out", out], env={**os.environ, "PYTHONHASHSEED": number}, check=True)
    assert (tmp_path / "1.svg").read_text() == (tmp_path / "2.svg").read_text()


def test_what_leads_back_is_small_print_in_the_box():
    diagram = Diagram("loops", (Box("a", "a", "place"),), (Arrow("a", "a", "turn"),))
    picture = layered(diagram)
    assert picture.paths == () and picture.shapes[0].notes == ("\N{CLOCKWISE OPEN CIRCLE ARROW} turn",)


def test_signs_of_a_title_are_only_signs():
    hostile = '"]); <script>x</script> & `#end` \\'
    diagram = Diagram(
        hostile, (Box("a", hostile, "event"), Box("b", "b", "rule")), (Arrow("a", "b", hostile),)
    )
    assert "<script>" not in mermaid(diagram) and '"])' not in mermaid(diagram).replace('"](', "")
    ElementTree.fromstring(svg(diagram))


def test_the_command_writes_files_and_answers_misuse(tmp_path):
    run = CliRunner().invoke
    out = tmp_path / "nim.svg"
    assert "wrote" in run(main, ["graph", "nim", "--out", str(out)]).output
    assert out.read_text().startswith("<svg")
    assert run(main, ["graph", "nim"]).output.startswith("---\ntitle:")
    assert run(main, ["graph", "nim", "--out", str(tmp_path / "nim.gif")]).exit_code == 2
    wrong = run(main, ["graph", "nim", "counters", "--around", "tak"])
    assert wrong.exit_code == 2 and "did you mean `take`?" in wrong.output
    (tmp_path / "bad.yaml").write_text("game: {id: x}\n")
    assert run(main, ["graph", str(tmp_path / "bad.yaml")]).exit_code == 1


def test_a_box_is_as_wide_as_its_letters():
    wide, plain, narrow = (shape_at(Box("b", word, "phase"), 0, 0).width for word in ("mmmm", "nnnn", "llll"))
    assert wide > plain > narrow > 16
