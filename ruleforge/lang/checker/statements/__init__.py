"""Statements: blocks of effect text -> typed statements, or complaints; a module a family of forms."""
