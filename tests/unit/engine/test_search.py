"""How many simulations a deal serves: evenly by number, by its price against the clock."""

from __future__ import annotations

from ruleforge.engine.search import DEALS, LEAST, USE, WORLD, _Share

NO_CLOCK = float("inf")


def after(share: _Share, dealt: float, simulated: float, made: int) -> int:
    share._dealt, share._deals, share._simulated, share.made = dealt, 1, simulated, made
    return share.many()


def test_a_number_of_simulations_is_dealt_out_evenly_whatever_it_costs() -> None:
    assert _Share(50, NO_CLOCK).many() == 1
    assert _Share(400, NO_CLOCK).many() == 400 // DEALS
    assert after(_Share(400, NO_CLOCK), 1.0, 0.001, 100) == 400 // DEALS
    assert _Share(10**9, NO_CLOCK).many() == WORLD


def test_against_the_clock_a_dear_deal_serves_longer() -> None:
    assert _Share(10**9, 1.0).many() == WORLD, "nothing is known yet"
    assert after(_Share(10**9, 1.0), 0.0001, 0.01, 100) == WORLD, "a cheap one as ever"
    assert abs(after(_Share(10**9, 10.0), 0.01, 0.01, 1000) - USE * 1000) <= 1


def test_there_are_so_many_deals_at_least_as_there_is_time_for() -> None:
    seconds, a_deal, a_simulation = 1.0, 0.01, 0.00001
    many = after(_Share(10**9, seconds), a_deal, 1000 * a_simulation, 1000)
    assert WORLD < many < USE * a_deal / a_simulation
    assert abs(LEAST * (a_deal + many * a_simulation) - seconds) < 0.01
    assert after(_Share(10**9, 0.1), a_deal, 1000 * a_simulation, 1000) == WORLD
