"""Declarations: kinds, columns, places and the signatures of formulas and events -> symbols."""

from __future__ import annotations

from ruleforge.check.declare.columns import Columns
from ruleforge.check.declare.keywords import Keywords
from ruleforge.check.declare.kinds import Kinds
from ruleforge.check.declare.positions import Positions
from ruleforge.check.declare.seeing import Seeing
from ruleforge.check.declare.signatures import Signatures
from ruleforge.check.expressions.checker import Expressions
from ruleforge.check.symbols import Symbols
from ruleforge.model import ruleset as m


class Declarations:
    """Fills the symbol tables in the order in which one table needs another."""

    def __init__(self, ruleset: m.Ruleset, symbols: Symbols) -> None:
        self.expressions = Expressions(symbols)
        given = (ruleset, symbols, self.expressions)
        self._kinds, self._columns, self._keywords = Kinds(*given), Columns(*given), Keywords(*given)
        self._signatures, self._positions = Signatures(*given), Positions(*given)
        self.seeing = Seeing(*given)

    def declare(self) -> None:
        self._columns.declare_plain_numbers()
        self._kinds.measure()
        self._columns.declare_numbers()
        self._kinds.declare()
        self._columns.declare_options()
        self._kinds.boards.facts()
        self._columns.declare()
        self._keywords.declare()
        self._positions.declare()
        self._signatures.declare()
