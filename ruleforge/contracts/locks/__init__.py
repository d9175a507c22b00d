"""Locked cores: what a core says, as a fingerprint that layout and words for people leave alone."""
