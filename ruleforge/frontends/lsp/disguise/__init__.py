"""A ruleset -> its twin: the same game tree under other names and words."""
