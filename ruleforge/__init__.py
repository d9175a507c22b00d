"""RuleForge: tabletop games as data."""
