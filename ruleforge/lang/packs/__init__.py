"""Stage 5: a core and packs -> Assembly, one ruleset in which every definition knows where it came from."""
