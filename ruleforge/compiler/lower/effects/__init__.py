"""Effects: statements, events and the rules around them, moves, the queue."""
