"""Mutation testing: one small change of the rules at a time, and the scenarios that notice it."""
