"""A game at the terminal for players: the table, the log, lettered choices, answers in words."""
