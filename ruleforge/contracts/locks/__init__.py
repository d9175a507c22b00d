"""Locked cores: a fingerprint of the content of a core that ignores layout and display texts."""
