"""The prompt of a game in progress: shows the table, lists choices, reads answers and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import InMemoryHistory
from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from ruleforge.engine.choice import Choice
from ruleforge.engine.endless import unfinished
from ruleforge.engine.errors import IllegalChoice, PlayError
from ruleforge.engine.state import State
from ruleforge.frontends.cli import table
from ruleforge.names import as_number, did_you_mean
from ruleforge.play.agents import Agent, make_agent
from ruleforge.play.journal import Journal
from ruleforge.play.replay import record
from ruleforge.play.session import Session, Turn
from ruleforge.writing import write_text

HUMAN = "human"
LISTED = 60  # more choices than this are listed only when asked for
HELP = """\
a number        the choice with that number
a text          the choice itself, e.g. {example}; several steps may follow one another
undo            back to your last decision, if nothing has come to light since
analysis        from now on everything can be taken back
back            back to the start of the action you are in
why TEXT        why TEXT is not among the choices
why NAME(...)   how a formula of the rules comes to its value
about NAME      what the rules say about an action, a thing or a word of the table
look            the table again
list            all choices
save FILE       write the game to a file (go on with --load FILE)
help            this page
quit            leave (Ctrl-D does too)"""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How a game is kept: the seed it began with (None: a saved position), its definitions, its journal if any."""

    seed: int | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)
    journal: Journal | None = None

    def follow(self, session: Session) -> None:
        if self.journal is not None:
            self.journal.follow(session)

    def record(self, session: Session) -> str:
        return record(session, self.seed, self.definitions)


class Leaving(Exception):
    """The player wants to leave."""


class Prompt:
    """One evening at the table."""

    def __init__(
        self, session: Session, kinds: dict[str, str], seed: int, console: Console, keeping: Keeping
    ) -> None:
        self._session = session
        self._keeping = keeping
        self._kinds = kinds
        self._console = console
        self._agents: dict[str, Agent] = {
            player: make_agent(kind, seed + n, session.state.game.compiled.profiles)
            for n, (player, kind) in enumerate(kinds.items())
            if kind != HUMAN
        }
        self._dice = make_agent("random", seed)
        self._reader: PromptSession[str] = PromptSession(history=InMemoryHistory())
        self._watching = next((p for p, kind in kinds.items() if kind == HUMAN), self._state.players[0])
        self._told = 0

    @property
    def _state(self) -> State:
        return self._session.state

    def run(self) -> None:
        self._greet()
        try:
            while self._state.decision is not None:
                self._one_decision()
            self._end()
        except (Leaving, EOFError):
            self._console.print("Bye.")

    def _greet(self) -> None:
        info = self._state.game.info
        self._console.print(Text(info.title, "bold").append(f"  {info.text}", "not bold"))
        who = ", ".join(f"{player} ({kind})" for player, kind in self._kinds.items())
        self._console.print(f"{who}. Type help for help.\n", style="dim")

    def _one_decision(self) -> None:
        decision = self._state.decision
        assert decision is not None
        agent = self._agents.get(decision.player, self._dice if decision.is_chance else None)
        if agent is not None:
            made = len(self._session.turns)
            if HUMAN not in self._kinds.values() and made >= self._state.game.ceilings.decisions:
                raise unfinished(made)
            self._let_choose(agent, decision.player)
            self._keeping.follow(self._session)
            return
        self._watching = decision.player
        self._tell()
        self._look()
        self._list(LISTED)
        while not self._answered(self._read(decision.player)):
            pass
        self._keeping.follow(self._session)

    def _let_choose(self, agent: Agent, player: str) -> None:
        """A choice that the rules take back is told, and another one is made; without any the evening is over."""
        for choice in (agent.choose(self._state), *self._state.choices):
            try:
                self._session.apply(choice)
            except IllegalChoice as refusal:
                self._console.print(f"{player}: {refusal}", style="yellow")
            else:
                return
        self._console.print(f"{player} has no choice that the rules let stand; the game cannot go on.")
        raise Leaving

    # --- showing ---

    def _tell(self) -> None:
        """What the others did since the last time."""
        turns = self._session.turns
        for turn in turns[min(self._told, len(turns)) :]:
            told = turn.told_to(self._watching)
            if told and self._kinds.get(turn.player) != HUMAN:
                self._console.print(self._told_turn(turn, told))
        self._told = len(turns)

    def _told_turn(self, turn: Turn, told: str) -> Text:
        text = Text()
        text.append(turn.player, style=f"bold {table.player_style(self._state.players, turn.player)}")
        return text.append(f": {told}")

    def _look(self) -> None:
        self._console.print()
        table.show(self._console, self._state, self._watching)

    def _list(self, most: int) -> None:
        decision, choices = self._state.decision, self._state.choices
        assert decision is not None
        head = Text(decision.player, style=f"bold {table.player_style(self._state.players, decision.player)}")
        self._console.print(head.append(f": {decision.prompt}", style="default not bold"))
        width = len(str(len(choices)))
        shown = [Text(f"{n:>{width}} {choice.text}") for n, choice in enumerate(choices[:most], 1)]
        self._console.print(Columns(shown, padding=(0, 3), column_first=True))
        if len(choices) > most:
            self._console.print(f"... and {len(choices) - most} more; `list` shows all", style="dim")

    def _end(self) -> None:
        self._tell()
        self._look()
        outcome = self._state.outcome
        assert outcome is not None
        self._console.print(Text(str(outcome), "bold").append(f"  {outcome.text}", "not bold"))
        self._console.print("  ".join(f"{player} {score:+d}" for player, score in outcome.scores.items()))

    # --- reading ---

    def _read(self, player: str) -> str:
        words = [*(choice.text for choice in self._state.choices), *COMMANDS]
        completer = WordCompleter(words, sentence=True)
        while True:
            try:
                return self._reader.prompt(
                    f"{player}> ", completer=completer, complete_while_typing=False
                ).strip()
            except KeyboardInterrupt:
                self._console.print("(quit or Ctrl-D leaves)", style="dim")

    def _answered(self, line: str) -> bool:
        """True when the game has moved on or back."""
        if not line:
            return False
        choices = self._state.choices
        number = as_number(line)
        if number is not None and not any(choice.text == line for choice in choices):
            if not 1 <= number <= len(choices):
                self._console.print(f"There are choices 1 to {len(choices)}.")
                return False
            return self._choose(choices[number - 1])
        word, _, rest = line.lstrip(":/").partition(" ")
        known = any(choice.text == line or choice.text.startswith(f"{line} ") for choice in choices)
        if word in COMMANDS and not known:
            return COMMANDS[word](self, rest.strip())
        return self._choose(line)

    def _choose(self, choice: Choice | str) -> bool:
        try:
            self._session.apply(choice)
        except IllegalChoice as refusal:
            for reason in refusal.reasons:
                self._console.print(Text(str(reason)), style="yellow")
            return False
        return True

    # --- commands ---

    def _undo(self, _rest: str) -> bool:
        try:
            if not self._session.undo_to(self._watching):
                self._console.print("There is nothing to take back.")
                return False
        except PlayError as error:
            self._console.print(Text(error.message))
            return False
        self._told = len(self._session.turns)
        return True

    def _analyse(self, _rest: str) -> bool:
        self._session.analysis = True
        self._console.print(
            "This is an analysis from now on: everything can be taken back, also what was secret."
        )
        return False

    def _back(self, _rest: str) -> bool:
        try:
            self._session.back()
        except PlayError as error:
            self._console.print(Text(error.message))
            return False
        self._told = len(self._session.turns)
        return True

    def _why(self, rest: str) -> bool:
        if rest.endswith(")"):
            return self._explain(rest)
        reasons = self._state.why_not(rest)
        if not reasons:
            self._console.print(Text(f"`{rest}` is possible."))
        for reason in reasons:
            self._console.print(Text(str(reason)))
        return False

    def _about(self, rest: str) -> bool:
        words = self._state.game.info.words
        said = words.get(rest, ())
        for sentence in said:
            self._console.print(Text(sentence))
        if not said:
            hint = did_you_mean(rest, words) or "nothing is said about that"
            self._console.print(Text(hint))
        return False

    def _explain(self, formula: str) -> bool:
        try:
            for line in self._state.explain(formula, self._watching).lines:
                self._console.print(Text(line))
        except PlayError as error:
            self._console.print(Text(error.message))
        return False

    def _save(self, rest: str) -> bool:
        if not rest:
            self._console.print("Say where: save FILE")
            return False
        try:
            write_text(Path(rest).expanduser(), self._keeping.record(self._session))
            self._console.print(Text(f"Saved to {rest}."))
        except (OSError, ValueError, RuntimeError) as problem:  # no such folder, no file's name, no such home
            reason = getattr(problem, "strerror", None) or str(problem)
            self._console.print(Text(f"{rest} cannot be written: {reason.lower()}"))
        return False

    def _show_help(self, _rest: str) -> bool:
        self._console.print(HELP.replace("{example}", self._state.choices[0].text))
        return False

    def _show_table(self, _rest: str) -> bool:
        self._look()
        return False

    def _show_list(self, _rest: str) -> bool:
        self._list(len(self._state.choices))
        return False

    def _quit(self, _rest: str) -> bool:
        raise Leaving


COMMANDS: dict[str, Callable[[Prompt, str], bool]] = {
    "help": Prompt._show_help,
    "undo": Prompt._undo,
    "analysis": Prompt._analyse,
    "back": Prompt._back,
    "why": Prompt._why,
    "about": Prompt._about,
    "look": Prompt._show_table,
    "list": Prompt._show_list,
    "save": Prompt._save,
    "quit": Prompt._quit,
}
