"""The sentences of a step for a seat: choices, their effects, and changed values.

An event or action with `tells` is reported in the author's words, without the plain changes inside it. All
others are reported by their changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ruleforge.backends.artifacts.info import GameInfo, LogTemplate
from ruleforge.engine.event import Event, EventValue
from ruleforge.engine.presentation.observation import DONE, HIDDEN
from ruleforge.engine.presentation.offers import named_in
from ruleforge.engine.presentation.titles import Names
from ruleforge.lang.model.log_sentence import LogSentence
from ruleforge.play.narration.summaries import Ledger, Moves, number_text
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import with_article

CHANCE = "chance"
EFFECTS = ("action ", "finish ", "rule ")  # reported even inside an event with `tells`


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the log. `depth` is its nesting depth, `who` the player who acted."""

    text: str
    depth: int = 0
    who: str = ""
    clauses: tuple[str, ...] = ()
    span: Span = NOWHERE
    pack: str = ""

    def __str__(self) -> str:
        return f"{'  ' * self.depth}{self.text}"


class Narrator:
    """Writes the log sentences of one game."""

    def __init__(self, info: GameInfo, players: Sequence[str] = ()) -> None:
        self.info = info
        self.players = players or tuple(seat for seats in info.teams.values() for seat in seats)
        self.names = Names(info)
        self.cells = {name: board.kind for board in info.boards for name in board.names}

    def step(
        self, player: str, template: str, events: Sequence[Event], prompt: str = ""
    ) -> tuple[Sentence, ...]:
        """The sentences of one step.

        `template` and `prompt` are the choice and its question as the reader may see them.
        """
        step = _Step(self, player, events)
        answer = "" if step.names_all_of(template) else self._answer(template, prompt)
        sentence = tuple(step.sentences(answer))
        return (replace(sentence[0], depth=0), *sentence[1:]) if sentence else ()

    def _answer(self, template: str, prompt: str) -> str:
        """The text of an answer with names in place of ids, behind what was asked for."""
        name = named_in(prompt)
        noun = name.replace("_", " ")
        if template == DONE:
            with_what = noun or ("" if prompt.startswith("choose ") or prompt.endswith("?") else prompt)
            return f"{template} ({with_what})" if with_what else template
        answer = " ".join(self.names.number(self.names.word(word), name) for word in template.split())
        if prompt.endswith("?") and answer and not noun:  # in the author's words
            return f"{answer} ({prompt})"
        return f"{noun} {answer}" if noun and answer else answer


class _Step:
    """The sentences of one step while they are built."""

    def __init__(self, narrator: Narrator, player: str, events: Sequence[Event]) -> None:
        self._names, self._info, self._player, self._events = (
            narrator.names,
            narrator.info,
            player,
            events,
        )
        self._players = narrator.players
        self._ledger = Ledger(self._names, self._info.look)
        self._begun = False  # whether anything was said
        self._moves = Moves(self._names, narrator.cells)
        self._rolls: list[Event] = []
        self._silent: list[Event] = []  # events with `tells`: their text covers the changes inside them
        self._actions = [e for e in events if e.name.startswith("action ")]
        self._named = {v for a in self._actions for _, v in a.arguments if v in narrator.cells}
        spoken = [(action, value) for action in self._actions for value in self._spoken(action)]
        self._goals = {value for _, value in spoken if value in narrator.cells}
        self._own = {(dict(action.arguments).get("me"), value) for action, value in spoken}

    def names_all_of(self, answer: str) -> bool:
        """Whether an event that the author tells is given all that was answered."""
        words = set(answer.split())
        template = (e for e in self._events if e.cause is None and e.name in self._info.tells)
        return bool(words) and any(words <= {value for _, value in event.arguments} for event in template)

    def sentences(self, answer: str) -> Iterator[Sentence]:
        if not self._actions and answer and self._player != CHANCE:
            who = self._names.thing(self._player, "player")
            yield Sentence(f"{who}: {answer}.", 0, self._player)
        for event in self._events:
            while self._silent and not _inside(event, self._silent[-1]):
                self._silent.pop()
            yield from self._event(event)
        yield from self._gathered()
        yield from self._counted()

    def _event(self, event: Event) -> Iterator[Sentence]:
        if event.name == "roll" and not self._silent:
            yield from self._moved()
            self._rolls.append(event)
        elif event.name.startswith("set "):
            if (event["of"], event["new"]) not in self._own or isinstance(event["new"], int):
                self._ledger.note(event, bool(self._silent) or event["of"] in self._named)
        elif event.name == "show" or event.name.startswith("move "):
            yield from self._move(event)
        elif words := tuple(self._words(event)):
            yield from self._gathered()
            ends = event.name.startswith("finish ")
            if ends or (event.cause is None and self._begun):  # the cost of a step follows it
                yield from self._counted()
            self._begun = True
            yield from (self._sentence(text, event) for text in words)

    def _words(self, event: Event) -> Iterator[str]:
        template = self._info.tells.get(event.name)
        if template is not None:
            if event.name.startswith("event ") and not _leaves_something_out(template.sentence, event.told):
                self._silent.append(event)
            if text := sentence(template, {**event.told, **self._come_to_light(event)}, self._names):
                yield text
        elif not self._silent or event.name.startswith(EFFECTS):
            yield from self._plain(event)

    def _spoken(self, action: Event) -> Iterator[object]:
        """The chosen values that the `tells` text of an action names."""
        template = self._info.tells.get(action.name)
        keys = (
            {placeholder.key for placeholder in template.sentence.placeholders}
            if template is not None
            else ()
        )
        named = {**dict(action.arguments), **self._come_to_light(action)}
        return (value for name, value in named.items() if name in keys and value != HIDDEN)

    def _come_to_light(self, event: Event) -> dict[str, EventValue]:
        """The arguments that were hidden from the reader and are revealed by the first visible move."""
        given = dict(event.arguments)
        hidden = [name for name in self._info.leads.get(event.name, ()) if given.get(name) == HIDDEN]
        if not hidden:
            return {}
        later = self._events[self._events.index(event) + 1 :]
        template = self._info.tells[event.name]
        first = {name: self._first_move(template.kind_of(name), event, later) for name in hidden}
        known = {name: move["thing"] for name, move in first.items() if move is not None}
        return {**known, **{f"then {name}": thing for name, thing in known.items()}}

    def _first_move(self, kind: str, action: Event, later: Sequence[Event]) -> Event | None:
        """The first of a kind that is moved by a step; none if the order of several does not tell."""
        moves = [e for e in later if e.name == f"move {kind}" and self._belongs(e, action)]
        ordered = moves and (not moves[0].merged or len({e["thing"] for e in moves}) == 1)
        return moves[0] if ordered else None

    def _belongs(self, move: Event, action: Event) -> bool:
        return action.name.startswith("action ") or _inside(move, action)

    # --- what is gathered ---

    def _move(self, move: Event) -> Iterator[Sentence]:
        if self._silent or self._is_in_sentence(move):
            return
        yield from self._rolled()
        if not self._moves.can_take(move):
            yield from self._moved()
        self._moves.note(move)

    def _is_in_sentence(self, move: Event) -> bool:
        """Whether the `tells` text of the action names the target, or a thing that leaves a place of the
        acting player.
        """
        cell, dot, _ = str(move["to"]).partition(".")
        if move["thing"] == HIDDEN or move.name == "show":
            return False
        owner, dotted, _ = str(move["from"]).partition(".")
        return bool(dot and cell in self._goals) or bool(dotted and (owner, move["thing"]) in self._own)

    def _gathered(self) -> Iterator[Sentence]:
        yield from self._rolled()
        yield from self._moved()

    def _moved(self) -> Iterator[Sentence]:
        for text, moves in self._moves.sentences():
            clauses = tuple(dict.fromkeys(clause for move in moves for clause in move.clauses))
            yield replace(self._sentence(text, moves[0]), clauses=clauses)

    def _rolled(self) -> Iterator[Sentence]:
        if self._rolls:
            results = ", ".join(str(event["result"]) for event in self._rolls)
            first = self._rolls[0]
            self._rolls = []
            yield Sentence(f"Rolled: {results}.", 1, "", first.clauses, first.span)

    def _counted(self) -> Iterator[Sentence]:
        """The changes of counters so far."""
        yield from (Sentence(words, 1) for words in self._ledger.lines())
        self._ledger = Ledger(self._names, self._info.look)

    # --- words ---

    def _sentence(self, words: str, event: Event) -> Sentence:
        depth = 0 if event.name.startswith("action ") else 1
        who = str(dict(event.arguments).get("me", "")) if depth == 0 else ""
        return Sentence(_sentence(words), depth, who, event.clauses, event.span, event.pack)

    def _plain(self, event: Event) -> Iterator[str]:
        """The text of an event without `tells`. Empty for events that only name the changes inside them."""
        word, _, rest = event.name.partition(" ")
        given = dict(event.arguments)
        match word:
            case "action":
                who = str(given.pop("me", self._player))
                kinds = self._info.takes.get(event.name, {})
                sentence = {name: value for name, value in given.items() if value not in (HIDDEN, ())}
                parts = " ".join(self._value(value, kinds.get(name, "")) for name, value in sentence.items())
                yield f"{self._names.thing(who, 'player')}: {self._names.action(rest)} {parts}".rstrip()
            case "rule":
                by = given.get("by")
                bearer = f"{self._names.thing(by)}: " if isinstance(by, str) and by != HIDDEN else ""
                yield f"{bearer}{self._names.rule(rest)}"
            case "random" if given["result"] != HIDDEN:
                yield f"chance picks {self._value(given['result'])}"
            case "shuffle":
                yield f"{self._names.where(str(given['place']))} is shuffled"
            case "finish":
                winners = given["winners"]
                names = self._names.winners(winners, self._players) if isinstance(winners, tuple) else ()
                won = f"{' and '.join(names)} {'win' if len(names) > 1 else 'wins'}"
                nobody = "it is lost" if rest in self._info.lost else "nobody wins"
                yield f"the game is over: {won if names else nobody} ({self._names.action(rest)})"

    def _value(self, value: object, kind: str = "") -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            return number_text(value)
        return self._names.value(value, kind)  # type: ignore[arg-type]


def _leaves_something_out(sentence: LogSentence, values: Mapping[str, EventValue]) -> bool:
    """Whether a sentence has parts that are hidden from the reader.

    The visible changes are then reported as well.
    """
    return any(values.get(placeholder.key, HIDDEN) == HIDDEN for placeholder in sentence.placeholders)


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


# --- the author's sentences ---


def sentence(template: LogTemplate, values: Mapping[str, EventValue], names: Names) -> str:
    """The sentence of an event.

    A hidden value is left out with the brackets around it, else it is named by its kind.
    """
    words: list[str] = []
    optional: list[str] | None = None  # inside square brackets
    known = True
    for part in template.sentence.parts:
        if isinstance(part, str):
            target = words if optional is None else optional
            for sign in part:
                if sign == "[":
                    optional, known, target = [], True, words
                    target = optional
                elif sign == "]" and optional is not None:
                    words += optional if known else []
                    optional, target = None, words
                else:
                    target.append(sign)
            continue
        value = values.get(part.key, HIDDEN)
        if value in (HIDDEN, None) and optional is not None:
            known = False
        kind = template.kind_of(part.expression.text)
        hidden = _unnamed(kind, names)
        text = hidden if value == HIDDEN else part.pick(value) if part.answers else names.value(value, kind)
        (words if optional is None else optional).append(text)
    return " ".join("".join(words).split())


def _unnamed(kind: str, names: Names) -> str:
    """The name of a thing of which no player knows more than its kind."""
    return with_article(names.kind(kind)) if kind else "something"
