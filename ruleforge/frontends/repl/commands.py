"""The table of commands, and the help that is made of it."""

from __future__ import annotations

from ruleforge.frontends.repl import acting, looking
from ruleforge.frontends.repl.answer import Answer, Refusal, said
from ruleforge.frontends.repl.console import Command, Console
from ruleforge.names import did_you_mean


def help_(console: Console, text: str) -> Answer:
    """All commands, or one with its example."""
    if not text:
        width = max(len(command.usage) for command in console.commands.values())
        lines = [f"{command.usage:<{width}}  {command.help}" for command in console.commands.values()]
        return said(*lines, commands=list(console.commands))
    command = console.commands.get(text.split()[0])
    if command is None:
        hint = did_you_mean(text, console.commands)
        raise Refusal(f"there is no command `{text}`" + (f"; {hint}" if hint else ""))
    return said(command.usage, f"  {command.help}", f"  example: {command.example}", command=command.name)


_TABLE = (
    Command(
        "=",
        "EXPRESSION",
        "its value here; of a formula also how it comes about",
        "count(c in p1.hand)",
        looking.evaluate,
    ),
    Command("do", "do CHOICE", "make a choice; several with `;`", "do draw; do done", acting.do, True),
    Command(
        "choices",
        "choices [WORD]",
        "what may be chosen here, or what of it contains a word",
        "choices attack",
        looking.choices,
    ),
    Command(
        "why",
        "why [not] TEXT",
        "how a formula comes to its value, why something happened, why a choice is not possible",
        "why not attack a1 a7",
        looking.why,
    ),
    Command(
        "explain",
        "explain NAME(...)",
        "every part of a formula's value",
        "explain power(wolf)",
        looking.explain,
    ),
    Command(
        "view", "view [SEAT|public]", "the position, whole or as a seat sees it", "view p2", looking.view
    ),
    Command(
        "diff",
        "diff [BRANCH|N]",
        "what differs from another branch or moment; else what the last step changed",
        "diff main",
        looking.diff,
    ),
    Command(
        "set",
        "set PATH VALUE",
        "write a value into the position, which is then marked as edited",
        "set p1.hand [wolf, pike]",
        acting.set_value,
        True,
    ),
    Command(
        "undo",
        "undo [N]",
        "take steps back, through chance and the middle of effects",
        "undo 2",
        acting.undo,
        True,
    ),
    Command("redo", "redo [N]", "make steps again that were taken back", "redo", acting.redo, True),
    Command("goto", "goto N", "go to the moment of a number", "goto 1", acting.goto, True),
    Command("log", "log", "the steps that led here, by number", "log", acting.log),
    Command(
        "fork", "fork NAME", "go on from here on a branch of its own", "fork try-wind", acting.fork, True
    ),
    Command("switch", "switch NAME", "go to another branch", "switch main", acting.switch, True),
    Command("branches", "branches", "all branches, with where each has got to", "branches", acting.branches),
    Command(
        "watch",
        "watch [EXPRESSION|off]",
        "tell whenever a value changes; list what is watched; forget all",
        "watch power(wolf)",
        acting.watch,
        True,
    ),
    Command(
        "trace",
        "trace on|off",
        "tell everything a step does, each rule that acts with its place",
        "trace on",
        acting.trace,
        True,
    ),
    Command("help", "help [COMMAND]", "this list, or one command with an example", "help set", help_),
    Command("quit", "quit", "leave (Ctrl-D does too)", "quit", acting.leave),
)

COMMANDS = {command.name: command for command in _TABLE}
