"""A step as a seat may know it -> its sentences: who did what, what came of it, and what it did to the counters.

An event or action with a telling of its own is said in the author's words, and the bare changes inside of it are left
out; all others are said by what they changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ruleforge.compiling import GameInfo
from ruleforge.engine.event import Event
from ruleforge.names import with_article
from ruleforge.narration.changes import Ledger, number_text
from ruleforge.narration.sentence import Sentence
from ruleforge.narration.tellings import said
from ruleforge.present.names import Names
from ruleforge.present.seen import HIDDEN

CHANCE = "chance"


class Narrator:
    """Tells the steps of one game."""

    def __init__(self, info: GameInfo) -> None:
        self._info = info
        self.names = Names(info)
        self._cells = {name: board.kind for board in info.boards for name in board.names}

    def step(self, player: str, told: str, events: Sequence[Event]) -> tuple[Sentence, ...]:
        """Sentences for one step: `told` is the choice as the reader may know it (empty: not at all)."""
        return tuple(self._step(player, told, events))

    def _step(self, player: str, told: str, events: Sequence[Event]) -> Iterator[Sentence]:
        actions = [e for e in events if e.name.startswith("action ")]
        if not actions and told and player != CHANCE:
            yield Sentence(f"{self.names.thing(player, 'player')}: {self._choice(told)}.", 0, player)
        named = {value for action in actions for _, value in action.arguments if value in self._cells}
        ledger = Ledger(self.names, self._info.look)
        silent: list[Event] = []  # told in the author's words: what changed inside of them is said there
        rolls: list[Event] = []
        for event in events:
            while silent and not _inside(event, silent[-1]):
                silent.pop()
            if event.name == "roll" and not silent:
                rolls.append(event)
                continue
            if rolls:
                yield self._rolled(rolls)
                rolls = []
            telling = self._info.tells.get(event.name)
            if telling is not None:
                words = said(telling.telling, event, self.names)
                if event.name.startswith("event "):
                    silent.append(event)
                if words:
                    yield self._sentence(words, event)
            elif event.name.startswith("set "):
                ledger.note(event, bool(silent) or event["of"] in named)
            elif not silent or event.name.startswith(("action ", "finish ", "rule ")):
                yield from (self._sentence(words, event) for words in self._plain(event, player))
        if rolls:
            yield self._rolled(rolls)
        yield from (Sentence(words, 1) for words in ledger.lines())

    def _sentence(self, words: str, event: Event) -> Sentence:
        depth = 0 if event.name.startswith("action ") else 1
        who = str(dict(event.arguments).get("me", "")) if depth == 0 else ""
        return Sentence(_sentence(words), depth, who, event.clauses, event.span, event.pack)

    def _rolled(self, rolls: Sequence[Event]) -> Sentence:
        results = ", ".join(str(event["result"]) for event in rolls)
        return Sentence(f"Rolled: {results}.", 1, "", rolls[0].clauses, rolls[0].span)

    def _plain(self, event: Event, player: str) -> Iterator[str]:
        """What is said of an event without a telling; nothing of those that only name what happens inside."""
        word, _, rest = event.name.partition(" ")
        given = dict(event.arguments)
        match word:
            case "action":
                who = str(given.pop("me", player))
                parts = " ".join(self._value(value) for value in given.values() if value not in (HIDDEN, ()))
                yield f"{self.names.thing(who, 'player')}: {self.names.deed(rest)} {parts}".rstrip()
            case "move":
                yield self._moved(rest, given)
            case "rule":
                by = given.get("by")
                bearer = f"{self.names.thing(by)}: " if isinstance(by, str) and by != HIDDEN else ""
                yield f"{bearer}{self.names.rule(rest)}"
            case "random" if given["result"] != HIDDEN:
                yield f"chance picks {self._value(given['result'])}"
            case "shuffle":
                yield f"{self.names.where(str(given['place']))} is shuffled"
            case "show":
                yield f"{self._a(given['thing'], '')} is shown to {self._value(given['to'])}"
            case "finish":
                winners = given["winners"]
                names = [self.names.thing(p, "player") for p in winners] if isinstance(winners, tuple) else []
                won = (
                    f"{' and '.join(names)} {'win' if len(names) > 1 else 'wins'}" if names else "nobody wins"
                )
                yield f"the game is over: {won} ({self.names.deed(rest)})"

    def _moved(self, kind: str, given: Mapping[str, object]) -> str:
        what = self._a(given["thing"], kind)
        start, goal = self._spot(given["from"]), self._spot(given["to"])
        if start and goal:
            return f"{what}: {start} → {goal}"
        return f"{what} comes to {goal}" if goal else f"{what} leaves {start}"

    def _spot(self, container: object) -> str:
        """A container in words: of a board just the cell."""
        if container is None:
            return ""
        name = str(container)
        owner = name.partition(".")[0]
        if "." in name and "[" not in name and owner in self._cells:
            return self.names.thing(owner, self._cells[owner])
        return self.names.where(name)

    def _a(self, thing: object, kind: str) -> str:
        if thing != HIDDEN:
            return self.names.thing(str(thing), kind)
        noun = kind.replace("_", " ") or "thing"
        return with_article(noun)

    def _value(self, value: object) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            return number_text(value)
        return self.names.value(value)  # type: ignore[arg-type]

    def _choice(self, told: str) -> str:
        """The text of an answer with names in place of ids."""
        return " ".join(self.names.word(word) for word in told.split())


def _inside(event: Event, outer: Event) -> bool:
    cause = event.cause
    while cause is not None:
        if cause is outer:
            return True
        cause = cause.cause
    return False


def _sentence(words: str) -> str:
    text = words.strip()
    if not any(sign.isdigit() for sign in text.split(" ", 1)[0]):  # names as p1 or a1 stay as they are
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."
