"""Declarations: turns kinds, columns, places and signatures into symbols."""

from __future__ import annotations

from ruleforge.lang.checker.declare.columns import Columns
from ruleforge.lang.checker.declare.keywords import Keywords
from ruleforge.lang.checker.declare.kinds import Kinds
from ruleforge.lang.checker.declare.signatures import Positions, Signatures
from ruleforge.lang.checker.declare.visibility import Seeing
from ruleforge.lang.checker.expressions.forms import ExpressionForms
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.model import ruleset as m


class Declarations:
    """Fills the symbol tables in the order in which one table needs another."""

    def __init__(self, ruleset: m.Ruleset, symbols: Symbols) -> None:
        self.expressions = ExpressionForms(symbols)
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
