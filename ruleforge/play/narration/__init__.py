"""Narration: the visible events of a step as sentences, in order."""

from ruleforge.play.narration.narrator import Narrator, Sentence

__all__ = ["Narrator", "Sentence"]
