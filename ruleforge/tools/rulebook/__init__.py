"""Rules -> the rulebook they amount to, for people who want to play: sections, tables, cards, clauses."""
