"""A state as one seat sees it: frozen data, from which views, text and screens are drawn."""
