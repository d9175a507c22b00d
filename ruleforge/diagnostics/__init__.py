"""Complaints about rule files: one type for every stage, rendered for people and programs."""

from ruleforge.diagnostics.diagnostic import Diagnostic, Report
from ruleforge.diagnostics.fix import Edit, Fix
from ruleforge.diagnostics.span import NOWHERE, Span

__all__ = ["NOWHERE", "Diagnostic", "Edit", "Fix", "Report", "Span"]
