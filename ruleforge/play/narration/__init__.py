"""Narration: the visible events of a step as sentences, in order."""

from ruleforge.play.narration.narrator import Narrator
from ruleforge.play.narration.sentence import Sentence

__all__ = ["Narrator", "Sentence"]
