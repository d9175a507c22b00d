"""What lies beside the rules: scenarios, the rulebook, the contract; held against the rules they speak of."""
