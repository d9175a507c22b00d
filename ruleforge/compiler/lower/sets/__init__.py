"""Sets and all that speaks of every member: walks, counts, open formulas and the rules that modify them."""
