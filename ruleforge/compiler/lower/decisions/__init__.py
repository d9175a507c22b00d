"""Decisions of players and of chance: sites, choices, windows for actions, costs."""
