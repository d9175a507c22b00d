"""Results of scenarios -> what the terminal shows of them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ruleforge.frontends.cli.output import complain, output
from ruleforge.scenarios.outcome import Result


def tell(result: Result) -> None:
    """One line for a scenario that holds; for one that fails everything that helps to see why."""
    console, word = output().console(), _word(result)
    console.print(word.append(f"  {result.title}  ({result.file})", style="default not bold"), soft_wrap=True)
    complain(result.problems, err=False)
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
    return Text("ok", style="green") if result.ok else Text("FAIL", style="bold red")


def told_sum(results: Sequence[Result]) -> str:
    """How many passed, and how many did not: because of packs that they do not speak of, or else."""
    failed, changed = [r for r in results if r.failed], [r for r in results if r.changed]
    parts = [f"{len(results) - len(failed) - len(changed)} passed"]
    if changed:
        packs = ", ".join(dict.fromkeys(pack for r in changed for pack in r.changed_by))
        parts.append(f"{len(changed)} changed by {packs} (they hold without)")
    if failed:
        parts.append(f"{len(failed)} failed")
    return ", ".join(parts)
