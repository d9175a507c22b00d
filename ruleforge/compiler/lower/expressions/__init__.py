"""Values: one integer each."""
