"""Splicers in play: random games end for a reason and keep the invariants; bad decks and cards are refused."""

from __future__ import annotations

import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import ruleforge
from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.support.resources import shipped_games
from tests.inside import variant_of
from tests.redeals import redealt
from tests.shelf import game as shelved

NAME = "splicers"
FOLDER = shipped_games()[NAME]
REASONS = {"three_bioms", "most_bioms", "best_bioms", "drawn"}
VARIANTS: tuple[dict[str, bool | str | int], ...] = ({}, {"swapped": True}, {"threshold": "more_than"})


@pytest.fixture(scope="module")
def game() -> ruleforge.Game:
    return shelved(NAME)


def positions(
    game: ruleforge.Game, seed: int, options: dict[str, bool | str | int] | None = None
) -> Iterator[ruleforge.State]:
    """A random game, position by position."""
    state, rng = game.start(seed=seed, options=options), random.Random(seed)
    yield state
    while state.choices:
        state.apply(state.choices[int(rng.random() * len(state.choices))])
        yield state


# --- random play ---


@pytest.mark.parametrize("options", VARIANTS)
def test_random_games_end_for_a_reason_and_keep_the_invariants(
    game: ruleforge.Game, options: dict[str, bool | str | int]
) -> None:
    for seed in range(5):
        for state in positions(game, seed, options):
            assert state.broken_invariants() == ()
        assert state.outcome is not None and state.outcome.reason in REASONS
        assert len(state.outcome.winners) == (0 if state.outcome.reason == "drawn" else 1)


def test_every_ending_and_every_action_occurs(game: ruleforge.Game) -> None:
    reasons: Counter[str] = Counter()
    actions: Counter[str | None] = Counter()
    for seed in range(120):
        state, rng = game.start(seed=seed), random.Random(seed)
        while state.choices:
            choice = state.choices[int(rng.random() * len(state.choices))]
            actions[choice.action] += 1
            state.apply(choice)
        assert state.outcome is not None
        reasons[state.outcome.reason] += 1
    assert set(reasons) == REASONS
    unused = {a.name for a in variant_of(state).program.actions} - {a for a in actions if a is not None}
    assert unused == {"shrink_engine.shrink"}  # expensive, and Rustmoor has nothing that gains actions


def test_both_seats_begin_about_as_often(game: ruleforge.Game) -> None:
    leaders = Counter(game.start(seed=seed)["game.leader"] for seed in range(200))
    assert 70 < leaders["p1"] < 130
    assert game.start(seed=5) == game.start(seed=5)


def test_both_backends_agree_state_by_state(game: ruleforge.Game) -> None:
    plain = shelved(NAME, backend="reference")
    for seed in range(2):
        for one, two in zip(positions(game, seed), positions(plain, seed), strict=True):
            assert one.save() == two.save()
            assert [c.text for c in one.choices] == [c.text for c in two.choices]


def test_what_a_player_gets_does_not_tell_what_is_hidden(game: ruleforge.Game) -> None:
    """Hidden cards dealt anew, all along whole games: views and choices stay as they are."""
    for seed in range(3):
        rng = random.Random(seed)
        for state in positions(game, seed):
            for number, player in enumerate(state.players, 1):
                other = redealt(state, number, rng)
                if state.choices and not other.choices:
                    continue  # not a world the player could think of: the other one waits for nothing there
                assert other.view(player) == state.view(player)
                if state.decision and state.decision.player == player:
                    assert other.choices == state.choices


@pytest.mark.parametrize("players", [1, 3])
def test_only_two_may_play(game: ruleforge.Game, players: int) -> None:
    with pytest.raises(PlayError) as refused:
        game.start(players=players)
    assert refused.value.code == "RF840"


# --- decks and cards: what `validate` says to a deck builder ---

PIKE = "copy_of: river_pike, types: [animal], dominance: 3, genes: [nautic], requires: [aquatic]"


def diagnostics(tmp_path: Path, *edits: tuple[str, str, str]) -> str:
    """All that is said about the ruleset with some texts replaced."""
    folder = tmp_path / NAME
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("scenarios"))
    for file, old, new in edits:
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(RulesetError) as refused:
        ruleforge.load(folder)
    return "\n".join(f"{d.code} {d.message}" for d in refused.value.diagnostics)


def test_cards_with_the_wrong_areas_are_refused(tmp_path: Path) -> None:
    said = diagnostics(
        tmp_path,
        ("cards.yaml", "form: event", "form: spell"),  # SP-3-a
        ("cards.yaml", "requires: [aquatic]", "requires: [nautic]"),  # SP-5.7-e
        ("kinds.yaml", "requires: [nautic]", "requires: [animal]"),  # SP-5.7-f
        ("kinds.yaml", "        requires: [artificial]\n", "        genes: [plant]\n"),  # SP-3.1-b
        ("kinds.yaml", "callings: [keeper]", "genes: [land]"),  # SP-3.5-b, SP-5.6-b
    )
    for words in ("`spell`", "`nautic`", "`animal`", "`genes` of `biom`", "`genes` of `splicer`"):
        assert words in said


def test_a_card_that_is_in_a_deck_twice_is_refused(tmp_path: Path) -> None:
    """SP-3-d, SP-R9: listed twice, or beside a copy of it, or as a second card under the same id."""
    said = diagnostics(tmp_path / "listed", ("decks.yaml", "river_pike, ", "river_pike, river_pike, "))
    assert said == "RF510 `river_pike` is listed twice"
    printed = (
        "cards.yaml",
        "      drift_otter:\n",
        f"      other_pike: {{form: ting, {PIKE}}}\n      drift_otter:\n",
    )
    listed = ("decks.yaml", "river_pike, ", "river_pike, other_pike, ")
    said = diagnostics(tmp_path / "copied", listed, printed)
    assert "`other_pike`: A deck lists a card once" in said
    named = (printed[0], printed[1], printed[2].replace("{form", "{title: RIVER PIKE, form"))
    said = diagnostics(tmp_path / "named", listed, named)
    assert "RF721 `other_pike` has the same title as `river_pike`" in said
    assert "`other_pike`: A deck has no two cards of the same name" in said
    said = diagnostics(tmp_path / "printed", ("cards.yaml", "      drift_otter:", "      river_pike:"))
    assert "river_pike" in said


def test_decks_that_break_the_building_rules_are_refused(tmp_path: Path) -> None:
    said = diagnostics(
        tmp_path,
        ("decks.yaml", ", acid_autumn", ""),
        ("decks.yaml", "[scrap_heights, sunken_ruin]", "[scrap_heights]"),
        ("decks.yaml", "[doctor_rivet]", "[doctor_rivet, mother_loam]"),
        ("decks.yaml", "long_summer\n", "long_summer, blight\n"),
        ("kinds.yaml", "        dominance: 4\n", ""),
        ("kinds.yaml", "        starting_hand: 4\n", ""),
        (
            "cards.yaml",
            "        dominance: 3\n        genes: [nautic]\n",
            "        genes: [nautic, land, mini]\n",
        ),
        ("cards.yaml", "form: mutation\n", "form: mutation\n        dominance: 2\n"),
        ("cards.yaml", "form: event\n", "form: event\n        dominance: 2\n"),
    )
    for words in (
        "`rustmoor`: A deck has at least 18 cards",  # SP-3-b
        "`rustmoor`: A deck has exactly one splicer",  # SP-3-c
        "`rustmoor`: A deck has exactly two bioms",  # SP-3-c
        "`blight`: A card that several decks list has a copy for each player",  # SP-R9
        "`coral_shelf`: A biom has a dominance value",  # SP-3.1-b
        "`river_pike`: A ting has a dominance",  # SP-3.2-b
        "`river_pike`: A card has at most two genes",  # SP-R61
        "`gill_graft`: A mutation has types, but no dominance",  # SP-3.3-b
        "`spring_flood`: An event has types, but no dominance",  # SP-3.4-b
        "`mother_loam`: A splicer has a starting hand size",  # SP-3.5-b
    ):
        assert words in said


def test_events_have_no_neighbours(tmp_path: Path) -> None:
    """SP-R26: nothing is close to an event; its place is told, and that of the check."""
    said = diagnostics(
        tmp_path, ("cards.yaml", "c in side where power(c) <= 2", "c in close(self) where power(c) <= 2")
    )
    assert said.startswith("RF601 `blight`: Nothing is close to an event, and nothing distant")


def test_what_gains_actions_should_exhaust_something(tmp_path: Path) -> None:
    """SP-R63: a warning at the card, through the events that it calls."""
    folder = tmp_path / NAME
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("scenarios"))
    card = "{form: event, types: [weather], rules: {springs: {after: draw(p), do: spring(p)}}}"
    text = (folder / "cards.yaml").read_text("utf-8")
    text = text.replace("      drift_otter:\n", f"      mild_spring: {card}\n      drift_otter:\n", 1)
    (folder / "cards.yaml").write_text(text, "utf-8")
    event = "events:\n  spring: {takes: {p: player}, do: 'gain(p, 1)'}\n"
    (folder / "more.yaml").write_text(event, "utf-8")
    found = ruleforge.analyse(folder).diagnostics
    assert [(d.code, d.severity) for d in found] == [("RF720", "warning")]
    assert found[0].message.startswith("`mild_spring`: What gains actions should exhaust something")
    assert found[0].span.file.endswith("cards.yaml")
    assert found[0].notes[0][1].file.endswith("checks.yaml")


def test_a_ting_without_genes_is_accepted(tmp_path: Path) -> None:
    folder = tmp_path / NAME
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("scenarios"))
    text = (folder / "cards.yaml").read_text("utf-8")
    without = text.replace("        genes: [nautic]\n", "", 1)
    assert without != text
    (folder / "cards.yaml").write_text(without, "utf-8")
    assert ruleforge.load(folder).start(seed=1).choices


def test_every_keyword_is_on_a_card() -> None:
    cards = yaml.safe_load((FOLDER / "cards.yaml").read_text("utf-8"))["kinds"]["card"]["things"]
    keywords = yaml.safe_load((FOLDER / "keywords.yaml").read_text("utf-8"))["keywords"]
    assert {k for card in cards.values() for k in card.get("keywords", ())} == set(keywords)
    decks = yaml.safe_load((FOLDER / "decks.yaml").read_text("utf-8"))["kinds"]["decklist"]["things"]
    assert sorted(card for deck in decks.values() for card in deck["cards"]) == sorted(cards)


# --- points for packs to come ---

SYMBIOSIS = """
keywords:
  symbiosis:
    text: This ting has +1 while another close friendly ting shares a gene with it.
    kind: card
    rules:
      thrives:
        modify: power(self)
        when: any(o in close(self) where o.keeper is self.keeper and any(g in genes_of(o) where g in genes_of(self)))
        add: 1
rules:
  otters_and_toads_are_symbiotic:
    modify: keywords(c)
    when: c is drift_otter or c is seer_toad
    add: "[symbiosis]"
"""


def test_a_pack_hangs_on_what_the_core_publishes(tmp_path: Path) -> None:
    """A new keyword from close, friendly, genes and a continuous change, without an edit of the core."""
    folder = tmp_path / NAME
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("scenarios"))
    (folder / "symbiosis.yaml").write_text(SYMBIOSIS, "utf-8")
    state = ruleforge.load(folder).start(seed=1)
    alone = state.patched({"coral_shelf.side[p1]": ["drift_otter"], "p1.hand": []})
    both = state.patched({"coral_shelf.side[p1]": ["drift_otter", "seer_toad"], "p1.hand": []})
    assert alone["power(drift_otter)"] == 2
    assert both["power(drift_otter)"] == both["power(seer_toad)"] == 3


MIRROR = """
rules:
  both_play_wildgrove: {modify: deck_of_seat(p), set: wildgrove}
"""


def with_second_copies(text: str, kind: str) -> str:
    """Rule text in which every thing of a kind is printed once more, as a copy."""
    head, section = text.split(f"\n  {kind}:\n")
    before, printed = section.split("\n    things:\n", 1)
    things, *after = re.split(r"(?m)^(?=  \w)", printed, maxsplit=1)
    copies = re.sub(r"(?m)^      (\w+):$", r"      second_\1:\n        copy_of: \1", things)
    return f"{head}\n  {kind}:\n{before}\n    things:\n{things.rstrip()}\n{copies}" + "".join(after)


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> ruleforge.Game:
    """The core with a second copy of every card, and Wildgrove on both sides."""
    folder = tmp_path_factory.mktemp("mirror") / NAME
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("scenarios"))
    for file, kind in (("cards.yaml", "card"), ("kinds.yaml", "biom"), ("kinds.yaml", "splicer")):
        text = (folder / file).read_text("utf-8")
        (folder / file).write_text(with_second_copies(text, kind), "utf-8")
    (folder / "mirror.yaml").write_text(MIRROR, "utf-8")
    return ruleforge.load(folder)


def owned(state: ruleforge.State, player: str) -> set[str]:
    deck, hand = state[f"{player}.deck"], state[f"{player}.hand"]
    assert isinstance(deck, list) and isinstance(hand, list)
    return {*deck, *hand}


def test_both_players_may_play_the_same_deck(mirror: ruleforge.Game) -> None:
    """SP-R9: decks are independent; each player owns a copy of each card (SP-R52)."""
    state = mirror.start(seed=1)
    assert (state["p1.office"], state["p2.office"]) == ("mother_loam", "second_mother_loam")
    assert state["row"] == [
        "coral_shelf",
        "whispering_meadow",
        "second_coral_shelf",
        "second_whispering_meadow",
    ]
    assert owned(state, "p2") == {f"second_{card}" for card in owned(state, "p1")}
    for seed in range(3):
        for state in positions(mirror, seed):
            assert state.broken_invariants() == ()


# --- a gene of a pack ---

GROTTO = """
pack: {id: grotto, title: Grotto, version: "1.0", for: {core: splicers, versions: "0.x"}, needs: [symbiosis]}
kinds: {biom: {things: {grotto: {terrains: [terran], dominance: 4, requires: [crystal]}}}}
"""


def test_a_biom_may_require_the_gene_of_a_pack(tmp_path: Path) -> None:
    """SYM-5: Crystal is required like the other genes; no biom that ships does so."""
    (tmp_path / "grotto").mkdir()
    (tmp_path / "grotto" / "pack.yaml").write_text(GROTTO, "utf-8")
    state = ruleforge.load(NAME, ["symbiosis", str(tmp_path / "grotto")]).start(seed=15)
    assert state["fits(geode_lichen, grotto)"] is True
    assert state["fits(thicket_wolf, grotto)"] is False
