"""The search tree as it lies in memory: what nodes and entries say of themselves agrees with the visits."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

import pytest

from ruleforge.backends import native
from ruleforge.backends.native.sliced_work import ENTRIES, ENTRY_WORDS, USED, Tree
from ruleforge.compiler import ir
from tests.unit.backends import programs

EXPLORATION, UNTRIED = 1.4, -2.0
TRIED, LURE = 4, 5  # words of a node
CODE, VISITS, BEHIND, PART, MEAN = range(5)  # words of an entry; the last is a real number of two


def grown(program: ir.Program, simulations: int) -> Tree:
    runtime = native.compile(program)
    tree = runtime.search()
    tree.seed((3, 4))
    tree.simulate(runtime.new_row(1), simulations, most=50)
    return tree


def nodes(tree: Tree, node: int) -> Iterator[tuple[int, list[int]]]:
    """Every node with its entries, as numbers of words."""
    words = tree._words
    first = words[node + ENTRIES] // 4
    entries = [first + ENTRY_WORDS * number for number in range(words[node + USED])]
    yield node, entries
    for entry in entries:
        if words[entry + BEHIND]:
            yield from nodes(tree, words[entry + BEHIND] // 4)


def short(tree: Tree, word: int) -> float:
    return float(struct.unpack("<f", tree._words[word : word + 1].tobytes())[0])


def real(tree: Tree, word: int) -> float:
    return float(struct.unpack("<d", tree._words[word : word + 2].tobytes())[0])


@pytest.mark.parametrize("simulations", [1, 7, 1500])
@pytest.mark.parametrize("make", [programs.tic_tac_toe, programs.raid])
def test_what_is_kept_for_choosing_agrees_with_the_visits(make, simulations) -> None:
    tree = grown(make(), simulations)
    words = tree._words
    seen = 0
    for node, entries in nodes(tree, tree._root):
        visits = [words[entry + VISITS] for entry in entries]
        assert words[node] == sum(visits)
        assert words[node + TRIED] == sum(1 for many in visits if many)
        if words[node]:
            wanted = EXPLORATION * math.sqrt(math.log(words[node] + 1))
            assert short(tree, node + LURE) == pytest.approx(wanted, rel=1e-4)
        for entry, many in zip(entries, visits, strict=True):
            assert short(tree, entry + PART) == (pytest.approx(many**-0.5) if many else 0)
            mean = real(tree, entry + MEAN)
            assert 0 <= mean <= 1 if many else mean == UNTRIED
        seen += 1
    assert words[tree._root] == simulations
    assert seen > simulations // 20


def test_a_sure_win_has_the_mean_of_one_and_is_tried_most() -> None:
    runtime = native.compile(programs.tic_tac_toe())
    row = runtime.new_row(0)
    for code in (0, 3, 1, 4):  # first on 0 and 1, second on 3 and 4
        runtime.resume_codes(row, code)
    tree = runtime.search()
    tree.seed((1, 2))
    tree.simulate(row, 500, most=50)
    (_, entries), *_ = nodes(tree, tree._root)
    means = {tree._words[entry]: real(tree, entry + MEAN) for entry in entries}
    assert means[2] == 1
    assert all(mean < 1 for code, mean in means.items() if code != 2)
    visits = tree.visits()
    assert max(visits, key=visits.__getitem__) == 2
