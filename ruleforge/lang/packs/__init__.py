"""Stage 5: merges a core and packs into an Assembly, one ruleset in which definitions know their origin."""
