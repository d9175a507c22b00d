"""A table in the browser: a page for each seat, renewed after every step, and answers to requests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from ruleforge.engine.errors import IllegalChoice, PlayError
from ruleforge.engine.presentation.observation import Table
from ruleforge.engine.presentation.scene import Offer
from ruleforge.engine.presentation.titles import Around
from ruleforge.frontends.web.page import Page, PageContent, UndoRequest, page_of
from ruleforge.play.journal import SavedGame
from ruleforge.play.narration import Narrator, Sentence
from ruleforge.play.seats.choice_matcher import in_ids, understood
from ruleforge.play.seats.rule_help import RuleHelp
from ruleforge.play.seats.seat_plan import Agents, SeatPlan, made
from ruleforge.play.seats.seat_view import Objection, SeatView
from ruleforge.play.session import Session, Turn
from ruleforge.support.records import dataclass

Seat = str | None  # None: a spectator
PACE = 0.25  # seconds between two moves of agents, so that people see each of them
NOT_YOURS = "only players can do that; you are an observer"
OTHERWISE = "the table has changed; look again"
UNKEPT = "the choice cannot be saved, so it was not made; the host sees the reason"


class WebTable:
    """One table. Access to the session is serialised; pages can be read at any time."""

    def __init__(
        self, session: Session, seating: SeatPlan, saved_game: SavedGame, tell_host: Callable[[str], None]
    ) -> None:
        self._session, self.seating, self._saved_game, self._tell_host = (
            session,
            seating,
            saved_game,
            tell_host,
        )
        self._agents = Agents(seating, session.state)
        self._narrator = Narrator(session.state.game.info, session.state.players)
        self._forced: set[int] = set()
        self._undo_request: UndoRequest | None = None
        self._stopped = ""
        self._declined: dict[Seat, str] = {}  # what those are told who wanted to take back, and should not
        self._logs: dict[Seat, SeatLog] = {seat: SeatLog(seat) for seat in self.seats}
        self._phases: dict[Seat, Around] = {}
        self._seen: dict[Seat, Table] = {}  # what a seat saw before it last chose
        self._engine = threading.Lock()  # held by each thread that touches the session
        self._turned = threading.Condition()  # guards the pages
        self._pages: dict[Seat, Page] = {}
        self._awake, self._closed = threading.Event(), threading.Event()
        self._publish()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All players, and one more for all who look on."""
        return (*self._session.state.players, None)

    @property
    def title(self) -> str:
        return self._session.state.game.title

    def name(self, player: str) -> str:
        return self._narrator.names.thing(player, "player")

    # --- pages ---

    def page(self, seat: Seat, seen: str = "", patience: float = 0.0) -> Page | None:
        """The page of a seat as soon as it is another than the one with the mark `seen`; None if patience runs out."""
        with self._turned:
            self._turned.wait_for(lambda: self._closed.is_set() or self._pages[seat].mark != seen, patience)
            page = self._pages[seat]
        return page if page.mark != seen else None

    def _keep(self) -> bool:
        """Save the game before any page shows the step; False if it cannot be saved."""
        try:
            self._saved_game.follow(self._session)
        except OSError as problem:
            self._tell_host(f"error: {problem.filename}: {(problem.strerror or str(problem)).lower()}")
            return False
        return True

    def _journal_has(self, turns: int) -> bool:
        """Save the turns since a number; if that fails, undo them."""
        if self._keep():
            return True
        while len(self._session.turns) > turns:
            self._session.undo(self._session.state.players)
        self._forced.discard(turns)
        return False

    def _publish(self) -> None:
        pages = {seat: page_of(self._sight(seat)) for seat in self.seats}
        with self._turned:
            self._pages = pages
            self._turned.notify_all()

    def _onlooker(self, seat: Seat) -> SeatView:
        scene = self._session.state.scene(seat, self._seen.get(seat))
        return SeatView(self._session, scene, self._narrator, self._forced)

    def _sight(self, seat: Seat) -> PageContent:
        onlooker, state = self._onlooker(seat), self._session.state
        scene = onlooker.with_what_is_chosen()
        self._phases[seat] = scene.phases or self._phases.get(seat, ()) if scene.asked else ()
        log = self._logs[seat].all(onlooker, self._session.turns)
        ending = state.outcome.text if state.outcome is not None else ""
        return PageContent(
            scene,
            log,
            self.seating.kinds,
            self._phases[seat],
            ending,
            *(self._undo_request, self._stopped, self._declined.get(seat, "")),
        )

    # --- what goes by itself ---

    def run(self) -> None:
        """Agents move, and people who have no choice; until the room is closed."""
        while not self._closed.is_set():
            with self._engine:
                moved = not self._stopped and self._move()
            if moved:
                self._closed.wait(PACE)
            else:
                self._awake.wait()
                self._awake.clear()

    def close(self) -> None:
        self._closed.set()
        self._awake.set()
        with self._turned:
            self._turned.notify_all()

    def _move(self) -> bool:
        state, turns = self._session.state, len(self._session.turns)
        decision = state.decision
        if decision is None:
            return False
        agent = self._agents.of(decision)
        try:
            if agent is not None:
                if not made(
                    self._session, agent.choose(state), lambda refusal: self._tell_host(str(refusal))
                ):
                    raise PlayError("RF812", "there is no legal choice")
            elif len(state.choices) == 1 and not self._asks_all:
                self._forced.add(turns)
                self._session.apply(state.choices[0])
            else:
                return False
        except PlayError as error:
            self._tell_host(str(error))
            self._stopped = f"The rules stopped this game ({error.code}); the host sees the reason."
        if not self._journal_has(turns):
            self._stopped = "This game cannot be saved; the host sees the reason."
        self._publish()
        return not self._stopped

    @property
    def _asks_all(self) -> bool:
        """Also where only one choice is possible: else others could tell by the time that it was so."""
        return self.seating.ask_all or (self._session.state.hides_something and len(self.seating.people) > 1)

    # --- what people do ---

    def choose(self, seat: Seat, text: str, mark: str) -> Reply:
        """Make a choice of a page; a page that is no longer the one of this seat chooses nothing."""
        with self._engine:
            if seat is None:
                return Reply((NOT_YOURS,))
            return self._chosen(seat, text) if self._is_of_now(seat, mark) else Reply((OTHERWISE,))

    def _is_of_now(self, seat: Seat, mark: str) -> bool:
        return self._pages[seat].mark == mark

    def _chosen(self, seat: str, text: str) -> Reply:
        decision = self._session.state.decision
        if decision is None or decision.player != seat:
            return Reply(
                ("the game is over" if decision is None else f"{self.name(decision.player)} decides now",)
            )
        before, turns = self._session.state.table(seat), len(self._session.turns)
        try:
            submission = self._session.submit(text, seat)
        except IllegalChoice as refusal:
            return refusal_reply(self._onlooker(seat).against(text, refusal.reasons))
        if not self._journal_has(turns):
            return Reply((UNKEPT,))
        self._seen[seat] = before
        self._declined.pop(seat, None)
        self._drop_undo_request(seat)
        self._publish()
        self._awake.set()
        return Reply(self._onlooker(seat).half_done(submission))

    def _drop_undo_request(self, seat: str) -> None:
        """A player who chooses withdraws their own request; dropping that of another would show that they chose."""
        if self._undo_request is not None and (
            self._undo_request.player == seat or not self._session.state.hides_something
        ):
            self._undo_request = None

    def say(self, seat: Seat, line: str, mark: str = "") -> Reply:
        """A choice in words or ids, `why not CHOICE`, or `about NAME`; a choice counts on the page with this mark."""
        word, _, rest = " ".join(line.split()).partition(" ")
        with self._engine:
            if word.casefold() == "about":
                return self._about(seat, rest)
            if seat is None:
                return Reply((NOT_YOURS,))
            if word.casefold() == "why":
                return self._why_not(seat, rest.removeprefix("not ").strip())
            if mark and not self._is_of_now(seat, mark):
                return Reply((OTHERWISE,))
            return self._interpret(seat, line)

    def _interpret(self, seat: str, line: str) -> Reply:
        offers = self._onlooker(seat).offers
        fits = understood(line, offers)
        if len(fits) == 1:
            return self._chosen(seat, fits[0].text)
        if fits and " " not in line:
            return which(fits)
        turns = len(self._session.turns)
        answer = self._chosen(seat, line)  # several steps, or a step with its usual answers left out
        return which(fits) if fits and len(self._session.turns) == turns else answer

    def _why_not(self, seat: str, text: str) -> Reply:
        onlooker, state = self._onlooker(seat), self._session.state
        found = understood(text, onlooker.offers)
        if found:
            return Reply(tuple(f"{offer.words} is possible" for offer in found), numbers(found))
        reasons = state.why_not(in_ids(text, onlooker.ids()), seat)
        return refusal_reply(onlooker.against(text, reasons)) if reasons else Reply(("that is possible",))

    def _about(self, seat: Seat, wanted: str) -> Reply:
        state = self._session.state
        found = RuleHelp(state, seat, state.scene(seat), self.seating.clauses)
        return Reply(tuple("  " * line.indent + line.text for line in found.lines(wanted)))

    def greyed(self, seat: Seat) -> Reply:
        """The impossible choices, each with its price or the nearest reason."""
        with self._engine:
            onlooker = self._onlooker(seat)
            if not onlooker.offers:
                return Reply(("you have no decision now",))
            return Reply(listed(onlooker.greyed()) or ("every choice is possible",))

    # --- taking back ---

    def undo(self, seat: Seat, mark: str = "") -> Reply:
        """Back to the last decision of this seat; where others are concerned they are asked first."""
        with self._engine:
            if seat not in self.seating.people:
                return Reply((NOT_YOURS,))
            assert seat is not None
            if mark and not self._is_of_now(seat, mark):
                return Reply((OTHERWISE,))
            if self._is_own_alone(seat):
                try:
                    return self._taken_back(seat, ())
                except IllegalChoice:  # something has come to light since
                    pass
            people = self.seating.people
            self._undo_request = UndoRequest(seat, (seat,) if len(people) > 1 else (), people)
            self._declined.clear()
            self._publish()
            return Reply()

    def _is_own_alone(self, seat: str) -> bool:
        """Whether no other person has chosen anything since the last decision of this seat.

        A person who decides now may have chosen in secret, so the answer is then unknown.
        """
        others = {player for player in self.seating.people if player != seat}
        state = self._session.state
        if state.hides_something and state.decision is not None and state.decision.player in others:
            return False
        for turn in reversed(self._session.turns):
            if turn.is_of(seat, free=not self._asks_all):
                return True
            if turn.player in others:
                return False
        return True

    def _taken_back(self, seat: str, consent: tuple[str, ...]) -> Reply:
        turns = self._session.turns.copy()
        if not self._session.undo_to(seat, consent, free=not self._asks_all):
            return Reply(("there is nothing to take back",))
        now = len(self._session.turns)
        self._forced = {n for n in self._forced if n < now}
        self._undo_request, self._stopped = None, ""
        self._declined.pop(seat, None)  # other pages do not change
        for turn in turns[now:]:  # a player who chose nothing must see no difference if the choice was secret
            self._seen.pop(turn.player, None)
        self._keep()
        self._publish()
        self._awake.set()
        return Reply()

    def agree(self, seat: Seat, yes: bool, mark: str = "") -> Reply:
        """Record a seat's answer to an undo request."""
        with self._engine:
            request = self._undo_request
            if request is None or seat not in request.of or (mark and not self._is_of_now(seat, mark)):
                return Reply((OTHERWISE,))
            assert seat is not None
            self._undo_request = replace(request, agreed=(*request.agreed, seat)) if yes else None
            if not yes and seat != request.player:
                self._declined[request.player] = f"{self.name(seat)} declined to undo."
            if self._undo_request is not None and set(self._undo_request.agreed) == set(request.of):
                self._undo_request = None
                return self._taken_back(request.player, self._session.state.players)
            self._publish()
            return Reply()


# --- answers ---

MOST_LISTED = 40


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a typed answer, and the numbers of the choices that fit it."""

    lines: tuple[str, ...] = ()
    fits: tuple[int, ...] = ()


def refusal_reply(against: Objection) -> Reply:
    if against.meant:
        return Reply(("that is not possible now:", *listed(against.meant), *against.words))
    return Reply(against.words)


def which(offers: tuple[Offer, ...]) -> Reply:
    return Reply((f"{len(offers)} choices fit; which one?",), numbers(offers))


def numbers(offers: tuple[Offer, ...]) -> tuple[int, ...]:
    return tuple(offer.number for offer in offers)


def listed(offers: tuple[Offer, ...]) -> tuple[str, ...]:
    lines = tuple(f"{offer.words}  {''.join(offer.hint).strip()}".rstrip() for offer in offers[:MOST_LISTED])
    return (*lines, f"and {len(offers) - MOST_LISTED} more") if len(offers) > MOST_LISTED else lines


# --- the log of a seat ---


class SeatLog:
    """The log of one seat by turns, without undone steps."""

    def __init__(self, seat: str | None) -> None:
        self._seat = seat
        self._entries: list[tuple[Turn, tuple[Sentence, ...]]] = []

    def all(self, onlooker: SeatView, turns: list[Turn]) -> tuple[tuple[Sentence, bool], ...]:
        """Every sentence, and whether it is news: from after the last choice of the seat that came to something."""
        same = 0
        for (known, _), turn in zip(self._entries, turns, strict=False):
            if known is not turn:
                break
            same += 1
        del self._entries[same:]
        self._entries += [(turn, onlooker.log_entry(turn, n)) for n, turn in enumerate(turns[same:], same)]
        since = self._last_looked(turns)
        return tuple((s, n >= since) for n, (_, text) in enumerate(self._entries) for s in text)

    def _last_looked(self, turns: list[Turn]) -> int:
        """The last entry before the news; a spectator has seen all but the last one told, and secret steps do not
        count.
        """
        if self._seat is None:
            return max((n for n, (_, text) in enumerate(self._entries) if text), default=0)
        own = (n for n, turn in enumerate(turns) if turn.player == self._seat and self._entries[n][1])
        return max(own, default=0)
