"""Write a small game as an extensive form for Gambit: every position, with information sets, chances and
payoffs.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.rl.position import CHANCE, OVER, Position, Space

MOST_NODES = 200_000


def extensive_form(space: Space) -> str:
    """The game tree in the format EFG 2. Chance has to be explicit. ValueError if the tree is too large."""
    players = " ".join(map(_quoted, space.players))
    return (
        "\n".join([f"EFG 2 R {_quoted(space.game.title)} {{ {players} }}", '""', *_Tree(space).lines()])
        + "\n"
    )


class _Tree:
    """Walks through all positions, each before its successors."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._sets: list[dict[str, int]] = [{} for _ in space.players]  # the numbers of information sets
        self._chances = self._outcomes = self._nodes = 0

    def lines(self) -> Iterator[str]:
        left = [self._space.start(remember=True)]
        while left:
            position = left.pop()
            self._nodes += 1
            if self._nodes > MOST_NODES:
                raise ValueError(f"the game tree has more than {MOST_NODES:,} nodes")
            yield self._line(position)
            left += [self._after(position, action) for action in reversed(position.legal())]

    def _after(self, position: Position, action: int) -> Position:
        following = position.copy()
        following.act(action)
        return following

    def _line(self, position: Position) -> str:
        player = position.player
        if player == OVER:
            self._outcomes += 1
            payoffs = ", ".join(f"{each:g}" for each in position.returns())
            return f't "" {self._outcomes} "" {{ {payoffs} }}'
        counts = position.counts()
        if player == CHANCE:
            self._chances += 1
            total = sum(counts.values())
            ways = (f"{_quoted(position.words(action))} {count}/{total}" for action, count in counts.items())
            return f'c "" {self._chances} "" {{ {" ".join(ways)} }} 0'
        known = self._sets[player]
        number = known.setdefault(position.information_state(player), len(known) + 1)
        ways = (_quoted(position.words(action)) for action in counts)
        return f'p "" {player + 1} {number} "" {{ {" ".join(ways)} }} 0'


def _quoted(words: str) -> str:
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
