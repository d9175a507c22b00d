"""Faults of this backend, behind all those of rules."""

from __future__ import annotations

TOO_MANY, TOO_DEEP, BEYOND = range(1 << 20, (1 << 20) + 3)
