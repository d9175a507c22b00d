"""Rule coverage: the parts of the rules that ran in scenarios and random games."""
