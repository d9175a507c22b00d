"""The functions that are the same for all programs, written in the part of Python that `subset.py`
translates.

Python never runs these functions. `words.pyi` explains the words, which exist only while types are checked.
"""
