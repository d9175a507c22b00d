"""Seats of a session: seating, answers in words, views, and logs, for every kind of screen."""
