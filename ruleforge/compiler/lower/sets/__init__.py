"""Sets: walks, counts, open formulas and their modifiers."""
