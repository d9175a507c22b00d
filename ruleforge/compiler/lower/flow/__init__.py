"""Flow: phases, waiting rules, and the whole ruleset."""
