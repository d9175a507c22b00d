"""The table of commands, and the help text made from it."""

from __future__ import annotations

from ruleforge.frontends.repl import (
    breakpoints,
    inspect_commands,
    play_commands,
    record_commands,
    rule_reload,
    step_commands,
)
from ruleforge.frontends.repl.answer import Refusal, Reply, reply
from ruleforge.frontends.repl.console import HABIT, POSITION, Command, Console
from ruleforge.support.spelling import did_you_mean


def help_(console: Console, text: str) -> Reply:
    """All commands, or one with its example."""
    if not text:
        width = max(len(command.usage) for command in console.commands.values())
        lines = [f"{command.usage:<{width}}  {command.help}" for command in console.commands.values()]
        return reply(*lines, commands=list(console.commands))
    command = console.commands.get(text.split()[0])
    if command is None:
        hint = did_you_mean(text, console.commands)
        raise Refusal(f"there is no command `{text}`" + (f"; {hint}" if hint else ""))
    return reply(command.usage, f"  {command.help}", f"  example: {command.example}", command=command.name)


_TABLE = (
    Command(
        "=",
        "EXPRESSION",
        "show its value, and for a formula the steps of its computation",
        "count(c in p1.hand)",
        inspect_commands.evaluate,
    ),
    Command(
        "do", "do CHOICE", "make a choice; several with `;`", "do draw; do done", step_commands.do, POSITION
    ),
    Command(
        "choices",
        "choices [WORD]",
        "list the choices, or only those that contain a word",
        "choices attack",
        inspect_commands.choices,
    ),
    Command(
        "why",
        "why [not] TEXT",
        "explain the value of a formula, an event, or an impossible choice",
        "why not attack a1 a7",
        inspect_commands.why,
    ),
    Command(
        "explain",
        "explain NAME(...)",
        "show every part of a formula's value",
        "explain power(wolf)",
        inspect_commands.explain,
    ),
    Command(
        "view",
        "view [SEAT|public]",
        "show the position, whole or as a seat sees it",
        "view p2",
        inspect_commands.view,
    ),
    Command(
        "diff",
        "diff [BRANCH|N]",
        "show the differences to another branch or moment, or the changes of the last step",
        "diff main",
        inspect_commands.diff,
    ),
    Command(
        "run",
        "run [--here] EFFECT",
        "run effects on a copy and show the changes; --here keeps them",
        "run draw(p1)",
        step_commands.run,
        POSITION,
    ),
    Command(
        "set",
        "set PATH VALUE",
        "write a value into the position, and mark it as edited",
        "set p1.hand [wolf, pike]",
        play_commands.set_value,
        POSITION,
    ),
    Command(
        "dice",
        "dice [RESULTS|off]",
        "fix the results of the next dice and random picks",
        "dice 4 6",
        play_commands.dice,
        HABIT,
    ),
    Command(
        "undo",
        "undo [N]",
        "take steps back, also through chance and effects; cancel a stopped run",
        "undo 2",
        play_commands.undo,
        HABIT,
    ),
    Command("redo", "redo [N]", "repeat steps that were taken back", "redo", play_commands.redo, POSITION),
    Command("goto", "goto N", "go to a moment by its number", "goto 1", play_commands.goto, POSITION),
    Command("log", "log", "list the steps that led here, by number", "log", play_commands.log),
    Command(
        "fork",
        "fork NAME",
        "start a new branch here",
        "fork try-wind",
        play_commands.fork,
        POSITION,
    ),
    Command("switch", "switch NAME", "go to another branch", "switch main", play_commands.switch, POSITION),
    Command(
        "branches", "branches", "list all branches with their last step", "branches", play_commands.branches
    ),
    Command(
        "watch",
        "watch [EXPRESSION|off]",
        "report changes of a value; list the watched values; forget all",
        "watch power(wolf)",
        play_commands.watch,
        HABIT,
    ),
    Command(
        "break",
        "break [on NAME|FILE:LINE [when EXPRESSION]]",
        "stop when it runs; alone: list all; `break off [N]`: remove",
        "break on discard when c.cost > 2",
        breakpoints.break_,
        HABIT,
    ),
    Command(
        "step",
        "step [N|CHOICE]",
        "run to the next line of the rules, or N lines; with a choice, stop at its first line",
        "step 3",
        step_commands.step,
        HABIT,
    ),
    Command(
        "next",
        "next",
        "run to the next line, without stopping in calls",
        "next",
        step_commands.next_,
        HABIT,
    ),
    Command(
        "continue",
        "continue",
        "run to the next breakpoint, or to the end",
        "continue",
        step_commands.continue_,
        HABIT,
    ),
    Command("locals", "locals", "show the locals where the run has stopped", "locals", breakpoints.locals_),
    Command(
        "triggers",
        "triggers [EVENT[(...)]]",
        "list the queued triggers, or the triggers of an event and whether they would fire",
        "triggers discard(wolf)",
        inspect_commands.triggers,
    ),
    Command(
        "trace",
        "trace on|off",
        "show every effect of a step, with the rule and its place",
        "trace on",
        play_commands.trace,
        HABIT,
    ),
    Command(
        "reload",
        "reload",
        "read the rules again, replay all steps with them, and show the changes",
        "reload",
        rule_reload.reload,
        POSITION,
    ),
    Command(
        "export",
        "export test FILE [--force]",
        "write this game as a scenario that passes",
        "export test scenarios/rain_on_pike.yaml",
        record_commands.export,
    ),
    Command(
        "save",
        "save FILE [--force]",
        "write the steps that led here as a record, a text that replays them",
        "save rain.record",
        record_commands.save,
    ),
    Command(
        "load",
        "load FILE",
        "replace this game by a record or a saved game",
        "load rain.record",
        record_commands.load,
    ),
    Command("time", "time COMMAND", "run a command and show its time", "time do pass", inspect_commands.time),
    Command(
        "profile",
        "profile [N]",
        "show the cost of each line of the rules in this game, or in its last N choices",
        "profile 5",
        inspect_commands.profile,
    ),
    Command("help", "help [COMMAND]", "show this list, or one command with an example", "help set", help_),
    Command("quit", "quit", "exit (or Ctrl-D)", "quit", play_commands.leave),
)

COMMANDS = {command.name: command for command in _TABLE}
