"""The spaces of a game's observations and masks in Gymnasium's terms."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ruleforge.rl.position import Space


def mask_space(space: Space) -> Any:
    """A byte for each action."""
    return spaces.Box(0, 1, (space.actions.count,), np.int8)


def observation_space(space: Space, form: str) -> Any:
    """A vector (`tensor`), or the same by the names of its fields (`dict`). ValueError for other forms."""
    if form == "tensor":
        return _box((space.size,))
    if form == "dict":
        return spaces.Dict({field.name: _box(field.shape) for field in space.fields})
    raise ValueError(f"an environment observes by tensor or dict, not by {form!r}")


def _box(shape: tuple[int, ...]) -> Any:
    return spaces.Box(-1, 1, shape, np.float32)
