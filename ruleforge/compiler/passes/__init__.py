"""Small passes IR -> IR, a module each, and what they know of numbers and expressions."""
