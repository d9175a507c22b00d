"""Type checking of expressions: one module for each family of forms."""
