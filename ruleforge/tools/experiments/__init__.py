"""Experiments: many games, their counts and measures, result files, a page, and pack balance."""
