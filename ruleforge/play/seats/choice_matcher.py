"""Match typed words with choices: ids or names, in any case, shortened or slightly misspelt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleforge.engine.presentation.scene import Offer
from ruleforge.support.spelling import as_number, nearest

EXACT, BEGUN, INSIDE, NEAR = 4, 3, 2, 1
LEAST_BEGUN = 3  # letters of a name
LEAST_NEAR = 4  # shorter words are not guessed, but for one letter less among other words


def understood(line: str, offers: Sequence[Offer]) -> tuple[Offer, ...]:
    """The offers that fit best: one, several that fit alike, or none."""
    typed = line.casefold().replace("->", " ").replace("→", " ").split()
    if not typed:
        return ()
    exact = tuple(o for o in offers if o.text.casefold().split() == typed or _plain(o.words) == typed)
    if exact:
        return exact[:1]
    scores = [(min(score), sum(score), offer) for offer in offers if (score := _score(typed, offer))]
    if not scores:
        return ()
    best = max((worst, whole) for worst, whole, _ in scores)
    fitting = tuple(offer for worst, whole, offer in scores if (worst, whole) == best)
    shortest = min(len(_bag(offer)) for offer in fitting)
    fewest = tuple(offer for offer in fitting if len(_bag(offer)) == shortest)
    return fewest if best[0] == EXACT and len(fewest) == 1 else fitting


def supposed(line: str, offers: Sequence[Offer], ids: Mapping[str, str]) -> tuple[str, ...]:
    """The texts that an unmatched answer may mean: offers that match its beginning, with other last parts."""
    words = line.replace("->", " ").replace("→", " ").split()
    for split in range(len(words) - 1, 0, -1):
        begun = understood(" ".join(words[:split]), offers)
        rest = in_ids(" ".join(words[split:]), ids).split()
        if begun:
            texts = (offer.text.split() for offer in begun)
            return tuple(dict.fromkeys(" ".join([*text[: -len(rest)], *rest]) for text in texts))
    return ()


def in_ids(line: str, ids: Mapping[str, str]) -> str:
    """The text with ids in place of displayed names, the longest names first."""
    words = line.replace("->", " ").replace("→", " ").split()
    found: list[str] = []
    while words:
        for length in range(len(words), 0, -1):
            known = ids.get(" ".join(words[:length]).casefold())
            known = known or (_only_one_with(words[0], ids) if length == 1 else None)
            if known is not None or length == 1:
                found.append(known or words[0])
                del words[:length]
                break
    return " ".join(found)


def _only_one_with(word: str, ids: Mapping[str, str]) -> str | None:
    """The id of the only name in which a word begins like this one."""
    begun = word.casefold()
    if len(begun) < LEAST_BEGUN:
        return None
    found = {id for name, id in ids.items() if any(part.startswith(begun) for part in name.split())}
    return next(iter(found)) if len(found) == 1 else None


def _plain(words: str) -> list[str]:
    return words.casefold().replace(",", " ").split()


def _bag(offer: Offer) -> list[str]:
    ids = [name.casefold() for name in (*offer.ids, *offer.letters)]
    return list(dict.fromkeys([*_plain(offer.words), *offer.text.casefold().split(), *ids]))


def _score(typed: Sequence[str], offer: Offer) -> list[int] | None:
    """The quality of the match of each typed word with a word of the offer. None if a word does not match."""
    bag = _bag(offer)
    found = []
    for word in typed:
        least = LEAST_NEAR if len(typed) == 1 else LEAST_NEAR - 1
        fits = max((_fit(word, known, least) for known in bag), default=0)
        if not fits:
            return None
        found.append(fits)
    return found


def _fit(word: str, known: str, least: int) -> int:
    if word == known:
        return EXACT
    if as_number(word) is not None or len(word) < 2:  # a number is a value, never the beginning of one
        return 0
    if known.startswith(word):
        return BEGUN
    if len(word) > 2 and word in known:
        return INSIDE
    return NEAR if len(word) >= least and nearest(word, (known,)) else 0
