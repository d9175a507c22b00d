"""Writes results of scenarios as JUnit XML for build servers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ruleforge.support.diagnostics import Diagnostic
from ruleforge.support.diagnostics.render import render_one
from ruleforge.support.terminal_escape import harmless
from ruleforge.tools.scenarios.outcome import Result


def junit(results: Sequence[Result], trouble: Sequence[Diagnostic] = ()) -> str:
    """One suite; what kept whole suites from being run is an error of its own."""
    root = Element("testsuites")
    counts = {
        "tests": len(results) + len(trouble),
        "failures": sum(r.failed for r in results),
        "errors": len(trouble),
        "skipped": sum(r.changed or r.left_out for r in results),
    }
    time = f"{sum(result.seconds for result in results):.4f}"
    suite = SubElement(root, "testsuite", {"name": "ruleforge", "time": time, **_texts(counts)})
    for result in results:
        named = {"name": result.title, "classname": _folder(result.file), "file": str(result.file)}
        case = SubElement(suite, "testcase", {**named, "time": f"{result.seconds:.4f}"})
        if result.changed:
            SubElement(case, "skipped", message=f"changed by {', '.join(result.changed_by)}")
        elif result.left_out:
            SubElement(case, "skipped", message=result.problems[0].message)
        elif result.problems:
            failure = SubElement(case, "failure", message=result.problems[0].message)
            failure.text = harmless("\n".join(_failure_lines(result)))
    for problem in trouble:
        case = SubElement(suite, "testcase", name=problem.code, classname="ruleforge", time="0")
        SubElement(case, "error", message=problem.message).text = harmless(render_one(problem))
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _folder(file: Path) -> str:
    """`my-game.setup`: the game, and the folders inside its scenarios."""
    parts = [part for part in file.parent.parts if part != "scenarios"]
    around = 1 if file.parent.name == "scenarios" else 2
    return ".".join(parts[-around:]) or "scenarios"


def _texts(counts: dict[str, int]) -> dict[str, str]:
    return {name: str(count) for name, count in counts.items()}


def _failure_lines(result: Result) -> list[str]:
    lines = [render_one(problem) for problem in result.problems]
    if result.wanted or result.found:
        lines += [f"expected: {result.wanted}", f"found:    {result.found}"]
    return [*lines, *result.story, *([f"rule: {result.rule}"] if result.rule else ())]
