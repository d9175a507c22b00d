"""The page of a report: headings, sentences, plots, and every number in a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from ruleforge.support.spelling import counted
from ruleforge.support.terminal_escape import harmless
from ruleforge.tools.experiments.leads import FINE
from ruleforge.tools.experiments.report import plots
from ruleforge.tools.experiments.report.plots import Bar
from ruleforge.tools.experiments.summary import (
    certainty,
    effect_on_wins,
    first_player,
    games,
    named,
    spread,
    won_by,
)
from ruleforge.tools.experiments.tally import Tally

MOST = 25  # rows of a plot of differences
Row = Iterable[object]


def page(title: str, command: str, data: dict[str, Any], tally: Tally) -> str:
    """One HTML text that asks nothing of any network."""
    parts = [
        part for section in (_wins, _endings, _lengths, _decisions, _leads) for part in section(data, tally)
    ]
    parts += [*_uses(data), *_never(data), *_times(data), *_trouble(data)]
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en">',
            f'<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_text(title)}: {games(data['games'])}</title><style>{CSS}</style></head>",
            "<body><main>",
            f"<h1>{_text(title)}</h1>",
            f"<p>{_opening(data)}</p>",
            f"<p><code>{_text(command)}</code></p>",
            *parts,
            "</main></body></html>",
            "",
        )
    )


def _text(value: object) -> str:
    """Words of whomever, as words."""
    return escape(harmless(str(value)))


def _opening(data: dict[str, Any]) -> str:
    packs = f" with {', '.join(map(_text, data['packs']))}" if data["packs"] else ""
    seats = ", ".join(f"{_text(seat)} {_text(agent)}" for seat, agent in data["seats"].items())
    swapped = "; the agents rotate by one seat in each game of a deal" if data["swapped"] else ""
    part = "" if data["games"] == data["asked"] else f" of {data['asked']} planned"
    return (
        f"{games(data['games'])}{part} of {_text(data['game'])} {_text(data['version'])}{packs}, "
        f"{counted(data['decisions'], 'decision')}, seed {data['seed']}. Seats: {seats}{swapped}."
    )


def _percent(value: float) -> str:
    return f"{100 * value:.1f}\N{NO-BREAK SPACE}%"


def _signed(value: float) -> str:
    return f"{100 * value:+.1f}\N{NO-BREAK SPACE}%"


def _section(heading: str, words: str, *rest: str) -> Iterator[str]:
    yield f"<section><h2>{heading}</h2><p>{words}</p>{''.join(rest)}</section>"


def _figure(svg: str, heads: Row, rows: Iterable[Row]) -> str:
    drawn = f"<figure>{svg}</figure>" if svg else ""
    return f"{drawn}<details><summary>As a table</summary>{_table(heads, rows)}</details>"


def _table(heads: Row, rows: Iterable[Row]) -> str:
    head = "".join(f'<th scope="col">{_text(cell)}</th>' for cell in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _wins(data: dict[str, Any], _: Tally) -> Iterator[str]:
    rows = won_by(data)
    if not rows:
        yield from _section("Who wins", "No game ended, so there are no wins to report.")
        return
    bars = [Bar(name, share["value"], share["low"], share["high"]) for name, _, share in rows]
    says = "Share of games won: " + ", ".join(f"{bar.name} {_percent(bar.value)}" for bar in bars)
    table = [
        (name, wins, *(_percent(share[k]) for k in ("value", "low", "high"))) for name, wins, share in rows
    ]
    svg = plots.shares(bars, says, "games won, in per cent", data["even_share"])
    figure = _figure(svg, ("", "wins", "share", "from", "to"), table)
    yield from _section("Who wins", " ".join(_about_wins(data)), figure)


def _about_wins(data: dict[str, Any]) -> Iterator[str]:
    yield "The line at the end of a bar is the 95 % interval."
    if data["even_share"] is not None:
        yield f"The broken line is the expected share, {_percent(data['even_share'])}."
    yield from first_player(data)
    if data["draws"]:
        yield f"Draws: {games(data['draws'])}."
    if data["lost"]:
        yield f"Lost by all: {games(data['lost'])}."


def _endings(data: dict[str, Any], _: Tally) -> Iterator[str]:
    found = {**data["endings"], **{f"stopped by {code}": n for code, n in data["failures"].items()}}
    if data["cut_off"]:
        found[f"not finished after {counted(data['limit'], 'decision')}"] = data["cut_off"]
    played = max(data["games"], 1)
    bars = [Bar(name, count / played) for name, count in found.items()]
    says = "Games by their ending: " + ", ".join(f"{bar.name} {_percent(bar.value)}" for bar in bars)
    svg = plots.shares(bars, says, "games, in per cent")
    table = [(name, count, _percent(count / played)) for name, count in found.items()]
    yield from _section(
        "How games end", "Each bar is an ending of the rules.", _figure(svg, ("", "games", "share"), table)
    )


def _lengths(data: dict[str, Any], tally: Tally) -> Iterator[str]:
    if tally.lengths:
        words = f"Decisions in a game: {spread(data['length'])}."
        svg = plots.histogram(tally.lengths, words, ("decisions in a game", "games"))
        table = sorted(tally.lengths.items())
        yield from _section("How long games are", words, _figure(svg, ("decisions", "games"), table))


def _decisions(data: dict[str, Any], tally: Tally) -> Iterator[str]:
    if tally.measures.branching:
        found = data["measures"]
        words = f"Choices in a decision: {spread(found['branching'])}. {_percent(found['forced'])} left one choice."
        svg = plots.histogram(tally.measures.branching, words, ("choices in a decision", "decisions"))
        table = sorted(tally.measures.branching.items())
        yield from _section("Choices", words, _figure(svg, ("choices", "decisions"), table))


def _leads(data: dict[str, Any], tally: Tally) -> Iterator[str]:
    measures = tally.measures
    if not measures.games or data["even_share"] is None:
        return
    found = data["measures"]
    if not measures.lead_changes:
        yield from _section("Leads", f"No player was ahead at any time, by {_text(found['ahead_by'])}.")
        return
    changes = f"Lead changes in a game: {spread(found['lead_changes'])}, by {found['ahead_by']}."
    svg = plots.histogram(measures.lead_changes, changes, ("lead changes in a game", "games"))
    rest = [_figure(svg, ("lead changes", "games"), sorted(measures.lead_changes.items()))]
    if measures.drama:
        drama = f"Drama (distance of the later winner while behind): {spread(found['drama'])}."
        svg = plots.histogram(measures.drama, drama, ("drama", "games"), FINE, (0, FINE))
        table = [(value / FINE, count) for value, count in sorted(measures.drama.items())]
        rest.append(f"<p>{drama}</p>{_figure(svg, ('drama', 'games'), table)}")
    yield from _section("Leads", _text(changes), *rest)


def _uses(data: dict[str, Any]) -> Iterator[str]:
    if not data.get("measures", {}).get("uses"):
        return
    uses = data["measures"]["uses"]
    significant = [use for use in uses if use["win_difference"]]
    significant.sort(key=lambda use: -certainty(use))
    shown = sorted(significant[:MOST], key=lambda use: -use["win_difference"]["value"])
    bars = [
        Bar(named(use), gain["value"], gain["low"], gain["high"], use["stands_out"])
        for use in shown
        if (gain := use["win_difference"])
    ]
    says = "Win differences: " + ", ".join(f"{bar.name} {_signed(bar.value)}" for bar in bars)
    heads = ("", "offered", "taken", "used in", "wins", "from", "to", "significant")
    svg = plots.differences(bars, says, "difference in wins, in per cent") if bars else ""
    words = _about_uses(uses, len(significant), len(bars))
    yield from _section("Effect on wins", words, _figure(svg, heads, map(_use_row, uses)))


def _about_uses(uses: list[dict[str, Any]], significant: int, drawn: int) -> str:
    """The words above the plot of differences."""
    if not drawn:
        return "Too few games were won to compare players who used an element with others."
    sure = any(use["stands_out"] for use in uses)
    return (
        "The difference in wins between players who used an element and others, for each seat and agent. "
        f"{effect_on_wins(uses)}{' Diamonds mark them.' if sure else ''} "
        + (
            f"The plot shows the {drawn} clearest of {significant} differences. "
            if drawn < significant
            else ""
        )
        + "A difference is no proof of cause."
    )


def _use_row(use: dict[str, Any]) -> Row:
    gain = use["win_difference"]
    ends = [_signed(gain[k]) for k in ("value", "low", "high")] if gain else ["", "", ""]
    sure = "yes" if use["stands_out"] else ""
    used_in = _percent(use["used_in"]) if use["used_in"] is not None else ""
    return (named(use), use["offered"], use["taken"], used_in, *ends, sure)


def _never(data: dict[str, Any]) -> Iterator[str]:
    found = data.get("measures", {}).get("never_offered", ())
    if found:
        items = "".join(f"<li>{_text(named(mark))}</li>" for mark in found)
        words = "No decision of these games offered these elements."
        yield from _section("Never playable", words, f'<ul class="names">{items}</ul>')


def _times(data: dict[str, Any]) -> Iterator[str]:
    found = data["timing"]["decision_seconds"]
    if found:
        rows = [
            (agent, t["decisions"], f"{1000 * t['mean']:.3f} ms", f"{1000 * t['max']:.1f} ms")
            for agent, t in found.items()
        ]
        table = _table(("agent", "decisions", "mean", "longest"), rows)
        yield from _section("Time for a decision", "Measured on the machine that played.", table)


def _trouble(data: dict[str, Any]) -> Iterator[str]:
    items = [
        f"game {stop['game']}: {stop['why']}; {stop['player']} was asked: {stop['asked']}; of its last decisions: "
        + ", ".join(f"{count} {name}" for name, count in stop["lately"].items())
        for stop in data["stopped"]
    ]
    items += [f"in {games(count)} `{name}` did not hold" for name, count in data["violations"].items()]
    if items:
        words = "Games that did not end, and invariants that did not hold."
        yield from _section("Problems", words, f"<ul>{''.join(f'<li>{_text(i)}</li>' for i in items)}</ul>")


# --- style ---

POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # nothing is fetched and nothing runs

CSS = """
:root { color-scheme: light dark; --page: #fff; --text: #1c1c1e; --line: #d4d4d8; --soft: #f4f4f5; }
@media (prefers-color-scheme: dark) {
  :root { --page: #18181b; --text: #e4e4e7; --line: #3f3f46; --soft: #27272a; }
}
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1.25rem; }
figure { margin: 1rem 0; overflow-x: auto; }
svg { width: 100%; min-width: 32rem; height: auto; }
svg text { font-family: system-ui, sans-serif !important; }
code { background: var(--soft); padding: 0.15rem 0.35rem; border-radius: 0.25rem; overflow-wrap: anywhere; }
details { margin: 0.5rem 0 1rem; }
summary { cursor: pointer; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.75rem 0.2rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
.names { columns: 14rem; }
@media print { details > * { display: block; } }
"""
