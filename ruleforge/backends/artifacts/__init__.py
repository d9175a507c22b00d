"""Artifacts: everything that is compiled from checked rules, with variants, options, caches and texts of the
author.
"""
