"""The mailbox: named words at the beginning of memory that the host and the module share."""

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
    ("alike", 1),  # games that come out alike share a record
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
    # ways that are looked for
    ("stamp", 1),  # what marked cells in the last search
    # environments: games that advance together
    ("envs", 1),
    ("env", 1),  # the next one to be gone on with
    ("heads", 1),  # where the words about each environment begin
    ("listed", 1),  # where the lists that are chosen from begin
    ("fresh", 1),  # where the lists of the next decisions begin
    ("fresh_end", 1),  # and end so far
    ("fresh_room", 1),  # where there is no more room for them
    ("again", 1),  # a game that is over is followed by another
    ("seen", 1),  # where observations go
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
TOO_MANY, TOO_DEEP, BEYOND = range(1 << 20, (1 << 20) + 3)
