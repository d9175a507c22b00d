"""When it happens: phases, rules that wait, and the whole ruleset."""
