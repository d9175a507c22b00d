"""Stage 3: SourceTree -> Ruleset, frozen objects with names still strings."""
