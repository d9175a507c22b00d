"""The author's console: expressions, effects, stepping and reloading over the live position of a game."""
