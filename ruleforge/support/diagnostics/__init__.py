"""Complaints about rule files: one type for every stage, rendered for people and programs."""

from ruleforge.support.diagnostics.diagnostic import Diagnostic, Report
from ruleforge.support.diagnostics.fix import Edit, Fix
from ruleforge.support.diagnostics.span import NOWHERE, Span

__all__ = ["NOWHERE", "Diagnostic", "Edit", "Fix", "Report", "Span"]
