"""The commands of the console besides choices: help, log, why, undo, save."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ruleforge.engine.errors import PlayError
from ruleforge.engine.presentation.styled_text import cut as shortened
from ruleforge.frontends.console.console_game import ConsoleGame, LeaveGame
from ruleforge.play.seats.choice_matcher import in_ids, understood
from ruleforge.play.seats.rule_help import RuleHelp
from ruleforge.play.seats.seat_view import MOST_REASONS
from ruleforge.support.output_files import CannotWrite, write_text

HELP = (
    ("a letter", "take the choice of this letter, or a shorter list; add the rest, as in `b f3`, `b 10`"),
    ("words", "a choice in words or ids, also shortened: {example}"),
    (
        "choices",
        "list all choices; `choices all` adds impossible ones with reasons; `all` leaves a shorter list",
    ),
    ("look", "show the table; `look all` adds all small print"),
    ("log", "show the last events; `log all` shows all, with clauses of the rules"),
    ("why", "show the rules behind the last step; `why not CHOICE` explains an impossible choice"),
    ("why NAME(...)", "explain the value of a formula"),
    (
        "about",
        "describe the game; `about NAME` explains a thing, an action, a word or a clause",
    ),
    ("undo, redo", "take back your last decision if nothing was revealed since; `redo` repeats it"),
    ("back", "go back to the start of this action"),
    ("analysis", "make every step undoable from now on"),
    ("save FILE", "write the game to a file; `load FILE` continues it"),
    ("quit", "exit (or Ctrl-D)"),
)
LATELY = 20
MOST_CITED, LONGEST_CLAUSE = 5, 150


def help(evening: ConsoleGame, _rest: str) -> None:
    offers = evening.offers
    example = offers[0].words if offers else "pass"
    evening.screen.rows((word, meaning.replace("{example}", example)) for word, meaning in HELP)


def look(evening: ConsoleGame, rest: str) -> None:
    evening.show(whole=rest.casefold() == "all")
    evening.say_if_over()


def choices(evening: ConsoleGame, rest: str) -> None:
    evening.narrowed = ()
    evening.say_if_over()
    evening.screen.listing(evening.whole_list())
    if rest.casefold() == "all" and (greyed := evening.greyed()):
        evening.screen.say("not possible now:")
        evening.screen.listing(greyed, dim=True)


def log(evening: ConsoleGame, rest: str) -> None:
    """All turns as whoever watches may know them."""
    everything = rest.casefold() == "all"
    told = [s for n, turn in enumerate(evening.session.turns) for s in evening.told(turn, n)]
    if not told:
        evening.screen.say("Nothing has happened yet.")
    evening.screen.news(told if everything else told[-LATELY:], cites=everything)


def undo(evening: ConsoleGame, _rest: str) -> None:
    before = evening.state
    _taking_back(evening, lambda: evening.session.undo_to(_me(evening), free=not evening.seating.ask_all))
    if evening.state is before and evening.session.turns and not evening.session.analysis:
        evening.screen.say("`analysis` makes every step undoable.")


def redo(evening: ConsoleGame, _rest: str) -> None:
    def again() -> bool:
        made = evening.session.redo()
        while made and not _my_turn(evening) and evening.session.redo():
            pass
        return made

    _taking_back(evening, again, "There is nothing to redo.")


def back(evening: ConsoleGame, _rest: str) -> None:
    def start() -> bool:
        evening.session.back()
        return True

    _taking_back(evening, start)


def _taking_back(
    evening: ConsoleGame, step: Callable[[], bool], nothing: str = "There is nothing to undo."
) -> None:
    try:
        if not step():
            evening.screen.say(nothing)
            return
    except PlayError as error:
        evening.screen.say(error.message)
        return
    evening.forced = {n for n in evening.forced if n < len(evening.session.turns)}
    evening.forget_news()


def _me(evening: ConsoleGame) -> str:
    return evening.watching or evening.state.players[0]


def _my_turn(evening: ConsoleGame) -> bool:
    decision = evening.state.decision
    return decision is None or decision.player in evening.seating.people


def analysis(evening: ConsoleGame, _rest: str) -> None:
    evening.session.analysis = True
    evening.screen.say(
        "This is an analysis from now on: every step can be undone, also those that revealed secrets."
    )


def why(evening: ConsoleGame, rest: str) -> None:
    said = rest.removeprefix("not ").strip()
    if not said:
        _why_it_happened(evening)
    elif said.endswith(")") and not rest.startswith("not "):
        _explain(evening, said)
    else:
        _why_not(evening, said)


def _why_it_happened(evening: ConsoleGame) -> None:
    """What was told last, and the clauses of the rules that it rests on."""
    turns = list(enumerate(evening.session.turns))
    told = next((found for n, turn in reversed(turns) if (found := evening.told(turn, n))), ())
    if not told:
        evening.screen.say("Nothing has happened yet; `why not CHOICE` explains an impossible choice.")
        return
    evening.screen.news(told)
    clauses = evening.seating.clauses
    cited = [id for id in dict.fromkeys(id for s in told for id in s.clauses) if id in clauses]
    for id in cited[:MOST_CITED]:
        evening.screen.say(f"  {id}  {shortened(clauses[id], LONGEST_CLAUSE)}")
    if cited[MOST_CITED:]:
        evening.screen.say(f"  and {', '.join(cited[MOST_CITED:])}: about CLAUSE")


def _why_not(evening: ConsoleGame, said: str) -> None:
    if evening.say_if_over():
        return
    found = understood(said, evening.offers)
    reasons = () if found else evening.state.why_not(in_ids(said, evening.onlooker.ids()), _me(evening))
    if reasons:
        evening.tell_against(said, reasons)
        return
    for offer in found[:MOST_REASONS]:
        evening.screen.say(f"{offer.words} is possible.")
    if not found:
        evening.screen.say("That is possible.")


def _explain(evening: ConsoleGame, formula: str) -> None:
    try:
        for line in evening.state.explain(formula, _me(evening)).lines:
            evening.screen.say(line)
    except PlayError as error:
        evening.screen.say(error.message)


def about(evening: ConsoleGame, rest: str) -> None:
    """The game, a clause, a thing, a cell, an action or a word of the rules."""
    found = RuleHelp(evening.state, evening.watching, evening.scene(), evening.seating.clauses)
    for line in found.lines(rest):
        evening.screen.say("  " * line.indent + line.text, "bold" if line.bold else "")


def save(evening: ConsoleGame, rest: str) -> None:
    if not rest:
        evening.screen.say("Usage: save FILE")
        return
    try:
        write_text(Path(rest).expanduser(), evening.keeping.record(evening.session))
        evening.screen.say(f"Saved to {rest}.")
    except (OSError, ValueError, RuntimeError) as problem:  # no such folder, no file's name, no such home
        if isinstance(problem, CannotWrite):
            evening.screen.say(f"{problem.strerror}.")
            return
        reason = getattr(problem, "strerror", None) or str(problem)
        evening.screen.say(f"{rest} cannot be written: {reason.lower()}")


def load(evening: ConsoleGame, rest: str) -> None:
    if not rest:
        evening.screen.say("Usage: load FILE")
        return
    try:
        session, _ = evening.keeping.resumed(str(Path(rest).expanduser()))
    except (PlayError, RuntimeError) as problem:
        evening.screen.say(problem.message if isinstance(problem, PlayError) else str(problem))
        return
    evening.session = session
    evening.forced.clear()
    evening.forget_news()


def quit(_evening: ConsoleGame, _rest: str) -> None:
    raise LeaveGame


def all_again(evening: ConsoleGame, _rest: str) -> None:
    evening.narrowed = ()
    evening.screen.listing(evening.groups())


COMMANDS: dict[str, Callable[[ConsoleGame, str], None]] = {
    "?": help,
    "about": about,
    "all": all_again,
    "analysis": analysis,
    "back": back,
    "choices": choices,
    "help": help,
    "list": choices,
    "load": load,
    "log": log,
    "look": look,
    "quit": quit,
    "redo": redo,
    "save": save,
    "undo": undo,
    "why": why,
}
