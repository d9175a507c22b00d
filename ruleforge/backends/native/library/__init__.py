"""Functions that are the same for all programs, written in the part of Python that `subset.py` translates.

Nothing here is run by Python: `words.pyi` says what the words mean.
"""
