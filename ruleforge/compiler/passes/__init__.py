"""Optimisation passes from IR to IR, one module for each."""
