"""One evening at the table: agents move, people are asked, everything that happens is told to whoever watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from operator import is_

from ruleforge.engine.choice import Choice
from ruleforge.engine.endless import unfinished
from ruleforge.engine.errors import IllegalChoice, Reason
from ruleforge.engine.state import State
from ruleforge.frontends.table.grouping import Group, grouped, singly
from ruleforge.frontends.table.keeping import Keeping
from ruleforge.frontends.table.page import Page, Phases
from ruleforge.frontends.table.reading import Reader
from ruleforge.frontends.table.screen import Screen
from ruleforge.frontends.table.understanding import supposed, understood
from ruleforge.names import as_number
from ruleforge.narration import Narrator, Sentence
from ruleforge.play.agents import Agent, make_agent
from ruleforge.play.session import Session, Turn
from ruleforge.present.offers import greyed
from ruleforge.present.scene import Offer, Scene, joined, standing
from ruleforge.present.seen import DONE, Table
from ruleforge.quick import dataclass

HUMAN = "human"
QUICK = "random"  # whom nobody waits for
LONGEST_LIST = 12
WHOLE_LIST = 60
NO_LETTER = "·"
AFTERWARDS = "log, why, look, about, undo or save FILE; Enter leaves."
MOST_REASONS = 3
MOST_AGAIN = 8  # choices that are listed again for one who found none of them
UNKNOWN = "RF802"  # nothing that could be chosen anywhere begins like that


class Leaving(Exception):
    """The player wants to leave."""


class BadAnswer(Exception):
    """A line of a file of answers that cannot be understood or is refused."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where (`human` or an agent), what agents draw from, and whether people are asked what is forced."""

    kinds: Mapping[str, str]
    seed: int
    ask_all: bool = False
    clauses: Mapping[str, str] = field(default_factory=dict)  # the rulebook, for `about`
    commands: Mapping[str, Callable[[Evening, str], None]] = field(default_factory=dict)

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(player for player, kind in self.kinds.items() if kind == HUMAN)


class Evening:
    """A session, the people and agents around it, and what each of them was shown."""

    def __init__(
        self, session: Session, seating: Seating, screen: Screen, reader: Reader, keeping: Keeping
    ) -> None:
        self.session, self.seating, self.screen, self.reader, self.keeping = (
            session,
            seating,
            screen,
            reader,
            keeping,
        )
        self._agents: dict[str, Agent] = {
            player: make_agent(kind, seating.seed + n, session.state.game.compiled.profiles)
            for n, (player, kind) in enumerate(seating.kinds.items())
            if kind != HUMAN
        }
        self._dice = make_agent(QUICK, seating.seed)
        self.narrator = Narrator(self.state.game.info, self.state.players)
        self.watching: str | None = next(iter(seating.people), None)
        self._told = len(session.turns)
        self._seen: dict[str, Table] = {}
        self.narrowed: tuple[Offer, ...] = ()
        self.forced: set[int] = set()  # numbers of the turns nobody was asked about
        self._last: str | None = None
        self._phases: Phases = ()
        self._lettered: tuple[Group, ...] | None = None
        self._scene: tuple[tuple[State, str | None, Table | None], Scene] | None = None

    @property
    def state(self) -> State:
        return self.session.state

    def run(self) -> bool:
        """Play until the end; False if it was left before."""
        self._greet()
        try:
            while True:
                while self.state.decision is not None:
                    self._one_decision()
                    self.keeping.follow(self.session)
                self._end()
                if not self._goes_on():
                    break
        except (Leaving, EOFError):
            self.screen.say("Bye.")
            return False
        except KeyboardInterrupt:  # while nobody was asked
            kept = "; --resume goes on here" if self.keeping.journal is not None else ""
            self.screen.say(f"Broken off{kept}.")
            return False
        return True

    def _greet(self) -> None:
        info = self.state.game.info
        self.screen.say(f"{info.title}. {info.text}", "bold")
        who = ", ".join(f"{self.name(player)} ({kind})" for player, kind in self.seating.kinds.items())
        seed = f" Seed {self.keeping.seed}." if self.keeping.seed is not None else ""
        self.screen.say(f"{who}.{seed} Type help for help.")

    def name(self, player: str) -> str:
        return self.narrator.names.thing(player, "player")

    # --- decisions ---

    def _one_decision(self) -> None:
        decision = self.state.decision
        assert decision is not None
        agent = self._agents.get(decision.player, self._dice if decision.is_chance else None)
        if agent is not None:
            made = len(self.session.turns)
            if not self.seating.people and made >= self.state.game.ceilings.decisions:
                raise unfinished(made)
            self._let_choose(agent, decision.player)
            if not self.seating.people:
                self._tell_news()
            return
        self._hand_over(decision.player)
        if len(self.state.choices) == 1 and not self.seating.ask_all and self._choose(self.state.choices[0]):
            self.forced.add(len(self.session.turns) - 1)
            return
        self._ask(decision.player)

    def _let_choose(self, agent: Agent, player: str) -> None:
        """A choice that the rules take back is told, and another one is made; without any the evening is over."""
        for choice in (self._thought(agent, player), *self.state.choices):
            try:
                self.session.apply(choice)
            except IllegalChoice as refusal:
                self.screen.say(f"{self.name(player)}: {refusal}")
            else:
                return
        self.screen.say(f"{self.name(player)} has no choice that the rules let stand; the game cannot go on.")
        raise Leaving

    def _thought(self, agent: Agent, player: str) -> Choice:
        kind = self.seating.kinds.get(player, QUICK)
        if len(self.state.choices) == 1 or kind == QUICK:
            return agent.choose(self.state)
        with self.screen.waiting(f"{self.name(player)} is thinking ({kind}) …"):
            return agent.choose(self.state)

    def _hand_over(self, player: str) -> None:
        """People who share a screen do not see one another's hands."""
        before, self._last, self.watching = self._last, player, player
        if self.reader.at_terminal and self.state.hides_something and before not in (None, player):
            self.screen.clear()
            self._line(f"{self.name(player)}, take the screen and press Enter ")
            self.screen.clear()

    def _ask(self, player: str) -> None:
        self.narrowed, self._lettered = (), None
        self.show()
        self._seen[player] = self.state.table(player)
        self._told = len(self.session.turns)
        before = self.state
        while self.state is before:
            words = [w for offer in self.offers for w in (offer.words, offer.text)]
            try:
                line = self._line(f"{self.name(player)} ▸ ", (*words, *self.seating.commands))
            except KeyboardInterrupt:
                self.screen.say("(quit or Ctrl-D leaves)")
                continue
            if line:
                self.answer(line)

    def _line(self, prompt: str, words: tuple[str, ...] = ()) -> str:
        return self.reader.line(self.screen.text(prompt), words)

    # --- answers ---

    @property
    def offers(self) -> tuple[Offer, ...]:
        asked = self.scene().asked
        return asked.offers or () if asked is not None else ()

    def ids(self) -> dict[str, str]:
        """What people call things and actions, in small letters -> their names in the rules."""
        things = {t.name.casefold(): t.id for t in self.scene().tokens if t.id}
        words = {name.replace("_", " "): name for name in self.state.game.info.words}
        return {**words, **things, **self.narrator.names.ids}

    def groups(self) -> tuple[Group, ...]:
        """What may be chosen, lettered; letters stay as they are until the next question."""
        if self.narrowed:
            return singly(self.narrowed, LONGEST_LIST)
        if self._lettered is None:
            self._lettered = self._page().groups
        return self._lettered

    def _page(self) -> Page:
        return self.screen.arranged(self.scene(), self._phase(), self._news(), self.offers)

    def _phase(self) -> Phases:
        """Where in a turn it is now; questions in the middle of an action belong to the phase before."""
        scene = self.scene()
        self._phases = scene.phases or self._phases if scene.asked else ()
        return self._phases

    def whole_list(self) -> tuple[Group, ...]:
        """All choices, letters as finely as can be."""
        self._lettered = grouped(self.offers, lambda groups: len(groups) <= WHOLE_LIST)
        return self._lettered

    def greyed(self) -> tuple[Group, ...]:
        """What is not possible now, with its price or the nearest reason; nothing has a letter."""
        if self.watching is None:
            return ()
        names, on = self.narrator.names, standing(self.scene().boards)
        offers = greyed(self.state.declined(self.watching), names, on)
        groups = grouped(offers, lambda found: len(found) <= 2 * LONGEST_LIST)
        return tuple(replace(group, letter=NO_LETTER) for group in groups)

    def answer(self, line: str) -> None:
        """A command, a letter, a choice in words or in ids, or several steps in ids."""
        word, _, rest = line.lstrip(":/").partition(" ")
        exact = [o for o in self.offers if o.text == line]
        if word.casefold() in self.seating.commands and not exact:
            self.seating.commands[word.casefold()](self, rest.strip())
            return
        if exact:
            self._make((exact[0],), line)
            return
        letter, _, more = line.partition(" ")
        group = next((g for g in self.groups() if g.letter == letter.casefold()), None)
        if group is not None:
            fitting = understood(more, group.offers) if more else group.offers
            if fitting or not self.reader.at_terminal:
                self._make(fitting, line)
            else:
                self.screen.say(f"{letter} is {group.words}; nothing of that fits {more}.", "yellow")
            return
        self._make(understood(line, self.narrowed or self.offers), line)

    def _make(self, offers: tuple[Offer, ...], line: str) -> None:
        if len(offers) == 1:
            offer = offers[0]
            said = line.casefold() in (offer.text.casefold(), offer.words.casefold())
            if self._choose(self.state.choices[offer.number]) and not said:
                self.screen.say(f"→ {offer.words}")
            return
        if not offers or " " in line:
            try:  # the texts of several steps, or a step with its usual answers left out
                self.session.apply(line)
                return
            except IllegalChoice as refusal:
                if not offers:
                    self._refuse(refusal, line)
                    return
        if not self.reader.at_terminal:
            raise BadAnswer(f"`{line}` may be {_some(offers)}")
        self.narrowed = offers
        self.screen.say(f"{len(offers)} choices fit; which one? (all: the whole list again)")
        self.screen.listing(self.groups())

    def _choose(self, choice: Choice) -> bool:
        try:
            self.session.apply(choice)
        except IllegalChoice as refusal:
            self._refuse(refusal)
            return False
        return True

    def _refuse(self, refusal: IllegalChoice, line: str = "") -> None:
        """Why it cannot be; if something was meant that is not possible now, why that is not."""
        if not self.reader.at_terminal:
            raise BadAnswer("; ".join(map(str, refusal.reasons)))
        self.tell_against(line, refusal.reasons)

    def tell_against(self, line: str, reasons: Sequence[Reason]) -> None:
        """What stands against something that was said: as it may have been meant, else as it was said."""
        meant = understood(line, [o for group in self.greyed() for o in group.offers]) if line else ()
        if meant:
            self.screen.say("That is not possible now:", "yellow")
            self.screen.listing(tuple(replace(g, letter=NO_LETTER) for g in singly(meant, LONGEST_LIST)))
            for words in dict.fromkeys(
                said for offer in meant[:MOST_REASONS] for said in self._printed_on(offer)
            ):
                self.screen.say(f"  {words}")
            return
        if len(line) == 1 and line.isalpha():
            self.screen.say(f"No choice has the letter {line}.", "yellow")
            self._list_again()
            return
        if any(reason.code == UNKNOWN for reason in reasons):
            texts = supposed(line, self.offers, self.ids())[:MOST_REASONS]
            reasons = [reason for text in texts for reason in self.state.why_not(text)] or reasons
        for words in dict.fromkeys(reason.words for reason in reasons[:MOST_REASONS]):
            self.screen.say(words, "yellow")
        if all(reason.code == UNKNOWN for reason in reasons):
            self._list_again()

    def _list_again(self) -> None:
        if len(self.groups()) <= MOST_AGAIN:
            self.screen.say("Possible:")
            self.screen.listing(self.groups())

    def _printed_on(self, offer: Offer) -> Iterator[str]:
        """The author's words for the things that an offer names: mostly they say what is missing."""
        for id, name in zip(offer.ids, offer.parts, strict=False):
            entries = self.state.game.info.words.get(id, ())
            yield from (f"{name}: {e.text}" for e in entries if e.text and (e.facts or e.keywords))

    # --- showing ---

    def scene(self) -> Scene:
        """What is seen now: arranged once for a position, however often somebody looks while one is asked."""
        since = self._seen.get(self.watching) if self.watching is not None else None
        seen = (self.state, self.watching, since)
        if self._scene is None or not all(map(is_, self._scene[0], seen)):
            self._scene = seen, self.state.scene(self.watching, since)
        return self._scene[1]

    def show(self, whole: bool = False) -> None:
        """The table, the news and the choices of whoever is asked."""
        decision = self.state.decision
        mine = decision is not None and decision.player == self.watching
        scene = self.scene()
        if whole:
            page = self.screen.everything(scene, self._phase(), self._news(), self.groups() if mine else ())
        else:
            page = self._page()
            self._lettered = page.groups
        self.screen.page(page, self._with_what_is_chosen(scene), mine)

    def _with_what_is_chosen(self, scene: Scene) -> Scene:
        """In the middle of an action the question is headed by all that was chosen for it so far."""
        asked = scene.asked
        if asked is None or asked.prompt is None or not (chosen := self._chosen_so_far()):
            return scene
        question = asked.prompt.partition(": ")[2] or asked.prompt
        return replace(scene, asked=replace(asked, prompt=f"{chosen}: {question}"))

    def _chosen_so_far(self) -> str:
        names, choices = self.narrator.names, self.state.choices
        if not choices or not choices[0].is_of_action or choices[0].action is not None:
            return ""
        parts: list[str] = []
        for turn in reversed(self.session.turns):
            said = turn.choice.arguments
            parts = [*(part if as_number(part) is not None else names.thing(part) for part in said), *parts]
            if turn.choice.action is not None:
                return f"{names.deed(turn.choice.action)} {joined(parts)}".strip()
        return ""

    def told(self, turn: Turn, number: int) -> tuple[Sentence, ...]:
        """A turn in the words of whoever watches."""
        seat = self.watching if self.seating.people else None
        events = turn.events.seen_by(seat)
        sentences = self.narrator.step(turn.player, turn.said_to(seat), events, turn.asked_to(seat))
        mine = (
            turn.player == seat or not self.state.hides_something
        )  # what somebody could have done may be a secret
        if number in self.forced and mine and sentences:
            first, *others = sentences
            text = f"{first.text.rstrip('.')} (nothing else was possible)."
            return (Sentence(text, first.depth, first.who, first.clauses, first.span, first.pack), *others)
        return sentences

    def _news(self) -> tuple[Sentence, ...]:
        """What happened since the one who watches was last asked."""
        turns = self.session.turns
        start = min(self._told, len(turns))
        told = [(turn, self.told(turn, n)) for n, turn in enumerate(turns[start:], start)]
        busy = {turn.player for turn, said in told if not _only_ends(turn, said)}
        return tuple(
            s for turn, said in told if not _only_ends(turn, said) or turn.player not in busy for s in said
        )

    def forget_news(self) -> None:
        """After a step back nothing is new."""
        self._told = len(self.session.turns)

    def _tell_news(self) -> None:
        self.screen.news(self._news())
        self.forget_news()

    def _end(self) -> None:
        self.show()
        self.say_if_over()
        outcome = self.state.outcome
        assert outcome is not None
        if any(abs(score) > 1 for score in outcome.scores.values()):  # not only who won
            points = (f"{self.name(player)} {score}" for player, score in outcome.scores.items())
            self.screen.say(f"Points: {'  '.join(points)}")

    def say_if_over(self) -> bool:
        """How it ended, if it did."""
        if (outcome := self.state.outcome) is None:
            return False
        self.screen.say(f"{self.scene().ended}. {outcome.text}".rstrip(), "bold")
        return True

    def _goes_on(self) -> bool:
        """After the end one may ask how it came about, or take something back; True if there is more to play."""
        if not self.reader.at_terminal or self.watching is None:
            return False
        self.screen.say(AFTERWARDS)
        self.forget_news()
        ended = self.state
        while self.state is ended:
            try:
                line = self._line("over ▸ ", tuple(self.seating.commands))
            except (EOFError, KeyboardInterrupt):
                return False
            word, _, rest = line.partition(" ")
            if not word or word.casefold() == "quit":
                return False
            command = self.seating.commands.get(word.casefold())
            if command is None:
                self.screen.say(AFTERWARDS, "yellow")
            else:
                command(self, rest.strip())
        self.keeping.follow(self.session)
        return True


def _only_ends(turn: Turn, said: Sequence[Sentence]) -> bool:
    """Whether somebody ended a phase, and nothing else came of it: no news of one who did something, too."""
    return turn.choice.text == DONE and len(said) == 1


def _some(offers: tuple[Offer, ...]) -> str:
    shown = ", ".join(f"`{offer.text}`" for offer in offers[:4])
    return shown if len(offers) <= 4 else f"{shown} or {len(offers) - 4} more"
