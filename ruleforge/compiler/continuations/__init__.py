"""Functions in direct style -> every function that may wait as numbered blocks over a frame of the row.

The body is cut where it asks, where it performs a pausing function, and at joins and loop heads around such
cuts; code without a pause stays structured inside its block. `compiler/frames.py` then decides which locals
have to live in the frame.
"""
