"""The console at a terminal, with prompt, completion and history; and the console of a script."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from ruleforge.frontends.repl.answer import LeaveConsole, Refusal, Teller
from ruleforge.frontends.repl.command_reader import Completing, commands_in, unfinished
from ruleforge.frontends.repl.console import Console
from ruleforge.frontends.repl.rule_reload import SECONDS, RuleWatcher
from ruleforge.support.disk_cache import cache_folder
from ruleforge.support.output_files import owned_file

HISTORY = "repl-history"


def run_script(
    console: Console, lines: Iterable[str], teller: Teller, files: RuleWatcher | None = None
) -> bool:
    """Do all commands of a script; it ends at the first that fails, and then this is False."""
    try:
        for command in commands_in(lines):
            look_at_files(files, teller)
            if not one(console, command, teller):
                return False
    except LeaveConsole:
        pass
    return True


def one(console: Console, command: str, teller: Teller) -> bool:
    """Do a command and tell what came of it; False if it failed."""
    try:
        answer = console.answer(command)
    except Refusal as refusal:
        teller.refusal(command, refusal)
        return False
    teller.answer(command, answer)
    return True


def look_at_files(files: RuleWatcher | None, teller: Teller) -> None:
    """Reload if a file was saved, and tell what came of it."""
    if files is None:
        return
    try:
        answer = files.reloaded()
    except Refusal as refusal:
        teller.refusal("reload", refusal)
        return
    if answer is not None:
        teller.answer("reload", answer)


def run_terminal(console: Console, teller: Teller, files: RuleWatcher | None = None) -> None:
    """Read and answer until the author leaves."""
    teller.write(console.heading())
    reader: PromptSession[str] = PromptSession(
        history=_history(),
        completer=Completing(console),
        complete_while_typing=False,
        multiline=True,
        key_bindings=_keys(),
        prompt_continuation="  ",
    )
    while True:
        try:
            text = reader.prompt(console.prompt, pre_run=lambda: _keep_looking(files, teller))
        except KeyboardInterrupt:
            continue
        except EOFError:
            break
        try:
            for command in commands_in(text.splitlines()):
                if not one(console, command, teller):
                    break
        except LeaveConsole:
            break


def _keep_looking(files: RuleWatcher | None, teller: Teller) -> None:
    """While the prompt waits, look every now and then whether a file was saved."""
    if files is None:
        return

    async def look() -> None:
        while True:
            await asyncio.sleep(SECONDS)
            if files.saved():
                await run_in_terminal(lambda: look_at_files(files, teller))

    get_app().create_background_task(look())


def _keys() -> KeyBindings:
    """Enter ends the text, unless a bracket is open or a block has begun."""
    keys = KeyBindings()

    @keys.add("enter", filter=Condition(lambda: True))
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if unfinished(buffer.text):
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    return keys


def _history() -> History:
    """The input history, in a file that only its owner can read; in memory if there is no such place."""
    folder = cache_folder()
    if folder is None:
        return InMemoryHistory()
    try:
        return FileHistory(owned_file(folder / HISTORY))
    except OSError:
        return InMemoryHistory()
