"""The table of commands, and the help that is made of it."""

from __future__ import annotations

from ruleforge.frontends.repl import (
    breakpoints,
    inspect_commands,
    play_commands,
    record_commands,
    rule_reload,
    scenario_export,
    step_commands,
    stop_point,
    trigger_commands,
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
        "its value here; of a formula also how it comes about",
        "count(c in p1.hand)",
        inspect_commands.evaluate,
    ),
    Command(
        "do", "do CHOICE", "make a choice; several with `;`", "do draw; do done", step_commands.do, POSITION
    ),
    Command(
        "choices",
        "choices [WORD]",
        "what may be chosen here, or what of it contains a word",
        "choices attack",
        inspect_commands.choices,
    ),
    Command(
        "why",
        "why [not] TEXT",
        "how a formula comes to its value, why something happened, why a choice is not possible",
        "why not attack a1 a7",
        inspect_commands.why,
    ),
    Command(
        "explain",
        "explain NAME(...)",
        "every part of a formula's value",
        "explain power(wolf)",
        inspect_commands.explain,
    ),
    Command(
        "view",
        "view [SEAT|public]",
        "the position, whole or as a seat sees it",
        "view p2",
        inspect_commands.view,
    ),
    Command(
        "diff",
        "diff [BRANCH|N]",
        "what differs from another branch or moment; else what the last step changed",
        "diff main",
        inspect_commands.diff,
    ),
    Command(
        "run",
        "run [--here] EFFECT",
        "run effects on a copy and show what they change; --here lets it stay",
        "run draw(p1)",
        step_commands.run,
        POSITION,
    ),
    Command(
        "set",
        "set PATH VALUE",
        "write a value into the position, which is then marked as edited",
        "set p1.hand [wolf, pike]",
        play_commands.set_value,
        POSITION,
    ),
    Command(
        "dice",
        "dice [RESULTS|off]",
        "lay down what dice and random picks come to next",
        "dice 4 6",
        play_commands.dice,
        HABIT,
    ),
    Command(
        "undo",
        "undo [N]",
        "take steps back, through chance and the middle of effects; give up what is stopped",
        "undo 2",
        play_commands.undo,
        HABIT,
    ),
    Command(
        "redo", "redo [N]", "make steps again that were taken back", "redo", play_commands.redo, POSITION
    ),
    Command("goto", "goto N", "go to the moment of a number", "goto 1", play_commands.goto, POSITION),
    Command("log", "log", "the steps that led here, by number", "log", play_commands.log),
    Command(
        "fork",
        "fork NAME",
        "go on from here on a branch of its own",
        "fork try-wind",
        play_commands.fork,
        POSITION,
    ),
    Command("switch", "switch NAME", "go to another branch", "switch main", play_commands.switch, POSITION),
    Command(
        "branches", "branches", "all branches, with where each has got to", "branches", play_commands.branches
    ),
    Command(
        "watch",
        "watch [EXPRESSION|off]",
        "tell whenever a value changes; list what is watched; forget all",
        "watch power(wolf)",
        play_commands.watch,
        HABIT,
    ),
    Command(
        "break",
        "break [on NAME|FILE:LINE [when EXPRESSION]]",
        "stop there when it is run; alone: list; `break off [N]`: take away",
        "break on discard when c.cost > 2",
        breakpoints.break_,
        HABIT,
    ),
    Command(
        "step",
        "step [N|CHOICE]",
        "on to the next line of the rules, or so many; with a choice, begin it and stop at its first line",
        "step 3",
        step_commands.step,
        HABIT,
    ),
    Command(
        "next",
        "next",
        "on to the next line, over whatever is called here",
        "next",
        step_commands.next_,
        HABIT,
    ),
    Command(
        "continue",
        "continue",
        "on to the next breakpoint, or to the end",
        "continue",
        step_commands.continue_,
        HABIT,
    ),
    Command("locals", "locals", "the locals where the run has stopped", "locals", stop_point.locals_),
    Command(
        "triggers",
        "triggers [EVENT[(...)]]",
        "the rules that wait for their turn; those that hang on an event, and whether they would hear it",
        "triggers discard(wolf)",
        trigger_commands.triggers,
    ),
    Command(
        "trace",
        "trace on|off",
        "tell everything a step does, each rule that acts with its place",
        "trace on",
        play_commands.trace,
        HABIT,
    ),
    Command(
        "reload",
        "reload",
        "read the rules again, do everything again with them, and say what changed",
        "reload",
        rule_reload.reload,
        POSITION,
    ),
    Command(
        "export",
        "export test FILE [--force]",
        "write what was just played as a scenario, once it is seen to hold",
        "export test scenarios/rain_on_pike.yaml",
        scenario_export.export,
    ),
    Command(
        "save",
        "save FILE [--force]",
        "write the steps that led here as a record, a small text that plays them again",
        "save rain.record",
        record_commands.save,
    ),
    Command(
        "load",
        "load FILE",
        "go on from a record or a saved game, in place of what is here",
        "load rain.record",
        record_commands.load,
    ),
    Command(
        "time", "time COMMAND", "do a command and say how long it took", "time do pass", inspect_commands.time
    ),
    Command(
        "profile",
        "profile [N]",
        "which lines of the rules the choices that led here have cost, or the last N of them",
        "profile 5",
        inspect_commands.profile,
    ),
    Command("help", "help [COMMAND]", "this list, or one command with an example", "help set", help_),
    Command("quit", "quit", "leave (Ctrl-D does too)", "quit", play_commands.leave),
)

COMMANDS = {command.name: command for command in _TABLE}
