"""What can be said at the table beside a choice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ruleforge.engine.errors import PlayError
from ruleforge.frontends.table.evening import MOST_REASONS, Evening, Leaving
from ruleforge.frontends.table.understanding import in_ids
from ruleforge.names import did_you_mean, nearest
from ruleforge.present.names import Names
from ruleforge.present.scene import Token
from ruleforge.writing import write_text

HELP = """\
a letter        the choice behind it, or a shorter list; `b f3`, `b 10` say the rest at once
words           a choice in words or ids, cut short as you like: {example}
choices         all choices; `choices all` also what is not possible now, and why; `all` gives up a shorter list
look            the table again; `look all` with all small print
log             what happened lately; `log all` everything, with the clauses of the rules
why             what the last step rests on; `why CHOICE` or `why not CHOICE` why it is not possible
why NAME(...)   how a formula of the rules comes to its value
about NAME      what the rules say about a thing, an action, a word or a clause
undo, redo      back to your last decision, if nothing has come to light since; and forth again
back            back to the start of the action you are in
analysis        from now on everything can be taken back
save FILE       write the game to a file; `load FILE` goes on with one
quit            leave (Ctrl-D does too)"""
LATELY = 20


def help(evening: Evening, _rest: str) -> None:
    offers = evening.offers
    evening.screen.say(HELP.replace("{example}", offers[0].text if offers else "pass"))


def look(evening: Evening, rest: str) -> None:
    evening.show(whole=rest.casefold() == "all")


def choices(evening: Evening, rest: str) -> None:
    evening.narrowed = ()
    evening.screen.listing(evening.whole_list())
    if rest.casefold() == "all" and (greyed := evening.greyed()):
        evening.screen.say("not possible now:")
        evening.screen.listing(greyed, dim=True)


def log(evening: Evening, rest: str) -> None:
    """All turns as whoever watches may know them."""
    everything = rest.casefold() == "all"
    told = [s for n, turn in enumerate(evening.session.turns) for s in evening.told(turn, n)]
    if not told:
        evening.screen.say("Nothing has happened yet.")
    evening.screen.news(told if everything else told[-LATELY:], cites=everything)


def undo(evening: Evening, _rest: str) -> None:
    _taking_back(evening, lambda: evening.session.undo_to(_me(evening), free=not evening.seating.ask_all))


def redo(evening: Evening, _rest: str) -> None:
    def again() -> bool:
        made = evening.session.redo()
        while made and not _my_turn(evening) and evening.session.redo():
            pass
        return made

    _taking_back(evening, again, "There is nothing to make again.")


def back(evening: Evening, _rest: str) -> None:
    def start() -> bool:
        evening.session.back()
        return True

    _taking_back(evening, start)


def _taking_back(
    evening: Evening, step: Callable[[], bool], nothing: str = "There is nothing to take back."
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


def _me(evening: Evening) -> str:
    return evening.watching or evening.state.players[0]


def _my_turn(evening: Evening) -> bool:
    decision = evening.state.decision
    return decision is None or decision.player in evening.seating.people


def analysis(evening: Evening, _rest: str) -> None:
    evening.session.analysis = True
    evening.screen.say("This is an analysis from now on: everything can be taken back, also what was secret.")


def why(evening: Evening, rest: str) -> None:
    if not rest:
        turns = evening.session.turns
        last = [s for n, turn in list(enumerate(turns))[-1:] for s in evening.told(turn, n)]
        evening.screen.news(last, cites=True)
        if not last:
            evening.screen.say("Nothing has happened yet; `why not CHOICE` asks about a choice.")
        return
    if rest.endswith(")") and not rest.startswith("not "):
        _explain(evening, rest)
        return
    text = in_ids(rest.removeprefix("not ").strip(), evening.narrator.names.ids)
    reasons = evening.state.why_not(text)
    if not reasons:
        evening.screen.say(f"`{text}` is possible.")
    for words in dict.fromkeys(reason.words for reason in reasons[:MOST_REASONS]):
        evening.screen.say(words)
    for help in dict.fromkeys(reason.help for reason in reasons if reason.help and not reason.plain):
        evening.screen.say(help)


def _explain(evening: Evening, formula: str) -> None:
    try:
        for line in evening.state.explain(formula, _me(evening)).lines:
            evening.screen.say(line)
    except PlayError as error:
        evening.screen.say(error.message)


def about(evening: Evening, rest: str) -> None:
    """A clause, a thing by its name or title with its face, or a word of the rules."""
    clauses = {id.casefold(): (id, text) for id, text in evening.seating.clauses.items()}
    wanted = rest.casefold()
    if wanted in clauses:
        evening.screen.say(": ".join(clauses[wanted]))
        return
    words = evening.state.game.info.words
    names = evening.narrator.names
    known = {**{name.casefold(): name for name in words}, **_called(evening, names)}
    found = known.get(wanted) or next((known[key] for key in known if wanted and wanted in key), None)
    found = found or known.get(nearest(wanted, known) or "")
    if found is None:
        hint = did_you_mean(rest, (*words, *evening.seating.clauses))
        evening.screen.say(hint or "nothing is said about that")
        return
    for token in (t for t in evening.scene().tokens if t.id == found):
        evening.screen.say(_face(token))
    for sentence in words.get(found, ()):
        evening.screen.say(sentence)


def _called(evening: Evening, names: Names) -> dict[str, str]:
    titles = {names.thing(name).casefold(): name for name in evening.state.game.info.words}
    return {**titles, **{token.name.casefold(): token.id for token in evening.scene().tokens if token.id}}


def _face(token: Token) -> str:
    inner = f"; with {', '.join(t.name for t in token.holds)}" if token.holds else ""
    return f"{token.name}{': ' if token.face else ''}{', '.join(token.face)}{inner}"


def save(evening: Evening, rest: str) -> None:
    if not rest:
        evening.screen.say("Say where: save FILE")
        return
    try:
        write_text(Path(rest).expanduser(), evening.keeping.record(evening.session))
        evening.screen.say(f"Saved to {rest}.")
    except (OSError, ValueError, RuntimeError) as problem:  # no such folder, no file's name, no such home
        reason = getattr(problem, "strerror", None) or str(problem)
        evening.screen.say(f"{rest} cannot be written: {reason.lower()}")


def load(evening: Evening, rest: str) -> None:
    if not rest:
        evening.screen.say("Say which: load FILE")
        return
    try:
        session, _ = evening.keeping.resumed(str(Path(rest).expanduser()))
    except (PlayError, RuntimeError) as problem:
        evening.screen.say(problem.message if isinstance(problem, PlayError) else str(problem))
        return
    evening.session = session
    evening.forced.clear()
    evening.forget_news()


def quit(_evening: Evening, _rest: str) -> None:
    raise Leaving


def all_again(evening: Evening, _rest: str) -> None:
    evening.narrowed = ()
    evening.screen.listing(evening.groups())


COMMANDS: dict[str, Callable[[Evening, str], None]] = {
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
