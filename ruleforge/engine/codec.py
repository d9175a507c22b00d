"""The codec writes a state as text and reads it back; it also makes the digest that names a state."""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from typing import TYPE_CHECKING

from ruleforge.backends.api import words as row_words
from ruleforge.backends.artifacts.info import GameInfo
from ruleforge.backends.artifacts.setup import Setup
from ruleforge.backends.faults import CompilerBug, Trapped
from ruleforge.compiler.ir import OUTCOME
from ruleforge.engine.errors import PlayError, RestoreError
from ruleforge.engine.soundness import is_sound

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.game import Game
    from ruleforge.engine.state import State
    from ruleforge.engine.variant import Variant

FORMAT = 1
LARGEST_SAVE = 64_000_000
_WORD = range(-(2**31), 2**31)
_UNREADABLE = (
    Trapped,
    CompilerBug,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
)  # of a row that is none


def words(state: State) -> list[int]:
    """The words that make a state what it is."""
    return row_words(state._row, state._variant.program)


def heading(variant: Variant) -> dict[str, object]:
    """The data that a row needs to be read; packs are named only in games with packs."""
    packs, gate = packs_of(variant.info), variant.compiled.gate
    return {
        "ruleforge": FORMAT,
        "game": variant.info.id,
        "version": variant.info.version,
        "rules": variant.info.digest,
        "players": variant.setup.players,
        "options": dict(variant.setup.options),
        "chance": variant.setup.chance,
        **({"begin": list(variant.setup.begin)} if variant.setup.begin else {}),
        **({"packs": packs} if packs else {}),
        **({"contract": gate} if gate else {}),
    }


def packs_of(info: GameInfo) -> dict[str, str]:
    """The packs of a game with their versions."""
    return {pack.id: pack.version for pack in info.packs}


def digest(state: State) -> str:
    sum_ = hashlib.blake2b(json.dumps(heading(state._variant), sort_keys=True).encode(), digest_size=16)
    sum_.update(_packed(state))
    return sum_.hexdigest()


def imprint(state: State) -> str:
    return hashlib.blake2b(_packed(state), digest_size=4).hexdigest()


def _packed(state: State) -> bytes:
    packed = array("i", words(state))
    if sys.byteorder != "little":
        packed.byteswap()
    return packed.tobytes()


def save(state: State) -> str:
    return json.dumps({**heading(state._variant), "digest": digest(state), "row": words(state)})


def taken_apart(state: State) -> tuple[Setup, list[int]]:
    """The arguments from which `again` rebuilds a state."""
    return state._variant.setup, words(state)


def again(game: Game, setup: Setup, words: list[int]) -> State:
    """The state of these words, which were taken from one."""
    states = game._states_of(setup)
    runtime = states._variant.runtime
    row = runtime.attach(words)
    return states._of_row(row, runtime.listing(row))


def restore(game: Game, text: str) -> State:
    """The state a text was saved from; every way in which it does not fit has its own diagnostic."""
    data = _read(text)
    _same(data, "game", game.id, "RF821", "this is a saved game of `{found}`, not of `{wanted}`")
    _same(
        data, "version", game.version, "RF822", "saved with version {found} of the rules; these are {wanted}"
    )
    _same_packs(data, packs_of(game.info))
    _same(data, "rules", game.digest, "RF822", "the rules have changed since this game was saved")
    if data.get("contract", "") != game.compiled.gate:
        raise RestoreError("RF822", "the contract of the core has changed since this game was saved")
    states = _states(game, data)
    variant = states._variant
    row = _row(variant, data)
    state = states._of_row(variant.runtime.attach(row), _listed(variant, row))
    if digest(state) != data.get("digest"):
        raise RestoreError("RF824", "the saved game is damaged: its digest does not match")
    return state


def _read(text: str) -> dict[str, object]:
    if not isinstance(text, str) or len(text) > LARGEST_SAVE:
        raise RestoreError("RF820", "this is not the text of a saved game")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise RestoreError("RF820", "this is not a saved game: it is not JSON") from None
    if not isinstance(data, dict) or "ruleforge" not in data:
        raise RestoreError("RF820", "this is not a saved game: it does not have the fields of one")
    if data["ruleforge"] != FORMAT:
        raise RestoreError(
            "RF820", f"saved games of format {data['ruleforge']!r} cannot be read; this is {FORMAT}"
        )
    return data


def _same(data: dict[str, object], key: str, wanted: str, code: str, message: str) -> None:
    found = data.get(key)
    if found != wanted:
        raise RestoreError(code, message.format(found=found, wanted=wanted))


def _same_packs(data: dict[str, object], packs: dict[str, str]) -> None:
    saved = data.get("packs", {})
    if saved == packs or not isinstance(saved, dict):
        return
    lacking = [f"{id} {version}" for id, version in saved.items() if packs.get(id) != version]
    more = [f"{id} {version}" for id, version in packs.items() if saved.get(id) != version]
    parts = [
        f"{what} {', '.join(names)}"
        for what, names in (("it was played with", lacking), ("these rules have", more))
        if names
    ]
    raise RestoreError("RF822", f"the saved game belongs to other packs: {'; '.join(parts)}")


def _states(game: Game, data: dict[str, object]) -> type[State]:
    players, options, chance = data.get("players"), data.get("options"), data.get("chance")
    if type(players) is not int or not isinstance(options, dict) or chance not in ("sampled", "explicit"):
        raise RestoreError("RF823", "the saved game lacks its start: players, options, chance")
    try:
        return game._states_of(game.compiled.setup(players, options, chance, _begin(data.get("begin"))))
    except PlayError as error:
        raise RestoreError(
            "RF823", f"the saved game cannot have started like this: {error.message}"
        ) from None


def _begin(saved: object) -> tuple[str, str] | None:
    match saved:
        case None:
            return None
        case [str() as phase, str() as player]:
            return phase, player
    raise RestoreError("RF823", "the saved game lacks its first phase")


def _row(variant: Variant, data: dict[str, object]) -> list[int]:
    row, program = data.get("row"), variant.program
    if not isinstance(row, list) or len(row) != program.row_size:
        raise RestoreError(
            "RF824", f"the saved game is damaged: its row should have {program.row_size} words"
        )
    if any(type(word) is not int or word not in _WORD for word in row):
        raise RestoreError("RF824", "the saved game is damaged: a word of its row is not a 32-bit number")
    if not is_sound(program, row, variant.stack_ranges):
        raise RestoreError("RF824", "the saved game is damaged: its row is not a position of this game")
    return row


def _listed(variant: Variant, row: list[int]) -> tuple[Choice, ...]:
    try:
        choices = variant.runtime.listing(variant.runtime.attach(list(row)))
    except _UNREADABLE:
        raise RestoreError("RF824", "the saved game is damaged: its decision cannot be read") from None
    if not choices and not row[OUTCOME]:
        raise RestoreError("RF824", "the saved game is damaged: no player has a choice")
    return tuple(choices)
