"""Rewrites files of an older language version for the present one, with comments and layout."""
