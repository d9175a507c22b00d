"""Runs one game in the terminal: agents move, people answer, and the log is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import is_

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice, Reason
from ruleforge.engine.outcome import unfinished
from ruleforge.engine.presentation.observation import Table
from ruleforge.engine.presentation.scene import Offer, Scene
from ruleforge.engine.state import State
from ruleforge.frontends.console.answer_source import Reader
from ruleforge.frontends.console.page import Page, Phases
from ruleforge.frontends.console.screen import Screen
from ruleforge.play.agents import Agent
from ruleforge.play.journal import SavedGame
from ruleforge.play.narration import Narrator, Sentence
from ruleforge.play.seats.choice_matcher import understood
from ruleforge.play.seats.offer_groups import Group, grouped, singly
from ruleforge.play.seats.seat_plan import QUICK, Agents, SeatPlan, made
from ruleforge.play.seats.seat_view import SeatView
from ruleforge.play.session import Session, Turn

LONGEST_LIST = 12
WHOLE_LIST = 60
NO_LETTER = "·"
AFTERWARDS = "log, why, look, about, undo or save FILE; Enter leaves."
MOST_AGAIN = 8  # choices that are listed again for one who found none of them


class LeaveGame(Exception):
    """The player wants to leave."""


class BadAnswer(Exception):
    """A line of a file of answers that cannot be understood or is refused."""


class ConsoleGame:
    """A session, its people and agents, and the entries that each of them has seen."""

    def __init__(
        self,
        session: Session,
        seating: SeatPlan,
        screen: Screen,
        reader: Reader,
        saved_game: SavedGame,
        commands: Mapping[str, Callable[[ConsoleGame, str], None]],
    ) -> None:
        """`commands` are what can be said beside a choice."""
        self.session, self.seating, self.screen, self.reader, self.saved_game = (
            session,
            seating,
            screen,
            reader,
            saved_game,
        )
        self.commands = commands
        self._agents = Agents(seating, session.state)
        self.narrator = Narrator(self.state.game.info, self.state.players)
        self.watching: str | None = next(iter(seating.people), None)
        self._printed = len(session.turns)
        self._seen: dict[str, Table] = {}
        self.narrowed: tuple[Offer, ...] = ()
        self.forced: set[int] = set()  # numbers of the forced turns
        resumed = bool(session.turns) and len(seating.people) > 1
        self._last: str | None = (
            "" if resumed else None
        )  # who had the screen; of a game gone on with: who knows?
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
                    self.saved_game.follow(self.session)
                self._end()
                if not self._goes_on():
                    break
        except (LeaveGame, EOFError):
            self.screen.say("Bye.")
            return False
        except KeyboardInterrupt:  # during forced turns
            note = "; --resume goes on here" if self.saved_game.journal is not None else ""
            self.screen.say(f"Broken off{note}.")
            return False
        return True

    def _greet(self) -> None:
        info = self.state.game.info
        self.screen.say(f"{info.title}. {info.text}", "bold")
        who = ", ".join(f"{self.name(player)} ({kind})" for player, kind in self.seating.kinds.items())
        seed = f" Seed {self.saved_game.seed}." if self.saved_game.seed is not None else ""
        self.screen.say(f"{who}.{seed} Type help for help.")

    def name(self, player: str) -> str:
        return self.narrator.names.thing(player, "player")

    # --- decisions ---

    def _one_decision(self) -> None:
        decision = self.state.decision
        assert decision is not None
        agent = self._agents.of(decision)
        if agent is not None:
            decisions = len(self.session.turns)
            if not self.seating.people and decisions >= self.state.game.ceilings.decisions:
                raise unfinished(decisions)
            self._let_choose(agent, decision.player)
            if not self.seating.people:
                self._tell_news()
            return
        asks = self._hand_over(decision.player) or self.seating.ask_all
        if len(self.state.choices) == 1 and not asks and self._choose(self.state.choices[0]):
            self.forced.add(len(self.session.turns) - 1)
            return
        self._ask(decision.player)

    def _let_choose(self, agent: Agent, player: str) -> None:
        """The game is over if the rules let no choice stand."""

        def report(refusal: IllegalChoice) -> None:
            self.screen.say(f"{self.name(player)}: {refusal}")

        if not made(self.session, self._thought(agent, player), report):
            self.screen.say(f"{self.name(player)} has no legal choice; the game cannot continue.")
            raise LeaveGame

    def _thought(self, agent: Agent, player: str) -> Choice:
        kind = self.seating.kinds.get(player, QUICK)
        if len(self.state.choices) == 1 or kind == QUICK:
            return agent.choose(self.state)
        with self.screen.waiting(f"{self.name(player)} is thinking ({kind}) …"):
            return agent.choose(self.state)

    def _hand_over(self, player: str) -> bool:
        """Hand the screen to another person without showing either hand; True if it was handed over.

        The new player is always prompted: an automatic answer would tell others that only one choice was left.
        """
        before, self._last, self.watching = self._last, player, player
        if not (self.reader.at_terminal and self.state.hides_something and before not in (None, player)):
            return False
        self.screen.clear()
        self._line(f"{self.name(player)}, take the screen and press Enter ")
        self.screen.clear()
        return True

    def _ask(self, player: str) -> None:
        self.narrowed, self._lettered = (), None
        self.show()
        self._seen[player] = self.state.table(player)
        self._printed = len(self.session.turns)
        before = self.state
        while self.state is before:
            words = [w for offer in self.offers for w in (offer.words, offer.text)]
            try:
                line = self._line(f"{self.name(player)} ▸ ", (*words, *self.commands))
            except KeyboardInterrupt:
                self.screen.say("(quit or Ctrl-D leaves)")
                continue
            if line:
                self.answer(line)

    def _line(self, prompt: str, words: tuple[str, ...] = ()) -> str:
        return self.reader.line(self.screen.text(prompt), words)

    # --- answers ---

    @property
    def onlooker(self) -> SeatView:
        """The view of the watching player, at this moment."""
        return SeatView(self.session, self.scene(), self.narrator, self.forced)

    @property
    def offers(self) -> tuple[Offer, ...]:
        return self.onlooker.offers

    def groups(self) -> tuple[Group, ...]:
        """The possible choices with their letters; letters stay the same until the next question."""
        if self.narrowed:
            return singly(self.narrowed, LONGEST_LIST)
        if self._lettered is None:
            self._lettered = self._page().groups
        return self._lettered

    def _page(self) -> Page:
        return self.screen.arranged(self.scene(), self._phase(), self._news(), self.offers)

    def _phase(self) -> Phases:
        """The phase of the turn; questions in the middle of an action belong to the phase before."""
        scene = self.scene()
        self._phases = scene.phases or self._phases if scene.asked else ()
        return self._phases

    def whole_list(self) -> tuple[Group, ...]:
        """All choices, letters as finely as can be."""
        self._lettered = grouped(self.offers, lambda groups: len(groups) <= WHOLE_LIST)
        return self._lettered

    def greyed(self) -> tuple[Group, ...]:
        """The impossible choices, each with its price or the nearest reason, and without a letter."""
        groups = grouped(self.onlooker.greyed(), lambda found: len(found) <= 2 * LONGEST_LIST)
        return tuple(replace(group, letter=NO_LETTER) for group in groups)

    def answer(self, line: str) -> None:
        """A command, a letter, a choice in words or in ids, or several steps in ids."""
        word, _, rest = line.lstrip(":/").partition(" ")
        exact = [o for o in self.offers if o.text == line]
        if word.casefold() in self.commands and not exact:
            self.commands[word.casefold()](self, rest.strip())
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
                self.screen.say(f"{letter} is {group.words}; no choice of it fits {more}.", "yellow")
            return
        self._make(understood(line, self.narrowed or self.offers), line)

    def _make(self, offers: tuple[Offer, ...], line: str) -> None:
        if len(offers) == 1:
            offer = offers[0]
            is_complete = line.casefold() in (offer.text.casefold(), offer.words.casefold())
            if self._choose(self.state.choices[offer.number]) and not is_complete:
                self.screen.say(f"→ {offer.words}")
            return
        if not offers or " " in line:
            try:  # the texts of several steps, or a step with its usual answers left out
                self._submit(line)
                return
            except IllegalChoice as refusal:
                if not offers:
                    self._refuse(refusal, line)
                    return
        if not self.reader.at_terminal:
            raise BadAnswer(f"`{line}` may be {_some(offers)}")
        self.narrowed = offers
        self.screen.say(f"{len(offers)} choices fit; which one? (all: the whole list)")
        self.screen.listing(self.groups())

    def _submit(self, text: str) -> None:
        """Make the steps of a text; where it is refused half-way, say what is done and why the rest is not."""
        decision = self.state.decision
        assert decision is not None
        submission = self.session.submit(text, decision.player)
        if submission.refused and not self.reader.at_terminal:
            raise BadAnswer(f"`{submission.refused}`: {'; '.join(map(str, submission.reasons))}")
        for words in self.onlooker.half_done(submission):
            self.screen.say(words, "yellow")

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
        """Show why an answer is refused: the reasons for its likely meaning, else for its words."""
        found = self.onlooker.against(line, reasons)
        if found.meant:
            self.screen.say("That is not possible now:", "yellow")
            listed = singly(found.meant, LONGEST_LIST)
            self.screen.listing(tuple(replace(group, letter=NO_LETTER) for group in listed))
            for words in found.words:
                self.screen.say(f"  {words}")
        elif len(line) == 1 and line.isalpha():
            self.screen.say(f"No choice has the letter {line}.", "yellow")
            self._list_again()
        else:
            for words in found.words:
                self.screen.say(words, "yellow")
            if found.unknown:
                self._list_again()

    def _list_again(self) -> None:
        if len(self.groups()) <= MOST_AGAIN:
            self.screen.say("Possible:")
            self.screen.listing(self.groups())

    # --- showing ---

    def scene(self) -> Scene:
        """The present scene, computed once for each position."""
        since = self._seen.get(self.watching) if self.watching is not None else None
        seen = (self.state, self.watching, since)
        if self._scene is None or not all(map(is_, self._scene[0], seen)):
            self._scene = seen, self.state.scene(self.watching, since)
        return self._scene[1]

    def show(self, whole: bool = False) -> None:
        """Show the table, the news and the choices of the watching player."""
        decision = self.state.decision
        mine = decision is not None and decision.player == self.watching
        scene = self.scene()
        if whole:
            page = self.screen.everything(scene, self._phase(), self._news(), self.groups() if mine else ())
        else:
            page = self._page()
            self._lettered = page.groups
        self.screen.page(page, self.onlooker.with_what_is_chosen(), mine)

    def log_entry(self, turn: Turn, number: int) -> tuple[Sentence, ...]:
        """One turn in the words for the watching player."""
        return self.onlooker.log_entry(turn, number)

    def _news(self) -> tuple[Sentence, ...]:
        """The events since the watching player last decided."""
        return self.onlooker.news(min(self._printed, len(self.session.turns)))

    def forget_news(self) -> None:
        """After a step back nothing is new."""
        self._printed = len(self.session.turns)

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
                line = self._line("over ▸ ", tuple(self.commands))
            except (EOFError, KeyboardInterrupt):
                return False
            word, _, rest = line.partition(" ")
            if not word or word.casefold() == "quit":
                return False
            command = self.commands.get(word.casefold())
            if command is None:
                self.screen.say(AFTERWARDS, "yellow")
            else:
                command(self, rest.strip())
        self.saved_game.follow(self.session)
        return True


def _some(offers: tuple[Offer, ...]) -> str:
    shown = ", ".join(f"`{offer.text}`" for offer in offers[:4])
    return shown if len(offers) <= 4 else f"{shown} or {len(offers) - 4} more"
