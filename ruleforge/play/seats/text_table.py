"""A game whose players read and write text: a prompt for each question, and the reason when an answer is
refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ruleforge.engine.errors import IllegalChoice
from ruleforge.engine.presentation.scene import Offer, Scene
from ruleforge.engine.presentation.text_renderer import text as drawn
from ruleforge.play.narration import Narrator
from ruleforge.play.seats.choice_matcher import understood
from ruleforge.play.seats.offer_groups import grouped
from ruleforge.play.seats.rule_help import RuleHelp
from ruleforge.play.seats.seat_plan import Agents, SeatPlan, made
from ruleforge.play.seats.seat_view import SeatView
from ruleforge.play.session import Session

LISTED_SINGLY = 60  # longer lists of choices are grouped
NO_CHOICE = "the game cannot continue: `{}` has no legal choice"


class TextTable:
    """A session with people who write text, and agents for the other seats."""

    def __init__(self, session: Session, seating: SeatPlan) -> None:
        self.session, self.seating = session, seating
        self._agents = Agents(seating, session.state)
        self._narrator = Narrator(session.state.game.info, session.state.players)
        self._forced: set[int] = set()
        self._read = dict.fromkeys(session.state.players, 0)  # turns that each seat has read about
        self.fault = ""  # why the game stopped before its end
        self._advance()

    @property
    def player(self) -> str | None:
        """The player who is asked now; None when the game is over."""
        decision = self.session.state.decision
        return decision.player if decision is not None and not self.fault else None

    # --- reading ---

    def intro(self) -> str:
        """The title of the game and its description."""
        info = self.session.state.game.info
        return f"{info.title}. {info.text}".strip()

    def prompt(self, seat: str) -> str:
        """The news since the last prompt of this seat, the table as it sees it, and its question."""
        news = self.news(seat)
        self._read[seat] = len(self.session.turns)
        return "\n\n".join(part for part in (news, self.look(seat), self.question(seat)) if part)

    def news(self, seat: str) -> str:
        """The events since the last prompt of this seat, in sentences."""
        read_turns = min(self._read[seat], len(self.session.turns))
        return "\n".join(map(str, self._view(seat).news(read_turns)))

    def log(self, seat: str) -> str:
        """The whole log, as this seat may see it."""
        return "\n".join(map(str, self._view(seat).news(0)))

    def look(self, seat: str) -> str:
        """The table as this seat sees it."""
        return drawn(self._scene(seat, with_prompt=False)).rstrip()

    def question(self, seat: str) -> str:
        """The question to this seat with the possible answers; else who decides, or how the game ended."""
        view = self._view(seat)
        scene = view.with_what_is_chosen()
        if self.fault:
            return self.fault
        if scene.asked is None:
            return self._ending(scene)
        if scene.asked.offers is None:
            return f"{scene.asked.name} decides."
        lines = (f"  {line}" for line in _listed(view.offers))
        return "\n".join([f"{scene.asked.name}: {scene.asked.prompt}", "You can choose:", *lines])

    def choices(self, seat: str) -> tuple[str, ...]:
        """The texts of the choices that this seat has now."""
        return tuple(offer.text for offer in self._view(seat).offers)

    def rules(self, seat: str, words: str) -> str:
        """The text of the rules about a name, or the places where they use some words."""
        help = RuleHelp(self.session.state, seat, self._scene(seat), self.seating.clauses)
        return "\n".join(f"{'  ' * line.indent}{line.text}" for line in help.lines(words))

    def why_not(self, text: str, seat: str) -> tuple[str, ...]:
        """The reasons that stand against a text; none if it could be chosen."""
        if seat == self.player and self._meant(text, seat):
            return ()
        reasons = self.session.state.why_not(text, seat)
        return self._view(seat).against(text, reasons).words or tuple(reason.words for reason in reasons)

    # --- answering ---

    def answer(self, text: str, seat: str) -> tuple[str, ...]:
        """Make a choice: its text, its words, or several steps. Gives the reasons if something was refused."""
        if seat != self.player:
            return ("the game is over",) if self.player is None else (f"`{self.player}` decides now",)
        meant = self._meant(text, seat)
        try:
            if meant is not None:
                self.session.apply(self.session.state.choices[meant.number], seat)
                refused: tuple[str, ...] = ()
            else:
                refused = self._view(seat).half_done(self.session.submit(text, seat))
        except IllegalChoice as refusal:
            reasons = refusal.reasons
            return self._view(seat).against(text, reasons).words or tuple(r.words for r in reasons)
        self._advance()
        return refused

    def _meant(self, text: str, seat: str) -> Offer | None:
        """The only choice that a text can mean."""
        fitting = understood(text, self._view(seat).offers)
        return fitting[0] if len(fitting) == 1 else None

    def _advance(self) -> None:
        """Let agents choose and make forced choices until a person must be prompted."""
        while (decision := self.session.state.decision) is not None:
            agent = self._agents.of(decision)
            forced = len(self.session.state.choices) == 1 and not self.seating.ask_all
            if agent is None and not forced:
                return
            choice = agent.choose(self.session.state) if agent else self.session.state.choices[0]
            if agent is None:
                self._forced.add(len(self.session.turns))
            if not made(self.session, choice, lambda refusal: None):
                self.fault = NO_CHOICE.format(decision.player)
                return

    # --- helpers ---

    def _scene(self, seat: str, with_prompt: bool = True) -> Scene:
        scene = self.session.state.scene(seat)
        return scene if with_prompt else replace(scene, asked=None)

    def _view(self, seat: str) -> SeatView:
        return SeatView(self.session, self._scene(seat), self._narrator, self._forced)

    def _ending(self, scene: Scene) -> str:
        outcome = self.session.state.outcome
        assert outcome is not None
        scores = ", ".join(
            f"{self._narrator.names.thing(p, 'player')} {n}" for p, n in outcome.scores.items()
        )
        return f"{scene.ended}. {outcome.text}".strip() + f"\nScores: {scores}"


def _listed(offers: tuple[Offer, ...]) -> Iterator[str]:
    """Each choice with its text and words; texts that need no words on one line; long lists in groups."""
    if len(offers) > LISTED_SINGLY:
        for group in grouped(offers, lambda groups: len(groups) <= LISTED_SINGLY):
            beside = f"  ({group.beside})" if group.beside else ""
            yield f"{group.words}{beside}"
        return
    plain = [offer.text for offer in offers if offer.words.casefold() == offer.text.casefold()]
    yield from (f"{o.text}  ({o.words})" for o in offers if o.text not in plain)
    if plain:
        yield ", ".join(plain)
