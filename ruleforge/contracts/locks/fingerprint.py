"""`fingerprint` hashes canonical data: one digest of rules and contract, one of texts, a short one per definition."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ruleforge.contracts.locks.canon import definitions, definitions_of_contract, words
from ruleforge.contracts.model import Contract
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.lang.parser.parsed import Parsed, parse
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The identity of a ruleset: the digests of its rules, of its texts, and of each definition by path."""

    version: str
    rules: str
    words: str
    definitions: Mapping[str, str]

    def changes(self, now: Fingerprint) -> tuple[Change, ...]:
        """Which definitions came, went or changed between this one and a later one."""
        found = []
        for path in sorted({*self.definitions, *now.definitions}):
            old, new = self.definitions.get(path), now.definitions.get(path)
            if old != new:
                found.append(
                    Change(path, "added" if old is None else "removed" if new is None else "changed")
                )
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Change:
    path: str
    how: str

    def __str__(self) -> str:
        return f"{self.how} {self.path}"


def digest_of_rules(ruleset: Ruleset, known: Parsed, contract: Contract | None) -> str:
    """The fingerprint of all rules alone: whether anything changed is asked more often than what."""
    return _digest(_all(ruleset, known, contract))


def fingerprint(ruleset: Ruleset, known: Parsed, contract: Contract | None = None) -> Fingerprint:
    """The fingerprint of a core and its contract; texts that are not among the `known` ones are parsed here."""
    found = _all(ruleset, known, contract)
    return Fingerprint(
        ruleset.version,
        _digest(found),
        _digest(words(ruleset)),
        {path: _digest(value)[:12] for path, value in found.items()},
    )


def _all(ruleset: Ruleset, known: Parsed, contract: Contract | None) -> dict[str, Any]:
    found = definitions(ruleset, parse(ruleset, Report(), known))
    return found | (definitions_of_contract(contract) if contract is not None else {})


def _digest(data: Any) -> str:
    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
