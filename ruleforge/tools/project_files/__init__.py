"""The files next to the rules: scenarios, rulebook, contract, mutants; checked against the rules."""
