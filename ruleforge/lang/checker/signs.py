"""Signs given by keys -> signs of things: a thing that has none of its own is shown by those of its parts."""

from __future__ import annotations

from collections.abc import Mapping

Sign = tuple[str, ...]  # a sign, and perhaps its letters; or a colour
Keys = Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]  # thing -> the keys for it, the parts of them


def parts_of(keys: Keys) -> tuple[str, ...]:
    """What can be the key of a part, where keys have several."""
    return tuple(dict.fromkeys(part for _, parts in keys.values() if len(parts) > 1 for part in parts))


def joined(given: Mapping[str, Sign], keys: Keys) -> dict[str, Sign]:
    """The signs of things; those of parts one after the other, where every part has one."""
    found = _own(given, keys)
    for thing, (_, parts) in keys.items():
        if thing not in found and parts and all(part in given for part in parts):
            signs = [given[part] for part in parts]
            found[thing] = ("".join(sign[0] for sign in signs), "".join(sign[-1] for sign in signs))
    return found


def first_of(given: Mapping[str, Sign], keys: Keys) -> dict[str, Sign]:
    """The colours of things, or of their first part that has one."""
    parts = {thing: [given[part] for part in parts if part in given] for thing, (_, parts) in keys.items()}
    return {thing: colours[0] for thing, colours in parts.items() if colours} | _own(given, keys)


def _own(given: Mapping[str, Sign], keys: Keys) -> dict[str, Sign]:
    return {thing: given[key] for thing, (own, _) in keys.items() for key in own if key in given}
