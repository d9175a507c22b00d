"""A game at the terminal for players: the table, what happened, lettered choices, answers in words."""
