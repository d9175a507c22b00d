"""Rule coverage: which parts of the rules ran in scenarios and random games."""
