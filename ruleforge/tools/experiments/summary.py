"""The summary of a tally as plain data for JSON, text and page, with the sentences that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ruleforge.engine.variant import Variant
from ruleforge.support.spelling import counted
from ruleforge.tools.experiments.intervals import Estimate, Group, difference, wilson, z_for
from ruleforge.tools.experiments.leads import FINE, Side, sides_of
from ruleforge.tools.experiments.plan import Plan
from ruleforge.tools.experiments.tally import Measures, Tally
from ruleforge.tools.experiments.usage_marks import Mark, Marks


def summary(tally: Tally, plan: Plan, variant: Variant) -> dict[str, Any]:
    """All results but the times: they are the same for the same plan on any machine."""
    info, players = variant.info, variant.player_names
    sides = sides_of(info, players)
    found: dict[str, Any] = {
        "game": info.id,
        "version": info.version,
        "packs": [pack.id for pack in info.packs],
        "seed": plan.seed,
        "first": plan.first,
        "limit": plan.limit,
        "players": list(players),
        "seats": {player: plan.table.agents.get(player, "random") for player in players},
        "swapped": plan.table.swap and not plan.table.random,
        "asked": plan.games,
        "games": tally.games,
        "finished": tally.finished,
        "cut_off": tally.cut_off,
        "failed": tally.failed,
        "failures": _sorted(tally.failures),
        "violations": _sorted(tally.violations),
        "endings": _sorted(tally.endings),
        "wins": {player: tally.wins[player] for player in players},
        "win_shares": {player: _share(tally.wins[player], tally.finished) for player in players},
        "draws": tally.draws,
        "lost": tally.lost,
        "even_share": round(1 / len(sides), 4) if tally.contested(sides) else None,
        "first_seat_advantage": _data(first_seat(tally, sides)),
        "mean_scores": {player: _mean_score(tally, player) for player in players},
        "length": spread_of(tally.lengths),
        "decisions": tally.decisions,
        "stopped": [
            {
                "game": stop.game,
                "by": stop.by,
                "why": stop.why,
                "player": stop.player,
                "asked": stop.asked,
                "lately": dict(stop.lately),
            }
            for stop in tally.stopped
        ],
    }
    if info.teams:
        found["teams"] = {
            team: {"wins": tally.sides[side], "share": _share(tally.sides[side], tally.finished)}
            for team, side in info.sides(players).items()
            if len(side) > 1
        }
    if plan.count:
        found["counts"] = {text: _count(tally, text) for text in plan.count}
    if not plan.table.random:
        found["agents"] = _agents(tally)
    if tally.measures.games:
        found["measures"] = _measures(tally.measures, plan, Marks(variant))
    return found


def timing(tally: Tally, seconds: float) -> dict[str, Any]:
    """The times, which depend on the machine."""
    return {
        "seconds": round(seconds, 3),
        "decisions_per_second": round(tally.decisions / seconds) if seconds else 0,
        "decision_seconds": {
            agent: {"decisions": int(count), "mean": round(total / count, 6), "max": round(longest, 6)}
            for agent, (count, total, longest) in sorted(tally.thinking.items())
        },
    }


def first_seat(tally: Tally, sides: tuple[Side, ...]) -> Estimate | None:
    """By how much the side of the first seat wins more than its share of the games that one side won."""
    decided = sum(tally.wins_of(side) for side in sides)
    if len(sides) < 2 or not decided:
        return None
    return wilson(tally.wins_of(sides[0]), decided).shifted(-1 / len(sides))


def _share(wins: int, of: int) -> dict[str, float] | None:
    """None where nothing is known: no game came to an end."""
    return wilson(wins, of).as_data() if of else None


def _mean_score(tally: Tally, player: str) -> float | None:
    return round(tally.scores[player] / tally.finished, 4) if tally.finished else None


def spread_of(counts: Counter[int], unit: int = 1) -> dict[str, float]:
    """Least, mean, median and most of numbers that were counted."""
    if not counts:
        return {"min": 0, "mean": 0.0, "median": 0, "max": 0}
    total, passed, median = counts.total(), 0, 0
    for value in sorted(counts):
        passed += counts[value]
        if 2 * passed >= total:
            median = value
            break
    mean = sum(value * count for value, count in counts.items()) / total
    found = {"min": min(counts), "mean": mean, "median": median, "max": max(counts)}
    return {
        name: round(value / unit, 4) if name == "mean" or unit > 1 else value for name, value in found.items()
    }


def _count(tally: Tally, text: str) -> dict[str, Any]:
    """The distribution of numbers; for other values the number of games of each."""
    found = {value: games for (of, value), games in tally.counts.items() if of == text}
    numbers = {value: games for value, games in found.items() if type(value) is int}
    if len(numbers) == len(found):
        return spread_of(Counter(numbers))
    return {str(value): found[value] for value in sorted(found, key=str)}


def _agents(tally: Tally) -> dict[str, Any]:
    return {
        agent: {
            "seats": tally.agent_seats[agent],
            "wins": tally.agent_wins[agent],
            "share": wilson(tally.agent_wins[agent], tally.agent_seats[agent]).as_data(),
        }
        for agent in sorted(tally.agent_seats)
    }


def _measures(found: Measures, plan: Plan, marks: Marks) -> dict[str, Any]:
    decisions = found.branching.total()
    return {
        "games": found.games,
        "branching": spread_of(found.branching),
        "forced": round(found.branching[1] / max(decisions, 1), 4),
        "ahead_by": f"{plan.chances} random games" if plan.chances else "the rules' own count",
        "led": found.lead_changes.total(),
        "lead_changes": spread_of(found.lead_changes) if found.lead_changes else None,
        "drama": spread_of(found.drama, FINE) if found.drama else None,
        "uses": uses(found),
        "never_offered": [_named(mark) for mark in sorted(marks.everything - found.offered.keys())],
    }


def uses(found: Measures) -> list[dict[str, Any]]:
    """Each action, keyword and thing that was ever offered: how often, how often taken, and how that seat fared."""
    by_mark: dict[Mark, list[Group]] = {mark: [] for mark in found.offered}
    for (mark, seat), used in sorted(found.used.items()):
        won = found.used_won[mark, seat]
        others = found.seats[seat] - used, found.seats_won[seat] - won
        by_mark.setdefault(mark, []).append(Group(won, used, others[1], others[0]))
    strict = z_for(compared=len(by_mark))
    return [_use(found, mark, by_mark[mark], strict) for mark in sorted(by_mark)]


def _use(found: Measures, mark: Mark, groups: list[Group], strict: float) -> dict[str, Any]:
    surely = difference(groups, strict)
    seats, taken = sum(found.seats.values()), sum(group.of for group in groups)
    return {
        **_named(mark),
        "offered": found.offered[mark],
        "taken": found.taken[mark],
        "used_in": round(taken / seats, 4) if seats else None,  # of seats whose game came to an end
        "win_difference": _data(difference(groups)),
        "stands_out": surely is not None and (surely.low > 0 or surely.high < 0),
    }


def _named(mark: Mark) -> dict[str, Any]:
    return {"what": mark.what, "kind": mark.kind or None, "name": mark.name}


def _data(estimate: Estimate | None) -> dict[str, float] | None:
    return estimate.as_data() if estimate else None


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts) if counts[name]}


def named(use: dict[str, Any]) -> str:
    """The name of a mark, with its kind for things."""
    return f"{use['kind'] or use['what']} {use['name']}" if use["kind"] != use["name"] else use["name"]


def certainty(use: dict[str, Any]) -> float:
    """How far a win difference is from none, in widths of its interval."""
    gain = use["win_difference"]
    return float(abs(gain["value"]) / max(gain["high"] - gain["low"], 1e-9))


def standing_out(uses: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that win or lose for sure, the most first."""
    found = [use for use in uses if use["stands_out"]]
    return sorted(found, key=lambda use: (-abs(use["win_difference"]["value"]), use["what"], use["name"]))


# Sentences about an experiment that its text and its page share.


def games(count: int) -> str:
    return counted(count, "game")


def won_by(data: dict[str, Any]) -> list[tuple[str, int, dict[str, float]]]:
    """The wins of seats, teams and agents, with their share; empty if no game ended."""
    rows = [(seat, data["wins"][seat], share) for seat, share in data["win_shares"].items()]
    for sort in ("teams", "agents"):
        rows += [(name, found["wins"], found["share"]) for name, found in data.get(sort, {}).items()]
    return [(name, wins, share) for name, wins, share in rows if share is not None]


def first_player(data: dict[str, Any]) -> Iterator[str]:
    """The share of decided games that the first player won, and the share expected without an advantage."""
    found = data["first_seat_advantage"]
    if found:
        even = data["even_share"]
        value, low, high = (100 * (found[name] + even) for name in ("value", "low", "high"))
        who = "first player's team" if data.get("teams") else "first player"
        expected = f"expected: {100 * even:.3g} %, 95 % interval: {low:.1f} to {high:.1f} %"
        yield f"The {who} won {value:.1f} % of decided games ({expected})."


def spread(found: dict[str, float]) -> str:
    least, most, median = (_figure(found[name]) for name in ("min", "max", "median"))
    return (
        f"always {least}"
        if least == most
        else f"{least} to {most}, mean {found['mean']:.2f}, median {median}"
    )


def _figure(value: float) -> str:
    """Whole numbers as they are, all others as exactly as a mean."""
    return f"{value:.2f}" if isinstance(value, float) else f"{value}"


def effect_on_wins(uses: Collection[dict[str, Any]]) -> str:
    """How many of them have a significant effect on wins."""
    found = len(standing_out(uses))
    verb = "changes" if found == 1 else "change"
    return f"{found} of {counted(len(uses), 'measured element')} {verb} the win rate significantly."
