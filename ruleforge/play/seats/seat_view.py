"""The view of a seat on a session: its log, and the reasons against its refused answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ruleforge.engine.errors import Reason
from ruleforge.engine.presentation.observation import DONE
from ruleforge.engine.presentation.offers import greyed
from ruleforge.engine.presentation.scene import Offer, Scene, joined, standing
from ruleforge.play.narration import Narrator, Sentence
from ruleforge.play.seats.choice_matcher import supposed, understood
from ruleforge.play.session import Session, Submission, Turn
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import as_number

MOST_REASONS = 3
UNKNOWN = "RF802"  # nothing that could be chosen anywhere begins like that


@dataclass(frozen=True, slots=True)
class Objection:
    """The reasons against an answer: impossible choices it may mean, and sentences.

    `unknown` means that no such choice exists anywhere, so the list of choices is worth a look.
    """

    meant: tuple[Offer, ...]
    words: tuple[str, ...]
    unknown: bool = False


class SeatView:
    """One seat, or the public, at one moment of a session; `forced` are the numbers of forced turns."""

    def __init__(
        self, session: Session, scene: Scene, narrator: Narrator, forced: Collection[int] = ()
    ) -> None:
        self._session, self._scene, self._narrator, self._forced = session, scene, narrator, forced
        self._seat = scene.seat

    @property
    def offers(self) -> tuple[Offer, ...]:
        prompt = self._scene.asked
        return prompt.offers or () if prompt is not None else ()

    def ids(self) -> dict[str, str]:
        """The displayed names of things and actions, in lower case, mapped to their names in the rules."""
        things = {t.name.casefold(): t.id for t in self._scene.tokens if t.id}
        words = {name.replace("_", " "): name for name in self._session.state.game.info.words}
        return {**words, **things, **self._narrator.names.ids}

    # --- what happened ---

    def log_entry(self, turn: Turn, number: int) -> tuple[Sentence, ...]:
        """A turn in words for this seat."""
        seat = self._seat
        events = turn.events.seen_by(seat)
        sentences = self._narrator.step(turn.player, turn.log_text_for(seat), events, turn.prompt_for(seat))
        mine = (
            turn.player == seat or not self._session.state.hides_something
        )  # the possible choices of a player may be secret
        if number in self._forced and mine and sentences:
            first, *others = sentences
            return (replace(first, text=f"{first.text.rstrip('.')} (nothing else was possible)."), *others)
        return sentences

    def news(self, start: int) -> tuple[Sentence, ...]:
        """The log from this turn on. The end of a phase is left out for players who also acted."""
        turns = self._session.turns
        entries = [(turn, self.log_entry(turn, n)) for n, turn in enumerate(turns[start:], start)]
        busy = {turn.player for turn, sentences in entries if not _only_ends(turn, sentences)}
        return tuple(
            s
            for turn, sentences in entries
            if not _only_ends(turn, sentences) or turn.player not in busy
            for s in sentences
        )

    # --- what is asked ---

    def with_what_is_chosen(self) -> Scene:
        """The question in the middle of an action, headed by the choices so far."""
        scene, prompt = self._scene, self._scene.asked
        if prompt is None or prompt.prompt is None or prompt.offers is None:
            return scene
        chosen = self._chosen_so_far()
        if not chosen:
            return scene
        question = prompt.prompt.partition(": ")[2] or prompt.prompt
        return replace(scene, asked=replace(prompt, prompt=f"{chosen}: {question}"))

    def _chosen_so_far(self) -> str:
        names, choices = self._narrator.names, self._session.state.choices
        if not choices or not choices[0].is_of_action or choices[0].action is not None:
            return ""
        parts: list[str] = []
        for turn in reversed(self._session.turns):
            arguments = turn.choice.arguments
            parts = [
                *(part if as_number(part) is not None else names.thing(part) for part in arguments),
                *parts,
            ]
            if turn.choice.action is not None:
                return f"{names.action(turn.choice.action)} {joined(parts)}".strip()
        return ""

    def greyed(self) -> tuple[Offer, ...]:
        """The choices that are not possible now, each with its price or the nearest reason."""
        declined = self._session.state.declined(self._seat) if self._seat is not None else ()
        return greyed(declined, self._narrator.names, standing(self._scene.boards))

    # --- what cannot be ---

    def against(self, line: str, reasons: Sequence[Reason]) -> Objection:
        """The objections to an answer: to the choice that it may mean, else to its text."""
        meant = understood(line, self.greyed()) if line else ()
        if meant:
            printed = (arguments for offer in meant[:MOST_REASONS] for arguments in self._printed_on(offer))
            return Objection(meant, tuple(dict.fromkeys(printed)))
        if any(reason.code == UNKNOWN for reason in reasons):
            texts = supposed(line, self.offers, self.ids())[:MOST_REASONS]
            state = self._session.state
            reasons = [r for text in texts for r in state.why_not(text, self._seat)] or reasons
        words = dict.fromkeys(reason.words for reason in reasons[:MOST_REASONS])
        return Objection((), tuple(words), all(reason.code == UNKNOWN for reason in reasons))

    def half_done(self, submission: Submission) -> tuple[str, ...]:
        """The report on a text that was refused half-way: its done steps and the reason against the rest.

        Else empty.
        """
        if not submission.refused:
            return ()
        done = ", ".join(turn.choice.text for turn in submission.done)
        because = (reason.words for reason in submission.reasons[:MOST_REASONS])
        return (f"Done: {done}. Refused: {submission.refused}.", *because)

    def _printed_on(self, offer: Offer) -> Iterator[str]:
        """The author's words for the things that an offer names: mostly they say what is missing."""
        for id, name in zip(offer.ids, offer.parts, strict=False):
            entries = self._session.state.game.info.words.get(id, ())
            yield from (f"{name}: {e.text}" for e in entries if e.text and (e.facts or e.keywords))


def _only_ends(turn: Turn, arguments: Sequence[Sentence]) -> bool:
    return turn.choice.text == DONE and len(arguments) == 1
