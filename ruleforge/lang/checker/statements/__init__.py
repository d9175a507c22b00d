"""Type checking of statements: one module for each family of forms."""
