"""Diagnostics about rule files: one type for every stage, rendered for people and programs."""

from ruleforge.support.diagnostics.diagnostic import NOWHERE, Diagnostic, Edit, Fix, Report, Span

__all__ = ["NOWHERE", "Diagnostic", "Edit", "Fix", "Report", "Span"]
