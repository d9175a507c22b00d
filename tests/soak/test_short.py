"""The short form of the soak: one small turn at a few tables; `make soak` is the long one."""

from __future__ import annotations

from tests.soak.soaking import Soaked, Table, soak, until


def test_random_decisions_break_nothing():
    found = Soaked()
    tables: list[Table] = [(name, ()) for name in ("nim", "kuhn-poker", "hex")]
    for _ in soak(found, tables, 1, until(60, 1_500, found)):
        pass
    assert found.troubles == []
    assert found.decisions >= 1_500
    assert found.looks > 10
