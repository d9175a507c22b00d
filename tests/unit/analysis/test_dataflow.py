"""The worklist solver: least solutions of equations that read one another in circles."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from ruleforge.analysis.dataflow import Solver, reach

Graph = dict[int, list[int]]
GRAPHS = st.dictionaries(st.integers(0, 7), st.lists(st.integers(0, 7), max_size=4))


def naive_reach(graph: Graph, start: int) -> set[int]:
    found = {start}
    while more := {end for node in found for end in graph.get(node, [])} - found:
        found |= more
    return found


def solver_of(graph: Graph) -> Solver[int, frozenset[int]]:
    def transfer(node: int, read: Callable[[int], frozenset[int]]) -> frozenset[int]:
        return frozenset({node}).union(*(read(end) for end in graph.get(node, [])))

    return Solver(transfer, frozenset(), frozenset.union)


@given(GRAPHS)
def test_reach_finds_everything_once(graph: Graph) -> None:
    found = list(reach([0], lambda node: graph.get(node, [])))
    assert len(found) == len(set(found))
    assert set(found) == naive_reach(graph, 0)


@given(GRAPHS, st.permutations(range(8)))
def test_solutions_are_least_and_do_not_depend_on_the_order_of_questions(
    graph: Graph, order: list[int]
) -> None:
    solver = solver_of(graph)
    assert {node: solver[node] for node in order} == {node: naive_reach(graph, node) for node in order}
    assert solver_of(graph).solve(order) == {node: solver[node] for node in order}


def test_pushed_facts_reach_those_who_read_them() -> None:
    solver = solver_of({1: [2], 2: [1]})
    assert solver[1] == {1, 2}
    solver.raise_to(2, frozenset({9}))
    assert solver.solve([1])[1] == {1, 2, 9}
