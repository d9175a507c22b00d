"""Events as a seat may know them -> sentences for people, in the order in which things happened."""

from ruleforge.play.narration.narrator import Narrator
from ruleforge.play.narration.sentence import Sentence

__all__ = ["Narrator", "Sentence"]
