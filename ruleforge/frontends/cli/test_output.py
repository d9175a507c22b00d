"""Results of scenarios -> what the terminal shows of them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ruleforge.frontends.cli.output import complain, output
from ruleforge.scenarios.outcome import Result


def tell(result: Result) -> None:
    """One line for a scenario that holds; for one that fails everything that helps to see why."""
    word = Text("ok", style="green") if result.ok else Text("FAIL", style="bold red")
    console = output().console()
    console.print(word.append(f"  {result.title}  ({result.file})", style="default not bold"), soft_wrap=True)
    complain(result.problems, err=False)
    if result.ok:
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


def told_sum(results: Sequence[Result]) -> str:
    failed = sum(not result.ok for result in results)
    return f"{len(results) - failed} passed" + (f", {failed} failed" if failed else "")
