"""Hints: guess the intention of the author at a syntax error; one module for each sort of mistake.

Each hint is a small function that either recognises the mistake or passes; the first that does wins. Beside
it stand examples that provoke it: tests read them, and so do people who look for the place of a new one.
Nothing of it is imported while all texts can be read.
"""
