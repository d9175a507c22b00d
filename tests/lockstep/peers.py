"""Every shipped game that OpenSpiel has, too."""

from __future__ import annotations

from tests.lockstep.boards import BOARDS
from tests.lockstep.cards import CARDS
from tests.lockstep.first import FIRST
from tests.lockstep.peer import Peer
from tests.lockstep.races import RACES
from tests.lockstep.stones import STONES

PEERS: dict[str, Peer] = FIRST | BOARDS | STONES | RACES | CARDS
