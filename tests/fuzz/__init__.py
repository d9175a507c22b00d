"""A search for rulesets that are called fine and yet do not run: made up, or the shipped ones with a change."""
