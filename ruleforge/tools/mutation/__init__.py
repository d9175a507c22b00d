"""Mutation testing: one small change of the rules at a time, and whether any scenario notices it."""
