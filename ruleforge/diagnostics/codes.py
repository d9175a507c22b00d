"""The table of diagnostic codes: one row each; a code never changes its meaning.

RF1xx source, RF2xx schema, RF3xx model, RF4xx effect syntax, RF5xx names and types, RF6xx compile,
RF7xx lints, RF8xx play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Code:
    code: str
    severity: Literal["error", "warning"]
    title: str


_ROWS: tuple[tuple[str, Literal["error", "warning"], str], ...] = (
    ("RF101", "error", "no such file or folder"),
    ("RF102", "error", "a folder without rule files"),
    ("RF103", "error", "an empty file"),
    ("RF104", "error", "a file is too large"),
    ("RF105", "error", "a binary file"),
    ("RF106", "error", "a file is not UTF-8"),
    ("RF107", "error", "nested too deep"),
    ("RF108", "error", "not YAML"),
    ("RF109", "error", "a file cannot be read"),
    ("RF110", "error", "a key is repeated"),
    ("RF111", "error", "an anchor or alias"),
    ("RF112", "error", "a tag"),
    ("RF113", "error", "a word that YAML may read as true or false"),
    ("RF114", "error", "a number in a form that YAML may read differently"),
    ("RF115", "error", "not a whole number"),
    ("RF116", "error", "a text that YAML may read as a date"),
    ("RF117", "error", "a key is not a plain word"),
    ("RF118", "error", "several documents in a file"),
    ("RF119", "error", "an effect in a text form that cannot be followed"),
    ("RF120", "error", "no `game` section"),
    ("RF121", "error", "two `game` sections"),
    ("RF122", "error", "a file without sections"),
    ("RF123", "error", "a text is cut at a comma"),
    ("RF201", "error", "unknown key"),
    ("RF202", "error", "the wrong kind of value"),
    ("RF203", "error", "a key is missing"),
    ("RF204", "error", "not one of the possible values"),
    ("RF205", "error", "not a proper name"),
    ("RF206", "error", "a number is out of bounds"),
    ("RF207", "error", "nothing is given"),
    ("RF208", "error", "keys that do not go together"),
    ("RF302", "error", "declared twice"),
    ("RF303", "error", "a reserved word"),
    ("RF304", "error", "keys that exclude each other"),
    ("RF305", "error", "an impossible number of players"),
    ("RF306", "error", "one of several keys is missing"),
    ("RF401", "error", "unexpected word"),
    ("RF402", "error", "unknown sign"),
    ("RF403", "error", "indentation"),
    ("RF404", "error", "brackets do not match"),
    ("RF405", "error", "a word of the language used as a name"),
    ("RF406", "error", "a sign from another language"),
    ("RF407", "error", "something is missing"),
    ("RF408", "error", "a statement that cannot do anything"),
    ("RF409", "error", "text too long or nested too deeply"),
    ("RF410", "error", "number or dice out of range"),
    ("RF411", "error", "empty text"),
    ("RF501", "error", "unknown name"),
    ("RF502", "error", "wrong type"),
    ("RF503", "error", "a thing that may be none is used untested"),
    ("RF504", "error", "wrong number of arguments"),
    ("RF505", "error", "a name is taken"),
    ("RF506", "error", "not possible here"),
    ("RF507", "error", "definitions call one another in a circle"),
    ("RF508", "error", "a value lies outside its range"),
    ("RF509", "error", "not a constant"),
    ("RF701", "warning", "a keyword without a text"),
    ("RF801", "error", "not among the choices"),
    ("RF802", "error", "not something to choose"),
    ("RF803", "error", "the game is over"),
    ("RF804", "error", "somebody else decides"),
    ("RF805", "error", "an unknown thing in a choice"),
    ("RF806", "error", "too much or too little is said"),
    ("RF807", "error", "an action that is not offered now"),
    ("RF808", "error", "a step that cannot be taken back"),
    ("RF809", "error", "a requirement is not met"),
    ("RF810", "error", "an attribute leaves its range"),
    ("RF811", "error", "a number leaves 32 bits"),
    ("RF812", "error", "a chain of effects without end"),
    ("RF813", "error", "effects nested too deep"),
    ("RF814", "error", "a place is full"),
    ("RF815", "error", "the flow ends without a finish"),
    ("RF820", "error", "not a saved game"),
    ("RF821", "error", "a saved game of another game"),
    ("RF822", "error", "a saved game of other rules"),
    ("RF823", "error", "a saved game that was never started"),
    ("RF824", "error", "a damaged saved game"),
    ("RF825", "error", "a record that does not replay"),
    ("RF830", "error", "an unknown path"),
    ("RF831", "error", "a value that does not fit its path"),
    ("RF832", "error", "a position without choices"),
    ("RF840", "error", "a wrong number of players"),
    ("RF841", "error", "a wrong option"),
    ("RF842", "error", "an unknown game"),
    ("RF850", "error", "a scenario that cannot be read"),
    ("RF851", "error", "an expectation that does not hold"),
    ("RF852", "error", "an unanswered decision"),
    ("RF853", "error", "scripted dice that do not fit"),
    ("RF854", "error", "a refusal that does not come"),
)

CODES: dict[str, Code] = {code: Code(code, severity, title) for code, severity, title in _ROWS}
