"""The disguise makes the twin of a ruleset: the same game tree under other names and words."""
