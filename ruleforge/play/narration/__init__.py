"""Events as a seat may know them -> sentences for people, in the order in which things happened."""

from ruleforge.play.narration.narrator import Narrator, Sentence

__all__ = ["Narrator", "Sentence"]
