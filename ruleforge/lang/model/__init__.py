"""Stage 3: turns a SourceTree into a Ruleset of frozen objects. Names are still strings."""
