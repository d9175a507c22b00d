"""Faults that need a line of play to be seen -> such a line, as a scenario."""
