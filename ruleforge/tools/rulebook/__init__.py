"""The rulebook generator: rules as sections, tables and clauses for players."""
