"""Counterexamples: scenarios that show a fault of a pack in play."""
