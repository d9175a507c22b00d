"""Expressions: a syntax tree and the names in sight -> a typed tree, or complaints; a module a family of forms."""
