"""Primordial Soup: random games at every table, meals against a plain enumeration, board and cards, additions."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import ruleforge
from ruleforge.support.resources import shipped_games
from tests.inside import variant_of, vector_of

NAME = "primordial-soup"
LAST_ROUND = 10
REASONS = {"finish_zone", "last_card"}
TABLES = pytest.mark.parametrize("players", [2, 3, 4])


@cache
def game(backend: str = "python") -> ruleforge.Game:
    return ruleforge.load(NAME, backend=backend)


def broken_invariants(state: ruleforge.State) -> list[str]:
    variant = variant_of(state)
    call = variant.runtime.call
    return [i.name for i in variant.program.invariants if not call(i.function, vector_of(state))]


def random_line(state: ruleforge.State, seed: int) -> Iterator[ruleforge.State]:
    """The states of a random game, each before its choice is made; the last one is over."""
    rng = random.Random(seed)
    while True:
        yield state
        if not state.choices:
            return
        state.apply(rng.choice(state.choices))


# --- random play ---


@TABLES
def test_random_games_end_with_a_reason_and_keep_the_invariants(players: int) -> None:
    for seed in range(6):
        for state in random_line(game().start(players=players, seed=seed), seed):
            assert broken_invariants(state) == []
        assert state.outcome is not None
        assert state.outcome.reason in REASONS
        assert 1 <= int(str(state["game.round"])) <= LAST_ROUND
        furthest = max(state.outcome.scores.values())
        assert [state.outcome.scores[w] for w in state.outcome.winners] == [furthest]


@TABLES
def test_backends_agree_state_by_state(players: int) -> None:
    for seed in range(2):
        ours = game().start(players=players, seed=seed)
        theirs = game("reference").start(players=players, seed=seed)
        rng = random.Random(seed)
        while ours.choices:
            assert ours.save() == theirs.save()
            text = str(rng.choice(ours.choices))
            ours.apply(text)
            theirs.apply(text)
        assert ours.outcome == theirs.outcome is not None


@TABLES
def test_only_the_cards_to_come_are_hidden(players: int) -> None:
    for state in random_line(game().start(players=players, seed=1), 1):
        for player in state.players:
            view = state.view(player)
            assert set(view["places"]["climate_deck"]) <= {"?"}
            hidden = [path for path, value in view["places"].items() if "?" in (value or [])]
            assert hidden in ([], ["climate_deck"])


# --- material ---


def test_the_board_is_the_printed_one() -> None:
    rows = {1: "b", 2: "abcde", 3: "abde", 4: "abcde", 5: "abcd"}
    spaces = {f"{column}{row}" for row, columns in rows.items() for column in columns}
    state = game().start(players=3)
    found = {path.split(".")[0] for path in state.paths() if path.endswith(".swimmers")}
    assert found == spaces
    for here in spaces:
        column, row = here[0], int(here[1])
        around = {
            "west": chr(ord(column) - 1) + str(row),
            "north": f"{column}{row - 1}",
            "east": chr(ord(column) + 1) + str(row),
            "south": f"{column}{row + 1}",
        }
        for way, there in around.items():
            assert state[f"beyond({here}, {way})"] == (there if there in spaces else None)


@pytest.mark.parametrize(("players", "cards"), [(2, 20), (3, 20), (4, 30)])
def test_the_pool_has_the_right_number_of_cards(players: int, cards: int) -> None:
    state = game().start(players=players)
    stock = [int(str(state[path])) for path in state.paths() if path.endswith(".stock")]
    assert sum(stock) == cards
    assert len(stock) == 20 + 3


def core_copy(folder: Path) -> Path:
    shutil.copytree(shipped_games()[NAME], folder, ignore=shutil.ignore_patterns("scenarios", "expansions"))
    return folder


# file, what stands there, what is put in its place, the complaint
BAD_BOXES = [
    ("game.yaml", "    value: 55", "    value: 37", "`red`, `blue`, `yellow`, `green`: There are cubes"),
    ("kinds.yaml", "red_6, red_7]", "red_6, blue_7]", "`red`: A tribe has its seven amoebas"),
    ("cards.yaml", "      star_1:", "      star_1:\n        copies_of_four: 1", "`star_1`: A blank card"),
    (
        "cards.yaml",
        "      star_1:",
        "      swarm: {copies_of_three: 4}\n      star_1:",
        "`swarm`: Nobody owns two",
    ),
    (
        "cards.yaml",
        "gives_up: [speed]",
        "gives_up: [movement_2]",
        "`persistence`: An advanced gene is built on",
    ),
    (
        "board.yaml",
        "{face: 2, toward",
        "{face: 1, toward",
        "`west`, `north`: Every direction has its own face",
    ),
    ("growth.yaml", "{counted: 4,", "{counted: 3,", "The table of the ladder"),
]


@pytest.mark.parametrize(("file", "old", "new", "complaint"), BAD_BOXES, ids=[box[3] for box in BAD_BOXES])
def test_the_box_is_checked(file: str, old: str, new: str, complaint: str, tmp_path: Path) -> None:
    replace(core_copy(tmp_path / NAME) / file, old, new)
    with pytest.raises(ruleforge.RulesetError, match="RF601") as caught:
        ruleforge.load(tmp_path / NAME)
    names, colon, words = complaint.rpartition(": ")
    said = "\n".join(d.message for d in caught.value.diagnostics)
    assert all(f"{name}{colon}{words}" in said for name in names.split(", "))


# --- additions: the core is only added to ---

STARRED_GENES = """\
      cyst:
        price: 4
        points: 3
        copies_of_three: 1
        copies_of_four: 1
        rules:
          shuts:
            instead of: starve(a)
            when: self in a.tribe.genes and a.tribe.bp >= 2
            do: |
              a.tribe.bp -= 2
              game.served = true
      photosynthesis:
        price: 5
        points: 4
        copies_of_three: 1
        copies_of_four: 1
      scavenger:
        price: 4
        points: 5
        gives_up: [intelligence]
        copies_of_three: 1
        copies_of_four: 1
        rules:
          finds:
            after: die(a, crumbs)
            before: {grave: a.spot}
            when: found(self, grave)
            limit: 3 per round
            do: |
              for tr in tribes where self in tr.genes: tr.bp += 1
"""
PACK = """
formulas:
  found:
    takes: {g: gene, grave: space or none}
    is: grave is not none and any(tr in tribes where g in tr.genes and (inhabited(tr, grave) or beside_own(tr, grave)))
rules:
  more_income: {modify: income(tr), when: count(p in players) >= 5, set: 11}
  larger_meal: {modify: meal_size(), when: count(p in players) >= 5, set: 4}
  four_colours: {modify: variety(), when: count(p in players) >= 5, set: 4}
actions:
  photosynthesise:
    during: feeding
    needs:
      - owns(a.tribe, photosynthesis) and not photosynthesis.spent
      - not game.served and a.spot is not none and a.spot.cubes[a.tribe] > 0 and edible(a, game.saved + 1)
    do: |
      photosynthesis.spent = true
      for here in a.spot: take_cube(here, a.tribe)
      game.saved += 1
"""


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> ruleforge.Game:
    """The game with the starred genes, more climate and two more tribes, all by lines that are added."""
    folder = core_copy(tmp_path_factory.mktemp("grown") / NAME)
    (folder / "more.yaml").write_text(PACK, "utf-8")
    insert(folder / "cards.yaml", "      star_1:", STARRED_GENES)
    insert(
        folder / "board.yaml",
        "      west_6:",
        "      north_5: {drift: north, ozone: 5}\n      still_15: {ozone: 15}\n",
    )
    for colour in ("black", "white"):
        names = ", ".join(f"{colour}_{n}" for n in range(1, 8))
        insert(folder / "kinds.yaml", "    has:\n      runner:", f"      {colour}: {{members: [{names}]}}\n")
        insert(
            folder / "kinds.yaml",
            "    has:\n      damage:",
            f"      {colour}: {{tribe: {colour}, copies: 7}}\n",
        )
    replace(folder / "kinds.yaml", "cid, dora]", "cid, dora, eve, fred]")
    replace(folder / "game.yaml", '"2..4"', '"2..6"')
    return ruleforge.load(folder)


def insert(path: Path, before: str, text: str) -> None:
    replace(path, before, text + before)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize("players", [2, 4, 5, 6])
def test_additions_play_to_an_end_with_the_invariants_of_the_core(
    grown: ruleforge.Game, players: int
) -> None:
    for seed in range(2):
        for state in random_line(grown.start(players=players, seed=seed), seed):
            assert broken_invariants(state) == []
        assert state.outcome is not None
        assert state.outcome.reason in REASONS


def test_new_genes_work_without_a_change_of_the_core(grown: ruleforge.Game) -> None:
    start: dict[str, object] = {
        "blue.runner": "bob", "yellow.runner": "cid", "red.marker": 1, "blue.marker": 2, "yellow.marker": 3,
        "game.round": 3, "compass": "still_9", "b2.swimmers": ["red_1"], "c2.swimmers": ["red_2"],
        "d2.swimmers": ["blue_1"], "blue_1.damage": 1, "red.genes": ["cyst", "photosynthesis", "scavenger"], "red.bp": 2,
        "cyst.stock": 0, "photosynthesis.stock": 0, "scavenger.stock": 0, "b2.cubes[red]": 1,
        "b2.cubes[blue]": 1, "b2.cubes[yellow]": 1, "red.supply": 54, "blue.supply": 54, "yellow.supply": 54,
    }  # fmt: skip
    state = grown.start(players=3).patched(start)
    for choice in ("take red", "drift red_1", "photosynthesise"):
        state.apply(choice)
    assert [state[f"b2.cubes[{c}]"] for c in ("red", "blue", "yellow")] == [2, 0, 0]
    state.apply("drift red_2")
    assert (state["red_2.damage"], state["red.bp"]) == (0, 0)
    state.apply("drift blue_1")
    while state["game.stage"] != "division":
        state.apply("done")
    while state["game.stage"] == "division":
        state.apply("done")
    assert (state["blue_1.damage"], state["d2.swimmers"], state["red.bp"]) == (0, [], 11)


# --- meals: what the game offers, against a plain enumeration of the ruling ---

COLOURS = ("red", "blue", "yellow", "green", "black", "white")
SEATS = ("ann", "bob", "cid", "dora", "eve", "fred")
Meal = tuple[int, ...]  # cubes of each foreign colour
End = tuple[str, Meal]
MEAL_OF = {3: (3, 2), 4: (3, 3), 5: (4, 4), 6: (4, 4)}  # tribes: cubes of a normal meal, colours in it


def all_meals(tribes: int, genes: set[str], leech: bool) -> set[Meal]:
    """Every meal of a table by the words of the ruling, however many cubes there are."""
    size, variety = MEAL_OF[tribes]
    amounts = list(product(range(size + 2), repeat=tribes - 1))
    meals = {m for m in amounts if sum(m) == size and colours_in(m) >= variety}
    if "substitution" in genes:
        meals |= {m for m in amounts if sum(m) == size + 1 and colours_in(m) == variety - 1}
    if "frugality" in genes:
        meals |= {less for m in meals for less in one_fewer(m)}
    if leech:
        meals = {less for m in meals for less in one_fewer(m)}
    return {m for m in meals if sum(m) >= 1}


def colours_in(meal: Meal) -> int:
    return sum(amount > 0 for amount in meal)


def one_fewer(meal: Meal) -> list[Meal]:
    return [tuple(n - (i == j) for j, n in enumerate(meal)) for i, amount in enumerate(meal) if amount > 0]


def expected(cubes: Meal, genes: set[str]) -> set[End]:
    """How the feeding of an amoeba can end: a meal, a meal at another's cost, hunger."""
    tribes = len(cubes) + 1

    def there(meals: set[Meal]) -> list[Meal]:
        return [m for m in meals if all(a <= b for a, b in zip(m, cubes, strict=True))]

    ends = {("eats", m) for m in there(all_meals(tribes, genes, False))}
    if "parasitism" in genes:
        ends |= {("leeches", m) for m in there(all_meals(tribes, genes, True))}
    if not there(all_meals(tribes, set(), False)):
        ends.add(("starves", (0,) * len(cubes)))
    return ends


def table(rules: ruleforge.Game, cubes: Meal, genes: set[str]) -> ruleforge.State:
    tribes = len(cubes) + 1
    start: dict[str, object] = {
        "game.round": 3, "compass": "still_9", "c2.swimmers": ["red_2", "yellow_1"], "a2.swimmers": ["blue_1"],
        "red.genes": sorted(genes), "yellow.bp": 1, "red.marker": 1,
    }  # fmt: skip
    for place, (colour, seat) in enumerate(zip(COLOURS[1:tribes], SEATS[1:], strict=False)):
        start |= {f"{colour}.runner": seat, f"{colour}.marker": place + 2}
        start |= {f"c2.cubes[{colour}]": cubes[place], f"{colour}.supply": 55 - cubes[place]}
    start |= {f"{gene}.stock": 0 for gene in genes}
    state = rules.start(players=tribes).patched(start)
    state.apply("take red")
    state.apply("drift red_2")
    return state


class Feeding:
    """All ways to feed from a number of cubes; asserts what is true of every decision on the way."""

    def __init__(self, cubes: Meal) -> None:
        self.cubes = cubes
        self.known: dict[str, set[End]] = {}  # by digest: the order of naming leaves no trace

    def ends_of(self, state: ruleforge.State) -> set[End]:
        found = self.known.get(state.digest)
        if found is None:
            found = self.known[state.digest] = self._ends_of(state)
        return found

    def _ends_of(self, state: ruleforge.State) -> set[End]:
        assert state.decision is not None
        if state.decision.player != "ann":
            return {self._end(state)}
        after: dict[str, set[End]] = {}
        for choice in state.choices:
            following = state.copy()
            following.apply(choice)
            after[str(choice)] = self.ends_of(following)
        ends = set().union(*after.values())
        if set(after) <= {*COLOURS, "decline"}:
            self._asked_for_a_reason(state, set(after), [meal for _, meal in ends])
        return ends

    def _asked_for_a_reason(self, state: ruleforge.State, offered: set[str], meals: list[Meal]) -> None:
        """All that some meal still needs is offered at once, and nothing that every meal needs."""
        eaten = self._eaten(state)
        for place, colour in enumerate(COLOURS[1 : len(self.cubes) + 1]):
            more = [meal[place] > eaten[place] for meal in meals]
            assert (colour in offered) == any(more), (self.cubes, eaten, offered)
            assert not all(more), (self.cubes, eaten, offered)

    def _end(self, state: ruleforge.State) -> End:
        eaten = self._eaten(state)
        assert state["c2.cubes[red]"] == (2 if any(eaten) else 0)
        assert state["red_2.damage"] == (0 if any(eaten) else 1)
        return "starves" if not any(eaten) else "leeches" if state["yellow.bp"] == 0 else "eats", eaten

    def _eaten(self, state: ruleforge.State) -> Meal:
        colours = COLOURS[1 : len(self.cubes) + 1]
        left = [int(str(state[f"c2.cubes[{colour}]"])) for colour in colours]
        return tuple(a - b for a, b in zip(self.cubes, left, strict=True))


GENES = [
    {g for g, used in zip(("substitution", "frugality", "parasitism"), use, strict=True) if used}
    for use in product([0, 1], repeat=3)
]


@pytest.mark.parametrize("tribes", [3, 4, 5, 6])
@pytest.mark.parametrize("genes", GENES, ids=lambda g: "+".join(sorted(g)) or "plain")
def test_meals_are_those_of_the_ruling_named_in_any_order(
    grown: ruleforge.Game, genes: set[str], tribes: int
) -> None:
    rng = random.Random(7)
    samples: list[Meal] = [(1, 1, *[0] * (tribes - 3)), (3, *[0] * (tribes - 2)), (4,) * (tribes - 1)]
    samples += [tuple(rng.randint(0, 4) for _ in range(tribes - 1)) for _ in range(18 if tribes < 5 else 6)]
    rules = game() if tribes < 5 else grown
    for cubes in samples:
        assert Feeding(cubes).ends_of(table(rules, cubes, genes)) == expected(cubes, genes), cubes
