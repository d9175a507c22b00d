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


def help(game: ConsoleGame, _rest: str) -> None:
    offers = game.offers
    example = offers[0].words if offers else "pass"
    game.screen.rows((word, meaning.replace("{example}", example)) for word, meaning in HELP)


def look(game: ConsoleGame, rest: str) -> None:
    game.show(whole=rest.casefold() == "all")
    game.say_if_over()


def choices(game: ConsoleGame, rest: str) -> None:
    game.narrowed = ()
    game.say_if_over()
    game.screen.listing(game.whole_list())
    if rest.casefold() == "all" and (greyed := game.greyed()):
        game.screen.say("not possible now:")
        game.screen.listing(greyed, dim=True)


def log(game: ConsoleGame, rest: str) -> None:
    """Show all turns as the watching player may know them."""
    everything = rest.casefold() == "all"
    sentences = [s for n, turn in enumerate(game.session.turns) for s in game.log_entry(turn, n)]
    if not sentences:
        game.screen.say("Nothing has happened yet.")
    game.screen.news(sentences if everything else sentences[-LATELY:], cites=everything)


def undo(game: ConsoleGame, _rest: str) -> None:
    before = game.state
    _taking_back(game, lambda: game.session.undo_to(_me(game), free=not game.seating.ask_all))
    if game.state is before and game.session.turns and not game.session.analysis:
        game.screen.say("`analysis` makes every step undoable.")


def redo(game: ConsoleGame, _rest: str) -> None:
    def again() -> bool:
        made = game.session.redo()
        while made and not _my_turn(game) and game.session.redo():
            pass
        return made

    _taking_back(game, again, "There is nothing to redo.")


def back(game: ConsoleGame, _rest: str) -> None:
    def start() -> bool:
        game.session.back()
        return True

    _taking_back(game, start)


def _taking_back(
    game: ConsoleGame, step: Callable[[], bool], nothing: str = "There is nothing to undo."
) -> None:
    try:
        if not step():
            game.screen.say(nothing)
            return
    except PlayError as error:
        game.screen.say(error.message)
        return
    game.forced = {n for n in game.forced if n < len(game.session.turns)}
    game.forget_news()


def _me(game: ConsoleGame) -> str:
    return game.watching or game.state.players[0]


def _my_turn(game: ConsoleGame) -> bool:
    decision = game.state.decision
    return decision is None or decision.player in game.seating.people


def analysis(game: ConsoleGame, _rest: str) -> None:
    game.session.analysis = True
    game.screen.say(
        "This is an analysis from now on: every step can be undone, also those that revealed secrets."
    )


def why(game: ConsoleGame, rest: str) -> None:
    text = rest.removeprefix("not ").strip()
    if not text:
        _why_it_happened(game)
    elif text.endswith(")") and not rest.startswith("not "):
        _explain(game, text)
    else:
        _why_not(game, text)


def _why_it_happened(game: ConsoleGame) -> None:
    """Show the last log entry, with the clauses behind it."""
    turns = list(enumerate(game.session.turns))
    sentences = next((found for n, turn in reversed(turns) if (found := game.log_entry(turn, n))), ())
    if not sentences:
        game.screen.say("Nothing has happened yet; `why not CHOICE` explains an impossible choice.")
        return
    game.screen.news(sentences)
    clauses = game.seating.clauses
    cited = [id for id in dict.fromkeys(id for s in sentences for id in s.clauses) if id in clauses]
    for id in cited[:MOST_CITED]:
        game.screen.say(f"  {id}  {shortened(clauses[id], LONGEST_CLAUSE)}")
    if cited[MOST_CITED:]:
        game.screen.say(f"  and {', '.join(cited[MOST_CITED:])}: about CLAUSE")


def _why_not(game: ConsoleGame, text: str) -> None:
    if game.say_if_over():
        return
    found = understood(text, game.offers)
    reasons = () if found else game.state.why_not(in_ids(text, game.onlooker.ids()), _me(game))
    if reasons:
        game.tell_against(text, reasons)
        return
    for offer in found[:MOST_REASONS]:
        game.screen.say(f"{offer.words} is possible.")
    if not found:
        game.screen.say("That is possible.")


def _explain(game: ConsoleGame, formula: str) -> None:
    try:
        for line in game.state.explain(formula, _me(game)).lines:
            game.screen.say(line)
    except PlayError as error:
        game.screen.say(error.message)


def about(game: ConsoleGame, rest: str) -> None:
    """The game, a clause, a thing, a cell, an action or a word of the rules."""
    found = RuleHelp(game.state, game.watching, game.scene(), game.seating.clauses)
    for line in found.lines(rest):
        game.screen.say("  " * line.indent + line.text, "bold" if line.bold else "")


def save(game: ConsoleGame, rest: str) -> None:
    if not rest:
        game.screen.say("Usage: save FILE")
        return
    try:
        write_text(Path(rest).expanduser(), game.saved_game.record(game.session))
        game.screen.say(f"Saved to {rest}.")
    except (OSError, ValueError, RuntimeError) as problem:  # no such folder, no file's name, no such home
        if isinstance(problem, CannotWrite):
            game.screen.say(f"{problem.strerror}.")
            return
        reason = getattr(problem, "strerror", None) or str(problem)
        game.screen.say(f"{rest} cannot be written: {reason.lower()}")


def load(game: ConsoleGame, rest: str) -> None:
    if not rest:
        game.screen.say("Usage: load FILE")
        return
    try:
        session, _ = game.saved_game.resumed(str(Path(rest).expanduser()))
    except (PlayError, RuntimeError) as problem:
        game.screen.say(problem.message if isinstance(problem, PlayError) else str(problem))
        return
    game.session = session
    game.forced.clear()
    game.forget_news()


def quit(_game: ConsoleGame, _rest: str) -> None:
    raise LeaveGame


def all_again(game: ConsoleGame, _rest: str) -> None:
    game.narrowed = ()
    game.screen.listing(game.groups())


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
