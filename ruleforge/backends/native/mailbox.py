"""Words at the beginning of memory by which the host and the module talk, by name."""

from __future__ import annotations

_FIELDS: tuple[tuple[str, int], ...] = (  # name, number of words
    ("fault", 1),  # how a call ended: -1 for well, else the fault
    ("failed", 1),  # how a question inside ended: -1 for well, else the fault
    # playouts: what is wanted
    ("seed", 2),
    ("next_game", 1),
    ("last_game", 1),  # the one after the last
    ("most", 1),  # decisions of a game
    ("set_up", 1),  # games begin with their set-up, not with a position
    ("watch", 1),  # look at the invariants
    # of the game under way
    ("under_way", 1),
    ("made", 1),  # decisions
    ("broken", 1),  # a bit for each invariant that did not hold
    ("generator", 2),
    # lines of play: levels are positions one behind the other
    ("depth", 1),
    ("level", 1),
    ("total", 2),  # a real number, so that it does not run over
    # search
    ("wanted", 1),  # simulations at most
    ("free", 1),  # where the room in the pool begins
    ("spare", 6),
)

ADDRESS: dict[str, int] = {}  # in bytes
_at = 0
for _name, _words in _FIELDS:
    _at += _at % 8 if _name == "total" else 0
    ADDRESS[_name] = _at
    _at += 4 * _words
END = -(-_at // 16) * 16

FAULT = ADDRESS["fault"] // 4
FAILED = ADDRESS["failed"] // 4
