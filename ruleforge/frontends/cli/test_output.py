"""Prints the results of scenarios in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from ruleforge.frontends.cli.output import output, print_diagnostics
from ruleforge.lang.source.read_text import shown
from ruleforge.tools.scenarios.outcome import Result


def tell(result: Result) -> None:
    """One line for a scenario that holds or is left out; for one that fails everything that helps to see why."""
    console, word = output().console(), _word(result)
    named = f"  {result.title}  ({shown(result.file)})"
    if result.left_out:
        named += f": {result.problems[0].message}"
    console.print(word.append(named, style="default not bold"), soft_wrap=True)
    if result.left_out:
        return
    print_diagnostics(result.problems, err=False)
    if result.ok:
        return
    if result.changed:
        console.print()
        return
    if result.wanted or result.found:
        console.print(Text("  expected: ").append(result.wanted, "green"), soft_wrap=True)
        console.print(Text("  found:    ").append(result.found, "red"), soft_wrap=True)
    if result.story:
        console.print("  what happened:")
        for line in result.story:
            console.print(f"    {line}", soft_wrap=True)
    if result.rule is not None:
        console.print(f"  the rule: {result.rule}", soft_wrap=True)
    console.print()


def _word(result: Result) -> Text:
    if result.changed:
        return Text(f"changed by {', '.join(result.changed_by)}", style="yellow")
    if result.left_out:
        return Text("left out", style="yellow")
    return Text("ok", style="green") if result.ok else Text("FAIL", style="bold red")


def summary_line(results: Sequence[Result]) -> str:
    """How many passed, and how many did not: because of packs that they do not speak of, or else."""
    failed, changed = [r for r in results if r.failed], [r for r in results if r.changed]
    left_out = [r for r in results if r.left_out]
    parts = [f"{len(results) - len(failed) - len(changed) - len(left_out)} passed"]
    if changed:
        packs = _listed(r.changed_by for r in changed)
        parts.append(f"{len(changed)} changed by {packs} (they pass without)")
    if left_out:
        packs = _listed(r.left_out_by for r in left_out)
        parts.append(f"{len(left_out)} left out (their packs do not fit {packs})")
    if failed:
        parts.append(f"{len(failed)} failed")
    return ", ".join(parts)


def _listed(packs: Iterable[tuple[str, ...]]) -> str:
    return ", ".join(dict.fromkeys(pack for some in packs for pack in some))
